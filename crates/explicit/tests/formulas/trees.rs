//! Witnesses that branch: replayed, and asked what they show.

use super::{formula, graph};
use symbolon_explicit::{
    Branch, Ending, LassoError, Link, ReplayError, Run, Trace, Tree, Truth, replay_tree, shown_by_tree,
};
use symbolon_logic::{Formula, Paths};
use symbolon_model::{Atom, EventId};

const HOLDS: Truth = Truth { holds: true, fails: false };
const FAILS: Truth = Truth { holds: false, fails: true };
const UNKNOWN: Truth = Truth { holds: false, fails: false };

fn tree(from: u64, events: &[u32], ending: Ending, branches: Vec<Branch>) -> Tree {
    let events = events.iter().map(|&event| EventId(event)).collect();
    let run = Run::Events(Trace { initial: [from].into(), events });
    Tree { run, ending, strategy: None, branches }
}

/// A branch that tells about the subformula `text` of `whole`.
fn branch(position: usize, whole: &Formula<Atom>, text: &str, tree: Tree) -> Branch {
    let part = formula(text);
    let id = whole.subformulas().map(|(id, _)| id).find(|&id| whole.subformula(id) == part);
    Branch { position, link: Link::Path, formula: id.expect("a subformula"), tree }
}

/// 0 and 1 go round for ever, or 1 goes to 2, which is dead.
fn round_or_dead() -> symbolon_model::Model {
    graph(&[(0, 1), (1, 0), (1, 2)])
}

fn check(text: &str, tree: &Tree, expected: [Result<Truth, LassoError>; 3]) {
    let shown =
        Paths::ALL.map(|paths| shown_by_tree(&round_or_dead(), &formula(text), paths, tree, |_, _| None));
    assert_eq!(shown, expected, "{text} by {tree:?}");
}

#[test]
fn paths_without_branches() {
    let ends = Err(LassoError::Ends);
    let open = tree(0, &[0], Ending::Open, vec![]);
    check("E F 1", &open, [Ok(HOLDS); 3]);
    check("E F 2", &open, [Ok(UNKNOWN); 3]);
    check("E G | 0 1", &open, [Ok(UNKNOWN); 3]);
    check("A G 0", &open, [Ok(FAILS); 3]);
    check("G 0", &open, [Ok(FAILS); 3]);
    check("A G ! 2", &open, [Ok(UNKNOWN); 3]);
    check("A F 1", &open, [Ok(UNKNOWN); 3]);
    check("E U 0 1", &open, [Ok(HOLDS); 3]);
    check("E W 0 1", &open, [Ok(HOLDS); 3]);
    check("E R 0 2", &open, [Ok(UNKNOWN); 3]);
    check("A W 0 2", &open, [Ok(FAILS); 3]);
    check("A U 0 2", &open, [Ok(FAILS); 3]);
    check("E X 1", &open, [Ok(HOLDS); 3]);
    check("E X X 0", &open, [Ok(UNKNOWN); 3]);
    check("& 0 ! E F 1", &open, [Ok(FAILS); 3]);
    check("| 1 E F 1", &open, [Ok(HOLDS); 3]);
    check("1", &open, [Ok(FAILS); 3]);
    let round = tree(0, &[0, 1], Ending::Loop(0), vec![]);
    check("E G ! 2", &round, [Ok(HOLDS); 3]);
    check("A F 2", &round, [Ok(FAILS); 3]);
    check("F 2", &round, [Ok(FAILS); 3]);
    check("A G F 0", &round, [Ok(UNKNOWN); 3]);
    let dead = tree(0, &[0, 2], Ending::Dead, vec![]);
    check("E F 2", &dead, [Ok(HOLDS), Ok(HOLDS), ends]);
    check("A G F 0", &dead, [Ok(FAILS), Ok(FAILS), ends]);
    check("E F G X t", &dead, [Ok(UNKNOWN), Ok(HOLDS), ends]);
}

#[test]
fn branches_answer_for_what_is_inside() {
    let whole = formula("E F & 1 E G ! 2");
    let loops = || tree(1, &[1, 0], Ending::Loop(0), vec![]);
    let inside = |position, events: &[u32], from| {
        let loops = tree(from, events, Ending::Loop(0), vec![]);
        tree(0, &[0], Ending::Open, vec![branch(position, &whole, "E G ! 2", loops)])
    };
    check("E F & 1 E G ! 2", &inside(1, &[1, 0], 1), [Ok(HOLDS); 3]);
    // Where the branch is not needed, it shows nothing.
    check("E F & 1 E G ! 2", &inside(0, &[0, 1], 0), [Ok(UNKNOWN); 3]);
    check("E F & 1 E G ! 2", &tree(0, &[0], Ending::Open, vec![]), [Ok(UNKNOWN); 3]);

    // Several reasons at once, and a reason against.
    let whole = "& E X 1 E X E X 2";
    let step = tree(0, &[0], Ending::Open, vec![]);
    let next = tree(1, &[2], Ending::Open, vec![]);
    let two = tree(0, &[0], Ending::Open, vec![branch(1, &formula(whole), "E X 2", next)]);
    let both = vec![branch(0, &formula(whole), "E X 1", step), branch(0, &formula(whole), "E X E X 2", two)];
    check(whole, &tree(0, &[], Ending::Open, both.clone()), [Ok(HOLDS); 3]);
    check(whole, &tree(0, &[], Ending::Open, both[..1].to_vec()), [Ok(UNKNOWN); 3]);
    let against = formula("A G > 1 A F 2");
    let bad = tree(0, &[0], Ending::Open, vec![branch(1, &against, "A F 2", loops())]);
    check("A G > 1 A F 2", &bad, [Ok(FAILS); 3]);
    // A branch at the end of a loop is one at its beginning.
    let again = formula("E G F E X 1");
    let step = tree(0, &[0], Ending::Open, vec![]);
    let round = tree(0, &[0, 1], Ending::Loop(0), vec![branch(2, &again, "E X 1", step)]);
    check("E G F E X 1", &round, [Ok(HOLDS); 3]);

    // What no branch tells may be known otherwise.
    let open = tree(0, &[0], Ending::Open, vec![]);
    let known = |_, state: &[u64]| Some(state[0] == 1);
    let asked = formula("E F A X t");
    assert_eq!(shown_by_tree(&round_or_dead(), &asked, Paths::Maximal, &open, known), Ok(HOLDS));
}

#[test]
fn trees_are_replayed() {
    let whole = formula("E F E X 2");
    let next = |from| tree(from, &[2], Ending::Open, vec![]);
    let with =
        |position, from| tree(0, &[0], Ending::Open, vec![branch(position, &whole, "E X 2", next(from))]);
    let check = |tree: &Tree, expected| assert_eq!(replay_tree(&round_or_dead(), tree), expected, "{tree:?}");
    check(&with(1, 1), Ok(()));
    check(&with(0, 1), Err(ReplayError::BranchElsewhere { position: 0 }));
    check(&with(5, 1), Err(ReplayError::BranchElsewhere { position: 5 }));
    check(&next(1), Err(ReplayError::NotInitial));
    check(&tree(0, &[0], Ending::Dead, vec![]), Err(ReplayError::NotDead));
    check(&tree(0, &[0, 1], Ending::Loop(1), vec![]), Err(ReplayError::LoopOpen { start: 1 }));
    let inner = tree(1, &[0], Ending::Open, vec![]);
    let broken = tree(0, &[0], Ending::Open, vec![branch(1, &whole, "E X 2", inner)]);
    check(&broken, Err(ReplayError::NotEnabled { step: 0, event: EventId(0) }));
}
