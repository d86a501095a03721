//! The bindings of a transition in a symbolic marking.
//!
//! Variables of free classes are bound to *elements* of blocks: to one that another variable is
//! bound to, or to a new one. Which member a new element is does not matter, so one binding stands
//! for as many as there are members left; their product is the weight of the binding.

use super::marking::{Marking, block_of, component, normalise_labels};
use super::plan::{Pattern, Plan};
use super::shape::{ComponentShape, Shape};
use symbolon_budget::{Interrupted, Meter};
use symbolon_coloured::{LARGEST_FACTOR_COUNT, MemberTerm, Net};

/// A binding, complete or under construction.
#[derive(Default)]
pub(crate) struct Binding {
    /// By variable of the net: its member, or a stand-in for its element.
    pub(crate) members: Vec<u32>,
    /// By variable of a free class: its element.
    pub(crate) element_of: Vec<u32>,
    pub(crate) elements: Vec<Element>,
    /// The number of concrete bindings in each marking of the orbit.
    pub(crate) weight: u128,
    /// By block, the number of elements in it.
    bound: Vec<u32>,
    /// By static subclass, the number of elements in it.
    used: Vec<u32>,
}

/// A member that variables are bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) block: u32,
    /// The stand-in.
    pub(crate) member: u32,
}

/// What a variable can be bound to.
#[derive(Clone, Copy)]
enum Choice {
    Member(u32),
    Element(u32),
    NewIn(u32),
}

/// A search for bindings.
pub(crate) struct Binder<'b> {
    pub(crate) net: &'b Net,
    pub(crate) shape: &'b Shape,
    pub(crate) plan: &'b Plan,
    /// With sorted tokens.
    pub(crate) marking: &'b Marking,
}

impl Binder<'_> {
    /// Calls `visit` with every binding under which guard and patterns hold. A pattern that holds is
    /// necessary for the transition to be enabled, not sufficient.
    pub(crate) fn for_each(
        &self,
        binding: &mut Binding,
        meter: &mut Meter,
        visit: &mut impl FnMut(&Binding, &mut Meter) -> Result<(), Interrupted>,
    ) -> Result<(), Interrupted> {
        binding.members.clear();
        binding.members.resize(self.net.variables.len(), 0);
        binding.element_of.clear();
        binding.element_of.resize(self.net.variables.len(), 0);
        binding.elements.clear();
        binding.bound.clear();
        binding.bound.resize(self.marking.blocks.len(), 0);
        binding.used.clear();
        binding.used.resize(self.shape.statics.len(), 0);
        binding.weight = 1;
        let holds = |pattern: &usize| self.is_marked(&self.plan.patterns[*pattern], binding);
        if self.plan.is_possible && self.plan.constant_patterns.iter().all(holds) {
            self.bind(0, binding, meter, visit)?;
        }
        Ok(())
    }

    fn bind(
        &self,
        depth: usize,
        binding: &mut Binding,
        meter: &mut Meter,
        visit: &mut impl FnMut(&Binding, &mut Meter) -> Result<(), Interrupted>,
    ) -> Result<(), Interrupted> {
        meter.step()?;
        let Some(step) = self.plan.steps.get(depth) else {
            return visit(binding, meter);
        };
        let variable = step.variable.index();
        for choice in self.choices(depth, binding) {
            let weight = binding.weight;
            match choice {
                Choice::Member(member) => binding.members[variable] = member,
                Choice::Element(element) => {
                    binding.members[variable] = binding.elements[element as usize].member;
                    binding.element_of[variable] = element;
                }
                Choice::NewIn(block) => {
                    let described = self.marking.blocks[block as usize];
                    let bound = &mut binding.bound[block as usize];
                    let left = u128::from(described.size - *bound);
                    *bound += 1;
                    let used = &mut binding.used[described.of as usize];
                    let member = self.shape.statics[described.of as usize].members[*used as usize];
                    *used += 1;
                    binding.weight = weight.checked_mul(left).ok_or(Interrupted::Overflow)?;
                    binding.members[variable] = member;
                    binding.element_of[variable] = binding.elements.len() as u32;
                    binding.elements.push(Element { block, member });
                }
            }
            let members = &binding.members;
            let value = |variable: symbolon_coloured::VariableId| members[variable.index()];
            if step.guards.iter().all(|guard| guard.holds(self.net, &value))
                && step.complete.iter().all(|&pattern| self.is_marked(&self.plan.patterns[pattern], binding))
            {
                self.bind(depth + 1, binding, meter, visit)?;
            }
            if let Choice::NewIn(block) = choice {
                binding.elements.pop();
                binding.bound[block as usize] -= 1;
                binding.used[self.marking.blocks[block as usize].of as usize] -= 1;
                binding.weight = weight;
            }
        }
        Ok(())
    }

    /// What the variable of a step can be bound to.
    fn choices(&self, depth: usize, binding: &Binding) -> Vec<Choice> {
        let step = &self.plan.steps[depth];
        let mut found: Vec<u32> = Vec::new();
        match step.driver {
            Some((pattern, position)) => {
                let pattern = &self.plan.patterns[pattern];
                let shapes = self.shape.components(pattern.place);
                let expected: Vec<Option<u32>> =
                    self.expected(pattern, shapes, binding, &self.plan.steps[..depth]);
                let size = self.net.classes[step.class.index()].size();
                for &head in self.marking.tokens.of_place(pattern.place) {
                    let tuple = self.marking.tokens.tuple(self.shape, head);
                    let fits = |(position, expected): (usize, &Option<u32>)| {
                        let entry = tuple[position];
                        let entry = if shapes[position].is_free { block_of(entry) } else { entry };
                        expected.is_none_or(|expected| expected == entry)
                    };
                    if head.count >= pattern.count && expected.iter().enumerate().all(fits) {
                        let entry = tuple[position];
                        found.push(match pattern.members[position] {
                            _ if step.is_free => block_of(entry),
                            MemberTerm::Variable { shift, .. } => {
                                (i64::from(entry) - i64::from(shift)).rem_euclid(size as i64) as u32
                            }
                            MemberTerm::Constant { .. } => entry,
                        });
                    }
                }
                found.sort_unstable();
                found.dedup();
            }
            None if step.is_free => {
                let is_of_class = |of: u32| self.shape.statics[of as usize].class == step.class;
                let blocks = self.marking.blocks.iter().enumerate();
                found.extend(
                    blocks.filter(|(_, block)| is_of_class(block.of)).map(|(number, _)| number as u32),
                );
            }
            None => found.extend(0..self.shape.classes[step.class.index()].size),
        }
        if !step.is_free {
            return found.into_iter().map(Choice::Member).collect();
        }
        let mut choices = Vec::new();
        for block in found {
            for (number, element) in binding.elements.iter().enumerate() {
                if element.block == block {
                    choices.push(Choice::Element(number as u32));
                }
            }
            if binding.bound[block as usize] < self.marking.blocks[block as usize].size {
                choices.push(Choice::NewIn(block));
            }
        }
        choices
    }

    /// The blocks and members that a pattern demands, where that is decided.
    fn expected(
        &self,
        pattern: &Pattern,
        shapes: &[ComponentShape],
        binding: &Binding,
        done: &[super::plan::StepPlan],
    ) -> Vec<Option<u32>> {
        let is_done = |term: &MemberTerm| match term {
            MemberTerm::Constant { .. } => true,
            MemberTerm::Variable { variable, .. } => done.iter().any(|step| step.variable == *variable),
        };
        let of = |(term, shape): (&MemberTerm, &ComponentShape)| {
            let is_done = is_done(term);
            is_done.then(|| {
                if shape.is_free {
                    self.element(*term, shape, binding).0
                } else {
                    term.value(self.net, |variable| binding.members[variable.index()])
                }
            })
        };
        pattern.members.iter().zip(shapes).map(of).collect()
    }

    /// The block that a term of a free class stands for, and a number that is the same for the same
    /// member.
    fn element(&self, term: MemberTerm, shape: &ComponentShape, binding: &Binding) -> (u32, u32) {
        match term {
            MemberTerm::Variable { variable, .. } => {
                let element = binding.element_of[variable.index()];
                let block = binding.elements[element as usize].block;
                // A constant may be the same member.
                let is_alone = self.marking.blocks[block as usize].size == 1;
                (block, if is_alone { 0 } else { element })
            }
            MemberTerm::Constant { member, .. } => {
                // The only member of its block.
                let of = self.shape.classes[shape.class.index()].static_of[member as usize];
                let block = self.marking.blocks.iter().position(|block| block.of == of);
                (block.unwrap_or_default() as u32, 0)
            }
        }
    }

    /// Whether the tuple of a pattern is marked often enough.
    fn is_marked(&self, pattern: &Pattern, binding: &Binding) -> bool {
        let shapes = self.shape.components(pattern.place);
        let mut tuple = [0; LARGEST_FACTOR_COUNT];
        let mut elements = [(0, 0); LARGEST_FACTOR_COUNT];
        for (position, (term, shape)) in pattern.members.iter().zip(shapes).enumerate() {
            if !shape.is_free {
                tuple[position] = term.value(self.net, |variable| binding.members[variable.index()]);
                continue;
            }
            elements[position] = self.element(*term, shape, binding);
            let is_same =
                |earlier: &usize| shapes[*earlier].is_free && elements[*earlier] == elements[position];
            let label = match shape.alike {
                1 => 0,
                // The first position with this element, as long as labels are not normal.
                _ => (0..position).find(is_same).unwrap_or(position) as u32,
            };
            tuple[position] = component(elements[position].0, label);
        }
        normalise_labels(shapes, &mut tuple[..shapes.len()]);
        self.marking.tokens.count(self.shape, pattern.place, &tuple[..shapes.len()]) >= pattern.count
    }
}
