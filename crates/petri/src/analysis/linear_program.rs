//! Upper bounds by linear programming.
//!
//! The largest marking of `p` among all solutions of the state equation, `max m_p` for
//! `m = m₀ + Cx`, `m, x ≥ 0`, has a dual: the least `yᵀm₀` for `y ≥ 0`, `yᵀC ≤ 0`, `y_p = 1`. The
//! dual's solution is itself the certificate ([`ShrinkingSum`]), so the dual is what is solved. The
//! solver works in floating point; its weights are rounded to fractions with small denominators,
//! scaled to integers, and believed only if exact arithmetic confirms them. What cannot be
//! confirmed gives no bound.
//!
//! The same for a sum `wᵀm` of places: its dual asks for `y ≥ w`. The primal's solution `x` proves
//! nothing, but tells how often each transition might fire on the way to a largest marking, which
//! walks can try.

use super::Analysis;
use super::known_facts::KnownFacts;
use super::rounding::{LARGEST_DENOMINATORS, to_integers};
use super::shrinking_sum::ShrinkingSum;
use crate::incidence::{Incidence, Lines};
use crate::net::{Net, PlaceId, TransitionId};
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use std::sync::OnceLock;
use std::time::Duration;
use symbolon_budget::{Budget, Interrupted};

/// Linear programs over the incidence matrix of one net.
pub struct LinearPrograms<'a> {
    pub(super) net: &'a Net,
    pub(super) incidence: &'a Incidence,
    /// The different columns, each once.
    pub(super) columns: Lines,
    /// The same by rows; made when it is first needed.
    rows: OnceLock<Lines>,
    pub(super) known: KnownFacts<'a>,
    time_limit: Duration,
}

/// Nets with more entries in their incidence matrix than this get no linear program where it is
/// only one way among others: the solver takes longer than it is worth.
pub const LARGEST_PROGRAM: usize = 400_000;

/// What a weight must at least be.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Demand {
    AtLeast(f64),
    One,
}

impl Demand {
    const FREE: Demand = Demand::AtLeast(0.0);
}

impl<'a> LinearPrograms<'a> {
    /// Programs for `net`, each of which may take `time_limit`.
    pub fn new(net: &'a Net, incidence: &'a Incidence, time_limit: Duration) -> Self {
        LinearPrograms {
            net,
            incidence,
            columns: incidence.distinct_columns(false).into_owned(),
            rows: OnceLock::new(),
            known: KnownFacts::none(net),
            time_limit,
        }
    }

    /// The same programs, helped by what was proved of the net otherwise. If the matrix leaves out
    /// transitions, they are dead by `analysis`.
    pub fn knowing(self, analysis: &'a Analysis) -> Self {
        LinearPrograms { known: KnownFacts::of(self.net, analysis), ..self }
    }

    /// For each place the different columns that change it, with what they add.
    pub(super) fn rows(&self) -> &Lines {
        self.rows.get_or_init(|| self.columns.transposed(self.net.places.len()))
    }

    /// A verified sum that bounds `place`, as tightly as the state equation does; `None` if there
    /// is none, or if the solver's answer could not be confirmed.
    pub fn bound(&self, place: PlaceId, budget: &Budget) -> Result<Option<ShrinkingSum>, Interrupted> {
        let demand = |other: PlaceId| if other == place { Demand::One } else { Demand::FREE };
        let sum = self.solve(demand, |other| self.net.places[other.index()].initial as f64, budget)?;
        Ok(sum.filter(|sum| sum.weight(place) > 0))
    }

    /// A verified sum that bounds the sum `terms` (places with positive weights) as tightly as the
    /// state equation does ([`ShrinkingSum::bound_of_sum`]); `None` if there is none, or if the
    /// solver's answer could not be confirmed.
    pub fn bound_of_sum(
        &self,
        terms: &[(PlaceId, u64)],
        budget: &Budget,
    ) -> Result<Option<ShrinkingSum>, Interrupted> {
        let mut demands = vec![Demand::FREE; self.net.places.len()];
        for &(place, weight) in terms {
            demands[place.index()] = Demand::AtLeast(weight as f64);
        }
        let initial = |place: PlaceId| self.net.places[place.index()].initial as f64;
        let sum = self.solve(|place| demands[place.index()], initial, budget)?;
        Ok(sum.filter(|sum| sum.bound_of_sum(self.net, terms).is_some()))
    }

    /// How often each transition fires in a solution of the state equation with the largest sum
    /// `terms`: a hint, not a proof. `None` if the solver found no solution in its time.
    pub fn firing_counts(
        &self,
        terms: &[(PlaceId, u64)],
        budget: &Budget,
    ) -> Result<Option<Vec<(TransitionId, f64)>>, Interrupted> {
        budget.check()?;
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        problem.set_time_limit(self.time_for_one(budget));
        let transitions = (0..self.incidence.transition_count() as u32).map(TransitionId);
        let gain_of = |transition: TransitionId| {
            let column = self.incidence.column(transition).iter();
            let gain = |&(place, change): &(u32, i64)| {
                let position = terms.binary_search_by_key(&PlaceId(place), |&(place, _)| place);
                position.map_or(0.0, |index| terms[index].1 as f64 * change as f64)
            };
            column.map(gain).sum::<f64>()
        };
        // Without a small price on each firing, solutions go round in circles.
        const PRICE: f64 = 1e-4;
        let variables: Vec<Variable> = transitions
            .clone()
            .map(|transition| problem.add_var(gain_of(transition) - PRICE, (0.0, f64::INFINITY)))
            .collect();
        for place in self.net.place_ids() {
            let row = self.incidence.row(place);
            if row.iter().any(|&(_, change)| change < 0) {
                let terms: Vec<(Variable, f64)> =
                    row.iter().map(|&(column, change)| (variables[column as usize], change as f64)).collect();
                let initial = self.net.places[place.index()].initial as f64;
                problem.add_constraint(terms, ComparisonOp::Ge, -initial);
            }
        }
        let outcome = problem.solve();
        budget.check()?;
        let Some(solution) = outcome.ok().and_then(|outcome| outcome.into_solution().ok()) else {
            return Ok(None);
        };
        let counts =
            transitions.map(|transition| (transition, solution.var_value(variables[transition.index()])));
        Ok(Some(counts.filter(|&(_, count)| count > 1e-6).collect()))
    }

    pub(super) fn time_for_one(&self, budget: &Budget) -> Duration {
        budget.time_left().map_or(self.time_limit, |left| left.min(self.time_limit))
    }

    /// A verified sum in which every one of `places` has weight: they are bounded whatever the
    /// initial marking. `None` if there is none, or if the solver's answer could not be confirmed.
    pub fn structural_bound(
        &self,
        places: &[PlaceId],
        budget: &Budget,
    ) -> Result<Option<ShrinkingSum>, Interrupted> {
        let mut demands = vec![Demand::FREE; self.net.places.len()];
        places.iter().for_each(|place| demands[place.index()] = Demand::AtLeast(1.0));
        let sum = self.solve(|place| demands[place.index()], |_| 1.0, budget)?;
        Ok(sum.filter(|sum| places.iter().all(|&place| sum.weight(place) > 0)))
    }

    /// Weights that meet the demands at least cost, with no column increased.
    fn solve(
        &self,
        demand: impl Fn(PlaceId) -> Demand,
        cost: impl Fn(PlaceId) -> f64,
        budget: &Budget,
    ) -> Result<Option<ShrinkingSum>, Interrupted> {
        budget.check()?;
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        problem.set_time_limit(self.time_for_one(budget));
        let variables: Vec<Variable> = self
            .net
            .place_ids()
            .map(|place| {
                let range = match demand(place) {
                    Demand::AtLeast(least) => (least, f64::INFINITY),
                    Demand::One => (1.0, 1.0),
                };
                problem.add_var(cost(place), range)
            })
            .collect();
        for index in 0..self.columns.len() {
            let column = self.columns.line(index);
            // A column that takes only, from whatever place, increases no sum.
            if column.iter().any(|&(_, change)| change > 0) {
                let terms: Vec<(Variable, f64)> = column
                    .iter()
                    .map(|&(place, change)| (variables[place as usize], change as f64))
                    .collect();
                problem.add_constraint(terms, ComparisonOp::Le, 0.0);
            }
        }
        let outcome = problem.solve();
        budget.check()?;
        // Any feasible weights are a proof, so a solution that may not be the best is welcome, too.
        let Some(solution) = outcome.ok().and_then(|outcome| outcome.into_solution().ok()) else {
            return Ok(None);
        };
        let weights: Vec<f64> = variables.iter().map(|&variable| solution.var_value(variable)).collect();
        Ok(LARGEST_DENOMINATORS.iter().find_map(|&largest| {
            let weights = to_integers(&weights, largest)?;
            let sum = ShrinkingSum { weights: weights.into_iter().map(|(p, w)| (PlaceId(p), w)).collect() };
            sum.verify(self.incidence).then_some(sum)
        }))
    }
}
