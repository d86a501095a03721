//! One symbolic marking after another: the whole way from a marking to the codes of its successors.

use super::bind::{Binder, Binding};
use super::canonical::{Canonical, Canonizer};
use super::fire::Firing;
use super::group::{Grouper, NO_GROUP};
use super::marking::{Block, Marking, Tokens};
use super::plan::Plan;
use super::shape::Shape;
use super::term::{Standing, Term};
use crate::symmetry::Symmetry;
use symbolon_budget::{Interrupted, Meter};
use symbolon_coloured::{LARGEST_FACTOR_COUNT, Net, TransitionId, fold_sums};

/// A net, prepared.
pub(crate) struct Problem {
    pub(crate) net: Net,
    pub(crate) shape: Shape,
    pub(crate) plans: Vec<Plan>,
}

/// Buffers, and what was computed last.
#[derive(Default)]
pub(crate) struct Workspace {
    binding: Binding,
    pub(crate) steps: StepWork,
}

/// What a firing needs beside its binding.
#[derive(Default)]
pub(crate) struct StepWork {
    pub(crate) firing: Firing,
    grouper: Grouper,
    canonizer: Canonizer,
    /// The canonical form of the last successor.
    pub(crate) canonical: Canonical,
}

impl Problem {
    pub(crate) fn new(net: &Net, symmetry: &Symmetry) -> Problem {
        let net = fold_sums(net);
        let shape = Shape::new(&net, symmetry);
        let plans = net.transitions.iter().map(|transition| Plan::new(&net, &shape, transition)).collect();
        Problem { net, shape, plans }
    }

    /// The canonical form of the initial marking goes to `work`. Before grouping, block `i` is all
    /// of static subclass `i`.
    pub(crate) fn initial(&self, work: &mut Workspace, meter: &mut Meter) -> Result<(), Interrupted> {
        let size = |members: &Vec<u32>| members.len() as u32;
        let blocks: Vec<Block> = self
            .shape
            .statics
            .iter()
            .zip(0..)
            .map(|(of, number)| Block { of: number, size: size(&of.members) })
            .collect();
        let some = |members: &Vec<u32>| members[..members.len().min(LARGEST_FACTOR_COUNT)].to_vec();
        let stand_ins: Vec<Vec<u32>> = self.shape.statics.iter().map(|of| some(&of.members)).collect();
        let standing = Standing {
            net: &self.net,
            shape: &self.shape,
            blocks: &blocks,
            stand_ins: &stand_ins,
            members: &[],
            singles: &[],
        };
        let mut tokens = Tokens::default();
        for (place, described) in self.net.place_ids().zip(&self.net.places) {
            let term = Term::new(&self.net, &self.shape, place.0, &described.initial);
            term.add_to(&standing, place.0, meter, &mut tokens)?;
        }
        tokens.sort_and_sum(&self.shape)?;
        if tokens.heads.iter().any(|head| head.count > symbolon_petri::net::LARGEST_COUNT) {
            return Err(Interrupted::Overflow);
        }
        work.steps.firing.next = Marking { blocks, tokens };
        work.steps.canonise(&self.shape, meter)
    }

    /// Calls `visit` for each binding under which a transition is enabled in a marking with sorted
    /// tokens, with the canonical form of the marking that it leads to.
    pub(crate) fn successors(
        &self,
        source: &Marking,
        transition: TransitionId,
        work: &mut Workspace,
        meter: &mut Meter,
        visit: &mut impl FnMut(&StepWork, &Binding, &mut Meter) -> Result<(), Interrupted>,
    ) -> Result<(), Interrupted> {
        self.bindings(source, transition, work, meter, &mut |steps, binding, meter| {
            steps.canonise(&self.shape, meter)?;
            visit(steps, binding, meter)
        })
    }

    /// The same without the canonical form.
    pub(crate) fn bindings(
        &self,
        source: &Marking,
        transition: TransitionId,
        work: &mut Workspace,
        meter: &mut Meter,
        visit: &mut impl FnMut(&mut StepWork, &Binding, &mut Meter) -> Result<(), Interrupted>,
    ) -> Result<(), Interrupted> {
        let plan = &self.plans[transition.index()];
        let binder = Binder { net: &self.net, shape: &self.shape, plan, marking: source };
        let Workspace { binding, steps } = work;
        binder.for_each(binding, meter, &mut |binding, meter| {
            if steps.firing.fire(&self.net, &self.shape, plan, source, binding, meter)? {
                visit(steps, binding, meter)?;
            }
            Ok(())
        })
    }
}

impl StepWork {
    /// The canonical form of the marking that a firing led to.
    pub(crate) fn canonise(&mut self, shape: &Shape, meter: &mut Meter) -> Result<(), Interrupted> {
        self.grouper.group(shape, &mut self.firing.next, meter)?;
        self.canonizer.canonise(shape, &self.firing.next, meter, &mut self.canonical)
    }

    /// The block of the canonical form that a block of the last firing became a part of; `None` if
    /// it was empty.
    pub(crate) fn block_after(&self, block: u32) -> Option<u32> {
        let group = self.grouper.group_of[block as usize];
        (group != NO_GROUP).then(|| self.canonical.rank[group as usize])
    }

    /// The number of blocks of the last firing, before grouping.
    pub(crate) fn block_count(&self) -> u32 {
        self.grouper.group_of.len() as u32
    }
}
