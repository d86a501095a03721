//! Interruptions, collections, and bounded operations.

use super::*;
use symbolon_budget::{Interrupted, Limits as BudgetLimits};

fn hard(sdd: &mut Sdd, pairs: u32) -> Result<Root, Interrupted> {
    // Each of the first half equals one of the second: large on every tree that keeps them apart.
    let mut all = sdd.constant(true);
    for pair in 0..pairs {
        let (a, b) = (sdd.variable(Variable(pair)), sdd.variable(Variable(pair + pairs)));
        let differ = sdd.xor(&a, &b)?;
        all = sdd.minus(&all, &differ)?;
    }
    Ok(all)
}

#[test]
fn a_step_limit_cuts_inside_one_operation_and_leaves_everything_valid() {
    let mut sdd = sdd(Vtree::balanced(&variables(20)), Limits::default());
    let small = hard(&mut sdd, 10).expect("no limit");
    let states = sdd.count(&small, &variables(20));
    let mut cut = 0;
    for steps in (0..2000).step_by(97) {
        sdd.meter_mut().grant_steps(Some(steps));
        let renaming = sdd.renaming((0..10).map(|v| (Variable(v), Variable(v + 10))));
        cut += u32::from(sdd.rename(&small, renaming) == Err(Interrupted::Steps));
        sdd.meter_mut().grant_steps(None);
        assert_eq!(sdd.count(&small, &variables(20)), states);
    }
    assert!(cut > 0, "some limit was too small");
    sdd.validate().expect("valid");
}

#[test]
fn memory_is_charged_and_given_back() {
    let budget = Budget::new(BudgetLimits { memory: Some(4 << 20), time: None });
    let mut limited =
        Sdd::new(Vtree::left_linear(&variables(40)), Meter::new(budget.clone()), Limits::default())
            .expect("little is needed");
    assert_eq!(hard(&mut limited, 20).map(|_| ()), Err(Interrupted::Memory));
    let [a, b] = [0, 7].map(|v| limited.variable(Variable(v)));
    let both = limited.and(&a, &b).expect("the cache has room, and so has the store after a collection");
    assert_eq!(limited.count(&both, &variables(40)), (1_u64 << 38).into());
    drop(limited);
    assert_eq!(budget.memory().charged(), 0);
}

#[test]
fn bounded_operations_give_up() {
    let mut sdd = sdd(Vtree::balanced(&variables(16)), Limits::default());
    let equal = hard(&mut sdd, 8).expect("no limit");
    let (a, b) = (sdd.variable(Variable(0)), sdd.variable(Variable(9)));
    let other = sdd.xor(&a, &b).expect("no limit");
    assert_eq!(sdd.and_within(&equal, &other, 1), Ok(None));
    let all = sdd.and(&equal, &other).expect("no limit");
    assert_eq!(sdd.and_within(&equal, &other, 10_000), Ok(Some(all)));
    let set = sdd.variable_set([Variable(3)]);
    let some = sdd.and_exists(&equal, &other, set).expect("no limit");
    sdd.collect();
    assert_eq!(sdd.and_exists_within(&equal, &other, set, 10_000), Ok(Some(some)));
}

#[test]
fn what_no_root_reaches_goes() {
    let mut sdd = sdd(Vtree::balanced(&variables(16)), TINY);
    let kept = hard(&mut sdd, 8).expect("no limit");
    let (nodes, states) = (sdd.node_count([&kept]), sdd.count(&kept, &variables(16)));
    sdd.collect();
    assert_eq!((sdd.statistics().nodes, sdd.count(&kept, &variables(16))), (nodes, states));
    drop(kept);
    sdd.collect();
    assert_eq!(sdd.statistics().nodes, 0);
    sdd.validate().expect("valid");
}
