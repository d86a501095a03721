//! The `.ll_net` reader never panics, and returns nets that obey P1–P3 and can be written as PNML.

#![no_main]

use libfuzzer_sys::fuzz_target;
use symbolon_budget::Budget;
use symbolon_petri::ReadFailure;
use symbolon_petri::read::{read_ll_net, read_pnml};
use symbolon_petri::write::write_pnml;

fuzz_target!(|bytes: &[u8]| {
    match read_ll_net(bytes, &Budget::unlimited()) {
        Ok(reading) => {
            reading.net.check().expect("P1-P3 hold");
            let text = write_pnml(&reading.net);
            let again = read_pnml(text.as_bytes(), &Budget::unlimited()).expect("written PNML can be read");
            // A transition that is called like a place gets another id.
            assert_eq!(again.net.places, reading.net.places);
            assert_eq!(again.net.arc_count(), reading.net.arc_count());
        }
        Err(ReadFailure::Invalid(error)) => assert!(error.first().is_some()),
        Err(ReadFailure::Interrupted(reason)) => panic!("unlimited, yet {reason}"),
    }
});
