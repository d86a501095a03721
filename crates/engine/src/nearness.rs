//! How far a state is from satisfying a predicate, as a hint for walks.
//!
//! The distance is 0 exactly where the predicate holds. A comparison that fails is as far from holding
//! as its two sides are apart, pressed into the numbers below 1, so that no large variable outweighs
//! everything else; the parts of a conjunction add up, and of a disjunction the nearest counts. (Test
//! generation calls this the branch distance: Korel, *Automated software test data generation*, TSE
//! 1990.)

use symbolon_model::{Comparison, Expr, Predicate};

/// What is added where a comparison fails: a strict one fails also where both sides are equal.
const FAILS: f64 = 1.0;

/// How far `state` is from giving `predicate` the value `wanted`.
pub(crate) fn distance(predicate: &Predicate, wanted: bool, state: &[u64]) -> f64 {
    match (predicate, wanted) {
        (Predicate::True, true) | (Predicate::False, false) => 0.0,
        (Predicate::True, false) | (Predicate::False, true) => f64::INFINITY,
        (Predicate::Not(inner), _) => distance(inner, !wanted, state),
        (Predicate::And(parts), true) | (Predicate::Or(parts), false) => {
            parts.iter().map(|part| distance(part, wanted, state)).sum()
        }
        (Predicate::And(parts), false) | (Predicate::Or(parts), true) => {
            parts.iter().map(|part| distance(part, wanted, state)).fold(f64::INFINITY, f64::min)
        }
        (Predicate::Compare(left, comparison, right), _) => {
            if predicate.holds(state) == Some(wanted) {
                return 0.0;
            }
            // Where `!=` is wanted, every other value will do.
            if matches!((comparison, wanted), (Comparison::NotEqual, true) | (Comparison::Equal, false)) {
                return FAILS;
            }
            FAILS + apart(left, right, state)
        }
    }
}

/// How far two values are apart, as a number below 1.
fn apart(left: &Expr, right: &Expr, state: &[u64]) -> f64 {
    match (left.evaluate(state), right.evaluate(state)) {
        (Some(left), Some(right)) => {
            let apart = left.abs_diff(right) as f64;
            apart / (apart + 1.0)
        }
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_model::VariableId;
    use symbolon_random::Random;

    fn compare(variable: u32, comparison: Comparison, value: i64) -> Predicate {
        Predicate::Compare(Expr::Variable(VariableId(variable)), comparison, Expr::Constant(value))
    }

    #[test]
    fn a_nearer_state_has_a_smaller_distance() {
        let both =
            Predicate::And(vec![compare(0, Comparison::Equal, 5), compare(1, Comparison::GreaterOrEqual, 2)]);
        let far = |state: [u64; 2]| distance(&both, true, &state);
        assert_eq!(far([5, 2]), 0.0);
        assert!(far([4, 2]) < far([3, 2]) && far([3, 2]) < far([3, 0]));
        let either = Predicate::Or(vec![compare(0, Comparison::Less, 3), compare(1, Comparison::Equal, 9)]);
        assert!(distance(&either, true, &[9, 8]) < distance(&either, true, &[9, 0]));
        assert_eq!(distance(&either, false, &[9, 8]), 0.0);
        assert!(distance(&either, false, &[1, 8]) > 0.0);
    }

    #[test]
    fn the_distance_is_zero_exactly_where_the_predicate_has_the_value() {
        use Comparison::*;
        let mut random = Random::new(5);
        let comparisons = [Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual];
        for _ in 0..2000 {
            let predicate = random_predicate(&mut random, &comparisons, 3);
            let state = [random.below(4) as u64, random.below(4) as u64, random.below(4) as u64];
            for wanted in [true, false] {
                let has_value = predicate.holds(&state) == Some(wanted);
                let far = distance(&predicate, wanted, &state);
                assert_eq!(far == 0.0, has_value, "{predicate:?} {wanted} {state:?}");
                assert!(far >= 0.0);
            }
        }
    }

    fn random_predicate(random: &mut Random, comparisons: &[Comparison], depth: u32) -> Predicate {
        let mut parts =
            || (0..1 + random.below(3)).map(|_| random_predicate(random, comparisons, depth - 1)).collect();
        match if depth == 0 { 3 } else { depth % 4 } {
            1 => Predicate::And(parts()),
            2 => Predicate::Or(parts()),
            3 if depth > 0 => Predicate::Not(Box::new(random_predicate(random, comparisons, depth - 1))),
            _ => compare(
                random.below(3) as u32,
                comparisons[random.below(comparisons.len())],
                random.below(4) as i64,
            ),
        }
    }
}
