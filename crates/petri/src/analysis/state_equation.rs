//! What the state equation, and facts known besides, forbid.
//!
//! [`LinearPrograms::refute`] takes a conjunction of linear constraints and tries to prove that no
//! reachable marking satisfies it; [`LinearPrograms::range`] takes a sum and finds between which
//! numbers it stays. Both solve the relaxation of [`super::relaxation`], and when its solution
//! breaks a known fact (an upper bound, an exclusive set, a trap that would be empty), they add
//! that fact and solve again. A solution with half a token in a place is excluded by distinguishing
//! two cases. Every claim carries a proof that was verified exactly; where none is found, nothing
//! is claimed.

use super::interval_proof::contradiction_at_a_glance;
use super::known_facts::{Fact, Reason};
use super::linear_constraint::LinearConstraint;
use super::linear_program::{LARGEST_PROGRAM, LinearPrograms};
use super::refutation::{Checker, Proof, Refutation, cases};
use super::relaxation::{Goal, Point, Relaxation, TOLERANCE};
use crate::net::{PlaceId, TransitionId};
use symbolon_budget::{Budget, Interrupted};

/// The outcome of an attempt to refute a conjunction.
#[derive(Clone, Debug)]
pub enum Attempt {
    /// No reachable marking satisfies it.
    Refuted(Refutation),
    /// Nothing was proved. A marking that the relaxation allows, if one was found, may guide a
    /// search.
    Open(Option<Potential>),
}

/// A solution of the relaxation: perhaps no reachable marking, but a hint where to look for one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Potential {
    /// The tokens in each place.
    pub marking: Vec<f64>,
    /// How often transitions fire on the way, those that do, ascending. Of transitions that change
    /// the same each has the count of all.
    pub counts: Vec<(TransitionId, f64)>,
}

/// Between which numbers a sum of tokens stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// It is never less than this.
    pub smallest: Option<Extreme>,
    /// It is never more than this.
    pub largest: Option<Extreme>,
}

/// A number that a sum of tokens never goes beyond.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extreme {
    /// The number.
    pub value: i64,
    /// The proof that no reachable marking goes beyond it.
    pub proof: Refutation,
}

/// How many programs are solved for one conjunction, at most.
const MOST_PROGRAMS: u32 = 40;

/// How deep cases are split.
const MOST_CASES_DEEP: u32 = 8;

/// How far from an integer a number of tokens counts as broken.
const FRACTION: f64 = 1e-4;

impl LinearPrograms<'_> {
    /// A verified proof that no reachable marking satisfies all of `cube`; `None` claims nothing.
    /// All programs together may take the time for one. Nets with more than [`LARGEST_PROGRAM`]
    /// entries in their matrix get no program, only a glance at their bounds.
    pub fn refute(
        &self,
        cube: &[LinearConstraint],
        budget: &Budget,
    ) -> Result<Option<Refutation>, Interrupted> {
        match self.try_to_refute(cube, budget)? {
            Attempt::Refuted(refutation) => Ok(Some(refutation)),
            Attempt::Open(_) => Ok(None),
        }
    }

    /// As [`LinearPrograms::refute`], with a hint if it fails.
    pub fn try_to_refute(&self, cube: &[LinearConstraint], budget: &Budget) -> Result<Attempt, Interrupted> {
        let initial = |place: PlaceId| self.net.places[place.index()].initial;
        if !cube.iter().all(|constraint| constraint.is_well_formed(self.net)) {
            return Ok(Attempt::Open(None));
        }
        if cube.iter().all(|constraint| constraint.holds_in(initial)) {
            let marking = self.net.places.iter().map(|place| place.initial as f64).collect();
            return Ok(Attempt::Open(Some(Potential { marking, counts: Vec::new() })));
        }
        let tight = |constraint: &LinearConstraint| constraint.tightened(self.net, self.incidence);
        let mut tightened: Vec<LinearConstraint> = cube.iter().map(tight).collect();
        let checker = Checker { net: self.net, incidence: self.incidence, known: &self.known };
        let glance = contradiction_at_a_glance(&self.known, &tightened)
            .filter(|contradiction| checker.contradicts(contradiction, &tightened));
        if let Some(contradiction) = glance {
            let proof = Proof::Contradiction(contradiction);
            return Ok(Attempt::Refuted(Refutation { cube: cube.to_vec(), proof }));
        }
        if self.incidence.entry_count() > LARGEST_PROGRAM {
            return Ok(Attempt::Open(None));
        }
        let mut search = Search { programs: self, facts: Vec::new(), programs_left: MOST_PROGRAMS };
        let outcome = self.in_time(budget, |budget| search.prove(&mut tightened, 0, budget))?;
        Ok(match outcome {
            Some(Outcome::Proved(proof)) => Attempt::Refuted(Refutation { cube: cube.to_vec(), proof }),
            Some(Outcome::Open(point)) => Attempt::Open(point.map(|point| self.potential(&point))),
            None => Attempt::Open(None),
        })
    }

    /// What `work` finds in the time for one attempt; `None` if it takes longer while `budget`
    /// would grant more.
    fn in_time<T>(
        &self,
        budget: &Budget,
        work: impl FnOnce(&Budget) -> Result<T, Interrupted>,
    ) -> Result<Option<T>, Interrupted> {
        let slice = budget.slice(self.time_for_one(budget));
        match work(&slice) {
            Ok(found) => Ok(Some(found)),
            Err(Interrupted::Timeout) => budget.check().map(|()| None),
            Err(why) => Err(why),
        }
    }

    /// Between which numbers the sum `terms` stays, as tightly as the relaxation tells.
    pub fn range(&self, terms: &[(PlaceId, i64)], budget: &Budget) -> Result<Range, Interrupted> {
        let Some(LinearConstraint { terms, .. }) = LinearConstraint::at_most(terms, 0) else {
            return Ok(Range::default());
        };
        let Some(LinearConstraint { terms: negated, .. }) = LinearConstraint::at_least(&terms, 0) else {
            return Ok(Range::default());
        };
        let largest = |terms: &[(PlaceId, i64)]| {
            self.in_time(budget, |budget| self.largest(terms, budget)).map(Option::flatten)
        };
        Ok(Range {
            smallest: largest(&negated)?.map(|extreme| Extreme { value: -extreme.value, ..extreme }),
            largest: largest(&terms)?,
        })
    }

    fn largest(&self, terms: &[(PlaceId, i64)], budget: &Budget) -> Result<Option<Extreme>, Interrupted> {
        let is_in_net = terms.iter().all(|&(place, _)| place.index() < self.net.places.len());
        if !is_in_net || self.incidence.entry_count() > LARGEST_PROGRAM {
            return Ok(None);
        }
        // Bounds of the places that make the sum large: without them it may have no largest value,
        // and then no solution that shows what else is violated.
        let reasons =
            terms.iter().filter(|&&(_, factor)| factor > 0).map(|&(place, _)| Reason::UpperBound(place));
        let mut facts: Vec<Fact> = reasons.filter_map(|reason| self.known.fact(reason)).collect();
        let mut relaxation = Relaxation::new(self, &Goal::Largest(terms), &facts, budget)?;
        for _ in 0..MOST_PROGRAMS {
            let Some(point) = relaxation.point() else { return Ok(None) };
            let violated = self.known.violated(&point.tokens);
            if violated.is_empty() {
                break;
            }
            facts.extend(relaxation.add(violated, budget)?);
        }
        let Some(point) = relaxation.point() else { return Ok(None) };
        let sum: f64 = terms.iter().map(|&(place, factor)| factor as f64 * point.tokens[place.index()]).sum();
        // Beyond 2^53 a float is not an exact integer any more.
        if sum.abs() > 9e15 {
            return Ok(None);
        }
        // What the steps of the sum exclude is excluded for the bound, too.
        let candidate = (sum + TOLERANCE * (1.0 + sum.abs())).floor() as i64;
        let below = LinearConstraint { terms: terms.to_vec(), at_most: candidate };
        let value = below.tightened(self.net, self.incidence).at_most;
        let beyond = value.checked_add(1).and_then(|beyond| LinearConstraint::at_least(terms, beyond));
        let Some(beyond) = beyond else { return Ok(None) };
        let tightened = [beyond.tightened(self.net, self.incidence)];
        let proof = self.contradiction_nearby(&tightened, &facts, &point, budget)?;
        Ok(proof.map(|proof| Extreme { value, proof: Refutation { cube: vec![beyond], proof } }))
    }

    /// A contradiction over what is tight at `point`, or else over everything.
    fn contradiction_nearby(
        &self,
        cube: &[LinearConstraint],
        facts: &[Fact],
        point: &Point,
        budget: &Budget,
    ) -> Result<Option<Proof>, Interrupted> {
        let mut found = self.contradiction(cube, facts, Some(&point.tokens), budget)?;
        if found.is_none() {
            found = self.contradiction(cube, facts, None, budget)?;
        }
        Ok(found.map(Proof::Contradiction))
    }

    fn potential(&self, point: &Point) -> Potential {
        let mut counts = Vec::new();
        // Transitions that change the same stand for one column; they are found by what they
        // change.
        let fired: rustc_hash::FxHashMap<&[(u32, i64)], f64> = (0..self.columns.len())
            .filter(|&index| point.counts[index] > TOLERANCE)
            .map(|index| (self.columns.line(index), point.counts[index]))
            .collect();
        for transition in self.net.transition_ids() {
            if let Some(&count) = fired.get(self.incidence.column(transition)) {
                counts.push((transition, count));
            }
        }
        Potential { marking: point.tokens.clone(), counts }
    }
}

/// One attempt: the facts found so far, which hold in all cases, and the programs it may still
/// solve.
struct Search<'p, 'a> {
    programs: &'p LinearPrograms<'a>,
    facts: Vec<Fact>,
    programs_left: u32,
}

enum Outcome {
    Proved(Proof),
    Open(Option<Point>),
}

impl Search<'_, '_> {
    /// Tries to prove that no reachable marking satisfies `cube`, which is left as it was.
    fn prove(
        &mut self,
        cube: &mut Vec<LinearConstraint>,
        depth: u32,
        budget: &Budget,
    ) -> Result<Outcome, Interrupted> {
        if self.programs_left == 0 {
            return Ok(Outcome::Open(None));
        }
        self.programs_left -= 1;
        let mut relaxation = Relaxation::new(self.programs, &Goal::Satisfy(cube), &self.facts, budget)?;
        let point = loop {
            let Some(point) = relaxation.point() else { return Ok(Outcome::Open(None)) };
            if point.excess > TOLERANCE {
                let proof = self.programs.contradiction_nearby(cube, &self.facts, &point, budget)?;
                return Ok(proof.map_or(Outcome::Open(None), Outcome::Proved));
            }
            let violated = self.programs.known.violated(&point.tokens);
            if violated.is_empty() {
                break point;
            }
            if self.programs_left == 0 {
                return Ok(Outcome::Open(Some(point)));
            }
            self.programs_left -= 1;
            self.facts.extend(relaxation.add(violated, budget)?);
        };
        self.prove_by_cases(cube, point, depth, budget)
    }

    /// Tells apart whether the place that is farthest from an integer holds fewer or more tokens
    /// than that.
    fn prove_by_cases(
        &mut self,
        cube: &mut Vec<LinearConstraint>,
        point: Point,
        depth: u32,
        budget: &Budget,
    ) -> Result<Outcome, Interrupted> {
        let distance = |tokens: f64| (tokens - tokens.round()).abs();
        let broken = (0..point.tokens.len())
            .rev()
            .max_by(|&a, &b| distance(point.tokens[a]).total_cmp(&distance(point.tokens[b])));
        let Some(broken) = broken.filter(|&index| distance(point.tokens[index]) > FRACTION) else {
            return Ok(Outcome::Open(Some(point)));
        };
        let (place, at_most) = (PlaceId(broken as u32), point.tokens[broken].floor() as i64);
        let Some([few, many]) = cases(place, at_most).filter(|_| depth < MOST_CASES_DEEP) else {
            return Ok(Outcome::Open(Some(point)));
        };
        let mut proofs = Vec::new();
        for case in [few, many] {
            cube.push(case.tightened(self.programs.net, self.programs.incidence));
            let outcome = self.prove(cube, depth + 1, budget);
            cube.pop();
            match outcome? {
                Outcome::Proved(proof) => proofs.push(Box::new(proof)),
                // A solution with broken tokens is still a hint.
                Outcome::Open(better) => return Ok(Outcome::Open(Some(better.unwrap_or(point)))),
            }
        }
        let [few, many] = <[Box<Proof>; 2]>::try_from(proofs).expect("one proof for each of two cases");
        Ok(Outcome::Proved(Proof::Cases { place, at_most, few, many }))
    }
}
