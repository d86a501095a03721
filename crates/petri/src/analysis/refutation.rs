//! Proofs that no reachable marking satisfies a conjunction of linear constraints.
//!
//! The certificate is Farkas's. Weights `y` with `yᵀC ≤ 0`, not negative at places that some
//! transition resets, give a sum that no firing increases, so `yᵀm ≤ yᵀm₀` in every reachable
//! marking `m` (PETRI-I1 and PETRI-I2 of [`Incidence`]; inhibitor and read arcs only forbid
//! firings). To this add facts `fᵀm ≤ g` that are known of every reachable marking, and the
//! constraints `aᵀm ≤ b` themselves, each some number of times:
//!
//! ```text
//! yᵀm + Σ u·fᵀm + Σ z·aᵀm  ≤  yᵀm₀ + Σ u·g + Σ z·b
//! ```
//!
//! If no factor on the left is negative and the number on the right is, no marking satisfies all of
//! it. Where that does not suffice, a proof may tell two cases apart, `p ≤ k` and `p ≥ k + 1`, and
//! prove each.
//!
//! Wherever a proof comes from (floating-point optimisation), it counts only after verification,
//! which is arithmetic on integers: what would overflow 128 bits is refused.

use super::Analysis;
use super::known_facts::{Fact, KnownFacts, Reason};
use super::linear_constraint::{LinearConstraint, write_sum};
use crate::incidence::Incidence;
use crate::net::{Net, PlaceId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt;

/// A proof that no reachable marking satisfies all of some constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The constraints.
    pub cube: Vec<LinearConstraint>,
    /// Why no reachable marking satisfies them all.
    pub proof: Proof,
}

/// Why no reachable marking satisfies some constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Something negative would not be negative.
    Contradiction(Contradiction),
    /// It is impossible both where a place holds at most this many tokens and where it holds more.
    Cases {
        /// The place.
        place: PlaceId,
        /// How many tokens it holds at most in the first case.
        at_most: i64,
        /// The first case; its constraints are those asked for and this one, after them.
        few: Box<Proof>,
        /// The second case, in the same way.
        many: Box<Proof>,
    },
}

/// A sum of true inequalities and of those asked for that no marking can satisfy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contradiction {
    /// Weights of a sum that no firing increases, ascending by place, none 0.
    pub weights: Vec<(PlaceId, i64)>,
    /// Facts, and how often each is added.
    pub facts: Vec<(Fact, u64)>,
    /// For each constraint how often it is added, tightened ([`LinearConstraint::tightened`]).
    pub times: Vec<u64>,
}

impl Refutation {
    /// Whether this proves what it says of `net`, which `incidence` belongs to (without transitions
    /// that are dead, at most), with facts from `analysis`.
    pub fn verify(&self, net: &Net, incidence: &Incidence, analysis: Option<&Analysis>) -> bool {
        let known = analysis.map_or_else(|| KnownFacts::none(net), |analysis| KnownFacts::of(net, analysis));
        let checker = Checker { net, incidence, known: &known };
        let mut cube = self.cube.clone();
        cube.iter().all(|constraint| constraint.is_well_formed(net)) && checker.proves(&self.proof, &mut cube)
    }

    /// The proof, with the names of places.
    pub fn display<'a>(&'a self, net: &'a Net, incidence: &'a Incidence) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            writeln!(f, "no reachable marking satisfies all of")?;
            self.cube.iter().try_for_each(|constraint| writeln!(f, "  {}", constraint.display(net)))?;
            writeln!(f, "because these cannot hold together:")?;
            Teller { net, incidence, asked: self.cube.len() }.tell(f, &self.proof, &mut self.cube.clone(), 1)
        })
    }

    /// All contradictions that the proof consists of.
    pub fn contradictions(&self) -> Vec<&Contradiction> {
        let mut found = Vec::new();
        let mut open = vec![&self.proof];
        while let Some(proof) = open.pop() {
            match proof {
                Proof::Contradiction(contradiction) => found.push(contradiction),
                Proof::Cases { few, many, .. } => open.extend([many.as_ref(), few.as_ref()]),
            }
        }
        found
    }
}

/// The constraints of the two cases.
pub(crate) fn cases(place: PlaceId, at_most: i64) -> Option<[LinearConstraint; 2]> {
    let few = LinearConstraint { terms: vec![(place, 1)], at_most };
    let many = LinearConstraint { terms: vec![(place, -1)], at_most: at_most.checked_add(1)?.checked_neg()? };
    Some([few, many])
}

/// What proofs are checked against.
pub(crate) struct Checker<'a> {
    pub(crate) net: &'a Net,
    pub(crate) incidence: &'a Incidence,
    pub(crate) known: &'a KnownFacts<'a>,
}

impl Checker<'_> {
    /// Whether `proof` refutes `cube`, which is left as it was.
    fn proves(&self, proof: &Proof, cube: &mut Vec<LinearConstraint>) -> bool {
        match proof {
            Proof::Contradiction(contradiction) => self.contradicts(contradiction, cube),
            Proof::Cases { place, at_most, few, many } => {
                let Some([low, high]) = cases(*place, *at_most) else { return false };
                place.index() < self.net.places.len()
                    && self.proves_case(few, cube, low)
                    && self.proves_case(many, cube, high)
            }
        }
    }

    fn proves_case(&self, proof: &Proof, cube: &mut Vec<LinearConstraint>, case: LinearConstraint) -> bool {
        cube.push(case);
        let is_proved = self.proves(proof, cube);
        cube.pop();
        is_proved
    }

    /// Whether the sum is sound, and contradicts itself.
    pub(crate) fn contradicts(&self, contradiction: &Contradiction, cube: &[LinearConstraint]) -> bool {
        contradiction.times.len() == cube.len()
            && contradiction
                .facts
                .iter()
                .all(|(fact, _)| self.known.fact(fact.reason.clone()).as_ref() == Some(fact))
            && self.never_grows(&contradiction.weights).unwrap_or(false)
            && self.is_negative(contradiction, cube).unwrap_or(false)
    }

    /// Whether no firing increases the sum with these weights; `None` if numbers grow too large.
    fn never_grows(&self, weights: &[(PlaceId, i64)]) -> Option<bool> {
        let mut changes: FxHashMap<u32, i128> = FxHashMap::default();
        for (index, &(place, weight)) in weights.iter().enumerate() {
            let is_ascending = index == 0 || weights[index - 1].0 < place;
            if !is_ascending || place.index() >= self.net.places.len() {
                return Some(false);
            }
            // What a reset takes from the place would increase the sum.
            if weight < 0 && self.incidence.is_reset(place) {
                return Some(false);
            }
            for &(transition, change) in self.incidence.row(place) {
                let sum = changes.entry(transition).or_default();
                *sum = sum.checked_add(i128::from(weight).checked_mul(i128::from(change))?)?;
            }
        }
        Some(changes.values().all(|&change| change <= 0))
    }

    /// Whether the whole sum has no negative factor and is below 0; `None` if numbers grow too
    /// large.
    fn is_negative(&self, contradiction: &Contradiction, cube: &[LinearConstraint]) -> Option<bool> {
        let sum = Sum::of(self.net, self.incidence, contradiction, cube)?;
        Some(sum.at_most < 0 && sum.factors.values().all(|&factor| factor >= 0))
    }
}

/// A sum of constraints.
#[derive(Default)]
struct Sum {
    factors: BTreeMap<PlaceId, i128>,
    at_most: i128,
}

impl Sum {
    /// All that a contradiction adds up; `None` if numbers grow too large.
    fn of(
        net: &Net,
        incidence: &Incidence,
        contradiction: &Contradiction,
        cube: &[LinearConstraint],
    ) -> Option<Sum> {
        let mut sum = Sum::default();
        for &(place, weight) in &contradiction.weights {
            let initial = i128::from(net.places[place.index()].initial);
            sum.add_term(place, i128::from(weight))?;
            sum.add_number(i128::from(weight).checked_mul(initial)?)?;
        }
        for (fact, times) in &contradiction.facts {
            sum.add(&fact.constraint, *times)?;
        }
        for (constraint, &times) in cube.iter().zip(&contradiction.times) {
            if times > 0 {
                sum.add(&constraint.tightened(net, incidence), times)?;
            }
        }
        Some(sum)
    }

    fn add(&mut self, constraint: &LinearConstraint, times: u64) -> Option<()> {
        for &(place, factor) in &constraint.terms {
            self.add_term(place, i128::from(factor).checked_mul(i128::from(times))?)?;
        }
        self.add_number(i128::from(constraint.at_most).checked_mul(i128::from(times))?)
    }

    fn add_term(&mut self, place: PlaceId, factor: i128) -> Option<()> {
        let own = self.factors.entry(place).or_default();
        *own = own.checked_add(factor)?;
        Some(())
    }

    fn add_number(&mut self, number: i128) -> Option<()> {
        self.at_most = self.at_most.checked_add(number)?;
        Some(())
    }
}

/// Tells proofs to people.
struct Teller<'a> {
    net: &'a Net,
    incidence: &'a Incidence,
    /// The number of constraints asked for; those after them are cases.
    asked: usize,
}

impl Teller<'_> {
    fn tell(
        &self,
        f: &mut fmt::Formatter<'_>,
        proof: &Proof,
        cube: &mut Vec<LinearConstraint>,
        depth: usize,
    ) -> fmt::Result {
        let indent = "  ".repeat(depth);
        match proof {
            Proof::Contradiction(contradiction) => self.tell_sum(f, contradiction, cube, &indent),
            Proof::Cases { place, at_most, few, many } => {
                let Some(both) = cases(*place, *at_most) else { return Ok(()) };
                for (case, proof) in both.into_iter().zip([few, many]) {
                    writeln!(f, "{indent}if {}:", case.display(self.net))?;
                    cube.push(case);
                    self.tell(f, proof, cube, depth + 1)?;
                    cube.pop();
                }
                Ok(())
            }
        }
    }

    fn tell_sum(
        &self,
        f: &mut fmt::Formatter<'_>,
        contradiction: &Contradiction,
        cube: &[LinearConstraint],
        indent: &str,
    ) -> fmt::Result {
        let Contradiction { weights, facts, times } = contradiction;
        let often = |times: u64| if times == 1 { String::new() } else { format!("{times} times: ") };
        if !weights.is_empty() {
            let sum = Contradiction { weights: weights.clone(), ..Contradiction::default() };
            write!(f, "{indent}")?;
            write_sum(f, self.net, weights.iter().map(|&(place, weight)| (place, i128::from(weight))))?;
            match Sum::of(self.net, self.incidence, &sum, &[]) {
                Some(sum) => writeln!(f, " ≤ {} (the initial value; no firing increases it)", sum.at_most)?,
                None => writeln!(f, " is never above its initial value (no firing increases it)")?,
            }
        }
        for (fact, count) in facts {
            let why = match &fact.reason {
                Reason::UpperBound(_) => "an upper bound",
                Reason::AtMostOne(_) => "exclusive places",
                Reason::AtLeastOne(_) => "exclusive places, one always marked",
                Reason::Trap(_) => "a trap that is marked initially",
            };
            writeln!(f, "{indent}{}{} ({why})", often(*count), fact.constraint.display(self.net))?;
        }
        for (index, (constraint, &count)) in cube.iter().zip(times).enumerate() {
            if count > 0 {
                let tight = constraint.tightened(self.net, self.incidence);
                let why = if index < self.asked { "asked for" } else { "in this case" };
                let how = if tight == *constraint { "" } else { ", given the steps it changes by" };
                writeln!(f, "{indent}{}{} ({why}{how})", often(count), tight.display(self.net))?;
            }
        }
        if let Some(sum) = Sum::of(self.net, self.incidence, contradiction, cube) {
            write!(f, "{indent}added up: ")?;
            let factors = sum.factors.into_iter().filter(|&(_, factor)| factor != 0);
            write_sum(f, self.net, factors)?;
            writeln!(f, " ≤ {}, which no marking satisfies", sum.at_most)?;
        }
        Ok(())
    }
}
