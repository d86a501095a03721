//! Properties given by automata: no run of the model is accepted.
//!
//! That is what model checkers do with the automaton of a negated formula, and what a never claim
//! means: the automaton describes the runs that must not happen. It needs no complement, so every
//! Büchi automaton is a property. [`violating_runs`] is the way back: the automaton of the runs
//! that violate a formula, which as a property has the verdict of the formula.

use crate::error::InputError;
use crate::property::Property;
use crate::stop::Stop;
use symbolon_automata::{NamedAutomaton, PathAutomaton};
use symbolon_budget::Budget;
use symbolon_logic::{Builder, Formula, NamedAtom, Operator, Paths};
use symbolon_model::Atom;

/// What is asked of an automaton, in the place where reports have a formula.
pub(crate) const NO_RUN_IS_ACCEPTED: &str = "no run is accepted";

/// The property that no run of a model is accepted by an automaton.
#[derive(Clone, Debug)]
pub struct AutomatonProperty {
    /// The file that the automaton was read from.
    pub(crate) file: String,
    /// The automaton; its propositions are about the variables and events of the model.
    pub(crate) automaton: PathAutomaton<Atom>,
    /// What runs are.
    pub(crate) paths: Paths,
}

impl AutomatonProperty {
    /// The file that the automaton was read from.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// What runs are: those that stay in dead states, or infinite ones only.
    pub fn paths(&self) -> Paths {
        self.paths
    }
}

/// The automaton that accepts the runs which violate a formula, as HOA text. Its propositions are
/// named by the parts of the formula that are about single states.
pub(crate) fn violating_runs(property: &Property, budget: &Budget) -> Result<String, Stop> {
    let refused = |why: &str, hint: &str| {
        let message = format!("'{}' has no automaton: {why}", property.text());
        InputError::plain(message).with_hint(hint)
    };
    let Some(named) = &property.named else {
        return Err(refused("it was not written as a formula", "give the formula as text").into());
    };
    let Some(path) = linear_part(named) else {
        let why = "only a formula about all paths, without further quantifiers, has one";
        return Err(refused(why, "write a formula of LTL, such as G F p or A G F p").into());
    };
    let has_next = named.subformulas().any(|(_, operator)| matches!(operator, Operator::Next(_)));
    if property.paths == Paths::Maximal && has_next {
        let why = "automata read infinite runs, and on finite ones X is not true";
        return Err(refused(why, "use option ‹paths stutter› or option ‹paths infinite›").into());
    }
    let mut builder = Builder::default();
    let path = builder.add_formula(&path);
    let violated = builder.add(Operator::Not(path));
    let name = |proposition: &Formula<NamedAtom>| proposition.to_string();
    Ok(NamedAutomaton::of_formula(&builder.finish(violated), name, budget)?.to_hoa())
}

/// The path formula below the quantifier `A`, if `A` is the only quantifier of the formula.
fn linear_part(formula: &Formula<NamedAtom>) -> Option<Formula<NamedAtom>> {
    let Operator::ForAll(path) = *formula.operator(formula.root()) else { return None };
    let path = formula.subformula(path);
    let is_quantifier = |operator: &Operator<NamedAtom>| {
        matches!(
            operator,
            Operator::Exists(_) | Operator::ForAll(_) | Operator::Knows(..) | Operator::CanForce(..)
        )
    };
    let is_linear = !path.subformulas().any(|(_, operator)| is_quantifier(operator));
    is_linear.then_some(path)
}
