//! The ISPL reader never panics, what it accepts is read again as the same tree from its printed text, and lowering keeps
//! M1–M5 of the model as far as they can be seen.

#![no_main]

use libfuzzer_sys::fuzz_target;
use symbolon_budget::Budget;
use symbolon_ispl::{load, parse};
use symbolon_source::ReadFailure;

fuzz_target!(|bytes: &[u8]| {
    let budget = Budget::unlimited();
    if let Ok(tree) = parse(bytes, &budget) {
        let printed = tree.to_string();
        let again = parse(printed.as_bytes(), &budget).expect("what was printed can be read");
        assert_eq!(again, tree);
    }
    match load(bytes, "fuzz", &budget) {
        Ok(loaded) => {
            assert_eq!(loaded.model.values.len(), loaded.model.variables.len());
            assert_eq!(loaded.formulae.len(), loaded.tree.formulae.len());
        }
        Err(ReadFailure::Invalid(error)) => assert!(error.first().is_some()),
        Err(ReadFailure::Interrupted(reason)) => panic!("unlimited, yet {reason}"),
    }
});
