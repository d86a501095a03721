//! Gates: propositional functions written as clauses, with constants folded and equal gates made
//! once.

use crate::{Clauses, Literal};
use rustc_hash::FxHashMap;

/// The number of literals up to which "at most one" is encoded pair by pair.
const MOST_PAIRWISE: usize = 6;

/// A formula under construction.
#[derive(Debug)]
pub(crate) struct Circuit<C> {
    pub(crate) clauses: C,
    gates: FxHashMap<Gate, Literal>,
    scratch: Vec<Literal>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Gate {
    And(Literal, Literal),
    Xor(Literal, Literal),
    Choose(Literal, Literal, Literal),
}

impl<C: Clauses> Circuit<C> {
    /// An empty formula: nothing but the constant.
    pub(crate) fn new(mut clauses: C) -> Self {
        let constant = clauses.new_variable();
        assert_eq!(constant, Literal::TRUE, "the first variable is the constant");
        clauses.add_clause(&[Literal::TRUE]);
        Circuit { clauses, gates: FxHashMap::default(), scratch: Vec::new() }
    }

    /// A new variable.
    pub(crate) fn fresh(&mut self) -> Literal {
        self.clauses.new_variable()
    }

    /// Demands that one of these is true.
    pub(crate) fn clause(&mut self, literals: &[Literal]) {
        if literals.contains(&Literal::TRUE) {
            return;
        }
        let mut kept = std::mem::take(&mut self.scratch);
        kept.clear();
        kept.extend(literals.iter().filter(|&&literal| literal != Literal::FALSE));
        self.clauses.add_clause(&kept);
        self.scratch = kept;
    }

    /// Demands that `b` is true where `a` is.
    pub(crate) fn imply(&mut self, a: Literal, b: Literal) {
        self.clause(&[!a, b]);
    }

    /// Demands that where `condition` is true, `a` and `b` are equal.
    pub(crate) fn equal_if(&mut self, condition: Literal, a: Literal, b: Literal) {
        if a != b {
            self.clause(&[!condition, !a, b]);
            self.clause(&[!condition, a, !b]);
        }
    }

    pub(crate) fn and(&mut self, a: Literal, b: Literal) -> Literal {
        match (a.constant(), b.constant()) {
            (Some(false), _) | (_, Some(false)) => return Literal::FALSE,
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            _ if a == b => return a,
            _ if a == !b => return Literal::FALSE,
            _ => {}
        }
        let gate = Gate::And(a.min(b), a.max(b));
        if let Some(&known) = self.gates.get(&gate) {
            return known;
        }
        let answer = self.fresh();
        self.clause(&[!answer, a]);
        self.clause(&[!answer, b]);
        self.clause(&[answer, !a, !b]);
        self.gates.insert(gate, answer);
        answer
    }

    pub(crate) fn or(&mut self, a: Literal, b: Literal) -> Literal {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        match (a.constant(), b.constant()) {
            (Some(value), _) => return if value { !b } else { b },
            (_, Some(value)) => return if value { !a } else { a },
            _ if a == b => return Literal::FALSE,
            _ if a == !b => return Literal::TRUE,
            _ => {}
        }
        // One gate serves all four pairs of signs.
        let is_flipped = a.is_negative() != b.is_negative();
        let (a, b) = (positive(a.min(b)), positive(a.max(b)));
        let gate = Gate::Xor(a, b);
        let answer = match self.gates.get(&gate) {
            Some(&known) => known,
            None => {
                let answer = self.fresh();
                self.clause(&[!answer, a, b]);
                self.clause(&[!answer, !a, !b]);
                self.clause(&[answer, !a, b]);
                self.clause(&[answer, a, !b]);
                self.gates.insert(gate, answer);
                answer
            }
        };
        if is_flipped { !answer } else { answer }
    }

    /// `then` where `condition` is true, `otherwise` elsewhere.
    pub(crate) fn choose(&mut self, condition: Literal, then: Literal, otherwise: Literal) -> Literal {
        match (condition.constant(), then.constant(), otherwise.constant()) {
            (Some(true), ..) => return then,
            (Some(false), ..) => return otherwise,
            _ if then == otherwise => return then,
            (_, Some(true), _) => return self.or(condition, otherwise),
            (_, Some(false), _) => return self.and(!condition, otherwise),
            (_, _, Some(true)) => return self.or(!condition, then),
            (_, _, Some(false)) => return self.and(condition, then),
            _ if then == !otherwise => return self.xor(!condition, then),
            _ => {}
        }
        let (condition, then, otherwise) = if condition.is_negative() {
            (!condition, otherwise, then)
        } else {
            (condition, then, otherwise)
        };
        let gate = Gate::Choose(condition, then, otherwise);
        if let Some(&known) = self.gates.get(&gate) {
            return known;
        }
        let answer = self.fresh();
        self.equal_if(condition, answer, then);
        self.equal_if(!condition, answer, otherwise);
        // These follow, but not by unit propagation.
        self.clause(&[answer, !then, !otherwise]);
        self.clause(&[!answer, then, otherwise]);
        self.gates.insert(gate, answer);
        answer
    }

    /// True where all are.
    pub(crate) fn all(&mut self, literals: &[Literal]) -> Literal {
        !self.any_of(literals.iter().map(|&literal| !literal))
    }

    /// True where one is.
    pub(crate) fn any(&mut self, literals: &[Literal]) -> Literal {
        self.any_of(literals.iter().copied())
    }

    fn any_of(&mut self, literals: impl Iterator<Item = Literal>) -> Literal {
        let mut inputs: Vec<Literal> = literals.filter(|&literal| literal != Literal::FALSE).collect();
        inputs.sort_unstable();
        inputs.dedup();
        match inputs[..] {
            [] => return Literal::FALSE,
            [one] => return one,
            [a, b] => return self.or(a, b),
            _ if inputs.contains(&Literal::TRUE) => return Literal::TRUE,
            _ => {}
        }
        let answer = self.fresh();
        for &input in &inputs {
            self.imply(input, answer);
        }
        inputs.push(!answer);
        self.clause(&inputs);
        answer
    }

    /// Demands that at most one of these is true.
    pub(crate) fn at_most_one(&mut self, literals: &[Literal]) {
        let live: Vec<Literal> =
            literals.iter().copied().filter(|&literal| literal != Literal::FALSE).collect();
        if live.len() > MOST_PAIRWISE {
            self.ladder(&live);
            return;
        }
        for (index, &a) in live.iter().enumerate() {
            for &b in &live[index + 1..] {
                self.clause(&[!a, !b]);
            }
        }
    }

    /// Demands that at most one of these is true. The answer says for each whether it or one before
    /// it is.
    pub(crate) fn ladder(&mut self, literals: &[Literal]) -> Vec<Literal> {
        let mut before = Literal::FALSE;
        let mut prefixes = Vec::with_capacity(literals.len());
        for &literal in literals {
            self.clause(&[!before, !literal]);
            // A gate of its own, and the clause that makes both arguments disjoint was just added.
            before = self.or(before, literal);
            prefixes.push(before);
        }
        prefixes
    }

    /// `a + b + carry`: the sum and the carry.
    pub(crate) fn full_adder(&mut self, a: Literal, b: Literal, carry: Literal) -> (Literal, Literal) {
        let differ = self.xor(a, b);
        let sum = self.xor(differ, carry);
        let carry = self.choose(differ, carry, a);
        (sum, carry)
    }
}

fn positive(literal: Literal) -> Literal {
    if literal.is_negative() { !literal } else { literal }
}
