//! Moves of the vtree, and searches made of them.

use super::*;
use crate::{Minimisation, Move, Search, Turn, VtreeNode};
use symbolon_testkit::seeds;

const COUNT: u32 = 6;

/// Any move at any inner node; not all have the shape for it.
pub(super) fn random_turn(vtree: &Vtree, numbers: &mut RandomNumbers) -> Turn {
    let leaves = vtree.variable_count() as u64;
    let node = VtreeNode((leaves + numbers.below(leaves - 1)) as u32);
    match numbers.below(3) {
        0 => Turn::Right(node),
        1 => Turn::Left(node),
        _ => Turn::Swap(node),
    }
}

/// Random functions, some of them forgotten again.
fn pool(seed: u64, limits: Limits) -> (Sdd, Vec<(Root, Plain)>, RandomNumbers) {
    let mut numbers = RandomNumbers::new(seed);
    let mut sdd = sdd(random_vtree(COUNT, &mut numbers), limits);
    let mut functions = Vec::new();
    for number in 0..12 {
        let table = numbers.any();
        let function = made(&mut sdd, COUNT, table);
        if number % 3 > 0 {
            functions.push((function, table));
        }
    }
    (sdd, functions, numbers)
}

/// Everything is what it was, and what a manager makes that never had another vtree.
fn check(sdd: &mut Sdd, functions: &[(Root, Plain)], seed: u64) {
    sdd.validate().unwrap_or_else(|violation| panic!("seed {seed}: {violation:?}"));
    let mut other = super::sdd(sdd.vtree().clone(), Limits::default());
    for (function, table) in functions {
        assert_eq!(read(sdd, COUNT, function), *table, "seed {seed}");
        assert_eq!(sdd.count(function, &variables(COUNT)), table.count_ones().into(), "seed {seed}");
        let fresh = made(&mut other, COUNT, *table);
        assert_eq!(other.signed_size([&fresh]), sdd.signed_size([function]), "seed {seed}");
        assert_eq!(made(sdd, COUNT, *table), *function, "seed {seed}: SDD-K6");
    }
}

#[test]
fn random_moves_change_no_function() {
    for seed in seeds(40) {
        let limits = if seed % 2 == 0 { Limits::default() } else { TINY };
        let (mut sdd, mut functions, mut numbers) = pool(seed, limits);
        let mut made_moves = 0;
        for step in 0..60 {
            let turn = random_turn(sdd.vtree(), &mut numbers);
            made_moves += u32::from(sdd.turn(turn).expect("no limit"));
            if step % 10 == 0 {
                check(&mut sdd, &functions, seed);
            }
            if step % 7 == 0 {
                let place = numbers.below(functions.len() as u64) as usize;
                let (a, b) = (functions[place].clone(), numbers.one_of(&functions).clone());
                functions[place] = (sdd.and(&a.0, &b.0).expect("no limit"), a.1 & b.1);
            }
        }
        assert!(made_moves > 10, "seed {seed}");
        check(&mut sdd, &functions, seed);
    }
}

#[test]
fn a_thousand_moves_on_live_diagrams() {
    let (mut sdd, functions, mut numbers) = pool(7, Limits::default());
    let handles: Vec<_> = functions.iter().map(|(root, _)| root.node()).collect();
    let turns: Vec<Turn> = (0..5000).map(|_| random_turn(sdd.vtree(), &mut numbers)).collect();
    let mut made_moves = 0;
    for turn in turns {
        made_moves += u32::from(sdd.turn(turn).expect("no limit"));
        if made_moves % 50 == 0 {
            sdd.validate().expect("valid");
        }
    }
    assert!(made_moves >= 1000, "{made_moves} moves");
    assert_eq!(handles, functions.iter().map(|(root, _)| root.node()).collect::<Vec<_>>());
    check(&mut sdd, &functions, 7);
}

#[test]
fn moves_in_a_row_count_references_exactly() {
    for seed in seeds(30) {
        let (mut sdd, functions, mut numbers) = pool(seed, Limits::default());
        for _ in 0..5 {
            let turns: Vec<Turn> = (0..40).map(|_| random_turn(sdd.vtree(), &mut numbers)).collect();
            sdd.turn_all(&turns).expect("no limit");
            // Nothing is left that no function needs, and nothing is missing.
            let roots: Vec<&Root> = functions.iter().map(|(root, _)| root).collect();
            assert_eq!(sdd.statistics().nodes, sdd.node_count(roots.iter().copied()), "seed {seed}");
            assert_eq!(sdd.element_count(roots), sdd.store.size(), "seed {seed}");
            check(&mut sdd, &functions, seed);
        }
    }
}

#[test]
fn every_move_can_be_taken_back() {
    for seed in seeds(30) {
        let (mut sdd, functions, mut numbers) = pool(seed, Limits::default());
        for _ in 0..30 {
            let (vtree, size) = (sdd.vtree().clone(), {
                sdd.collect();
                sdd.store.size()
            });
            let turn = random_turn(sdd.vtree(), &mut numbers);
            let w = match turn {
                Turn::Right(node) => sdd.vtree().children(node).map(|(left, _)| left),
                Turn::Left(node) => sdd.vtree().children(node).map(|(_, right)| right),
                Turn::Swap(node) => Some(node),
            };
            if !sdd.turn(turn).expect("no limit") {
                assert_eq!(*sdd.vtree(), vtree);
                continue;
            }
            let back = match turn {
                Turn::Right(_) => Turn::Left(w.expect("it was made")),
                Turn::Left(_) => Turn::Right(w.expect("it was made")),
                Turn::Swap(_) => turn,
            };
            assert_eq!(sdd.turn(back), Ok(true), "seed {seed}");
            assert_eq!((sdd.vtree(), sdd.store.size()), (&vtree, size), "seed {seed}");
        }
        check(&mut sdd, &functions, seed);
    }
}

fn searches() -> [Minimisation; 4] {
    let sifting = Minimisation::default();
    [
        sifting,
        Minimisation { growth_percent: 105, repeat: false, ..sifting },
        Minimisation { search: Search::Fragments, ..sifting },
        Minimisation { search: Search::Fragments, growth_percent: 120, repeat: false },
    ]
}

#[test]
fn searches_never_end_in_larger_diagrams() {
    for seed in seeds(30) {
        for how in searches() {
            let (mut sdd, functions, _) = pool(seed, Limits::default());
            sdd.collect();
            let before = sdd.store.size();
            sdd.minimise(how).expect("no limit");
            assert!(sdd.store.size() <= before, "seed {seed}, {how:?}");
            check(&mut sdd, &functions, seed);
        }
    }
}

/// Each of the first half equals one of the second: exponential or linear.
fn equalities(sdd: &mut Sdd, pairs: u32) -> Root {
    let mut all = sdd.constant(true);
    for pair in 0..pairs {
        let (a, b) = (sdd.variable(Variable(pair)), sdd.variable(Variable(pair + pairs)));
        let differ = sdd.xor(&a, &b).expect("no limit");
        all = sdd.minus(&all, &differ).expect("no limit");
    }
    all
}

#[test]
fn sifting_brings_together_what_belongs_together() {
    let mut sdd = sdd(Vtree::right_linear(&variables(16)), Limits::default());
    let all = equalities(&mut sdd, 8);
    let states = sdd.count(&all, &variables(16));
    assert!(sdd.node_count([&all]) > 500);
    sdd.minimise(Minimisation::default()).expect("no limit");
    assert!(sdd.element_count([&all]) <= 40, "{} elements", sdd.element_count([&all]));
    assert_eq!(sdd.count(&all, &variables(16)), states);
    sdd.validate().expect("valid");
}

#[test]
fn blocks_stay_whole_and_regions_keep_their_leaves() {
    for seed in seeds(20) {
        let (mut sdd, functions, mut numbers) = pool(seed, Limits::default());
        let order = sdd.vtree().variables();
        let atom: Vec<Variable> = match sdd.vtree().children(VtreeNode(COUNT + numbers.below(5) as u32)) {
            Some((left, right)) => {
                [left, right].iter().filter_map(|&node| sdd.vtree().variable(node)).collect()
            }
            None => Vec::new(),
        };
        if atom.len() == 2 {
            sdd.set_blocks(vec![atom.clone()], Vec::new());
        }
        let regions = sdd.vtree().left_subtrees();
        let leaves = |sdd: &Sdd| -> Vec<Vec<Variable>> {
            let order = sdd.vtree().variables();
            let mut sets: Vec<Vec<Variable>> = sdd
                .vtree()
                .left_subtrees()
                .into_iter()
                .map(|node| {
                    let node = sdd.vtree().node(node.0);
                    let mut set = order[node.from as usize..node.to as usize].to_vec();
                    set.sort_unstable();
                    set
                })
                .collect();
            sets.sort();
            sets
        };
        let before = leaves(&sdd);
        let first = regions.first().copied().expect("there is one");
        let place = (sdd.vtree().node(first.0).from, sdd.vtree().node(first.0).to);
        sdd.minimise_within(&[first], Minimisation::default()).expect("no limit");
        let after = sdd.vtree().variables();
        let (from, to) = (place.0 as usize, place.1 as usize);
        let sorted = |mut part: Vec<Variable>| {
            part.sort_unstable();
            part
        };
        assert_eq!(sorted(order[from..to].to_vec()), sorted(after[from..to].to_vec()), "seed {seed}");
        assert_eq!(order[to..], after[to..], "seed {seed}: outside nothing moves");
        if regions.len() > 1 {
            assert_eq!(before, leaves(&sdd), "seed {seed}");
        }
        sdd.minimise(Minimisation::default()).expect("no limit");
        if let [a, b] = atom[..] {
            let (a, b) = (sdd.vtree().parent(sdd.vtree().leaf(a)), sdd.vtree().parent(sdd.vtree().leaf(b)));
            assert_eq!(a, b, "seed {seed}: a pair stays together");
        }
        check(&mut sdd, &functions, seed);
    }
}

#[test]
fn a_vtree_for_one_function_is_taken_on_by_all() {
    for seed in seeds(20) {
        let (mut sdd, functions, _) = pool(seed, Limits::default());
        let (first, others) = functions.split_first().expect("some");
        let before = sdd.element_count([&first.0]);
        sdd.minimise_for(&[&first.0], Minimisation::THOROUGH).expect("no limit");
        assert!(sdd.element_count([&first.0]) <= before, "seed {seed}");
        assert!(!others.is_empty());
        check(&mut sdd, &functions, seed);
    }
}

#[test]
fn limits_leave_everything_valid() {
    for seed in seeds(20) {
        let mut numbers = RandomNumbers::new(seed);
        let mut sdd = sdd(random_vtree(14, &mut numbers), Limits::default());
        let all = equalities(&mut sdd, 7);
        let (a, b) = (sdd.variable(Variable(1)), sdd.variable(Variable(9)));
        let other = sdd.xor(&a, &b).expect("no limit");
        let other = sdd.or(&all, &other).expect("no limit");
        let states = (sdd.count(&all, &variables(14)), sdd.count(&other, &variables(14)));
        let mut cut = 0;
        for steps in [3, 10, 40, 170, 700] {
            sdd.meter_mut().grant_steps(Some(steps));
            cut += u32::from(sdd.minimise(Minimisation::default()).is_err());
            sdd.meter_mut().grant_steps(None);
            sdd.validate().unwrap_or_else(|violation| panic!("seed {seed}: {violation:?}"));
            let still = (sdd.count(&all, &variables(14)), sdd.count(&other, &variables(14)));
            assert_eq!(still, states, "seed {seed}");
        }
        assert!(cut > 0, "seed {seed}: some limit was too small");
    }
}

#[test]
fn a_move_that_grows_too_much_is_not_made() {
    let mut refused = 0;
    for seed in seeds(20) {
        let mut numbers = RandomNumbers::new(seed);
        let mut sdd = sdd(random_vtree(20, &mut numbers), Limits::default());
        let all = equalities(&mut sdd, 10);
        let states = sdd.count(&all, &variables(20));
        sdd.moving(|sdd, moving| {
            for _ in 0..60 {
                let (vtree, size) = (sdd.vtree().clone(), sdd.store.size());
                let turn = random_turn(&vtree, &mut numbers);
                let could = Sdd::has_shape_for(&vtree, turn);
                if !sdd.try_turn(moving, turn, Some(0))? {
                    assert_eq!((sdd.vtree(), sdd.store.size()), (&vtree, size), "seed {seed}");
                    refused += u32::from(could);
                }
            }
            Ok(())
        })
        .expect("no limit");
        sdd.validate().unwrap_or_else(|violation| panic!("seed {seed}: {violation:?}"));
        assert_eq!(sdd.count(&all, &variables(20)), states, "seed {seed}");
    }
    assert!(refused > 0, "some move was too large");
}

/// Operations under a growing manager that looks for other vtrees all the time.
#[test]
fn growth_starts_searches_in_the_midst_of_operations() {
    let limits = Limits { minimising_nodes: 20, ..Limits::default() };
    let mut sdd = sdd(Vtree::right_linear(&variables(20)), limits);
    sdd.minimise_automatically(Some(Minimisation::default()));
    let all = equalities(&mut sdd, 10);
    assert!(sdd.minimising_count() > 0);
    assert_eq!(sdd.count(&all, &variables(20)), 1024_u32.into());
    assert!(sdd.statistics().peak_nodes < 1000, "{} nodes", sdd.statistics().peak_nodes);
    sdd.validate().expect("valid");
    // What is known about variables is known of the new vtree.
    let set = sdd.variable_set((0..10).map(Variable));
    let renaming = sdd.renaming((0..10).map(|v| (Variable(v + 10), Variable(v))));
    let rest = sdd.exists(&all, set).expect("no limit");
    assert_eq!(rest, sdd.constant(true));
    let same = sdd.rename(&all, renaming).expect("no limit");
    assert_eq!(same, sdd.constant(true));
}

#[test]
fn saturation_goes_on_under_another_vtree() {
    // A token moves up a row of cells, and each cell that it has left stays marked.
    let cells = 10_u32;
    let find = |minimise: bool| {
        let limits = Limits { minimising_nodes: 20, ..Limits::default() };
        let mut order = variables(2 * cells);
        RandomNumbers::new(3).shuffle(&mut order);
        let mut sdd = sdd(Vtree::balanced(&order), limits);
        if minimise {
            sdd.minimise_automatically(Some(Minimisation::default()));
        }
        let mut moves = Vec::new();
        for cell in 0..cells {
            let next = (cell + 1) % cells;
            let relation = sdd.cube(&[(Variable(cell), true)]).expect("no limit");
            moves.push(Move {
                relation,
                values: vec![(Variable(cell), false), (Variable(next), true), (Variable(cells + cell), true)],
                twins: Vec::new(),
                leaves: Vec::new(),
            });
            let relation = sdd.cube(&[(Variable(cells + cell), true)]).expect("no limit");
            moves.push(Move {
                relation,
                values: vec![(Variable(cells + cell), false)],
                twins: Vec::new(),
                leaves: Vec::new(),
            });
        }
        sdd.set_moves(moves).expect("no limit");
        let start: Vec<(Variable, bool)> = (0..2 * cells).map(|v| (Variable(v), v == 0)).collect();
        let start = sdd.cube(&start).expect("no limit");
        let reached = sdd.saturate(&start).expect("no limit");
        sdd.validate().expect("valid");
        (sdd.count(&reached, &variables(2 * cells)), sdd.minimising_count())
    };
    let (plain, moved) = (find(false), find(true));
    assert_eq!(plain.0, moved.0);
    assert_eq!(plain.0, (10_u32 * 1024).into());
    assert!(plain.1 == 0 && moved.1 > 0);
}

#[test]
fn left_subtrees_are_those_of_the_definition() {
    let sizes = |vtree: Vtree| -> Vec<u32> {
        vtree
            .left_subtrees()
            .into_iter()
            .map(|node| vtree.node(node.0).to - vtree.node(node.0).from)
            .collect()
    };
    assert_eq!(sizes(Vtree::right_linear(&variables(5))), [1, 1, 1, 2]);
    assert_eq!(sizes(Vtree::left_linear(&variables(5))), [5]);
    // The first leaf of a vertical vtree stands on the left.
    assert_eq!(sizes(Vtree::vertical(&variables(5))), [1, 4]);
    assert_eq!(sizes(Vtree::balanced(&variables(8))), [4, 2, 2]);
    assert_eq!(sizes(Vtree::balanced(&variables(1))), [1]);
}
