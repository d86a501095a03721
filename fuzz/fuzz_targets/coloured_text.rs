//! The reader of coloured nets as text never panics, and what it accepts survives printing and reading.

#![no_main]

use libfuzzer_sys::fuzz_target;
use symbolon_budget::Budget;
use symbolon_coloured::text::{guess, print_text, read_text};
use symbolon_source::ReadFailure;

fuzz_target!(|bytes: &[u8]| {
    match read_text(bytes, &Budget::unlimited()) {
        Ok(reading) => {
            assert_eq!(reading.net.check(), Ok(()));
            let text = print_text(&reading.net);
            assert!(guess(&text));
            let again = read_text(text.as_bytes(), &Budget::unlimited()).expect("what was printed can be read");
            assert_eq!(again.net, reading.net);
        }
        Err(ReadFailure::Invalid(error)) => assert!(error.first().is_some()),
        Err(ReadFailure::Interrupted(reason)) => panic!("unlimited, yet {reason}"),
    }
});
