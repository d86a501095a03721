//! Karp and Miller's tree on small random nets, against exhaustive search and against pumps.
//!
//! `SYMBOLON_SEED=n` runs one seed alone.

use symbolon_budget::Budget;
use symbolon_explicit::{Options, explore};
use symbolon_petri::analysis::{CoverLimits, Covered, OMEGA, PumpLimits, cover, find_pump, is_monotone};
use symbolon_petri::{Arc, Net, Place, PlaceId, Transition, lower};
use symbolon_testkit::{RandomNumbers, seeds};

/// A net of a few places with plain and read arcs, bounded or not.
fn random_net(seed: u64) -> Net {
    let mut numbers = RandomNumbers::new(seed);
    let places = numbers.between(2, 5);
    let arcs = |numbers: &mut RandomNumbers, percentage: u64| -> Vec<(PlaceId, u64)> {
        let chosen: Vec<u32> = (0..places as u32).filter(|_| numbers.percent(percentage)).collect();
        chosen.into_iter().map(|place| (PlaceId(place), numbers.between(1, 2))).collect()
    };
    let transition = |numbers: &mut RandomNumbers| {
        let mut transition = Transition::moving("", arcs(numbers, 35), arcs(numbers, 30));
        let reads = arcs(numbers, 10);
        reads.iter().for_each(|&(place, weight)| transition.add(Arc::Read { place, weight }));
        transition
    };
    Net {
        transitions: (0..numbers.between(1, 5)).map(|_| transition(&mut numbers)).collect(),
        places: (0..places).map(|_| Place { initial: numbers.below(3), ..Place::default() }).collect(),
        ..Net::default()
    }
}

#[test]
fn the_tree_covers_what_is_reachable_and_no_more() {
    let (mut bounded, mut unbounded) = (0, 0);
    let budget = Budget::unlimited();
    for seed in seeds(1500) {
        let net = random_net(seed);
        assert!(is_monotone(&net));
        let mut largest = vec![0; net.places.len()];
        let limits = CoverLimits { markings: 3_000, steps: 400_000 };
        let covered = cover(&net, limits, &budget, |marking| {
            largest.iter_mut().zip(marking).for_each(|(most, &tokens)| *most = tokens.max(*most));
        });
        let covered = covered.expect("nothing stops it");
        match explore(&lower(&net), &Options { state_limit: Some(1_000) }, &budget) {
            Ok(all) => {
                bounded += 1;
                let maxima = all.variable_maxima();
                if covered == Covered::All {
                    assert_eq!(largest, maxima, "{net:?}");
                } else {
                    assert!(largest.iter().zip(maxima).all(|(found, most)| found <= most), "{net:?}");
                }
            }
            Err(_) => {
                // Too many states for plain search; what a pump fills must have no bound in a
                // complete tree.
                let limits = PumpLimits { steps: 50_000, ..PumpLimits::default() };
                let Some(pump) = find_pump(&net, limits, &budget).expect("nothing stops it") else {
                    continue;
                };
                let growing = pump.growing_places(&net);
                assert!(growing.contains(&pump.place), "{net:?}");
                if covered == Covered::All {
                    unbounded += 1;
                    assert!(growing.iter().all(|place| largest[place.index()] == OMEGA), "{net:?}");
                    agree_with_walks(&net, &largest);
                }
            }
        }
    }
    println!("{bounded} bounded, {unbounded} unbounded nets");
    assert!(
        std::env::var("SYMBOLON_SEED").is_ok() || (bounded > 300 && unbounded > 100),
        "{bounded} {unbounded}"
    );
}

/// Places that a complete tree gives a bound never exceed it in the first states of a plain search.
fn agree_with_walks(net: &Net, largest: &[u64]) {
    let model = lower(net);
    let is_larger =
        |state: &[u64]| state.iter().zip(largest).any(|(tokens, most)| *most != OMEGA && tokens > most);
    let options = Options { state_limit: Some(1_000) };
    let found = symbolon_explicit::find(&model, &options, &Budget::unlimited(), is_larger);
    assert!(!matches!(found, Ok(Some(_))), "{net:?}: {found:?}");
}

#[test]
fn nets_that_are_not_monotone_are_declined() {
    for arc in [Arc::Inhibitor { place: PlaceId(0), weight: 1 }, Arc::Reset { place: PlaceId(0) }] {
        let mut net = random_net(1);
        net.transitions[0].add(arc);
        let mut visits = 0;
        let limits = CoverLimits { markings: 100, steps: 1_000 };
        let covered = cover(&net, limits, &Budget::unlimited(), |_| visits += 1);
        assert_eq!((covered, visits), (Ok(Covered::Some), 0), "{arc:?}");
    }
}
