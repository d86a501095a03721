//! Walks that search for evidence: every formula that a walk can decide is looked for on the same
//! walks.

use super::lasso_target::{LassoTarget, VisitedStates};
use super::prefix_target::PrefixTarget;
use crate::policy::walks::{
    CHANCE_STEPS, CHANCE_WALKS, COMPARED, GUIDED_STEPS, GUIDED_WALKS, LARGEST_TARGET, LONGEST_WALK,
    MOST_GUARDS,
};
use std::time::Duration;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{Climber, Goal, Guide, Met, Watcher};
use symbolon_explicit::Trace;
use symbolon_logic::{Formula, FormulaId, Operator, Paths};
use symbolon_model::{Atom, Comparison, Event, Expr, Model, Part, Predicate, VariableId};

/// A formula to be decided by walks.
pub(super) struct WalkTarget {
    /// The leaf that it belongs to; it is returned unchanged with each decision.
    pub(super) owner: (usize, usize),
    /// What the beginning of a path may decide.
    pub(super) prefix: Option<PrefixTarget>,
    /// What a whole path may decide.
    pub(super) whole_path: Option<LassoTarget>,
}

impl WalkTarget {
    /// A quantified formula, if walks may decide it.
    pub(super) fn new(owner: (usize, usize), formula: Formula<Atom>, paths: Paths) -> Option<WalkTarget> {
        let whole_path = LassoTarget::new(&formula, paths);
        let prefix = PrefixTarget::new(formula, paths);
        (prefix.is_some() || whole_path.is_some()).then_some(WalkTarget { owner, prefix, whole_path })
    }
}

/// What a walk decided.
pub(super) struct WalkDecision {
    pub(super) owner: (usize, usize),
    pub(super) value: bool,
    /// The walk that shows it; one that came back, or ended, is a whole path.
    pub(super) trace: Trace,
    pub(super) loop_start: Option<usize>,
    /// What the walk shows, where the beginning of a path is enough.
    pub(super) prefix: Option<PrefixTarget>,
}

/// Walks until all targets are decided, the time of the budget is over, or `rounds` rounds were
/// made. `on_decision` is called for each decision; `is_decided` says which targets other methods
/// decided.
pub(super) fn search_by_walks(
    model: &Model,
    targets: Vec<WalkTarget>,
    rounds: u32,
    seed: u64,
    budget: &Budget,
    on_decision: &mut dyn FnMut(WalkDecision),
    is_decided: &dyn Fn((usize, usize)) -> bool,
) -> Result<(), Interrupted> {
    let goals = targets.iter().map(|one| {
        let weights = one.prefix.as_ref().map(|prefix| {
            let (formula, id, value) = prefix.wanted();
            wanted_weights(model, formula, id, value)
        });
        Goal { weights: weights.unwrap_or_default(), best: 0, enough: None }
    });
    let Some(mut climber) = Climber::new(model, goals.collect(), seed) else { return Ok(()) };
    // Sums to be made large say little where values have names or are compared with each other.
    let wants_predicates = !model.values.is_empty() || model.events.iter().any(computes);
    let predicates: Vec<Option<Predicate>> = match wants_predicates {
        true => targets.iter().map(|target| wanted_of(model, target)).collect(),
        false => vec![None; targets.len()],
    };
    let open = targets.into_iter().map(Some).collect();
    let mut watcher = TargetWatcher { model, open, visited: VisitedStates::default(), on_decision };
    let mut steps = GUIDED_STEPS;
    for round in 0..rounds {
        watcher.drop_decided(is_decided);
        if watcher.has_enough() {
            return Ok(());
        }
        if climber.watched_walks(
            Guide::Chance,
            CHANCE_WALKS,
            steps.max(CHANCE_STEPS),
            budget,
            &mut watcher,
        )? {
            return Ok(());
        }
        let compared = COMPARED[round as usize % COMPARED.len()];
        for (goal, predicate) in predicates.iter().enumerate() {
            if watcher.open[goal].is_some()
                && let Some(target) = predicate
            {
                let guide = Guide::Towards { target, compared };
                if climber.watched_walks(guide, GUIDED_WALKS, steps, budget, &mut watcher)? {
                    return Ok(());
                }
            }
            if watcher.open[goal].is_none() || climber.goals[goal].weights.is_empty() {
                continue;
            }
            let guide = Guide::Potential { goal, compared };
            if climber.watched_walks(guide, GUIDED_WALKS, steps, budget, &mut watcher)? {
                return Ok(());
            }
        }
        if round as usize >= COMPARED.len() {
            steps = (steps + steps / 2).min(LONGEST_WALK);
        }
    }
    Ok(())
}

/// Whether an event computes with variables.
fn computes(event: &Event) -> bool {
    event.parts.iter().any(|part| matches!(part, Part::General { .. }))
}

/// What a walk should make true, as far as it is about one state.
fn wanted_of(model: &Model, target: &WalkTarget) -> Option<Predicate> {
    let (formula, id, value) = target.prefix.as_ref()?.wanted();
    wanted_predicate(model, formula, id, value)
}

/// A share of the time that is left, at most `longest`.
pub(super) fn share(budget: &Budget, share: u32, longest: Duration) -> Budget {
    budget.slice(share_of_time(budget, share, longest))
}

/// How long that is.
pub(super) fn share_of_time(budget: &Budget, share: u32, longest: Duration) -> Duration {
    budget.time_left().map_or(longest, |left| (left / share).min(longest))
}

struct TargetWatcher<'a> {
    model: &'a Model,
    open: Vec<Option<WalkTarget>>,
    visited: VisitedStates,
    on_decision: &'a mut dyn FnMut(WalkDecision),
}

impl TargetWatcher<'_> {
    fn drop_decided(&mut self, is_decided: &dyn Fn((usize, usize)) -> bool) {
        for slot in &mut self.open {
            if slot.as_ref().is_some_and(|one| is_decided(one.owner)) {
                *slot = None;
            }
        }
    }
}

impl Watcher for TargetWatcher<'_> {
    fn look(&mut self, met: &Met<'_>) {
        for slot in &mut self.open {
            let Some(WalkTarget { prefix: Some(prefix), .. }) = slot else { continue };
            if met.events.is_empty() {
                prefix.restart();
            }
            let Some(value) = prefix.follow(met, met.events.len()) else { continue };
            if let Some(WalkTarget { owner, prefix, .. }) = slot.take() {
                let initial = self.model.initial[met.initial].clone();
                let trace = Trace { initial, events: met.events.to_vec() };
                (self.on_decision)(WalkDecision { owner, value, trace, loop_start: None, prefix });
            }
        }
        if !self.open.iter().flatten().any(|one| one.whole_path.is_some()) {
            return;
        }
        let Some(lasso) = self.visited.step(self.model, met) else { return };
        for slot in &mut self.open {
            let Some(WalkTarget { owner, whole_path: Some(whole_path), .. }) = slot else { continue };
            if let Some(value) = whole_path.decided_by(self.model, &lasso) {
                let (trace, loop_start) = (lasso.trace.clone(), lasso.loop_start);
                let owner = *owner;
                (self.on_decision)(WalkDecision { owner, value, trace, loop_start, prefix: None });
                *slot = None;
            }
        }
    }

    fn has_enough(&self) -> bool {
        self.open.iter().all(Option::is_none)
    }
}

/// What makes a subformula have a value in one state; a hint for walks, from which what is not about
/// one state is left out. `None` if nothing is left, or it is too large to be looked at in each step.
fn wanted_predicate(
    model: &Model,
    formula: &Formula<Atom>,
    root: FormulaId,
    value: bool,
) -> Option<Predicate> {
    let mut known: Vec<Option<Predicate>> = Vec::with_capacity(formula.size());
    for (id, operator) in formula.subformulas() {
        let of = |id: &FormulaId| known[id.index()].clone();
        // Shared subformulas are copied, of which there may be very many.
        let both = |f: &FormulaId, g: &FormulaId| [of(f), of(g)].into_iter().flatten().collect::<Vec<_>>();
        let predicate = match operator {
            Operator::True => Some(Predicate::True),
            Operator::False => Some(Predicate::False),
            Operator::Atom(Atom::Holds(predicate)) => Some(predicate.clone()),
            Operator::Atom(Atom::Fireable(events)) if events.len() <= MOST_GUARDS => {
                Some(Predicate::Or(events.iter().map(|&event| guard_of(model.event(event))).collect()))
            }
            Operator::Not(f) => of(f).map(|f| Predicate::Not(Box::new(f))),
            Operator::And(f, g) => Some(both(f, g)).filter(|both| !both.is_empty()).map(Predicate::And),
            Operator::Or(f, g) => Some(both(f, g)).filter(|both| both.len() == 2).map(Predicate::Or),
            Operator::Implies(f, g) => match (of(f), of(g)) {
                (Some(f), Some(g)) => Some(Predicate::Or(vec![Predicate::Not(Box::new(f)), g])),
                _ => None,
            },
            _ => None,
        };
        let predicate = predicate.filter(|predicate| size_of(predicate) <= LARGEST_TARGET);
        if id == root {
            return match value {
                true => predicate,
                false => predicate.map(|predicate| Predicate::Not(Box::new(predicate))),
            };
        }
        known.push(predicate);
    }
    None
}

/// The condition under which an event happens.
fn guard_of(event: &Event) -> Predicate {
    let mut all = Vec::new();
    for part in &event.parts {
        match part {
            Part::Local { variable, at_least, at_most, .. } => {
                let compare = |comparison, value: u64| {
                    let value = Expr::Constant(i64::try_from(value).unwrap_or(i64::MAX));
                    Predicate::Compare(Expr::Variable(*variable), comparison, value)
                };
                if *at_least > 0 {
                    all.push(compare(Comparison::GreaterOrEqual, *at_least));
                }
                if *at_most < i64::MAX as u64 {
                    all.push(compare(Comparison::LessOrEqual, *at_most));
                }
            }
            Part::General { guard, .. } => all.push((**guard).clone()),
            Part::Choice(_) | Part::Reaction(_) => {}
        }
    }
    Predicate::And(all)
}

/// The number of connectives and comparisons of a predicate.
fn size_of(predicate: &Predicate) -> usize {
    match predicate {
        Predicate::True | Predicate::False | Predicate::Compare(..) => 1,
        Predicate::Not(inner) => 1 + size_of(inner),
        Predicate::And(parts) | Predicate::Or(parts) => 1 + parts.iter().map(size_of).sum::<usize>(),
    }
}

/// Variables that should become large so that a subformula gets a value: those that comparisons
/// want to be large, and those that events need. It is a hint for walks; a variable that should
/// become small gives none.
fn wanted_weights(
    model: &Model,
    formula: &Formula<Atom>,
    id: FormulaId,
    value: bool,
) -> Vec<(VariableId, u64)> {
    let mut weights = Vec::new();
    let mut open = vec![(id, value)];
    let mut looked_at = 0;
    while let Some((id, value)) = open.pop() {
        // Shared subformulas are looked at once for each way to them, of which there may be very
        // many.
        looked_at += 1;
        if looked_at > 4 * formula.size() {
            break;
        }
        match formula.operator(id) {
            Operator::Atom(atom) => want_atom(model, atom, value, &mut weights),
            Operator::Not(f) => open.push((*f, !value)),
            Operator::Implies(f, g) => open.extend([(*f, !value), (*g, value)]),
            operator => open.extend(operator.operands().map(|operand| (operand, value))),
        }
    }
    weights.sort_unstable();
    weights.dedup_by(|later, earlier| {
        let is_same = later.0 == earlier.0;
        if is_same {
            earlier.1 = earlier.1.max(later.1);
        }
        is_same
    });
    weights
}

fn want_atom(model: &Model, atom: &Atom, value: bool, weights: &mut Vec<(VariableId, u64)>) {
    match atom {
        Atom::Holds(predicate) => want_predicate(predicate, value, weights),
        Atom::Fireable(events) if value => {
            for &event in events {
                for part in &model.event(event).parts {
                    if let Part::Local { variable, at_least: 1.., .. } = part {
                        weights.push((*variable, 1));
                    }
                }
            }
        }
        Atom::Fireable(_) => {}
    }
}

fn want_predicate(predicate: &Predicate, value: bool, weights: &mut Vec<(VariableId, u64)>) {
    match predicate {
        Predicate::True | Predicate::False => {}
        Predicate::Not(inner) => want_predicate(inner, !value, weights),
        Predicate::And(parts) | Predicate::Or(parts) => {
            parts.iter().for_each(|part| want_predicate(part, value, weights));
        }
        Predicate::Compare(left, comparison, right) => {
            let large = match (comparison, value) {
                (Comparison::Less | Comparison::LessOrEqual, true)
                | (Comparison::Greater | Comparison::GreaterOrEqual, false) => right,
                _ => left,
            };
            want_expression(large, weights);
        }
    }
}

fn want_expression(expression: &Expr, weights: &mut Vec<(VariableId, u64)>) {
    match expression {
        Expr::Constant(_) => {}
        Expr::Variable(variable) => weights.push((*variable, 1)),
        Expr::Sum(operands) => operands.iter().for_each(|operand| want_expression(operand, weights)),
        Expr::Product(a, b) => match (&**a, &**b) {
            (Expr::Constant(factor), Expr::Variable(variable))
            | (Expr::Variable(variable), Expr::Constant(factor)) => {
                if let Ok(weight @ 1..) = u64::try_from(*factor) {
                    weights.push((*variable, weight));
                }
            }
            _ => {}
        },
        // Nothing says in which direction these grow.
        Expr::Quotient(..) | Expr::And(_) | Expr::Or(_) | Expr::Xor(_) | Expr::Not(_) => {}
    }
}
