//! From runs of the quotient to runs of the net.
//!
//! A symbolic marking together with a choice of members for its blocks is a marking. A step of the
//! quotient fires some binding; its elements are the first members of their blocks, and blocks
//! that are cut, joined and renumbered carry their members along. So a path becomes a run in one pass.
//!
//! A cycle of the quotient leads from a choice of members to another choice for the same symbolic
//! marking. It moves members in the same way each time, so it is repeated until every block has
//! its members back.

use super::code::decode;
use super::marking::Marking;
use super::successors::{StepWork, Workspace};
use super::{Quotient, QuotientStep};
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_coloured::{ClassId, TransitionId};

/// A step of the net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiftedStep {
    /// The transition.
    pub transition: TransitionId,
    /// The member of each of its variables, in the order of
    /// [`Transition::variables`](symbolon_coloured::Transition::variables).
    pub binding: Vec<u32>,
}

/// A run of the net that ends in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiftedLasso {
    /// The steps to the cycle.
    pub stem: Vec<LiftedStep>,
    /// The steps of the cycle, which leads back to the same marking.
    pub cycle: Vec<LiftedStep>,
    /// How many times the cycle of the quotient was repeated.
    pub repetitions: u64,
}

/// Why a path of the quotient has no run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LiftError {
    /// Resources ran out.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// The steps are not a path of the quotient.
    #[error("step {0} is no step of the quotient")]
    NoSuchStep(usize),
}

/// A choice of members for a symbolic marking.
#[derive(Clone, PartialEq)]
struct Choice {
    number: u32,
    /// By block, in an order that matters for what is fired next.
    members: Vec<Vec<u32>>,
    /// By rotating class, how many steps further a member stands in the symbolic marking.
    rotation: Vec<u32>,
}

impl Quotient {
    /// The run of the net that a path of the quotient from its initial marking stands for.
    pub fn lift(&self, path: &[QuotientStep], budget: &Budget) -> Result<Vec<LiftedStep>, LiftError> {
        let mut lifting = Lifting::new(self, budget)?;
        lifting.follow(path)
    }

    /// A run of the net that ends in a cycle, for a path of the quotient from its initial marking and
    /// a cycle from its end.
    pub fn lift_lasso(
        &self,
        stem: &[QuotientStep],
        cycle: &[QuotientStep],
        budget: &Budget,
    ) -> Result<LiftedLasso, LiftError> {
        let mut lifting = Lifting::new(self, budget)?;
        let stem = lifting.follow(stem)?;
        let start = lifting.choice.clone();
        let mut lasso = LiftedLasso { stem, cycle: Vec::new(), repetitions: 0 };
        loop {
            lasso.cycle.extend(lifting.follow(cycle)?);
            lasso.repetitions += 1;
            if lifting.choice.number != start.number {
                return Err(LiftError::NoSuchStep(cycle.len()));
            }
            if cycle.is_empty() || lifting.choice.is_same_marking(&start) {
                return Ok(lasso);
            }
        }
    }
}

impl Choice {
    /// Whether two choices for one symbolic marking are one marking. Choices that differ by an
    /// automorphism are, too, but this does not see it.
    fn is_same_marking(&self, other: &Choice) -> bool {
        let sorted = |members: &Vec<u32>| {
            let mut members = members.clone();
            members.sort_unstable();
            members
        };
        self.rotation == other.rotation
            && self.members.iter().zip(&other.members).all(|(a, b)| sorted(a) == sorted(b))
    }
}

/// A run under construction.
struct Lifting<'q> {
    quotient: &'q Quotient,
    choice: Choice,
    work: Workspace,
    meter: Meter,
}

impl<'q> Lifting<'q> {
    fn new(quotient: &'q Quotient, budget: &Budget) -> Result<Lifting<'q>, Interrupted> {
        let problem = &quotient.problem;
        let (mut work, mut meter) = (Workspace::default(), Meter::new(budget.clone()));
        problem.initial(&mut work, &mut meter)?;
        let before: Vec<Vec<u32>> = problem.shape.statics.iter().map(|of| of.members.clone()).collect();
        let choice = Choice {
            number: 0,
            members: moved(&work.steps, &before),
            rotation: rotated(&work.steps, quotient, &vec![0; problem.shape.rotating.len()]),
        };
        Ok(Lifting { quotient, choice, work, meter })
    }

    fn follow(&mut self, path: &[QuotientStep]) -> Result<Vec<LiftedStep>, LiftError> {
        let mut run = Vec::with_capacity(path.len());
        for (position, step) in path.iter().enumerate() {
            run.push(self.step(*step)?.ok_or(LiftError::NoSuchStep(position))?);
        }
        Ok(run)
    }

    /// Fires the first binding that leads where the step does.
    fn step(&mut self, step: QuotientStep) -> Result<Option<LiftedStep>, Interrupted> {
        let problem = &self.quotient.problem;
        let mut source = Marking::default();
        decode(&problem.shape, self.quotient.store.get(self.choice.number), &mut source);
        let target = self.quotient.store.get(step.target);
        let variables = self.quotient.problem.net.transitions[step.transition.index()].variables();
        let choice = &self.choice;
        let mut found: Option<(Choice, Vec<u32>)> = None;
        problem.successors(
            &source,
            step.transition,
            &mut self.work,
            &mut self.meter,
            &mut |work, binding, _| {
                if found.is_some() || work.canonical.code != target {
                    return Ok(());
                }
                // Elements take the first members of their blocks, in order.
                let mut rest: Vec<&[u32]> = choice.members.iter().map(|members| &members[..]).collect();
                let mut elements = Vec::with_capacity(binding.elements.len());
                for element in &binding.elements {
                    let members = &mut rest[element.block as usize];
                    elements.push(members[0]);
                    *members = &members[1..];
                }
                let mut after: Vec<Vec<u32>> = rest.into_iter().map(<[u32]>::to_vec).collect();
                after.resize(work.block_count() as usize, Vec::new());
                for (element, &single) in elements.iter().zip(&work.firing.single_of) {
                    after[single as usize] = vec![*element];
                }
                let member = |variable: &symbolon_coloured::VariableId| {
                    let class = problem.net.variables[variable.index()].class;
                    match problem.shape.classes[class.index()].static_of.is_empty() {
                        false => elements[binding.element_of[variable.index()] as usize],
                        true => {
                            let member = binding.members[variable.index()];
                            unrotated(self.quotient, class, member, &choice.rotation)
                        }
                    }
                };
                let next = Choice {
                    number: step.target,
                    members: moved(work, &after),
                    rotation: rotated(work, self.quotient, &choice.rotation),
                };
                found = Some((next, variables.iter().map(member).collect()));
                Ok(())
            },
        )?;
        let Some((choice, binding)) = found else { return Ok(None) };
        self.choice = choice;
        Ok(Some(LiftedStep { transition: step.transition, binding }))
    }
}

/// The members of the blocks of a canonical form, from those of the blocks before grouping.
fn moved(work: &StepWork, before: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut after: Vec<Vec<u32>> = vec![Vec::new(); work.canonical.rank.len()];
    for (block, members) in before.iter().enumerate() {
        if let Some(block) = work.block_after(block as u32) {
            after[block as usize].extend_from_slice(members);
        }
    }
    after
}

/// By rotating class, how far members stand from those of the net, after a canonical form.
fn rotated(work: &StepWork, quotient: &Quotient, before: &[u32]) -> Vec<u32> {
    let shape = &quotient.problem.shape;
    let sum = |(class, (before, more)): (&ClassId, (&u32, &u32))| {
        (u64::from(*before) + u64::from(*more)) % u64::from(shape.classes[class.index()].size)
    };
    let steps = before.iter().zip(&work.canonical.rotation);
    shape.rotating.iter().zip(steps).map(|one| sum(one) as u32).collect()
}

/// The member of the net behind one of a symbolic marking.
fn unrotated(quotient: &Quotient, class: ClassId, member: u32, rotation: &[u32]) -> u32 {
    let shape = &quotient.problem.shape;
    match shape.rotating.iter().position(|of| *of == class) {
        None => member,
        Some(number) => {
            let size = u64::from(shape.classes[class.index()].size);
            ((u64::from(member) + size - u64::from(rotation[number])) % size) as u32
        }
    }
}
