//! The join: which colours can be marked, and under which bindings each component of a transition
//! can take part in a firing, if tokens are never used up.
//!
//! Tokens are joined one by one (semi-naive evaluation). A token is matched with each pattern of its
//! place in turn, and the other patterns of the component with tokens joined before; patterns in
//! front of the first one must not match the token itself, so every binding is found exactly once,
//! when the last of its tokens is joined.
//!
//! A binding may need tokens that no pattern looked for (`all` on an input arc, a difference). It
//! then waits for one that is not known yet; when that one is discovered, it waits for the next.

use super::UnfoldError;
use super::plan::{Action, Plan, Step};
use super::slot_term::{SlotTerm, TooManyColours, colour_code, unshifted};
use super::tokens::{Charge, TokenTable};
use super::transition::{Component, PreparedTransition};
use crate::ids::PlaceId;
use rustc_hash::FxHashMap;
use symbolon_budget::{Budget, Interrupted, Meter};

/// What the join found.
pub(super) struct Joined {
    /// For each transition and each of its components: the bindings.
    pub(super) rows: Vec<Vec<Rows>>,
    /// For each place: the codes of the colours that can be marked, ascending.
    pub(super) codes: Vec<Vec<u64>>,
}

/// The bindings of a component: a value for each of its slots, one binding after the other.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) values: Vec<u32>,
    pub(super) count: u64,
}

/// The initial tokens of each place, ascending by code.
pub(super) type InitialTokens = Vec<Vec<(u64, u64)>>;

/// Which component of which transition.
type ComponentId = (usize, usize);

/// A binding that waits for a token.
struct Waiting {
    component: ComponentId,
    row: Box<[u32]>,
    /// The tokens that may still be unknown, the awaited one last.
    needs: Vec<(PlaceId, u64)>,
}

/// The state of a join.
pub(super) struct Join<'j> {
    transitions: &'j [PreparedTransition],
    initial: &'j InitialTokens,
    tokens: TokenTable,
    rows: Vec<Vec<Rows>>,
    /// Of each transition, the components without binding so far.
    empty_components: Vec<usize>,
    waiting: FxHashMap<(PlaceId, u64), Vec<Waiting>>,
    /// Bindings whose awaited token was discovered.
    awake: Vec<Waiting>,
    row_count: u64,
    limit: u64,
    meter: Meter,
    charge: Charge,
}

impl<'j> Join<'j> {
    pub(super) fn new(
        transitions: &'j [PreparedTransition],
        initial: &'j InitialTokens,
        tokens: TokenTable,
        limit: u64,
        budget: &Budget,
    ) -> Join<'j> {
        let rows =
            |transition: &PreparedTransition| transition.components.iter().map(|_| Rows::default()).collect();
        Join {
            transitions,
            initial,
            tokens,
            rows: transitions.iter().map(rows).collect(),
            empty_components: transitions.iter().map(|transition| transition.components.len()).collect(),
            waiting: FxHashMap::default(),
            awake: Vec::new(),
            row_count: 0,
            limit,
            meter: Meter::new(budget.clone()),
            charge: Charge::new(budget),
        }
    }

    /// Joins all tokens; those of constant places come first, and start nothing.
    pub(super) fn run(mut self, is_constant: impl Fn(PlaceId) -> bool) -> Result<Joined, UnfoldError> {
        let places: Vec<PlaceId> = (0..self.initial.len() as u32).map(PlaceId).collect();
        for &place in places.iter().filter(|place| is_constant(**place)) {
            for &(code, _) in &self.initial[place.index()] {
                self.meter.step()?;
                self.tokens.add(place, code)?;
                self.tokens.join_next()?;
            }
        }
        let mut found = Vec::new();
        for (number, transition) in self.transitions.iter().enumerate() {
            for (position, component) in transition.components.iter().enumerate() {
                if let Some(plan) = &component.initial {
                    self.search(transition, component, plan, None, &mut found)?;
                    self.accept_all((number, position), &mut found)?;
                }
            }
        }
        for &place in places.iter().filter(|place| !is_constant(**place)) {
            for &(code, _) in &self.initial[place.index()] {
                self.meter.step()?;
                self.discover(place, code)?;
                self.settle()?;
            }
        }
        let starts = self.starts_of_places();
        while let Some((number, place, code)) = self.tokens.next() {
            self.tokens.join_next()?;
            for &((transition, component), start) in &starts[place.index()] {
                let prepared = &self.transitions[transition];
                let part = &prepared.components[component];
                let (pattern, plan) = &part.starts[start];
                let from = Start { pattern: *pattern, number, place, code };
                self.search(prepared, part, plan, Some(from), &mut found)?;
                self.accept_all((transition, component), &mut found)?;
            }
        }
        Ok(Joined { rows: self.rows, codes: self.tokens.into_codes() })
    }

    /// For each place, the components that a token there can start.
    fn starts_of_places(&self) -> Vec<Vec<(ComponentId, usize)>> {
        let mut starts = vec![Vec::new(); self.initial.len()];
        for (number, transition) in self.transitions.iter().enumerate() {
            for (position, component) in transition.components.iter().enumerate() {
                for (start, (pattern, _)) in component.starts.iter().enumerate() {
                    let place = component.patterns[*pattern].place;
                    starts[place.index()].push(((number, position), start));
                }
            }
        }
        starts
    }

    /// Adds the bindings that a plan finds to `found`.
    fn search(
        &mut self,
        transition: &PreparedTransition,
        component: &Component,
        plan: &Plan,
        start: Option<Start>,
        found: &mut Vec<u32>,
    ) -> Result<(), UnfoldError> {
        let mut search = Search {
            component,
            plan,
            start,
            tokens: &self.tokens,
            initial: self.initial,
            meter: &mut self.meter,
            found,
            found_count: 0,
            most: self.limit.saturating_sub(self.row_count).saturating_add(1),
            limit: self.limit,
        };
        let mut binding = vec![0; transition.sizes.len()];
        search.run(&mut binding)?;
        // A component without slots has one binding, of no values; one marker stands for it.
        if component.slots.is_empty() && search.found_count > 0 {
            found.push(0);
        }
        Ok(())
    }

    /// Takes the bindings in `found`, and empties it.
    fn accept_all(&mut self, id: ComponentId, found: &mut Vec<u32>) -> Result<(), UnfoldError> {
        let component = &self.transitions[id.0].components[id.1];
        let width = component.slots.len();
        if width == 0 {
            if !found.is_empty() && self.rows[id.0][id.1].count == 0 {
                self.accept(id, &[])?;
            }
        } else {
            for row in found.chunks_exact(width) {
                self.accept(id, row)?;
            }
        }
        found.clear();
        self.settle()
    }

    fn accept(&mut self, id: ComponentId, row: &[u32]) -> Result<(), UnfoldError> {
        let transition = &self.transitions[id.0];
        let component = &transition.components[id.1];
        if !component.needs.is_empty() {
            let binding = spread(transition, component, row);
            let mut needs = Vec::new();
            for (place, term) in &component.needs {
                let codes = codes(term, &binding, self.limit)?;
                self.meter.words(codes.len())?;
                needs.extend(codes.into_iter().map(|(code, _)| (*place, code)));
            }
            needs.reverse();
            return self.wait(Waiting { component: id, row: row.into(), needs });
        }
        self.add_row(id, row)
    }

    /// Adds a binding if all its tokens are known, or lets it wait for one that is not.
    fn wait(&mut self, mut waiting: Waiting) -> Result<(), UnfoldError> {
        while let Some(&(place, code)) = waiting.needs.last() {
            if self.tokens.number(place, code).is_none() {
                self.charge.add(64 + 16 * waiting.needs.len() as u64)?;
                waiting.needs.shrink_to_fit();
                self.waiting.entry((place, code)).or_default().push(waiting);
                return Ok(());
            }
            waiting.needs.pop();
        }
        self.add_row(waiting.component, &waiting.row)
    }

    fn add_row(&mut self, id: ComponentId, row: &[u32]) -> Result<(), UnfoldError> {
        let rows = &mut self.rows[id.0][id.1];
        self.charge.add(4 * row.len() as u64)?;
        rows.values.extend_from_slice(row);
        rows.count += 1;
        self.row_count += 1;
        if self.row_count > self.limit {
            return Err(UnfoldError::too_many_transitions(u128::from(self.row_count), false));
        }
        if self.rows[id.0][id.1].count == 1 {
            self.empty_components[id.0] -= 1;
            if self.empty_components[id.0] == 0 {
                return self.open(id.0);
            }
        }
        if self.empty_components[id.0] == 0 { self.put(id, row) } else { Ok(()) }
    }

    /// Puts what all bindings found so far put: the transition can fire from now on.
    fn open(&mut self, transition: usize) -> Result<(), UnfoldError> {
        for position in 0..self.transitions[transition].components.len() {
            let width = self.transitions[transition].components[position].slots.len();
            if width == 0 {
                self.put((transition, position), &[])?;
                continue;
            }
            // Nothing adds rows meanwhile: bindings that wake are looked at later.
            let values = std::mem::take(&mut self.rows[transition][position].values);
            for row in values.chunks_exact(width) {
                self.put((transition, position), row)?;
            }
            self.rows[transition][position].values = values;
        }
        Ok(())
    }

    /// Discovers the tokens that a component puts under a binding.
    fn put(&mut self, id: ComponentId, row: &[u32]) -> Result<(), UnfoldError> {
        let transition = &self.transitions[id.0];
        let component = &transition.components[id.1];
        if component.outputs.is_empty() {
            return Ok(());
        }
        self.meter.step()?;
        let binding = spread(transition, component, row);
        for (place, term) in &component.outputs {
            if let SlotTerm::Colour(members) = term {
                self.discover(*place, colour_code(members, &binding))?;
                continue;
            }
            for (code, _) in codes(term, &binding, self.limit)? {
                self.meter.step()?;
                self.discover(*place, code)?;
            }
        }
        Ok(())
    }

    /// Looks again at the bindings whose awaited token was discovered. What they put may wake others,
    /// so this is a loop and no recursion.
    fn settle(&mut self) -> Result<(), UnfoldError> {
        while let Some(waiting) = self.awake.pop() {
            self.meter.step()?;
            self.wait(waiting)?;
        }
        Ok(())
    }

    /// Notes that a token can occur, and wakes the bindings that wait for it.
    fn discover(&mut self, place: PlaceId, code: u64) -> Result<(), UnfoldError> {
        if !self.tokens.add(place, code)? {
            return Ok(());
        }
        if self.tokens.len() as u64 > self.limit {
            return Err(UnfoldError::too_many_places(self.tokens.len() as u128));
        }
        if !self.waiting.is_empty() {
            self.awake.extend(self.waiting.remove(&(place, code)).unwrap_or_default());
        }
        Ok(())
    }
}

/// The token that a search starts from, and the pattern that it matches.
#[derive(Clone, Copy)]
struct Start {
    pattern: usize,
    number: u32,
    place: PlaceId,
    code: u64,
}

/// One run of a plan.
struct Search<'s> {
    component: &'s Component,
    plan: &'s Plan,
    start: Option<Start>,
    tokens: &'s TokenTable,
    initial: &'s InitialTokens,
    meter: &'s mut Meter,
    found: &'s mut Vec<u32>,
    found_count: u64,
    /// The search gives up at this number of bindings.
    most: u64,
    limit: u64,
}

/// A step that can be taken in several ways.
struct Choice<'s> {
    step: usize,
    /// The tokens that a pattern may match.
    candidates: &'s [u32],
    /// How many ways were taken.
    next: usize,
}

impl<'s> Search<'s> {
    /// Takes the steps of the plan, in all ways. Slots keep their values when the search goes back:
    /// the plan says which of them are bound at each step.
    fn run(&mut self, binding: &mut [u32]) -> Result<(), UnfoldError> {
        let mut choices: Vec<Choice<'s>> = Vec::new();
        let mut next = Some(0);
        loop {
            self.meter.step()?;
            next = match next {
                Some(step) => self.forward(step, binding, &mut choices)?,
                None if choices.is_empty() => return Ok(()),
                None => self.back(binding, &mut choices),
            };
        }
    }

    /// Takes one step; returns the next one, or `None` where the search must go back.
    fn forward(
        &mut self,
        step: usize,
        binding: &mut [u32],
        choices: &mut Vec<Choice<'s>>,
    ) -> Result<Option<usize>, UnfoldError> {
        let plan = self.plan;
        let goes_on = match plan.steps.get(step) {
            None => {
                self.complete(binding)?;
                false
            }
            Some(Step::Start { positions }) => {
                self.start.is_some_and(|start| self.matches(positions, start.place, start.code, binding))
            }
            Some(Step::Match { pattern, index, .. }) => {
                let members = &self.component.patterns[*pattern].members;
                let candidates = self.tokens.candidates(*index, members, binding);
                choices.push(Choice { step, candidates, next: 0 });
                false
            }
            Some(Step::Range { .. }) => {
                choices.push(Choice { step, candidates: &[], next: 0 });
                false
            }
            Some(Step::Exists { pattern }) => {
                let wanted = &self.component.patterns[*pattern];
                let number = self.tokens.number(wanted.place, colour_code(&wanted.members, binding));
                number.is_some_and(|number| number < self.tokens.joined && self.may_match(*pattern, number))
            }
            Some(Step::Assign { slot, value }) => {
                binding[*slot as usize] = value.value(binding);
                true
            }
            Some(Step::Test { condition }) => self.component.conditions[*condition].guard.holds(binding),
        };
        Ok(goes_on.then_some(step + 1))
    }

    /// Takes the next way of the last choice, or drops it; returns the step after it.
    fn back(&self, binding: &mut [u32], choices: &mut Vec<Choice<'s>>) -> Option<usize> {
        let choice = choices.last_mut()?;
        let plan = self.plan;
        match &plan.steps[choice.step] {
            Step::Match { pattern, positions, .. } => {
                let place = self.component.patterns[*pattern].place;
                while let Some(&number) = choice.candidates.get(choice.next) {
                    choice.next += 1;
                    if self.may_match(*pattern, number)
                        && self.matches(positions, place, self.tokens.code(number), binding)
                    {
                        return Some(choice.step + 1);
                    }
                }
            }
            Step::Range { slot, size } if choice.next < *size as usize => {
                binding[*slot as usize] = choice.next as u32;
                choice.next += 1;
                return Some(choice.step + 1);
            }
            _ => {}
        }
        choices.pop();
        None
    }

    /// Whether a pattern may match a token: those before the pattern that was started from must not
    /// match its token, or the binding would be found twice.
    fn may_match(&self, pattern: usize, number: u32) -> bool {
        self.start.is_none_or(|start| number != start.number || pattern > start.pattern)
    }

    /// Whether the members of a token fit; binds slots.
    fn matches(&self, positions: &[Action], place: PlaceId, code: u64, binding: &mut [u32]) -> bool {
        for (position, action) in positions.iter().enumerate() {
            match action {
                Action::Skip => {}
                Action::Bind { slot, shift, size } => {
                    let member = self.tokens.member(place, code, position);
                    binding[*slot as usize] = unshifted(member, *shift, *size);
                }
                Action::Check(member) => {
                    if self.tokens.member(place, code, position) != member.value(binding) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Notes a binding of all slots, if constant places allow it.
    fn complete(&mut self, binding: &[u32]) -> Result<(), UnfoldError> {
        for test in &self.component.constant_tests {
            let tokens = &self.initial[test.place.index()];
            let count_of = |code: u64| {
                tokens
                    .binary_search_by_key(&code, |(known, _)| *known)
                    .map_or(0, |position| tokens[position].1)
            };
            let holds = if test.is_inhibitor {
                // A colour that is not marked inhibits nothing.
                tokens.iter().all(|(code, count)| {
                    let limit = test.term.multiplicity(*code, binding);
                    limit == 0 || *count < limit
                })
            } else {
                codes(&test.term, binding, self.limit)?.iter().all(|(code, count)| count_of(*code) >= *count)
            };
            if !holds {
                return Ok(());
            }
        }
        self.found_count += 1;
        if self.found_count > self.most {
            let least = u128::from(self.limit) + 1;
            return Err(UnfoldError::too_many_transitions(least, false));
        }
        self.found.extend(self.component.slots.iter().map(|&slot| binding[slot as usize]));
        Ok(())
    }
}

/// A binding of all slots of a transition, of which those of one component have values.
fn spread(transition: &PreparedTransition, component: &Component, row: &[u32]) -> Vec<u32> {
    let mut binding = vec![0; transition.sizes.len()];
    for (&slot, &value) in component.slots.iter().zip(row) {
        binding[slot as usize] = value;
    }
    binding
}

fn codes(term: &SlotTerm, binding: &[u32], limit: u64) -> Result<Vec<(u64, u64)>, UnfoldError> {
    term.codes(binding, limit).map_err(|TooManyColours(count)| UnfoldError::too_many_places(count))
}

impl From<Interrupted> for UnfoldError {
    fn from(reason: Interrupted) -> Self {
        UnfoldError::Interrupted(reason)
    }
}
