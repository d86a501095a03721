//! Events, arranged for firing many at once.
//!
//! An event acts on a few levels. Read from its top downwards it is a *suffix*: an action at one
//! level, and the suffix for the levels below; the empty suffix is the identity. Suffixes are
//! hash-consed. A *group* is a set of suffixes that are fired together:
//!
//! ```text
//! group = { level, arcs: [(action, subgroup)] }
//! ```
//!
//! At its level, suffixes with equal actions share one arc, whose subgroup is the set of what
//! remains of them; suffixes that act only further down share an arc that keeps the value. This is
//! a lazily determinised next-state relation. In the trial before this kernel grouping halved the
//! nodes made on philosophers, and cost nothing on others.
//!
//! Groups may be multisets (an event counted twice has two edges); then the identity carries how
//! often it stands there.
//!
//! *Rows* answer "from code i, which codes j, and how to go on": computed once per group and code.
//!
//! A suffix may also be a *residual* ([`crate::LazySteps`]): what remains of an event that is no
//! list of actions. Its arc names the residual in the place of a subgroup, and the groups of what
//! follows are made with its rows.

use crate::action::Action;
use crate::domain::Domain;
use crate::lazy::{DONE, Lazy, LazyEvent, NOWHERE};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use symbolon_budget::Interrupted;
use symbolon_dd_core::Key;

/// The number of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupId(pub(crate) u32);

impl GroupId {
    /// The group of the empty suffix alone: changes nothing.
    pub const IDENTITY: GroupId = GroupId(0);
    /// No suffix at all: never enabled.
    pub const NONE: GroupId = GroupId(u32::MAX);

    /// The number, for the small number of a cache key.
    #[inline]
    pub fn number(self) -> u32 {
        self.0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Suffix {
    level: u32,
    action: u32,
    rest: u32,
}

/// The empty suffix.
const NO_SUFFIX: u32 = 0;

/// The action of a suffix that is a residual; its rest is the number of the residual.
const RESIDUAL: u32 = u32::MAX;

/// What an arc of a failing group leads to where no test is left: see [`Relation::failing_group`].
const FAILS: GroupId = GroupId::NONE;

#[derive(Clone, Copy, Debug)]
struct Group {
    level: u32,
    /// At level 0: how often the identity stands in the group.
    multiplicity: u32,
    first_arc: u32,
    arc_count: u32,
}

/// The steps of a group from one code, as positions for [`Relation::step_at`]; `first == u32::MAX`
/// while they are not computed.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The position of the first step.
    pub first: u32,
    /// One more than the position of the last.
    pub end: u32,
}

/// The steps of a group backwards.
#[derive(Clone, Debug, Default)]
struct BackRows {
    /// Steps that leave codes below this are known.
    end: u32,
    /// For each code, the steps that lead there: where they come from, ascending, and what remains
    /// to be done below.
    steps: Vec<Vec<(u32, GroupId)>>,
}

/// A group has room for the rows of this many codes at first: most levels have few, and rows that
/// move leave holes.
const FIRST_ROOM: u32 = 4;

const NO_ROW: Row = Row { first: u32::MAX, end: 0 };

/// Where the rows of a group lie in `Relation::rows`, and for how many codes there is room.
#[derive(Clone, Copy, Debug, Default)]
struct RowSpan {
    first: u32,
    room: u32,
}

/// A set of events over the levels of a diagram.
#[derive(Debug, Default)]
pub struct Relation {
    actions: Vec<Action>,
    action_ids: FxHashMap<Action, u32>,
    suffixes: Vec<Suffix>,
    suffix_table: SuffixTable,
    groups: Vec<Group>,
    arcs: Vec<(u32, GroupId)>,
    /// The group of one suffix alone, once it was asked for.
    single_groups: Vec<GroupId>,
    group_ids: FxHashMap<Box<[(u32, u32)]>, GroupId>,
    /// For a group that was entered with a value that cannot be held: the one that is followed
    /// instead.
    failing_groups: FxHashMap<GroupId, GroupId>,
    steps: Vec<(u32, GroupId)>,
    rows: Vec<Row>,
    row_spans: Vec<RowSpan>,
    /// The same steps by the code they lead to, as far as they were asked for.
    back_rows: Vec<BackRows>,
    /// The suffix of each event.
    events: Vec<u32>,
    /// For each level, the group of the events whose top it is (index 0 unused).
    tops: Vec<GroupId>,
    /// Events that change nothing wherever they are enabled; known once events are grouped.
    still: Vec<usize>,
    /// The events that are residuals.
    lazy_events: Vec<LazyEvent>,
}

impl Relation {
    /// No event, over `level_count` levels.
    pub(crate) fn new(level_count: u32) -> Relation {
        Relation {
            suffixes: vec![Suffix { level: 0, action: 0, rest: 0 }],
            groups: vec![Group { level: 0, multiplicity: 1, first_arc: 0, arc_count: 0 }],
            row_spans: vec![RowSpan::default()],
            single_groups: vec![GroupId::IDENTITY],
            tops: vec![GroupId::NONE; level_count as usize + 1],
            ..Relation::default()
        }
    }

    /// Makes room for `count` events that act on a few levels each.
    pub(crate) fn reserve(&mut self, event_count: usize) {
        const SUFFIXES_PER_EVENT: usize = 3;
        let suffix_count = event_count.saturating_mul(SUFFIXES_PER_EVENT);
        self.suffixes.reserve(suffix_count);
        self.single_groups.reserve(suffix_count);
        self.suffix_table.reserve(suffix_count);
        self.groups.reserve(suffix_count);
        self.row_spans.reserve(suffix_count);
        self.arcs.reserve(suffix_count);
        self.events.reserve(event_count);
    }

    /// Adds an event, given as (level, action) with descending levels; actions that keep are left
    /// out by the caller.
    pub(crate) fn add_event<'a>(
        &mut self,
        actions: impl DoubleEndedIterator<Item = (u32, &'a Action)>,
    ) -> Result<(), Interrupted> {
        let mut suffix = NO_SUFFIX;
        for (level, action) in actions.rev() {
            debug_assert!(level > self.suffixes[suffix as usize].level, "levels descend");
            let action = self.intern_action(action)?;
            suffix = self.intern_suffix(Suffix { level, action, rest: suffix })?;
        }
        self.events.push(suffix);
        Ok(())
    }

    /// Lets some events be residuals. Events must be grouped afterwards.
    pub(crate) fn set_lazy_events(
        &mut self,
        events: Vec<LazyEvent>,
        lazy: &dyn crate::lazy::LazySteps,
    ) -> Result<(), Interrupted> {
        for event in &events {
            self.events[event.event] = self.residual_suffix(event.steps, lazy)?;
        }
        self.lazy_events = events;
        Ok(())
    }

    fn residual_suffix(
        &mut self,
        residual: u32,
        lazy: &dyn crate::lazy::LazySteps,
    ) -> Result<u32, Interrupted> {
        if residual == DONE {
            return Ok(NO_SUFFIX);
        }
        self.intern_suffix(Suffix { level: lazy.level(residual), action: RESIDUAL, rest: residual })
    }

    /// The group of one residual alone.
    pub(crate) fn residual_group(
        &mut self,
        residual: u32,
        lazy: &dyn crate::lazy::LazySteps,
    ) -> Result<GroupId, Interrupted> {
        let suffix = self.residual_suffix(residual, lazy)?;
        self.group(&[(suffix, 1)], false)
    }

    /// Forgets all rows: residuals lead elsewhere from now on.
    pub(crate) fn forget_rows(&mut self) {
        self.row_spans.fill(RowSpan::default());
        self.rows.clear();
        self.steps.clear();
        self.back_rows.clear();
    }

    /// The same events with their tests alone, not yet grouped.
    pub(crate) fn guards(&self, lazy: &Lazy) -> Result<Relation, Interrupted> {
        let mut guards = Relation::new(self.tops.len() as u32 - 1);
        guards.reserve(self.events.len());
        // A suffix has a larger number than its rest, so one pass suffices.
        let mut tests = vec![NO_SUFFIX; self.suffixes.len()];
        for (number, suffix) in self.suffixes.iter().enumerate().skip(1) {
            if suffix.action == RESIDUAL {
                continue;
            }
            let rest = tests[suffix.rest as usize];
            tests[number] = match self.actions[suffix.action as usize].guard() {
                Action::Keep => rest,
                test => {
                    let action = guards.intern_action(&test)?;
                    guards.intern_suffix(Suffix { level: suffix.level, action, rest })?
                }
            };
        }
        guards.events = self.events.iter().map(|&suffix| tests[suffix as usize]).collect();
        if let Some(lazy) = lazy {
            for event in &self.lazy_events {
                guards.events[event.event] = guards.residual_suffix(event.guard, &**lazy)?;
            }
        }
        Ok(guards)
    }

    /// Groups events by their tops. `counted` keeps equal events apart; otherwise events without
    /// effect are left out as well.
    pub(crate) fn group_by_top(&mut self, counted: bool) -> Result<(), Interrupted> {
        self.still = (0..self.events.len()).filter(|&event| self.is_test(self.events[event])).collect();
        let acting = self.events.iter().copied().filter(|&suffix| suffix != NO_SUFFIX);
        let grouped = acting.filter(|&suffix| counted || !self.is_test(suffix));
        let mut members: Vec<(u32, u32)> =
            grouped.map(|suffix| (self.suffixes[suffix as usize].level, suffix)).collect();
        members.sort_unstable();
        let mut set = Vec::new();
        for same_top in members.chunk_by(|a, b| a.0 == b.0) {
            set.clear();
            set.extend(same_top.iter().map(|&(_, suffix)| (suffix, 1)));
            normalise(&mut set, counted);
            self.tops[same_top[0].0 as usize] = self.group(&set, counted)?;
        }
        self.rows.reserve(FIRST_ROOM as usize * self.groups.len());
        self.steps.reserve(self.groups.len());
        Ok(())
    }

    /// The number of events without any action: always enabled, never a change.
    pub(crate) fn empty_event_count(&self) -> usize {
        self.events.iter().filter(|&&suffix| suffix == NO_SUFFIX).count()
    }

    /// The number of events.
    pub fn event_count(&self) -> usize {
        self.events.len()
    }

    /// The number of groups made so far.
    pub fn group_count(&self) -> usize {
        self.groups.len()
    }

    /// The group of the events whose top is `level`.
    #[inline]
    pub fn top_group(&self, level: u32) -> GroupId {
        self.tops[level as usize]
    }

    /// The group of one event alone.
    pub(crate) fn event_group(&mut self, event: usize) -> Result<GroupId, Interrupted> {
        self.group(&[(self.events[event], 1)], false)
    }

    /// The highest level on which an event acts; 0 if it acts nowhere.
    pub fn event_top(&self, event: usize) -> u32 {
        self.suffixes[self.events[event] as usize].level
    }

    /// The highest level on which a group acts.
    #[inline]
    pub fn level(&self, group: GroupId) -> u32 {
        self.groups[group.0 as usize].level
    }

    /// How often the identity stands in a group of level 0.
    pub(crate) fn multiplicity(&self, group: GroupId) -> u32 {
        self.groups[group.0 as usize].multiplicity
    }

    /// The step at a position of a row: the code reached, and what remains to be done below.
    #[inline]
    pub fn step_at(&self, position: u32) -> (u32, GroupId) {
        self.steps[position as usize]
    }

    /// The steps of `group`, at its level, from `code`.
    #[inline]
    pub(crate) fn row(
        &mut self,
        group: GroupId,
        code: u32,
        domains: &mut [Domain],
        lazy: &mut Lazy,
    ) -> Result<Row, Interrupted> {
        let RowSpan { first, room } = self.row_spans[group.0 as usize];
        if code < room {
            let row = self.rows[(first + code) as usize];
            if row.first != u32::MAX {
                return Ok(row);
            }
        }
        self.compute_row(group, code, domains, lazy)
    }

    #[cold]
    fn compute_row(
        &mut self,
        group: GroupId,
        code: u32,
        domains: &mut [Domain],
        lazy: &mut Lazy,
    ) -> Result<Row, Interrupted> {
        let Group { level, first_arc, arc_count, .. } = self.groups[group.0 as usize];
        let first = self.steps.len() as u32;
        for position in first_arc..first_arc + arc_count {
            let (action, subgroup) = self.arcs[position as usize];
            if action == RESIDUAL {
                self.push_lazy_steps(subgroup.0, code, &mut domains[level as usize], lazy)?;
                continue;
            }
            match apply(&self.actions[action as usize], code, &mut domains[level as usize])? {
                Applied::Disabled => {}
                // Every test of an event that leads to a value that cannot be held was passed.
                Applied::To(_) | Applied::Beyond if subgroup == FAILS => return Err(Interrupted::Overflow),
                Applied::To(to) => self.steps.push((to, subgroup)),
                // What lies below decides whether the event is enabled at all.
                Applied::Beyond => {
                    let subgroup = self.failing_group(subgroup)?;
                    if subgroup == FAILS {
                        return Err(Interrupted::Overflow);
                    }
                    self.steps.push((NOWHERE, subgroup));
                }
            }
        }
        let row = Row { first, end: u32::try_from(self.steps.len()).map_err(|_| Interrupted::Overflow)? };
        if code >= self.row_spans[group.0 as usize].room {
            self.make_room_for_row(group, code)?;
        }
        self.rows[(self.row_spans[group.0 as usize].first + code) as usize] = row;
        Ok(row)
    }

    /// The group that tests what `group` tests, changes nothing, and fails where all tests are
    /// passed.
    fn failing_group(&mut self, group: GroupId) -> Result<GroupId, Interrupted> {
        let Group { level, first_arc, arc_count, .. } = self.groups[group.0 as usize];
        if level == 0 {
            return Ok(FAILS);
        }
        if let Some(&known) = self.failing_groups.get(&group) {
            return Ok(known);
        }
        let mut arcs = Vec::new();
        for position in first_arc..first_arc + arc_count {
            let (action, subgroup) = self.arcs[position as usize];
            // Residuals are events of their own: none is what remains of a list of actions.
            debug_assert_ne!(action, RESIDUAL);
            arcs.push((action, if subgroup == FAILS { FAILS } else { self.failing_group(subgroup)? }));
        }
        let id = self.push_group(level, 0, arcs)?;
        self.failing_groups.insert(group, id);
        Ok(id)
    }

    /// Appends the steps of a residual from `code`.
    fn push_lazy_steps(
        &mut self,
        residual: u32,
        code: u32,
        domain: &mut Domain,
        lazy: &mut Lazy,
    ) -> Result<(), Interrupted> {
        let Some(lazy) = lazy else { return Ok(()) };
        let mut found = Vec::new();
        lazy.steps(residual, code, domain, &mut found)?;
        for (to, below) in found {
            let group = self.residual_group(below, &**lazy)?;
            self.steps.push((to, group));
        }
        Ok(())
    }

    /// Moves the rows of `group` to the end of all rows, with room for `code` and, so that this
    /// happens seldom, for twice as many codes as before.
    fn make_room_for_row(&mut self, group: GroupId, code: u32) -> Result<(), Interrupted> {
        let RowSpan { first: old, room: old_room } = self.row_spans[group.0 as usize];
        let room = (code + 1).max(old_room.saturating_mul(2)).max(FIRST_ROOM);
        let first = self.rows.len();
        u32::try_from(first + room as usize).map_err(|_| Interrupted::Overflow)?;
        self.rows.extend_from_within(old as usize..(old + old_room) as usize);
        self.rows.resize(first + room as usize, NO_ROW);
        self.row_spans[group.0 as usize] = RowSpan { first: first as u32, room };
        Ok(())
    }

    /// The numbers of the events that change nothing wherever they are enabled.
    pub(crate) fn still_events(&self) -> &[usize] {
        &self.still
    }

    /// Makes the steps of `group` that leave codes below `end` known to [`Relation::back_step`].
    pub(crate) fn learn_back(
        &mut self,
        group: GroupId,
        end: u32,
        domains: &mut [Domain],
        lazy: &mut Lazy,
    ) -> Result<(), Interrupted> {
        let number = group.0 as usize;
        if self.back_rows.len() <= number {
            self.back_rows.resize_with(self.groups.len(), BackRows::default);
        }
        for from in self.back_rows[number].end..end {
            let row = match self.row(group, from, domains, lazy) {
                // Codes that no state has lie between those that some state has; a step that leaves
                // the range of values leaves such a code, or exploring would have failed.
                Err(Interrupted::Overflow) => continue,
                row => row?,
            };
            for position in row.first..row.end {
                let (to, rest) = self.steps[position as usize];
                if to == NOWHERE {
                    continue;
                }
                let steps = &mut self.back_rows[number].steps;
                if steps.len() <= to as usize {
                    steps.resize_with(to as usize + 1, Vec::new);
                }
                steps[to as usize].push((from, rest));
            }
        }
        let known = &mut self.back_rows[number].end;
        *known = end.max(*known);
        Ok(())
    }

    /// The known steps of `group` that lead to `code` from codes that are `from` at least: the
    /// first one's number.
    #[inline]
    pub(crate) fn first_back_step(&self, group: GroupId, code: u32, from: u32) -> usize {
        let steps = self.back_rows[group.0 as usize].steps.get(code as usize);
        steps.map_or(0, |steps| steps.partition_point(|step| step.0 < from))
    }

    /// The known step of `group` with this number among those that lead to `code`: where it comes
    /// from, and what remains to be done below.
    #[inline]
    pub(crate) fn back_step(&self, group: GroupId, code: u32, number: usize) -> Option<(u32, GroupId)> {
        self.back_rows[group.0 as usize].steps.get(code as usize)?.get(number).copied()
    }

    fn is_test(&self, mut suffix: u32) -> bool {
        while suffix != NO_SUFFIX {
            let Suffix { action, rest, .. } = self.suffixes[suffix as usize];
            // A residual may change something further down.
            if action == RESIDUAL || !self.actions[action as usize].is_test() {
                return false;
            }
            suffix = rest;
        }
        true
    }

    /// The group of a normalised, non-empty (multi)set of suffixes.
    fn group(&mut self, set: &[(u32, u32)], counted: bool) -> Result<GroupId, Interrupted> {
        // Recall.
        if let [(suffix, 1)] = *set {
            let known = self.single_groups[suffix as usize];
            if known != GroupId::NONE {
                return Ok(known);
            }
        } else if let Some(&known) = self.group_ids.get(set) {
            return Ok(known);
        }

        // Split by the action at the highest level. One suffix alone, the common case, needs no
        // lists.
        let level = set.iter().map(|(suffix, _)| self.suffixes[*suffix as usize].level).max().unwrap_or(0);
        let multiplicity = if level == 0 { set[0].1 } else { 0 };
        let (mut single, mut several) = (None, Vec::new());
        if let ([(suffix, count)], 1..) = (set, level) {
            let Suffix { action, rest, .. } = self.suffixes[*suffix as usize];
            if action == RESIDUAL {
                several = vec![(action, GroupId(rest)); *count as usize];
            } else {
                single = Some((action, self.group(&[(rest, *count)], counted)?));
            }
        } else if level > 0 {
            several = self.split(set, level, counted)?;
        }

        // Build and remember.
        let id = self.push_group(level, multiplicity, single.into_iter().chain(several))?;
        if let [(suffix, 1)] = *set {
            self.single_groups[suffix as usize] = id;
        } else {
            self.group_ids.insert(set.into(), id);
        }
        Ok(id)
    }

    /// Appends a group.
    fn push_group(
        &mut self,
        level: u32,
        multiplicity: u32,
        arcs: impl IntoIterator<Item = (u32, GroupId)>,
    ) -> Result<GroupId, Interrupted> {
        let id = GroupId(self.groups.len() as u32);
        if id.0 > Key::LARGEST_SMALL {
            return Err(Interrupted::Overflow);
        }
        let first_arc = self.arcs.len() as u32;
        self.arcs.extend(arcs);
        let arc_count = self.arcs.len() as u32 - first_arc;
        self.groups.push(Group { level, multiplicity, first_arc, arc_count });
        self.row_spans.push(RowSpan::default());
        Ok(id)
    }

    /// The arcs of a group at its level: one for each action, and one for what acts only further
    /// down.
    fn split(
        &mut self,
        set: &[(u32, u32)],
        level: u32,
        counted: bool,
    ) -> Result<Vec<(u32, GroupId)>, Interrupted> {
        let mut arcs = Vec::new();
        let mut by_action: Vec<(u32, (u32, u32))> = Vec::with_capacity(set.len());
        let mut lower = Vec::new();
        for &(suffix, count) in set {
            let Suffix { level: here, action, rest } = self.suffixes[suffix as usize];
            if here == level && action == RESIDUAL {
                arcs.extend(std::iter::repeat_n((action, GroupId(rest)), count as usize));
            } else if here == level {
                by_action.push((action, (rest, count)));
            } else {
                lower.push((suffix, count));
            }
        }
        by_action.sort_unstable();
        let mut rests: Vec<(u32, u32)> = Vec::new();
        for same in by_action.chunk_by(|a, b| a.0 == b.0) {
            rests.clear();
            rests.extend(same.iter().map(|(_, rest)| *rest));
            normalise(&mut rests, counted);
            arcs.push((same[0].0, self.group(&rests, counted)?));
        }
        if !lower.is_empty() {
            let keep = self.intern_action(&Action::Keep)?;
            arcs.push((keep, self.group(&lower, counted)?));
        }
        Ok(arcs)
    }

    fn intern_action(&mut self, action: &Action) -> Result<u32, Interrupted> {
        if let Some(&known) = self.action_ids.get(action) {
            return Ok(known);
        }
        let id = self.actions.len() as u32;
        self.actions.push(action.clone());
        self.action_ids.insert(action.clone(), id);
        Ok(id)
    }

    fn intern_suffix(&mut self, suffix: Suffix) -> Result<u32, Interrupted> {
        self.suffix_table.grow_if_full(&self.suffixes);
        let slot = match self.suffix_table.find(&self.suffixes, suffix) {
            Ok(known) => return Ok(known),
            Err(slot) => slot,
        };
        let id = u32::try_from(self.suffixes.len()).map_err(|_| Interrupted::Overflow)?;
        self.suffixes.push(suffix);
        self.single_groups.push(GroupId::NONE);
        self.suffix_table.slots[slot] = id;
        Ok(id)
    }
}

/// Finds suffixes by what they are: open addressing over their numbers alone, a quarter of the
/// memory of a hash map that holds them, too.
#[derive(Debug, Default)]
struct SuffixTable {
    /// A power of two of them.
    slots: Vec<u32>,
}

impl SuffixTable {
    const FEWEST_SLOTS: usize = 64;
    const FREE: u32 = u32::MAX;

    /// Makes room for `count` suffixes in an empty table.
    fn reserve(&mut self, count: usize) {
        let slot_count = (count + count / 3).next_power_of_two().max(SuffixTable::FEWEST_SLOTS);
        self.slots = vec![SuffixTable::FREE; slot_count];
    }

    /// The number of a suffix, or the slot in which it belongs.
    fn find(&self, suffixes: &[Suffix], suffix: Suffix) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = FxBuildHasher.hash_one(suffix) as usize & mask;
        loop {
            let known = self.slots[slot];
            if known == SuffixTable::FREE {
                return Err(slot);
            }
            if suffixes[known as usize] == suffix {
                return Ok(known);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Makes sure that a quarter of the slots is free.
    fn grow_if_full(&mut self, suffixes: &[Suffix]) {
        if suffixes.len() * 4 < self.slots.len() * 3 {
            return;
        }
        self.slots = vec![SuffixTable::FREE; (self.slots.len() * 2).max(SuffixTable::FEWEST_SLOTS)];
        for (number, &suffix) in suffixes.iter().enumerate().skip(1) {
            if let Err(slot) = self.find(suffixes, suffix) {
                self.slots[slot] = number as u32;
            }
        }
    }
}

/// Sorts a multiset and joins equal members: their counts add up, or stay 1 in a plain set.
fn normalise(set: &mut Vec<(u32, u32)>, counted: bool) {
    set.sort_unstable();
    set.dedup_by(|later, earlier| {
        let equal = later.0 == earlier.0;
        if equal && counted {
            earlier.1 += later.1;
        }
        equal
    });
}

/// Where `action` leads from `code`, if it is enabled there.
fn apply(action: &Action, code: u32, domain: &mut Domain) -> Result<Applied, Interrupted> {
    let (at_least, at_most) = match action {
        Action::Keep => return Ok(Applied::To(code)),
        Action::Map(steps) => {
            let found = steps.binary_search_by_key(&code, |step| step.0);
            return Ok(found.map_or(Applied::Disabled, |position| Applied::To(steps[position].1)));
        }
        Action::Shift { at_least, at_most, .. } | Action::Assign { at_least, at_most, .. } => {
            (*at_least, *at_most)
        }
    };
    let value = domain.value(code);
    if value < at_least || value > at_most {
        return Ok(Applied::Disabled);
    }
    let next = match action {
        Action::Shift { delta, .. } => match value.checked_add_signed(*delta) {
            Some(next) if next <= i64::MAX as u64 => next,
            _ => return Ok(Applied::Beyond),
        },
        Action::Assign { to, .. } => *to,
        Action::Keep | Action::Map(_) => value,
    };
    domain.code(next).map(Applied::To)
}

/// What an action makes of a code.
enum Applied {
    /// Its test fails.
    Disabled,
    /// The code it leads to.
    To(u32),
    /// It leads to a value that cannot be held.
    Beyond,
}
