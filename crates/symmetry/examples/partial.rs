//! How much partial symmetry could gain: symbolic markings up to the permutations that a net admits, and
//! orbits of the same markings under all permutations of all classes, which partial symmetry cannot beat.
//!
//! ```text
//! cargo run --release -p symbolon-symmetry --example partial -- cs-wave:6 peterson-coloured:3 model.pnml
//! ```

use std::error::Error;
use symbolon_budget::Budget;
use symbolon_coloured::Net;
use symbolon_coloured::families::generate;
use symbolon_coloured::read::read_pnml;
use symbolon_symmetry::{ClassSymmetry, Kind, StaticSubclass, Symmetry, explore, find_symmetry};

/// All permutations of all classes.
fn all_permutations(net: &Net) -> Symmetry {
    let free = |class: &symbolon_coloured::Class| {
        let members = (0..class.size() as u32).collect();
        let kind = if class.size() > 1 { Kind::Free(vec![StaticSubclass { members }]) } else { Kind::Fixed };
        ClassSymmetry { kind, reasons: Vec::new() }
    };
    Symmetry { classes: net.classes.iter().map(free).collect() }
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:40} {:>12} {:>12} {:>12} {:>7}", "net", "markings", "symbolic", "at best", "factor");
    for argument in std::env::args().skip(1) {
        let budget = Budget::unlimited();
        let net = match std::fs::read(&argument) {
            Ok(bytes) => read_pnml(&bytes, &budget).map_err(|error| format!("{error:?}"))?.net,
            Err(_) => generate(&argument, &budget)?,
        };
        let quotient = explore(&net, &find_symmetry(&net, &[], &budget)?, &budget)?;
        let best = quotient.orbits_under(&all_permutations(&net), &budget)?;
        let symbolic = quotient.symbolic_count();
        let factor = symbolic as f64 / best as f64;
        let markings = &quotient.figures().markings;
        println!("{argument:40} {markings:>12} {symbolic:>12} {best:>12} {factor:>7.1}");
    }
    Ok(())
}
