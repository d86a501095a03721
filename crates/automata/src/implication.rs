//! Which terms imply which, as far as their shapes tell.

use crate::terms::{Term, TermId, Terms};

/// How far down an implication is looked for.
const DEPTH: u32 = 16;

impl Terms {
    /// True only if every word that satisfies `f` satisfies `g`; false says nothing.
    pub(crate) fn implies(&mut self, f: TermId, g: TermId) -> bool {
        self.implies_within(f, g, DEPTH)
    }

    fn implies_within(&mut self, f: TermId, g: TermId, depth: u32) -> bool {
        // Terminal cases.
        if f == g || f == TermId::FALSE || g == TermId::TRUE {
            return true;
        }
        if f == TermId::TRUE || g == TermId::FALSE || depth == 0 {
            return false;
        }
        if matches!((self.term(f), self.term(g)), (Term::Literal(..), Term::Literal(..))) {
            return false;
        }

        // Recall.
        if let Some(&known) = self.implications.get(&(f, g)) {
            return known;
        }
        let answer = self.implies_by_shape(f, g, depth - 1);
        self.implications.insert((f, g), answer);
        answer
    }

    fn implies_by_shape(&mut self, f: TermId, g: TermId, depth: u32) -> bool {
        let (left, right) = (self.term(f).clone(), self.term(g).clone());

        // Cases that settle the question.
        if let Term::Or(operands) = &left {
            return operands.iter().all(|&operand| self.implies_within(operand, g, depth));
        }
        if let Term::And(operands) = &right {
            return operands.iter().all(|&operand| self.implies_within(f, operand, depth));
        }

        // Cases that may say yes.
        let by_left = match &left {
            Term::And(operands) => operands.iter().any(|&operand| self.implies_within(operand, g, depth)),
            // a U b implies a | b, and F b.
            &Term::Until(a, b) => {
                self.implies_within(b, g, depth) && (self.is_eventual(g) || self.implies_within(a, g, depth))
            }
            // a R b implies b.
            &Term::Release(_, b) => self.implies_within(b, g, depth),
            // X a implies g, if a does, and g may become true earlier.
            &Term::Next(a) => self.is_eventual(g) && self.implies_within(a, g, depth),
            _ => false,
        };
        if by_left {
            return true;
        }
        let by_right = match &right {
            Term::Or(operands) => operands.iter().any(|&operand| self.implies_within(f, operand, depth)),
            // d implies c U d.
            &Term::Until(_, d) => self.implies_within(f, d, depth),
            // c & d implies c R d; and f implies G d, if it implies d and stays true.
            &Term::Release(c, d) => {
                self.implies_within(f, d, depth) && (self.is_universal(f) || self.implies_within(f, c, depth))
            }
            &Term::Next(b) => self.is_universal(f) && self.implies_within(f, b, depth),
            _ => false,
        };
        if by_right {
            return true;
        }
        match (left, right) {
            (Term::Until(a, b), Term::Until(c, d)) | (Term::Release(a, b), Term::Release(c, d)) => {
                self.implies_within(a, c, depth) && self.implies_within(b, d, depth)
            }
            (Term::Next(a), Term::Next(b)) => self.implies_within(a, b, depth),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_tell() {
        let mut t = Terms::new();
        let (p, q) = (t.literal(0, true), t.literal(1, true));
        let until = t.until(p, q);
        let f_q = t.finally(q);
        let g_p = t.globally(p);
        let x_p = t.next(p);
        let release = t.release(q, p);
        let either = t.or(&[p, q]);
        let xf_q = t.next(f_q);
        let mut check = |f, g, expected| {
            assert_eq!(t.implies(f, g), expected, "{:?} {:?}", t.term(f), t.term(g));
        };
        check(until, f_q, true);
        check(until, either, true);
        check(until, p, false);
        check(q, until, true);
        check(p, until, false);
        check(g_p, x_p, true);
        check(g_p, release, true);
        check(release, p, true);
        check(release, g_p, false);
        check(xf_q, f_q, true);
        check(f_q, xf_q, false);
    }
}
