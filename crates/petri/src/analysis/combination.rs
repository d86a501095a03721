//! Rows of an elimination: a combination of lines of a matrix, with what it still adds up to.
//!
//! A row holds `weights` `y` and the `residual` `yᵀM` over the columns not yet eliminated, both
//! sparse and ascending. Arithmetic is exact: products are formed in 128 bits, the greatest common
//! divisor is taken out, and a row that does not fit 64 bits afterwards is refused.

use num_integer::Integer;

/// Index and value, ascending by index, no value 0.
pub(crate) type SparseVector = Vec<(u32, i64)>;

/// A combination of lines of a matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// How often each line is taken.
    pub(crate) weights: SparseVector,
    /// The sum of the lines taken.
    pub(crate) residual: SparseVector,
}

impl Row {
    /// The combination of one line alone.
    pub(crate) fn unit(line: u32, residual: SparseVector) -> Self {
        Row { weights: vec![(line, 1)], residual }
    }

    /// The number of entries.
    pub(crate) fn size(&self) -> usize {
        self.weights.len() + self.residual.len()
    }

    /// The residual at `column`.
    pub(crate) fn at(&self, column: u32) -> i64 {
        self.residual.binary_search_by_key(&column, |&(other, _)| other).map_or(0, |i| self.residual[i].1)
    }

    /// The smallest combination `a·self + b·other` with `a > 0` whose residual at `column` is 0,
    /// divided by its greatest common divisor. If the residuals at `column` have opposite signs,
    /// `b > 0` too. `None` if it does not fit 64 bits.
    pub(crate) fn eliminate(&self, other: &Row, column: u32) -> Option<Row> {
        let (mine, theirs) = (i128::from(self.at(column)), i128::from(other.at(column)));
        let divisor = mine.gcd(&theirs);
        let (mut a, mut b) = (theirs / divisor, -mine / divisor);
        if a < 0 {
            (a, b) = (-a, -b);
        }
        let weights = add(&self.weights, a, &other.weights, b)?;
        let residual = add(&self.residual, a, &other.residual, b)?;
        let mut common = 0_i128;
        for &(_, value) in weights.iter().chain(&residual) {
            common = common.gcd(&value);
            if common == 1 {
                break;
            }
        }
        let common = common.max(1);
        Some(Row { weights: divide(&weights, common)?, residual: divide(&residual, common)? })
    }
}

/// `a·x + b·y`.
fn add(x: &[(u32, i64)], a: i128, y: &[(u32, i64)], b: i128) -> Option<Vec<(u32, i128)>> {
    let mut sum = Vec::with_capacity(x.len() + y.len());
    let (mut i, mut j) = (0, 0);
    while i < x.len() || j < y.len() {
        let left = x.get(i).map_or(u32::MAX, |entry| entry.0);
        let right = y.get(j).map_or(u32::MAX, |entry| entry.0);
        let mut value = 0_i128;
        if left <= right {
            value = a.checked_mul(i128::from(x[i].1))?;
            i += 1;
        }
        if right <= left {
            value = value.checked_add(b.checked_mul(i128::from(y[j].1))?)?;
            j += 1;
        }
        if value != 0 {
            sum.push((left.min(right), value));
        }
    }
    Some(sum)
}

fn divide(vector: &[(u32, i128)], divisor: i128) -> Option<SparseVector> {
    // The least number has no positive counterpart; refusing it lets everyone negate freely.
    let fit = |value: i128| i64::try_from(value).ok().filter(|&value| value != i64::MIN);
    vector.iter().map(|&(index, value)| Some((index, fit(value / divisor)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elimination_is_exact_and_reduced() {
        let a = Row { weights: vec![(0, 1)], residual: vec![(0, 4), (1, 2)] };
        let b = Row { weights: vec![(1, 1)], residual: vec![(0, -6), (2, 9)] };
        let row = a.eliminate(&b, 0).unwrap();
        assert_eq!(row, Row { weights: vec![(0, 3), (1, 2)], residual: vec![(1, 6), (2, 18)] });
        let same_sign = Row { weights: vec![(2, 1)], residual: vec![(0, 2), (1, 1)] };
        let row = a.eliminate(&same_sign, 0).unwrap();
        assert_eq!(row, Row { weights: vec![(0, 1), (2, -2)], residual: vec![] });
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let a = Row { weights: vec![(0, i64::MAX)], residual: vec![(0, 3)] };
        let b = Row { weights: vec![(1, 1)], residual: vec![(0, -5)] };
        assert_eq!(a.eliminate(&b, 0), None);
    }
}
