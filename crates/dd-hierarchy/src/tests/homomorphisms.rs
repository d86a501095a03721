//! Homomorphisms: the papers' examples, and the laws.

use super::*;
use crate::{End, HomomorphismId, Inductive};
use symbolon_budget::Interrupted;
use symbolon_testkit::seeds;

/// Adds 1 to the first occurrence of a variable. The text of the paper: ⊤ on a sequence without it.
struct Increment(u32);

impl Inductive for Increment {
    fn name(&self) -> &'static str {
        "increment"
    }
    fn parameters(&self) -> Vec<u64> {
        vec![self.0.into()]
    }
    fn skips(&self, variable: u32) -> bool {
        variable != self.0
    }
    fn on_end(&self) -> End {
        End::Undefined
    }
    fn on_value(
        &self,
        sets: &mut Hierarchy,
        variable: u32,
        value: u64,
    ) -> Result<HomomorphismId, Interrupted> {
        sets.then_assign(variable, value + 1, HomomorphismId::IDENTITY)
    }
}

/// Gives every occurrence of a variable each value of a range.
struct Spread(u32, u64, u64);

impl Inductive for Spread {
    fn name(&self) -> &'static str {
        "spread"
    }
    fn parameters(&self) -> Vec<u64> {
        vec![self.0.into(), self.1, self.2]
    }
    fn on_end(&self) -> End {
        End::One
    }
    fn on_value(
        &self,
        sets: &mut Hierarchy,
        variable: u32,
        value: u64,
    ) -> Result<HomomorphismId, Interrupted> {
        let again = sets.inductive(Spread(self.0, self.1, self.2))?;
        if variable != self.0 {
            return sets.then_assign(variable, value, again);
        }
        let all: Result<Vec<_>, _> =
            (self.1..=self.2).map(|value| sets.then_assign(variable, value, again)).collect();
        sets.sum_of(&all?)
    }
}

/// Takes a token from one variable and gives it to another that comes later, while there is room
/// for it.
struct Pass {
    from: u32,
    to: u32,
    most: u64,
    holds: bool,
}

impl Inductive for Pass {
    fn name(&self) -> &'static str {
        "pass"
    }
    fn parameters(&self) -> Vec<u64> {
        vec![self.from.into(), self.to.into(), self.most, self.holds.into()]
    }
    fn skips(&self, variable: u32) -> bool {
        variable != if self.holds { self.to } else { self.from }
    }
    fn on_end(&self) -> End {
        End::Undefined
    }
    fn on_value(
        &self,
        sets: &mut Hierarchy,
        variable: u32,
        value: u64,
    ) -> Result<HomomorphismId, Interrupted> {
        match (self.holds, value) {
            (false, 0) => Ok(HomomorphismId::ZERO),
            (false, _) => {
                let rest = sets.inductive(Pass { holds: true, ..*self })?;
                sets.then_assign(variable, value - 1, rest)
            }
            (true, full) if full >= self.most => Ok(HomomorphismId::ZERO),
            (true, _) => sets.then_assign(variable, value + 1, HomomorphismId::IDENTITY),
        }
    }
}

fn sequence(sets: &mut Hierarchy, assignments: &[(u32, u64)]) -> NodeId {
    assignments.iter().rev().fold(NodeId::ONE, |rest, &(variable, value)| {
        sets.prepend_assignment(variable, value, rest).expect("no limit")
    })
}

#[test]
fn the_papers_examples() {
    let mut sets = manager(Limits::default());
    let (a, b, c) = (0, 1, 2);
    let word = sequence(&mut sets, &[(a, 1), (b, 2), (a, 3)]);
    let spread = sets.inductive(Spread(a, 1, 2)).expect("few");
    let answer = sets.apply(spread, word).expect("no limit");
    assert_eq!(
        read(&sets, answer),
        Plain::from([vec![1, 2, 1], vec![1, 2, 2], vec![2, 2, 1], vec![2, 2, 2]])
    );

    let increment = sets.inductive(Increment(a)).expect("few");
    assert_eq!(sets.inductive(Increment(a)), Ok(increment), "hash-consed");
    let answer = sets.apply(increment, word).expect("no limit");
    assert_eq!(answer, sequence(&mut sets, &[(a, 2), (b, 2), (a, 3)]), "the first occurrence alone");
    let missing = sets.inductive(Increment(c)).expect("few");
    let answer = sets.apply(missing, word).expect("no limit");
    assert!(!sets.is_well_defined(answer), "a sequence without the variable gives ⊤");
    assert_eq!(sets.count(answer), Ok(None));

    let kept = sequence(&mut sets, &[(a, 1), (b, 2), (a, 3)]);
    let other = sequence(&mut sets, &[(a, 1), (b, 2), (a, 4)]);
    let both = sets.union(kept, other).expect("no limit");
    let select = sets.keep_only(kept).expect("few");
    assert_eq!(sets.apply(select, both), Ok(kept));
    let reject = sets.leave_out(kept).expect("few");
    assert_eq!(sets.apply(reject, both), Ok(other));
    let head = sets.then_assign(c, 7, HomomorphismId::IDENTITY).expect("few");
    let answer = sets.apply(head, kept).expect("no limit");
    assert_eq!(answer, sequence(&mut sets, &[(c, 7), (a, 1), (b, 2), (a, 3)]));
    let front = sequence(&mut sets, &[(c, 7)]);
    let before = sets.preceded_by(front).expect("few");
    assert_eq!(sets.apply(before, kept), Ok(answer));
    let behind = sets.followed_by(front).expect("few");
    let answer = sets.apply(behind, kept).expect("no limit");
    assert_eq!(answer, sequence(&mut sets, &[(a, 1), (b, 2), (a, 3), (c, 7)]));
    let constant = sets.constant(front).expect("few");
    assert_eq!(sets.apply(constant, both), Ok(front));
    assert_eq!(sets.apply(constant, NodeId::EMPTY), Ok(NodeId::EMPTY));
    valid(&mut sets);
}

#[test]
fn fixpoints_saturate_what_skips() {
    // Tokens wander along a row of variables; every homomorphism is user-defined.
    let length = 6;
    for limits in [Limits::default(), TINY] {
        let mut sets = manager(limits);
        let passes: Vec<HomomorphismId> = (0..length - 1)
            .map(|from| sets.inductive(Pass { from, to: from + 1, most: 2, holds: false }).expect("few"))
            .collect();
        let start: Vec<(u32, u64)> =
            (0..length).map(|variable| (variable, if variable < 3 { 2 } else { 0 })).collect();
        let start_node = sequence(&mut sets, &start);
        let start_root = sets.root(start_node);
        let body = sets.sum_of(&passes).expect("few");
        let fixpoint = sets.fixpoint(body).expect("few");
        let reached = sets.apply(fixpoint, start_root.node()).expect("no limit");
        let reached = sets.root(reached);
        valid(&mut sets);

        // Iterated image, without any rewriting.
        let mut slow = sets.root(start_root.node());
        loop {
            let next = sets.apply(body, slow.node()).expect("no limit");
            let next = sets.union(slow.node(), next).expect("no limit");
            if next == slow.node() {
                break;
            }
            slow = sets.root(next);
        }
        assert_eq!(reached.node(), slow.node(), "fixpoint = iterated image");

        let events: Vec<PlainEvent> = (0..length - 1)
            .map(|from| {
                vec![
                    (from, Action::Shift { at_least: 1, at_most: u64::MAX, delta: -1 }),
                    (from + 1, Action::Shift { at_least: 0, at_most: 1, delta: 1 }),
                ]
            })
            .collect();
        let plain = plain_closure(&events, &Plain::from([start.iter().map(|&(_, value)| value).collect()]));
        assert_eq!(read(&sets, reached.node()), plain);
        assert!(sets.is_well_defined(reached.node()));
    }
}

#[test]
fn the_rewriting_saves_most_of_the_work() {
    // Ten tokens on a longer row: the same homomorphisms, with and without knowing what they skip.
    let length = 24;
    let mut sets = manager(Limits::default());
    let passes: Vec<HomomorphismId> = (0..length - 1)
        .map(|from| sets.inductive(Pass { from, to: from + 1, most: 1, holds: false }).expect("few"))
        .collect();
    let start: Vec<(u32, u64)> = (0..length).map(|variable| (variable, u64::from(variable < 10))).collect();
    let start = sequence(&mut sets, &start);
    let body = sets.sum_of(&passes).expect("few");

    let before = sets.statistics().steps;
    let mut slow = start;
    loop {
        let next = sets.apply(body, slow).expect("no limit");
        let next = sets.union(slow, next).expect("no limit");
        if next == slow {
            break;
        }
        slow = next;
    }
    let iterated = sets.statistics().steps - before;

    let before = sets.statistics().steps;
    let fixpoint = sets.fixpoint(body).expect("few");
    assert_eq!(sets.apply(fixpoint, start), Ok(slow));
    let saturated = sets.statistics().steps - before;
    println!("iterated {iterated} steps, saturated {saturated}");
    assert!(saturated * 10 < iterated, "{saturated} steps of saturation, {iterated} of iteration");
    // As many as ways to choose ten places of 24: every token can go everywhere.
    assert_eq!(sets.count(slow), Ok(Some(1_961_256_u32.into())));
}

#[test]
fn laws_over_all_shapes() {
    for seed in seeds(30) {
        let mut random = RandomNumbers::new(seed);
        for limits in [Limits::default(), TINY] {
            let mut sets = manager(limits);
            let events = random_events(&mut random, 5, 3);
            let (a, b) = (random_set(&mut random, 5, 3, 10), random_set(&mut random, 5, 3, 10));
            let filter = random_set(&mut random, 5, 3, 60);
            for shape in shapes(&mut sets) {
                let list = events_of(&mut sets, &events);
                let mut parts = Vec::new();
                for event in 0..list.len() {
                    let relation = sets.relation_of_event(shape, list.parts(event)).expect("few");
                    parts.push(sets.by_relation(relation).expect("few"));
                }
                let filter_node = build(&mut sets, shape, &filter);
                let keep = sets.keep_only(filter_node).expect("few");
                let sum = sets.sum_of(&parts).expect("few");
                // Steps that end in the filter: not a relation, so that the fixpoint has to iterate
                // it.
                let filtered = sets.compose(keep, sum).expect("few");
                let swap = sets.conditional(keep, sum, HomomorphismId::IDENTITY).expect("few");
                let (node_a, node_b) = (build(&mut sets, shape, &a), build(&mut sets, shape, &b));
                let (root_a, root_b) = (sets.root(node_a), sets.root(node_b));

                let plain_filtered = |from: &Plain| &plain_image(&events, from) & &filter;
                let plain_swap = |from: &Plain| &plain_image(&events, &(from & &filter)) | &(from - &filter);
                let image = sets.apply(filtered, root_a.node()).expect("no limit");
                assert_eq!(read(&sets, image), plain_filtered(&a), "composition");
                let image = sets.apply(swap, root_a.node()).expect("no limit");
                assert_eq!(read(&sets, image), plain_swap(&a), "conditional");

                for homomorphism in [sum, filtered, swap, keep] {
                    let whole = sets.union(root_a.node(), root_b.node()).expect("no limit");
                    let whole = sets.root(whole);
                    let left = sets.apply(homomorphism, root_a.node()).expect("no limit");
                    let left = sets.root(left);
                    let right = sets.apply(homomorphism, root_b.node()).expect("no limit");
                    let right = sets.root(right);
                    let image = sets.apply(homomorphism, whole.node()).expect("no limit");
                    assert_eq!(sets.union(left.node(), right.node()), Ok(image), "linear");
                }

                let fixpoint = sets.fixpoint(sum).expect("few");
                let reached = sets.apply(fixpoint, root_a.node()).expect("no limit");
                assert_eq!(read(&sets, reached), plain_closure(&events, &a), "fixpoint of relations");
                let fixpoint = sets.fixpoint(filtered).expect("few");
                let reached = sets.apply(fixpoint, root_a.node()).expect("no limit");
                let mut expected = a.clone();
                while !plain_filtered(&expected).is_subset(&expected) {
                    let more = plain_filtered(&expected);
                    expected.extend(more);
                }
                assert_eq!(read(&sets, reached), expected, "fixpoint of a composition");
                valid(&mut sets);
            }
        }
    }
}

#[test]
fn fixpoints_of_local_parts_run_inside_components() {
    // Three components of two values. In each, tokens go from the first value to the second; the
    // homomorphisms are applied to components, and one part touches two of them.
    for limits in [Limits::default(), TINY] {
        let mut sets = manager(limits);
        let pair = sets.shape(&[Slot::Value; 2]).expect("few shapes");
        let shape = sets.shape(&[Slot::Component(pair); 3]).expect("few shapes");
        let inner = [
            (0, Action::Shift { at_least: 1, at_most: u64::MAX, delta: -1 }),
            (1, Action::Shift { at_least: 0, at_most: u64::MAX, delta: 1 }),
        ];
        let list = events_of(&mut sets, &[inner.to_vec(), vec![inner[1].clone()]]);
        let step = sets.relation_of_event(pair, list.parts(0)).expect("few");
        let step = sets.by_relation(step).expect("few");
        let small: Plain =
            (0..=3).flat_map(|x| (0..=3).map(move |y| vec![x, y])).filter(|s| s[0] + s[1] <= 3).collect();
        let small = build(&mut sets, pair, &small);
        let small = sets.keep_only(small).expect("few");
        let step = sets.compose(small, step).expect("few");
        let mut parts: Vec<HomomorphismId> =
            (0..3).map(|slot| sets.in_slot(slot, step).expect("few")).collect();
        // A token leaves the second value of the first component and enters the first value of the
        // second.
        let out = [(1, inner[0].1.clone())];
        let enter = [(0, inner[1].1.clone())];
        let lists = events_of(&mut sets, &[out.to_vec(), enter.to_vec()]);
        let out = sets.relation_of_event(pair, lists.parts(0)).expect("few");
        let enter = sets.relation_of_event(pair, lists.parts(1)).expect("few");
        let (out, enter) = (sets.by_relation(out).expect("few"), sets.by_relation(enter).expect("few"));
        let enter = sets.compose(small, enter).expect("few");
        let there = sets.local(enter, HomomorphismId::IDENTITY).expect("few");
        parts.push(sets.local(out, there).expect("few"));
        let body = sets.sum_of(&parts).expect("few");
        let fixpoint = sets.fixpoint(body).expect("few");
        let start = sets.singleton(shape, &[3, 0, 0, 1, 2, 0]).expect("no limit");
        let reached = sets.apply(fixpoint, start).expect("no limit");

        let mut expected = Plain::from([vec![3, 0, 0, 1, 2, 0]]);
        loop {
            let mut next = expected.clone();
            for state in &expected {
                for (from, to) in [(0, 1), (1, 2), (2, 3), (4, 5)] {
                    let mut after = state.clone();
                    if after[from] > 0 {
                        after[from] -= 1;
                        after[to] += 1;
                        let fits = after.chunks(2).all(|pair| pair[0] + pair[1] <= 3);
                        next.extend(fits.then_some(after));
                    }
                }
            }
            if next == expected {
                break;
            }
            expected = next;
        }
        assert_eq!(read(&sets, reached), expected);
        valid(&mut sets);
    }
}
