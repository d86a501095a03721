//! The readers of formula files, the contest's XML and text, never panic, and spans of names point at text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use symbolon_budget::Budget;
use symbolon_logic::{read_contest_properties, read_formula_file, read_properties};
use symbolon_source::ReadFailure;

fuzz_target!(|bytes: &[u8]| {
    let budget = Budget::unlimited();
    for outcome in
        [read_properties(bytes, &budget), read_contest_properties(bytes, &budget), read_formula_file(bytes, &budget)]
    {
        match outcome {
            Ok(properties) => {
                for property in &properties.properties {
                    let names = property.formula.formula.atoms().flat_map(|atom| atom.names());
                    for span in property.formula.spans.iter().copied().chain(names.map(|name| name.span)) {
                        assert!(span.start <= span.end && span.start <= properties.text.len());
                    }
                }
            }
            Err(ReadFailure::Invalid(error)) => assert!(error.first().is_some()),
            Err(ReadFailure::Interrupted(reason)) => panic!("unlimited, yet {reason}"),
        }
    }
});
