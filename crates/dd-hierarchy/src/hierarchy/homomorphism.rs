//! Homomorphisms: linear maps on sets of sequences, as hash-consed values.
//!
//! A map h is linear if h(∅) = ∅ and h(a ∪ b) = h(a) ∪ h(b). Sums, compositions and fixpoints of
//! linear maps are linear, so whatever is built here is, as long as user-defined parts are.
//! [`Hierarchy::apply`] evaluates them, with every answer remembered.
//!
//! | made by | maps a set s to |
//! | --- | --- |
//! | [`HomomorphismId::IDENTITY`] | s |
//! | [`Hierarchy::by_relation`] | the image of s |
//! | [`Hierarchy::constant`] | d, if s is not empty |
//! | [`Hierarchy::sum_of`] | h₁(s) ∪ h₂(s) ∪ … |
//! | [`Hierarchy::compose`] | h(g(s)) |
//! | [`Hierarchy::keep_only`], [`Hierarchy::leave_out`] | s ∩ d, s ∖ d |
//! | [`Hierarchy::followed_by`], [`Hierarchy::preceded_by`] | s·d, d·s |
//! | [`Hierarchy::then_assign`] | (x := v)·h(s) |
//! | [`Hierarchy::local`] | l on the first slot, a component, and f on the rest |
//! | [`Hierarchy::fixpoint`] | the least set that contains s and is closed under h |
//! | [`Hierarchy::conditional`] | t(c(s)) ∪ e(s ∖ c(s)) |
//! | [`Hierarchy::inductive`] | what an [`Inductive`] says, arc by arc |
//!
//! **Fixpoints of sums saturate.** At each node the parts of the sum are separated: those that act
//! inside the first slot, those that skip it, and the others. The first two become fixpoints of
//! their own, on labels and on children, and only the others are iterated. If all parts are
//! relations the fixpoint *is* [`Hierarchy::closure`].

use crate::hierarchy::Hierarchy;
use crate::hierarchy::relation::RelationId;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, NodeId, Root};

/// A homomorphism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HomomorphismId(pub(crate) u32);

impl HomomorphismId {
    /// Maps every set to itself.
    pub const IDENTITY: HomomorphismId = HomomorphismId(0);
    /// Maps every set to the empty one: the empty sum.
    pub const ZERO: HomomorphismId = HomomorphismId(1);
}

/// What an inductive homomorphism makes of the empty sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing.
    Empty,
    /// The empty sequence.
    One,
    /// ⊤: the homomorphism should not have come here.
    Undefined,
}

/// A user-defined homomorphism, given by what it does with the first assignment of a sequence.
///
/// Two with equal name and parameters must be the same map: answers are remembered by these.
pub trait Inductive: Send + Sync {
    /// What it is called.
    fn name(&self) -> &'static str;

    /// What it depends on.
    fn parameters(&self) -> Vec<u64>;

    /// Whether it leaves every assignment of this variable as it is and goes on behind it. Then
    /// [`Inductive::on_value`] is not asked, and fixpoints run below.
    fn skips(&self, _variable: u32) -> bool {
        false
    }

    /// Whether it leaves every component as it is and goes on behind it.
    fn skips_components(&self) -> bool {
        false
    }

    /// What becomes of the empty sequence.
    fn on_end(&self) -> End;

    /// What is to be applied to the sequences behind `variable := value`.
    fn on_value(
        &self,
        hierarchy: &mut Hierarchy,
        variable: u32,
        value: u64,
    ) -> Result<HomomorphismId, Interrupted>;

    /// What is to be applied to the sequences behind a component in `label`. It must be linear in
    /// the label, too.
    fn on_component(&self, hierarchy: &mut Hierarchy, label: NodeId) -> Result<HomomorphismId, Interrupted> {
        let _ = label;
        let undefined = hierarchy.undefined();
        hierarchy.constant(undefined)
    }
}

#[derive(Clone)]
pub(crate) enum Homomorphism {
    Identity,
    Relation(RelationId),
    Constant(Root),
    Sum(Arc<[HomomorphismId]>),
    Composition { outer: HomomorphismId, inner: HomomorphismId },
    Intersection(Root),
    Difference(Root),
    FollowedBy(Root),
    PrecededBy(Root),
    Assign { variable: u32, value: u64, then: HomomorphismId },
    Local { first: HomomorphismId, rest: HomomorphismId },
    Fixpoint(HomomorphismId),
    Conditional { condition: HomomorphismId, then: HomomorphismId, otherwise: HomomorphismId },
    Inductive(Arc<dyn Inductive>),
}

/// What distinguishes homomorphisms: which way they were made, a name, and numbers.
type Identity = (u8, &'static str, Vec<u64>);

/// All homomorphisms of a manager. They live as long as it does, and keep their sets alive.
pub(crate) struct Homomorphisms {
    all: Vec<Homomorphism>,
    ids: FxHashMap<Identity, HomomorphismId>,
    /// Fixpoints taken apart, by what the first slot is.
    pub(crate) parts: FxHashMap<(HomomorphismId, FirstSlot), Arc<Parts>>,
}

/// What the first slot of a sequence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FirstSlot {
    Value(u32),
    Component,
}

/// A fixpoint taken apart: closed under all that acts in the first slot alone or in the rest alone,
/// and what is left to iterate.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) product: HomomorphismId,
    pub(crate) iterated: Vec<HomomorphismId>,
}

impl Homomorphisms {
    pub(crate) fn new() -> Homomorphisms {
        let mut homomorphisms =
            Homomorphisms { all: Vec::new(), ids: FxHashMap::default(), parts: FxHashMap::default() };
        for first in [Homomorphism::Identity, Homomorphism::Sum(Arc::from([]))] {
            let id = HomomorphismId(homomorphisms.all.len() as u32);
            homomorphisms.ids.insert(first.identity(), id);
            homomorphisms.all.push(first);
        }
        homomorphisms
    }

    /// The homomorphism of a number.
    pub(crate) fn get(&self, id: HomomorphismId) -> &Homomorphism {
        &self.all[id.0 as usize]
    }

    fn add(&mut self, homomorphism: Homomorphism) -> Result<HomomorphismId, Interrupted> {
        let identity = homomorphism.identity();
        if let Some(&known) = self.ids.get(&identity) {
            return Ok(known);
        }
        let number = self.all.len() as u32;
        if number > Key::LARGEST_SMALL {
            return Err(Interrupted::Overflow);
        }
        self.all.push(homomorphism);
        self.ids.insert(identity, HomomorphismId(number));
        Ok(HomomorphismId(number))
    }
}

impl Homomorphism {
    fn identity(&self) -> Identity {
        let one = |id: &HomomorphismId| u64::from(id.0);
        let set = |root: &Root| vec![u64::from(root.node().word())];
        match self {
            Homomorphism::Identity => (0, "", Vec::new()),
            Homomorphism::Relation(relation) => (1, "", vec![u64::from(relation.0)]),
            Homomorphism::Constant(root) => (2, "", set(root)),
            Homomorphism::Sum(parts) => (3, "", parts.iter().map(one).collect()),
            Homomorphism::Composition { outer, inner } => (4, "", vec![one(outer), one(inner)]),
            Homomorphism::Intersection(root) => (5, "", set(root)),
            Homomorphism::Difference(root) => (6, "", set(root)),
            Homomorphism::FollowedBy(root) => (7, "", set(root)),
            Homomorphism::PrecededBy(root) => (8, "", set(root)),
            Homomorphism::Assign { variable, value, then } => {
                (9, "", vec![u64::from(*variable), *value, one(then)])
            }
            Homomorphism::Local { first, rest } => (10, "", vec![one(first), one(rest)]),
            Homomorphism::Fixpoint(body) => (11, "", vec![one(body)]),
            Homomorphism::Conditional { condition, then, otherwise } => {
                (12, "", vec![one(condition), one(then), one(otherwise)])
            }
            Homomorphism::Inductive(inductive) => (13, inductive.name(), inductive.parameters()),
        }
    }
}

impl Hierarchy {
    /// Maps a set to its image under a relation.
    pub fn by_relation(&mut self, relation: RelationId) -> Result<HomomorphismId, Interrupted> {
        match relation {
            RelationId::IDENTITY => Ok(HomomorphismId::IDENTITY),
            RelationId::NONE => Ok(HomomorphismId::ZERO),
            _ => self.homomorphisms.add(Homomorphism::Relation(relation)),
        }
    }

    /// Maps every set that is not empty to `answer`.
    pub fn constant(&mut self, answer: NodeId) -> Result<HomomorphismId, Interrupted> {
        let root = self.root(answer);
        self.homomorphisms.add(Homomorphism::Constant(root))
    }

    /// Maps a set to the union of what these make of it.
    pub fn sum_of(&mut self, summands: &[HomomorphismId]) -> Result<HomomorphismId, Interrupted> {
        // Sums of sums are flat, relations are added up, and equal summands count once.
        let mut flat = Vec::new();
        let mut relations = Vec::new();
        let mut waiting = summands.to_vec();
        while let Some(next) = waiting.pop() {
            match self.homomorphisms.get(next) {
                Homomorphism::Sum(parts) => waiting.extend_from_slice(parts),
                Homomorphism::Relation(relation) => relations.push(*relation),
                _ => flat.push(next),
            }
        }
        relations.sort_unstable();
        relations.dedup();
        // Relations on a value and on a component have no sum.
        let (on_components, others): (Vec<_>, Vec<_>) = relations
            .into_iter()
            .partition(|&relation| self.relations.on(relation) == crate::hierarchy::relation::On::Component);
        for relations in [on_components, others] {
            let sum = self.relations.sum_all(relations)?;
            if sum != RelationId::NONE {
                flat.push(self.by_relation(sum)?);
            }
        }
        flat.sort_unstable();
        flat.dedup();
        match flat[..] {
            [one] => Ok(one),
            _ => self.homomorphisms.add(Homomorphism::Sum(flat.into())),
        }
    }

    /// Maps a set by `inner`, and what comes of that by `outer`.
    pub fn compose(
        &mut self,
        outer: HomomorphismId,
        inner: HomomorphismId,
    ) -> Result<HomomorphismId, Interrupted> {
        match (outer, inner) {
            (HomomorphismId::IDENTITY, other) | (other, HomomorphismId::IDENTITY) => Ok(other),
            (HomomorphismId::ZERO, _) | (_, HomomorphismId::ZERO) => Ok(HomomorphismId::ZERO),
            _ => self.homomorphisms.add(Homomorphism::Composition { outer, inner }),
        }
    }

    /// Maps a set to its part in `set`.
    pub fn keep_only(&mut self, set: NodeId) -> Result<HomomorphismId, Interrupted> {
        let root = self.root(set);
        self.homomorphisms.add(Homomorphism::Intersection(root))
    }

    /// Maps a set to its part outside `set`.
    pub fn leave_out(&mut self, set: NodeId) -> Result<HomomorphismId, Interrupted> {
        let root = self.root(set);
        self.homomorphisms.add(Homomorphism::Difference(root))
    }

    /// Puts the sequences of `tail` behind those of a set.
    pub fn followed_by(&mut self, tail: NodeId) -> Result<HomomorphismId, Interrupted> {
        let root = self.root(tail);
        self.homomorphisms.add(Homomorphism::FollowedBy(root))
    }

    /// Puts the sequences of `head` in front of those of a set.
    pub fn preceded_by(&mut self, head: NodeId) -> Result<HomomorphismId, Interrupted> {
        let root = self.root(head);
        self.homomorphisms.add(Homomorphism::PrecededBy(root))
    }

    /// Puts `variable := value` in front of what `then` makes of a set.
    pub fn then_assign(
        &mut self,
        variable: u32,
        value: u64,
        then: HomomorphismId,
    ) -> Result<HomomorphismId, Interrupted> {
        self.homomorphisms.add(Homomorphism::Assign { variable, value, then })
    }

    /// Maps the first component by `first` and the rest of the sequence by `rest`.
    pub fn local(
        &mut self,
        first: HomomorphismId,
        rest: HomomorphismId,
    ) -> Result<HomomorphismId, Interrupted> {
        if first == HomomorphismId::IDENTITY && rest == HomomorphismId::IDENTITY {
            return Ok(HomomorphismId::IDENTITY);
        }
        self.homomorphisms.add(Homomorphism::Local { first, rest })
    }

    /// Maps the component in slot `slot` (from 0) by `homomorphism`.
    pub fn in_slot(
        &mut self,
        slot: usize,
        homomorphism: HomomorphismId,
    ) -> Result<HomomorphismId, Interrupted> {
        let here = self.local(homomorphism, HomomorphismId::IDENTITY)?;
        (0..slot).try_fold(here, |rest, _| self.local(HomomorphismId::IDENTITY, rest))
    }

    /// Maps a set to the least set that contains it and is closed under `body`.
    pub fn fixpoint(&mut self, body: HomomorphismId) -> Result<HomomorphismId, Interrupted> {
        if body == HomomorphismId::IDENTITY || body == HomomorphismId::ZERO {
            return Ok(HomomorphismId::IDENTITY);
        }
        self.homomorphisms.add(Homomorphism::Fixpoint(body))
    }

    /// Maps the part of a set that `condition` keeps by `then`, and the rest of the set by
    /// `otherwise`. The condition must map every set to a part of it.
    pub fn conditional(
        &mut self,
        condition: HomomorphismId,
        then: HomomorphismId,
        otherwise: HomomorphismId,
    ) -> Result<HomomorphismId, Interrupted> {
        self.homomorphisms.add(Homomorphism::Conditional { condition, then, otherwise })
    }

    /// A user-defined homomorphism.
    pub fn inductive(&mut self, inductive: impl Inductive + 'static) -> Result<HomomorphismId, Interrupted> {
        self.homomorphisms.add(Homomorphism::Inductive(Arc::new(inductive)))
    }
}
