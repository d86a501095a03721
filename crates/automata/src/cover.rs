//! What a term asks of the first letter, and what it leaves for the rest of the word.
//!
//! Every term is a disjunction of *moves*: read a letter that satisfies the label, then satisfy all
//! of `next` on the rest. A move that puts off an until `f U g` *promises* `g`; `f U g` holds if
//! such a promise is not renewed forever. This is J.-M. Couvreur's construction (FM 1999), with
//! sets of moves in the place of binary diagrams.
//!
//! A promise is named after `g`: `f U g` and `h U g` share one. That is sound, since a step without
//! the promise is one at which all that wait for `g` got it.
//!
//! A move may be dropped for a weaker one: a weaker label, less left to do, fewer promises.
//! Obligations of one move must *not* be dropped because others imply them: in `G F (q & X F r)`
//! the obligation `F r` is implied at every step, and who drops it promises nothing and never sees
//! `r`.

use std::rc::Rc;

use symbolon_budget::{Interrupted, Meter};

use crate::label::Label;
use crate::sorted::{is_subset, union};
use crate::terms::{Term, TermId, Terms};

/// One way to satisfy a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Move {
    /// What must hold of the rest of the word, all at once. (The first field, so that moves to one
    /// state lie together.)
    pub(crate) next: Box<[TermId]>,
    /// What was put off.
    pub(crate) promises: Box<[TermId]>,
    /// What must hold of the first letter.
    pub(crate) label: Label,
}

impl Move {
    fn free() -> Move {
        Move { next: Box::default(), promises: Box::default(), label: Label::always() }
    }

    fn then(next: TermId, promises: Box<[TermId]>) -> Move {
        Move { next: [next].into(), promises, label: Label::always() }
    }

    fn and(&self, other: &Move) -> Option<Move> {
        let label = self.label.and(&other.label)?;
        Some(Move {
            next: union(&self.next, &other.next),
            promises: union(&self.promises, &other.promises),
            label,
        })
    }

    /// Whether the other may stand in its place.
    fn is_absorbed_by(&self, other: &Move) -> bool {
        self.label.implies(&other.label)
            && is_subset(&other.next, &self.next)
            && is_subset(&other.promises, &self.promises)
    }
}

/// The moves of terms, as far as they were asked for.
#[derive(Debug, Default)]
pub(crate) struct Covers {
    known: Vec<Option<Rc<[Move]>>>,
}

impl Covers {
    /// The moves of a conjunction of terms.
    pub(crate) fn of_all(
        &mut self,
        terms: &Terms,
        conjuncts: &[TermId],
        meter: &mut Meter,
    ) -> Result<Rc<[Move]>, Interrupted> {
        let mut covers = Vec::with_capacity(conjuncts.len());
        for &conjunct in conjuncts {
            covers.push(self.of(terms, conjunct, meter)?);
        }
        conjunction(covers, meter)
    }

    /// The moves of a term.
    fn of(&mut self, terms: &Terms, root: TermId, meter: &mut Meter) -> Result<Rc<[Move]>, Interrupted> {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            meter.step()?;
            if self.get(id).is_some() {
                stack.pop();
                continue;
            }
            // Operands come first; what stands below X is left for later.
            let waiting = stack.len();
            match terms.term(id) {
                Term::And(operands) | Term::Or(operands) => {
                    stack.extend(operands.iter().filter(|&&operand| self.get(operand).is_none()));
                }
                Term::Until(f, g) | Term::Release(f, g) => {
                    stack.extend([*f, *g].iter().filter(|&&operand| self.get(operand).is_none()));
                }
                Term::True | Term::False | Term::Literal(..) | Term::Next(_) => {}
            }
            if stack.len() == waiting {
                let cover = self.compute(terms, id, meter)?;
                if self.known.len() <= id.index() {
                    self.known.resize(id.index() + 1, None);
                }
                self.known[id.index()] = Some(cover);
                stack.pop();
            }
        }
        Ok(self.ready(root))
    }

    fn get(&self, id: TermId) -> Option<&Rc<[Move]>> {
        self.known.get(id.index()).and_then(Option::as_ref)
    }

    fn ready(&self, id: TermId) -> Rc<[Move]> {
        Rc::clone(self.get(id).expect("operands come first"))
    }

    /// The moves of a term whose operands' moves are known.
    fn compute(&self, terms: &Terms, id: TermId, meter: &mut Meter) -> Result<Rc<[Move]>, Interrupted> {
        match terms.term(id) {
            Term::True => Ok([Move::free()].into()),
            Term::False => Ok([].into()),
            &Term::Literal(proposition, holds) => {
                Ok([Move { label: Label::always().with(proposition, holds), ..Move::free() }].into())
            }
            &Term::Next(f) => Ok([Move { next: terms.conjuncts(f), ..Move::free() }].into()),
            Term::And(operands) => {
                conjunction(operands.iter().map(|&operand| self.ready(operand)).collect(), meter)
            }
            Term::Or(operands) => {
                let moves = operands.iter().flat_map(|&operand| self.ready(operand).to_vec()).collect();
                tidy(moves, meter)
            }
            &Term::Until(f, g) => {
                let put_off: Rc<[Move]> = [Move::then(id, [g].into())].into();
                let mut moves = conjunction(vec![self.ready(f), put_off], meter)?.to_vec();
                moves.extend_from_slice(&self.ready(g));
                tidy(moves, meter)
            }
            &Term::Release(f, g) => {
                let goes_on: Rc<[Move]> = [Move::then(id, Box::default())].into();
                let mut moves = conjunction(vec![self.ready(g), goes_on], meter)?.to_vec();
                moves.extend_from_slice(&conjunction(vec![self.ready(f), self.ready(g)], meter)?);
                tidy(moves, meter)
            }
        }
    }
}

/// The moves that satisfy all of these at once.
fn conjunction(mut covers: Vec<Rc<[Move]>>, meter: &mut Meter) -> Result<Rc<[Move]>, Interrupted> {
    // Small ones first keeps what lies between small.
    covers.sort_by_key(|cover| cover.len());
    let mut all: Rc<[Move]> = [Move::free()].into();
    for cover in covers {
        let mut products = Vec::with_capacity(all.len().saturating_mul(cover.len()).min(1 << 16));
        for a in all.iter() {
            for b in cover.iter() {
                meter.step()?;
                products.extend(a.and(b));
            }
        }
        all = tidy(products, meter)?;
    }
    Ok(all)
}

/// The same moves, sorted, without those for which another may stand; labels that differ in one
/// sign become one.
fn tidy(mut moves: Vec<Move>, meter: &mut Meter) -> Result<Rc<[Move]>, Interrupted> {
    loop {
        moves.sort_unstable();
        moves.dedup();
        // Those with short parts absorb most, so they are looked at first.
        moves.sort_by_key(|m| m.label.literals().len() + m.next.len() + m.promises.len());
        let mut kept: Vec<Move> = Vec::with_capacity(moves.len());
        for m in moves {
            meter.step()?;
            let mut is_absorbed = false;
            for other in &kept {
                meter.step()?;
                if m.is_absorbed_by(other) {
                    is_absorbed = true;
                    break;
                }
            }
            if !is_absorbed {
                kept.push(m);
            }
        }
        kept.sort_unstable();
        let resolved = resolve_labels(&kept, meter)?;
        if resolved.is_empty() {
            return Ok(kept.into());
        }
        kept.extend(resolved);
        moves = kept;
    }
}

/// For moves that differ in one sign of their labels alone, moves without that literal.
fn resolve_labels(sorted: &[Move], meter: &mut Meter) -> Result<Vec<Move>, Interrupted> {
    let mut resolved = Vec::new();
    for group in sorted.chunk_by(|a, b| a.next == b.next && a.promises == b.promises) {
        for (place, a) in group.iter().enumerate() {
            for b in &group[place + 1..] {
                meter.step()?;
                if let Some(label) = a.label.resolve(&b.label) {
                    resolved.push(Move { label, ..a.clone() });
                }
            }
        }
    }
    Ok(resolved)
}
