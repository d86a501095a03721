//! All functions of three variables, on all vtrees.

use super::*;

const COUNT: u32 = 3;
const ALL: Plain = 0xff;

/// Both shapes of three leaves, over all orders.
fn vtrees() -> Vec<Vtree> {
    let mut vtrees = Vec::new();
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let order = order.map(Variable);
        vtrees.push(Vtree::right_linear(&order));
        vtrees.push(Vtree::left_linear(&order));
    }
    vtrees
}

#[test]
fn equal_functions_are_equal_edges() {
    for vtree in vtrees() {
        let mut sdd = sdd(vtree, Limits::default());
        let functions: Vec<Root> = (0..=ALL).map(|table| made(&mut sdd, COUNT, table)).collect();
        for (table, function) in (0..).zip(&functions) {
            assert_eq!(read(&sdd, COUNT, function), table);
            assert_eq!(sdd.not(function), functions[(ALL ^ table) as usize]);
            assert_eq!(sdd.count(function, &variables(COUNT)), table.count_ones().into());
            let found: Plain =
                sdd.assignments(function, &variables(COUNT)).fold(0, |found, row| found | 1 << number(&row));
            assert_eq!(found, table);
            let literals: Vec<Variable> =
                variables(COUNT).into_iter().filter(|v| plain_exists(COUNT, table, &[*v]) != table).collect();
            assert_eq!(sdd.support(function), literals);
        }
        sdd.validate().expect("valid");
    }
}

#[test]
fn conjunctions_and_quantifiers_of_all_pairs() {
    let sets = [vec![0], vec![1], vec![2], vec![0, 1], vec![0, 2], vec![1, 2], vec![0, 1, 2]];
    for vtree in vtrees() {
        let mut sdd = sdd(vtree, Limits::default());
        let functions: Vec<Root> = (0..=ALL).map(|table| made(&mut sdd, COUNT, table)).collect();
        for set in &sets {
            let set: Vec<Variable> = set.iter().copied().map(Variable).collect();
            let known = sdd.variable_set(set.clone());
            for (table, function) in (0..).zip(&functions) {
                let exists = sdd.exists(function, known).expect("no limit");
                assert_eq!(exists, functions[plain_exists(COUNT, table, &set) as usize]);
            }
            for a in 0..=ALL as usize {
                for b in 0..=ALL as usize {
                    let both = sdd.and(&functions[a], &functions[b]).expect("no limit");
                    assert_eq!(both, functions[a & b]);
                    let answer = sdd.and_exists(&functions[a], &functions[b], known).expect("no limit");
                    assert_eq!(answer, functions[plain_exists(COUNT, (a & b) as Plain, &set) as usize]);
                }
            }
        }
    }
}

#[test]
fn signs_follow_the_value_where_all_is_true() {
    let mut sdd = sdd(Vtree::balanced(&variables(COUNT)), Limits::default());
    for table in 0..=ALL {
        let function = made(&mut sdd, COUNT, table);
        assert_eq!(function.node().word() & 1, u32::from(value(table, 7)), "SDD-K5");
    }
}

#[test]
fn cubes_and_clauses() {
    for vtree in vtrees() {
        let mut sdd = sdd(vtree, Limits::default());
        for signs in 0..64_usize {
            // Each variable is left out, or has one of the values, or both.
            let literals: Vec<(Variable, bool)> = variables(COUNT)
                .into_iter()
                .flat_map(|v| [false, true].map(|value| (v, value)))
                .filter(|&(v, value)| signs >> (2 * v.index() + usize::from(value)) & 1 == 1)
                .collect();
            let is = |row: usize, &(v, value): &(Variable, bool)| (row >> v.index() & 1 == 1) == value;
            let cube = sdd.cube(&literals).expect("no limit");
            let expected = plain(COUNT, |row| literals.iter().all(|literal| is(row, literal)));
            assert_eq!(read(&sdd, COUNT, &cube), expected, "{literals:?}");
            let clause = sdd.clause(&literals).expect("no limit");
            let expected = plain(COUNT, |row| literals.iter().any(|literal| is(row, literal)));
            assert_eq!(read(&sdd, COUNT, &clause), expected, "{literals:?}");
        }
    }
}
