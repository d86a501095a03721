//! Queens on a board: counts that everybody knows, and work that must not grow unnoticed.

use super::*;
use crate::Method;
use num_bigint::BigUint;

/// All ways to put `n` queens on a board, row by row.
fn queens(bdd: &mut Bdd, n: u32) -> Root {
    let square = |row: u32, column: u32| Variable(row * n + column);
    let mut board = bdd.constant(true);
    for row in 0..n {
        let mut some = bdd.constant(false);
        for column in 0..n {
            let attacked = |other_row: u32, other: u32| {
                let (rows, columns) = (row.abs_diff(other_row), column.abs_diff(other));
                (rows, columns) != (0, 0) && (rows == 0 || columns == 0 || rows == columns)
            };
            let mut literals = vec![(square(row, column), true)];
            for (r, c) in (0..n).flat_map(|r| (0..n).map(move |c| (r, c))).filter(|&(r, c)| attacked(r, c)) {
                literals.push((square(r, c), false));
            }
            let here = bdd.cube(&literals).expect("no limit");
            some = bdd.or(&some, &here).expect("no limit");
        }
        board = bdd.and(&board, &some).expect("no limit");
    }
    board
}

#[test]
fn counts() {
    for (n, expected) in [(4, 2_u32), (5, 10), (6, 4), (7, 40), (8, 92)] {
        for limits in [Limits::default(), Limits { collection_nodes: 500, ..Limits::default() }] {
            let mut bdd = bdd(n * n, limits);
            let board = queens(&mut bdd, n);
            let all = bdd.variable_set(variables(n * n));
            assert_eq!(bdd.count(&board, all), BigUint::from(expected), "{n} queens");
            bdd.validate().expect("valid");
        }
    }
}

#[test]
fn counts_with_variables_that_move() {
    let mut bdd = bdd(36, Limits { reordering_nodes: 200, ..Limits::default() });
    bdd.reorder_automatically(Some(Method::Sifting { repeat: false }));
    let board = queens(&mut bdd, 6);
    let all = bdd.variable_set(variables(36));
    assert_eq!(bdd.count(&board, all), BigUint::from(4_u32));
    assert!(bdd.reordering_count() > 0);
    assert_eq!(bdd.assignments(&board, &variables(36)).count(), 4);
    bdd.validate().expect("valid");
}
