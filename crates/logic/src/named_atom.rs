//! Atoms that speak about a model by names: what the readers of formulas make.

use crate::name::{Name, fmt_event};
use std::collections::VecDeque;
use std::fmt;
use symbolon_model::Comparison;

/// A statement about one state, in which everything is called by its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NamedAtom {
    /// A name that stands alone: whatever statement the model calls so.
    Named(Name),
    /// Two sums compare like this.
    Compare(LinearExpr, Comparison, LinearExpr),
    /// One of these events can happen; never empty if it was read.
    Fireable(Vec<Name>),
}

impl NamedAtom {
    /// All names in it, in the order of the text.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        let (alone, left, right, events) = match self {
            NamedAtom::Named(name) => (Some(name), None, None, &[][..]),
            NamedAtom::Compare(left, _, right) => (None, Some(left), Some(right), &[][..]),
            NamedAtom::Fireable(events) => (None, None, None, &events[..]),
        };
        let sums = left.into_iter().chain(right).flat_map(|sum| sum.terms.iter().map(|(_, name)| name));
        alone.into_iter().chain(sums).chain(events)
    }
}

impl NamedAtom {
    /// All names in it, to be changed.
    pub(crate) fn names_mut(&mut self) -> impl Iterator<Item = &mut Name> {
        let (alone, left, right, events) = match self {
            NamedAtom::Named(name) => (Some(name), None, None, &mut [][..]),
            NamedAtom::Compare(left, _, right) => (None, Some(left), Some(right), &mut [][..]),
            NamedAtom::Fireable(events) => (None, None, None, &mut events[..]),
        };
        let sums = left.into_iter().chain(right).flat_map(|sum| sum.terms.iter_mut().map(|(_, name)| name));
        alone.into_iter().chain(sums).chain(events)
    }
}

/// A sum of variables, each times a number, and a number. A variable may occur more than once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LinearExpr {
    /// The factors and the variables, in the order of the text.
    pub terms: VecDeque<(i64, Name)>,
    /// What is added to them.
    pub constant: i64,
}

impl LinearExpr {
    /// A number.
    pub fn constant(constant: i64) -> LinearExpr {
        LinearExpr { terms: VecDeque::new(), constant }
    }

    /// A variable.
    pub fn variable(name: Name) -> LinearExpr {
        LinearExpr { terms: VecDeque::from([(1, name)]), constant: 0 }
    }
}

impl fmt::Display for LinearExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        let mut sign = |f: &mut fmt::Formatter<'_>, is_negative: bool| {
            let is_first = std::mem::replace(&mut is_first, false);
            f.write_str(match (is_first, is_negative) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            })
        };
        for (factor, name) in &self.terms {
            sign(f, *factor < 0)?;
            if factor.unsigned_abs() != 1 {
                write!(f, "{}*", factor.unsigned_abs())?;
            }
            name.fmt(f)?;
        }
        if self.constant != 0 || self.terms.is_empty() {
            sign(f, self.constant < 0)?;
            write!(f, "{}", self.constant.unsigned_abs())?;
        }
        Ok(())
    }
}

/// As formula text.
impl fmt::Display for NamedAtom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NamedAtom::Named(name) => name.fmt(f),
            NamedAtom::Compare(left, comparison, right) => {
                write!(f, "{left} {} {right}", comparison.sign())
            }
            NamedAtom::Fireable(events) => {
                f.write_str("fireable(")?;
                for (number, event) in events.iter().enumerate() {
                    f.write_str(if number == 0 { "" } else { ", " })?;
                    fmt_event(&event.text, f)?;
                }
                f.write_str(")")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_as_text() {
        let sum = |terms: &[(i64, &str)], constant| LinearExpr {
            terms: terms.iter().map(|&(factor, name)| (factor, name.into())).collect(),
            constant,
        };
        let check = |atom: NamedAtom, expected: &str| assert_eq!(atom.to_string(), expected);
        let left = sum(&[(1, "a"), (2, "b"), (-1, "place 1")], -3);
        check(
            NamedAtom::Compare(left, Comparison::LessOrEqual, sum(&[], 0)),
            "a + 2*b - \"place 1\" - 3 <= 0",
        );
        let left = sum(&[(-2, "a"), (0, "b")], 0);
        check(NamedAtom::Compare(left, Comparison::NotEqual, sum(&[], -1)), "-2*a + 0*b != -1");
        check(NamedAtom::Fireable(vec!["t".into(), "U".into()]), "fireable(t, \"U\")");
        check(NamedAtom::Fireable(vec!["t(x=1,y=c2)".into()]), "fireable(t(x=1,y=c2))");
        check(
            NamedAtom::Fireable(vec!["t(1)".into(), "t u(x=1)".into()]),
            "fireable(\"t(1)\", \"t u(x=1)\")",
        );
        check(NamedAtom::Named("p".into()), "p");
    }
}
