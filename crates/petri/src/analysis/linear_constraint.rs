//! Linear constraints over the tokens of places, such as `2·p − q ≤ 3`.
//!
//! A constraint is about integers, and a sum of tokens changes by steps: if every firing changes
//! `aᵀm` by a multiple of `g`, then `aᵀm ≤ b` says no more than `aᵀm ≤ b'` for the largest `b' ≤ b`
//! that differs from the initial value by a multiple of `g`. Rational relaxations do not see this,
//! so it is done beforehand ([`LinearConstraint::tightened`]).

use crate::incidence::Incidence;
use crate::net::{Net, PlaceId};
use num_integer::Integer;
use rustc_hash::FxHashMap;
use std::fmt;

/// The constraint that a weighted sum of tokens is at most some number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LinearConstraint {
    /// Places and their factors, ascending by place, no factor 0.
    pub terms: Vec<(PlaceId, i64)>,
    /// What the sum is at most.
    pub at_most: i64,
}

impl LinearConstraint {
    /// `terms ≤ at_most`; the terms may come in any order, and a place several times. `None` if a
    /// factor does not fit.
    pub fn at_most(terms: &[(PlaceId, i64)], at_most: i64) -> Option<Self> {
        Some(LinearConstraint { terms: normal_form(terms)?, at_most })
    }

    /// `terms ≥ at_least`, as [`LinearConstraint::at_most`].
    pub fn at_least(terms: &[(PlaceId, i64)], at_least: i64) -> Option<Self> {
        let negated = |&(place, factor): &(PlaceId, i64)| Some((place, factor.checked_neg()?));
        let terms: Option<Vec<_>> = normal_form(terms)?.iter().map(negated).collect();
        Some(LinearConstraint { terms: terms?, at_most: at_least.checked_neg()? })
    }

    /// Whether the terms are in order and about places of `net`.
    pub fn is_well_formed(&self, net: &Net) -> bool {
        self.terms.windows(2).all(|pair| pair[0].0 < pair[1].0)
            && self.terms.iter().all(|&(place, factor)| factor != 0 && place.index() < net.places.len())
    }

    /// Whether `marking`, with one entry per place, satisfies it.
    pub fn holds_in(&self, marking: impl Fn(PlaceId) -> u64) -> bool {
        self.sum(marking).is_some_and(|sum| sum <= i128::from(self.at_most))
    }

    /// The value of the sum in `marking`; `None` if it does not fit.
    pub(crate) fn sum(&self, marking: impl Fn(PlaceId) -> u64) -> Option<i128> {
        self.terms.iter().try_fold(0_i128, |sum, &(place, factor)| {
            sum.checked_add(i128::from(factor).checked_mul(i128::from(marking(place)))?)
        })
    }

    /// The constraint with the smallest number that means the same of reachable markings, by the
    /// steps in which the sum changes.
    pub fn tightened(&self, net: &Net, incidence: &Incidence) -> Self {
        let at_most = self.tightest(net, incidence).unwrap_or(self.at_most);
        LinearConstraint { terms: self.terms.clone(), at_most }
    }

    fn tightest(&self, net: &Net, incidence: &Incidence) -> Option<i64> {
        let mut step = 0_i128;
        let mut changes: FxHashMap<u32, i128> = FxHashMap::default();
        for &(place, factor) in &self.terms {
            if incidence.is_reset(place) {
                // A reset may take any number (PETRI-I2 fails), so the place alone changes in steps
                // of its factor.
                step = step.gcd(&i128::from(factor));
                continue;
            }
            for &(transition, change) in incidence.row(place) {
                let sum = changes.entry(transition).or_default();
                *sum = sum.checked_add(i128::from(factor) * i128::from(change))?;
            }
        }
        changes.values().for_each(|change| step = step.gcd(change));
        if step <= 1 {
            return None;
        }
        let initial = self.sum(|place| net.places[place.index()].initial)?;
        let above = i128::from(self.at_most).checked_sub(initial)?.rem_euclid(step);
        i64::try_from(i128::from(self.at_most) - above).ok()
    }

    /// The constraint with the names of places.
    pub fn display<'a>(&'a self, net: &'a Net) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            // What would begin with a minus is turned round.
            let is_turned = self.terms.first().is_some_and(|&(_, factor)| factor < 0);
            let sign = if is_turned { -1 } else { 1 };
            let terms = self.terms.iter().map(|&(place, factor)| (place, sign * i128::from(factor)));
            write_sum(f, net, terms)?;
            write!(f, " {} {}", if is_turned { '≥' } else { '≤' }, sign * i128::from(self.at_most))
        })
    }
}

/// Ascending by place, each place once, no factor 0.
fn normal_form(terms: &[(PlaceId, i64)]) -> Option<Vec<(PlaceId, i64)>> {
    let mut sorted = terms.to_vec();
    sorted.sort_unstable();
    let mut merged: Vec<(PlaceId, i64)> = Vec::with_capacity(sorted.len());
    for (place, factor) in sorted {
        match merged.last_mut() {
            Some((last, sum)) if *last == place => *sum = sum.checked_add(factor)?,
            _ => merged.push((place, factor)),
        }
    }
    merged.retain(|&(_, factor)| factor != 0);
    Some(merged)
}

/// Writes `2·p - q`, or `0`.
pub(crate) fn write_sum(
    f: &mut fmt::Formatter<'_>,
    net: &Net,
    terms: impl Iterator<Item = (PlaceId, i128)>,
) -> fmt::Result {
    let mut is_first = true;
    for (place, factor) in terms {
        match (is_first, factor < 0) {
            (true, false) => {}
            (true, true) => f.write_str("-")?,
            (false, false) => f.write_str(" + ")?,
            (false, true) => f.write_str(" - ")?,
        }
        if factor.unsigned_abs() != 1 {
            write!(f, "{}·", factor.unsigned_abs())?;
        }
        f.write_str(&net.places[place.index()].id)?;
        is_first = false;
    }
    if is_first { f.write_str("0") } else { Ok(()) }
}
