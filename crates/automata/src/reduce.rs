//! Automata made smaller, with the same language.
//!
//! One step per file: states that lie on no accepting run go (`trim.rs`), marks that say nothing go
//! (`marks.rs`), labels that say one thing together become one (`labels.rs`), states that can do
//! the same become one (`simulation.rs`), and an initial state that is only the choice between
//! others goes (`initial.rs`).

mod initial;
mod labels;
mod marks;
mod simulation;
mod trim;

use symbolon_budget::{Budget, Interrupted, Meter};

use crate::automaton::Automaton;
pub(crate) use labels::fewer_labels;
use simulation::Direction;

/// The number of times that a smaller automaton is reduced again.
const ROUNDS: usize = 6;

/// An automaton with the same language, smaller where we know how.
pub fn reduce(automaton: &Automaton, budget: &Budget) -> Result<Automaton, Interrupted> {
    reduce_metered(automaton, &mut Meter::new(budget.clone()))
}

pub(crate) fn reduce_metered(automaton: &Automaton, meter: &mut Meter) -> Result<Automaton, Interrupted> {
    let mut automaton = tidy(automaton, meter)?;
    for _ in 0..ROUNDS {
        let size = size(&automaton);
        for direction in [Direction::Forward, Direction::Backward] {
            automaton = simulation::merge_similar(&automaton, direction, meter)?;
            automaton = tidy(&automaton, meter)?;
        }
        automaton = initial::split_initial(&automaton);
        if self::size(&automaton) == size {
            break;
        }
    }
    Ok(automaton)
}

fn size(automaton: &Automaton) -> (usize, usize, u32) {
    (automaton.state_count(), automaton.edges().len(), automaton.mark_count())
}

/// What costs little.
fn tidy(automaton: &Automaton, meter: &mut Meter) -> Result<Automaton, Interrupted> {
    let automaton = trim::trim(automaton);
    let automaton = marks::remove_needless_marks(&automaton, meter)?;
    labels::merge_labels(&automaton, meter)
}
