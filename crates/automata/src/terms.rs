//! Path formulas in the shape that the translation works on: negations at propositions alone,
//! conjunctions and disjunctions of any number of operands, `F g` as `true U g` and `G g` as
//! `false R g`; equal terms are one term.
//!
//! Terms are made by functions that rewrite what they are given into something equivalent and, one
//! hopes, simpler: K. Etessami, G. Holzmann, CONCUR 2000 (eventual and universal formulas); F.
//! Somenzi, R. Bloem, CAV 2000 (implications between subformulas, `implication.rs`). All rules hold
//! on infinite words, which is all that is spoken about here.
//!
//! Rules call each other on smaller terms. Terms deeper than [`DEPTH_LIMIT`] are taken as they are,
//! so that a formula with ten thousand nested operators needs no deep stack.

use rustc_hash::FxHashMap;

use crate::sorted::sorted;

/// The number of a term in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TermId(u32);

impl TermId {
    pub(crate) const TRUE: TermId = TermId(0);
    pub(crate) const FALSE: TermId = TermId(1);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a term is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Term {
    True,
    False,
    /// A proposition, and whether it must hold.
    Literal(u32, bool),
    /// At least two terms, sorted, none of them a conjunction.
    And(Box<[TermId]>),
    /// At least two terms, sorted, none of them a disjunction.
    Or(Box<[TermId]>),
    Next(TermId),
    Until(TermId, TermId),
    Release(TermId, TermId),
}

/// Terms deeper than this are not rewritten.
const DEPTH_LIMIT: u32 = 100;

/// Conjunctions and disjunctions of more operands than this are not searched for operands that
/// imply each other.
const WIDTH_LIMIT: usize = 40;

/// What is known of a term.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// If it holds of a word, then also of every word that ends in it.
    is_eventual: bool,
    /// If it holds of a word, then also of every word that this one ends in.
    is_universal: bool,
    depth: u32,
    /// An equivalent of its negation, if one was made.
    opposite: Option<TermId>,
}

/// The table of terms.
#[derive(Debug)]
pub(crate) struct Terms {
    terms: Vec<Term>,
    facts: Vec<Facts>,
    known: FxHashMap<Term, TermId>,
    /// Answers of `implies`, kept in `implication.rs`.
    pub(crate) implications: FxHashMap<(TermId, TermId), bool>,
}

impl Terms {
    pub(crate) fn new() -> Terms {
        let mut terms = Terms {
            terms: Vec::new(),
            facts: Vec::new(),
            known: FxHashMap::default(),
            implications: FxHashMap::default(),
        };
        let (yes, no) = (terms.intern(Term::True), terms.intern(Term::False));
        assert_eq!((yes, no), (TermId::TRUE, TermId::FALSE));
        terms.set_opposites(yes, no);
        terms
    }

    pub(crate) fn term(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    pub(crate) fn is_eventual(&self, id: TermId) -> bool {
        self.facts[id.index()].is_eventual
    }

    pub(crate) fn is_universal(&self, id: TermId) -> bool {
        self.facts[id.index()].is_universal
    }

    /// Whether it speaks about what happens again and again alone, so that it may be asked now or
    /// later.
    fn is_tail(&self, id: TermId) -> bool {
        self.is_eventual(id) && self.is_universal(id)
    }

    pub(crate) fn opposite(&self, id: TermId) -> Option<TermId> {
        self.facts[id.index()].opposite
    }

    fn is_deep(&self, id: TermId) -> bool {
        self.facts[id.index()].depth > DEPTH_LIMIT
    }

    /// Notes that each is equivalent to the negation of the other.
    pub(crate) fn set_opposites(&mut self, f: TermId, g: TermId) {
        self.facts[f.index()].opposite.get_or_insert(g);
        self.facts[g.index()].opposite.get_or_insert(f);
    }

    /// The conjuncts: of a term that is not a conjunction, itself; of `true`, none.
    pub(crate) fn conjuncts(&self, id: TermId) -> Box<[TermId]> {
        match self.term(id) {
            Term::And(operands) => operands.clone(),
            Term::True => Box::default(),
            _ => [id].into(),
        }
    }

    pub(crate) fn literal(&mut self, proposition: u32, holds: bool) -> TermId {
        let literal = self.intern(Term::Literal(proposition, holds));
        let opposite = self.intern(Term::Literal(proposition, !holds));
        self.set_opposites(literal, opposite);
        literal
    }

    pub(crate) fn next(&mut self, f: TermId) -> TermId {
        // What may be asked now or later need not be asked later; true and false are such.
        if self.is_tail(f) { f } else { self.intern(Term::Next(f)) }
    }

    pub(crate) fn finally(&mut self, f: TermId) -> TermId {
        self.until(TermId::TRUE, f)
    }

    pub(crate) fn globally(&mut self, f: TermId) -> TermId {
        self.release(TermId::FALSE, f)
    }

    /// `f U g`
    pub(crate) fn until(&mut self, f: TermId, g: TermId) -> TermId {
        if f == TermId::FALSE || f == g || self.is_eventual(g) {
            return g;
        }
        if self.is_deep(f) || self.is_deep(g) {
            return self.intern(Term::Until(f, g));
        }
        if f != TermId::TRUE {
            if self.implies(f, g) {
                return g;
            }
            if self.opposite(f).is_some_and(|not_f| self.implies(not_f, g)) {
                return self.finally(g);
            }
            // f U g = g | (f & F g), if f stays true once it is.
            if self.is_universal(f) {
                let finally = self.finally(g);
                let both = self.and(&[f, finally]);
                return self.or(&[g, both]);
            }
        }
        match self.term(g).clone() {
            // f U (c U d) = c U d, if f implies c.
            Term::Until(c, _) if self.implies(f, c) => return g,
            // F (c U d) = F d
            Term::Until(_, d) if f == TermId::TRUE => return self.finally(d),
            // X f U X g = X (f U g)
            Term::Next(later) => {
                let f_later = match *self.term(f) {
                    Term::Next(f_later) => Some(f_later),
                    Term::True => Some(f),
                    _ => None,
                };
                if let Some(f_later) = f_later {
                    let until = self.until(f_later, later);
                    return self.next(until);
                }
            }
            // f U (g & e) = (f U g) & e, if e may be asked now or later.
            Term::And(operands) => {
                let (tails, others): (Vec<_>, Vec<_>) =
                    operands.iter().partition(|&&operand| self.is_tail(operand));
                if !tails.is_empty() {
                    let rest = self.and(&others);
                    let until = self.until(f, rest);
                    return self.and_with(tails, until);
                }
                // F (X u & v) = F (u & v), if u and v are universal: both hold from some time on.
                if f == TermId::TRUE
                    && others.iter().all(|&other| self.is_universal(other))
                    && let Some(sooner) = self.without_next(&others)
                {
                    let both = self.and(&sooner);
                    return self.finally(both);
                }
            }
            // f U (g | e) = (f U g) | e, if e is eventual and f is true.
            Term::Or(operands) if f == TermId::TRUE => {
                let (eventual, others): (Vec<_>, Vec<_>) =
                    operands.iter().partition(|&&operand| self.is_eventual(operand));
                if !eventual.is_empty() {
                    let rest = self.or(&others);
                    let finally = self.finally(rest);
                    return self.or_with(eventual, finally);
                }
            }
            // F G (g | u) = F G g | F u, if u is universal, and F G (g | e) = F G g | G e, if e is
            // eventual; F G (c U d) = F G (c | d) & G F d
            Term::Release(TermId::FALSE, body) if f == TermId::TRUE => match self.term(body).clone() {
                Term::Or(operands) => {
                    let (others, mut apart) = self.set_apart(&operands);
                    if !apart.is_empty() {
                        let rest = self.or(&others);
                        let globally = self.globally(rest);
                        apart.push(self.finally(globally));
                        return self.or(&apart);
                    }
                }
                // F G (f & X g) = F G (f & g)
                Term::And(operands) => {
                    if let Some(sooner) = self.without_next(&operands) {
                        let both = self.and(&sooner);
                        let globally = self.globally(both);
                        return self.finally(globally);
                    }
                }
                Term::Until(c, d) if c != TermId::TRUE => {
                    let either = self.or(&[c, d]);
                    let globally = self.globally(either);
                    let stays = self.finally(globally);
                    let finally = self.finally(d);
                    let again = self.globally(finally);
                    return self.and(&[stays, again]);
                }
                _ => {}
            },
            _ => {}
        }
        self.intern(Term::Until(f, g))
    }

    /// `f R g`; every rule is the dual of one of [`Terms::until`].
    pub(crate) fn release(&mut self, f: TermId, g: TermId) -> TermId {
        if f == TermId::TRUE || f == g || self.is_universal(g) {
            return g;
        }
        if self.is_deep(f) || self.is_deep(g) {
            return self.intern(Term::Release(f, g));
        }
        if f != TermId::FALSE {
            if self.implies(g, f) {
                return g;
            }
            if self.opposite(f).is_some_and(|not_f| self.implies(g, not_f)) {
                return self.globally(g);
            }
            if self.is_eventual(f) {
                let globally = self.globally(g);
                let either = self.or(&[f, globally]);
                return self.and(&[g, either]);
            }
        }
        match self.term(g).clone() {
            Term::Release(c, _) if self.implies(c, f) => return g,
            Term::Release(_, d) if f == TermId::FALSE => return self.globally(d),
            Term::Next(later) => {
                let f_later = match *self.term(f) {
                    Term::Next(f_later) => Some(f_later),
                    Term::False => Some(f),
                    _ => None,
                };
                if let Some(f_later) = f_later {
                    let release = self.release(f_later, later);
                    return self.next(release);
                }
            }
            Term::Or(operands) => {
                let (tails, others): (Vec<_>, Vec<_>) =
                    operands.iter().partition(|&&operand| self.is_tail(operand));
                if !tails.is_empty() {
                    let rest = self.or(&others);
                    let release = self.release(f, rest);
                    return self.or_with(tails, release);
                }
                if f == TermId::FALSE
                    && others.iter().all(|&other| self.is_eventual(other))
                    && let Some(sooner) = self.without_next(&others)
                {
                    let either = self.or(&sooner);
                    return self.globally(either);
                }
            }
            Term::And(operands) if f == TermId::FALSE => {
                let (universal, others): (Vec<_>, Vec<_>) =
                    operands.iter().partition(|&&operand| self.is_universal(operand));
                if !universal.is_empty() {
                    let rest = self.and(&others);
                    let globally = self.globally(rest);
                    return self.and_with(universal, globally);
                }
            }
            Term::Until(TermId::TRUE, body) if f == TermId::FALSE => match self.term(body).clone() {
                Term::And(operands) => {
                    let (others, mut apart) = self.set_apart(&operands);
                    if !apart.is_empty() {
                        let rest = self.and(&others);
                        let finally = self.finally(rest);
                        apart.push(self.globally(finally));
                        return self.and(&apart);
                    }
                }
                Term::Or(operands) => {
                    if let Some(sooner) = self.without_next(&operands) {
                        let either = self.or(&sooner);
                        let finally = self.finally(either);
                        return self.globally(finally);
                    }
                }
                Term::Release(c, d) if c != TermId::FALSE => {
                    let both = self.and(&[c, d]);
                    let finally = self.finally(both);
                    let again = self.globally(finally);
                    let globally = self.globally(d);
                    let stays = self.finally(globally);
                    return self.or(&[again, stays]);
                }
                _ => {}
            },
            _ => {}
        }
        self.intern(Term::Release(f, g))
    }

    /// The conjunction of these.
    pub(crate) fn and(&mut self, operands: &[TermId]) -> TermId {
        let mut parts = Vec::new();
        for &operand in operands {
            match self.term(operand) {
                Term::True => {}
                Term::And(inner) => parts.extend_from_slice(inner),
                _ => parts.push(operand),
            }
        }
        let mut parts = sorted(parts).into_vec();
        if parts.contains(&TermId::FALSE) || self.has_opposites(&parts) {
            return TermId::FALSE;
        }
        if parts.len() <= WIDTH_LIMIT && !parts.iter().any(|&part| self.is_deep(part)) {
            // Weaker parts go; of two that imply each other, the later one.
            let mut place = 0;
            while place < parts.len() {
                let part = parts[place];
                let is_implied = parts.iter().any(|&other| other != part && self.implies(other, part));
                if is_implied {
                    parts.remove(place);
                } else {
                    place += 1;
                }
            }
            // p & (!p | q) = p & q
            for place in 0..parts.len() {
                let Term::Or(inner) = self.term(parts[place]).clone() else { continue };
                let is_refuted = |&operand: &TermId| {
                    self.opposite(operand).is_some_and(|opposite| parts.contains(&opposite))
                };
                if inner.iter().any(is_refuted) {
                    let rest: Vec<_> = inner.iter().copied().filter(|operand| !is_refuted(operand)).collect();
                    parts[place] = self.or(&rest);
                    return self.and(&parts);
                }
            }
            if let Some((first, second, merged)) = self.merge_pair(&parts, Terms::merged_in_and) {
                parts.retain(|&part| part != first && part != second);
                return self.and_with(parts, merged);
            }
        }
        match parts[..] {
            [] => TermId::TRUE,
            [part] => part,
            _ => self.intern(Term::And(parts.into())),
        }
    }

    /// The disjunction of these; every rule is the dual of one of [`Terms::and`].
    pub(crate) fn or(&mut self, operands: &[TermId]) -> TermId {
        let mut parts = Vec::new();
        for &operand in operands {
            match self.term(operand) {
                Term::False => {}
                Term::Or(inner) => parts.extend_from_slice(inner),
                _ => parts.push(operand),
            }
        }
        let mut parts = sorted(parts).into_vec();
        if parts.contains(&TermId::TRUE) || self.has_opposites(&parts) {
            return TermId::TRUE;
        }
        if parts.len() <= WIDTH_LIMIT && !parts.iter().any(|&part| self.is_deep(part)) {
            let mut place = 0;
            while place < parts.len() {
                let part = parts[place];
                let is_needless = parts.iter().any(|&other| other != part && self.implies(part, other));
                if is_needless {
                    parts.remove(place);
                } else {
                    place += 1;
                }
            }
            for place in 0..parts.len() {
                let Term::And(inner) = self.term(parts[place]).clone() else { continue };
                let is_given = |&operand: &TermId| {
                    self.opposite(operand).is_some_and(|opposite| parts.contains(&opposite))
                };
                if inner.iter().any(is_given) {
                    let rest: Vec<_> = inner.iter().copied().filter(|operand| !is_given(operand)).collect();
                    parts[place] = self.and(&rest);
                    return self.or(&parts);
                }
            }
            if let Some((first, second, merged)) = self.merge_pair(&parts, Terms::merged_in_or) {
                parts.retain(|&part| part != first && part != second);
                return self.or_with(parts, merged);
            }
        }
        match parts[..] {
            [] => TermId::FALSE,
            [part] => part,
            _ => self.intern(Term::Or(parts.into())),
        }
    }

    fn and_with(&mut self, mut parts: Vec<TermId>, part: TermId) -> TermId {
        parts.push(part);
        self.and(&parts)
    }

    fn or_with(&mut self, mut parts: Vec<TermId>, part: TermId) -> TermId {
        parts.push(part);
        self.or(&parts)
    }

    /// The operands that are neither eventual nor universal; and `G e` for the eventual `e`, `F u`
    /// for the universal `u`.
    fn set_apart(&mut self, operands: &[TermId]) -> (Vec<TermId>, Vec<TermId>) {
        let (mut others, mut apart) = (Vec::new(), Vec::new());
        for &operand in operands {
            match (self.is_eventual(operand), self.is_universal(operand)) {
                (true, _) => apart.push(self.globally(operand)),
                (_, true) => apart.push(self.finally(operand)),
                _ => others.push(operand),
            }
        }
        (others, apart)
    }

    /// The operands without the `X` before them; none if there is no `X`.
    fn without_next(&self, operands: &[TermId]) -> Option<Vec<TermId>> {
        let sooner = |&operand: &TermId| match *self.term(operand) {
            Term::Next(f) => f,
            _ => operand,
        };
        let sooner: Vec<TermId> = operands.iter().map(sooner).collect();
        (sooner != operands).then_some(sooner)
    }

    fn has_opposites(&self, sorted: &[TermId]) -> bool {
        sorted
            .iter()
            .any(|&part| self.opposite(part).is_some_and(|opposite| sorted.binary_search(&opposite).is_ok()))
    }

    /// Two parts that `merge` makes one of, and that one.
    fn merge_pair(
        &mut self,
        parts: &[TermId],
        merge: fn(&mut Terms, TermId, TermId) -> Option<TermId>,
    ) -> Option<(TermId, TermId, TermId)> {
        for (place, &first) in parts.iter().enumerate() {
            if matches!(self.term(first), Term::Literal(..) | Term::And(_) | Term::Or(_)) {
                continue;
            }
            for &second in &parts[place + 1..] {
                if let Some(merged) = merge(self, first, second) {
                    return Some((first, second, merged));
                }
            }
        }
        None
    }

    /// The conjunction of two temporal terms as one.
    fn merged_in_and(&mut self, f: TermId, g: TermId) -> Option<TermId> {
        match (self.term(f).clone(), self.term(g).clone()) {
            (Term::Next(a), Term::Next(b)) => {
                let both = self.and(&[a, b]);
                Some(self.next(both))
            }
            (Term::Release(c, a), Term::Release(d, b)) if c == d => {
                let both = self.and(&[a, b]);
                Some(self.release(c, both))
            }
            // F G a & F G b = F G (a & b)
            (Term::Until(TermId::TRUE, a), Term::Until(TermId::TRUE, b))
                if self.is_universal(a) && self.is_universal(b) =>
            {
                let both = self.and(&[a, b]);
                Some(self.finally(both))
            }
            (Term::Until(a, c), Term::Until(b, d)) if c == d => {
                let both = self.and(&[a, b]);
                Some(self.until(both, c))
            }
            _ => None,
        }
    }

    /// The disjunction of two temporal terms as one.
    fn merged_in_or(&mut self, f: TermId, g: TermId) -> Option<TermId> {
        match (self.term(f).clone(), self.term(g).clone()) {
            (Term::Next(a), Term::Next(b)) => {
                let either = self.or(&[a, b]);
                Some(self.next(either))
            }
            (Term::Until(c, a), Term::Until(d, b)) if c == d => {
                let either = self.or(&[a, b]);
                Some(self.until(c, either))
            }
            (Term::Release(TermId::FALSE, a), Term::Release(TermId::FALSE, b))
                if self.is_eventual(a) && self.is_eventual(b) =>
            {
                let either = self.or(&[a, b]);
                Some(self.globally(either))
            }
            (Term::Release(a, c), Term::Release(b, d)) if c == d => {
                let either = self.or(&[a, b]);
                Some(self.release(either, c))
            }
            _ => None,
        }
    }

    /// The term made of this; an equal one is found again.
    fn intern(&mut self, term: Term) -> TermId {
        if let Some(&known) = self.known.get(&term) {
            return known;
        }
        let id = TermId(u32::try_from(self.terms.len()).expect("there are fewer than 2^32 terms"));
        let facts = self.facts_of(&term);
        self.facts.push(facts);
        self.terms.push(term.clone());
        self.known.insert(term, id);
        id
    }

    fn facts_of(&self, term: &Term) -> Facts {
        let facts = |operand: &TermId| self.facts[operand.index()];
        let (is_eventual, is_universal, depth) = match term {
            Term::True | Term::False => (true, true, 0),
            Term::Literal(..) => (false, false, 0),
            Term::And(operands) | Term::Or(operands) => (
                operands.iter().all(|operand| facts(operand).is_eventual),
                operands.iter().all(|operand| facts(operand).is_universal),
                operands.iter().map(|operand| facts(operand).depth).max().unwrap_or(0),
            ),
            Term::Next(f) => (facts(f).is_eventual, facts(f).is_universal, facts(f).depth),
            Term::Until(f, g) | Term::Release(f, g) => (
                facts(f).is_eventual && facts(g).is_eventual,
                facts(f).is_universal && facts(g).is_universal,
                facts(f).depth.max(facts(g).depth),
            ),
        };
        // F f is eventual and G f universal, whatever f is.
        let is_eventual = is_eventual || matches!(term, Term::Until(TermId::TRUE, _));
        let is_universal = is_universal || matches!(term, Term::Release(TermId::FALSE, _));
        Facts { is_eventual, is_universal, depth: depth.saturating_add(1), opposite: None }
    }
}
