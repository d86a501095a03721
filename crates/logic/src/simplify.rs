//! Smaller formulas with the same meaning.
//!
//! A subformula is simplified once, after its operands, by looking at it and one level below. Each
//! rewriting stands in the function named after the operator it looks at, and says which path
//! semantics it preserves where that is not all of them. Two things make the difference:
//!
//! - **Every state has a path** under `maximal` and `stutter`, so that `E p` is `p` for a `p` about
//!   states. Under `infinite` it is not: `E true` says that an infinite path begins here.
//! - **Something is next** on every path under `stutter` and `infinite`, so that `X true` is
//!   `true`. Under `maximal`, `X f` and `! X f` both fail where a path ends, below `E`, and both
//!   hold below `A`: neither constants below `X` nor the excluded middle can be had for path
//!   formulas with `X` in them.
//!
//! **What a group can force** is not a matter of paths alone: `<g> G true` fails where the group
//! has no next state, and under fairness `<g> F false` holds where the group can make every path
//! unfair. So the temporal operator below a strategy stays, and only its operands become simpler.

use crate::formula::{Builder, Formula, FormulaId, Operator};
use crate::paths::Paths;
use crate::rewrite::kept;
use rustc_hash::FxHashSet;
use std::hash::Hash;

/// A formula with the same meaning under `paths`: constants, double negations and operators that
/// say nothing new are gone, and quantifiers stand above as little as they can.
pub fn simplify<A: Eq + Hash + Clone>(formula: &Formula<A>, paths: Paths) -> Formula<A> {
    let mut simplifier = Simplifier { builder: Builder::default(), about: Vec::new(), paths };
    let mut made: Vec<FormulaId> = Vec::with_capacity(formula.size());
    for (_, operator) in formula.subformulas() {
        let Ok(mut simpler) = operator.map(|operand| made[operand.index()], kept);
        if let Operator::CanForce(group, path) = operator
            && formula.operator(*path).is_temporal()
        {
            // Only the operands of the path formula are simplified.
            let Ok(path) = formula.operator(*path).map(|operand| made[operand.index()], kept);
            simpler = Operator::CanForce(group.clone(), simplifier.add(path));
        }
        made.push(simplifier.simplified(simpler));
    }
    simplifier.builder.finish(made[formula.root().index()])
}

struct Simplifier<A> {
    builder: Builder<A>,
    about: Vec<About>,
    paths: Paths,
}

/// What a subformula speaks about.
#[derive(Clone, Copy, Default)]
struct About {
    /// A path rather than a state.
    is_path: bool,
    /// What is next on that path, not counting what stands below quantifiers.
    has_next: bool,
}

impl<A: Eq + Hash + Clone> Simplifier<A> {
    fn simplified(&mut self, operator: Operator<A>) -> FormulaId {
        match operator {
            Operator::Not(f) => self.not(f),
            Operator::And(f, g) => self.and(f, g),
            Operator::Or(f, g) => self.or(f, g),
            Operator::Implies(f, g) => self.implies(f, g),
            Operator::Equivalent(f, g) => self.equivalent(f, g),
            Operator::Next(f) => self.next(f),
            Operator::Finally(f) => self.finally(f),
            Operator::Globally(f) => self.globally(f),
            Operator::Until(f, g) => self.until(f, g),
            Operator::WeakUntil(f, g) => self.weak_until(f, g),
            Operator::Release(f, g) => self.release(f, g),
            Operator::Exists(f) => self.exists(f),
            Operator::ForAll(f) => self.for_all(f),
            operator => self.add(operator),
        }
    }

    fn add(&mut self, operator: Operator<A>) -> FormulaId {
        let about = match &operator {
            Operator::Exists(_) | Operator::ForAll(_) | Operator::CanForce(..) | Operator::Knows(..) => {
                About::default()
            }
            operator => {
                let below = |of: fn(&About) -> bool| operator.operands().any(|f| of(&self.about[f.index()]));
                About {
                    is_path: operator.is_temporal() || below(|about| about.is_path),
                    has_next: matches!(operator, Operator::Next(_)) || below(|about| about.has_next),
                }
            }
        };
        let id = self.builder.add(operator);
        if id.index() == self.about.len() {
            self.about.push(about);
        }
        id
    }

    fn constant(&mut self, value: bool) -> FormulaId {
        self.add(if value { Operator::True } else { Operator::False })
    }

    fn is_true(&self, f: FormulaId) -> bool {
        matches!(self.builder.operator(f), Operator::True)
    }

    fn is_false(&self, f: FormulaId) -> bool {
        matches!(self.builder.operator(f), Operator::False)
    }

    fn is_path(&self, f: FormulaId) -> bool {
        self.about[f.index()].is_path
    }

    /// Whether one of them is the negation of the other, and one of them must hold: not so under
    /// `maximal` if they speak about what is next.
    fn are_complements(&self, f: FormulaId, g: FormulaId) -> bool {
        let is_negation =
            |f: FormulaId, g: FormulaId| matches!(*self.builder.operator(f), Operator::Not(h) if h == g);
        (is_negation(f, g) || is_negation(g, f)) && self.excludes_middle(f)
    }

    fn excludes_middle(&self, f: FormulaId) -> bool {
        self.paths != Paths::Maximal || !self.about[f.index()].has_next
    }

    fn not(&mut self, f: FormulaId) -> FormulaId {
        match *self.builder.operator(f) {
            Operator::True => self.constant(false),
            Operator::False => self.constant(true),
            Operator::Not(g) => g,
            _ => self.add(Operator::Not(f)),
        }
    }

    fn and(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        if f == g || self.is_true(g) || self.is_false(f) {
            return f;
        }
        if self.is_true(f) || self.is_false(g) {
            return g;
        }
        if self.are_complements(f, g) {
            return self.constant(false);
        }
        for (f, g) in [(f, g), (g, f)] {
            match *self.builder.operator(f) {
                // f & (f | g) is f; f & G f is G f; f & (f & g) is f & g.
                Operator::Or(a, b) if a == g || b == g => return g,
                Operator::And(a, b) if a == g || b == g => return f,
                Operator::Globally(a) if a == g => return f,
                _ => {}
            }
        }
        match (self.builder.operator(f), self.builder.operator(g)) {
            // G f & G g is G (f & g), also with A before them.
            (&Operator::Globally(a), &Operator::Globally(b)) => {
                let both = self.and(a, b);
                self.globally(both)
            }
            (&Operator::ForAll(a), &Operator::ForAll(b)) => {
                match (self.builder.operator(a), self.builder.operator(b)) {
                    (&Operator::Globally(a), &Operator::Globally(b)) => {
                        let both = self.and(a, b);
                        let always = self.globally(both);
                        self.for_all(always)
                    }
                    _ => self.add(Operator::And(f, g)),
                }
            }
            _ => self.add(Operator::And(f, g)),
        }
    }

    fn or(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        if f == g || self.is_false(g) || self.is_true(f) {
            return f;
        }
        if self.is_false(f) || self.is_true(g) {
            return g;
        }
        if self.are_complements(f, g) {
            return self.constant(true);
        }
        for (f, g) in [(f, g), (g, f)] {
            match *self.builder.operator(f) {
                // f | (f & g) is f; f | F f is F f; f | (f | g) is f | g.
                Operator::And(a, b) if a == g || b == g => return g,
                Operator::Or(a, b) if a == g || b == g => return f,
                Operator::Finally(a) if a == g => return f,
                _ => {}
            }
        }
        match (self.builder.operator(f), self.builder.operator(g)) {
            // F f | F g is F (f | g), also with E before them.
            (&Operator::Finally(a), &Operator::Finally(b)) => {
                let either = self.or(a, b);
                self.finally(either)
            }
            (&Operator::Exists(a), &Operator::Exists(b)) => {
                match (self.builder.operator(a), self.builder.operator(b)) {
                    (&Operator::Finally(a), &Operator::Finally(b)) => {
                        let either = self.or(a, b);
                        let sometimes = self.finally(either);
                        self.exists(sometimes)
                    }
                    _ => self.add(Operator::Or(f, g)),
                }
            }
            _ => self.add(Operator::Or(f, g)),
        }
    }

    fn implies(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        if self.is_false(f) || self.is_true(g) || (f == g && self.excludes_middle(f)) {
            return self.constant(true);
        }
        if self.is_true(f) {
            return g;
        }
        if self.is_false(g) {
            return self.not(f);
        }
        self.add(Operator::Implies(f, g))
    }

    fn equivalent(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        for (f, g) in [(f, g), (g, f)] {
            if self.is_true(f) {
                return g;
            }
            if self.is_false(f) {
                return self.not(g);
            }
        }
        if f == g && self.excludes_middle(f) {
            return self.constant(true);
        }
        if self.are_complements(f, g) {
            return self.constant(false);
        }
        self.add(Operator::Equivalent(f, g))
    }

    fn next(&mut self, f: FormulaId) -> FormulaId {
        // `stutter` and `infinite`: something is next. What `maximal` makes of this depends on the
        // quantifier above.
        if self.paths != Paths::Maximal && (self.is_true(f) || self.is_false(f)) {
            return f;
        }
        self.add(Operator::Next(f))
    }

    fn finally(&mut self, f: FormulaId) -> FormulaId {
        let mut f = f;
        // F (f U g) is F g.
        while let Operator::Until(_, g) = *self.builder.operator(f) {
            f = g;
        }
        match *self.builder.operator(f) {
            Operator::True | Operator::False | Operator::Finally(_) => f,
            // F G F f is G F f.
            Operator::Globally(g) if matches!(self.builder.operator(g), Operator::Finally(_)) => f,
            _ => self.add(Operator::Finally(f)),
        }
    }

    fn globally(&mut self, f: FormulaId) -> FormulaId {
        let mut f = f;
        // G (f R g) is G g.
        while let Operator::Release(_, g) = *self.builder.operator(f) {
            f = g;
        }
        match *self.builder.operator(f) {
            Operator::True | Operator::False | Operator::Globally(_) => f,
            // G F G f is F G f.
            Operator::Finally(g) if matches!(self.builder.operator(g), Operator::Globally(_)) => f,
            _ => self.add(Operator::Globally(f)),
        }
    }

    fn until(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        if f == g || self.is_true(g) || self.is_false(g) || self.is_false(f) {
            return g;
        }
        if self.is_true(f) {
            return self.finally(g);
        }
        match *self.builder.operator(g) {
            // f U F g is F g, f U (f U g) is f U g.
            Operator::Finally(_) => g,
            Operator::Until(a, _) if a == f => g,
            _ => self.add(Operator::Until(f, g)),
        }
    }

    fn weak_until(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        if self.is_true(g) || self.is_true(f) {
            return self.constant(true);
        }
        if f == g || self.is_false(f) {
            return g;
        }
        if self.is_false(g) {
            return self.globally(f);
        }
        match *self.builder.operator(g) {
            Operator::WeakUntil(a, _) if a == f => g,
            _ => self.add(Operator::WeakUntil(f, g)),
        }
    }

    fn release(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        if f == g || self.is_true(g) || self.is_false(g) || self.is_true(f) {
            return g;
        }
        if self.is_false(f) {
            return self.globally(g);
        }
        match *self.builder.operator(g) {
            // f R G g is G g, f R (f R g) is f R g.
            Operator::Globally(_) => g,
            Operator::Release(a, _) if a == f => g,
            _ => self.add(Operator::Release(f, g)),
        }
    }

    /// `E f`, one quantifier for each disjunct: `E (f | g)` is `E f | E g`.
    fn exists(&mut self, f: FormulaId) -> FormulaId {
        let disjuncts = self.parts(f, |operator| match *operator {
            Operator::Or(a, b) => Some((a, b)),
            _ => None,
        });
        let mut answer = None;
        for disjunct in disjuncts {
            let exists = self.exists_one(disjunct);
            answer = Some(answer.map_or(exists, |answer| self.or_plain(answer, exists)));
        }
        answer.unwrap_or(f)
    }

    /// `A f`, one quantifier for each conjunct: `A (f & g)` is `A f & A g`.
    fn for_all(&mut self, f: FormulaId) -> FormulaId {
        let conjuncts = self.parts(f, |operator| match *operator {
            Operator::And(a, b) => Some((a, b)),
            _ => None,
        });
        let mut answer = None;
        for conjunct in conjuncts {
            let for_all = self.for_all_one(conjunct);
            answer = Some(answer.map_or(for_all, |answer| self.and_plain(answer, for_all)));
        }
        answer.unwrap_or(f)
    }

    /// `E f` for an `f` that is not a disjunction: what it says about the first state goes before
    /// it.
    fn exists_one(&mut self, f: FormulaId) -> FormulaId {
        if !self.is_path(f) {
            return self.exists_path(f);
        }
        let conjuncts = self.parts(f, |operator| match *operator {
            Operator::And(a, b) => Some((a, b)),
            _ => None,
        });
        let (states, paths): (Vec<_>, Vec<_>) = conjuncts.into_iter().partition(|&part| !self.is_path(part));
        let path = self.all_of(paths, true);
        let mut answer = self.exists_path(path);
        for state in states.into_iter().rev() {
            answer = self.and_plain(state, answer);
        }
        answer
    }

    /// `A f` for an `f` that is not a conjunction: `A (p | f)` is `p | A f`.
    fn for_all_one(&mut self, f: FormulaId) -> FormulaId {
        if !self.is_path(f) {
            return self.for_all_path(f);
        }
        let disjuncts = self.parts(f, |operator| match *operator {
            Operator::Or(a, b) => Some((a, b)),
            _ => None,
        });
        let (states, paths): (Vec<_>, Vec<_>) = disjuncts.into_iter().partition(|&part| !self.is_path(part));
        let path = self.all_of(paths, false);
        let mut answer = self.for_all_path(path);
        for state in states.into_iter().rev() {
            answer = self.or_plain(state, answer);
        }
        answer
    }

    fn exists_path(&mut self, f: FormulaId) -> FormulaId {
        // `maximal` and `stutter`: every state has a path. No semantics has a path on which `false`
        // holds.
        if self.is_false(f) || (!self.is_path(f) && self.paths != Paths::Infinite) {
            return f;
        }
        match *self.builder.operator(f) {
            // EF EF f is EF f, EG EG f is EG f.
            Operator::Finally(g) => match *self.builder.operator(g) {
                Operator::Exists(h) if matches!(self.builder.operator(h), Operator::Finally(_)) => g,
                _ => self.add(Operator::Exists(f)),
            },
            Operator::Globally(g) => match *self.builder.operator(g) {
                Operator::Exists(h) if matches!(self.builder.operator(h), Operator::Globally(_)) => g,
                _ => self.add(Operator::Exists(f)),
            },
            // `maximal` (under the others there is no constant below X): EX true is !deadlock, EX
            // false is false.
            Operator::Next(g) if self.is_false(g) => g,
            Operator::Next(g) if self.is_true(g) => {
                let deadlock = self.add(Operator::Deadlock);
                self.not(deadlock)
            }
            _ => self.add(Operator::Exists(f)),
        }
    }

    fn for_all_path(&mut self, f: FormulaId) -> FormulaId {
        if self.is_true(f) || (!self.is_path(f) && self.paths != Paths::Infinite) {
            return f;
        }
        match *self.builder.operator(f) {
            // AG AG f is AG f, AF AF f is AF f.
            Operator::Globally(g) => match *self.builder.operator(g) {
                Operator::ForAll(h) if matches!(self.builder.operator(h), Operator::Globally(_)) => g,
                _ => self.add(Operator::ForAll(f)),
            },
            Operator::Finally(g) => match *self.builder.operator(g) {
                Operator::ForAll(h) if matches!(self.builder.operator(h), Operator::Finally(_)) => g,
                _ => self.add(Operator::ForAll(f)),
            },
            // `maximal`: AX true is true, AX false is deadlock.
            Operator::Next(g) if self.is_true(g) => g,
            Operator::Next(g) if self.is_false(g) => self.add(Operator::Deadlock),
            _ => self.add(Operator::ForAll(f)),
        }
    }

    /// The operands of a chain of equal operators, each once, left to right.
    fn parts(
        &self,
        f: FormulaId,
        split: impl Fn(&Operator<A>) -> Option<(FormulaId, FormulaId)>,
    ) -> Vec<FormulaId> {
        let mut parts = Vec::new();
        let mut waiting = vec![f];
        let mut seen = FxHashSet::default();
        while let Some(part) = waiting.pop() {
            if !seen.insert(part) {
                continue;
            }
            match split(self.builder.operator(part)) {
                // A chain without a path in it stays one state formula.
                Some((left, right)) if self.is_path(part) => waiting.extend([right, left]),
                _ => parts.push(part),
            }
        }
        parts
    }

    /// The conjunction or disjunction of these.
    fn all_of(&mut self, parts: Vec<FormulaId>, is_and: bool) -> FormulaId {
        let mut answer = self.constant(is_and);
        for part in parts {
            answer = if is_and { self.and_plain(answer, part) } else { self.or_plain(answer, part) };
        }
        answer
    }

    /// `f & g` where only constants and equal operands are looked at.
    fn and_plain(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        if f == g || self.is_true(g) || self.is_false(f) {
            return f;
        }
        if self.is_true(f) || self.is_false(g) {
            return g;
        }
        self.add(Operator::And(f, g))
    }

    /// `f | g` where only constants and equal operands are looked at.
    fn or_plain(&mut self, f: FormulaId, g: FormulaId) -> FormulaId {
        if f == g || self.is_false(g) || self.is_true(f) {
            return f;
        }
        if self.is_false(f) || self.is_true(g) {
            return g;
        }
        self.add(Operator::Or(f, g))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_formula;

    fn simplified(text: &str, paths: Paths) -> String {
        let parsed = parse_formula(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        simplify(&parsed.formula, paths).to_string()
    }

    #[test]
    fn under_every_path_semantics() {
        let check = |text: &str, expected: &str| {
            for paths in Paths::ALL {
                assert_eq!(simplified(text, paths), expected, "{text} under {paths}");
            }
        };
        check("!!p & true | false", "p");
        check("p & p | p", "p");
        check("(p | !p) -> q", "q");
        check("p <-> !p", "false");
        check("(p | q) & p", "p");
        check("AG AG p & EF EF q", "AG p & EF q");
        check("AG p & AG q", "AG (p & q)");
        check("EF p | EF q", "EF (p | q)");
        check("AF AF p | EG EG p", "AF p | EG p");
        check("A (G G p & F F q)", "AG p & AF q");
        check("A (G F G p)", "A (F G p)");
        check("A (F G F p)", "A (G F p)");
        check("A[true U p] & E[false R q]", "AF p & EG q");
        check("A[p W false] | E[p U false]", "AG p");
        check("A (F (p U q))", "AF q");
        check("E (F p | F q | G r)", "EF (p | q) | EG r");
        check("E (p & X q)", "p & EX q");
        check("A (p | X q)", "p | AX q");
        check("E false | !A true", "false");
        check("AG (p | !p)", "true");
    }

    #[test]
    fn under_some_path_semantics() {
        let check = |text: &str, maximal: &str, stutter: &str, infinite: &str| {
            assert_eq!(simplified(text, Paths::Maximal), maximal, "{text} under maximal");
            assert_eq!(simplified(text, Paths::Stutter), stutter, "{text} under stutter");
            assert_eq!(simplified(text, Paths::Infinite), infinite, "{text} under infinite");
        };
        check("EX true", "!deadlock", "true", "E true");
        check("EX false", "false", "false", "false");
        check("AX true", "true", "true", "true");
        check("AX false", "deadlock", "false", "A false");
        check("E p", "p", "p", "E p");
        check("E (X p | !X p)", "EX p | E !X p", "true", "E true");
        check("EG true", "true", "true", "E true");
    }

    #[test]
    fn below_a_strategy_only_operands_become_simpler() {
        let check = |text: &str, expected: &str| {
            for paths in Paths::ALL {
                assert_eq!(simplified(text, paths), expected, "{text} under {paths}");
            }
        };
        check("<g> G true", "<g> G true");
        check("<g> X (q | !q)", "<g> X true");
        check("<g> F (q & !q)", "<g> F false");
        check("<g> (false U !!q)", "<g> (false U q)");
        check("<g> (true U q)", "<g> (true U q)");
        check("<g> (q U (q & true))", "<g> (q U q)");
        check("<g> F <g> F (q & q)", "<g> F <g> F q");
        check("!!<g> G (p & p) | <g> G p", "<g> G p");
    }

    #[test]
    fn depth_needs_no_stack() {
        let n = 10_000;
        for text in [
            format!("{}p", "AX ".repeat(n)),
            format!("A F ({}p)", "q U ".repeat(n)),
            format!("E ({}X p)", "(q | X q) & ".repeat(n)),
            format!("{}p{}", "A[p U ".repeat(n), "]".repeat(n)),
            format!("({0}p) & ({0}q)", "AG EF ".repeat(n)),
            format!("({0}p) | ({0}q)", "EX EF ".repeat(n)),
        ] {
            for paths in Paths::ALL {
                simplified(&text, paths);
            }
        }
    }
}
