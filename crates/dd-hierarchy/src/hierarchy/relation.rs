//! Relations on sequences, as hash-consed values that mirror the nodes.
//!
//! A relation is a sum: a multiple of the identity, and pairs `(l, f)`, where `l` acts on the first
//! slot (an [`Action`] on a value, or a relation on a component) and `f` on the rest. The relation
//! of one event is a chain of such pairs; the relation of all events is their sum, in which pairs
//! with equal `l` are one.
//!
//! ```text
//! ⟦m·id + Σ (l, f)⟧ = { (s, s) } ∪ { (a·c, b·d) | (a, b) ∈ ⟦l⟧, (c, d) ∈ ⟦f⟧ for some pair }
//! ```
//!
//! - **R1 relative** – a relation knows no place and no event: what happens in two equal parts of a
//!   model is one relation, and shares every remembered answer. A trial that numbered actions by
//!   place had the same nodes and 300 times the work at 2^18 philosophers.
//! - **R2 multiplicity** – sums count: two equal events are `2·id` at the end of their chain.
//!   Images ignore that, and the number of edges comes out right.
//! - **R3 normal** – no `l` has the identity as a part, unless it is the identity; then `f` has
//!   not. So what a relation leaves as it is stands in front, and the split below finds every part
//!   where it acts alone.
//!
//! **The split.** For the closure under a relation `S`, its pairs fall into three parts: `L`, what
//! happens inside the first slot alone; `F`, what happens in the rest alone; `G`, what touches
//! both. That is computed once for each relation, and is all that automatic saturation needs:
//! `(L + F)* = L* × F*`, so only `G` is iterated.
//!
//! Relations live as long as their manager; there are few.

use crate::action::Action;
use crate::hierarchy::Hierarchy;
use crate::values::{BEYOND, Values};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use symbolon_budget::{Budget, Interrupted};
use symbolon_dd_core::Key;

/// A relation on sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelationId(pub(crate) u32);

impl RelationId {
    /// Every sequence with itself: an event that does nothing.
    pub const IDENTITY: RelationId = RelationId(0);
    /// Nothing: no event at all.
    pub const NONE: RelationId = RelationId(1);
}

/// An action, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActionId(pub(crate) u32);

impl ActionId {
    /// [`Action::Keep`].
    pub const KEEP: ActionId = ActionId(0);
}

/// What a pair does in the first slot: the number of an action or of a relation. 0 does nothing in
/// both.
pub(crate) type First = u32;
pub(crate) const KEEP: First = 0;

/// What the first slot of a relation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum On {
    /// Either: nothing happens in it.
    Either,
    /// A value.
    Value,
    /// A component.
    Component,
}

/// A relation: its pairs lie one after another among those of all relations.
#[derive(Clone, Copy, Debug)]
struct Relation {
    identity: u32,
    on: On,
    first_pair: u32,
    pair_count: u32,
    /// An older relation whose contents have the same hash; NONE if there is none.
    next: RelationId,
}

/// A relation in the three parts of the module comment. For a slot that is a value, `local` is
/// NONE, and `both` has what happens there alone, too: the loop over values needs no other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    pub(crate) local: RelationId,
    pub(crate) rest: RelationId,
    pub(crate) both: RelationId,
}

/// The steps of a relation from one code: a span of [`Relations::steps`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) first: u32,
    pub(crate) end: u32,
}

/// Tables are charged to the budget when they have grown by so much.
const CHARGE_BYTES: u64 = 1 << 16;
/// A row that is not computed yet.
const NO_ROW: Row = Row { first: u32::MAX, end: 0 };
/// Rows of smaller codes lie in a table, those of others in a map: codes may be large and far
/// between.
const SMALL_CODE: u32 = 256;

/// All relations of a manager.
pub(crate) struct Relations {
    relations: Vec<Relation>,
    pairs: Vec<(First, RelationId)>,
    /// The newest relation of each hash of contents.
    ids: FxHashMap<u64, RelationId>,
    sums: FxHashMap<(RelationId, RelationId), RelationId>,
    guards: FxHashMap<RelationId, RelationId>,
    /// By relation, as far as they were asked for.
    splits: Vec<Option<Split>>,
    /// From a code, which codes, and how to go on: by relation on values and code, as far as they
    /// were asked for.
    rows: Vec<Vec<Row>>,
    rows_of_large_codes: FxHashMap<(RelationId, u32), Row>,
    steps: Vec<(u32, RelationId)>,
    /// The rooms of rows, all tables of them together.
    row_count: usize,
    /// Who is charged for these tables, and how much was.
    budget: Budget,
    charged: u64,
    actions: Vec<Action>,
    action_ids: FxHashMap<Action, ActionId>,
}

impl Relations {
    pub(crate) fn new(budget: Budget) -> Relations {
        let mut relations = Relations {
            relations: Vec::new(),
            pairs: Vec::new(),
            ids: FxHashMap::default(),
            sums: FxHashMap::default(),
            guards: FxHashMap::default(),
            splits: Vec::new(),
            rows: Vec::new(),
            rows_of_large_codes: FxHashMap::default(),
            steps: Vec::new(),
            row_count: 0,
            budget,
            charged: 0,
            actions: vec![Action::Keep],
            action_ids: FxHashMap::from_iter([(Action::Keep, ActionId::KEEP)]),
        };
        for identity in [1, 0] {
            let id = RelationId(relations.relations.len() as u32);
            let next = RelationId::NONE;
            relations.relations.push(Relation {
                identity,
                on: On::Either,
                first_pair: 0,
                pair_count: 0,
                next,
            });
            relations.ids.insert(hash_of(identity, On::Either, &[]), id);
        }
        relations
    }

    fn add_action(&mut self, action: Action) -> Result<ActionId, Interrupted> {
        if let Action::Shift { at_least: 0, at_most: u64::MAX, delta: 0 } = action {
            return Ok(ActionId::KEEP);
        }
        if let Some(&known) = self.action_ids.get(&action) {
            return Ok(known);
        }
        let id = ActionId(u32::try_from(self.actions.len()).map_err(|_| Interrupted::Overflow)?);
        self.actions.push(action.clone());
        self.action_ids.insert(action, id);
        Ok(id)
    }

    /// An action by its number.
    #[inline]
    pub(crate) fn action(&self, id: First) -> &Action {
        &self.actions[id as usize]
    }

    /// How often the identity is part of a relation.
    #[inline]
    pub(crate) fn identity(&self, id: RelationId) -> u32 {
        self.relations[id.0 as usize].identity
    }

    /// The number of pairs of a relation.
    #[inline]
    pub(crate) fn pair_count(&self, id: RelationId) -> usize {
        self.relations[id.0 as usize].pair_count as usize
    }

    /// A pair of a relation.
    #[inline]
    pub(crate) fn pair(&self, id: RelationId, position: usize) -> (First, RelationId) {
        self.pairs[self.relations[id.0 as usize].first_pair as usize + position]
    }

    fn pairs(&self, id: RelationId) -> &[(First, RelationId)] {
        let Relation { first_pair, pair_count, .. } = self.relations[id.0 as usize];
        &self.pairs[first_pair as usize..(first_pair + pair_count) as usize]
    }

    /// What the first slot of a relation is.
    #[inline]
    pub(crate) fn on(&self, id: RelationId) -> On {
        self.relations[id.0 as usize].on
    }

    /// Whether a relation changes nothing: NONE, or a multiple of the identity.
    #[inline]
    pub(crate) fn is_still(&self, id: RelationId) -> bool {
        self.pair_count(id) == 0
    }

    /// If a relation does nothing in the first slot, and is not the identity: what it does in the
    /// rest.
    #[inline]
    pub(crate) fn skips_to(&self, id: RelationId) -> Option<RelationId> {
        let Relation { identity, on, first_pair, pair_count, .. } = self.relations[id.0 as usize];
        // Pairs with equal first parts are one.
        let skips = on == On::Either && identity == 0 && pair_count == 1;
        skips.then(|| self.pairs[first_pair as usize].1)
    }

    /// The relation with these pairs: equal first parts become one, and so does all that happens in
    /// the first slot alone.
    pub(crate) fn make(
        &mut self,
        on: On,
        mut identity: u32,
        mut pairs: Vec<(First, RelationId)>,
    ) -> Result<RelationId, Interrupted> {
        let is_component = on == On::Component;
        pairs.retain(|&(first, rest)| {
            rest != RelationId::NONE && !(is_component && first == RelationId::NONE.0)
        });
        if is_component {
            // R3: (id + l, f) is (id, f) + (l, f).
            for position in 0..pairs.len() {
                let (first, rest) = pairs[position];
                let times = if first == KEEP { 0 } else { self.identity(RelationId(first)) };
                if times > 0 {
                    pairs[position].0 = self.without_identity(RelationId(first))?.0;
                    pairs.extend((0..times).map(|_| (KEEP, rest)));
                }
            }
            pairs.retain(|&(first, _)| first != RelationId::NONE.0);
        }
        self.join_equal_firsts(&mut pairs)?;
        if is_component && pairs.iter().filter(|pair| is_local(pair)).count() > 1 {
            let local = pairs.iter().filter(|pair| is_local(pair)).map(|&(first, _)| RelationId(first));
            let sum = self.sum_all(local.collect())?;
            pairs.retain(|pair| !is_local(pair));
            pairs.push((sum.0, RelationId::IDENTITY));
            self.join_equal_firsts(&mut pairs)?;
        }
        // R3: (id, id + f) is id + (id, f).
        if let Some(&(KEEP, rest)) = pairs.first()
            && self.identity(rest) > 0
        {
            identity = identity.checked_add(self.identity(rest)).ok_or(Interrupted::Overflow)?;
            match self.without_identity(rest)? {
                RelationId::NONE => drop(pairs.remove(0)),
                moving => pairs[0].1 = moving,
            }
        }
        let on = if pairs.iter().all(|&(first, _)| first == KEEP) { On::Either } else { on };
        self.intern(identity, on, &pairs)
    }

    /// The relation with one pair.
    pub(crate) fn make_pair(
        &mut self,
        on: On,
        first: First,
        rest: RelationId,
    ) -> Result<RelationId, Interrupted> {
        let is_normal = match on {
            On::Component => first != KEEP && self.identity(RelationId(first)) == 0,
            On::Value => first != KEEP,
            On::Either => self.identity(rest) == 0,
        };
        if is_normal && rest != RelationId::NONE && !(on == On::Component && first == RelationId::NONE.0) {
            return self.intern(0, on, &[(first, rest)]);
        }
        self.make(on, 0, vec![(first, rest)])
    }

    /// The relation with these contents, which are normal (R3).
    fn intern(
        &mut self,
        identity: u32,
        on: On,
        pairs: &[(First, RelationId)],
    ) -> Result<RelationId, Interrupted> {
        let hash = hash_of(identity, on, pairs);
        let newest = self.ids.get(&hash).copied().unwrap_or(RelationId::NONE);
        let mut known = newest;
        loop {
            let relation = self.relations[known.0 as usize];
            if relation.identity == identity && relation.on == on && self.pairs(known) == pairs {
                return Ok(known);
            }
            if known == RelationId::NONE {
                break;
            }
            known = relation.next;
        }
        let number = self.relations.len() as u32;
        let first_pair = u32::try_from(self.pairs.len()).map_err(|_| Interrupted::Overflow)?;
        if number > Key::LARGEST_SMALL {
            return Err(Interrupted::Overflow);
        }
        self.pairs.extend_from_slice(pairs);
        let pair_count = pairs.len() as u32;
        self.relations.push(Relation { identity, on, first_pair, pair_count, next: newest });
        self.ids.insert(hash, RelationId(number));
        self.charge()?;
        Ok(RelationId(number))
    }

    /// Charges what the tables have grown by, if that is worth while.
    fn charge(&mut self) -> Result<(), Interrupted> {
        // A table of hashes has a byte of control a room beside keys and values.
        let relations = self.relations.capacity() * (size_of::<Relation>() + size_of::<Option<Split>>())
            + self.pairs.capacity() * size_of::<(First, RelationId)>()
            + (self.ids.capacity() + self.sums.capacity() + self.guards.capacity()) * 17;
        let rows = (self.steps.capacity() + self.row_count) * size_of::<Row>()
            + self.rows.capacity() * size_of::<Vec<Row>>()
            + self.rows_of_large_codes.capacity() * 17;
        let bytes = (relations + rows) as u64;
        if bytes > self.charged + CHARGE_BYTES {
            self.budget.memory().charge(bytes - self.charged)?;
            self.charged = bytes;
        }
        Ok(())
    }

    fn join_equal_firsts(&mut self, pairs: &mut Vec<(First, RelationId)>) -> Result<(), Interrupted> {
        if pairs.len() < 2 {
            return Ok(());
        }
        pairs.sort_unstable();
        let mut joined: Vec<(First, RelationId)> = Vec::with_capacity(pairs.len());
        let mut position = 0;
        while position < pairs.len() {
            let first = pairs[position].0;
            let end = position + pairs[position..].iter().take_while(|pair| pair.0 == first).count();
            let rests = pairs[position..end].iter().map(|pair| pair.1).collect();
            joined.push((first, self.sum_all(rests)?));
            position = end;
        }
        *pairs = joined;
        Ok(())
    }

    /// The sum of two relations.
    pub(crate) fn sum(&mut self, a: RelationId, b: RelationId) -> Result<RelationId, Interrupted> {
        // Terminal cases.
        if a == RelationId::NONE {
            return Ok(b);
        }
        if b == RelationId::NONE {
            return Ok(a);
        }
        // Normalise: sums commute.
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.sums.get(&key) {
            return Ok(known);
        }
        let answer = self.sum_all_now(&[a, b])?;
        self.sums.insert(key, answer);
        Ok(answer)
    }

    /// The sum of many relations.
    pub(crate) fn sum_all(&mut self, relations: Vec<RelationId>) -> Result<RelationId, Interrupted> {
        match relations[..] {
            [] => Ok(RelationId::NONE),
            [one] => Ok(one),
            [a, b] => self.sum(a, b),
            _ => self.sum_all_now(&relations),
        }
    }

    fn sum_all_now(&mut self, relations: &[RelationId]) -> Result<RelationId, Interrupted> {
        let mut identity = 0_u32;
        let mut on = On::Either;
        let mut pairs = Vec::new();
        for &id in relations {
            let relation = self.relations[id.0 as usize];
            identity = identity.checked_add(relation.identity).ok_or(Interrupted::Overflow)?;
            pairs.extend_from_slice(self.pairs(id));
            assert!(
                on == On::Either || relation.on == On::Either || on == relation.on,
                "R1: relations on a value and on a component have no sum"
            );
            on = if on == On::Either { relation.on } else { on };
        }
        self.make(on, identity, pairs)
    }

    /// The relation without its part that is the identity.
    fn without_identity(&mut self, id: RelationId) -> Result<RelationId, Interrupted> {
        if self.identity(id) == 0 {
            return Ok(id);
        }
        self.make(self.on(id), 0, self.pairs(id).to_vec())
    }

    /// The three parts of a relation; see the module comment.
    #[inline]
    pub(crate) fn split(&mut self, id: RelationId) -> Result<Split, Interrupted> {
        if self.is_still(id) {
            return Ok(Split { local: RelationId::NONE, rest: RelationId::NONE, both: RelationId::NONE });
        }
        match self.splits.get(id.0 as usize) {
            Some(Some(known)) => Ok(*known),
            _ => self.split_now(id),
        }
    }

    fn split_now(&mut self, id: RelationId) -> Result<Split, Interrupted> {
        let (on, pairs) = (self.on(id), self.pairs(id).to_vec());
        let (mut locals, mut rests, mut both) = (Vec::new(), Vec::new(), Vec::new());
        for &(first, rest) in pairs.iter() {
            match on {
                _ if first == KEEP => rests.push(rest),
                On::Component => {
                    if self.identity(rest) > 0 {
                        locals.push(RelationId(first));
                    }
                    both.push((first, self.without_identity(rest)?));
                }
                _ => both.push((first, rest)),
            }
        }
        let split =
            Split { local: self.sum_all(locals)?, rest: self.sum_all(rests)?, both: self.make(on, 0, both)? };
        self.splits.resize(self.relations.len(), None);
        self.splits[id.0 as usize] = Some(split);
        Ok(split)
    }

    /// The steps of a relation on values, from a code. The identity is a step, too.
    #[inline]
    pub(crate) fn row(&mut self, id: RelationId, code: u32, values: &mut Values) -> Result<Row, Interrupted> {
        match self.rows.get(id.0 as usize).and_then(|rows| rows.get(code as usize)) {
            Some(&row) if row.first != NO_ROW.first => Ok(row),
            _ => self.row_now(id, code, values),
        }
    }

    /// The step at a position of a row: the code reached, and what remains to be done to the rest.
    #[inline]
    pub(crate) fn step_at(&self, position: u32) -> (u32, RelationId) {
        self.steps[position as usize]
    }

    #[cold]
    fn row_now(&mut self, id: RelationId, code: u32, values: &mut Values) -> Result<Row, Interrupted> {
        if code >= SMALL_CODE
            && let Some(&known) = self.rows_of_large_codes.get(&(id, code))
        {
            return Ok(known);
        }
        let first = self.steps.len();
        if self.identity(id) > 0 {
            self.steps.push((code, RelationId::IDENTITY));
        }
        let value = values.value(code);
        let pairs = if value == BEYOND { 0 } else { self.pair_count(id) };
        for position in 0..pairs {
            let (action, rest) = self.pair(id, position);
            let targets = self.action(action).targets(value);
            for target in targets.first..targets.end {
                let to = self.action(action).target(value, target);
                self.steps.push((values.code_of_step(to)?, rest));
            }
        }
        let number = |position| u32::try_from(position).map_err(|_| Interrupted::Overflow);
        let row = Row { first: number(first)?, end: number(self.steps.len())? };
        if code >= SMALL_CODE {
            self.rows_of_large_codes.insert((id, code), row);
            self.charge()?;
            return Ok(row);
        }
        if self.rows.len() <= id.0 as usize {
            self.rows.resize(id.0 as usize + 1, Vec::new());
        }
        let rows = &mut self.rows[id.0 as usize];
        if rows.len() <= code as usize {
            self.row_count += code as usize + 1 - rows.len();
            rows.resize(code as usize + 1, NO_ROW);
        }
        rows[code as usize] = row;
        self.charge()?;
        Ok(row)
    }

    /// The tests of a relation, without what it changes.
    pub(crate) fn guard(&mut self, id: RelationId) -> Result<RelationId, Interrupted> {
        if self.is_still(id) {
            return Ok(id);
        }
        if let Some(&known) = self.guards.get(&id) {
            return Ok(known);
        }
        let (identity, on, pairs) = (self.identity(id), self.on(id), self.pairs(id).to_vec());
        let mut tests = Vec::with_capacity(pairs.len());
        for &(first, rest) in pairs.iter() {
            let first = match on {
                On::Component => self.guard(RelationId(first))?.0,
                _ => self.add_action(self.action(first).guard())?.0,
            };
            tests.push((first, self.guard(rest)?));
        }
        let answer = self.make(on, identity, tests)?;
        self.guards.insert(id, answer);
        Ok(answer)
    }
}

impl Drop for Relations {
    fn drop(&mut self) {
        self.budget.memory().release(self.charged);
    }
}

/// A hash of what distinguishes relations.
fn hash_of(identity: u32, on: On, pairs: &[(First, RelationId)]) -> u64 {
    let mut hasher = FxHasher::default();
    (identity, on).hash(&mut hasher);
    for (first, rest) in pairs {
        hasher.write_u64(u64::from(*first) << 32 | u64::from(rest.0));
    }
    hasher.finish()
}

/// Whether a pair acts in the first slot alone.
fn is_local(pair: &(First, RelationId)) -> bool {
    pair.0 != KEEP && pair.1 == RelationId::IDENTITY
}

impl Hierarchy {
    /// The steps of a relation on values, from a code.
    #[inline]
    pub(crate) fn row(&mut self, relation: RelationId, code: u32) -> Result<Row, Interrupted> {
        self.relations.row(relation, code, &mut self.values)
    }

    /// The number of an action, for [`Hierarchy::on_value`] and [`crate::Events`].
    pub fn action(&mut self, action: Action) -> Result<ActionId, Interrupted> {
        self.relations.add_action(action)
    }

    /// The relation that acts on a value, then as `rest` on what follows.
    pub fn on_value(&mut self, action: ActionId, rest: RelationId) -> Result<RelationId, Interrupted> {
        self.relations.make_pair(On::Value, action.0, rest)
    }

    /// The relation that acts as `label` on a component, then as `rest` on what follows.
    pub fn on_component(&mut self, label: RelationId, rest: RelationId) -> Result<RelationId, Interrupted> {
        self.relations.make_pair(On::Component, label.0, rest)
    }

    /// The relation that leaves `count` slots as they are, then acts as `rest`.
    pub fn after_slots(&mut self, count: usize, rest: RelationId) -> Result<RelationId, Interrupted> {
        (0..count).try_fold(rest, |rest, _| self.relations.make(On::Either, 0, vec![(KEEP, rest)]))
    }

    /// The sum of relations: what any of them does.
    pub fn sum(&mut self, relations: &[RelationId]) -> Result<RelationId, Interrupted> {
        self.relations.sum_all(relations.to_vec())
    }

    /// The tests of a relation, without what it changes: its image of a set is the part of the set
    /// in which some event of the relation is enabled.
    pub fn guard(&mut self, relation: RelationId) -> Result<RelationId, Interrupted> {
        self.relations.guard(relation)
    }

    /// The number of relations that exist.
    pub fn relation_count(&self) -> usize {
        self.relations.relations.len()
    }
}
