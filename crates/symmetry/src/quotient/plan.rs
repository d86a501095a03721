//! The transitions of a net, prepared for firing: in which order variables are bound, and what can
//! be tested when.

use super::shape::Shape;
use super::term::Term;
use symbolon_coloured::{Arc, ClassId, Guard, MemberTerm, Net, VariableId};

/// A transition.
pub(crate) struct Plan {
    /// Its variables, in the order in which they are bound.
    pub(crate) steps: Vec<StepPlan>,
    /// Conditions without variables.
    pub(crate) is_possible: bool,
    pub(crate) arcs: Vec<PlannedArc>,
    /// Single tuples that must be marked.
    pub(crate) patterns: Vec<Pattern>,
    /// Patterns without variables.
    pub(crate) constant_patterns: Vec<usize>,
}

/// The binding of one variable.
pub(crate) struct StepPlan {
    pub(crate) variable: VariableId,
    pub(crate) class: ClassId,
    pub(crate) is_free: bool,
    /// A pattern and a position in it where the variable stands: only what is marked there can be
    /// bound.
    pub(crate) driver: Option<(usize, usize)>,
    /// Patterns whose last variable this is.
    pub(crate) complete: Vec<usize>,
    /// Parts of the guard whose last variable this is.
    pub(crate) guards: Vec<Guard>,
}

/// An arc.
pub(crate) struct PlannedArc {
    pub(crate) kind: ArcKind,
    pub(crate) place: u32,
    pub(crate) term: Term,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum ArcKind {
    Input,
    Read,
    Inhibitor,
    Reset,
    Output,
}

/// A tuple that must be marked.
pub(crate) struct Pattern {
    pub(crate) place: u32,
    pub(crate) members: Vec<MemberTerm>,
    pub(crate) count: u64,
}

impl Plan {
    pub(crate) fn new(net: &Net, shape: &Shape, transition: &symbolon_coloured::Transition) -> Plan {
        let arcs: Vec<PlannedArc> = transition
            .arcs
            .iter()
            .map(|arc| {
                let place = arc.place().0;
                let kind = match arc {
                    Arc::Input { .. } => ArcKind::Input,
                    Arc::Read { .. } => ArcKind::Read,
                    Arc::Inhibitor { .. } => ArcKind::Inhibitor,
                    Arc::Reset { .. } => ArcKind::Reset,
                    Arc::Output { .. } => ArcKind::Output,
                };
                PlannedArc { kind, place, term: Term::new(net, shape, place, arc.tokens()) }
            })
            .collect();
        let mut patterns = Vec::new();
        for arc in arcs.iter().filter(|arc| matches!(arc.kind, ArcKind::Input | ArcKind::Read)) {
            for point in arc.term.points().iter().filter(|point| point.count > 0) {
                let members = point.members.clone();
                patterns.push(Pattern { place: arc.place, members, count: point.count });
            }
        }
        let mut plan =
            Plan { steps: Vec::new(), is_possible: true, arcs, patterns, constant_patterns: Vec::new() };
        let mut conjuncts = Vec::new();
        add_conjuncts(&transition.guard, &mut conjuncts);
        plan.order_variables(net, shape, transition.variables(), conjuncts);
        plan
    }

    /// Binds the variables of one pattern after the other, each time of that with the fewest
    /// unbound ones; then those that stand in no pattern.
    fn order_variables(
        &mut self,
        net: &Net,
        shape: &Shape,
        mut unbound: Vec<VariableId>,
        mut guards: Vec<Guard>,
    ) {
        let variables_of = |pattern: &Pattern| -> Vec<(usize, VariableId)> {
            let of = |(position, member): (usize, &MemberTerm)| match member {
                MemberTerm::Variable { variable, .. } => Some((position, *variable)),
                MemberTerm::Constant { .. } => None,
            };
            pattern.members.iter().enumerate().filter_map(of).collect()
        };
        let mut waiting: Vec<usize> = (0..self.patterns.len()).collect();
        loop {
            let is_bound = |unbound: &[VariableId], guard: &Guard| {
                let mut is_bound = true;
                guard.visit_variables(&mut |variable| is_bound &= !unbound.contains(&variable));
                is_bound
            };
            let missing = |unbound: &[VariableId], pattern: usize| {
                let variables = variables_of(&self.patterns[pattern]);
                variables.iter().filter(|(_, variable)| unbound.contains(variable)).count()
            };
            // What is complete now goes to the last step.
            let (complete, rest): (Vec<usize>, Vec<usize>) =
                waiting.iter().partition(|&&pattern| missing(&unbound, pattern) == 0);
            waiting = rest;
            let (decided, open): (Vec<Guard>, Vec<Guard>) =
                guards.into_iter().partition(|guard| is_bound(&unbound, guard));
            guards = open;
            match self.steps.last_mut() {
                Some(step) => {
                    step.complete = complete;
                    step.guards = decided;
                }
                None => {
                    self.constant_patterns = complete;
                    // There are no variables to ask for.
                    self.is_possible = decided.iter().all(|guard| guard.holds(net, &|_| 0));
                }
            }
            if unbound.is_empty() {
                return;
            }
            let next = waiting.iter().copied().min_by_key(|&pattern| missing(&unbound, pattern));
            let driven = next.and_then(|pattern| {
                let variables = variables_of(&self.patterns[pattern]);
                let (position, variable) =
                    variables.into_iter().find(|(_, variable)| unbound.contains(variable))?;
                Some((variable, (pattern, position)))
            });
            let (variable, driver) = match driven {
                Some((variable, driver)) => (variable, Some(driver)),
                None => (unbound[0], None),
            };
            unbound.retain(|other| *other != variable);
            let class = net.variables[variable.index()].class;
            self.steps.push(StepPlan {
                variable,
                class,
                is_free: !shape.classes[class.index()].static_of.is_empty(),
                driver,
                complete: Vec::new(),
                guards: Vec::new(),
            });
        }
    }
}

/// Adds the operands of a conjunction.
pub(crate) fn add_conjuncts(guard: &Guard, out: &mut Vec<Guard>) {
    match guard {
        Guard::And(guards) => guards.iter().for_each(|guard| add_conjuncts(guard, out)),
        Guard::Constant(true) => {}
        _ => out.push(guard.clone()),
    }
}
