//! On-the-fly search for a path that satisfies a formula.
//!
//! The path formula becomes an automaton (`symbolon-automata`), and the product of model and
//! automaton is searched depth first while it is made. A cycle that carries every mark is a path
//! that satisfies the formula; the search ends at the first one, often long before all states were
//! seen. Nothing else in this crate knows automata: the tableau of `check.rs`, which tests compare
//! with this, does not.
//!
//! Dead states are treated as the path semantics asks: under `Stutter` and `Maximal` the product
//! stays there, under `Infinite` it does not go on. Under `Maximal`, `X f` in a formula whose
//! negations stand at its atoms means `!deadlock & X f`.

mod components;
mod product;

use crate::state_formula::{StateFormulas, has_quantifier};
use crate::{Lasso, Options, Reason, Stopped};
use product::Product;
use symbolon_automata::{Automaton, PathAutomaton, path_formula, translate};
use symbolon_budget::{Budget, Meter};
use symbolon_logic::{Formula, Operator, Paths, negation_normal_form};
use symbolon_model::{Atom, Model};

/// What a search for a path found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathFound {
    /// A path that satisfies the formula; `None` is a proof that there is none.
    pub lasso: Option<Lasso>,
    /// The number of states of the model that were seen.
    pub states: usize,
    /// The number of pairs of a state of the model and one of the automaton that were seen.
    pub pairs: usize,
}

/// Searches for a path from an initial state of `model` on which `formula` holds. To refute `A f`,
/// ask for `! f`.
///
/// The formula speaks about one path: a quantifier inside it is [`Reason::Unsupported`], and so is
/// a model that moves in synchronous steps.
pub fn find_path(
    model: &Model,
    formula: &Formula<Atom>,
    paths: Paths,
    options: &Options,
    budget: &Budget,
) -> Result<PathFound, Stopped> {
    if has_quantifier(formula) {
        return Err(Stopped { reason: Reason::Unsupported, states: 0 });
    }
    let mut formula = negation_normal_form(formula);
    if paths == Paths::Maximal {
        formula = without_next_at_the_end(&formula);
    }
    let path = path_formula(&formula, formula.root());
    let automaton =
        translate(&path.formula, budget).map_err(|why| Stopped { reason: why.into(), states: 0 })?;
    let propositions = StateFormulas::new(model, &formula, path.propositions);
    search(model, &automaton, propositions, paths, options, budget)
}

/// Searches for a path from an initial state of `model` that the automaton accepts.
///
/// An automaton reads infinite words, so `Maximal` is read as `Stutter`. A quantifier in a
/// proposition is [`Reason::Unsupported`], and so is a model that moves in synchronous steps.
pub fn find_accepted_path(
    model: &Model,
    automaton: &PathAutomaton<Atom>,
    paths: Paths,
    options: &Options,
    budget: &Budget,
) -> Result<PathFound, Stopped> {
    if has_quantifier(automaton.formula()) {
        return Err(Stopped { reason: Reason::Unsupported, states: 0 });
    }
    let propositions = StateFormulas::new(model, automaton.formula(), automaton.propositions().to_vec());
    search(model, automaton.automaton(), propositions, paths, options, budget)
}

/// Searches the product of a model and an automaton for a lasso that is accepted.
fn search(
    model: &Model,
    automaton: &Automaton,
    propositions: StateFormulas<'_>,
    paths: Paths,
    options: &Options,
    budget: &Budget,
) -> Result<PathFound, Stopped> {
    if model.is_synchronous() || model.initially.is_some() {
        return Err(Stopped { reason: Reason::Unsupported, states: 0 });
    }
    let mut product = Product::new(model, automaton, propositions, paths, options, budget);
    let mut meter = Meter::new(budget.clone());
    match components::find_lasso(&mut product, &mut meter) {
        Ok((lasso, pairs)) => Ok(PathFound { lasso, states: product.state_count(), pairs }),
        Err(reason) => Err(Stopped { reason, states: product.state_count() }),
    }
}

/// The formula, in negation normal form, that means on paths that stay in dead states what
/// `formula` means on paths that end there.
fn without_next_at_the_end(formula: &Formula<Atom>) -> Formula<Atom> {
    formula.rewrite(|builder, _, operator| {
        let is_next = matches!(operator, Operator::Next(_));
        let same = builder.add(operator);
        if !is_next {
            return same;
        }
        let deadlock = builder.add(Operator::Deadlock);
        let alive = builder.add(Operator::Not(deadlock));
        builder.add(Operator::And(alive, same))
    })
}
