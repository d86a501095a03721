//! What formulas need of state sets beyond the core, and the one way to it.

use crate::sets::core::StateSets;
use crate::sets::core::capabilities::Capability;
use symbolon_budget::Interrupted;
use symbolon_logic::{Formula, Knowledge, Operator};
use symbolon_model::{Atom, VariableId};

/// The capabilities that state sets must have to answer a formula. A kind of diagram can be asked
/// for them before it explores ([`crate::DiagramSetup::check`]).
pub fn formula_needs(formula: &Formula<Atom>) -> Vec<Capability> {
    let mut needs = Vec::new();
    for (_, operator) in formula.subformulas() {
        let need = match operator {
            Operator::Knows(Knowledge::Correct, ..) => continue,
            Operator::Knows(..) => Capability::Observation,
            Operator::CanForce(..) => Capability::Forcing,
            _ => continue,
        };
        if !needs.contains(&need) {
            needs.push(need);
        }
    }
    needs
}

/// The first capability that a formula needs and the state sets lack.
pub(super) fn missing<S: StateSets>(sets: &mut S, formula: &Formula<Atom>) -> Option<Capability> {
    formula_needs(formula).into_iter().find(|need| match need {
        Capability::Observation => sets.observation().is_none(),
        Capability::Forcing => sets.forcing().is_none(),
        Capability::Saturation | Capability::Distances | Capability::Outlines | Capability::WeightedCount => {
            false
        }
    })
}

/// Why a capability is there when a formula is evaluated.
const CHECKED: &str = "formulas that need what state sets lack are refused before";

/// The states of `within` that agree with some state of `set` on `variables`.
pub(super) fn same_observation<S: StateSets>(
    sets: &mut S,
    set: &S::Set,
    variables: &[VariableId],
    within: &S::Set,
) -> Result<S::Set, Interrupted> {
    sets.observation().expect(CHECKED).same_observation(set, variables, within)
}

/// The states of `within` in which the owners of the actions `group` can force `target` in one
/// step.
pub(super) fn can_force<S: StateSets>(
    sets: &mut S,
    group: &[VariableId],
    target: &S::Set,
    within: &S::Set,
) -> Result<S::Set, Interrupted> {
    sets.forcing().expect(CHECKED).can_force(group, target, within)
}
