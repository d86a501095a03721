//! The PNML reader for coloured nets never panics, returns nets that obey COL-1 to COL-6, and reads
//! back what the writer writes; unfolding within a small limit never panics and gives a good net.

#![no_main]

use libfuzzer_sys::fuzz_target;
use symbolon_budget::Budget;
use symbolon_coloured::read::{is_coloured_pnml, read_pnml};
use symbolon_coloured::write::write_pnml;
use symbolon_coloured::{UnfoldError, UnfoldLimits, unfold};
use symbolon_petri::ReadFailure;

fuzz_target!(|bytes: &[u8]| {
    let budget = Budget::unlimited();
    let _coloured = is_coloured_pnml(bytes, &budget);
    match read_pnml(bytes, &budget) {
        Ok(reading) => {
            reading.net.check().expect("COL-1 to COL-6 hold");
            let text = write_pnml(&reading.net);
            // Deeply nested terms and pages in another order need not survive; whatever is read again
            // must be a good net.
            if let Ok(again) = read_pnml(text.as_bytes(), &budget) {
                again.net.check().expect("COL-1 to COL-6 hold");
            }
            match unfold(&reading.net, UnfoldLimits { instances: 2000, arcs: 100_000 }, &budget) {
                Ok(unfolded) => unfolded.net.check().expect("PETRI-P1 to PETRI-P3 hold"),
                Err(UnfoldError::TooLarge { .. } | UnfoldError::TooManyTokens(_)) => {}
                Err(UnfoldError::Interrupted(reason)) => panic!("unlimited, yet {reason}"),
            }
        }
        Err(ReadFailure::Invalid(error)) => assert!(error.first().is_some()),
        Err(ReadFailure::Interrupted(reason)) => panic!("unlimited, yet {reason}"),
    }
});
