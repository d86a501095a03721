//! A basis of all flows `yᵀM = 0`, by exact Gaussian elimination: what remains when there are too
//! many semiflows to list. Weights may be negative, so a flow alone bounds nothing, but every flow
//! is a rational combination of these.

use super::combination::Row;
use std::collections::BTreeSet;
use symbolon_budget::{Interrupted, Meter};

/// Weights of places or of transitions: index and weight, ascending, no weight 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flow {
    /// Index (of a place, or of a transition) and weight; the weights have no common divisor.
    pub weights: Vec<(u32, i64)>,
}

/// Independent solutions of `yᵀM = 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowBasis {
    /// The flows; the first weight of each is positive.
    pub flows: Vec<Flow>,
    /// Rows given up because a number left 64 bits, or because steps ran out: with none, every flow
    /// is a rational combination of `flows`.
    pub rows_given_up: usize,
}

/// Independent flows, from the given rows (one for each line of the matrix).
pub(crate) fn flow_basis(rows: Vec<Row>, meter: &mut Meter) -> Result<FlowBasis, Interrupted> {
    let mut given_up = 0;
    let width = rows.iter().flat_map(|row| &row.residual).map(|&(column, _)| column as usize + 1).max();
    let mut rows: Vec<Option<Row>> = rows.into_iter().map(Some).collect();
    let mut columns: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); width.unwrap_or(0)];
    for (index, row) in rows.iter().enumerate() {
        for &(column, _) in row.iter().flat_map(|row| &row.residual) {
            columns[column as usize].insert(index as u32);
        }
    }
    // The column that fewest rows have goes first; its shortest row is the pivot.
    let entries = columns.iter().enumerate().filter(|(_, rows)| !rows.is_empty());
    let mut queue: BTreeSet<(usize, u32)> =
        entries.map(|(column, rows)| (rows.len(), column as u32)).collect();
    while let Some((_, column)) = queue.pop_first() {
        let affected: Vec<u32> = columns[column as usize].iter().copied().collect();
        let size = |row: &u32| rows[*row as usize].as_ref().map_or(usize::MAX, Row::size);
        let Some(pivot_index) = affected.iter().copied().min_by_key(|row| (size(row), *row)) else {
            continue;
        };
        let Some(pivot) = rows[pivot_index as usize].take() else { continue };
        let mut touched = BTreeSet::new();
        let mut leave = |index: u32, row: &Row, columns: &mut [BTreeSet<u32>]| {
            for &(other, _) in &row.residual {
                let set = &mut columns[other as usize];
                queue.remove(&(set.len(), other));
                set.remove(&index);
                touched.insert(other);
            }
        };
        leave(pivot_index, &pivot, &mut columns);
        let mut replaced = Vec::with_capacity(affected.len());
        for index in affected.into_iter().filter(|&index| index != pivot_index) {
            let Some(row) = rows[index as usize].take() else { continue };
            leave(index, &row, &mut columns);
            for _ in 0..=(row.size() + pivot.size()) / 8 {
                match meter.step() {
                    Ok(()) => {}
                    Err(Interrupted::Steps) => {
                        let unfinished = rows.iter().flatten().filter(|row| !row.residual.is_empty()).count();
                        let lost = given_up + unfinished + replaced.len() + 2;
                        return Ok(FlowBasis { flows: finished(rows), rows_given_up: lost });
                    }
                    Err(interrupted) => return Err(interrupted),
                }
            }
            match row.eliminate(&pivot, column) {
                Some(row) => replaced.push((index, row)),
                None => given_up += 1,
            }
        }
        for (index, row) in replaced {
            for &(other, _) in &row.residual {
                columns[other as usize].insert(index);
                touched.insert(other);
            }
            rows[index as usize] = Some(row);
        }
        for other in touched {
            let count = columns[other as usize].len();
            if count > 0 {
                queue.insert((count, other));
            }
        }
    }
    Ok(FlowBasis { flows: finished(rows), rows_given_up: given_up })
}

/// The rows with nothing left, their first weight positive.
fn finished(rows: Vec<Option<Row>>) -> Vec<Flow> {
    let done = rows.into_iter().flatten().filter(|row| row.residual.is_empty());
    let mut flows: Vec<Flow> = done
        .map(|row| {
            let sign = row.weights.first().map_or(1, |&(_, weight)| weight.signum());
            Flow { weights: row.weights.into_iter().map(|(index, weight)| (index, sign * weight)).collect() }
        })
        .collect();
    flows.sort_unstable();
    flows
}
