//! The reader of guarded commands never panics, says little about what is wrong, and what it accepts survives printing and
//! reading.

#![no_main]

use libfuzzer_sys::fuzz_target;
use symbolon_budget::Budget;
use symbolon_gcl::{load, parse};
use symbolon_source::ReadFailure;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(program) = parse(bytes, &Budget::unlimited()) {
        let text = program.to_string();
        let again = parse(text.as_bytes(), &Budget::unlimited()).expect("what was printed can be read");
        assert_eq!(again, program);
    }
    match load(bytes, &[], &Budget::unlimited()) {
        Ok(loaded) => assert!(!loaded.model.initial.is_empty() || loaded.model.initially.is_some()),
        Err(ReadFailure::Invalid(error)) => assert!(error.first().is_some()),
        Err(ReadFailure::Interrupted(reason)) => panic!("unlimited, yet {reason}"),
    }
});
