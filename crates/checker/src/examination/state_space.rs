//! The size of the state space, as the contest asks for it.

use super::ExaminationLine;
use crate::error::Error;
use crate::loaded::Loaded;
use crate::options::{EdgesChoice, Options};
use crate::report::{Amount, StateCount, Unknown};
use crate::states::states;
use crate::stop::settle;
use crate::technique::Technique;
use symbolon_budget::Budget;

/// Answers with four figures, or as many as are known.
pub(super) fn state_space(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
    emit: &mut dyn FnMut(ExaminationLine),
) -> Result<Option<Unknown>, Error> {
    // The contest asks for edges, whatever they take.
    let mut with_edges = options.clone();
    with_edges.edges = EdgesChoice::Yes;
    let report = match settle(states(loaded, &with_edges, budget))? {
        Ok(report) => report,
        Err(unknown) => {
            emit(ExaminationLine::CannotCompute);
            return Ok(Some(unknown));
        }
    };
    let (states, techniques) = match report.states {
        StateCount::Finite(count) => (Amount::Finite(count), Technique::of_exploring(loaded, options)),
        StateCount::Infinite { .. } => (Amount::Infinite, vec![Technique::StructuralAnalysis]),
    };
    let figures = [
        ("STATES", Some(states)),
        ("TRANSITIONS", report.edges),
        ("MAX_TOKEN_PER_MARKING", report.max_tokens_per_marking),
        ("MAX_TOKEN_IN_PLACE", report.max_tokens_in_place),
    ];
    for (figure, value) in figures {
        if let Some(value) = value {
            emit(ExaminationLine::StateSpace { figure, value, techniques: techniques.clone() });
        }
    }
    Ok(None)
}
