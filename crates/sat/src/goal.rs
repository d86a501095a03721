//! What is looked for: states without successors, or states that satisfy a predicate.

use crate::circuit::Circuit;
use crate::error::Error;
use crate::unrolling::Unrolling;
use crate::{Clauses, Literal};
use symbolon_model::{Model, Predicate};

/// Which states are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// States in which no event is enabled.
    Deadlock,
    /// States in which this holds.
    Holds(Predicate),
}

impl Goal {
    /// Whether `state` is looked for.
    pub fn contains(&self, model: &Model, state: &[u64]) -> bool {
        match self {
            Goal::Deadlock => !model.events.iter().any(|event| event.is_enabled(state)),
            Goal::Holds(predicate) => predicate.holds(state) == Some(true),
        }
    }

    /// Demands that where `condition` is true, the last state of the run is looked for.
    pub(crate) fn demand<C: Clauses>(
        &self,
        run: &mut Unrolling<'_, C>,
        condition: Literal,
    ) -> Result<(), Error> {
        match self {
            Goal::Deadlock => {
                run.demand_events()?;
                for event in 0..run.actions.conditions.len() {
                    let mut clause = run.requirements(event)?;
                    clause.iter_mut().for_each(|literal| *literal = !*literal);
                    clause.push(!condition);
                    run.circuit.clause(&clause);
                }
                Ok(())
            }
            Goal::Holds(predicate) => demand_holds(run, predicate, condition),
        }
    }

    /// Demands that the last state of the run is not looked for.
    pub(crate) fn forbid<C: Clauses>(&self, run: &mut Unrolling<'_, C>) -> Result<(), Error> {
        match self {
            Goal::Deadlock => {
                run.demand_events()?;
                let mut enabled = Vec::with_capacity(run.actions.conditions.len());
                for event in 0..run.actions.conditions.len() {
                    let requirements = run.requirements(event)?;
                    enabled.push(one_way(&mut run.circuit, &requirements));
                }
                run.circuit.clause(&enabled);
            }
            Goal::Holds(predicate) => {
                let holds =
                    run.circuit.holds(&run.state, predicate).map_err(|_| Error::UnsupportedPredicate)?;
                run.circuit.clause(&[!holds]);
            }
        }
        Ok(())
    }
}

/// A literal that is true only where all of these are.
fn one_way<C: Clauses>(circuit: &mut Circuit<C>, literals: &[Literal]) -> Literal {
    match literals {
        [] => Literal::TRUE,
        [one] => *one,
        _ if literals.contains(&Literal::FALSE) => Literal::FALSE,
        _ => {
            let answer = circuit.fresh();
            literals.iter().for_each(|&literal| circuit.imply(answer, literal));
            answer
        }
    }
}

fn demand_holds<C: Clauses>(
    run: &mut Unrolling<'_, C>,
    predicate: &Predicate,
    condition: Literal,
) -> Result<(), Error> {
    // A conjunction holds where each part has a value and holds, so each can be demanded alone.
    if let Predicate::And(parts) = predicate {
        return parts.iter().try_for_each(|part| demand_holds(run, part, condition));
    }
    let holds = run.circuit.holds(&run.state, predicate).map_err(|_| Error::UnsupportedPredicate)?;
    run.circuit.imply(condition, holds);
    Ok(())
}
