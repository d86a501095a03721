//! Evidence for verdicts: paths with what they branch into.
//!
//! A formula that holds because some path exists, or fails because some path exists, has a path as
//! its witness. Where the formula says that something else exists at a state of that path, a branch
//! begins there; so witnesses are trees. What holds on all paths has no witness, and where it
//! stands inside, nothing branches off. That an agent does not know something is shown by a run to
//! another state (`doubt.rs`), that a group can force something by what it does (`strategy.rs`), and
//! that it cannot by what the others answer (`counter_strategy.rs`).
//!
//! A path to a state is shortest where breadth-first layers were affordable, and says so: then no
//! path from any initial state that could show the verdict has fewer steps. A verdict that can be
//! shown in several ways, by one of two subformulas or by a path that stays where another one leads
//! somewhere, is not searched for the shortest way. Lassos are not shortest: the way to the loop
//! is, to the set of states that lie on loops, and the loop goes through one of them.

use super::quantifier::View;
use super::{Question, Signed, TemporalChecker, Unanswered};
use crate::policy::temporal::BRANCHES;
use crate::sets::core::StateSets;
use crate::temporal::lasso::Walk;
use crate::temporal::product::{Graph, Translated};
use crate::trace::{Starts, first_event, path_to, successor_in};
use symbolon_budget::Interrupted;
use symbolon_logic::{Formula, FormulaId, Operator, Paths};
use symbolon_model::{Atom, EventId, ObserverId, State, VariableId};

/// A path that shows why a formula holds or fails, and what branches off it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The quantified subformula that it is evidence for, or against. For a formula about paths,
    /// that formula; where several paths begin at one state without a quantifier, what they show
    /// together.
    pub formula: FormulaId,
    /// The states on the path: one more than events.
    pub states: Vec<State>,
    /// The events between them.
    pub events: Vec<EventId>,
    /// How the path goes on.
    pub ending: Ending,
    /// Whether no shorter path shows the same.
    pub is_shortest: bool,
    /// What a group does from the first state on, where that is the evidence.
    pub strategy: Option<GroupStrategy>,
    /// What else exists at states of the path.
    pub branches: Vec<Branch>,
}

/// What a group does, state by state, wherever it may come and something is left to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupStrategy {
    /// Who belongs to the group.
    pub members: Vec<ObserverId>,
    /// What its members decide.
    pub actions: Vec<VariableId>,
    /// States, in the order in which they are come to, and a value for each of these action
    /// variables.
    pub choices: Vec<(State, Box<[u64]>)>,
    /// States that are come to and in which nothing is left to do.
    pub ends: Vec<State>,
    /// Of a counter-strategy, the action variables of the group that cannot force the formula: the
    /// members answer what it does. Then the states of `choices` have, behind the variables of the
    /// model, a value for each action variable; under fairness constraints there follow what the
    /// members remember: the number of the constraint that is to be met next, and 1 if the formula is
    /// violated already, otherwise 0.
    pub against: Vec<VariableId>,
    /// Under fairness constraints, what belongs to it.
    pub fair: Option<FairOutcomes>,
}

/// What belongs to a strategy under fairness constraints: it wins on the paths that meet each of them
/// again and again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FairOutcomes {
    /// States that are come to, and which of the constraints each meets.
    pub meets: Vec<(State, Box<[bool]>)>,
    /// States that are come to in which the path formula is violated. Of a strategy, no path from there
    /// is fair; of a counter-strategy, some is.
    pub violated: Vec<State>,
    /// States that a strategy leads to and from which no fair path begins, whatever anybody does.
    pub unfair: Vec<State>,
}

/// How a path goes on after its last state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// That does not matter.
    Open,
    /// Not at all: nothing can happen in the last state.
    Dead,
    /// From the state after this many events, which is the last state, too: what happened from
    /// there on happens for ever.
    Loop(usize),
}

/// A witness that says more about a state of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The number of events of the path before it.
    pub position: usize,
    /// How it is tied to that state.
    pub link: Link,
    /// The evidence.
    pub witness: Witness,
}

/// How a witness is tied to the state that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// It begins there.
    Path,
    /// It begins in an initial state, and all of these see the same at its end as there.
    Alike(Vec<ObserverId>),
    /// It begins in an initial state, and at its end this one behaves as it should.
    Correct(ObserverId),
}

/// A witness, and how it is tied to the state that it is about.
pub(super) struct Reason {
    pub(super) link: Link,
    pub(super) witness: Witness,
}

impl Reason {
    /// A path that begins at the state.
    pub(super) fn path(witness: Witness) -> Reason {
        Reason { link: Link::Path, witness }
    }

    /// A branch after some events of a path.
    pub(super) fn at(self, position: usize) -> Branch {
        Branch { position, link: self.link, witness: self.witness }
    }
}

/// A verdict with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// Whether the formula holds in every initial state.
    pub holds: bool,
    /// Why, where a path shows it: in an initial state in which the formula fails, or in the first
    /// one if it holds in all.
    pub witness: Option<Witness>,
    /// Why a strategy that exists is not shown, if one was left out.
    pub left_out: Option<LeftOut>,
}

/// Why a strategy is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// It leads to more states, or there is more to choose from, than anybody would look at.
    TooLarge,
    /// The group would win if its members saw the whole state, so what beats one uniform strategy need not
    /// beat the next one.
    Uniform,
}

impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            LeftOut::TooLarge => "its strategy is too large to be shown",
            LeftOut::Uniform => {
                "a counter-strategy is not shown: agents who saw the whole state would win, so there is no \
                 single one against all uniform strategies"
            }
        })
    }
}

impl<S: StateSets> TemporalChecker<'_, S> {
    /// The verdict about a formula, with a witness if there is one. Each search for a shortest path
    /// may take `layer_steps` steps; then a longer path is looked for, or none.
    pub fn explain(
        &mut self,
        formula: &Formula<Atom>,
        paths: Paths,
        layer_steps: u64,
    ) -> Result<Explained, Unanswered> {
        let satisfied = self.satisfying_initially(formula, paths)?;
        let refuted = self.sets.difference(&self.initial, &satisfied)?;
        let holds = self.sets.is_empty(&refuted);
        let begins = if holds { satisfied } else { refuted };
        let listed = self.model.initial.iter().find(|state| self.sets.contains(&begins, state));
        let state = match listed {
            Some(state) => Some(state.clone()),
            // The initial states may be described instead.
            None => self.sets.choose(&begins),
        };
        let Some(state) = state else { return Ok(Explained { holds, witness: None, left_out: None }) };
        let is_single = self.sets.singleton(&state)? == begins;
        let root = Signed { id: formula.root(), negated: !holds };
        let question = Question::new(self, formula, paths)?;
        let begins = (!is_single).then_some(begins);
        let mut explanation =
            Explanation { question, layer_steps, left_out: None, begins, is_from_any: false };
        let mut reasons = if explanation.question.is_state(root) {
            explanation.reasons(root, &state)?
        } else if holds {
            Vec::new()
        } else {
            explanation.path_reason(root, &state)?.map(Reason::path).into_iter().collect()
        };
        let witness = match (reasons.pop(), reasons.is_empty()) {
            (None, _) => None,
            (Some(Reason { link: Link::Path, witness }), true) => Some(witness),
            (Some(last), _) => {
                reasons.push(last);
                let branches = reasons.into_iter().map(|reason| reason.at(0)).collect();
                Some(Witness { branches, ..Witness::of(root.id, state) })
            }
        };
        let left_out = explanation.left_out;
        // A path from one of several initial states, where others were not compared.
        let is_compared = is_single || explanation.is_from_any;
        let witness = witness.map(|witness| Witness {
            is_shortest: witness.events.is_empty() || witness.is_shortest && is_compared,
            ..witness
        });
        Ok(Explained { holds, witness, left_out })
    }
}

impl Witness {
    /// A state alone.
    pub(super) fn of(formula: FormulaId, state: State) -> Witness {
        Witness {
            formula,
            states: vec![state],
            events: Vec::new(),
            ending: Ending::Open,
            is_shortest: true,
            strategy: None,
            branches: Vec::new(),
        }
    }

    /// The same without the claim that nothing shorter shows it, unless it has no steps.
    fn not_shortest(self) -> Witness {
        Witness { is_shortest: self.events.is_empty(), ..self }
    }

    pub(super) fn last(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    /// The path, and from its last state on another.
    fn followed_by(mut self, other: Witness) -> Witness {
        let shift = self.events.len();
        self.is_shortest &= other.events.is_empty();
        self.events.extend(other.events);
        self.states.extend(other.states.into_iter().skip(1));
        self.ending = match other.ending {
            Ending::Loop(start) => Ending::Loop(start + shift),
            ending => ending,
        };
        self.branches.extend(
            other.branches.into_iter().map(|branch| Branch { position: branch.position + shift, ..branch }),
        );
        self
    }
}

pub(super) struct Explanation<'q, 'a, S: StateSets> {
    pub(super) question: Question<'q, 'a, S>,
    pub(super) layer_steps: u64,
    /// Why a strategy was left out.
    pub(super) left_out: Option<LeftOut>,
    /// If several initial states show the verdict, all of them: the first path may begin in any, as
    /// long as nothing else was said about the state it begins in.
    begins: Option<S::Set>,
    /// Whether the first path was searched from all of them.
    is_from_any: bool,
}

impl<S: StateSets> Explanation<'_, '_, S> {
    /// What together shows why a signed state subformula holds in a state, one piece for each
    /// quantified formula.
    fn reasons(&mut self, f: Signed, state: &State) -> Result<Vec<Reason>, Interrupted> {
        let Signed { id, negated } = f;
        let signed = |id, negated| Signed { id, negated };
        if !matches!(
            self.question.formula.operator(id),
            Operator::Not(_) | Operator::Exists(_) | Operator::ForAll(_)
        ) {
            self.begins = None;
        }
        let both = |explanation: &mut Self, f, g| {
            let mut all = explanation.reasons(f, state)?;
            all.extend(explanation.reasons(g, state)?);
            Ok(all)
        };
        match *self.question.formula.operator(id) {
            Operator::Not(f) => self.reasons(signed(f, !negated), state),
            Operator::And(f, g) if !negated => both(self, signed(f, false), signed(g, false)),
            Operator::Or(f, g) if negated => both(self, signed(f, true), signed(g, true)),
            Operator::Implies(f, g) if negated => both(self, signed(f, false), signed(g, true)),
            Operator::And(f, g) => self.one_of(signed(f, true), signed(g, true), state),
            Operator::Or(f, g) => self.one_of(signed(f, false), signed(g, false), state),
            Operator::Implies(f, g) => self.one_of(signed(f, true), signed(g, false), state),
            Operator::Equivalent(f, g) => {
                let f_holds = self.holds(signed(f, false), state)?;
                both(self, signed(f, !f_holds), signed(g, f_holds == negated))
            }
            Operator::Exists(path) if !negated => {
                let reason = self.path_reason(signed(path, false), state)?;
                let reason = reason.map(|witness| Reason::path(Witness { formula: id, ..witness }));
                Ok(reason.into_iter().collect())
            }
            Operator::ForAll(path) if negated => {
                let reason = self.path_reason(signed(path, true), state)?;
                let reason = reason.map(|witness| Reason::path(Witness { formula: id, ..witness }));
                Ok(reason.into_iter().collect())
            }
            Operator::Knows(knowledge, ref who, f) if negated => {
                let who = who.clone();
                Ok(self.doubt((id, f), knowledge, &who, state)?.into_iter().collect())
            }
            Operator::CanForce(ref group, path) if !negated => {
                let group = group.clone();
                let found = self.strategy(id, &group, path, state)?;
                Ok(found.map(Reason::path).into_iter().collect())
            }
            Operator::CanForce(ref group, path) => {
                let group = group.clone();
                let found = self.counter_strategy(id, &group, path, state)?;
                Ok(found.map(Reason::path).into_iter().collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Why one of two state subformulas holds.
    fn one_of(&mut self, f: Signed, g: Signed, state: &State) -> Result<Vec<Reason>, Interrupted> {
        if !self.holds(f, state)? {
            return self.reasons(g, state);
        }
        let mut reasons = self.reasons(f, state)?;
        let has_steps = reasons.iter().any(|reason| !reason.witness.events.is_empty());
        if has_steps && self.holds(g, state)? {
            // The other one may be shown by a shorter path.
            for Reason { witness, .. } in &mut reasons {
                witness.is_shortest = witness.events.is_empty();
            }
        }
        Ok(reasons)
    }

    /// Whether a signed state subformula holds in a state.
    fn holds(&mut self, f: Signed, state: &State) -> Result<bool, Interrupted> {
        let here = self.question.checker.sets.singleton(state)?;
        let found = self.question.state_at(f.id, &here)?;
        Ok(self.question.checker.sets.is_empty(&found) == f.negated)
    }

    /// Whether some path from a state satisfies a signed subformula.
    fn exists(&mut self, path: Signed, state: &State) -> Result<bool, Interrupted> {
        let here = self.question.checker.sets.singleton(state)?;
        let found = self.question.exists_at(path, &here)?;
        Ok(!self.question.checker.sets.is_empty(&found))
    }

    /// A path from `state` that satisfies a signed subformula, which some path does; `None` if the
    /// search was too long.
    fn path_reason(&mut self, path: Signed, state: &State) -> Result<Option<Witness>, Interrupted> {
        let view = self.question.view(path);
        if !matches!(
            view,
            View::And(..)
                | View::Finally(_)
                | View::Until(..)
                | View::UntilBoth(..)
                | View::WeakUntil(..)
                | View::Release(..)
        ) {
            self.begins = None;
        }
        match view {
            View::State => {
                let mut witness = Witness::of(path.id, state.clone());
                self.branch(&mut witness, path, 0..1)?;
                Ok(Some(witness))
            }
            View::Or(f, g) => {
                if !self.exists(f, state)? {
                    return self.path_reason(g, state);
                }
                // A path that satisfies the other one may be shorter.
                let found = self.path_reason(f, state)?.map(Witness::not_shortest);
                Ok(found)
            }
            View::And(p, f) | View::And(f, p) if self.question.is_state(p) => {
                let Some(mut witness) = self.path_reason(f, state)? else { return Ok(None) };
                self.branch(&mut witness, p, 0..1)?;
                Ok(Some(witness))
            }
            View::Equivalent(p, f) | View::Equivalent(f, p) if self.question.is_state(p) => {
                let p_holds = self.holds(p, state)?;
                let f = if p_holds { f } else { f.not() };
                self.path_reason(f, state)
            }
            View::Next(f) => self.next(f, state),
            View::Finally(f) => self.reach(f, None, false, state),
            View::Until(p, f) if self.question.is_state(p) => self.reach(f, Some(p), false, state),
            View::UntilBoth(f, p) if self.question.is_state(p) => self.reach(f, Some(p), true, state),
            View::WeakUntil(p, f) if self.question.is_state(p) => {
                // A path that stays and ends may be shorter.
                match self.reach(f, Some(p), false, state)? {
                    Some(witness) => Ok(Some(witness.not_shortest())),
                    None => self.stay(&[p], state),
                }
            }
            View::Release(f, p) if self.question.is_state(p) => match self.reach(f, Some(p), true, state)? {
                Some(witness) => Ok(Some(witness.not_shortest())),
                None => self.stay(&[p], state),
            },
            View::Globally(p) if self.question.is_state(p) => self.stay(&[p], state),
            View::And(f, g) => match (self.question.view(f), self.question.view(g)) {
                (View::Globally(p), View::Globally(q))
                    if self.question.is_state(p) && self.question.is_state(q) =>
                {
                    self.stay(&[p, q], state)
                }
                _ => self.accept(path, state),
            },
            _ => self.accept(path, state),
        }
    }

    /// A step, and a path after it.
    fn next(&mut self, f: Signed, state: &State) -> Result<Option<Witness>, Interrupted> {
        let target = self.question.exists(f)?;
        let checker = &mut *self.question.checker;
        let model = checker.model;
        let step = first_event(model, |event| successor_in(checker.sets, model, event, state, &target))?;
        let Some((event, next)) = step else {
            // The state is dead, and its own next state.
            let mut rest = self.path_reason(f, state)?;
            if let Some(witness) = &mut rest {
                witness.ending = Ending::Dead;
            }
            return Ok(rest);
        };
        let first = Witness {
            states: vec![state.clone(), next.clone()],
            events: vec![event],
            ..Witness::of(f.id, state.clone())
        };
        Ok(self.path_reason(f, &next)?.map(|rest| first.followed_by(rest)))
    }

    /// A path to a state from which a path satisfies `f`, through states that satisfy `p` if that
    /// is given, and on along that path. With `and_there` the last state satisfies `p` as well.
    /// `None` if there is none.
    fn reach(
        &mut self,
        f: Signed,
        p: Option<Signed>,
        and_there: bool,
        state: &State,
    ) -> Result<Option<Witness>, Interrupted> {
        let mut target = self.question.exists(f)?;
        let within = match p {
            // By the layers that may have been searched for the verdict.
            _ if self.question.checker.model.is_synchronous() => self.question.searched(p)?,
            Some(p) => self.question.signed_state(p)?,
            None => self.question.checker.reached.clone(),
        };
        let checker = &mut *self.question.checker;
        if and_there {
            target = checker.sets.intersection(&target, &within)?;
        }
        if checker.sets.is_empty(&target) {
            return Ok(None);
        }
        let TemporalChecker { sets, model, layers, .. } = checker;
        let mut from = std::slice::from_ref(state).to_vec();
        let mut starts = Starts::Listed(&from);
        if let Some(begins) = self.begins.take() {
            self.is_from_any = true;
            from = model.initial.iter().filter(|state| sets.contains(&begins, state)).cloned().collect();
            starts = if model.initially.is_some() { Starts::Within(begins) } else { Starts::Listed(&from) };
        } else if !sets.contains(&target, state) && !sets.contains(&within, state) {
            return Ok(None);
        }
        let found = path_to(*sets, model, &starts, &within, &target, self.layer_steps, layers)?;
        let Some(found) = found else { return Ok(None) };
        let mut witness =
            Witness { is_shortest: found.is_shortest, ..Witness::of(f.id, found.initial.clone()) };
        for (number, &event) in found.events.iter().enumerate() {
            let next = found.state_after(checker.model, number, witness.last());
            let Some(next) = next else { return Ok(None) };
            witness.events.push(event);
            witness.states.push(next);
        }
        let last = witness.events.len();
        if let Some(p) = p {
            self.branch(&mut witness, p, 0..last + usize::from(and_there))?;
        }
        let end = witness.last().clone();
        Ok(self.path_reason(f, &end)?.map(|rest| witness.followed_by(rest)))
    }

    /// A lasso, or a path that ends, on which all of these state formulas hold everywhere.
    fn stay(&mut self, everywhere: &[Signed], state: &State) -> Result<Option<Witness>, Interrupted> {
        let mut within = self.question.checker.reached.clone();
        for &p in everywhere {
            let p = self.question.signed_state(p)?;
            within = self.question.checker.sets.intersection(&within, &p)?;
        }
        let paths = self.question.paths;
        let checker = &mut *self.question.checker;
        let good = checker.cycles(&within, &[], paths)?;
        let graph = Graph::of_one_state(within, good, checker.fairness.clone(), paths);
        let Some(walk) = checker.lasso(&graph, &[0], state, self.layer_steps)? else { return Ok(None) };
        let mut witness = walk.into_witness(everywhere[0].id);
        let positions = 0..witness.events.len() + usize::from(!matches!(witness.ending, Ending::Loop(_)));
        for &p in everywhere {
            self.branch(&mut witness, p, positions.clone())?;
        }
        Ok(Some(witness))
    }

    /// A lasso, or a path that ends, that an automaton accepts.
    fn accept(&mut self, path: Signed, state: &State) -> Result<Option<Witness>, Interrupted> {
        let Translated { graph, initial, propositions } = self.question.graph_of(path)?;
        let steps = self.layer_steps;
        let Some(walk) = self.question.checker.lasso(&graph, &initial, state, steps)? else {
            return Ok(None);
        };
        let edges = walk.edges.clone();
        let mut witness = walk.into_witness(path.id);
        for (position, edge) in edges {
            for &(proposition, holds) in &graph.edges[edge].literals {
                if let Some(&id) = propositions.get(proposition as usize) {
                    self.branch(&mut witness, Signed { id, negated: !holds }, position..position + 1)?;
                }
            }
        }
        Ok(Some(witness))
    }

    /// Adds to a path why a signed state subformula holds at some of its positions.
    pub(super) fn branch(
        &mut self,
        witness: &mut Witness,
        f: Signed,
        positions: std::ops::Range<usize>,
    ) -> Result<(), Interrupted> {
        // What branches off begins in a state of the path.
        self.begins = None;
        for position in positions {
            if witness.branches.len() >= BRANCHES || !self.question.has_quantifier(f.id) {
                return Ok(());
            }
            let state = witness.states[position].clone();
            let reasons = self.reasons(f, &state)?;
            witness.branches.extend(reasons.into_iter().map(|reason| reason.at(position)));
        }
        Ok(())
    }
}

impl Walk {
    pub(super) fn into_witness(self, formula: FormulaId) -> Witness {
        Witness {
            formula,
            states: self.states,
            events: self.events,
            ending: self.loop_start.map_or(Ending::Dead, Ending::Loop),
            is_shortest: false,
            strategy: None,
            branches: Vec::new(),
        }
    }
}
