//! All operators on all functions of a few variables.

use super::*;
use crate::NodeId;
use crate::Operator;
use num_bigint::BigUint;

/// What an operator does to values.
type Meaning = fn(bool, bool) -> bool;

const OPERATORS: [(Operator, Meaning); 6] = [
    (Operator::And, |a, b| a && b),
    (Operator::Or, |a, b| a || b),
    (Operator::Xor, |a, b| a != b),
    (Operator::Iff, |a, b| a == b),
    (Operator::Implies, |a, b| !a || b),
    (Operator::Minus, |a, b| a && !b),
];

#[test]
fn all_pairs_of_functions_of_three_variables() {
    let mut bdd = bdd(3, Limits::default());
    let all: Vec<Root> = (0..256).map(|table| made(&mut bdd, 3, table)).collect();
    for (a, f) in all.iter().enumerate() {
        for (b, g) in all.iter().enumerate() {
            for (operator, meaning) in OPERATORS {
                let expected = plain(3, |row| meaning(value(a as u64, row), value(b as u64, row)));
                let answer = bdd.apply(operator, f, g).expect("no limit");
                assert_eq!(answer, all[expected as usize], "{a:#b} {operator:?} {b:#b}");
            }
        }
    }
    bdd.validate().expect("valid");
}

#[test]
fn all_conditions_of_two_variables() {
    let mut bdd = bdd(2, Limits::default());
    let all: Vec<Root> = (0..16).map(|table| made(&mut bdd, 2, table)).collect();
    for (a, f) in all.iter().enumerate() {
        for (b, g) in all.iter().enumerate() {
            for (c, h) in all.iter().enumerate() {
                let answer = bdd.ite(f, g, h).expect("no limit");
                assert_eq!(answer, all[a & b | !a & 15 & c], "if {a:#b} then {b:#b} else {c:#b}");
            }
        }
    }
}

/// The table of a function, by the nodes of its plain diagram.
fn read_plain(bdd: &Bdd, count: u32, function: &Root) -> Plain {
    let nodes = bdd.plain_nodes(function);
    assert_eq!(nodes.len(), bdd.plain_node_count([function]));
    plain(count, |row| {
        let mut at = function.node();
        while let Some(node) = nodes.iter().find(|node| node.function == at) {
            at = if row >> node.variable.0 & 1 == 1 { node.high } else { node.low };
        }
        at == NodeId::ONE
    })
}

#[test]
fn all_functions_of_four_variables() {
    let mut bdd = bdd(4, Limits { collection_nodes: 200, ..Limits::default() });
    let everything = bdd.variable_set(variables(4));
    let some = [Variable(1), Variable(3)];
    let set = bdd.variable_set(some);
    for table in 0..1 << 16 {
        let f = made(&mut bdd, 4, table);
        assert_eq!(read(&bdd, 4, &f), table);
        assert_eq!(bdd.count(&f, everything), BigUint::from(table.count_ones()));
        assert_eq!(bdd.assignments(&f, &variables(4)).count(), table.count_ones() as usize);
        assert_eq!(read_plain(&bdd, 4, &f), table);
        let negated = bdd.not(&f);
        assert_eq!(read(&bdd, 4, &negated), !table & 0xffff);
        let exists = bdd.exists(&f, set).expect("no limit");
        assert_eq!(read(&bdd, 4, &exists), plain_exists(4, table, &some));
        let forall = bdd.forall(&f, set).expect("no limit");
        assert_eq!(read(&bdd, 4, &forall), !plain_exists(4, !table & 0xffff, &some) & 0xffff);
        let restricted = bdd.restrict(&f, &[(Variable(0), true), (Variable(2), false)]).expect("no limit");
        assert_eq!(
            read(&bdd, 4, &restricted),
            plain(4, |row| value(table, with(with(row, 0, true), 2, false)))
        );
        let depends = |v: &Variable| (0..16).any(|row| value(table, row) != value(table, row ^ 1 << v.0));
        let support: Vec<Variable> = variables(4).into_iter().filter(depends).collect();
        assert_eq!(bdd.support(&f), support);
    }
    bdd.validate().expect("valid");
}

#[test]
fn assignments_are_all_and_in_the_asked_order() {
    let mut bdd = bdd(3, Limits::default());
    // True where variable 0 implies variable 2.
    let f = made(&mut bdd, 3, plain(3, |row| row & 1 == 0 || row & 4 != 0));
    let found: Vec<Vec<bool>> = bdd.assignments(&f, &[Variable(2), Variable(0)]).collect();
    assert_eq!(found, [[false, false], [true, false], [true, true]]);
    assert_eq!(bdd.choose(&f, &[Variable(2), Variable(0)]), Some(vec![false, false]));
    let nothing = bdd.constant(false);
    assert_eq!(bdd.choose(&nothing, &[Variable(1)]), None);
    let everything = bdd.constant(true);
    assert_eq!(bdd.assignments(&everything, &[]).collect::<Vec<_>>(), [vec![]]);
}

#[test]
fn cubes() {
    let mut bdd = bdd(3, Limits::default());
    let cube = bdd.cube(&[(Variable(2), false), (Variable(0), true)]).expect("no limit");
    assert_eq!(read(&bdd, 3, &cube), plain(3, |row| row & 5 == 1));
    let odd = bdd.cube(&[(Variable(1), false), (Variable(1), true)]).expect("no limit");
    assert!(odd.node().is_empty());
}

#[test]
fn counts_beyond_machine_numbers_are_exact() {
    let mut bdd = bdd(300, Limits::default());
    let all = bdd.variable_set(variables(300));
    // At least one of three: seven eighths of everything.
    let mut any = bdd.constant(false);
    for number in [5, 150, 299] {
        let variable = bdd.variable(Variable(number)).expect("no limit");
        any = bdd.or(&any, &variable).expect("no limit");
    }
    assert_eq!(bdd.count(&any, all), BigUint::from(7_u32) << 297);
    let odd = (0..300).fold(bdd.constant(true), |odd, number| {
        let variable = bdd.variable(Variable(number)).expect("no limit");
        bdd.xor(&odd, &variable).expect("no limit")
    });
    assert_eq!(bdd.count(&odd, all), BigUint::from(1_u32) << 299);
    assert_eq!(bdd.node_count([&odd]), 300);
    assert_eq!(bdd.plain_node_count([&odd]), 599);
}
