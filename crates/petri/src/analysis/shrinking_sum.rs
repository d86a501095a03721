//! Certificates for upper bounds: weighted sums of tokens that no firing increases.
//!
//! Weights `y ≥ 0` with `yᵀC ≤ 0` give `yᵀm ≤ yᵀm₀` forevery reachable marking `m` (this holds
//! with inhibitor and read arcs, which only forbid firings, and with resets, by PETRI-I1 of
//! [`Incidence`]); so a place `p` with weight `y_p ≥ 1` never holds more than `yᵀm₀ / y_p` tokens.
//! Wherever such weights come from (usually floating-point optimisation), they count only after
//! [`ShrinkingSum::verify`], which is integer arithmetic of any size.

use crate::incidence::Incidence;
use crate::net::{Net, PlaceId, TransitionId};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

/// A weighted sum of tokens that no firing increases, once verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShrinkingSum {
    /// Places and positive weights, ascending by place.
    pub weights: Vec<(PlaceId, u64)>,
}

impl ShrinkingSum {
    /// Whether the weights are well-formed and no transition increases the sum.
    pub fn verify(&self, incidence: &Incidence) -> bool {
        let ascending = self.weights.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let in_range =
            self.weights.iter().all(|&(place, weight)| weight > 0 && place.index() < incidence.place_count());
        if !ascending || !in_range {
            return false;
        }
        let mut touched: Vec<u32> = self
            .weights
            .iter()
            .flat_map(|&(place, _)| incidence.row(place))
            .map(|&(transition, _)| transition)
            .collect();
        touched.sort_unstable();
        touched.dedup();
        touched.into_iter().all(|transition| !self.change(incidence, TransitionId(transition)).is_positive())
    }

    /// What a firing of `transition` adds to the sum, at most.
    fn change(&self, incidence: &Incidence, transition: TransitionId) -> BigInt {
        let mut change = BigInt::zero();
        for &(place, added) in incidence.column(transition) {
            change += BigInt::from(self.weight(PlaceId(place))) * added;
        }
        change
    }

    /// The weight of `place`.
    pub fn weight(&self, place: PlaceId) -> u64 {
        let position = self.weights.binary_search_by_key(&place, |&(other, _)| other);
        position.map_or(0, |index| self.weights[index].1)
    }

    /// The bound that this sum gives for `place` (if it has weight, and the bound fits 64 bits).
    /// Proven only if [`ShrinkingSum::verify`] holds.
    pub fn bound(&self, net: &Net, place: PlaceId) -> Option<u64> {
        let weight = self.weight(place);
        if weight == 0 {
            return None;
        }
        (self.initial(net) / weight).to_u64()
    }

    /// The bound that this sum gives for the sum `terms` of places with positive weights `w`: with
    /// `k` the largest number such that `k·w` is nowhere above these weights, `yᵀm₀ / k`. `None` if
    /// some place of `terms` has no weight here, or the bound does not fit. Proven only if
    /// [`ShrinkingSum::verify`] holds.
    pub fn bound_of_sum(&self, net: &Net, terms: &[(PlaceId, u64)]) -> Option<u128> {
        let initial = self.initial(net);
        let mut bound = BigInt::zero();
        for &(place, weight) in terms {
            let own = self.weight(place);
            if own == 0 {
                return None;
            }
            // Rounding down each of these is rounding down the largest.
            bound = bound.max(&initial * weight / own);
        }
        bound.to_u128()
    }

    /// The value of the sum in the initial marking, which it never exceeds.
    pub fn value(&self, net: &Net) -> Option<u128> {
        self.initial(net).to_u128()
    }

    /// The bounds that this sum gives for all its places.
    pub fn bounds<'a>(&'a self, net: &Net) -> impl Iterator<Item = (PlaceId, u64)> + 'a {
        let initial = self.initial(net);
        self.weights.iter().filter_map(move |&(place, weight)| Some((place, (&initial / weight).to_u64()?)))
    }

    fn initial(&self, net: &Net) -> BigInt {
        let tokens = |place: PlaceId| net.places[place.index()].initial;
        self.weights.iter().map(|&(place, weight)| BigInt::from(weight) * tokens(place)).sum()
    }
}
