//! The quotient: the reachability graph of symbolic markings.
//!
//! ```text
//! marking ──bind──▶ binding, weight ──fire──▶ split marking ──group──▶ fewest blocks ─┐
//!         ◀────────────────────────── code ◀──canonise──────────────────────────────────┘
//! ```
//!
//! Each symbolic marking is stored once, as the bytes of its canonical form, with the steps that
//! lead from it to others.

pub(crate) mod bind;
pub(crate) mod canonical;
mod coarser;
mod code;
pub(crate) mod fire;
mod group;
mod lift;
pub(crate) mod marking;
pub(crate) mod orbits;
pub(crate) mod plan;
mod shape;
mod store;
pub(crate) mod successors;
mod term;

pub use lift::{LiftError, LiftedLasso, LiftedStep};

use crate::symmetry::Symmetry;
use num_bigint::BigUint;
use orbits::OrbitSums;
use shape::Shape;
use std::fmt;
use store::Store;
use successors::{Problem, Workspace};
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_coloured::{ClassId, Net, PartialBinding, PlaceColour, PlaceId, Singles, TransitionId};

/// The reachable symbolic markings of a net, numbered from 0, which is the initial one, in the
/// order of their distance from it, and the steps between them.
pub struct Quotient {
    problem: Problem,
    store: Store,
    /// By symbolic marking, the number of its automorphisms.
    automorphisms: Vec<u128>,
    /// By symbolic marking, where its steps begin; one more at the end.
    first_steps: Vec<usize>,
    steps: Vec<QuotientStep>,
    /// By symbolic marking, the one from which it was found first, and the transition.
    parents: Vec<(u32, TransitionId)>,
    figures: Figures,
    singles: Singles,
}

/// A step of the quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuotientStep {
    /// The transition that fires, under some binding.
    pub transition: TransitionId,
    /// The symbolic marking that it leads to.
    pub target: u32,
}

/// The figures of a quotient, all about the markings of the net itself, not about symbolic ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// The number of reachable markings.
    pub markings: BigUint,
    /// The number of pairs of a reachable marking and a binding that is enabled in it.
    pub edges: BigUint,
    /// The most tokens of one colour in one place.
    pub largest_count: u64,
    /// The most tokens in a marking.
    pub largest_sum: u128,
}

/// A symbolic marking as plain data, for pictures and explanations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolicMarking {
    /// The subclasses into which free classes are cut.
    pub subclasses: Vec<Subclass>,
    /// By place, its tuples with their multiplicities.
    pub places: Vec<Vec<(Vec<SymbolicMember>, u64)>>,
}

/// Members of a class that cannot be told apart in a marking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subclass {
    /// The class.
    pub class: ClassId,
    /// The number of the static subclass that its members lie in.
    pub of: u32,
    /// The number of members.
    pub size: u32,
}

/// A component of a tuple of a symbolic marking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolicMember {
    /// Each member of a subclass. Different labels in one tuple stand for different members.
    Of {
        /// The number of the subclass.
        subclass: u32,
        /// The label.
        label: u32,
    },
    /// A member of a class that is not free.
    Member(u32),
}

/// Explores a net up to its symmetry. Each symbolic marking stands for an orbit of markings, each
/// orbit has one (SYM-4).
pub fn explore(net: &Net, symmetry: &Symmetry, budget: &Budget) -> Result<Quotient, Interrupted> {
    budget.progress().enter("folding");
    let mut meter = Meter::new(budget.clone());
    let problem = Problem::new(net, symmetry);
    let mut store = Store::new(budget);
    let mut work = Workspace::default();
    problem.initial(&mut work, &mut meter)?;
    store.insert(&work.steps.canonical.code)?;
    let mut automorphisms = vec![work.steps.canonical.automorphisms];
    let mut parents = vec![(0, TransitionId(0))];
    let mut first_steps = vec![0];
    let mut steps: Vec<QuotientStep> = Vec::new();
    let mut sums = OrbitSums::default();
    let (mut largest_count, mut largest_sum) = (0, 0);
    let mut source = marking::Marking::default();
    let mut number = 0;
    while (number as usize) < store.len() {
        code::decode(&problem.shape, store.get(number), &mut source);
        let mut weight: u128 = 0;
        let begin = steps.len();
        for transition in problem.net.transition_ids() {
            problem.successors(&source, transition, &mut work, &mut meter, &mut |work, binding, _| {
                weight = weight.checked_add(binding.weight).ok_or(Interrupted::Overflow)?;
                let (target, is_new) = store.insert(&work.canonical.code)?;
                if is_new {
                    automorphisms.push(work.canonical.automorphisms);
                    parents.push((number, transition));
                }
                let step = QuotientStep { transition, target };
                if !steps[begin..].contains(&step) {
                    if steps.len() == steps.capacity() {
                        budget.check_room_for((2 * steps.len() * size_of::<QuotientStep>()) as u64)?;
                    }
                    steps.push(step);
                }
                Ok(())
            })?;
        }
        first_steps.push(steps.len());
        sums.add(&problem.shape, &source.blocks, automorphisms[number as usize], weight)?;
        let mut sum: u128 = 0;
        for &head in &source.tokens.heads {
            let shapes = problem.shape.components(head.place);
            let tuple = source.tokens.tuple(&problem.shape, head);
            let tuples = marking::tuple_count(shapes, &source.blocks, tuple);
            let tokens = tuples.and_then(|tuples| tuples.checked_mul(u128::from(head.count)));
            sum = tokens.and_then(|tokens| sum.checked_add(tokens)).ok_or(Interrupted::Overflow)?;
            largest_count = largest_count.max(head.count);
        }
        largest_sum = largest_sum.max(sum);
        number += 1;
        if number % 1024 == 0 {
            budget.progress().report(store.len() as u64, meter.steps());
        }
    }
    let totals = sums.totals(&problem.shape, &mut meter)?;
    let figures = Figures { markings: totals.markings, edges: totals.edges, largest_count, largest_sum };
    let singles = Singles::default();
    Ok(Quotient { problem, store, automorphisms, first_steps, steps, parents, figures, singles })
}

/// Its size: it has too many markings to show them.
impl fmt::Debug for Quotient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = ("symbolic markings", self.symbolic_count(), "steps", self.step_count());
        f.debug_tuple("Quotient").field(&sizes).finish()
    }
}

impl Quotient {
    /// The same quotient, for questions about these colours and bindings. Their members must be told
    /// apart: [`Quotient::tells_apart`].
    pub fn about(self, singles: Singles) -> Quotient {
        debug_assert!(
            singles.members(self.net()).iter().all(|&(class, member)| self.tells_apart(class, member))
        );
        Quotient { singles, ..self }
    }

    /// The colours and bindings that questions are about.
    pub(crate) fn singles(&self) -> &Singles {
        &self.singles
    }

    /// Whether a member is told apart from all others of its class.
    pub fn tells_apart(&self, class: ClassId, member: u32) -> bool {
        let shape = &self.problem.shape;
        match shape.classes[class.index()].static_of.get(member as usize) {
            Some(&of) => shape.statics[of as usize].members.len() == 1,
            None => !shape.rotating.contains(&class),
        }
    }

    /// The number of symbolic markings.
    pub fn symbolic_count(&self) -> usize {
        self.store.len()
    }

    /// What is known of the markings of the net.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// The net that was explored.
    pub fn net(&self) -> &Net {
        &self.problem.net
    }

    /// The steps from a symbolic marking, by transition; each target comes once per transition.
    pub fn steps_from(&self, number: u32) -> &[QuotientStep] {
        let number = number as usize;
        &self.steps[self.first_steps[number]..self.first_steps[number + 1]]
    }

    /// The number of steps between symbolic markings.
    pub fn step_count(&self) -> usize {
        self.steps.len()
    }

    /// By symbolic marking, those from which a step leads to it, each once, ascending.
    pub fn predecessors(&self) -> Vec<Vec<u32>> {
        let mut predecessors = vec![Vec::new(); self.symbolic_count()];
        for number in 0..self.symbolic_count() as u32 {
            for step in self.steps_from(number) {
                let known: &mut Vec<u32> = &mut predecessors[step.target as usize];
                if known.last() != Some(&number) {
                    known.push(number);
                }
            }
        }
        predecessors
    }

    /// The symbolic markings in which no transition is enabled.
    pub fn dead(&self) -> impl Iterator<Item = u32> {
        (0..self.symbolic_count() as u32).filter(|&number| self.steps_from(number).is_empty())
    }

    /// Whether some binding of a transition is enabled in a symbolic marking.
    pub fn is_enabled(&self, number: u32, transition: TransitionId) -> bool {
        self.steps_from(number).iter().any(|step| step.transition == transition)
    }

    /// By place, the number of tokens of all colours in each marking of an orbit; `None` if one
    /// exceeds 64 bits.
    pub fn totals(&self, number: u32) -> Option<Vec<u64>> {
        let marking = self.marking(number);
        let mut totals = vec![0_u64; self.problem.shape.places.len()];
        for &head in &marking.tokens.heads {
            let shapes = self.problem.shape.components(head.place);
            let tuple = marking.tokens.tuple(&self.problem.shape, head);
            let tuples = u64::try_from(marking::tuple_count(shapes, &marking.blocks, tuple)?).ok()?;
            let total = &mut totals[head.place as usize];
            *total = total.checked_add(tuples.checked_mul(head.count)?)?;
        }
        Some(totals)
    }

    /// The number of tokens of one colour, all members of which are told apart, in each marking of an
    /// orbit.
    pub fn tokens_of(&self, number: u32, of: &PlaceColour) -> u64 {
        let marking = self.marking(number);
        let shape = &self.problem.shape;
        let here = marking.tokens.of_place(of.place.0).iter().filter(|head| {
            let components = shape.components(of.place.0).iter();
            components.zip(marking.tokens.tuple(shape, **head)).all(|(component, &entry)| {
                let member = of.colour[component.factor];
                match component.is_free {
                    false => entry == member,
                    true => {
                        let block = marking.blocks[marking::block_of(entry) as usize];
                        shape.statics[block.of as usize].members == [member]
                    }
                }
            })
        });
        here.map(|head| head.count).sum()
    }

    /// Whether a transition is enabled in a symbolic marking under a binding in which some variables
    /// have members that are told apart.
    pub fn is_enabled_under(
        &self,
        number: u32,
        wanted: &PartialBinding,
        meter: &mut Meter,
    ) -> Result<bool, Interrupted> {
        let problem = &self.problem;
        let marking = self.marking(number);
        let mut is_enabled = false;
        let fits = |binding: &bind::Binding| {
            wanted.members.iter().all(|&(variable, member)| {
                let class = problem.net.variables[variable.index()].class;
                match problem.shape.classes[class.index()].static_of.get(member as usize) {
                    None => binding.members[variable.index()] == member,
                    Some(&of) => {
                        let element = binding.elements[binding.element_of[variable.index()] as usize];
                        marking.blocks[element.block as usize].of == of
                    }
                }
            })
        };
        let mut work = Workspace::default();
        problem.bindings(&marking, wanted.transition, &mut work, meter, &mut |_, binding, _| {
            is_enabled |= fits(binding);
            Ok(())
        })?;
        Ok(is_enabled)
    }

    /// The number of permutations of whole subclasses, and rotations, that fix a symbolic marking.
    pub fn automorphisms(&self, number: u32) -> u128 {
        self.automorphisms[number as usize]
    }

    /// The number of markings that a symbolic marking stands for.
    pub fn orbit_size(&self, number: u32) -> BigUint {
        // The sum over all orbits did not overflow, and the budget is unlimited.
        self.markings_of([number], &mut Meter::new(Budget::unlimited())).unwrap_or_default()
    }

    /// The number of markings that several symbolic markings stand for.
    pub fn markings_of(
        &self,
        numbers: impl IntoIterator<Item = u32>,
        meter: &mut Meter,
    ) -> Result<BigUint, Interrupted> {
        let mut sums = OrbitSums::default();
        let mut marking = marking::Marking::default();
        for number in numbers {
            meter.step()?;
            code::decode(&self.problem.shape, self.store.get(number), &mut marking);
            sums.add(&self.problem.shape, &marking.blocks, self.automorphisms(number), 0)?;
        }
        Ok(sums.totals(&self.problem.shape, meter)?.markings)
    }

    /// A shortest way from the initial marking to a symbolic marking.
    pub fn path_to(&self, number: u32) -> Vec<QuotientStep> {
        let mut path = Vec::new();
        let mut target = number;
        while target != 0 {
            let (source, transition) = self.parents[target as usize];
            path.push(QuotientStep { transition, target });
            target = source;
        }
        path.reverse();
        path
    }

    /// A symbolic marking as plain data.
    pub fn symbolic_marking(&self, number: u32) -> SymbolicMarking {
        let shape: &Shape = &self.problem.shape;
        let marking = self.marking(number);
        let subclass = |block: &marking::Block| Subclass {
            class: shape.statics[block.of as usize].class,
            of: block.of,
            size: block.size,
        };
        let mut places = vec![Vec::new(); shape.places.len()];
        for &head in &marking.tokens.heads {
            let described = &shape.places[head.place as usize];
            // Classes with one member are not stored.
            let mut tuple = vec![SymbolicMember::Member(0); described.factor_count];
            for (of, &entry) in described.components.iter().zip(marking.tokens.tuple(shape, head)) {
                tuple[of.factor] = match of.is_free {
                    false => SymbolicMember::Member(entry),
                    true => SymbolicMember::Of {
                        subclass: marking::block_of(entry),
                        label: marking::label_of(entry),
                    },
                };
            }
            places[head.place as usize].push((tuple, head.count));
        }
        SymbolicMarking { subclasses: marking.blocks.iter().map(subclass).collect(), places }
    }

    /// The places of the net.
    pub fn place_ids(&self) -> impl Iterator<Item = PlaceId> + use<> {
        self.problem.shape.place_ids()
    }

    fn marking(&self, number: u32) -> marking::Marking {
        let mut marking = marking::Marking::default();
        code::decode(&self.problem.shape, self.store.get(number), &mut marking);
        marking
    }
}
