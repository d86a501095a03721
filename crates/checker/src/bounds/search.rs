//! The search for bounds short of exploring: what is reached and what is proved of each target, and
//! the steps that bring the two together.

use super::proof::Proof;
use super::structure::Structure;
use super::{BoundMethod, BoundReport, BoundTarget, BoundsReport, Sum, offset_of, sum_of_bounds};
use crate::loaded::Loaded;
use crate::options::Options;
use crate::policy::bounds::{CHANCE_STEPS, CHANCE_WALKS, COMPARED, GUIDED_STEPS, GUIDED_WALKS};
use crate::report::{Amount, PartialReport, Unknown};
use std::time::Duration;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{Climber, Goal, Guide};
use symbolon_model::EventId;
use symbolon_petri::analysis::{
    Boundedness, CoverLimits, Covered, LARGEST_PROGRAM, LinearPrograms, OMEGA, cover,
};
use symbolon_petri::incidence::Incidence;
use symbolon_petri::lower::variable_of;
use symbolon_petri::{Net, PlaceId};

/// The size of Karp and Miller's tree.
const COVER: CoverLimits = CoverLimits { markings: 200_000, steps: 100_000_000 };

/// A search for the bounds of some targets.
pub(super) struct Search<'a> {
    loaded: &'a Loaded,
    options: &'a Options,
    targets: Vec<BoundTarget>,
    reports: Vec<BoundReport>,
    /// What the structure proves, of models that are nets.
    structure: Option<Structure<'a>>,
    on_bound: &'a mut dyn FnMut(usize, &BoundReport),
}

impl<'a> Search<'a> {
    pub(super) fn new(
        loaded: &'a Loaded,
        targets: Vec<BoundTarget>,
        options: &'a Options,
        on_bound: &'a mut dyn FnMut(usize, &BoundReport),
    ) -> Search<'a> {
        let reports = targets.iter().map(|target| BoundReport {
            name: target.name.clone(),
            bound: None,
            at_least: initial_value(loaded, &target.terms),
            at_most: None,
            method: None,
            proof: None,
            offset: offset_of(loaded, &target.terms),
        });
        let reports = reports.collect();
        Search { loaded, options, targets, reports, structure: Structure::new(loaded), on_bound }
    }

    /// The targets whose bound is not known.
    pub(super) fn open(&self) -> Vec<usize> {
        (0..self.reports.len()).filter(|&target| self.reports[target].bound.is_none()).collect()
    }

    pub(super) fn is_done(&self) -> bool {
        self.reports.iter().all(|report| report.bound.is_some())
    }

    pub(super) fn terms(&self, target: usize) -> &[(PlaceId, u64)] {
        &self.targets[target].terms
    }

    /// Notes a bound that is now known, and reports it.
    pub(super) fn settle(&mut self, target: usize, bound: Amount, method: BoundMethod, proof: Option<Proof>) {
        let report = &mut self.reports[target];
        if let Amount::Finite(value) = &bound
            && let Ok(value) = u128::try_from(value)
        {
            report.at_least = value;
            report.at_most = Some(value);
        }
        report.bound = Some(bound);
        report.method = Some(method);
        report.proof = proof;
        (self.on_bound)(target, report);
    }

    /// The same for several, whose values are known from all states.
    pub(super) fn settle_all(&mut self, largest: Vec<(usize, u128)>, method: BoundMethod) {
        for (target, value) in largest {
            self.settle(target, Amount::Finite(value.into()), method, None);
        }
    }

    /// The targets whose bound is not known, with their terms.
    pub(super) fn open_sums(&self) -> Vec<Sum> {
        self.open().into_iter().map(|target| (target, self.terms(target).to_vec())).collect()
    }

    /// What stopped a search, as a reason.
    pub(super) fn stopped(&self, why: Interrupted, budget: &Budget) -> Unknown {
        let progress = budget.progress();
        let partial =
            PartialReport { states_at_least: None, nodes: progress.nodes(), steps: progress.steps() };
        Unknown::interrupted(why, partial)
    }

    pub(super) fn into_report(self, unknown: Option<Unknown>) -> BoundsReport {
        let unknown = unknown.filter(|_| !self.is_done());
        BoundsReport { bounds: self.reports, unknown }
    }

    /// The time that exploring may take: most of what is left, so that something is left for guided
    /// walks.
    pub(super) fn time_for_exploring(&self, budget: &Budget) -> Budget {
        match budget.time_left() {
            Some(left) => budget.slice(left.mul_f64(0.65)),
            None => budget.clone(),
        }
    }

    /// Everything that is cheaper than exploring. Its own limits are no error; those of `budget`
    /// are.
    pub(super) fn shortcuts(&mut self, budget: &Budget) -> Result<(), Interrupted> {
        self.by_structure();
        self.by_pump();
        if self.is_done() {
            return Ok(());
        }
        self.by_chance(&slice(budget, 40, Duration::from_millis(500)))?;
        budget.check()?;
        if self.is_done() {
            return Ok(());
        }
        // Models that are explored in a moment need nothing else. Whatever stops this (time,
        // memory) stops the long exploration as well, and is reported there; a wrong option was
        // found before.
        let _ = super::explore(self.loaded, self.options, &slice(budget, 20, Duration::from_secs(2)), self);
        if !self.is_done() && !matches!(self.loaded.analysis.boundedness, Boundedness::Bounded) {
            self.by_covering(&slice(budget, 4, Duration::from_secs(10)))?;
        }
        budget.check()?;
        if self.is_done() {
            return Ok(());
        }
        // Walks are cheap where there is much to find, programs where little is left.
        self.by_guides(&slice(budget, 40, Duration::from_secs(1)))?;
        self.by_state_equation(&slice(budget, 10, Duration::from_secs(5)), Duration::from_secs(1))?;
        self.by_guides(&slice(budget, 20, Duration::from_secs(2)))?;
        budget.check()
    }

    /// Longer programs, and guided walks until the time is over.
    pub(super) fn last_resort(&mut self, budget: &Budget) -> Result<(), Interrupted> {
        let time = budget.time_left().unwrap_or(Duration::from_secs(30));
        self.by_state_equation(&budget.slice(time / 3), time / 8)?;
        self.by_guides(&budget.slice(time))?;
        Ok(())
    }

    fn by_structure(&mut self) {
        for target in 0..self.targets.len() {
            let terms = &self.targets[target].terms;
            let bound = match &self.structure {
                Some(structure) => structure.bound(terms),
                None => sum_of_bounds(self.loaded, terms).map(|bound| {
                    (bound, if terms.len() == 1 { Proof::Declaration } else { Proof::PlaceByPlace })
                }),
            };
            if let Some((bound, proof)) = bound {
                self.prove(target, bound, proof);
            }
        }
    }

    /// Places, or variables, to which a run adds that can be repeated for ever.
    fn by_pump(&mut self) {
        let Some(cycle) = self.loaded.growing_round() else { return };
        let growing = self.loaded.growing_variables();
        let growing: Vec<PlaceId> = growing.into_iter().map(|variable| PlaceId(variable.0)).collect();
        for target in self.open() {
            if self.terms(target).iter().any(|(place, _)| growing.binary_search(place).is_ok()) {
                let proof = Proof::Pump { cycle: cycle.clone() };
                self.settle(target, Amount::Infinite, BoundMethod::Structure, Some(proof));
            }
        }
    }

    /// Notes a value that is never exceeded, with its proof.
    fn prove(&mut self, target: usize, bound: u128, proof: Proof) {
        let report = &mut self.reports[target];
        if report.bound.is_some() || report.at_most.is_some_and(|known| known <= bound) {
            return;
        }
        report.at_most = Some(bound);
        report.proof = Some(proof);
        self.meet(target);
    }

    /// Notes a value that was reached by a walk.
    fn reach(&mut self, target: usize, value: u128) {
        let report = &mut self.reports[target];
        if report.bound.is_none() && value > report.at_least {
            report.at_least = value;
            self.meet(target);
        }
    }

    /// Settles a target whose reached and proved values meet.
    fn meet(&mut self, target: usize) {
        let report = &mut self.reports[target];
        let Some(most) = report.at_most.filter(|&most| most == report.at_least) else { return };
        let is_initial = initial_value(self.loaded, &self.targets[target].terms) == most;
        let method = if is_initial { BoundMethod::Structure } else { BoundMethod::StructureAndWalk };
        let proof = report.proof.take();
        self.settle(target, Amount::Finite(most.into()), method, proof);
    }

    /// A climber whose goals are the targets that are open, and their numbers.
    fn climber(&self) -> Option<(Climber<'a>, Vec<usize>)> {
        let open = self.open();
        let goal = |&target: &usize| Goal {
            weights: self.terms(target).iter().map(|&(place, weight)| (variable_of(place), weight)).collect(),
            best: self.reports[target].at_least,
            enough: self.reports[target].at_most,
        };
        let climber = Climber::new(&self.loaded.model, open.iter().map(goal).collect(), self.options.seed)?;
        Some((climber, open))
    }

    /// Takes over what a climber reached.
    fn harvest(&mut self, climber: &Climber, open: &[usize]) {
        for (goal, &target) in climber.goals.iter().zip(open) {
            self.reach(target, goal.best);
        }
    }

    fn by_chance(&mut self, budget: &Budget) -> Result<(), Interrupted> {
        if let Some((mut climber, open)) = self.climber() {
            climber.walks(Guide::Chance, CHANCE_WALKS, CHANCE_STEPS, budget)?;
            self.harvest(&climber, &open);
        }
        Ok(())
    }

    /// Guided walks for every open target in turn, longer and longer, until the time is over or all
    /// are met.
    fn by_guides(&mut self, budget: &Budget) -> Result<(), Interrupted> {
        let Some((mut climber, open)) = self.climber() else { return Ok(()) };
        let mut counts: Vec<Option<Vec<(EventId, f64)>>> = vec![None; open.len()];
        let incidence = self.incidence();
        let longest = budget.time_left().unwrap_or(Duration::from_secs(10)) / 4;
        let programs = incidence.as_ref().map(|incidence| {
            LinearPrograms::new(incidence.0, &incidence.1, longest.min(Duration::from_secs(2)))
        });
        let mut steps = GUIDED_STEPS;
        for round in 0_u32.. {
            let mut is_any_open = false;
            for goal in 0..open.len() {
                if climber.goals[goal].is_met() {
                    continue;
                }
                is_any_open = true;
                // The first rounds do without programs, the later ones take turns.
                if round == COMPARED.len() as u32
                    && let Some(programs) = &programs
                {
                    counts[goal] = self.firing_counts(programs, open[goal], budget)?;
                }
                let guide = match (&counts[goal], round % 2) {
                    (Some(counts), 1) => Guide::Counts { goal, counts },
                    _ => Guide::Potential { goal, compared: COMPARED[round as usize % COMPARED.len()] },
                };
                let is_late = climber.walks(guide, GUIDED_WALKS, steps, budget)?;
                self.harvest(&climber, &open);
                if is_late {
                    return Ok(());
                }
            }
            if !is_any_open {
                return Ok(());
            }
            if round > COMPARED.len() as u32 {
                steps = (steps + steps / 2).min(1_000_000);
            }
        }
        Ok(())
    }

    /// How often each event might happen on the way to the largest value; running into its own time
    /// limit is not an error.
    fn firing_counts(
        &self,
        programs: &LinearPrograms,
        target: usize,
        budget: &Budget,
    ) -> Result<Option<Vec<(EventId, f64)>>, Interrupted> {
        match programs.firing_counts(self.terms(target), budget) {
            Ok(counts) => Ok(counts.map(|counts| {
                counts.into_iter().map(|(transition, count)| (EventId(transition.0), count)).collect()
            })),
            Err(Interrupted::Timeout) => Ok(None),
            Err(why) => Err(why),
        }
    }

    /// The net, and the matrix of the transitions that can fire, unless it is too large for linear
    /// programs.
    fn incidence(&self) -> Option<(&'a Net, Incidence)> {
        let net = self.loaded.structure()?;
        let is_dead = self.loaded.analysis.dead.transition_flags(net);
        let incidence = Incidence::without(net, &is_dead);
        (incidence.entry_count() <= LARGEST_PROGRAM).then_some((net, incidence))
    }

    fn by_state_equation(&mut self, budget: &Budget, time_for_one: Duration) -> Result<(), Interrupted> {
        let Some((net, incidence)) = self.incidence() else { return Ok(()) };
        let programs = LinearPrograms::new(net, &incidence, time_for_one);
        for target in self.open() {
            let sum = match programs.bound_of_sum(self.terms(target), budget) {
                Ok(sum) => sum,
                Err(Interrupted::Timeout) => return Ok(()),
                Err(why) => return Err(why),
            };
            if let Some(sum) = sum
                && let Some(bound) = sum.bound_of_sum(net, self.terms(target))
                && let Some(structure) = &self.structure
            {
                let proof = structure.certificate(&sum);
                self.prove(target, bound, proof);
            }
        }
        Ok(())
    }

    /// Karp and Miller's tree, for nets that may be unbounded.
    fn by_covering(&mut self, budget: &Budget) -> Result<(), Interrupted> {
        let Some(net) = self.loaded.structure() else { return Ok(()) };
        let open = self.open();
        let mut largest: Vec<Option<u128>> = vec![Some(0); open.len()];
        let outcome = cover(net, COVER, budget, |marking| {
            for (largest, &target) in largest.iter_mut().zip(&open) {
                let value = omega_value(&self.targets[target].terms, marking);
                *largest = match (*largest, value) {
                    (Some(known), Some(value)) => Some(known.max(value)),
                    _ => None,
                };
            }
        });
        let covered = match outcome {
            Ok(covered) => covered,
            Err(Interrupted::Timeout) => Covered::Some,
            Err(why) => return Err(why),
        };
        for (target, largest) in open.into_iter().zip(largest) {
            match (largest, covered) {
                (None, _) => self.settle(target, Amount::Infinite, BoundMethod::Coverability, None),
                (Some(value), Covered::All) => {
                    self.settle(target, Amount::Finite(value.into()), BoundMethod::Coverability, None);
                }
                (Some(value), Covered::Some) => self.reach(target, value),
            }
        }
        Ok(())
    }
}

/// A share of the time that is left, at most `longest`.
fn slice(budget: &Budget, share: u32, longest: Duration) -> Budget {
    budget.slice(budget.time_left().map_or(longest, |left| (left / share).min(longest)))
}

/// The largest value of a sum in the beginning; 0 where initial states are not listed.
fn initial_value(loaded: &Loaded, terms: &[(PlaceId, u64)]) -> u128 {
    let value = |state: &symbolon_model::State| -> u128 {
        terms.iter().map(|&(place, weight)| u128::from(weight) * u128::from(state[place.index()])).sum()
    };
    loaded.model.initial.iter().map(value).max().unwrap_or(0)
}

/// The value of a sum in a marking with omegas; `None` if it has no bound there.
fn omega_value(terms: &[(PlaceId, u64)], marking: &[u64]) -> Option<u128> {
    terms.iter().try_fold(0_u128, |sum, &(place, weight)| match marking[place.index()] {
        OMEGA => None,
        tokens => Some(sum + u128::from(weight) * u128::from(tokens)),
    })
}
