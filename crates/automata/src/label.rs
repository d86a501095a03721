//! What an edge asks of a state, and which marks it carries.

use std::fmt;

use crate::sorted::{is_subset, sorted, union};

/// A conjunction of literals over propositions, without contradiction; the empty one is true
/// everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    /// Sorted; a proposition `p` is `2 p` if it must hold and `2 p + 1` if it must not.
    codes: Box<[u32]>,
}

impl Label {
    /// The label that is true everywhere.
    pub fn always() -> Label {
        Label::default()
    }

    /// The conjunction of these literals (a proposition, and whether it must hold); none if they
    /// contradict each other.
    pub fn new(literals: impl IntoIterator<Item = (u32, bool)>) -> Option<Label> {
        let codes = sorted(literals.into_iter().map(|(proposition, holds)| code(proposition, holds)));
        (!is_contradictory(&codes)).then_some(Label { codes })
    }

    /// The literals by rising proposition, with whether it must hold.
    pub fn literals(&self) -> impl ExactSizeIterator<Item = (u32, bool)> + '_ {
        self.codes.iter().map(|&code| (code / 2, code % 2 == 0))
    }

    /// Whether every state satisfies it.
    pub fn is_always(&self) -> bool {
        self.codes.is_empty()
    }

    /// Whether a state in which exactly the propositions chosen by `holds` hold satisfies it.
    pub fn is_satisfied(&self, mut holds: impl FnMut(u32) -> bool) -> bool {
        self.literals().all(|(proposition, wanted)| holds(proposition) == wanted)
    }

    /// Both at once; none if they contradict each other.
    pub fn and(&self, other: &Label) -> Option<Label> {
        let codes = union(&self.codes, &other.codes);
        (!is_contradictory(&codes)).then_some(Label { codes })
    }

    /// Whether every state that satisfies this satisfies the other.
    pub fn implies(&self, other: &Label) -> bool {
        is_subset(&other.codes, &self.codes)
    }

    /// The one label that says what the two say together, if they differ in one sign alone.
    pub(crate) fn resolve(&self, other: &Label) -> Option<Label> {
        if self.codes.len() != other.codes.len() {
            return None;
        }
        let mut differing = self.codes.iter().zip(&other.codes).enumerate().filter(|(_, (a, b))| a != b);
        let (place, (a, b)) = differing.next()?;
        if a ^ b != 1 || differing.next().is_some() {
            return None;
        }
        let mut codes = self.codes.to_vec();
        codes.remove(place);
        Some(Label { codes: codes.into() })
    }

    /// This with one literal more, which must not contradict it.
    pub(crate) fn with(&self, proposition: u32, holds: bool) -> Label {
        Label { codes: union(&self.codes, &[code(proposition, holds)]) }
    }

    /// The largest proposition in it.
    pub(crate) fn last_proposition(&self) -> Option<u32> {
        self.codes.last().map(|code| code / 2)
    }
}

fn code(proposition: u32, holds: bool) -> u32 {
    assert!(proposition < u32::MAX / 2, "propositions are fewer than 2^31");
    2 * proposition + u32::from(!holds)
}

fn is_contradictory(codes: &[u32]) -> bool {
    codes.windows(2).any(|pair| pair[0] ^ pair[1] == 1)
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_always() {
            return f.write_str("t");
        }
        for (place, (proposition, holds)) in self.literals().enumerate() {
            let and = if place == 0 { "" } else { "&" };
            write!(f, "{and}{}{proposition}", if holds { "" } else { "!" })?;
        }
        Ok(())
    }
}

/// A set of marks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Marks {
    numbers: Box<[u32]>,
}

impl Marks {
    /// The marks from 0 to `count - 1`.
    pub fn all(count: u32) -> Marks {
        Marks { numbers: (0..count).collect() }
    }

    /// Whether the mark is among them.
    pub fn contains(&self, mark: u32) -> bool {
        self.numbers.binary_search(&mark).is_ok()
    }

    /// The marks, rising.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.numbers.iter().copied()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Whether all of these are among the others.
    pub fn is_subset(&self, other: &Marks) -> bool {
        is_subset(&self.numbers, &other.numbers)
    }
}

impl FromIterator<u32> for Marks {
    fn from_iter<I: IntoIterator<Item = u32>>(marks: I) -> Marks {
        Marks { numbers: sorted(marks) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_over_two_propositions() {
        let label = |literals: &[(u32, bool)]| Label::new(literals.iter().copied());
        assert_eq!(label(&[(0, true), (0, false)]), None);
        let (p, not_p) = (Label::always().with(0, true), Label::always().with(0, false));
        let p_q = label(&[(1, true), (0, true)]).unwrap();
        assert_eq!(p.and(&not_p), None);
        assert_eq!(p.and(&Label::always().with(1, true)), Some(p_q.clone()));
        assert!(p_q.implies(&p) && !p.implies(&p_q) && p.implies(&Label::always()));
        assert_eq!(p_q.resolve(&label(&[(0, true), (1, false)]).unwrap()), Some(p.clone()));
        assert_eq!(p_q.resolve(&p), None);
        assert_eq!(p_q.resolve(&label(&[(0, false), (1, false)]).unwrap()), None);
        assert_eq!(p.resolve(&Label::always().with(1, true)), None);
        assert_eq!(p_q.to_string(), "0&1");
        assert!(p_q.is_satisfied(|_| true) && !p_q.is_satisfied(|proposition| proposition == 0));
    }
}
