//! The truth of a path formula at one position of a path, computed from its truth at the next.
//!
//! A path formula is taken apart into its *members*: the path formulas in it, down to the state
//! formulas at its leaves, which are true or false of a position without looking further. Every
//! temporal operator is computed from its expansion law: `f U g` holds here if `g` holds here, or
//! if `f` holds here and `f U g` at the next position.
//!
//! A path may end, in a dead state. There nothing is next, so `X f` does not hold, and `! X f`,
//! which says `X ! f`, does not hold either. That is why a [`Truth`] has two halves: whether a
//! formula holds, and whether its negation, driven down to the atoms, does. On a path without end,
//! exactly one of them is true.

use symbolon_logic::{Formula, FormulaId, Operator, Sorts};
use symbolon_model::Atom;

/// What a path says about a formula. Never both halves are true; where a path ends, both may be
/// false.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// The formula holds: the path is a witness for `E` of it.
    pub holds: bool,
    /// The negation of the formula holds: the path is a witness against `A` of it.
    pub fails: bool,
}

impl Truth {
    /// What is known for certain.
    pub(crate) fn of(holds: bool) -> Truth {
        Truth { holds, fails: !holds }
    }

    pub(crate) fn not(self) -> Truth {
        Truth { holds: self.fails, fails: self.holds }
    }

    pub(crate) fn and(self, other: Truth) -> Truth {
        Truth { holds: self.holds && other.holds, fails: self.fails || other.fails }
    }

    pub(crate) fn or(self, other: Truth) -> Truth {
        self.not().and(other.not()).not()
    }

    pub(crate) fn implies(self, other: Truth) -> Truth {
        self.not().or(other)
    }
}

/// A member of a path formula; operands are numbers of members before it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Member {
    /// A state formula.
    State(FormulaId),
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
    Implies(usize, usize),
    Equivalent(usize, usize),
    Temporal(Temporal),
}

/// A temporal operator and its operands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Temporal {
    Next(usize),
    Finally(usize),
    Globally(usize),
    Until(usize, usize),
    WeakUntil(usize, usize),
    Release(usize, usize),
}

/// A path formula, taken apart. Its last member is the formula itself.
#[derive(Clone, Debug)]
pub(crate) struct PathFormula {
    members: Vec<Member>,
    /// The members that are temporal, ascending.
    temporal: Vec<(usize, Temporal)>,
}

impl PathFormula {
    /// Takes the subformula `root` of `formula` apart; state formulas are leaves.
    pub(crate) fn new(formula: &Formula<Atom>, sorts: &Sorts, root: FormulaId) -> PathFormula {
        let mut ids = vec![root];
        let mut next = 0;
        let mut known = std::collections::BTreeSet::from([root]);
        while let Some(&id) = ids.get(next) {
            if sorts.is_path(id) {
                ids.extend(formula.operator(id).operands().filter(|&operand| known.insert(operand)));
            }
            next += 1;
        }
        // Operands have smaller numbers (LOGIC-F1).
        ids.sort_unstable();
        let at = |id: FormulaId| ids.binary_search(&id).expect("operands of members are members");
        let member = |&id: &FormulaId| {
            if !sorts.is_path(id) {
                return Member::State(id);
            }
            match *formula.operator(id) {
                Operator::Not(f) => Member::Not(at(f)),
                Operator::And(f, g) => Member::And(at(f), at(g)),
                Operator::Or(f, g) => Member::Or(at(f), at(g)),
                Operator::Implies(f, g) => Member::Implies(at(f), at(g)),
                Operator::Equivalent(f, g) => Member::Equivalent(at(f), at(g)),
                Operator::Next(f) => Member::Temporal(Temporal::Next(at(f))),
                Operator::Finally(f) => Member::Temporal(Temporal::Finally(at(f))),
                Operator::Globally(f) => Member::Temporal(Temporal::Globally(at(f))),
                Operator::Until(f, g) => Member::Temporal(Temporal::Until(at(f), at(g))),
                Operator::WeakUntil(f, g) => Member::Temporal(Temporal::WeakUntil(at(f), at(g))),
                Operator::Release(f, g) => Member::Temporal(Temporal::Release(at(f), at(g))),
                _ => unreachable!("all others speak about states"),
            }
        };
        let members: Vec<Member> = ids.iter().map(member).collect();
        let temporal = members.iter().enumerate().filter_map(|(number, member)| match member {
            Member::Temporal(temporal) => Some((number, *temporal)),
            _ => None,
        });
        PathFormula { temporal: temporal.collect(), members }
    }

    /// All members, operands first.
    pub(crate) fn members(&self) -> &[Member] {
        &self.members
    }

    /// The number of temporal members.
    pub(crate) fn temporal_count(&self) -> usize {
        self.temporal.len()
    }

    /// The state formulas among the members, ascending.
    pub(crate) fn state_formulas(&self) -> impl Iterator<Item = FormulaId> + '_ {
        self.members.iter().filter_map(|member| match member {
            Member::State(id) => Some(*id),
            _ => None,
        })
    }

    /// All members at a position, from the state formulas there and the members at the next
    /// position; `None` where the path ends.
    pub(crate) fn before(
        &self,
        holds_here: impl Fn(FormulaId) -> bool,
        next: Option<&[Truth]>,
        here: &mut Vec<Truth>,
    ) {
        self.fill(holds_here, here, |number, temporal, here| {
            let later = next.map(|next| next[number]);
            match temporal {
                // Nothing is next where the path ends, whatever is asked of it.
                Temporal::Next(f) => next.map_or(Truth::default(), |next| next[f]),
                Temporal::Finally(f) => here[f].or(later.unwrap_or(Truth::of(false))),
                Temporal::Globally(f) => here[f].and(later.unwrap_or(Truth::of(true))),
                Temporal::Until(f, g) => here[g].or(here[f].and(later.unwrap_or(Truth::of(false)))),
                Temporal::WeakUntil(f, g) => here[g].or(here[f].and(later.unwrap_or(Truth::of(true)))),
                Temporal::Release(f, g) => here[g].and(here[f].or(later.unwrap_or(Truth::of(true)))),
            }
        });
    }

    /// All members at a position of an infinite path, if the temporal ones are as `bits` say, one
    /// bit each.
    pub(crate) fn guessed(&self, holds_here: impl Fn(FormulaId) -> bool, bits: u64, here: &mut Vec<Truth>) {
        let mut bit = 0;
        self.fill(holds_here, here, |_, _, _| {
            bit += 1;
            Truth::of(bits >> (bit - 1) & 1 == 1)
        });
    }

    /// The temporal members as bits: those that hold.
    pub(crate) fn bits(&self, here: &[Truth]) -> u64 {
        let bit = |(bit, &(number, _)): (usize, &(usize, Temporal))| u64::from(here[number].holds) << bit;
        self.temporal.iter().enumerate().map(bit).sum()
    }

    /// For each temporal member, whether what is said of it here comes true without waiting any
    /// longer. On a cycle on which each is true somewhere, everything that was said of the future
    /// is true: nothing is put off forever.
    pub(crate) fn is_settled<'a>(&'a self, here: &'a [Truth]) -> impl Iterator<Item = bool> + 'a {
        self.temporal.iter().map(|&(number, temporal)| {
            let claimed = here[number].holds;
            match temporal {
                Temporal::Next(_) => true,
                Temporal::Finally(f) => !claimed || here[f].holds,
                Temporal::Until(_, g) => !claimed || here[g].holds,
                Temporal::Globally(f) | Temporal::WeakUntil(f, _) => claimed || here[f].fails,
                Temporal::Release(_, g) => claimed || here[g].fails,
            }
        })
    }

    /// Fills in all members, the temporal ones as `temporal` says from their number and the members
    /// before them.
    fn fill(
        &self,
        holds_here: impl Fn(FormulaId) -> bool,
        here: &mut Vec<Truth>,
        mut temporal: impl FnMut(usize, Temporal, &[Truth]) -> Truth,
    ) {
        here.clear();
        for (number, &member) in self.members.iter().enumerate() {
            let truth = match member {
                Member::State(id) => Truth::of(holds_here(id)),
                Member::Not(f) => here[f].not(),
                Member::And(f, g) => here[f].and(here[g]),
                Member::Or(f, g) => here[f].or(here[g]),
                Member::Implies(f, g) => here[f].implies(here[g]),
                Member::Equivalent(f, g) => here[f].implies(here[g]).and(here[g].implies(here[f])),
                Member::Temporal(operator) => temporal(number, operator, here),
            };
            here.push(truth);
        }
    }
}
