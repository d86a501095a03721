//! Images and preimages against relations that are written out.

use super::*;
use crate::{Method, Partition, Relation};
use symbolon_testkit::{RandomNumbers, seeds};

/// Bits of a state; each has a primed twin right below, and below all of them stand bits of
/// choices.
const BITS: u32 = 3;
const CHOICES: u32 = 2;
const ALL: u32 = 2 * BITS + CHOICES;

fn twins() -> Vec<(Variable, Variable)> {
    (0..BITS).map(|bit| (Variable(2 * bit), Variable(2 * bit + 1))).collect()
}

/// The set of states whose numbers are bits of `states`.
fn state_set(bdd: &mut Bdd, states: u64) -> Root {
    let current: Vec<Variable> = twins().into_iter().map(|(current, _)| current).collect();
    bdd.build(&current, |bits| value(states, number(bits))).expect("no limit")
}

fn number(bits: &[bool]) -> usize {
    bits.iter().rev().fold(0, |number, &bit| number << 1 | usize::from(bit))
}

/// A conjunct: for some of the variables, which choices of values are allowed.
struct Conjunct {
    variables: Vec<Variable>,
    allowed: u64,
}

impl Conjunct {
    fn random(numbers: &mut RandomNumbers) -> Conjunct {
        let mut variables: Vec<Variable> =
            (0..1 + numbers.below(5)).map(|_| Variable(numbers.below(u64::from(ALL)) as u32)).collect();
        variables.sort_unstable();
        variables.dedup();
        // Most choices are allowed, or nothing would be left.
        Conjunct { variables, allowed: numbers.any() | numbers.any() | numbers.any() }
    }

    fn allows(&self, values: usize) -> bool {
        let bits: Vec<bool> = self.variables.iter().map(|variable| values >> variable.0 & 1 == 1).collect();
        value(self.allowed, number(&bits))
    }
}

/// The values of all variables, from the numbers of two states and of a choice.
fn row(from: usize, to: usize, choice: usize) -> usize {
    let spread = |state: usize| (0..BITS).fold(0, |row, bit| row | (state >> bit & 1) << (2 * bit));
    spread(from) | spread(to) << 1 | choice << (2 * BITS)
}

#[test]
fn partitioned_relations_step_as_written_out() {
    for seed in seeds(150) {
        let mut numbers = RandomNumbers::new(seed);
        let conjuncts: Vec<Conjunct> =
            (0..numbers.below(7)).map(|_| Conjunct::random(&mut numbers)).collect();
        let leads = |from: usize, to: usize| {
            (0..1 << CHOICES).any(|choice| conjuncts.iter().all(|part| part.allows(row(from, to, choice))))
        };
        let mut bdd = bdd(ALL, if seed % 2 == 0 { TINY } else { Limits::default() });
        if seed % 3 == 0 {
            bdd.reorder_automatically(Some(Method::Sifting { repeat: false }));
            if seed % 2 == 0 {
                bdd.set_groups(twins().into_iter().map(|(current, primed)| vec![current, primed]).collect());
            }
        }
        let parts: Vec<Root> = conjuncts
            .iter()
            .map(|part| {
                bdd.build(&part.variables, |bits| value(part.allowed, number(bits))).expect("no limit")
            })
            .collect();
        let choices = variables(ALL).split_off(2 * BITS as usize);
        let relation = Relation {
            parts: &parts,
            twins: &twins(),
            choices: &choices,
            cluster_nodes: [0, 1, 8, 30, 1000][numbers.below(5) as usize],
        };
        let partition = Partition::new(&mut bdd, &relation).expect("no limit");
        for _ in 0..4 {
            let states = numbers.below(1 << (1 << BITS));
            let set = state_set(&mut bdd, states);
            let image = partition.image(&mut bdd, &set).expect("no limit");
            let expected =
                plain(BITS, |to| (0..1 << BITS).any(|from| value(states, from) && leads(from, to)));
            assert_eq!(image, state_set(&mut bdd, expected), "image");
            let preimage = partition.preimage(&mut bdd, &set).expect("no limit");
            let expected = plain(BITS, |from| (0..1 << BITS).any(|to| value(states, to) && leads(from, to)));
            assert_eq!(preimage, state_set(&mut bdd, expected), "preimage");
            let to = numbers.below(1 << BITS) as usize;
            let after: Vec<(Variable, bool)> =
                twins().iter().enumerate().map(|(bit, &(_, primed))| (primed, to >> bit & 1 == 1)).collect();
            let after = bdd.cube(&after).expect("no limit");
            let within = partition.preimage_within(&mut bdd, &set, &after).expect("no limit");
            let expected = plain(BITS, |from| value(states, from) && leads(from, to));
            assert_eq!(within, state_set(&mut bdd, expected), "preimage of one state");
            check_simplified(&mut bdd, &partition, states, numbers.any(), &leads);
            if numbers.percent(30) {
                let mut order = variables(ALL);
                numbers.shuffle(&mut order);
                bdd.set_order(&order).expect("no limit");
            }
        }
        bdd.validate().expect("valid");
    }
}

/// A simplified relation is right about steps between states that matter.
fn check_simplified(
    bdd: &mut Bdd,
    partition: &Partition<Bdd>,
    states: u64,
    care: u64,
    leads: &dyn Fn(usize, usize) -> bool,
) {
    let care_set = state_set(bdd, care);
    for cluster_nodes in [0, 1000] {
        let simplified = partition.simplified(bdd, &care_set, cluster_nodes).expect("no limit");
        let target = state_set(bdd, states & care);
        let preimage = simplified.preimage(bdd, &target).expect("no limit");
        let preimage = bdd.and(&preimage, &care_set).expect("no limit");
        let expected = plain(BITS, |from| {
            value(care, from) && (0..1 << BITS).any(|to| value(states & care, to) && leads(from, to))
        });
        assert_eq!(preimage, state_set(bdd, expected), "simplified");
    }
}

/// A counter of many bits: each has a part of its own, and the step of all is never built.
#[test]
fn a_counter_runs_through_all_its_values() {
    let bits = 10;
    let mut bdd = bdd(2 * bits, Limits::default());
    let twins: Vec<_> = (0..bits).map(|bit| (Variable(2 * bit), Variable(2 * bit + 1))).collect();
    let mut carry = bdd.constant(true);
    let mut parts = Vec::new();
    for &(current, primed) in &twins {
        let (now, next) = (bdd.variable(current).expect("ok"), bdd.variable(primed).expect("ok"));
        let flipped = bdd.xor(&now, &carry).expect("ok");
        parts.push(bdd.iff(&next, &flipped).expect("ok"));
        carry = bdd.and(&carry, &now).expect("ok");
    }
    for cluster_nodes in [0, 12, 1000] {
        let relation = Relation { parts: &parts, twins: &twins, choices: &[], cluster_nodes };
        let partition = Partition::new(&mut bdd, &relation).expect("ok");
        assert_eq!(partition.clusters().len() == 1, cluster_nodes == 1000);
        let zero: Vec<_> = twins.iter().map(|&(current, _)| (current, false)).collect();
        let start = bdd.cube(&zero).expect("ok");
        let (mut reached, mut steps) = (start.clone(), 0);
        loop {
            let image = partition.image(&mut bdd, &reached).expect("ok");
            let more = bdd.or(&reached, &image).expect("ok");
            if more == reached {
                break;
            }
            reached = more;
            steps += 1;
        }
        assert_eq!(steps, (1 << bits) - 1);
        assert_eq!(reached.node(), crate::NodeId::ONE);
        let before = partition.preimage(&mut bdd, &start).expect("ok");
        let set = bdd.variable_set(twins.iter().map(|&(current, _)| current));
        assert_eq!(bdd.count(&before, set), 1_u32.into());
        assert!(bdd.contains(&before, &vec![true; 2 * bits as usize]));
    }
}
