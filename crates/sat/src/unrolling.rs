//! Runs of a fixed number of steps, as formulas that grow by one step at a time.
//!
//! The state after each step is a row of numbers; a literal for each event says whether it happens
//! in a step. What a step is, [`Semantics`] says, and each of the three has its file. All three use
//! the same words of this file: what an event requires, what it writes, and which facts hold in
//! every state.
//!
//! - **U1** every solution of the formula of k steps is a run of the model, from an initial state
//!   unless the unrolling was begun anywhere.
//! - **U2** every state that runs of k steps reach is reached by a run that satisfies the formula
//!   of at most k steps: normal forms cut away runs, never states.

mod chained;
mod interleaving;
mod joint;
mod synchronous;

use crate::action::{Actions, Effect};
use crate::circuit::Circuit;
use crate::error::Error;
use crate::number::{LARGEST_VALUE, Number, Way};
use crate::run::Run;
use crate::{Clauses, Literal, Solver};
use std::rc::Rc;
use symbolon_budget::{Budget, Meter};
use symbolon_explicit::{JointStep, JointTrace, Trace};
use symbolon_model::{Change, Comparison, EventId, Expr, LinearInvariant, Model, Predicate, VariableId};

/// What happens in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Semantics {
    /// Exactly one event. The least number of steps is the distance.
    #[default]
    Interleaving,
    /// A set of distinct events that may happen in every order. Events that take from one variable
    /// share what is there; otherwise no event of the set writes what another one touches.
    Step,
    /// A set of distinct events that happen in a fixed order, each seeing what those before it did.
    Chained,
}

/// Whether runs that differ only in the order of their events are cut down to one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NormalForms {
    /// They are.
    #[default]
    On,
    /// They are not; for comparison.
    Off,
}

/// A clause of a normal form with more literals than this says too little for its length.
const LONGEST_NORMAL_FORM: usize = 400;

/// All runs of a number of steps, as a formula.
#[derive(Debug)]
pub(crate) struct Unrolling<'m, C> {
    model: &'m Model,
    pub(crate) actions: Rc<Actions<'m>>,
    semantics: Semantics,
    /// For each action those before it that keep it from moving forward; `None` without normal
    /// forms.
    obstacles: Option<Rc<Vec<Vec<u32>>>>,
    /// The order of a chained step: actions, and for each action its position.
    chain: Rc<(Vec<u32>, Vec<u32>)>,
    pub(crate) circuit: Circuit<C>,
    initial: Vec<Number>,
    /// The last state.
    pub(crate) state: Vec<Number>,
    /// What each agent does in each step, where all step at once.
    joint_actions: Vec<Vec<Number>>,
    /// The state after each step, where all agents step at once.
    joint_states: Vec<Vec<Number>>,
    /// What may happen in each step, in the order in which it happens.
    steps: Vec<Vec<(EventId, Literal)>>,
    /// For each action whether it happens in the last step; empty before the first.
    taken: Vec<Literal>,
    /// For each action whether it or one before it happens in the last step, where one event makes
    /// a step.
    prefixes: Vec<Literal>,
    /// For each event the value of its guards in the last state, once it was asked for.
    guards: Vec<Option<Literal>>,
    /// Whether runs start in any state, and not only in initial ones.
    is_anywhere: bool,
    meter: Meter,
}

impl<'m, C: Clauses> Unrolling<'m, C> {
    /// Runs without steps, written to `clauses`, which must be empty. They start nowhere yet.
    fn new(
        model: &'m Model,
        semantics: Semantics,
        normal_forms: NormalForms,
        clauses: C,
        budget: &Budget,
    ) -> Result<Self, Error> {
        let actions = Actions::new(model)?;
        let obstacles = (normal_forms == NormalForms::On).then(|| match semantics {
            Semantics::Interleaving | Semantics::Chained => Rc::new(actions.obstacles()),
            Semantics::Step => Rc::new(actions.waited_for()),
        });
        let chain =
            if semantics == Semantics::Chained { chained::order(model, &actions) } else { Vec::new() };
        let mut positions = vec![0; chain.len()];
        for (position, &action) in chain.iter().enumerate() {
            positions[action as usize] = position as u32;
        }
        Ok(Unrolling {
            model,
            semantics,
            obstacles,
            chain: Rc::new((chain, positions)),
            circuit: Circuit::new(clauses),
            initial: Vec::new(),
            state: Vec::new(),
            joint_actions: Vec::new(),
            joint_states: Vec::new(),
            steps: Vec::new(),
            taken: Vec::new(),
            prefixes: Vec::new(),
            guards: vec![None; model.events.len()],
            is_anywhere: false,
            meter: Meter::new(budget.clone()),
            actions: Rc::new(actions),
        })
    }

    /// Runs from the initial states.
    pub(crate) fn from_initial(
        model: &'m Model,
        semantics: Semantics,
        normal_forms: NormalForms,
        clauses: C,
        budget: &Budget,
    ) -> Result<Self, Error> {
        let mut run = Unrolling::new(model, semantics, normal_forms, clauses, budget)?;
        run.begin_initially()?;
        run.initial = run.state.clone();
        Ok(run)
    }

    /// Runs from every state that satisfies the facts, one event per step.
    pub(crate) fn from_anywhere(model: &'m Model, clauses: C, budget: &Budget) -> Result<Self, Error> {
        let mut run = Unrolling::new(model, Semantics::Interleaving, NormalForms::On, clauses, budget)?;
        run.is_anywhere = true;
        for index in 0..model.variables.len() {
            let largest = run.actions.range(VariableId(index as u32)).unwrap_or(LARGEST_VALUE);
            let number = run.circuit.fresh_number(largest);
            run.state.push(number);
        }
        run.demand_exclusive(|_| true);
        for invariant in &model.facts.invariants {
            run.demand_invariant(invariant);
        }
        run.initial = run.state.clone();
        Ok(run)
    }

    fn begin_initially(&mut self) -> Result<(), Error> {
        if let Some(predicate) = &self.model.initially {
            for index in 0..self.model.variables.len() {
                let number = self.circuit.fresh_number(self.actions.domain[index].unwrap_or(LARGEST_VALUE));
                self.state.push(number);
            }
            let holds =
                self.circuit.holds(&self.state, predicate).map_err(|_| Error::UnsupportedPredicate)?;
            self.circuit.clause(&[holds]);
            return Ok(());
        }
        let Some((first, others)) = self.model.initial.split_first() else {
            self.circuit.clause(&[]);
            self.state = vec![Number::constant(0); self.model.variables.len()];
            return Ok(());
        };
        let chosen: Vec<Literal> = others.iter().map(|_| self.circuit.fresh()).collect();
        self.circuit.at_most_one(&chosen);
        for (index, &value) in first.iter().enumerate() {
            // Where no other state is chosen it is the first.
            let mut ways: Vec<(u64, Vec<Literal>)> = Vec::new();
            for (state, &literal) in others.iter().zip(&chosen) {
                match ways.iter_mut().find(|(known, _)| *known == state[index]) {
                    Some((_, literals)) => literals.push(literal),
                    None => ways.push((state[index], vec![literal])),
                }
            }
            let ways: Vec<Way> = ways
                .into_iter()
                .filter(|(other, _)| *other != value)
                .map(|(other, literals)| Way {
                    taken: self.circuit.any(&literals),
                    result: Number::constant(other),
                    may_rise: other > value,
                    may_fall: other < value,
                })
                .collect();
            let number = self.circuit.written(&Number::constant(value), &ways, u64::MAX);
            self.state.push(number);
        }
        Ok(())
    }

    /// The number of steps.
    pub(crate) fn length(&self) -> usize {
        self.steps.len()
    }

    /// Adds one step.
    pub(crate) fn add_step(&mut self) -> Result<(), Error> {
        self.meter.budget().check()?;
        let before = self.state.clone();
        let is_synchronous = self.model.is_synchronous();
        let step = match self.semantics {
            _ if is_synchronous => self.synchronous()?,
            Semantics::Interleaving => self.interleaved()?,
            Semantics::Step => self.joint()?,
            Semantics::Chained => self.chained()?,
        };
        self.steps.push(step);
        let has_changed: Vec<bool> = before.iter().zip(&self.state).map(|(a, b)| !a.is_the(b)).collect();
        self.demand_exclusive(|variable| has_changed[variable.index()]);
        self.circuit.clauses.propagate();
        for (number, has_changed) in self.state.iter_mut().zip(has_changed) {
            if has_changed {
                *number = number.settled(|literal| self.circuit.clauses.known(literal));
            }
        }
        self.guards.fill(None);
        if is_synchronous {
            self.joint_states.push(self.state.clone());
        }
        Ok(())
    }

    /// A literal that is true where, in the last state, an enabled event has a result that no state
    /// can hold.
    pub(crate) fn overflow(&mut self) -> Result<Literal, Error> {
        let actions = Rc::clone(&self.actions);
        let state = self.state.clone();
        let mut overflows = Vec::new();
        for &index in &actions.risky {
            let action = &actions.list[index as usize];
            // Most sums cannot be that large yet.
            let may_exceed = |(variable, effect): &(VariableId, Effect)| match effect {
                Effect::Change(Change::Add(delta)) if actions.range(*variable).is_none() => {
                    state[variable.index()].limit_of_sum(*delta).is_some()
                }
                _ => true,
            };
            if !action.writes.iter().any(may_exceed) {
                continue;
            }
            let requirements = self.requirements(action.event.index())?;
            let mut fits = Vec::with_capacity(action.writes.len());
            for (variable, effect) in &action.writes {
                fits.push(self.result(&state, *variable, *effect, action.event)?.1);
            }
            let enabled = self.circuit.all(&requirements);
            let fits = self.circuit.all(&fits);
            overflows.push(self.circuit.and(enabled, !fits));
        }
        Ok(self.circuit.any(&overflows))
    }

    /// What must be true in the last state for the event to be enabled; a single false literal
    /// where it cannot be.
    pub(crate) fn requirements(&mut self, event: usize) -> Result<Vec<Literal>, Error> {
        let actions = Rc::clone(&self.actions);
        let condition = &actions.conditions[event];
        let mut needed = Vec::with_capacity(condition.tests.len() + 1);
        for &(variable, at_least, at_most) in &condition.tests {
            let number = &self.state[variable.index()];
            if at_least > 0 {
                needed.push(self.circuit.at_least(number, at_least));
            }
            if at_most < u64::MAX {
                needed.push(!self.circuit.at_least(number, at_most + 1));
            }
        }
        if needed.contains(&Literal::FALSE) {
            return Ok(vec![Literal::FALSE]);
        }
        if !condition.guards.is_empty() {
            let guard = match self.guards[event] {
                Some(known) => known,
                None => {
                    let mut literals = Vec::with_capacity(condition.guards.len());
                    for guard in &condition.guards {
                        let holds = self.circuit.holds(&self.state, guard);
                        literals.push(holds.map_err(|_| self.too_wide(EventId(event as u32)))?);
                    }
                    self.circuit.all(&literals)
                }
            };
            self.guards[event] = Some(guard);
            needed.push(guard);
        }
        needed.retain(|&literal| literal != Literal::TRUE);
        if needed.contains(&Literal::FALSE) {
            needed = vec![Literal::FALSE];
        }
        Ok(needed)
    }

    /// A literal that says that the event happens, which demands that it is enabled in the last
    /// state; false where it cannot.
    fn happens(&mut self, event: EventId) -> Result<Literal, Error> {
        self.meter.step()?;
        let requirements = self.requirements(event.index())?;
        if requirements == [Literal::FALSE] {
            return Ok(Literal::FALSE);
        }
        let happens = self.circuit.fresh();
        for requirement in requirements {
            self.circuit.imply(happens, requirement);
        }
        Ok(happens)
    }

    /// What `event` writes to `variable` in `state`, and whether that is a value of the variable.
    fn result(
        &mut self,
        state: &[Number],
        variable: VariableId,
        effect: Effect<'m>,
        event: EventId,
    ) -> Result<(Number, Literal), Error> {
        let index = variable.index();
        let mut limit = self.actions.range(variable);
        if self.is_anywhere {
            limit = limit.or(Some(LARGEST_VALUE));
        }
        let number = &state[index];
        match effect {
            Effect::Change(Change::Add(delta)) => {
                let limit = limit.or_else(|| number.limit_of_sum(delta));
                let sum = self.circuit.plus(number, delta, limit.unwrap_or(u64::MAX));
                let fits = match limit {
                    Some(limit) if delta > 0 => match limit.checked_add_signed(-delta) {
                        Some(most) if most < u64::MAX => !self.circuit.at_least(number, most + 1),
                        Some(_) => Literal::TRUE,
                        None => Literal::FALSE,
                    },
                    _ => Literal::TRUE,
                };
                Ok((sum, fits))
            }
            Effect::Change(Change::Set(value)) => {
                let fits = Literal::from(limit.is_none_or(|limit| value <= limit));
                Ok((Number::constant(value), fits))
            }
            Effect::Assign(expression) => {
                let value = self.circuit.evaluate(state, expression).map_err(|_| self.too_wide(event))?;
                Ok(self.circuit.natural(&value, limit.unwrap_or(LARGEST_VALUE)))
            }
        }
    }

    /// Refuses synchronous steps: whether one can be taken depends on all actions that there are,
    /// which is no question of one solution.
    pub(crate) fn demand_events(&self) -> Result<(), Error> {
        match self.model.events.iter().find(|event| event.is_synchronous()) {
            None => Ok(()),
            Some(event) => Err(Error::Unsupported {
                event: event.name.clone(),
                why: "all agents step at once, and whether they can is not asked of a solver",
            }),
        }
    }

    fn too_wide(&self, event: EventId) -> Error {
        let event = self.model.event(event).name.clone();
        Error::Unsupported { event, why: "its values need more than 127 bits" }
    }

    /// The number of `variable` after a step in which at most one of its writers happens; all
    /// results are those of the state before.
    fn write_once(
        &mut self,
        before: &[Number],
        variable: VariableId,
        taken: &[Literal],
    ) -> Result<Number, Error> {
        let actions = Rc::clone(&self.actions);
        // Writers with one effect are one way.
        let mut groups: Vec<(Effect<'m>, EventId, Vec<Literal>)> = Vec::new();
        for &(action, position) in &actions.writers[variable.index()] {
            let literal = taken[action as usize];
            if literal == Literal::FALSE {
                continue;
            }
            let (_, effect) = actions.list[action as usize].writes[position as usize];
            match groups.iter_mut().find(|(known, ..)| *known == effect) {
                Some((.., literals)) => literals.push(literal),
                None => groups.push((effect, actions.list[action as usize].event, vec![literal])),
            }
        }
        let mut ways = Vec::with_capacity(groups.len());
        for (effect, event, literals) in groups {
            let taken = self.circuit.any(&literals);
            let (result, fits) = self.result(before, variable, effect, event)?;
            self.circuit.imply(taken, fits);
            let (may_rise, may_fall) = match effect {
                Effect::Change(Change::Add(delta)) => (delta > 0, delta < 0),
                Effect::Change(Change::Set(value)) => (value > 0, true),
                Effect::Assign(_) => (true, true),
            };
            ways.push(Way { taken, result, may_rise, may_fall });
        }
        let number = &before[variable.index()];
        if ways.is_empty() {
            return Ok(number.clone());
        }
        let limit = actions.range(variable).unwrap_or(u64::MAX);
        Ok(self.circuit.written(number, &ways, limit))
    }

    /// Demands, of the exclusive sets with a changed variable, that they are exclusive. It follows
    /// from the steps, but not by unit propagation.
    fn demand_exclusive(&mut self, has_changed: impl Fn(VariableId) -> bool) {
        for set in &self.model.facts.exclusive {
            if !set.variables.iter().any(|&variable| has_changed(variable)) {
                continue;
            }
            let literals: Vec<Literal> = set
                .variables
                .iter()
                .map(|variable| self.circuit.at_least(&self.state[variable.index()], 1))
                .collect();
            self.circuit.at_most_one(&literals);
            if set.exactly_one {
                self.circuit.clause(&literals);
            }
        }
    }

    /// Demands that an invariant holds in the last state. One whose sum is too wide is left out: it
    /// is only a help.
    fn demand_invariant(&mut self, invariant: &LinearInvariant) {
        let term = |&(variable, weight): &(VariableId, u64)| {
            let weight = Expr::Constant(i64::try_from(weight).ok()?);
            Some(Expr::Product(Box::new(weight), Box::new(Expr::Variable(variable))))
        };
        let terms: Option<Vec<Expr>> = invariant.terms.iter().map(term).collect();
        if let (Some(terms), Ok(value)) = (terms, i64::try_from(invariant.value)) {
            let equality = Predicate::Compare(Expr::Sum(terms), Comparison::Equal, Expr::Constant(value));
            if let Ok(holds) = self.circuit.holds(&self.state, &equality) {
                self.circuit.clause(&[holds]);
            }
        }
    }
}

impl<C: Solver> Unrolling<'_, C> {
    /// The run that the solver found last.
    pub(crate) fn found(&self) -> Run {
        let is_true = |literal| self.circuit.clauses.is_true(literal);
        let initial = self.values(&self.initial).into();
        let happened = self.steps.iter().flatten().filter(|(_, literal)| is_true(*literal));
        let events = happened.map(|(event, _)| *event);
        if !self.model.is_synchronous() {
            return Run::Events(Trace { initial, events: events.collect() });
        }
        let steps = events.zip(&self.joint_actions).zip(&self.joint_states);
        let step = |((event, action), state): ((EventId, &Vec<Number>), &Vec<Number>)| JointStep {
            event,
            action: self.values(action).into(),
            state: self.values(state).into(),
        };
        Run::Joint(JointTrace { initial, steps: steps.map(step).collect() })
    }

    /// The values of these numbers in the solution that was found last.
    pub(crate) fn values(&self, numbers: &[Number]) -> Vec<u64> {
        numbers.iter().map(|number| number.value(|literal| self.circuit.clauses.is_true(literal))).collect()
    }
}

impl Number {
    /// Whether these are the same literals, not just equal ones.
    fn is_the(&self, other: &Number) -> bool {
        match (self, other) {
            (Number::Unary(a), Number::Unary(b)) => Rc::ptr_eq(a, b),
            (Number::Binary { bits: a, .. }, Number::Binary { bits: b, .. }) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}
