//! Words that repeat themselves: formulas evaluated on them, and whether automata accept them.
//! Written to be obvious, by fixpoints over positions, and with nothing of the crate's own
//! algorithms.

use symbolon_automata::Automaton;
use symbolon_logic::{Formula, Operator};
use symbolon_testkit::RandomNumbers;

/// A word: its letters, and the position that follows the last one. Proposition `p` holds in a
/// letter if bit `p` is set.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) letters: Vec<u32>,
    pub(crate) loop_start: usize,
}

impl Word {
    pub(crate) fn random(numbers: &mut RandomNumbers, proposition_count: u64) -> Word {
        let length = numbers.between(1, 8);
        let letters = (0..length).map(|_| numbers.below(1 << proposition_count) as u32).collect();
        Word { letters, loop_start: numbers.below(length) as usize }
    }

    pub(crate) fn next(&self, position: usize) -> usize {
        if position + 1 == self.letters.len() { self.loop_start } else { position + 1 }
    }

    /// Whether the word satisfies the formula.
    pub(crate) fn satisfies(&self, formula: &Formula<u32>) -> bool {
        let length = self.letters.len();
        let mut values: Vec<Vec<bool>> = Vec::new();
        for (_, operator) in formula.subformulas() {
            let at = |f: symbolon_logic::FormulaId, position: usize| values[f.index()][position];
            let each = |value: &dyn Fn(usize) -> bool| (0..length).map(value).collect::<Vec<bool>>();
            // The least or greatest solution of x(i) = step(i, x(i + 1)), found by repetition from
            // `start`.
            let fixpoint = |start: bool, step: &dyn Fn(usize, bool) -> bool| {
                let mut solution = vec![start; length];
                for _ in 0..=length {
                    for position in (0..length).rev() {
                        solution[position] = step(position, solution[self.next(position)]);
                    }
                }
                solution
            };
            let value = match *operator {
                Operator::True => each(&|_| true),
                Operator::False => each(&|_| false),
                Operator::Atom(p) => each(&|i| self.letters[i] >> p & 1 == 1),
                Operator::Not(f) => each(&|i| !at(f, i)),
                Operator::And(f, g) => each(&|i| at(f, i) && at(g, i)),
                Operator::Or(f, g) => each(&|i| at(f, i) || at(g, i)),
                Operator::Implies(f, g) => each(&|i| !at(f, i) || at(g, i)),
                Operator::Equivalent(f, g) => each(&|i| at(f, i) == at(g, i)),
                Operator::Next(f) => each(&|i| at(f, self.next(i))),
                Operator::Finally(f) => fixpoint(false, &|i, later| at(f, i) || later),
                Operator::Globally(f) => fixpoint(true, &|i, later| at(f, i) && later),
                Operator::Until(f, g) => fixpoint(false, &|i, later| at(g, i) || at(f, i) && later),
                Operator::WeakUntil(f, g) => fixpoint(true, &|i, later| at(g, i) || at(f, i) && later),
                Operator::Release(f, g) => fixpoint(true, &|i, later| at(g, i) && (at(f, i) || later)),
                ref other => panic!("{other:?} is not of LTL"),
            };
            values.push(value);
        }
        values[formula.root().index()][0]
    }

    /// Whether the automaton accepts the word: a nested fixpoint over pairs of a state and a
    /// position (E. A. Emerson, C.-L. Lei, LICS 1986).
    pub(crate) fn is_accepted(&self, automaton: &Automaton) -> bool {
        let length = self.letters.len();
        let pair = |state: usize, position: usize| state * length + position;
        // Source, target and edge of the product.
        let mut steps = Vec::new();
        for edge in automaton.edges() {
            for (position, letter) in self.letters.iter().enumerate() {
                if edge.label.is_satisfied(|p| letter >> p & 1 == 1) {
                    steps.push((pair(edge.from, position), pair(edge.to, self.next(position)), edge));
                }
            }
        }
        let mut fair = vec![true; automaton.state_count() * length];
        loop {
            let before = fair.clone();
            // Without marks, a pair still needs a step within the set.
            let marks: Vec<Option<u32>> = if automaton.mark_count() == 0 {
                vec![None]
            } else {
                (0..automaton.mark_count()).map(Some).collect()
            };
            for mark in marks {
                let mut reaches = vec![false; fair.len()];
                loop {
                    let mut has_grown = false;
                    for &(from, to, edge) in &steps {
                        let carries = mark.is_none_or(|mark| edge.marks.contains(mark));
                        if fair[from] && fair[to] && !reaches[from] && (carries || reaches[to]) {
                            reaches[from] = true;
                            has_grown = true;
                        }
                    }
                    if !has_grown {
                        break;
                    }
                }
                fair = reaches;
            }
            if fair == before {
                break;
            }
        }
        automaton.initial().iter().any(|&state| fair[pair(state, 0)])
    }
}
