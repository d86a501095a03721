//! What a transformation preserves: a set of claims, each with the atoms that it is made for.

use std::collections::{BTreeMap, BTreeSet};
use symbolon_logic::{Formula, Fragment, Operator, Paths};
use symbolon_model::{Atom, EventId, VariableId};

/// A figure or a question whose answer is the same for the original and for the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// The number of states, as the weighted sum over those of the result.
    StateCount,
    /// The number of pairs of a state and an event enabled there, likewise.
    EdgeCount,
    /// The largest value of a single variable.
    LargestValue,
    /// The largest sum of all variables.
    LargestSum,
    /// A lifted run has the length of the run, and a shortest one stays a shortest one.
    ShortestRuns,
    /// The largest values of the variables in scope.
    Bounds,
    /// Whether a dead state can be reached.
    Deadlock,
    /// Whether a state can be reached that satisfies a combination of atoms in scope.
    Reachability,
    /// Whether a state can be reached where an event in scope is enabled, or some of several are.
    Fireability,
    /// Which events in scope are enabled somewhere.
    QuasiLiveness,
    /// Which events in scope can become enabled again, from every state.
    Liveness,
    /// The verdicts of formulas of a class over atoms in scope.
    Formula(FormulaClass),
}

/// A class of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FormulaClass {
    /// The logic. A formula without temporal operators counts as CTL.
    pub fragment: Fragment,
    /// Whether the operator `X` may occur.
    pub has_next: bool,
    /// What a path is.
    pub paths: Paths,
    /// Whether quantifiers range over the fair paths alone.
    pub is_fair: bool,
}

impl FormulaClass {
    /// The smallest class that `formula` belongs to.
    pub fn of<A>(formula: &Formula<A>, paths: Paths, is_fair: bool) -> FormulaClass {
        let has_next = formula.subformulas().any(|(_, operator)| matches!(operator, Operator::Next(_)));
        let fragment = match formula.fragment() {
            Fragment::Propositional => Fragment::Ctl,
            fragment => fragment,
        };
        FormulaClass { fragment, has_next, paths, is_fair }
    }

    /// All classes.
    pub fn all() -> impl Iterator<Item = FormulaClass> {
        let fragments = [Fragment::Ctl, Fragment::Ltl, Fragment::CtlStar];
        fragments.into_iter().flat_map(|fragment| {
            Paths::ALL.into_iter().flat_map(move |paths| {
                [(false, false), (false, true), (true, false), (true, true)]
                    .map(|(has_next, is_fair)| FormulaClass { fragment, has_next, paths, is_fair })
            })
        })
    }

    /// This class and those that contain it.
    fn containing(self) -> impl Iterator<Item = FormulaClass> {
        FormulaClass::all().filter(move |larger| {
            let FormulaClass { fragment, has_next, paths, is_fair } = *larger;
            (fragment == self.fragment || fragment == Fragment::CtlStar)
                && has_next >= self.has_next
                && paths == self.paths
                && is_fair == self.is_fair
        })
    }
}

/// All ids of the original, or some of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope<Id> {
    /// All that can be read in the result.
    All,
    /// These, where they can be read in the result.
    Only(BTreeSet<Id>),
}

impl<Id: Ord + Copy> Scope<Id> {
    /// Nothing.
    pub fn nothing() -> Scope<Id> {
        Scope::Only(BTreeSet::new())
    }

    /// Whether `id` is in scope.
    pub fn contains(&self, id: Id) -> bool {
        match self {
            Scope::All => true,
            Scope::Only(ids) => ids.contains(&id),
        }
    }

    fn includes(&self, other: &Scope<Id>) -> bool {
        match (self, other) {
            (Scope::All, _) => true,
            (Scope::Only(_), Scope::All) => false,
            (Scope::Only(ids), Scope::Only(others)) => others.is_subset(ids),
        }
    }
}

/// What atoms may speak about. Events stand for the atom "one of these events is enabled".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atoms {
    /// The variables.
    pub variables: Scope<VariableId>,
    /// The events.
    pub events: Scope<EventId>,
    /// Whether "this state is dead" is an atom.
    pub deadlock: bool,
}

impl Atoms {
    /// Everything that can be read in the result.
    pub fn all() -> Atoms {
        Atoms { variables: Scope::All, events: Scope::All, deadlock: true }
    }

    /// The atoms of a formula.
    pub fn of(formula: &Formula<Atom>) -> Atoms {
        let (mut variables, mut events) = (Vec::new(), BTreeSet::new());
        for atom in formula.atoms() {
            match atom {
                Atom::Holds(predicate) => predicate.collect_variables(&mut variables),
                Atom::Fireable(list) => events.extend(list.iter().copied()),
            }
        }
        let mut operators = formula.subformulas().map(|(_, operator)| operator);
        Atoms {
            variables: Scope::Only(variables.into_iter().collect()),
            events: Scope::Only(events),
            deadlock: operators.any(|operator| matches!(operator, Operator::Deadlock)),
        }
    }

    fn include(&self, other: &Atoms) -> bool {
        self.variables.includes(&other.variables)
            && self.events.includes(&other.events)
            && self.deadlock >= other.deadlock
    }
}

/// The claims of a transformation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preserves {
    claims: BTreeMap<Claim, Atoms>,
}

impl Preserves {
    /// No claim at all.
    pub fn nothing() -> Preserves {
        Preserves::default()
    }

    /// Every claim, for all atoms: the states and edges correspond one to one.
    pub fn everything() -> Preserves {
        use Claim::*;
        let plain = [
            StateCount,
            EdgeCount,
            LargestValue,
            LargestSum,
            ShortestRuns,
            Bounds,
            Deadlock,
            Reachability,
            Fireability,
            QuasiLiveness,
            Liveness,
        ];
        let formulas = FormulaClass::all().map(Formula);
        Preserves { claims: plain.into_iter().chain(formulas).map(|claim| (claim, Atoms::all())).collect() }
    }

    /// These claims and one more.
    #[must_use]
    pub fn and(mut self, claim: Claim, atoms: Atoms) -> Preserves {
        self.claims.insert(claim, atoms);
        self
    }

    /// These claims without one.
    #[must_use]
    pub fn but(mut self, claim: Claim) -> Preserves {
        self.claims.remove(&claim);
        self
    }

    /// Whether a claim is made that is not about atoms.
    pub fn claims(&self, claim: Claim) -> bool {
        self.claims.contains_key(&claim)
    }

    /// Whether a claim is made for all of these atoms.
    pub fn claims_for(&self, claim: Claim, atoms: &Atoms) -> bool {
        self.claims.get(&claim).is_some_and(|scope| scope.include(atoms))
    }

    /// Whether the verdict of `formula` is the same, if it can be read in the result.
    pub fn claims_formula(&self, formula: &Formula<Atom>, paths: Paths, is_fair: bool) -> bool {
        let atoms = Atoms::of(formula);
        let class = FormulaClass::of(formula, paths, is_fair);
        class.containing().any(|class| self.claims_for(Claim::Formula(class), &atoms))
    }

    /// All claims with their scopes, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = (Claim, &Atoms)> {
        self.claims.iter().map(|(claim, atoms)| (*claim, atoms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_logic::Builder;
    use symbolon_model::{Comparison, Expr, Predicate};

    const X: VariableId = VariableId(0);
    const T: EventId = EventId(0);

    /// `E f` for a temporal operator over `x = 0 & enabled(t)`.
    fn formula(temporal: fn(symbolon_logic::FormulaId) -> Operator<Atom>) -> Formula<Atom> {
        let mut builder = Builder::default();
        let zero = Predicate::Compare(Expr::Variable(X), Comparison::Equal, Expr::Constant(0));
        let (x, t) = (builder.atom(Atom::Holds(zero)), builder.atom(Atom::Fireable(vec![T])));
        let both = builder.add(Operator::And(x, t));
        let path = builder.add(temporal(both));
        let root = builder.add(Operator::Exists(path));
        builder.finish(root)
    }

    #[test]
    fn a_class_is_covered_by_larger_ones_and_not_by_smaller_ones() {
        let (next, finally) = (formula(Operator::Next), formula(Operator::Finally));
        let class = |fragment, has_next| {
            Claim::Formula(FormulaClass { fragment, has_next, paths: Paths::Maximal, is_fair: false })
        };
        let check = |claim: Claim, of_next: bool, of_finally: bool| {
            let preserves = Preserves::nothing().and(claim, Atoms::all());
            assert_eq!(preserves.claims_formula(&next, Paths::Maximal, false), of_next, "{claim:?}");
            assert_eq!(preserves.claims_formula(&finally, Paths::Maximal, false), of_finally, "{claim:?}");
            assert!(!preserves.claims_formula(&finally, Paths::Stutter, false), "{claim:?}");
            assert!(!preserves.claims_formula(&finally, Paths::Maximal, true), "{claim:?}");
        };
        check(class(Fragment::Ctl, true), true, true);
        check(class(Fragment::Ctl, false), false, true);
        check(class(Fragment::CtlStar, false), false, true);
        check(class(Fragment::Ltl, true), false, false);
        check(Claim::Reachability, false, false);
    }

    #[test]
    fn a_claim_covers_the_atoms_in_its_scope() {
        let finally = formula(Operator::Finally);
        let class = FormulaClass::of(&finally, Paths::Stutter, false);
        let check = |atoms: Atoms, expected: bool| {
            let preserves = Preserves::nothing().and(Claim::Formula(class), atoms.clone());
            assert_eq!(preserves.claims_formula(&finally, Paths::Stutter, false), expected, "{atoms:?}");
        };
        let only_x = Scope::Only(BTreeSet::from([X]));
        let only_t = Scope::Only(BTreeSet::from([T]));
        check(Atoms::all(), true);
        check(Atoms { variables: only_x.clone(), events: only_t.clone(), deadlock: false }, true);
        check(Atoms { variables: only_x, events: Scope::nothing(), deadlock: true }, false);
        check(Atoms { variables: Scope::nothing(), events: only_t, deadlock: true }, false);
    }

    #[test]
    fn everything_is_everything() {
        let everything = Preserves::everything();
        assert!(FormulaClass::all().all(|class| everything.claims(Claim::Formula(class))));
        assert_eq!(everything.iter().count(), 11 + FormulaClass::all().count());
        assert!(!everything.clone().but(Claim::Deadlock).claims(Claim::Deadlock));
        assert!(!Preserves::nothing().claims(Claim::StateCount));
    }
}
