//! Structural analysis of small random nets, against exhaustive search: semiflows against all small
//! weights, everything that is claimed of reachable markings against all of them.
//!
//! `SYMBOLON_SEED=n` runs one seed alone.

use std::collections::{HashMap, VecDeque};
use symbolon_budget::Budget;
use symbolon_petri::analysis::{
    AnalysisOptions, Boundedness, Completeness, LinearConstraint, LinearPrograms, PumpLimits, SemiflowLimits,
    SemiflowUse, analyse, find_pump, place_semiflows, redundant_parts, transition_semiflows,
};
use symbolon_petri::incidence::Incidence;
use symbolon_petri::{Arc, Net, Place, PlaceId, Transition, TransitionId, Unit, UnitClaim, lower_with};

fn seeds(count: u64) -> Vec<u64> {
    match std::env::var("SYMBOLON_SEED").ok().and_then(|text| text.parse().ok()) {
        Some(seed) => vec![seed],
        None => (0..count).collect(),
    }
}

struct Random(symbolon_random::Random);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// A net of up to six places. Half of the nets are nearly ordinary with one token here and there,
/// so that exclusive sets occur; the others have weights, more tokens, and inhibitor, read and
/// reset arcs.
fn random_net(seed: u64) -> Net {
    let mut random = Random(symbolon_random::Random::new(seed.wrapping_mul(0x51_7cc1_b727_220a)));
    let is_plain = random.chance(50);
    let place_count = 2 + random.below(5);
    let transition_count = 1 + random.below(6);
    let places = (0..place_count).map(|index| {
        let is_light = is_plain || random.chance(60);
        let initial = if is_light { u64::from(random.chance(35)) } else { random.below(3) };
        Place { id: format!("p{index}"), label: None, initial }
    });
    let places: Vec<Place> = places.collect();
    let arcs = |random: &mut Random, percent: u64, weights: u64| -> Vec<(PlaceId, u64)> {
        let chosen = (0..place_count as u32).filter(|_| random.chance(percent)).collect::<Vec<_>>();
        chosen.into_iter().map(|place| (PlaceId(place), 1 + random.below(weights))).collect()
    };
    let transitions = (0..transition_count).map(|index| {
        let id = format!("t{index}");
        if is_plain {
            // Moves a token, sometimes two at once.
            let mut inputs = Vec::new();
            let mut outputs = Vec::new();
            for _ in 0..1 + u64::from(random.chance(30)) {
                inputs.push((PlaceId(random.below(place_count) as u32), 1));
                outputs.push((PlaceId(random.below(place_count) as u32), 1));
            }
            if random.chance(10) {
                outputs.pop();
            }
            for list in [&mut inputs, &mut outputs] {
                list.sort_unstable();
                list.dedup();
            }
            return Transition::moving(id, inputs, outputs);
        }
        let resets = if random.chance(20) { arcs(&mut random, 25, 1) } else { Vec::new() };
        let mut transition = Transition::moving(id, arcs(&mut random, 30, 2), arcs(&mut random, 30, 2));
        let inhibitors = if random.chance(20) { arcs(&mut random, 25, 3) } else { Vec::new() };
        let reads = if random.chance(20) { arcs(&mut random, 25, 2) } else { Vec::new() };
        inhibitors.iter().for_each(|&(place, weight)| transition.add(Arc::Inhibitor { place, weight }));
        reads.iter().for_each(|&(place, weight)| transition.add(Arc::Read { place, weight }));
        resets.iter().for_each(|&(place, _)| transition.add(Arc::Reset { place }));
        transition
    });
    let transitions: Vec<Transition> = transitions.collect();
    let mut net = Net { name: format!("random {seed}"), places, transitions, ..Net::default() };
    if random.chance(50) {
        // A claim that may well be wrong.
        net.unit_claim = UnitClaim::UnitSafe;
        let middle = 1 + random.below(place_count - 1) as u32;
        let unit = |id: &str, parent, range: std::ops::Range<u32>| Unit {
            id: id.into(),
            parent,
            places: range.map(PlaceId).collect(),
        };
        net.units = vec![
            unit("root", None, 0..0),
            unit("a", Some(0), 0..middle),
            unit("b", Some(if random.chance(50) { 0 } else { 1 }), middle..place_count as u32),
        ];
    }
    net
}

/// The successor under one transition, written out from the definition of a net.
fn successor(net: &Net, marking: &[u64], transition: usize) -> Option<Vec<u64>> {
    let transition = &net.transitions[transition];
    let mut next = marking.to_vec();
    for arc in &transition.arcs {
        match *arc {
            Arc::Input { place, weight } => {
                next[place.index()] = marking[place.index()].checked_sub(weight)?;
            }
            Arc::Read { place, weight } if marking[place.index()] < weight => return None,
            Arc::Inhibitor { place, weight } if marking[place.index()] >= weight => return None,
            Arc::Read { .. } | Arc::Inhibitor { .. } | Arc::Reset { .. } | Arc::Output { .. } => {}
        }
    }
    for arc in &transition.arcs {
        if let Arc::Reset { place } = *arc {
            next[place.index()] = 0;
        }
    }
    for arc in &transition.arcs {
        if let Arc::Output { place, weight } = *arc {
            next[place.index()] += weight;
        }
    }
    Some(next)
}

/// Some reachable markings and the transitions that fired between them, and whether that is all.
struct Reachable {
    markings: Vec<Vec<u64>>,
    fired: Vec<bool>,
    is_all: bool,
}

fn reachable(net: &Net, limit: usize) -> Reachable {
    let initial: Vec<u64> = net.places.iter().map(|place| place.initial).collect();
    let mut known = HashMap::from([(initial.clone(), ())]);
    let mut queue = VecDeque::from([initial.clone()]);
    let mut markings = vec![initial];
    let mut fired = vec![false; net.transitions.len()];
    while let Some(marking) = queue.pop_front() {
        for transition in 0..net.transitions.len() {
            let Some(next) = successor(net, &marking, transition) else { continue };
            fired[transition] = true;
            if known.insert(next.clone(), ()).is_none() {
                if markings.len() == limit {
                    return Reachable { markings, fired, is_all: false };
                }
                markings.push(next.clone());
                queue.push_back(next);
            }
        }
    }
    Reachable { markings, fired, is_all: true }
}

#[test]
fn what_is_proved_holds_in_every_reachable_marking() {
    let budget = Budget::unlimited();
    let mut seen = [0_u32; 8];
    for seed in seeds(4000) {
        let net = random_net(seed);
        let context = format!("SYMBOLON_SEED={seed}\n{net:?}");
        let reachable = reachable(&net, 1500);
        let usual = AnalysisOptions { semiflow_use: SemiflowUse::Always, ..AnalysisOptions::default() };
        let options = if seed % 4 == 0 { AnalysisOptions::thorough() } else { usual };
        let pump = PumpLimits { steps: 20_000, ..PumpLimits::default() };
        let options = AnalysisOptions { pump, ..options };
        let analysis = analyse(&net, &options, &budget).unwrap();
        let facts = lower_with(&net, &analysis).facts;

        for set in analysis.exclusive.iter().chain(&analysis.merged) {
            for marking in &reachable.markings {
                let sum: u64 = set.variables.iter().map(|variable| marking[variable.index()]).sum();
                assert!(sum == 1 || (sum == 0 && !set.exactly_one), "{set:?} in {marking:?}\n{context}");
            }
        }
        let mut merged: Vec<_> = analysis.merged.iter().flat_map(|set| &set.variables).collect();
        merged.sort_unstable();
        assert!(merged.windows(2).all(|pair| pair[0] != pair[1]), "the cover overlaps\n{context}");
        for invariant in &facts.invariants {
            for marking in &reachable.markings {
                let sum: u64 = invariant.terms.iter().map(|(v, weight)| weight * marking[v.index()]).sum();
                assert_eq!(sum, invariant.value, "{invariant:?} in {marking:?}\n{context}");
            }
        }
        for (place, bound) in analysis.upper_bounds.iter().enumerate() {
            let largest = reachable.markings.iter().map(|marking| marking[place]).max().unwrap_or(0);
            assert!(bound.is_none_or(|bound| largest <= bound), "p{place} reaches {largest}\n{context}");
            seen[0] += u32::from(bound.is_some());
        }
        for transition in &analysis.dead.transitions {
            assert!(!reachable.fired[transition.index()], "{transition:?} fires\n{context}");
        }
        for place in &analysis.dead.places {
            assert!(reachable.markings.iter().all(|marking| marking[place.index()] == 0), "{context}");
        }
        let redundant = redundant_parts(&net, &Incidence::new(&net));
        for place in &redundant.constant_places {
            let initial = net.places[place.index()].initial;
            assert!(reachable.markings.iter().all(|m| m[place.index()] == initial), "{context}");
        }
        for implied in &redundant.implied_places {
            let mut without = net.clone();
            for transition in &mut without.transitions {
                transition.arcs.retain(|arc| arc.needed() == 0 || arc.place() != implied.place);
            }
            for marking in &reachable.markings {
                assert_eq!(
                    marking[implied.place.index()],
                    marking[implied.by.index()] + implied.surplus,
                    "{context}"
                );
                for transition in 0..net.transitions.len() {
                    let enabled = successor(&net, marking, transition).is_some();
                    assert_eq!(enabled, successor(&without, marking, transition).is_some(), "{context}");
                }
            }
        }
        match &analysis.boundedness {
            Boundedness::Unbounded(pump) => {
                assert!(!reachable.is_all, "called unbounded: {pump:?}\n{context}");
                assert!(pump.verify(&net), "{context}");
            }
            Boundedness::Bounded => assert!(analysis.upper_bounds.iter().all(Option::is_some)),
            Boundedness::Unknown => {}
        }
        seen[1] += u32::from(!analysis.exclusive.is_empty());
        seen[2] += u32::from(analysis.exclusive.iter().any(|set| set.exactly_one));
        seen[3] += u32::from(!analysis.dead.transitions.is_empty());
        seen[4] += u32::from(matches!(analysis.boundedness, Boundedness::Unbounded(_)));
        seen[5] += u32::from(!redundant.implied_places.is_empty());
        seen[6] += u32::from(!facts.invariants.is_empty());
        seen[7] += u32::from(reachable.is_all);
    }
    println!("bounds, exclusive, exactly one, dead, unbounded, implied, invariants, finite: {seen:?}");
    assert!(std::env::var("SYMBOLON_SEED").is_ok() || seen.iter().all(|&count| count >= 50), "{seen:?}");
}

/// All weights up to `largest` with `yᵀM = 0`, except 0.
fn small_solutions(lines: &[Vec<i64>], usable: &[bool], largest: i64) -> Vec<Vec<i64>> {
    let width = lines.first().map_or(0, Vec::len);
    let mut solutions = Vec::new();
    let mut weights = vec![0_i64; lines.len()];
    loop {
        let Some(position) = (0..lines.len()).find(|&line| usable[line] && weights[line] < largest) else {
            return solutions;
        };
        weights[..position].fill(0);
        weights[position] += 1;
        let sum = |column: usize| weights.iter().zip(lines).map(|(w, line)| w * line[column]).sum::<i64>();
        if (0..width).all(|column| sum(column) == 0) {
            solutions.push(weights.clone());
        }
    }
}

/// Whether the weighted sum of `lines` is 0.
fn is_flow(lines: &[Vec<i64>], weights: &[(u32, i64)]) -> bool {
    let width = lines.first().map_or(0, Vec::len);
    let sum =
        |column: usize| weights.iter().map(|&(l, weight)| weight * lines[l as usize][column]).sum::<i64>();
    (0..width).all(|column| sum(column) == 0)
}

/// The rank of a small matrix, in fractions of 128 bits.
fn rank(rows: Vec<Vec<i64>>) -> usize {
    let mut rows: Vec<Vec<i128>> =
        rows.iter().map(|row| row.iter().map(|&v| i128::from(v)).collect()).collect();
    let mut rank = 0;
    for column in 0..rows.first().map_or(0, Vec::len) {
        let Some(pivot) = (rank..rows.len()).find(|&row| rows[row][column] != 0) else { continue };
        rows.swap(rank, pivot);
        let pivot = rows[rank].clone();
        for row in &mut rows[rank + 1..] {
            let factor = row[column];
            row.iter_mut().zip(&pivot).for_each(|(value, p)| *value = *value * pivot[column] - factor * p);
        }
        rank += 1;
    }
    rank
}

fn check_semiflows(lines: &[Vec<i64>], usable: &[bool], flows: &[Vec<(u32, i64)>], context: &str) {
    let support = |flow: &[(u32, i64)]| flow.iter().fold(0_u64, |bits, &(line, _)| bits | 1 << line);
    for flow in flows {
        assert!(flow.iter().all(|&(line, weight)| weight > 0 && usable[line as usize]), "{flow:?} {context}");
        assert!(is_flow(lines, flow), "{flow:?} {context}");
        let divisor = flow.iter().fold(0, |divisor, &(_, weight)| num_integer::gcd(divisor, weight));
        assert_eq!(divisor, 1, "{flow:?} {context}");
        let inside = flows.iter().filter(|other| support(other) & !support(flow) == 0).count();
        assert_eq!(inside, 1, "{flow:?} is not of minimal support {context}");
    }
    for solution in small_solutions(lines, usable, 3) {
        let bits =
            (0..solution.len()).filter(|&line| solution[line] > 0).fold(0_u64, |bits, l| bits | 1 << l);
        let below: Vec<_> = flows.iter().filter(|flow| support(flow) & !bits == 0).collect();
        assert!(!below.is_empty(), "{solution:?} contains no semiflow of {flows:?} {context}");
        if below.len() == 1 && support(below[0]) == bits {
            let (line, weight) = below[0][0];
            let factor = solution[line as usize] / weight;
            assert!(below[0].iter().all(|&(l, w)| solution[l as usize] == w * factor), "{context}");
        }
    }
}

#[test]
fn semiflows_are_those_of_exhaustive_search() {
    let budget = Budget::unlimited();
    let limits = SemiflowLimits::default();
    let (mut found, mut bases) = (0, 0);
    for seed in seeds(1500) {
        let net = random_net(seed);
        let context = format!("SYMBOLON_SEED={seed}\n{net:?}");
        let incidence = Incidence::new(&net);
        let added = |transition: &Transition, place: usize| {
            let at_place = transition.arcs.iter().filter(|arc| arc.place().index() == place);
            let changes = at_place.map(|arc| match *arc {
                Arc::Output { weight, .. } => weight as i64,
                Arc::Input { weight, .. } => -(weight as i64),
                Arc::Read { .. } | Arc::Inhibitor { .. } | Arc::Reset { .. } => 0,
            });
            changes.sum::<i64>()
        };
        let is_reset = |arc: &Arc| matches!(arc, Arc::Reset { .. });
        let by_place: Vec<Vec<i64>> =
            (0..net.places.len()).map(|p| net.transitions.iter().map(|t| added(t, p)).collect()).collect();
        let by_transition: Vec<Vec<i64>> =
            (0..net.transitions.len()).map(|t| by_place.iter().map(|row| row[t]).collect()).collect();
        let resets = |place: usize| {
            let mut arcs = net.transitions.iter().flat_map(|t| &t.arcs);
            arcs.any(|arc| is_reset(arc) && arc.place().index() == place)
        };

        let usable: Vec<bool> = (0..net.places.len()).map(|place| !resets(place)).collect();
        // The matrix of the text: columns that touch a reset place keep what they do to the others.
        let semiflows = place_semiflows(&incidence, limits, &budget).unwrap();
        assert_eq!(semiflows.completeness, Completeness::Complete);
        let flows: Vec<_> = semiflows.minimal.into_iter().map(|flow| flow.weights).collect();
        check_semiflows(&by_place, &usable, &flows, &context);
        found += flows.len();

        let resetting: Vec<TransitionId> =
            net.transition_ids().filter(|t| net.transitions[t.index()].arcs.iter().any(is_reset)).collect();
        let usable: Vec<bool> = net.transition_ids().map(|t| !resetting.contains(&t)).collect();
        let semiflows = transition_semiflows(&incidence, &resetting, limits, &budget).unwrap();
        let flows: Vec<_> = semiflows.minimal.into_iter().map(|flow| flow.weights).collect();
        check_semiflows(&by_transition, &usable, &flows, &context);

        // With no room for rows, what remains is a basis: as many flows as the kernel has
        // dimensions.
        let none = SemiflowLimits { rows: 0, steps: 1 };
        let capped = place_semiflows(&incidence, none, &budget).unwrap();
        if capped.completeness == Completeness::Capped {
            let basis = capped.basis.expect("a basis where semiflows are missing");
            let rows: Vec<Vec<i64>> =
                (0..net.places.len()).filter(|&p| !resets(p)).map(|p| by_place[p].clone()).collect();
            let dimension = rows.len() - rank(rows);
            let weights = basis.flows.iter().map(|flow| {
                let mut dense = vec![0_i64; net.places.len()];
                flow.weights.iter().for_each(|&(place, weight)| dense[place as usize] = weight);
                dense
            });
            let weights: Vec<Vec<i64>> = weights.collect();
            assert_eq!((basis.flows.len(), basis.rows_given_up), (dimension, 0), "{context}");
            assert_eq!(rank(weights), dimension, "the basis is not independent {context}");
            bases += 1;
            for flow in &basis.flows {
                assert!(is_flow(&by_place, &flow.weights), "{flow:?} {context}");
            }
        }
    }
    assert!(std::env::var("SYMBOLON_SEED").is_ok() || (found > 1000 && bases > 300), "{found} {bases}");
}

#[test]
fn semiflows_of_dense_nets_are_of_minimal_support() {
    let limits = SemiflowLimits::default();
    let mut found = 0;
    for seed in seeds(400) {
        let mut random = Random(symbolon_random::Random::new(seed));
        let place_count = 7;
        let places = vec![Place::default(); place_count];
        let transitions = (0..3 + random.below(2)).map(|_| {
            let mut transition = Transition::default();
            for place in (0..place_count as u32).map(PlaceId) {
                match random.below(5) {
                    0 | 1 => transition.add(Arc::Input { place, weight: 1 + random.below(2) }),
                    2 | 3 => transition.add(Arc::Output { place, weight: 1 + random.below(2) }),
                    _ => {}
                }
            }
            transition
        });
        let net = Net { transitions: transitions.collect(), places, ..Net::default() };
        let incidence = Incidence::new(&net);
        let lines: Vec<Vec<i64>> = net
            .place_ids()
            .map(|place| {
                let mut line = vec![0; net.transitions.len()];
                incidence.row(place).iter().for_each(|&(t, change)| line[t as usize] = change);
                line
            })
            .collect();
        let semiflows = place_semiflows(&incidence, limits, &Budget::unlimited()).unwrap();
        let flows: Vec<_> = semiflows.minimal.into_iter().map(|flow| flow.weights).collect();
        check_semiflows(&lines, &vec![true; place_count], &flows, &format!("SYMBOLON_SEED={seed}\n{net:?}"));
        found += flows.len();
    }
    assert!(std::env::var("SYMBOLON_SEED").is_ok() || found > 500, "only {found} semiflows");
}

#[test]
fn linear_programs_bound_what_is_reachable() {
    let budget = Budget::unlimited();
    let mut found = 0;
    for seed in seeds(600) {
        let net = random_net(seed);
        let context = format!("SYMBOLON_SEED={seed}\n{net:?}");
        let incidence = Incidence::new(&net);
        let programs = LinearPrograms::new(&net, &incidence, std::time::Duration::from_secs(5));
        let reachable = reachable(&net, 500);
        for place in net.place_ids() {
            let Some(sum) = programs.bound(place, &budget).unwrap() else { continue };
            assert!(sum.verify(&incidence), "{context}");
            let bound = sum.bound(&net, place).expect("a small bound");
            let largest = reachable.markings.iter().map(|marking| marking[place.index()]).max().unwrap_or(0);
            assert!(largest <= bound, "{place:?} reaches {largest}, bound {bound}\n{context}");
            found += 1;
        }
        // Sums: each place with a weight of its own, or not at all.
        let mut numbers = Random(symbolon_random::Random::new(seed));
        let terms: Vec<(PlaceId, u64)> = net
            .place_ids()
            .map(|place| (place, numbers.below(4)))
            .filter(|&(_, weight)| weight > 0)
            .collect();
        if let Some(sum) = programs.bound_of_sum(&terms, &budget).unwrap() {
            assert!(sum.verify(&incidence), "{context}");
            let bound = sum.bound_of_sum(&net, &terms).expect("a small bound");
            let value = |marking: &Vec<u64>| {
                terms.iter().map(|&(place, weight)| u128::from(weight * marking[place.index()])).sum::<u128>()
            };
            let largest = reachable.markings.iter().map(value).max().unwrap_or(0);
            assert!(largest <= bound, "{terms:?} reaches {largest}, bound {bound}\n{context}");
        }
        let places: Vec<PlaceId> = net.place_ids().collect();
        if let Some(sum) = programs.structural_bound(&places, &budget).unwrap() {
            assert!(sum.verify(&incidence) && sum.weights.len() == places.len(), "{context}");
            let limits = PumpLimits { steps: 5_000, ..PumpLimits::default() };
            assert!(find_pump(&net, limits, &budget).unwrap().is_none(), "{context}");
        }
    }
    assert!(std::env::var("SYMBOLON_SEED").is_ok() || found > 300, "only {found} bounds");
}

/// Most of these nets are unbounded: what was reached in them is never refuted, with any part of
/// its places.
#[test]
fn what_is_reachable_is_not_refuted() {
    let budget = Budget::unlimited();
    for seed in seeds(1500) {
        let net = random_net(seed);
        let reachable = reachable(&net, 200);
        let analysis = analyse(&net, &AnalysisOptions::default(), &budget).unwrap();
        let incidence = Incidence::without(&net, &analysis.dead.transition_flags(&net));
        let alone = LinearPrograms::new(&net, &incidence, std::time::Duration::from_secs(5));
        let knowing =
            LinearPrograms::new(&net, &incidence, std::time::Duration::from_secs(5)).knowing(&analysis);
        let mut numbers = Random(symbolon_random::Random::new(seed));
        for programs in [&alone, &knowing] {
            let marking = &reachable.markings[numbers.below(reachable.markings.len() as u64) as usize];
            let mut cube = Vec::new();
            for place in net.place_ids().filter(|_| numbers.chance(70)) {
                let (term, tokens) = ([(place, 1)], marking[place.index()] as i64);
                cube.extend(LinearConstraint::at_most(&term, tokens));
                cube.extend(LinearConstraint::at_least(&term, tokens));
            }
            if let Some(refutation) = programs.refute(&cube, &budget).unwrap() {
                panic!("SYMBOLON_SEED={seed}: {}\n{net:?}", refutation.display(&net, &incidence));
            }
        }
    }
}
