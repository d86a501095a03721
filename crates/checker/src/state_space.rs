//! State sets as owned handles: for clients that compute with sets instead of asking a question.
//!
//! A [`StateSpace`] is one value that keeps the model, the diagram manager and the reachable set.
//! It hands out [`StateSet`]s, which can be united, intersected, subtracted, moved one step forward
//! or backward, narrowed by a condition, counted and sampled. A set keeps its space alive, and
//! gives its nodes back when it is dropped. Spaces and sets may be used from any thread; operations
//! on one space wait for each other.

use crate::ask::{ask, kind_for};
use crate::bounded::state_predicate;
use crate::error::InputError;
use crate::hierarchies::check_choices;
use crate::loaded::Loaded;
use crate::options::{Diagram, Options};
use crate::report::{Outcome, Reason, Unknown};
use crate::resolve::properties_of_texts;
use crate::stop::Stop;
use crate::value_names::{ShownValue, shown_state};
use num_bigint::BigUint;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{Explored, Question, StateSets, deep_stack, stack_levels};
use symbolon_model::{Comparison, Expr, Predicate, State, VariableId};

/// All reachable states of a model, kept for computing with sets of them.
#[derive(Clone)]
pub struct StateSpace {
    kept: Arc<Kept>,
}

/// A set of reachable states.
pub struct StateSet {
    kept: Arc<Kept>,
    slot: usize,
}

struct Kept {
    loaded: Loaded,
    budget: Budget,
    level_count: usize,
    sets: Mutex<Box<dyn KeptSets>>,
}

/// The sets of one kind of diagram, by number.
trait KeptSets: Send {
    fn reachable(&mut self) -> usize;
    fn initial(&mut self) -> Result<usize, Interrupted>;
    fn combine(&mut self, operation: Operation<'_>) -> Result<usize, Interrupted>;
    fn count(&mut self, slot: usize) -> Result<BigUint, Interrupted>;
    fn is_empty(&self, slot: usize) -> bool;
    fn is_equal(&self, a: usize, b: usize) -> bool;
    fn sample(&mut self, slot: usize, seed: u64) -> Result<Option<State>, Interrupted>;
    fn release(&mut self, slot: usize);
}

/// A set from other sets.
enum Operation<'a> {
    Union(usize, usize),
    Intersection(usize, usize),
    Difference(usize, usize),
    Image(usize),
    Preimage(usize),
    Dead(usize),
    Select(usize, &'a Predicate),
}

/// Explores a model and keeps all reachable states.
pub(crate) fn explored_space(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
) -> Result<StateSpace, Stop> {
    check_choices(loaded, options)?;
    if let Some(unbounded) = loaded.unboundedness() {
        let detail = format!("{unbounded}: no diagram holds all states");
        return Err(Unknown::because(Reason::Unbounded, detail).into());
    }
    if options.diagram == Diagram::Explicit {
        let message = "sets of states are stored as diagrams";
        return Err(InputError::plain(message).with_hint("leave option ‹diagram explicit› out").into());
    }
    let sets = ask(loaded, options, budget, KeepSets)?;
    let level_count = stack_levels(kind_for(loaded, options), &loaded.model);
    let kept = Kept { loaded: loaded.clone(), budget: budget.clone(), level_count, sets: Mutex::new(sets) };
    Ok(StateSpace { kept: Arc::new(kept) })
}

/// Keeps what was explored.
struct KeepSets;

impl Question for KeepSets {
    type Answer = Box<dyn KeptSets>;

    fn answer<S: StateSets>(self, explored: Explored<S>) -> Result<Self::Answer, Interrupted> {
        Ok(Box::new(Slots { explored, slots: Vec::new() }))
    }
}

impl StateSpace {
    /// All reachable states.
    pub fn reachable(&self) -> StateSet {
        let slot = self.kept.lock().reachable();
        StateSet { kept: Arc::clone(&self.kept), slot }
    }

    /// The initial states.
    pub fn initial(&self) -> Result<StateSet, Stop> {
        let slot = self.kept.run(|sets| sets.initial())?;
        Ok(StateSet { kept: Arc::clone(&self.kept), slot })
    }

    /// The model.
    pub fn loaded(&self) -> &Loaded {
        &self.kept.loaded
    }
}

impl StateSet {
    /// States that are in this set or in the other one.
    pub fn union(&self, other: &StateSet) -> Result<StateSet, Stop> {
        self.demand_same_space(other)?;
        self.made_by(Operation::Union(self.slot, other.slot))
    }

    /// States that are in both sets.
    pub fn intersection(&self, other: &StateSet) -> Result<StateSet, Stop> {
        self.demand_same_space(other)?;
        self.made_by(Operation::Intersection(self.slot, other.slot))
    }

    /// States that are in this set and not in the other one.
    pub fn difference(&self, other: &StateSet) -> Result<StateSet, Stop> {
        self.demand_same_space(other)?;
        self.made_by(Operation::Difference(self.slot, other.slot))
    }

    /// States one step after a state of this set.
    pub fn image(&self) -> Result<StateSet, Stop> {
        self.made_by(Operation::Image(self.slot))
    }

    /// Reachable states one step before a state of this set.
    pub fn preimage(&self) -> Result<StateSet, Stop> {
        self.made_by(Operation::Preimage(self.slot))
    }

    /// States of this set without a successor.
    pub fn dead(&self) -> Result<StateSet, Stop> {
        self.made_by(Operation::Dead(self.slot))
    }

    /// States of this set in which a condition about one state holds, such as `a + b <= 1`.
    pub fn select(&self, condition: &str) -> Result<StateSet, Stop> {
        let loaded = &self.kept.loaded;
        let file = properties_of_texts(loaded, &[condition.to_string()], None)?;
        let property = &file.properties[0];
        let predicate = state_predicate(loaded, property).map_err(|why| {
            InputError::plain(format!("'{condition}' is not a condition about one state: {why}"))
        })?;
        self.made_by(Operation::Select(self.slot, &predicate))
    }

    /// The exact number of states.
    pub fn count(&self) -> Result<BigUint, Stop> {
        self.kept.run(|sets| sets.count(self.slot))
    }

    /// Whether there is no state in this set.
    pub fn is_empty(&self) -> bool {
        self.kept.lock().is_empty(self.slot)
    }

    /// A state of this set, each with the same probability; the same one for the same seed. `None`
    /// if the set is empty.
    pub fn sample(&self, seed: u64) -> Result<Option<Vec<(String, ShownValue)>>, Stop> {
        let state = self.kept.run(|sets| sets.sample(self.slot, seed))?;
        Ok(state.map(|state| shown_state(&self.kept.loaded.model, &state)))
    }

    fn demand_same_space(&self, other: &StateSet) -> Result<(), InputError> {
        match Arc::ptr_eq(&self.kept, &other.kept) {
            true => Ok(()),
            false => Err(InputError::plain("these sets belong to different state spaces")),
        }
    }

    fn made_by(&self, operation: Operation<'_>) -> Result<StateSet, Stop> {
        let slot = self.kept.run(|sets| sets.combine(operation))?;
        Ok(StateSet { kept: Arc::clone(&self.kept), slot })
    }
}

/// Sets of one space are equal if they have the same states; sets of different spaces never are.
impl PartialEq for StateSet {
    fn eq(&self, other: &StateSet) -> bool {
        Arc::ptr_eq(&self.kept, &other.kept) && self.kept.lock().is_equal(self.slot, other.slot)
    }
}

impl Drop for StateSet {
    fn drop(&mut self) {
        self.kept.lock().release(self.slot);
    }
}

impl Kept {
    /// Runs an operation on a stack that is deep enough.
    fn run<T: Send>(
        &self,
        operation: impl FnOnce(&mut dyn KeptSets) -> Result<T, Interrupted> + Send,
    ) -> Result<T, Stop> {
        let mut sets = self.lock();
        let sets: &mut dyn KeptSets = &mut **sets;
        let answer: Outcome<T> =
            deep_stack::run(self.level_count, &self.budget, || operation(sets)).map_err(Unknown::from);
        Ok(answer?)
    }

    fn lock(&self) -> MutexGuard<'_, Box<dyn KeptSets>> {
        self.sets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sets by number; a number is free again when its set is released.
struct Slots<S: StateSets> {
    explored: Explored<S>,
    slots: Vec<Option<S::Set>>,
}

impl<S: StateSets> Slots<S> {
    fn add(&mut self, set: S::Set) -> usize {
        let free = self.slots.iter().position(Option::is_none);
        let slot = free.unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() - 1
        });
        self.slots[slot] = Some(set);
        slot
    }

    fn set(&self, slot: usize) -> S::Set {
        self.slots[slot].clone().expect("a set has its number until it is dropped")
    }
}

impl<S: StateSets> KeptSets for Slots<S> {
    fn reachable(&mut self) -> usize {
        let all = self.explored.reached.clone();
        self.add(all)
    }

    fn initial(&mut self) -> Result<usize, Interrupted> {
        let initial = self.explored.sets.initial()?;
        Ok(self.add(initial))
    }

    fn combine(&mut self, operation: Operation<'_>) -> Result<usize, Interrupted> {
        let of = |slot: usize| self.set(slot);
        let operands = match operation {
            Operation::Union(a, b) | Operation::Intersection(a, b) | Operation::Difference(a, b) => {
                (of(a), of(b))
            }
            Operation::Image(a) | Operation::Preimage(a) | Operation::Dead(a) | Operation::Select(a, _) => {
                (of(a), self.explored.reached.clone())
            }
        };
        let (a, b) = &operands;
        let sets = &mut self.explored.sets;
        let made = match operation {
            Operation::Union(..) => sets.union(a, b)?,
            Operation::Intersection(..) => sets.intersection(a, b)?,
            Operation::Difference(..) => sets.difference(a, b)?,
            Operation::Image(_) => sets.image_of_any(a)?,
            Operation::Preimage(_) => sets.preimage_of_any(a, b)?,
            Operation::Dead(_) => sets.dead(a)?,
            Operation::Select(_, predicate) => sets.select(a, predicate)?,
        };
        Ok(self.add(made))
    }

    fn count(&mut self, slot: usize) -> Result<BigUint, Interrupted> {
        let set = self.set(slot);
        self.explored.sets.count(&set)
    }

    fn is_empty(&self, slot: usize) -> bool {
        self.slots[slot].as_ref().is_none_or(|set| self.explored.sets.is_empty(set))
    }

    fn is_equal(&self, a: usize, b: usize) -> bool {
        self.slots[a] == self.slots[b]
    }

    /// Halves the values of one variable after the other, and goes on with the half in which the
    /// state of a random number lies.
    fn sample(&mut self, slot: usize, seed: u64) -> Result<Option<State>, Interrupted> {
        let mut rest = self.set(slot);
        let sets = &mut self.explored.sets;
        if sets.is_empty(&rest) {
            return Ok(None);
        }
        let mut number = random_below(&sets.count(&rest)?, seed);
        let values = sets.analyse(&rest)?;
        for (variable, (&smallest, &largest)) in values.smallest.iter().zip(&values.largest).enumerate() {
            let (mut low, mut high) = (smallest, largest);
            while low < high {
                let middle = low + (high - low) / 2;
                let Ok(limit) = i64::try_from(middle) else { return Err(Interrupted::Overflow) };
                let variable = Expr::Variable(VariableId(variable as u32));
                let below = Predicate::Compare(variable, Comparison::LessOrEqual, Expr::Constant(limit));
                let lower = sets.select(&rest, &below)?;
                let lower_count = sets.count(&lower)?;
                if number < lower_count {
                    (rest, high) = (lower, middle);
                } else {
                    number -= lower_count;
                    (rest, low) = (sets.difference(&rest, &lower)?, middle + 1);
                }
            }
        }
        Ok(sets.choose(&rest))
    }

    fn release(&mut self, slot: usize) {
        self.slots[slot] = None;
        self.explored.sets.collect_if_due();
    }
}

/// A random number below `count`, which is not 0. It has 64 bits more than `count`, so that the
/// remainder favours no number by more than one in 2^64.
fn random_below(count: &BigUint, seed: u64) -> BigUint {
    let words = count.bits() / 64 + 2;
    let word = |index: u64| {
        let mut hasher = DefaultHasher::new();
        (seed, index).hash(&mut hasher);
        hasher.finish()
    };
    let digits = (0..words).flat_map(|index| [word(index) as u32, (word(index) >> 32) as u32]);
    BigUint::new(digits.collect()) % count
}
