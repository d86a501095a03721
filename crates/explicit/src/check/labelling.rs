//! Labelling: one temporal operator directly below its quantifier (Clarke, Emerson, Sistla, TOPLAS
//! 1986).
//!
//! Three questions are enough, and `structure.rs` answers two of them: what leads to a set through
//! another one, and from where one can stay in a set. The third is what leads to a set in one step.
//! A universal formula is the negation of an existential one. Wherever a path may go on as it
//! likes, it has to go on fairly, so targets are restricted to states from which a fair path
//! starts.

use super::structure::Structure;
use super::{Labels, complement};
use symbolon_budget::{Interrupted, Meter};
use symbolon_logic::{Formula, FormulaId, Operator};

/// What stands below a quantifier in CTL, its operands as the states in which they hold.
#[derive(Clone, Copy, Debug)]
pub(super) enum CtlPath<'a> {
    /// A state formula: about where the path begins.
    First(&'a [bool]),
    Next(&'a [bool]),
    Finally(&'a [bool]),
    Globally(&'a [bool]),
    Until(&'a [bool], &'a [bool]),
    WeakUntil(&'a [bool], &'a [bool]),
    Release(&'a [bool], &'a [bool]),
}

impl<'a> CtlPath<'a> {
    /// The subformula `id`, unless it is more than one temporal operator about state formulas.
    pub(super) fn of<A>(formula: &Formula<A>, labels: &'a Labels, id: FormulaId) -> Option<CtlPath<'a>> {
        let of = |id: FormulaId| labels.get(id.index()).and_then(|label| label.as_deref());
        if let Some(label) = of(id) {
            return Some(CtlPath::First(label));
        }
        Some(match *formula.operator(id) {
            Operator::Next(f) => CtlPath::Next(of(f)?),
            Operator::Finally(f) => CtlPath::Finally(of(f)?),
            Operator::Globally(f) => CtlPath::Globally(of(f)?),
            Operator::Until(f, g) => CtlPath::Until(of(f)?, of(g)?),
            Operator::WeakUntil(f, g) => CtlPath::WeakUntil(of(f)?, of(g)?),
            Operator::Release(f, g) => CtlPath::Release(of(f)?, of(g)?),
            _ => return None,
        })
    }
}

impl Structure {
    /// The states from which some fair path is like this.
    pub(super) fn exists(&self, path: CtlPath<'_>, meter: &mut Meter) -> Result<Vec<bool>, Interrupted> {
        Ok(match path {
            CtlPath::First(f) => and(f, self.has_path()),
            CtlPath::Next(f) => self.one_step_before(&and(f, self.has_path())),
            CtlPath::Finally(f) => self.until(&vec![true; f.len()], f, meter)?,
            CtlPath::Globally(f) => self.globally(f, meter)?,
            CtlPath::Until(f, g) => self.until(f, g, meter)?,
            CtlPath::WeakUntil(f, g) => or(&self.until(f, g, meter)?, &self.globally(f, meter)?),
            CtlPath::Release(f, g) => or(&self.until(g, &and(f, g), meter)?, &self.globally(g, meter)?),
        })
    }

    /// The states from which all fair paths are like this.
    pub(super) fn for_all(&self, path: CtlPath<'_>, meter: &mut Meter) -> Result<Vec<bool>, Interrupted> {
        let not = complement;
        let against = match path {
            CtlPath::First(f) => self.exists(CtlPath::First(&not(f)), meter)?,
            CtlPath::Next(f) => self.exists(CtlPath::Next(&not(f)), meter)?,
            CtlPath::Finally(f) => self.exists(CtlPath::Globally(&not(f)), meter)?,
            CtlPath::Globally(f) => self.exists(CtlPath::Finally(&not(f)), meter)?,
            CtlPath::Until(f, g) => self.exists(CtlPath::Release(&not(f), &not(g)), meter)?,
            CtlPath::WeakUntil(f, g) => {
                self.exists(CtlPath::Until(&not(g), &and(&not(f), &not(g))), meter)?
            }
            CtlPath::Release(f, g) => self.exists(CtlPath::Until(&not(f), &not(g)), meter)?,
        };
        Ok(not(&against))
    }

    /// The states with a step into `target`.
    fn one_step_before(&self, target: &[bool]) -> Vec<bool> {
        (0..self.state_count()).map(|state| self.successors(state).any(|to| target[to])).collect()
    }

    /// The states from which a fair path comes to `g` through `f`.
    fn until(&self, f: &[bool], g: &[bool], meter: &mut Meter) -> Result<Vec<bool>, Interrupted> {
        self.backward(and(g, self.has_path()), f, meter)
    }
}

fn and(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(&a, &b)| a && b).collect()
}

fn or(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(&a, &b)| a || b).collect()
}
