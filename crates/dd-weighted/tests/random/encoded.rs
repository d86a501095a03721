//! A model as levels and events, one variable a level, and the explicit distances of its states as
//! diagrams.

use symbolon_budget::{Budget, Meter};
use symbolon_dd_core::Limits;
use symbolon_dd_mdd::{Action, Domain, EventActions, Mdd, NodeId, Root};
use symbolon_dd_weighted::{Add, AddKind, Arithmetic, Edd, EddKind, Function};
use symbolon_model::{Change, Model, Part};
use symbolon_testkit::RandomNumbers;

/// A manager of all three kinds, with the events of a model.
pub(crate) struct Encoded {
    pub(crate) mdd: Mdd,
    pub(crate) edd: EddKind,
    pub(crate) add: AddKind,
    /// The level of each variable.
    levels: Vec<usize>,
}

impl Encoded {
    /// The variables of a model in a random order. One in three has tables so small that
    /// collections and collisions happen all the time.
    pub(crate) fn new(model: &Model, seed: u64) -> Encoded {
        let mut numbers = RandomNumbers::new(seed ^ 0x0de5);
        let mut levels: Vec<usize> = (1..=model.variables.len()).collect();
        numbers.shuffle(&mut levels);
        let limits = if numbers.percent(33) {
            Limits { cache_bits: 4, largest_cache_bits: 8, collection_words: 256, collection_growth: 1 }
        } else {
            Limits { cache_bits: 8, ..Limits::default() }
        };
        let domains = vec![Domain::Direct; levels.len()];
        let mut mdd = Mdd::new(domains, Meter::new(Budget::unlimited()), limits).expect("no limit");
        let actions = |part: &Part| match part {
            Part::Local { variable, at_least, at_most, change } => {
                let (at_least, at_most) = (*at_least, *at_most);
                let action = match *change {
                    Change::Add(0) if at_least == 0 && at_most == u64::MAX => Action::Keep,
                    Change::Add(delta) => Action::Shift { at_least, at_most, delta },
                    Change::Set(to) => Action::Assign { at_least, at_most, to },
                };
                (levels[variable.index()] as u32, action)
            }
            _ => panic!("nets have local parts"),
        };
        let events =
            model.events.iter().map(|event| event.parts.iter().map(actions).collect::<EventActions>());
        mdd.set_events(events).expect("no limit");
        let (edd, add) = (EddKind::new(&mut mdd), AddKind::new(&mut mdd));
        Encoded { mdd, edd, add, levels }
    }

    pub(crate) fn edd(&mut self) -> Edd<'_> {
        Edd::new(&mut self.mdd, &mut self.edd)
    }

    pub(crate) fn add(&mut self) -> Add<'_> {
        Add::new(&mut self.mdd, &mut self.add)
    }

    /// A state as values from level 1 upwards.
    pub(crate) fn vector(&self, state: &[u64]) -> Vec<u64> {
        let mut vector = vec![0; state.len()];
        self.levels.iter().zip(state).for_each(|(&level, &value)| vector[level - 1] = value);
        vector
    }

    /// The state of values from level 1 upwards.
    pub(crate) fn state(&self, vector: &[u64]) -> Vec<u64> {
        self.levels.iter().map(|&level| vector[level - 1]).collect()
    }

    /// The set of some states.
    pub(crate) fn set(&mut self, states: &[Box<[u64]>]) -> Root {
        let mut set = self.mdd.root(NodeId::EMPTY);
        for state in states {
            let vector = self.vector(state);
            let one = self.mdd.singleton(&vector).expect("no limit");
            let all = self.mdd.union(set.node(), one).expect("no limit");
            set = self.mdd.root(all);
        }
        set
    }

    /// The function that is d on the d-th of these sets.
    pub(crate) fn layered(&mut self, layers: &[Root]) -> Function {
        let mut edd = self.edd();
        let mut all = edd.function(symbolon_dd_weighted::Edge::NOTHING);
        for (distance, layer) in layers.iter().enumerate() {
            let one = edd.of_set(layer.node()).and_then(|one| one.plus(distance as u64)).expect("no limit");
            let sum = edd.minimum(all.edge(), one).expect("no limit");
            all = edd.function(sum);
        }
        all
    }

    /// The same with numbers at the terminals.
    pub(crate) fn layered_add(&mut self, layers: &[Root]) -> Root {
        let mut add = self.add();
        let mut all = add.root(NodeId::EMPTY);
        for (distance, layer) in layers.iter().enumerate() {
            let one = add.of_set(layer.node(), distance as i64).expect("no limit");
            let sum = add.apply(Arithmetic::Minimum, all.node(), one).expect("no limit");
            all = add.root(sum);
        }
        all
    }

    /// Whether one set lies in another.
    pub(crate) fn is_subset(&mut self, small: NodeId, large: NodeId) -> bool {
        self.mdd.difference(small, large).expect("no limit").is_empty()
    }
}
