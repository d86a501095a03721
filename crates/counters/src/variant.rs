//! Variants of a transition: which of its free variables are bound to one member.

use crate::cells::Cells;
use crate::policy::MOST_FREE_VARIABLES;
use crate::refusal::Refusal;
use symbolon_coloured::{
    Arc, ClassId, Guard, MemberTerm, MultisetTerm, Net, PlaceId, TransitionId, VariableId,
};

/// A transition together with a partition of its free variables: those in one part are bound to one
/// member, which has the *label* of the part, those in different parts to different members.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub(crate) transition: TransitionId,
    /// The variables of fixed classes.
    pub(crate) fixed: Vec<VariableId>,
    /// The variables of free classes, each with its label.
    pub(crate) free: Vec<(VariableId, u8)>,
    /// The class of each label.
    pub(crate) labels: Vec<ClassId>,
    /// Tokens that an enabled transition needs, each a single colour.
    pub(crate) patterns: Vec<Pattern>,
    /// The guard as a conjunction.
    pub(crate) conditions: Vec<(Guard, Vec<VariableId>)>,
}

/// A colour that a transition needs a token of.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub(crate) place: PlaceId,
    /// What stands at the positions of fixed classes.
    pub(crate) fixed: Vec<MemberTerm>,
    /// The label of the member at the position of the free class, if there is one.
    pub(crate) label: Option<u8>,
}

/// All variants of all transitions.
pub(crate) fn variants(net: &Net, cells: &Cells) -> Result<Vec<Variant>, Refusal> {
    let mut all = Vec::new();
    for id in net.transition_ids() {
        let transition = &net.transitions[id.index()];
        let class_of = |variable: &VariableId| net.variables[variable.index()].class;
        let (free, fixed): (Vec<_>, Vec<_>) =
            transition.variables().into_iter().partition(|variable| cells.is_free(class_of(variable)));
        let most = net.class_ids().map(|class| free.iter().filter(|one| class_of(one) == class).count());
        if most.max().unwrap_or(0) > MOST_FREE_VARIABLES {
            return Err(Refusal::TooManyVariables(id));
        }
        for (labelled, labels) in partitions(&free, class_of) {
            let mut conditions = Vec::new();
            add_conditions(&transition.guard, &mut conditions);
            let mut variant = Variant {
                transition: id,
                fixed: fixed.clone(),
                free: labelled,
                labels,
                patterns: Vec::new(),
                conditions,
            };
            let arcs = transition.arcs.iter().filter(|arc| match arc {
                Arc::Input { .. } | Arc::Read { .. } => true,
                Arc::Inhibitor { .. } | Arc::Reset { .. } | Arc::Output { .. } => false,
            });
            for arc in arcs {
                variant.add_patterns(cells, arc.place(), arc.tokens());
            }
            all.push(variant);
        }
    }
    Ok(all)
}

/// A partition of free variables: each with the label of its part, and the class of each label.
type LabelledVariables = (Vec<(VariableId, u8)>, Vec<ClassId>);

/// All ways to give labels to variables such that only those of one class share a label. Labels are
/// numbered by their first variables.
fn partitions(variables: &[VariableId], class_of: impl Fn(&VariableId) -> ClassId) -> Vec<LabelledVariables> {
    let mut all: Vec<LabelledVariables> = vec![Default::default()];
    for variable in variables {
        let mut longer = Vec::new();
        for (labelled, labels) in all {
            for label in 0..=labels.len() {
                let mut labels = labels.clone();
                match labels.get(label) {
                    None => labels.push(class_of(variable)),
                    Some(class) if *class != class_of(variable) => continue,
                    Some(_) => {}
                }
                let mut labelled = labelled.clone();
                labelled.push((*variable, label as u8));
                longer.push((labelled, labels));
            }
        }
        all = longer;
    }
    all
}

/// The conjuncts of a guard, each with its variables.
fn add_conditions(guard: &Guard, conditions: &mut Vec<(Guard, Vec<VariableId>)>) {
    match guard {
        Guard::And(all) => all.iter().for_each(|guard| add_conditions(guard, conditions)),
        Guard::Constant(true) => {}
        _ => {
            let mut variables = Vec::new();
            guard.visit_variables(&mut |variable| variables.push(variable));
            conditions.push((guard.clone(), variables));
        }
    }
}

impl Variant {
    /// The label of a variable of a free class.
    fn label_of(&self, variable: VariableId) -> Option<u8> {
        self.free.iter().find(|(free, _)| *free == variable).map(|(_, label)| *label)
    }

    /// The colours of which a marking with all tokens of `term` has at least one token, as far as
    /// they are plain tuples of members.
    fn add_patterns(&mut self, cells: &Cells, place: PlaceId, term: &MultisetTerm) {
        match term {
            MultisetTerm::Sum(terms) => {
                terms.iter().for_each(|term| self.add_patterns(cells, place, term));
            }
            MultisetTerm::Scaled { count: 1.., term } => self.add_patterns(cells, place, term),
            MultisetTerm::Member(member) => self.add_pattern(cells, place, &[*member]),
            MultisetTerm::Tuple(terms) => {
                let members: Option<Vec<MemberTerm>> = terms
                    .iter()
                    .map(|term| match term {
                        MultisetTerm::Member(member) => Some(*member),
                        _ => None,
                    })
                    .collect();
                if let Some(members) = members {
                    self.add_pattern(cells, place, &members);
                }
            }
            MultisetTerm::Empty(_)
            | MultisetTerm::All(_)
            | MultisetTerm::Part(_)
            | MultisetTerm::Difference(_)
            | MultisetTerm::Scaled { .. } => {}
        }
    }

    fn add_pattern(&mut self, cells: &Cells, place: PlaceId, members: &[MemberTerm]) {
        let position = cells.free_position(place);
        let mut fixed = members.to_vec();
        let free = position.map(|position| fixed.remove(position));
        let label = match free {
            None => None,
            Some(MemberTerm::Variable { variable, .. }) => self.label_of(variable),
            // Which member a constant is depends on the labels: it is looked at in the end.
            Some(MemberTerm::Constant { .. }) => return,
        };
        self.patterns.push(Pattern { place, fixed, label });
    }
}
