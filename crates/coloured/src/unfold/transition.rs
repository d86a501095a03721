//! Transitions, made ready for the join: their independent parts, and what each of these needs and
//! puts.
//!
//! Two variables of a transition *depend* on each other if one term of an input, read or output arc,
//! or one conjunct of the guard, mentions both. The classes of dependent variables are the
//! *components* of the transition. Its bindings are all combinations of bindings of its components,
//! so the join works on components alone: a transition with `n` independent variables over `c`
//! colours costs `n · c` steps instead of `c^n`, and the number of its bindings is a product.
//!
//! What mentions no variable belongs to the first component, which has none.

use super::conjuncts::conjuncts;
use super::constant_places::ConstantPlaces;
use super::pattern::{Condition, Pattern};
use super::plan::{Parts, Plan};
use super::slot_term::SlotTerm;
use super::tokens::TokenTable;
use crate::arc::Arc;
use crate::ids::{PlaceId, VariableId};
use crate::net::{Net, Transition};

/// Of the terms at one place, those beyond this number only have to be known once all variables are
/// bound, unless they bind variables themselves.
const MOST_PATTERNS_OF_PLACE: usize = 4;

/// The same for all terms of a component. Each pattern has a plan with all others in it.
const MOST_PATTERNS: usize = 16;

/// A transition that is ready for the join.
pub(super) struct PreparedTransition {
    /// The variables of a binding, ascending; their positions are the slots.
    pub(super) variables: Vec<VariableId>,
    /// The sizes of their classes.
    pub(super) sizes: Vec<u32>,
    /// The components; the first one has no slots.
    pub(super) components: Vec<Component>,
    /// The arcs that its instances have: those at constant places are conditions instead.
    pub(super) arcs: Vec<(Arc, SlotTerm)>,
}

/// Slots of a transition that depend on each other.
pub(super) struct Component {
    /// The slots, ascending.
    pub(super) slots: Vec<u32>,
    pub(super) patterns: Vec<Pattern>,
    pub(super) conditions: Vec<Condition>,
    /// Tokens that must be known once the slots are bound.
    pub(super) needs: Vec<(PlaceId, SlotTerm)>,
    /// What must be true of the tokens of constant places.
    pub(super) constant_tests: Vec<ConstantTest>,
    /// What is put.
    pub(super) outputs: Vec<(PlaceId, SlotTerm)>,
    /// The patterns from which a binding is found when a token is joined, with their plans.
    pub(super) starts: Vec<(usize, Plan)>,
    /// The plan that runs once, if no token starts one.
    pub(super) initial: Option<Plan>,
}

/// A condition on the tokens of a constant place.
pub(super) struct ConstantTest {
    pub(super) place: PlaceId,
    pub(super) term: SlotTerm,
    /// Whether there must be fewer tokens than the term says, rather than as many.
    pub(super) is_inhibitor: bool,
}

impl PreparedTransition {
    pub(super) fn new(
        net: &Net,
        transition: &Transition,
        constant: &ConstantPlaces,
        tokens: &mut TokenTable,
    ) -> PreparedTransition {
        let variables = transition.variables();
        let sizes: Vec<u32> =
            variables.iter().map(|&variable| net.class_of(variable).size() as u32).collect();
        let arcs: Vec<(Arc, SlotTerm)> = transition
            .arcs
            .iter()
            .map(|arc| (arc.clone(), SlotTerm::new(net, arc.tokens(), &variables)))
            .collect();
        let conditions: Vec<Condition> = conjuncts(&transition.guard)
            .into_iter()
            .map(|guard| Condition::new(net, &guard, &variables))
            .collect();
        let constant_tests = constant_tests(&arcs, constant);

        // Which slots depend on each other.
        let mut groups = Groups::new(variables.len());
        for condition in &conditions {
            groups.join(&condition.slots);
        }
        for test in &constant_tests {
            groups.join(&test.term.slots());
        }
        for (arc, term) in &arcs {
            match arc {
                Arc::Input { .. } | Arc::Read { .. } | Arc::Output { .. } => {
                    term.summands().iter().for_each(|summand| groups.join(&summand.slots()));
                }
                // They are looked at when all slots are bound.
                Arc::Inhibitor { .. } | Arc::Reset { .. } => {}
            }
        }
        let mut components = vec![Component::new(Vec::new())];
        components.extend(groups.lists().into_iter().map(Component::new));
        let component_of = |slots: &[u32]| match slots.first() {
            Some(slot) => components.iter().position(|component| component.slots.contains(slot)).unwrap_or(0),
            None => 0,
        };

        // What each component needs and puts.
        let of_condition: Vec<usize> =
            conditions.iter().map(|condition| component_of(&condition.slots)).collect();
        let of_test: Vec<usize> =
            constant_tests.iter().map(|test| component_of(&test.term.slots())).collect();
        let mut of_term = Vec::new();
        for (arc, term) in &arcs {
            for summand in term.summands() {
                of_term.push((component_of(&summand.slots()), arc, summand.clone()));
            }
        }
        for (condition, component) in conditions.into_iter().zip(of_condition) {
            components[component].conditions.push(condition);
        }
        for (test, component) in constant_tests.into_iter().zip(of_test) {
            components[component].constant_tests.push(test);
        }
        for (component, arc, term) in of_term {
            match arc {
                Arc::Input { place, .. } | Arc::Read { place, .. } => {
                    components[component].need(net, *place, term);
                }
                Arc::Output { place, .. } if constant.is_constant(*place) => {}
                Arc::Output { place, .. } => components[component].outputs.push((*place, term)),
                Arc::Inhibitor { .. } | Arc::Reset { .. } => {}
            }
        }
        for component in &mut components {
            component.plan(&sizes, constant, tokens);
        }
        let arcs = arcs.into_iter().filter(|(arc, _)| !constant.is_constant(arc.place())).collect();
        PreparedTransition { variables, sizes, components, arcs }
    }
}

impl Component {
    fn new(slots: Vec<u32>) -> Component {
        Component {
            slots,
            patterns: Vec::new(),
            conditions: Vec::new(),
            needs: Vec::new(),
            constant_tests: Vec::new(),
            outputs: Vec::new(),
            starts: Vec::new(),
            initial: None,
        }
    }

    /// Notes that the tokens of a term must be known.
    fn need(&mut self, net: &Net, place: PlaceId, term: SlotTerm) {
        let domain = &net.places[place.index()].domain;
        let first_size = net.classes[domain.0[0].index()].size();
        let is_colour = matches!(term, SlotTerm::Colour(_));
        let members = term.representative(first_size).filter(|members| members.len() == domain.0.len());
        let slots = term.slots();
        let same_place = self.patterns.iter().filter(|pattern| pattern.place == place).count();
        let is_crowded = same_place >= MOST_PATTERNS_OF_PLACE || self.patterns.len() >= MOST_PATTERNS;
        let binds_nothing = slots.iter().all(|&slot| self.patterns.iter().any(|pattern| pattern.has(slot)));
        // What mentions no variable needs no search.
        let is_left_to_the_end = slots.is_empty() || (is_crowded && binds_nothing);
        if !is_colour || is_left_to_the_end {
            self.needs.push((place, term));
        }
        if let Some(members) = members
            && !is_left_to_the_end
            && !self.patterns.iter().any(|pattern| pattern.place == place && pattern.members == members)
        {
            self.patterns.push(Pattern { place, members });
        }
    }

    fn plan(&mut self, sizes: &[u32], constant: &ConstantPlaces, tokens: &mut TokenTable) {
        let slots: Vec<(u32, u32)> = self.slots.iter().map(|&slot| (slot, sizes[slot as usize])).collect();
        let parts = Parts { patterns: &self.patterns, conditions: &self.conditions, slots: &slots };
        let mut starts = Vec::new();
        for (number, pattern) in self.patterns.iter().enumerate() {
            if !constant.is_constant(pattern.place) {
                starts.push((number, Plan::new(&parts, Some(number), sizes.len(), tokens)));
            }
        }
        if starts.is_empty() {
            self.initial = Some(Plan::new(&parts, None, sizes.len(), tokens));
        }
        self.starts = starts;
    }
}

/// What the arcs at constant places ask of the tokens there.
fn constant_tests(arcs: &[(Arc, SlotTerm)], constant: &ConstantPlaces) -> Vec<ConstantTest> {
    let mut tests: Vec<ConstantTest> = Vec::new();
    // Input arcs at one place add up; arcs are in the order of their places (COL-6).
    let mut inputs: Vec<(PlaceId, Vec<SlotTerm>)> = Vec::new();
    for (arc, term) in arcs {
        let place = arc.place();
        if !constant.is_constant(place) {
            continue;
        }
        match arc {
            Arc::Input { .. } => match inputs.last_mut() {
                Some((last, terms)) if *last == place => terms.push(term.clone()),
                _ => inputs.push((place, vec![term.clone()])),
            },
            Arc::Read { .. } => {
                tests.push(ConstantTest { place, term: term.clone(), is_inhibitor: false });
            }
            Arc::Inhibitor { .. } => {
                tests.push(ConstantTest { place, term: term.clone(), is_inhibitor: true });
            }
            Arc::Reset { .. } | Arc::Output { .. } => {}
        }
    }
    for (place, mut terms) in inputs {
        let term = if terms.len() == 1 { terms.remove(0) } else { SlotTerm::Sum(terms) };
        tests.push(ConstantTest { place, term, is_inhibitor: false });
    }
    // One colour, once, is there if it is known at all.
    tests.retain(|test| test.is_inhibitor || !matches!(test.term, SlotTerm::Colour(_)));
    tests
}

/// Disjoint sets of slots.
struct Groups {
    of: Vec<usize>,
}

impl Groups {
    fn new(count: usize) -> Groups {
        Groups { of: (0..count).collect() }
    }

    /// Makes these slots one group. There are few, so groups are simply renamed.
    fn join(&mut self, slots: &[u32]) {
        let Some((&first, rest)) = slots.split_first() else { return };
        for &slot in rest {
            let (from, to) = (self.of[slot as usize], self.of[first as usize]);
            self.of.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
        }
    }

    /// The groups, each ascending, in the order of their first slots.
    fn lists(&self) -> Vec<Vec<u32>> {
        let mut lists: Vec<(usize, Vec<u32>)> = Vec::new();
        for (slot, &group) in self.of.iter().enumerate() {
            match lists.iter_mut().find(|(known, _)| *known == group) {
                Some((_, list)) => list.push(slot as u32),
                None => lists.push((group, vec![slot as u32])),
            }
        }
        lists.into_iter().map(|(_, list)| list).collect()
    }
}
