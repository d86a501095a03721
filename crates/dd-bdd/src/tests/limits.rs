//! Running out of things leaves a manager that works.

use super::*;
use crate::Method;
use symbolon_budget::Interrupted;

/// The conjunction of pairs, all first ones above all second ones: 3 · 2^pairs nodes, less four.
fn pairs(bdd: &mut Bdd, pairs: u32) -> Result<Root, Interrupted> {
    let mut all = bdd.constant(true);
    for first in 0..pairs {
        let (a, b) = (bdd.variable(Variable(first))?, bdd.variable(Variable(pairs + first))?);
        let equal = bdd.iff(&a, &b)?;
        all = bdd.and(&all, &equal)?;
    }
    Ok(all)
}

#[test]
fn memory() {
    let limit = 3 << 20;
    let budget = Budget::new(symbolon_budget::Limits { memory: Some(limit), time: None });
    // The whole process has more than that; only charges are looked at while the meter stays below
    // its first look.
    let mut bdd = Bdd::new(60, Meter::new(Budget::unlimited()), Limits::default()).expect("fits");
    let small = pairs(&mut bdd, 5).expect("fits");
    let free = bdd.meter_mut().replace_budget(budget.clone());
    budget.memory().charge(bdd.charged).expect("fits");
    let mut reason = None;
    for count in 6..30 {
        if let Err(found) = pairs(&mut bdd, count) {
            reason = Some(found);
            break;
        }
    }
    assert_eq!(reason, Some(Interrupted::Memory));
    bdd.validate().expect("valid");
    assert!(bdd.peak_bytes <= limit);
    bdd.meter_mut().replace_budget(free);
    free_memory_holds(&bdd);
    assert_eq!(pairs(&mut bdd, 5).expect("fits"), small);
}

/// What is charged is what the tables take.
fn free_memory_holds(bdd: &Bdd) {
    assert_eq!(bdd.charged, bdd.lines.bytes() + bdd.store.bytes() + bdd.cache.bytes());
}

#[test]
fn charges_are_given_back() {
    let budget = Budget::unlimited();
    let mut bdd =
        Bdd::new(24, Meter::new(budget.clone()), Limits { collection_nodes: 500, ..TINY }).expect("fits");
    let f = pairs(&mut bdd, 12).expect("fits");
    free_memory_holds(&bdd);
    bdd.reorder(Method::Sifting { repeat: true }).expect("fits");
    free_memory_holds(&bdd);
    assert_eq!(budget.memory().charged(), bdd.charged);
    drop(f);
    bdd.collect();
    assert_eq!(bdd.statistics().nodes, 0);
    free_memory_holds(&bdd);
    drop(bdd);
    assert_eq!(budget.memory().charged(), 0);
}

#[test]
fn collections_become_rare() {
    let limits = Limits {
        first_collection_nodes: 100,
        collection_nodes: 800,
        collection_percent: 0,
        ..Limits::default()
    };
    let mut bdd = bdd(24, limits);
    let mut collected_at = vec![0];
    for round in 0..200 {
        // Others each time, kept by nobody.
        let step = 1 + round % 11;
        for first in 0..12 {
            let [a, b] = [first, (first * step + round) % 24]
                .map(|variable| bdd.variable(Variable(variable)).expect("no limit"));
            let either = bdd.xor(&a, &b).expect("no limit");
            drop(
                pairs(&mut bdd, 2 + round % 3).and_then(|pairs| bdd.and(&pairs, &either)).expect("no limit"),
            );
            let found = bdd.statistics();
            if found.collections as usize == collected_at.len() {
                collected_at.push(found.created_nodes);
            }
        }
    }
    let between: Vec<u64> = collected_at.windows(2).map(|two| two[1] - two[0]).collect();
    assert!(between.len() > 5, "{between:?}");
    // One round of the loop makes some sixty nodes.
    for (made, expected) in between.iter().zip([100_u64, 200, 400, 800, 800, 800]) {
        assert!(made.abs_diff(expected) < 90, "{between:?}");
    }
}

/// Two functions whose high halves were conjoined before, so that the cache knows the answer and
/// nobody else does. While the low halves are conjoined, a collection happens sooner or later.
#[test]
fn what_only_the_cache_knew_survives_a_collection() {
    let (high, low) =
        ([0xe8e8_9669_17c6_e8e8, 0x6996_e8e8_d42b_9a5a], [0x1ee1_8778_b44b_d22d, 0x7bde_de7b_ed96_96ed]);
    let halves = |high: Plain, low: Plain| plain(6, |row| value(if row & 1 == 1 { high } else { low }, row));
    let tables = [halves(high[0], low[0]), halves(high[1], low[1])];
    for collection_nodes in 1..150 {
        let mut bdd = bdd(6, Limits { collection_nodes, collection_percent: 0, ..Limits::default() });
        let set = bdd.variable_set([Variable(2), Variable(4)]);
        let [f, g] = tables.map(|table| made(&mut bdd, 6, table));
        let [f_high, g_high] = [&f, &g].map(|f| bdd.restrict(f, &[(Variable(0), true)]).expect("no limit"));
        drop(bdd.and(&f_high, &g_high).expect("no limit"));
        let both = bdd.and(&f, &g).expect("no limit");
        bdd.validate().expect("valid");
        assert_eq!(read(&bdd, 6, &both), tables[0] & tables[1], "collections after {collection_nodes}");

        drop(bdd.and_exists(&f_high, &g_high, set).expect("no limit"));
        let some = bdd.and_exists(&f, &g, set).expect("no limit");
        bdd.validate().expect("valid");
        let expected = plain_exists(6, tables[0] & tables[1], &[Variable(2), Variable(4)]);
        assert_eq!(read(&bdd, 6, &some), expected, "collections after {collection_nodes}");
    }
}

#[test]
fn steps_and_cancellation() {
    let mut bdd = bdd(40, Limits::default());
    bdd.meter_mut().grant_steps(Some(5000));
    assert_eq!(pairs(&mut bdd, 20).err(), Some(Interrupted::Steps));
    bdd.validate().expect("valid");
    bdd.meter_mut().grant_steps(None);
    let f = pairs(&mut bdd, 8).expect("no limit");
    bdd.meter().budget().cancel();
    assert_eq!(pairs(&mut bdd, 20).err(), Some(Interrupted::Cancelled));
    bdd.validate().expect("valid");
    assert_eq!(bdd.node_count([&f]), 3 * (1 << 8) - 4);
}

#[test]
fn a_bounded_conjunction_gives_up() {
    let mut bdd = bdd(20, Limits::default());
    let f = pairs(&mut bdd, 10).expect("no limit");
    let g = pairs(&mut bdd, 3).expect("no limit");
    assert_eq!(bdd.and_within(&f, &g, 10).expect("no limit"), None);
    let both = bdd.and(&f, &g).expect("no limit");
    let size = bdd.node_count([&both]);
    assert_eq!(bdd.and_within(&f, &g, size - 1).expect("no limit"), None);
    assert_eq!(bdd.and_within(&f, &g, size).expect("no limit"), Some(both));
    bdd.validate().expect("valid");
}

#[test]
fn equal_runs_take_equal_steps() {
    let run = || {
        let mut bdd = bdd(20, Limits { reordering_nodes: 100, ..Limits::default() });
        bdd.reorder_automatically(Some(Method::Sifting { repeat: true }));
        let f = pairs(&mut bdd, 10).expect("no limit");
        (bdd.statistics(), bdd.order(), bdd.node_count([&f]))
    };
    assert_eq!(run(), run());
}
