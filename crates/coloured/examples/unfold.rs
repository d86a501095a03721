//! Unfolds coloured nets and prints their sizes, one line per file.
//!
//! ```text
//! cargo run --release -p symbolon-coloured --example unfold -- ../shared/mcc/*-COL-*/model.pnml
//! ```
//!
//! Columns: places, constant ones among them, colours that can never be marked, transitions, arcs,
//! seconds for reading, seconds for unfolding, the resident size afterwards in megabytes.

use std::time::Instant;
use symbolon_budget::{Budget, resident_bytes};
use symbolon_coloured::read::read_pnml;
use symbolon_coloured::{UnfoldLimits, unfold};

fn main() {
    let budget = Budget::unlimited();
    for file in std::env::args().skip(1) {
        let bytes = match std::fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) => {
                println!("{file}: {error}");
                continue;
            }
        };
        let begin = Instant::now();
        let net = match read_pnml(&bytes, &budget) {
            Ok(reading) => reading.net,
            Err(error) => {
                println!("{file}: {error:?}");
                continue;
            }
        };
        let read = begin.elapsed().as_secs_f64();
        let begin = Instant::now();
        let unfolded = unfold(&net, UnfoldLimits::default(), &budget);
        let seconds = begin.elapsed().as_secs_f64();
        match unfolded {
            Ok(unfolded) => println!(
                "{file}: places {} constant {} unmarkable {} transitions {} arcs {} read {read:.2} unfold {seconds:.2} MB {}",
                unfolded.net.places.len(),
                unfolded.constant_place_count(),
                unfolded.unmarkable_count(),
                unfolded.net.transitions.len(),
                unfolded.net.arc_count(),
                resident_bytes().unwrap_or(0) >> 20,
            ),
            Err(error) => println!("{file}: {error} ({seconds:.2} s)"),
        }
    }
}
