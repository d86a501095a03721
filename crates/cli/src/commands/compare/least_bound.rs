//! The smallest bound at which a method of bounded search finds a deadlock.
//!
//! A method that needs a bound is run with 0, 1, 2, 4 and so on until it finds something, and then
//! with bounds between: what is found within a bound is found within every larger one. The figures
//! of the cell are those of the run with the smallest bound that is sufficient. Methods by
//! satisfiability begin at 0 themselves, and `auto` needs no bound: they are run once.

use super::cells::{Axis, Cell, METHOD};
use super::measure::{Ending, Manner, Measured, measure};
use std::ffi::OsString;
use symbolon_checker::{BoundedMethod, Budget, Reason};

/// Measures a cell; one of a method, at the smallest sufficient bound.
pub(super) fn measure_cell(manner: &Manner, axes: &[Axis], cell: &Cell, budget: &Budget) -> Measured {
    match method_of(axes, cell) {
        Some(method) if method.needs_bound() => at_least_bound(manner, axes, cell, budget),
        _ => measure(manner, axes, cell, &[], budget),
    }
}

/// The method of a cell, if it has one.
fn method_of(axes: &[Axis], cell: &Cell) -> Option<BoundedMethod> {
    let place = axes.iter().position(|axis| axis.key == METHOD)?;
    cell.choices[place].as_ref()?.to_str()?.parse().ok()
}

fn at_least_bound(manner: &Manner, axes: &[Axis], cell: &Cell, budget: &Budget) -> Measured {
    let once = Manner { runs: 1, ..manner.clone() };
    let run = |manner: &Manner, bound: u64| {
        let options: [OsString; 2] = ["--bound".into(), bound.to_string().into()];
        Measured { bound: Some(bound), ..measure(manner, axes, cell, &options, budget) }
    };
    // Nothing was found within `below - 1` steps; what was found within `bound`, is in `found`.
    let (mut below, mut bound) = (0, 0);
    let mut found = loop {
        let measured = run(&once, bound);
        if !is_too_near(&measured) {
            break measured;
        }
        below = bound + 1;
        bound = (2 * bound).max(1);
    };
    if !matches!(found.ending, Ending::Answered(_)) {
        return found;
    }
    while below < bound {
        let middle = below + (bound - below) / 2;
        let measured = run(&once, middle);
        match measured.ending {
            Ending::Answered(_) => (bound, found) = (middle, measured),
            Ending::Unknown(Reason::Interrupted) => return measured,
            // A smaller bound that takes too long does not help.
            Ending::Unknown(_) | Ending::Wrong(_) => below = middle + 1,
        }
    }
    if manner.runs > 1 { run(manner, bound) } else { found }
}

/// Whether the bound was too small for an answer.
fn is_too_near(measured: &Measured) -> bool {
    matches!(measured.ending, Ending::Unknown(Reason::Bound))
}
