//! From the floating-point weights of a solver to integers.
//!
//! The vertices of the programs in this folder have weights that are fractions, usually with small
//! denominators. Each weight is rounded to the nearest such fraction, and all are scaled to
//! integers. Nothing is claimed of the outcome: the caller checks it exactly.

use num_integer::Integer;

/// Denominators that are tried, one after the other, when weights are rounded.
pub(crate) const LARGEST_DENOMINATORS: [u64; 4] = [1, 12, 1_000, 1_000_000];

/// Weights below this are taken for 0.
const NEGLIGIBLE: f64 = 1e-9;

/// The weights, none of them negative, as fractions with denominators up to `largest`, scaled to
/// integers: index and value of those that are not 0. `None` if one is negative or not finite, or
/// does not fit.
pub(crate) fn to_integers(weights: &[f64], largest: u64) -> Option<Vec<(u32, u64)>> {
    let mut fractions = Vec::new();
    let mut scale = 1_u64;
    for (index, &weight) in weights.iter().enumerate() {
        if !weight.is_finite() || weight < -1e-6 {
            return None;
        }
        if weight < NEGLIGIBLE {
            continue;
        }
        let (numerator, denominator) = nearest_fraction(weight, largest)?;
        if numerator > 0 {
            let step = denominator / scale.gcd(&denominator);
            scale = scale.checked_mul(step)?;
            fractions.push((index as u32, numerator, denominator));
        }
    }
    let scaled = |&(index, numerator, denominator): &(u32, u64, u64)| {
        Some((index, numerator.checked_mul(scale / denominator)?))
    };
    fractions.iter().map(scaled).collect()
}

/// The last convergent of the continued fraction of `value` with a denominator up to `largest`.
fn nearest_fraction(value: f64, largest: u64) -> Option<(u64, u64)> {
    if value > 1e15 {
        return None;
    }
    let (mut previous, mut current) = ((1_u64, 0_u64), (value.floor() as u64, 1_u64));
    if largest == 1 {
        return Some((value.round() as u64, 1));
    }
    let mut rest = value - value.floor();
    while rest > 1e-7 {
        let digit = (1.0 / rest).floor();
        if digit > 1e9 {
            break;
        }
        let numerator = (digit as u64).checked_mul(current.0)?.checked_add(previous.0)?;
        let denominator = (digit as u64).checked_mul(current.1)?.checked_add(previous.1)?;
        if denominator > largest {
            break;
        }
        (previous, current) = (current, (numerator, denominator));
        if (current.0 as f64 / current.1 as f64 - value).abs() < 1e-9 {
            break;
        }
        rest = 1.0 / rest - digit;
    }
    Some(current)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_found_again() {
        for (numerator, denominator) in [(0, 1), (1, 1), (1, 2), (2, 3), (7, 12), (355, 113), (99, 1000)] {
            let value = numerator as f64 / denominator as f64 + 1e-12;
            assert_eq!(nearest_fraction(value, 1_000), Some((numerator, denominator)), "{value}");
        }
    }

    #[test]
    fn weights_are_scaled_together() {
        assert_eq!(to_integers(&[0.5, 0.0, 1.0 / 3.0, 2.0], 12), Some(vec![(0, 3), (2, 2), (3, 12)]));
        assert_eq!(to_integers(&[0.5, -1.0], 12), None);
        assert_eq!(to_integers(&[f64::INFINITY], 12), None);
    }
}
