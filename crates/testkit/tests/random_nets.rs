//! Random nets keep their promises.

use symbolon_budget::Budget;
use symbolon_explicit::{Options, explore};
use symbolon_testkit::{Distribution, STATE_LIMIT, random_model, random_net, seeds};

#[test]
fn the_distribution_is_the_promised_one() {
    let counts = Distribution::measure(0..1000);
    print!("{counts}");
    let least = |name: &str, percentage: u64| {
        let (_, count) = counts.shares().into_iter().find(|share| share.0 == name).expect(name);
        assert!(
            count >= 10 * percentage,
            "{name}: {count} of 1000, wanted at least {percentage} %\n{counts}"
        );
    };
    least("not safe", 30);
    least("dead state reachable", 20);
    least("inhibitor arcs", 20);
    least("read arcs", 20);
    least("reset arcs", 15);
    least("weights above 1", 20);
    least("several initial states", 20);
    least("an event never enabled", 20);
    least("a constant variable", 5);
    least("100 states or more", 10);
    // Neither verdict of a yes-or-no question may be rare.
    assert!(counts.not_safe <= 800 && counts.dead <= 800 && counts.never_enabled <= 800, "{counts}");
}

#[test]
fn nets_are_well_formed_small_and_repeatable() {
    for seed in seeds(300) {
        let net = random_net(seed);
        assert_eq!(net, random_net(seed));
        assert_eq!(net.check(), Ok(()), "SYMBOLON_SEED={seed}");
        let model = random_model(seed);
        assert_eq!(model.events, random_model(seed).events);
        assert_eq!(model.initial, random_model(seed).initial);
        let found = explore(&model, &Options { state_limit: Some(STATE_LIMIT) }, &Budget::unlimited());
        assert!(found.is_ok());
    }
}
