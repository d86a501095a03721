//! Orders found, and what stays as it was.

use super::*;
use crate::Method;
use symbolon_testkit::{RandomNumbers, seeds};

/// The conjunction of `first ⇔ second` over pairs that stand far apart.
fn far_pairs(bdd: &mut Bdd, pairs: u32) -> Root {
    (0..pairs).fold(bdd.constant(true), |all, first| {
        let both = [Variable(first), Variable(pairs + first)];
        let equal = bdd.build(&both, |v| v[0] == v[1]).expect("no limit");
        bdd.and(&all, &equal).expect("no limit")
    })
}

fn check(method: Method, groups: Vec<Vec<Variable>>, most: usize) {
    let mut bdd = bdd(16, Limits::default());
    let f = far_pairs(&mut bdd, 8);
    let before = bdd.node_count([&f]);
    bdd.set_groups(groups);
    bdd.reorder(method).expect("no limit");
    bdd.validate().expect("valid");
    let after = bdd.node_count([&f]);
    assert!(after <= most && before > 500, "{method:?}: {before} nodes, then {after}");
    assert_eq!(after, bdd.statistics().nodes, "nothing else is alive");
    assert_eq!(far_pairs(&mut bdd, 8), f, "{method:?}");
}

#[test]
fn sifting_brings_pairs_together() {
    // Three nodes a pair, but for the lowest two, which are one another's negation.
    check(Method::Sifting { repeat: true }, vec![], 23);
    check(Method::Sifting { repeat: false }, vec![], 23);
}

#[test]
fn windows_gain_something() {
    check(Method::Window { width: 2, repeat: true }, vec![], 700);
    check(Method::Window { width: 3, repeat: true }, vec![], 500);
}

#[test]
fn groups_stay_together() {
    for seed in seeds(20) {
        let mut numbers = RandomNumbers::new(seed);
        let mut bdd = bdd(16, Limits::default());
        let mut order = variables(16);
        numbers.shuffle(&mut order);
        bdd.set_order(&order).expect("no limit");
        assert_eq!(bdd.order(), order);
        let _kept = far_pairs(&mut bdd, 8);
        let groups: Vec<Vec<Variable>> =
            vec![order[0..3].to_vec(), order[5..7].to_vec(), order[9..14].to_vec()];
        bdd.set_groups(groups.clone());
        let method = match seed % 3 {
            0 => Method::Sifting { repeat: true },
            width => Method::Window { width: width as usize + 1, repeat: true },
        };
        let before = bdd.statistics().nodes;
        bdd.reorder(method).expect("no limit");
        assert!(bdd.statistics().nodes <= before);
        let found = bdd.order();
        for group in groups {
            assert!(found.windows(group.len()).any(|window| window == group), "{group:?} in {found:?}");
        }
        bdd.validate().expect("valid");
    }
}

#[test]
fn windows_find_the_best_of_their_permutations() {
    // Over three variables, a window of three meets every order.
    for table in 0..256 {
        let sizes: Vec<usize> = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
            .into_iter()
            .map(|order| {
                let mut bdd = bdd(3, Limits::default());
                let f = made(&mut bdd, 3, table);
                bdd.set_order(&order.map(Variable)).expect("no limit");
                bdd.node_count([&f])
            })
            .collect();
        let mut bdd = bdd(3, Limits::default());
        let f = made(&mut bdd, 3, table);
        bdd.reorder(Method::Window { width: 3, repeat: false }).expect("no limit");
        assert_eq!(Some(&bdd.node_count([&f])), sizes.iter().min(), "{table:#b}");
    }
}

#[test]
fn an_interrupted_reordering_leaves_a_valid_manager() {
    let mut bdd = bdd(20, Limits::default());
    let f = far_pairs(&mut bdd, 10);
    for steps in [0, 1, 5, 20, 50] {
        bdd.meter_mut().grant_steps(Some(steps));
        assert!(bdd.reorder(Method::Sifting { repeat: true }).is_err());
        bdd.validate().expect("valid");
        bdd.meter_mut().grant_steps(None);
        assert_eq!(far_pairs(&mut bdd, 10), f);
    }
}

#[test]
fn an_operation_that_asks_for_a_better_order_stays_small() {
    let mut bdd = bdd(32, Limits { reordering_nodes: 200, ..Limits::default() });
    bdd.reorder_automatically(Some(Method::Sifting { repeat: false }));
    let f = far_pairs(&mut bdd, 16);
    // 3 · 2^16 without it.
    assert!(bdd.statistics().peak_nodes < 2000, "{:?}", bdd.statistics());
    assert!(bdd.reordering_count() >= 1);
    bdd.reorder(Method::Sifting { repeat: true }).expect("no limit");
    assert_eq!(bdd.node_count([&f]), 47);
}

/// What is good for one function may be bad for another: then the one that is asked for counts.
#[test]
fn an_order_for_some_functions() {
    let mut bdd = bdd(16, Limits::default());
    let far = far_pairs(&mut bdd, 8);
    // Neighbours are equal, which is best as it is; and there are many more of them.
    let near: Vec<Root> = (0..8_u32)
        .map(|first| {
            let vector = [Variable(first), Variable(first + 1), Variable((first + 9) % 16)];
            bdd.build(&vector, |v| v[0] == v[1] || v[2]).expect("no limit")
        })
        .collect();
    let (before, count) = (bdd.node_count([&far]), bdd.statistics().nodes);
    bdd.reorder_for(&[&far], Method::Sifting { repeat: true }).expect("no limit");
    bdd.validate().expect("valid");
    assert!(before > 500 && bdd.node_count([&far]) == 23, "{count} nodes, {before} of them counted");
    assert_eq!(far_pairs(&mut bdd, 8), far);
    for (first, function) in (0..8_u32).zip(near) {
        let vector = [Variable(first), Variable(first + 1), Variable((first + 9) % 16)];
        assert_eq!(bdd.build(&vector, |v| v[0] == v[1] || v[2]).expect("no limit"), function);
    }
}
