//! The PNML reader never panics, returns nets that obey P1–P3, and reads back what the writer writes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use symbolon_budget::Budget;
use symbolon_petri::ReadFailure;
use symbolon_petri::read::{guess_format, read_pnml};
use symbolon_petri::write::write_pnml;

fuzz_target!(|bytes: &[u8]| {
    let _format = guess_format(bytes, None);
    match read_pnml(bytes, &Budget::unlimited()) {
        Ok(reading) => {
            reading.net.check().expect("P1-P3 hold");
            let text = write_pnml(&reading.net);
            let again = read_pnml(text.as_bytes(), &Budget::unlimited()).expect("written PNML can be read");
            assert_eq!(again.net, reading.net);
            reading.net.shuffled(1).check().expect("P1-P3 hold after shuffling");
        }
        Err(ReadFailure::Invalid(error)) => assert!(error.first().is_some()),
        Err(ReadFailure::Interrupted(reason)) => panic!("unlimited, yet {reason}"),
    }
});
