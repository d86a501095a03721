//! Whether formulas and their negations can be satisfied: by us, by an independent crate, and by
//! trying short words.

use std::cell::Cell;
use std::collections::BTreeSet;

use omega_automata::automata::abw::{ABW, ltl_to_abw};
use omega_automata::ltl::Formulas;
use symbolon_automata::{Automaton, Edge, Label, accepted_word, is_satisfiable, reduce, translate};
use symbolon_budget::Budget;
use symbolon_logic::{Formula, Operator};
use symbolon_testkit::{RandomNumbers, seeds};

use crate::formulas::{negated, random_formula, to_polish};
use crate::words::Word;

/// What the other crate makes of a formula over two propositions.
///
/// It gets negation normal form, since its own leaves negations below double negations. And it gets
/// every label in full, as a disjunction of letters: version 0.1.1 takes a move for a better one
/// when their labels merely do not contradict each other (`syms_subset`), and then believes that
/// `F p & !p` cannot be satisfied.
fn alternating(formula: &Formula<u32>) -> ABW {
    let mut other = Formulas::default();
    let atoms = [other.atom(1), other.atom(2)];
    let literals = atoms.map(|atom| [other.neg(atom), atom]);
    let letters: Vec<u32> =
        (0..4).map(|letter| other.and(literals[0][letter & 1], literals[1][letter >> 1])).collect();
    let never = other.and(literals[0][0], literals[0][1]);
    let one_of = |other: &mut Formulas, is_chosen: &dyn Fn(usize) -> bool| {
        let chosen: Vec<u32> =
            (0..4).filter(|&letter| is_chosen(letter)).map(|letter| letters[letter]).collect();
        chosen.into_iter().reduce(|f, g| other.or(f, g)).unwrap_or(never)
    };
    let always = one_of(&mut other, &|_| true);
    let next = |other: &mut Formulas, f: u32| {
        let next = other.next(f);
        other.and(always, next)
    };
    let mut made: Vec<(u32, u32)> = Vec::new();
    for (_, operator) in formula.subformulas() {
        let yes = |f: symbolon_logic::FormulaId| made[f.index()].0;
        let no = |f: symbolon_logic::FormulaId| made[f.index()].1;
        made.push(match *operator {
            Operator::True => (always, never),
            Operator::False => (never, always),
            Operator::Atom(p) => {
                let holds = |letter: usize| letter >> p & 1 == 1;
                (one_of(&mut other, &holds), one_of(&mut other, &|letter| !holds(letter)))
            }
            Operator::Not(f) => (no(f), yes(f)),
            Operator::And(f, g) => (other.and(yes(f), yes(g)), other.or(no(f), no(g))),
            Operator::Or(f, g) => (other.or(yes(f), yes(g)), other.and(no(f), no(g))),
            Operator::Implies(f, g) => (other.or(no(f), yes(g)), other.and(yes(f), no(g))),
            Operator::Equivalent(f, g) => {
                let (both, neither) = (other.and(yes(f), yes(g)), other.and(no(f), no(g)));
                let (left, right) = (other.and(yes(f), no(g)), other.and(no(f), yes(g)));
                (other.or(both, neither), other.or(left, right))
            }
            Operator::Next(f) => (next(&mut other, yes(f)), next(&mut other, no(f))),
            Operator::Finally(f) => (other.until(always, yes(f)), other.release(never, no(f))),
            Operator::Globally(f) => (other.release(never, yes(f)), other.until(always, no(f))),
            Operator::Until(f, g) => (other.until(yes(f), yes(g)), other.release(no(f), no(g))),
            Operator::Release(f, g) => (other.release(yes(f), yes(g)), other.until(no(f), no(g))),
            Operator::WeakUntil(f, g) => {
                let (either, neither) = (other.or(yes(f), yes(g)), other.and(no(f), no(g)));
                (other.release(yes(g), either), other.until(no(g), neither))
            }
            ref operator => panic!("{operator:?} is not of LTL"),
        });
    }
    let root = made[formula.root().index()].0;
    ltl_to_abw(other.access(root))
}

/// Whether an alternating automaton of the other crate accepts something (P. Gastin, D. Oddoux, CAV
/// 2001).
///
/// The crate can tell that, too, but 0.1.1 loses track of which edges accept when it sorts them: it
/// says that `X F X X false` can be satisfied, and panics on other formulas. So its translation to
/// alternating automata is what we compare with.
fn accepts_something(alternating: &ABW) -> bool {
    let rejecting: Vec<u32> = alternating.get_rejecting().copied().collect();
    let mut sets = vec![BTreeSet::from([alternating.get_initial()])];
    let mut edges = Vec::new();
    let mut from = 0;
    while from < sets.len() {
        let mut moves = vec![(BTreeSet::new(), BTreeSet::new())];
        for state in &sets[from] {
            let both = |(label, to): &(BTreeSet<i64>, BTreeSet<u32>),
                        (more, also): &(BTreeSet<i64>, BTreeSet<u32>)| {
                let fits = more.iter().all(|literal| !label.contains(&-literal));
                fits.then(|| (label | more, to | also))
            };
            let own = alternating.get_transition(state);
            moves = moves.iter().flat_map(|a| own.iter().filter_map(move |b| both(a, b))).collect();
            moves.sort();
            moves.dedup();
        }
        for (label, to) in moves {
            let leaves = |state: &u32| {
                let mut own = alternating.get_transition(state).iter();
                own.any(|(letter, also)| {
                    letter.is_subset(&label) && also.is_subset(&to) && !also.contains(state)
                })
            };
            let is_marked = |state: &u32| !to.contains(state) || leaves(state);
            let marks =
                (0..).zip(&rejecting).filter(|(_, state)| is_marked(state)).map(|(mark, _)| mark).collect();
            let known = sets.iter().position(|known| *known == to);
            let to = known.unwrap_or_else(|| {
                sets.push(to);
                sets.len() - 1
            });
            edges.push(Edge { from, to, label: Label::always(), marks });
        }
        from += 1;
    }
    let automaton = Automaton::new(sets.len(), 0, rejecting.len() as u32, vec![0], edges);
    Word { letters: vec![0], loop_start: 0 }.is_accepted(&automaton)
}

/// Whether a word of at most three letters over two propositions satisfies it.
fn some_short_word(formula: &Formula<u32>) -> bool {
    (1..=3_usize).any(|length| {
        (0..4_u32.pow(length as u32)).any(|code| {
            let letters: Vec<u32> = (0..length).map(|place| code >> (2 * place) & 3).collect();
            (0..length).any(|loop_start| Word { letters: letters.clone(), loop_start }.satisfies(formula))
        })
    })
}

/// A word of those that the automaton was said to accept.
fn a_word(automaton: &Automaton) -> Option<Word> {
    let found = accepted_word(automaton)?;
    let letter =
        |label: &Label| -> u32 { label.literals().filter(|(_, holds)| *holds).map(|(p, _)| 1 << p).sum() };
    let letters = found.stem.iter().chain(&found.cycle).map(letter).collect();
    Some(Word { letters, loop_start: found.stem.len() })
}

#[test]
fn three_opinions() {
    let counts = [Cell::new(0), Cell::new(0)];
    let check = |formula: &Formula<u32>| {
        let text = to_polish(formula);
        let budget = Budget::unlimited();
        let ours = is_satisfiable(formula, &budget).unwrap();
        let automaton = translate(formula, &budget).unwrap();
        assert_eq!(automaton.state_count() > 0, ours, "{text}");
        let word = a_word(&automaton);
        assert_eq!(word.is_some(), ours, "{text}");
        if let Some(word) = word {
            assert!(
                word.is_accepted(&automaton) && word.satisfies(formula),
                "{text} on {word:?}\n{automaton}"
            );
        }
        assert!(ours || !some_short_word(formula), "{text}");
        assert_eq!(accepts_something(&alternating(formula)), ours, "{text}");
        let again = reduce(&automaton, &budget).unwrap();
        assert_eq!(again.state_count(), automaton.state_count(), "{text}: reduced is reduced");
        let count = &counts[usize::from(ours)];
        count.set(count.get() + 1);
    };
    for seed in seeds(1500) {
        let mut numbers = RandomNumbers::new(seed);
        let size = numbers.between(2, 8);
        let formula = random_formula(&mut numbers, size, 2);
        check(&formula);
        check(&negated(&formula));
    }
    let [no, yes] = counts.map(|count| count.get());
    println!("{yes} can be satisfied, {no} cannot");
    if yes + no > 100 {
        assert!(no * 20 > yes, "formulas that cannot be satisfied occur");
    }
}
