//! The state equation as a linear program, and its dual.
//!
//! Every reachable marking is `m = m₀ + Cx − r ≥ 0` for some `x ≥ 0` (how often each column is
//! fired) and `r ≥ 0` at the places that are reset (what resets take beyond their entries, PETRI-I1
//! of [`Incidence`]). With `m` put in, what is left are the variables `x` and `r`, one row per
//! place, one row per fact, and one row per constraint of the cube, which may be exceeded at a
//! price:
//!
//! ```text
//! least Σ s   such that   m ≥ 0,   fᵀm ≤ g for each fact,   aᵀm ≤ b + s for each constraint,
//!                         x, r, s ≥ 0
//! ```
//!
//! Its dual has one variable for each row: `w ≥ 0` (places), `u ≥ 0` (facts), `0 ≤ z ≤ 1`
//! (constraints); with `y = w − Σ u·f − Σ z·a` it asks for `yᵀC ≤ 0`, `y ≥ 0` where places are
//! reset, and the least `yᵀm₀ + Σ u·g + Σ z·b`. If that is negative, it is a [`Contradiction`]. The
//! solver gives no dual values, so the dual is solved for itself, but only over the variables whose
//! rows are tight in the solution of the first program: no others are needed (complementary
//! slackness), and few are left.
//!
//! [`Incidence`]: crate::incidence::Incidence

use super::known_facts::Fact;
use super::linear_constraint::LinearConstraint;
use super::linear_program::LinearPrograms;
use super::refutation::{Checker, Contradiction};
use super::rounding::{LARGEST_DENOMINATORS, to_integers};
use crate::net::PlaceId;
use microlp::{ComparisonOp, OptimizationDirection, Problem, Solution, Variable};
use num_integer::Integer;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use symbolon_budget::{Budget, Interrupted};

/// What the solver's numbers must be beyond to count.
pub(super) const TOLERANCE: f64 = 1e-6;

/// A solution of the first program.
pub(super) struct Point {
    /// Tokens in each place.
    pub(super) tokens: Vec<f64>,
    /// How often each of the different columns is fired.
    pub(super) counts: Vec<f64>,
    /// By how much the constraints are exceeded, in sum.
    pub(super) excess: f64,
}

/// What is optimised.
pub(super) enum Goal<'a> {
    /// The constraints are exceeded as little as possible.
    Satisfy(&'a [LinearConstraint]),
    /// This sum is as large as possible.
    Largest(&'a [(PlaceId, i64)]),
}

/// The first program, solved, to which facts can be added.
pub(super) struct Relaxation<'p, 'a> {
    programs: &'p LinearPrograms<'a>,
    fired: Vec<Variable>,
    lost: FxHashMap<PlaceId, Variable>,
    exceeded: Vec<Variable>,
    /// `None` once the solver gave up.
    solution: Option<Solution>,
}

impl<'p, 'a> Relaxation<'p, 'a> {
    /// Solves the program with these facts.
    pub(super) fn new(
        programs: &'p LinearPrograms<'a>,
        goal: &Goal,
        facts: &[Fact],
        budget: &Budget,
    ) -> Result<Self, Interrupted> {
        budget.check()?;
        let direction = match goal {
            Goal::Satisfy(_) => OptimizationDirection::Minimize,
            Goal::Largest(_) => OptimizationDirection::Maximize,
        };
        let mut problem = Problem::new(direction);
        problem.set_time_limit(programs.time_for_one(budget));
        let mut gains = vec![0.0; programs.columns.len()];
        let mut factors: FxHashMap<PlaceId, f64> = FxHashMap::default();
        if let Goal::Largest(terms) = goal {
            programs.changes_of(terms).iter().for_each(|&(column, change)| gains[column as usize] = change);
            factors.extend(terms.iter().map(|&(place, factor)| (place, factor as f64)));
        }
        let fired = gains.iter().map(|&gain| problem.add_var(gain, (0.0, f64::INFINITY))).collect();
        let mut lost = FxHashMap::default();
        for place in programs.net.place_ids().filter(|&place| programs.incidence.is_reset(place)) {
            let price = factors.get(&place).map_or(0.0, |factor| -factor);
            lost.insert(place, problem.add_var(price, (0.0, f64::INFINITY)));
        }
        let mut relaxation = Relaxation { programs, fired, lost, exceeded: Vec::new(), solution: None };
        for place in programs.net.place_ids() {
            let row = programs.rows().line(place.index());
            // Where nothing is taken, there is always enough.
            if row.iter().any(|&(_, change)| change < 0) || programs.incidence.is_reset(place) {
                let (terms, initial) = relaxation.row_of(&[(place, 1)]);
                problem.add_constraint(terms, ComparisonOp::Ge, -initial);
            }
        }
        for fact in facts {
            let (terms, initial) = relaxation.row_of(&fact.constraint.terms);
            problem.add_constraint(terms, ComparisonOp::Le, fact.constraint.at_most as f64 - initial);
        }
        if let Goal::Satisfy(cube) = goal {
            for constraint in *cube {
                let (mut terms, initial) = relaxation.row_of(&constraint.terms);
                let exceeded = problem.add_var(1.0, (0.0, f64::INFINITY));
                relaxation.exceeded.push(exceeded);
                terms.push((exceeded, -1.0));
                problem.add_constraint(terms, ComparisonOp::Le, constraint.at_most as f64 - initial);
            }
        }
        let outcome = problem.solve();
        budget.check()?;
        relaxation.solution = outcome.ok().and_then(|outcome| outcome.into_solution().ok());
        Ok(relaxation)
    }

    /// Solves it again with more facts, one after the other; returns those that were still violated
    /// when their turn came. The others are left out.
    pub(super) fn add(&mut self, facts: Vec<Fact>, budget: &Budget) -> Result<Vec<Fact>, Interrupted> {
        let mut added = Vec::new();
        for fact in facts {
            budget.check()?;
            let (terms, initial) = self.row_of(&fact.constraint.terms);
            let number = fact.constraint.at_most as f64 - initial;
            let Some(solution) = self.solution.take() else { return Ok(added) };
            let sum: f64 =
                terms.iter().map(|&(variable, factor)| factor * solution.var_value(variable)).sum();
            if sum <= number + TOLERANCE * (1.0 + number.abs()) && !added.is_empty() {
                self.solution = Some(solution);
                continue;
            }
            let outcome = solution.add_constraint(terms, ComparisonOp::Le, number);
            self.solution = outcome.ok().and_then(|outcome| outcome.into_solution().ok());
            added.push(fact);
        }
        budget.check()?;
        Ok(added)
    }

    /// The solution; `None` if the solver gave up, or if there is no best one.
    pub(super) fn point(&self) -> Option<Point> {
        let solution = self.solution.as_ref()?;
        let net = self.programs.net;
        let counts: Vec<f64> = self.fired.iter().map(|&variable| solution.var_value(variable)).collect();
        let mut tokens: Vec<f64> = net.places.iter().map(|place| place.initial as f64).collect();
        for (index, &count) in counts.iter().enumerate().filter(|&(_, &count)| count != 0.0) {
            for &(place, change) in self.programs.columns.line(index) {
                tokens[place as usize] += change as f64 * count;
            }
        }
        for (place, &variable) in &self.lost {
            tokens[place.index()] -= solution.var_value(variable);
        }
        let excess = self.exceeded.iter().map(|&variable| solution.var_value(variable)).sum();
        Some(Point { tokens, counts, excess })
    }

    /// A sum over places as one over the variables, and its initial value.
    fn row_of(&self, terms: &[(PlaceId, i64)]) -> (Vec<(Variable, f64)>, f64) {
        let changes = self.programs.changes_of(terms);
        let mut row: Vec<(Variable, f64)> =
            changes.iter().map(|&(column, change)| (self.fired[column as usize], change)).collect();
        let mut initial = 0.0;
        for &(place, factor) in terms {
            initial += factor as f64 * self.programs.net.places[place.index()].initial as f64;
            if let Some(&lost) = self.lost.get(&place) {
                row.push((lost, -(factor as f64)));
            }
        }
        (row, initial)
    }
}

impl LinearPrograms<'_> {
    /// What each of the different columns adds to a sum over places, where that is not 0.
    fn changes_of(&self, terms: &[(PlaceId, i64)]) -> Vec<(u32, f64)> {
        if let &[(place, factor)] = terms {
            let row = self.rows().line(place.index()).iter();
            return row.map(|&(column, change)| (column, factor as f64 * change as f64)).collect();
        }
        let mut changes: BTreeMap<u32, f64> = BTreeMap::new();
        for &(place, factor) in terms {
            for &(column, change) in self.rows().line(place.index()) {
                *changes.entry(column).or_default() += factor as f64 * change as f64;
            }
        }
        changes.into_iter().filter(|&(_, change)| change != 0.0).collect()
    }

    /// A verified contradiction of `cube`, by the dual program over the rows that are tight in
    /// `tokens` (all rows if there is no such marking). The numbers of `cube` are tightened
    /// already.
    pub(super) fn contradiction(
        &self,
        cube: &[LinearConstraint],
        facts: &[Fact],
        tokens: Option<&[f64]>,
        budget: &Budget,
    ) -> Result<Option<Contradiction>, Interrupted> {
        budget.check()?;
        let is_tight = |constraint: &LinearConstraint| {
            let Some(tokens) = tokens else { return true };
            let sum: f64 =
                constraint.terms.iter().map(|&(p, factor)| factor as f64 * tokens[p.index()]).sum();
            sum > constraint.at_most as f64 - TOLERANCE * (1.0 + constraint.at_most.unsigned_abs() as f64)
        };
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        problem.set_time_limit(self.time_for_one(budget));
        // The rows of the program: what each variable adds to each column, and at reset places.
        let mut rows: Vec<Vec<(Variable, f64)>> = vec![Vec::new(); self.columns.len()];
        let mut reset_rows: BTreeMap<PlaceId, Vec<(Variable, f64)>> = BTreeMap::new();
        let mut lines: Vec<(Line, Variable)> = Vec::new();
        let mut add = |line: Line, most: f64, sign: f64, terms: &[(PlaceId, i64)], number: f64| {
            let initial: f64 = terms
                .iter()
                .map(|&(place, factor)| factor as f64 * self.net.places[place.index()].initial as f64)
                .sum();
            let variable = problem.add_var(number + sign * initial, (0.0, most));
            for (column, change) in self.changes_of(terms) {
                rows[column as usize].push((variable, sign * change));
            }
            for &(place, factor) in terms.iter().filter(|&&(place, _)| self.incidence.is_reset(place)) {
                reset_rows.entry(place).or_default().push((variable, sign * factor as f64));
            }
            lines.push((line, variable));
        };
        for place in self.net.place_ids() {
            let is_empty = tokens.is_none_or(|tokens| tokens[place.index()] < TOLERANCE);
            let is_taken_from = self.rows().line(place.index()).iter().any(|&(_, change)| change < 0);
            if is_empty && (is_taken_from || self.incidence.is_reset(place)) {
                add(Line::Place(place), f64::INFINITY, 1.0, &[(place, 1)], 0.0);
            }
        }
        for (index, fact) in facts.iter().enumerate() {
            if is_tight(&fact.constraint) {
                let LinearConstraint { terms, at_most } = &fact.constraint;
                add(Line::Fact(index), f64::INFINITY, -1.0, terms, *at_most as f64);
            }
        }
        for (index, constraint) in cube.iter().enumerate() {
            if is_tight(constraint) {
                add(Line::Constraint(index), 1.0, -1.0, &constraint.terms, constraint.at_most as f64);
            }
        }
        for row in rows.into_iter().filter(|row| row.iter().any(|&(_, factor)| factor > 0.0)) {
            problem.add_constraint(row, ComparisonOp::Le, 0.0);
        }
        for row in reset_rows.into_values().filter(|row| row.iter().any(|&(_, factor)| factor < 0.0)) {
            problem.add_constraint(row, ComparisonOp::Ge, 0.0);
        }
        let outcome = problem.solve();
        budget.check()?;
        let Some(solution) = outcome.ok().and_then(|outcome| outcome.into_solution().ok()) else {
            return Ok(None);
        };
        let values: Vec<f64> = lines.iter().map(|&(_, variable)| solution.var_value(variable)).collect();
        let checker = Checker { net: self.net, incidence: self.incidence, known: &self.known };
        Ok(LARGEST_DENOMINATORS.iter().find_map(|&largest| {
            let multipliers = to_integers(&values, largest)?;
            let multipliers = multipliers.into_iter().map(|(line, times)| (&lines[line as usize].0, times));
            let contradiction = add_up(cube, facts, multipliers)?;
            checker.contradicts(&contradiction, cube).then_some(contradiction)
        }))
    }
}

/// A row of the first program, which is a variable of the second.
enum Line {
    Place(PlaceId),
    Fact(usize),
    Constraint(usize),
}

/// The contradiction with these multipliers: `y = w − Σ u·f − Σ z·a`. `None` if a number does not
/// fit.
fn add_up<'l>(
    cube: &[LinearConstraint],
    facts: &[Fact],
    multipliers: impl Iterator<Item = (&'l Line, u64)>,
) -> Option<Contradiction> {
    let mut weights: BTreeMap<PlaceId, i128> = BTreeMap::new();
    let mut used: Vec<(usize, u64)> = Vec::new();
    let mut times = vec![0_u64; cube.len()];
    let mut subtract = |constraint: &LinearConstraint, times: u64| {
        for &(place, factor) in &constraint.terms {
            let weight = weights.entry(place).or_default();
            *weight = weight.checked_sub(i128::from(factor).checked_mul(i128::from(times))?)?;
        }
        Some(())
    };
    for (line, multiplier) in multipliers {
        match *line {
            Line::Place(place) => {
                subtract(&LinearConstraint { terms: vec![(place, -1)], at_most: 0 }, multiplier)?;
            }
            Line::Fact(index) => {
                subtract(&facts[index].constraint, multiplier)?;
                used.push((index, multiplier));
            }
            Line::Constraint(index) => {
                subtract(&cube[index], multiplier)?;
                times[index] = multiplier;
            }
        }
    }
    weights.retain(|_, weight| *weight != 0);
    // What all numbers have in common says nothing.
    let multiples = used.iter().map(|&(_, times)| times).chain(times.iter().copied());
    let common =
        multiples.map(i128::from).chain(weights.values().copied()).fold(0, |a: i128, b| a.gcd(&b)).max(1);
    let divided = |times: u64| (i128::from(times) / common) as u64;
    let weight = |(place, weight): (PlaceId, i128)| Some((place, i64::try_from(weight / common).ok()?));
    Some(Contradiction {
        weights: weights.into_iter().map(weight).collect::<Option<_>>()?,
        facts: used.into_iter().map(|(index, times)| (facts[index].clone(), divided(times))).collect(),
        times: times.into_iter().map(divided).collect(),
    })
}
