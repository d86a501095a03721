//! Temporal logic on state sets: CTL, LTL and CTL*, with fairness, for every kind of diagram.
//!
//! A formula is evaluated to one set for each of its state subformulas, operands first. The
//! universe is the reachable set, so that a negation is a difference from it and nothing else is
//! ever complemented (E2). What stands below a quantifier is taken apart by laws of CTL* until one
//! of three things is left:
//!
//! ```text
//! E X f            the preimage of E f                                 any f
//! E (p U f)        what reaches E f inside p, by saturation             p about states, any f; also F, W, R
//! E G p            trimming and closures of lassos (`cycles.rs`)        p about states; G F p likewise
//! anything else    the product with an automaton (`product.rs`)
//! ```
//!
//! So CTL never meets an automaton, and most formulas of LTL do not either: the negation of
//! `G (p -> F q)` is `F (p & G !q)`, which is `EF (p & EG !q)` below `E`. Where only initial states
//! are asked about, searches run forwards from them where that is enough (`initially.rs`). Paths
//! that show why a formula holds or fails are in `witness.rs`.
//!
//! A *dead* state has no successor. Under `Maximal` and `Stutter` a path that comes to one stays
//! there, and counts as fair if that state satisfies all fairness constraints; under `Maximal`
//! nothing is next there. Under `Infinite` it is no path. Fairness and `Infinite` are one thing
//! here: they make some paths not count, and a state from which no path counts satisfies no `E f`.

mod accepted;
mod agents;
mod counter_strategy;
mod cycles;
mod doubt;
mod fair_counter_strategy;
mod fair_strategy;
mod initially;
mod lasso;
mod needs;
mod product;
mod quantifier;
mod strategy;
mod uniform;
mod witness;

pub use accepted::AcceptedPaths;
pub use needs::formula_needs;
pub use witness::{Branch, Ending, Explained, FairOutcomes, GroupStrategy, LeftOut, Link, Witness};

use crate::sets::core::StateSets;
use crate::sets::core::capabilities::Capability;
use crate::trace::Layers;
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_logic::{Formula, FormulaId, Operator, Paths, Sorts};
use symbolon_model::{Atom, Model, ObserverId};

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// The budget ran out.
    Interrupted(Interrupted),
    /// The formula has an operator that is not evaluated here.
    Unsupported(&'static str),
}

impl From<Interrupted> for Unanswered {
    fn from(why: Interrupted) -> Self {
        Unanswered::Interrupted(why)
    }
}

/// Formulas about one model whose reachable states are known.
pub struct TemporalChecker<'a, S: StateSets> {
    sets: &'a mut S,
    model: &'a Model,
    reached: S::Set,
    initial: S::Set,
    /// The dead states, once they were asked for.
    dead: Option<S::Set>,
    /// The hull of the reachable states, once it was asked for.
    hull: Option<S::Set>,
    fairness: Vec<S::Set>,
    /// Reachable states that do not count, because no fair path begins there: where a path comes to
    /// one, it is not fair.
    forgotten: Option<S::Set>,
    /// Agents who must do the same in states that look the same to them, if strategies are to be
    /// uniform.
    uniform: Option<Vec<ObserverId>>,
    /// The states from which a path begins that counts, once they were asked for: with paths that
    /// stay in dead states, and without.
    fair: [Option<S::Set>; 2],
    /// Layers that a run was searched by.
    layers: Option<Layers<S::Set>>,
    /// The last formula that was asked about initial states, and those that satisfy it: a question
    /// for the reason asks again.
    answered: Option<(Formula<Atom>, Paths, S::Set)>,
}

impl<'a, S: StateSets> TemporalChecker<'a, S> {
    /// Ready for formulas about `model`, whose reachable states are `reached`.
    pub fn new(sets: &'a mut S, model: &'a Model, reached: &S::Set) -> Result<Self, Interrupted> {
        let initial = sets.initial()?;
        let reached = reached.clone();
        sets.restrict_to(&reached);
        Ok(TemporalChecker {
            sets,
            model,
            reached,
            initial,
            dead: None,
            hull: None,
            fairness: Vec::new(),
            forgotten: None,
            uniform: None,
            fair: [None, None],
            layers: None,
            answered: None,
        })
    }

    /// From now on, strategies are uniform: these agents do the same in states that look the same
    /// to them.
    pub fn demand_uniform(&mut self, agents: Vec<ObserverId>) {
        self.uniform = Some(agents);
        self.answered = None;
    }

    /// From now on, quantifiers range over the paths on which each of these holds again and again.
    /// The constraints themselves speak about states, and their own quantifiers range over all
    /// maximal paths.
    pub fn set_fairness(&mut self, constraints: &[Formula<Atom>]) -> Result<(), Unanswered> {
        self.fairness.clear();
        self.answered = None;
        self.fair = [None, None];
        let mut fairness = Vec::with_capacity(constraints.len());
        for constraint in constraints {
            fairness.push(self.satisfying(constraint, Paths::Maximal)?);
        }
        // What was learnt about paths without fairness does not hold any more.
        self.fair = [None, None];
        self.fairness = fairness;
        Ok(())
    }

    /// From now on only states from which a fair path begins count, as if there were no others:
    /// multi-agent systems are read so, where knowledge ranges over fair states.
    pub fn forget_unfair_states(&mut self, paths: Paths) -> Result<(), Interrupted> {
        let fair = self.fair_part(self.reached.clone(), paths)?;
        self.initial = self.sets.intersection(&self.initial, &fair)?;
        self.forgotten = Some(self.sets.difference(&self.reached, &fair)?);
        self.reached = fair;
        (self.dead, self.hull, self.fair) = (None, None, [None, None]);
        self.answered = None;
        let mut kept = Vec::with_capacity(self.fairness.len());
        for constraint in &self.fairness {
            kept.push(self.sets.intersection(constraint, &self.reached)?);
        }
        self.fairness = kept;
        Ok(())
    }

    /// Whether a path that counts begins in some state.
    pub fn has_fair_state(&self) -> bool {
        !self.sets.is_empty(&self.reached)
    }

    /// The state sets, for further questions.
    pub fn sets(&mut self) -> &mut S {
        self.sets
    }

    /// The reachable states that satisfy the formula. One that speaks about paths is read with `A`
    /// before it.
    pub fn satisfying(&mut self, formula: &Formula<Atom>, paths: Paths) -> Result<S::Set, Unanswered> {
        let mut question = Question::new(self, formula, paths)?;
        if question.sorts.is_path(formula.root()) {
            let refuted = question.exists(Signed { id: formula.root(), negated: true })?;
            return Ok(self.sets.difference(&self.reached, &refuted)?);
        }
        Ok(question.state(formula.root())?)
    }

    /// For each subformula that speaks about states, the reachable states that satisfy it, by
    /// number.
    pub fn satisfying_each(
        &mut self,
        formula: &Formula<Atom>,
        paths: Paths,
    ) -> Result<Vec<Option<S::Set>>, Unanswered> {
        let mut question = Question::new(self, formula, paths)?;
        question.keeps_all = true;
        for (id, _) in formula.subformulas() {
            if !question.sorts.is_path(id) {
                question.state(id)?;
            }
        }
        Ok(question.known)
    }

    /// The initial states that satisfy the formula. One that speaks about paths is read with `A`
    /// before it.
    pub fn satisfying_initially(
        &mut self,
        formula: &Formula<Atom>,
        paths: Paths,
    ) -> Result<S::Set, Unanswered> {
        if let Some((known, on, satisfied)) = &self.answered
            && (known, *on) == (formula, paths)
        {
            return Ok(satisfied.clone());
        }
        let initial = self.initial.clone();
        let mut question = Question::new(self, formula, paths)?;
        let satisfied = if question.sorts.is_path(formula.root()) {
            let refuted = question.exists_at(Signed { id: formula.root(), negated: true }, &initial)?;
            self.sets.difference(&initial, &refuted)?
        } else {
            question.state_at(formula.root(), &initial)?
        };
        self.answered = Some((formula.clone(), paths, satisfied.clone()));
        Ok(satisfied)
    }

    /// Whether the formula holds in every initial state.
    pub fn holds(&mut self, formula: &Formula<Atom>, paths: Paths) -> Result<bool, Unanswered> {
        Ok(self.satisfying_initially(formula, paths)? == self.initial)
    }

    /// The reachable states in which nothing can happen.
    fn dead(&mut self) -> Result<S::Set, Interrupted> {
        if self.dead.is_none() {
            self.dead = Some(self.sets.dead(&self.reached)?);
        }
        Ok(self.dead.clone().unwrap_or_else(|| self.sets.none()))
    }

    /// All combinations of values that occur in reachable states, or fewer.
    fn hull(&mut self) -> Result<S::Set, Interrupted> {
        if self.hull.is_none() {
            self.hull = Some(self.sets.hull(&self.reached)?);
        }
        Ok(self.hull.clone().unwrap_or_else(|| self.reached.clone()))
    }

    /// The states of `set` from which a path begins that counts.
    fn fair_part(&mut self, set: S::Set, paths: Paths) -> Result<S::Set, Interrupted> {
        if stutters(paths) && self.fairness.is_empty() {
            return Ok(set);
        }
        let place = usize::from(stutters(paths));
        if self.fair[place].is_none() {
            let all = self.reached.clone();
            self.fair[place] = Some(self.cycles(&all, &[], paths)?);
        }
        match &self.fair[place] {
            Some(fair) => self.sets.intersection(&set, fair),
            None => Ok(set),
        }
    }

    /// The states of `within` of which some next state on a path lies in `target`.
    fn before(&mut self, target: &S::Set, within: &S::Set, stays: bool) -> Result<S::Set, Interrupted> {
        let mut before = self.sets.preimage_of_any(target, within)?;
        if stays {
            let dead = self.dead()?;
            let dead = self.sets.intersection(&dead, within)?;
            let staying = self.sets.intersection(&dead, target)?;
            before = self.sets.union(&before, &staying)?;
        }
        self.sets.collect_if_due();
        Ok(before)
    }

    /// The states of `within` that satisfy an atom.
    fn atom(&mut self, atom: &Atom, within: &S::Set) -> Result<S::Set, Interrupted> {
        match atom {
            Atom::Holds(predicate) => self.sets.select(within, predicate),
            Atom::Fireable(events) => {
                let mut all = self.sets.none();
                for &event in events {
                    let one = self.sets.enabled(event, within)?;
                    all = self.sets.union(&all, &one)?;
                    self.sets.collect_if_due();
                }
                Ok(all)
            }
        }
    }
}

/// Whether a path that comes to a dead state stays there.
fn stutters(paths: Paths) -> bool {
    paths != Paths::Infinite
}

/// A subformula, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Signed {
    id: FormulaId,
    negated: bool,
}

/// One formula that is being evaluated.
struct Question<'q, 'a, S: StateSets> {
    checker: &'q mut TemporalChecker<'a, S>,
    formula: &'q Formula<Atom>,
    sorts: Sorts,
    paths: Paths,
    /// The sets of state subformulas, as far as they are known and still needed.
    known: Vec<Option<S::Set>>,
    /// Below the quantifier at hand: where some path satisfies a path formula.
    known_paths: FxHashMap<Signed, S::Set>,
    keeps_all: bool,
}

impl<'q, 'a, S: StateSets> Question<'q, 'a, S> {
    fn new(
        checker: &'q mut TemporalChecker<'a, S>,
        formula: &'q Formula<Atom>,
        paths: Paths,
    ) -> Result<Self, Unanswered> {
        agents::refuse_unknown(checker.model, formula)?;
        match needs::missing(checker.sets, formula) {
            Some(Capability::Forcing) => return Err(Unanswered::Unsupported("strategies of agents")),
            Some(_) => return Err(Unanswered::Unsupported("knowledge of agents")),
            None => {}
        }
        let has_strategy = || formula.subformulas().any(|(_, one)| matches!(one, Operator::CanForce(..)));
        if checker.uniform.is_some()
            && has_strategy()
            && checker.sets.count(&checker.reached)? > crate::policy::temporal::MOST_UNIFORM_STATES.into()
        {
            return Err(Unanswered::Unsupported(
                "a uniform strategy in a system with too many states to list",
            ));
        }
        let sorts = Sorts::of(formula);
        let known = std::iter::repeat_with(|| None).take(formula.size()).collect();
        let known_paths = FxHashMap::default();
        Ok(Question { checker, formula, sorts, paths, known, known_paths, keeps_all: false })
    }

    /// The reachable states that satisfy a state subformula. What it needs is evaluated operands
    /// first, and dropped after its last use.
    fn state(&mut self, id: FormulaId) -> Result<S::Set, Interrupted> {
        if let Some(known) = &self.known[id.index()] {
            return Ok(known.clone());
        }
        // Subformulas that are needed, and the last state formula in which each is used: parents
        // have larger numbers.
        let mut last_use: Vec<Option<usize>> = vec![None; id.index() + 1];
        last_use[id.index()] = Some(usize::MAX);
        let subformulas: Vec<(FormulaId, &Operator<Atom>)> =
            self.formula.subformulas().take(id.index() + 1).collect();
        for &(parent, operator) in subformulas.iter().rev() {
            let Some(used) = last_use[parent.index()] else { continue };
            let is_path = self.sorts.is_path(parent);
            if !is_path && self.known[parent.index()].is_some() {
                continue;
            }
            let used = if is_path { used } else { parent.index() };
            for operand in operator.operands() {
                let last = &mut last_use[operand.index()];
                *last = Some(last.map_or(used, |last| last.max(used)));
            }
        }
        let mut ending: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (number, last) in last_use.iter().enumerate() {
            if let Some(last) = last {
                ending.entry(*last).or_default().push(number);
            }
        }
        for (here, operator) in subformulas {
            let is_needed = last_use[here.index()].is_some() && self.known[here.index()].is_none();
            if is_needed && !self.sorts.is_path(here) {
                let set = self.evaluate(operator)?;
                self.known[here.index()] = Some(set);
                self.known_paths.clear();
                self.checker.sets.collect_if_due();
            }
            for &used_up in ending.get(&here.index()).into_iter().flatten() {
                if !self.keeps_all {
                    self.known[used_up] = None;
                }
            }
        }
        Ok(self.recall(id))
    }

    /// The set of a state subformula that was evaluated already.
    fn recall(&self, id: FormulaId) -> S::Set {
        self.known[id.index()].clone().expect("operands are evaluated first (F1)")
    }

    /// A state subformula whose operands are known.
    fn evaluate(&mut self, operator: &Operator<Atom>) -> Result<S::Set, Interrupted> {
        match *operator {
            Operator::True => Ok(self.checker.reached.clone()),
            Operator::False => Ok(self.checker.sets.none()),
            Operator::Deadlock => self.checker.dead(),
            Operator::Atom(ref atom) => {
                let all = self.checker.reached.clone();
                self.checker.atom(atom, &all)
            }
            Operator::Not(f) => self.complement(&self.recall(f)),
            Operator::And(f, g) => {
                let (f, g) = (self.recall(f), self.recall(g));
                self.checker.sets.intersection(&f, &g)
            }
            Operator::Or(f, g) => {
                let (f, g) = (self.recall(f), self.recall(g));
                self.checker.sets.union(&f, &g)
            }
            Operator::Implies(f, g) => {
                let (f, g) = (self.recall(f), self.recall(g));
                let refuted = self.checker.sets.difference(&f, &g)?;
                self.complement(&refuted)
            }
            Operator::Equivalent(f, g) => {
                let (f, g) = (self.recall(f), self.recall(g));
                let (first, second) =
                    (self.checker.sets.difference(&f, &g)?, self.checker.sets.difference(&g, &f)?);
                let refuted = self.checker.sets.union(&first, &second)?;
                self.complement(&refuted)
            }
            Operator::Exists(f) => self.exists(Signed { id: f, negated: false }),
            Operator::ForAll(f) => {
                let refuted = self.exists(Signed { id: f, negated: true })?;
                self.complement(&refuted)
            }
            Operator::Next(_)
            | Operator::Finally(_)
            | Operator::Globally(_)
            | Operator::Until(..)
            | Operator::WeakUntil(..)
            | Operator::Release(..) => unreachable!("path formulas are evaluated below quantifiers"),
            Operator::Knows(knowledge, ref who, f) => {
                let fact = self.recall(f);
                self.checker.knows(knowledge, who, &fact)
            }
            Operator::CanForce(ref group, path) => self.has_strategy(group, path),
        }
    }

    /// The reachable states outside a set of reachable states.
    fn complement(&mut self, set: &S::Set) -> Result<S::Set, Interrupted> {
        self.checker.sets.difference(&self.checker.reached, set)
    }

    /// Whether a subformula speaks about more than one state.
    fn has_quantifier(&self, id: FormulaId) -> bool {
        let mut is_part = vec![false; id.index() + 1];
        is_part[id.index()] = true;
        for (part, operator) in self.formula.subformulas().rev().skip(self.formula.size() - 1 - id.index()) {
            if !is_part[part.index()] {
                continue;
            }
            if matches!(
                operator,
                Operator::Exists(_) | Operator::ForAll(_) | Operator::Knows(..) | Operator::CanForce(..)
            ) {
                return true;
            }
            operator.operands().for_each(|operand| is_part[operand.index()] = true);
        }
        false
    }

    /// The reachable states that satisfy a state subformula, or its negation.
    fn signed_state(&mut self, f: Signed) -> Result<S::Set, Interrupted> {
        let set = self.state(f.id)?;
        if f.negated { self.complement(&set) } else { Ok(set) }
    }
}
