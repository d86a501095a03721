//! The reader of formula text never panics, its errors point into the text, and what it accepts survives printing,
//! reading and all rewritings.

#![no_main]

use libfuzzer_sys::fuzz_target;
use symbolon_logic::{Paths, negation_normal_form, parse_formula, reduce_to_stutter, simplify};

fuzz_target!(|text: &str| {
    match parse_formula(text) {
        Ok(parsed) => {
            assert_eq!(parsed.spans.len(), parsed.formula.size());
            assert!(parsed.spans.iter().all(|span| text.get(span.start..span.end).is_some()));
            let printed = parsed.formula.to_string();
            let again = parse_formula(&printed).expect("what was printed can be read");
            assert_eq!(again.formula, parsed.formula);
            negation_normal_form(&parsed.formula);
            for paths in Paths::ALL {
                reduce_to_stutter(&parsed.formula, paths);
                simplify(&parsed.formula, paths);
            }
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            assert!(errors.iter().all(|error| text.get(error.span.start..error.span.end).is_some()));
        }
    }
});
