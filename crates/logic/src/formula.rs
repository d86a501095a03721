//! The formula type, and how formulas are built.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The number of a subformula in its formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormulaId(u32);

impl FormulaId {
    /// The number as an index into tables with one entry a subformula.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a subformula is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operator<A> {
    /// Holds everywhere.
    True,
    /// Holds nowhere.
    False,
    /// Holds where nothing can happen.
    Deadlock,
    /// What the formula is about.
    Atom(A),

    /// `! f`
    Not(FormulaId),
    /// `f & g`
    And(FormulaId, FormulaId),
    /// `f | g`
    Or(FormulaId, FormulaId),
    /// `f -> g`
    Implies(FormulaId, FormulaId),
    /// `f <-> g`
    Equivalent(FormulaId, FormulaId),

    /// `X f`: there is a next state on the path, and `f` holds from there.
    Next(FormulaId),
    /// `F f`: `f` holds now or later.
    Finally(FormulaId),
    /// `G f`: `f` holds now and ever after.
    Globally(FormulaId),
    /// `f U g`: `g` holds now or later, and until then `f`.
    Until(FormulaId, FormulaId),
    /// `f W g`: as `f U g`, or `f` forever.
    WeakUntil(FormulaId, FormulaId),
    /// `f R g`: `g` holds up to and including the first moment at which `f` holds, or forever.
    Release(FormulaId, FormulaId),

    /// `E f`: some path from here satisfies `f`.
    Exists(FormulaId),
    /// `A f`: all paths from here satisfy `f`.
    ForAll(FormulaId),

    /// `K(agent, f)` and its relatives: who observes what this agent or group observes knows that
    /// `f` holds.
    Knows(Knowledge, Box<str>, FormulaId),
    /// `<group> f`: the group has a strategy whose paths all satisfy `f`.
    ///
    /// The meaning of `X`, `F`, `G` and `U` below it, where everyone sees the whole state. The
    /// universe `S` is the set of reachable states, or, under the fairness constraints `c`, of
    /// those from which a fair path begins; operands and complements are subsets of it. `next(s,
    /// a)` has the states of `S` that are next to `s` when the group does `a` and the others do
    /// anything.
    ///
    /// ```text
    /// Force(T) = { s | the group has an `a` with a step in s, and next(s, a) lies in T }
    /// Meet(T)  = S - Force(S - T)           whatever the group does, some next state lies in T
    ///
    /// without fairness
    /// <g> X f     = Force(f)
    /// <g> G f     = greatest Z = f & Force(Z)
    /// <g> (f U h) = least Z = h | (f & Force(Z))
    ///
    /// under fairness
    /// Fair        = greatest Z = for all c: Meet(least Y = (Z & c) | Meet(Y))
    /// <g> X f     = Force(f | (S - Fair))
    /// <g> G f     = greatest Z = f & Force(Z)
    /// <g> (f U h) = S - greatest Z = bad | (!h & for all c: Meet(Way(Z, c)))
    ///               where bad = !f & !h & Fair
    ///               and Way(Z, c) = least Y = bad | (!h & ((Z & c) | Meet(Y)))
    /// ```
    ///
    /// `<g> F h` is `<g> (true U h)`. `Fair` has the states in which, whatever the group does, some
    /// path is fair. So a strategy for `X`, `F` or `U` owes something on fair paths alone, and it
    /// wins by making every path unfair, too. A strategy for `G` keeps `f` in every state of `S`
    /// that its paths come to, whether they are fair in the end or not; what comes after a step out
    /// of `S`, where no path is fair any more, does not matter to any strategy.
    ///
    /// A strategy of agents who see a part of the state is *uniform*: it fixes what each member
    /// does for each of its observations. The equations then hold for each such strategy, with the
    /// one `a` that it leaves in each state, and the group has a strategy in `s` if one of them
    /// wins in all states of `S` that look like `s` to some member.
    CanForce(Box<str>, FormulaId),
}

/// Which knowledge is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Knowledge {
    /// `K(agent, f)`: the agent knows.
    Agent,
    /// `GK(group, f)`: everyone in the group knows.
    Everyone,
    /// `GCK(group, f)`: it is common knowledge in the group.
    Common,
    /// `DK(group, f)`: the group would know, if its members told each other what they observe.
    Distributed,
    /// `O(agent, f)`: `f` holds wherever the agent behaves as it should.
    Correct,
}

impl<A> Operator<A> {
    /// The operands, left to right.
    pub fn operands(&self) -> impl Iterator<Item = FormulaId> + use<A> {
        let (first, second) = match *self {
            Operator::True | Operator::False | Operator::Deadlock | Operator::Atom(_) => (None, None),
            Operator::Not(f)
            | Operator::Next(f)
            | Operator::Finally(f)
            | Operator::Globally(f)
            | Operator::Exists(f)
            | Operator::ForAll(f)
            | Operator::Knows(_, _, f)
            | Operator::CanForce(_, f) => (Some(f), None),
            Operator::And(f, g)
            | Operator::Or(f, g)
            | Operator::Implies(f, g)
            | Operator::Equivalent(f, g)
            | Operator::Until(f, g)
            | Operator::WeakUntil(f, g)
            | Operator::Release(f, g) => (Some(f), Some(g)),
        };
        first.into_iter().chain(second)
    }

    /// Whether this speaks about a path rather than a state.
    pub fn is_temporal(&self) -> bool {
        matches!(
            self,
            Operator::Next(_)
                | Operator::Finally(_)
                | Operator::Globally(_)
                | Operator::Until(..)
                | Operator::WeakUntil(..)
                | Operator::Release(..)
        )
    }

    /// Whether this by itself looks at nothing but the state at hand.
    pub fn is_about_one_state(&self) -> bool {
        let looks_elsewhere = matches!(
            self,
            Operator::Exists(_) | Operator::ForAll(_) | Operator::CanForce(..) | Operator::Knows(..)
        );
        !looks_elsewhere && !self.is_temporal()
    }

    /// The operator that negation makes of this one, if its operands are negated, too: `! (f & g)`
    /// is `! f | ! g`. `X` is its own dual, which is how [`Paths`](crate::Paths) wants it read.
    /// `None` where there is no such operator.
    pub fn dual(&self) -> Option<Operator<A>> {
        Some(match *self {
            Operator::True => Operator::False,
            Operator::False => Operator::True,
            Operator::And(f, g) => Operator::Or(f, g),
            Operator::Or(f, g) => Operator::And(f, g),
            Operator::Next(f) => Operator::Next(f),
            Operator::Finally(f) => Operator::Globally(f),
            Operator::Globally(f) => Operator::Finally(f),
            Operator::Until(f, g) => Operator::Release(f, g),
            Operator::Release(f, g) => Operator::Until(f, g),
            Operator::Exists(f) => Operator::ForAll(f),
            Operator::ForAll(f) => Operator::Exists(f),
            Operator::Deadlock
            | Operator::Atom(_)
            | Operator::Not(_)
            | Operator::Implies(..)
            | Operator::Equivalent(..)
            | Operator::WeakUntil(..)
            | Operator::Knows(..)
            | Operator::CanForce(..) => return None,
        })
    }

    /// The same with other operands and another atom.
    pub fn map<B, E>(
        &self,
        mut operand: impl FnMut(FormulaId) -> FormulaId,
        atom: impl FnOnce(&A) -> Result<B, E>,
    ) -> Result<Operator<B>, E> {
        Ok(match self {
            Operator::True => Operator::True,
            Operator::False => Operator::False,
            Operator::Deadlock => Operator::Deadlock,
            Operator::Atom(a) => Operator::Atom(atom(a)?),
            Operator::Not(f) => Operator::Not(operand(*f)),
            Operator::And(f, g) => Operator::And(operand(*f), operand(*g)),
            Operator::Or(f, g) => Operator::Or(operand(*f), operand(*g)),
            Operator::Implies(f, g) => Operator::Implies(operand(*f), operand(*g)),
            Operator::Equivalent(f, g) => Operator::Equivalent(operand(*f), operand(*g)),
            Operator::Next(f) => Operator::Next(operand(*f)),
            Operator::Finally(f) => Operator::Finally(operand(*f)),
            Operator::Globally(f) => Operator::Globally(operand(*f)),
            Operator::Until(f, g) => Operator::Until(operand(*f), operand(*g)),
            Operator::WeakUntil(f, g) => Operator::WeakUntil(operand(*f), operand(*g)),
            Operator::Release(f, g) => Operator::Release(operand(*f), operand(*g)),
            Operator::Exists(f) => Operator::Exists(operand(*f)),
            Operator::ForAll(f) => Operator::ForAll(operand(*f)),
            Operator::Knows(knowledge, group, f) => Operator::Knows(*knowledge, group.clone(), operand(*f)),
            Operator::CanForce(group, f) => Operator::CanForce(group.clone(), operand(*f)),
        })
    }
}

/// A formula: its subformulas, operands first (LOGIC-F1), each once (LOGIC-F2), none unused
/// (LOGIC-F3), in one order (LOGIC-F4).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Formula<A> {
    operators: Box<[Operator<A>]>,
}

impl<A> Formula<A> {
    /// The formula itself, as a subformula.
    pub fn root(&self) -> FormulaId {
        FormulaId(self.operators.len() as u32 - 1)
    }

    /// The number of subformulas.
    pub fn size(&self) -> usize {
        self.operators.len()
    }

    /// The truth value, if the formula is `true` or `false`.
    pub fn constant(&self) -> Option<bool> {
        match self.operator(self.root()) {
            Operator::True => Some(true),
            Operator::False => Some(false),
            _ => None,
        }
    }

    /// What a subformula is made of.
    pub fn operator(&self, id: FormulaId) -> &Operator<A> {
        &self.operators[id.index()]
    }

    /// All subformulas, operands first.
    pub fn subformulas(
        &self,
    ) -> impl DoubleEndedIterator<Item = (FormulaId, &Operator<A>)> + ExactSizeIterator {
        self.operators.iter().enumerate().map(|(number, operator)| (FormulaId(number as u32), operator))
    }

    /// The atoms, each once, in the order of the table.
    pub fn atoms(&self) -> impl Iterator<Item = &A> {
        self.operators.iter().filter_map(|operator| match operator {
            Operator::Atom(atom) => Some(atom),
            _ => None,
        })
    }
}

impl<A> Formula<A> {
    /// The same formula about other atoms.
    pub fn map_atoms<B: Eq + Hash + Clone, E>(
        &self,
        mut atom: impl FnMut(FormulaId, &A) -> Result<B, E>,
    ) -> Result<Formula<B>, E> {
        let mut builder = Builder::default();
        let mut made: Vec<FormulaId> = Vec::with_capacity(self.size());
        for (id, operator) in self.subformulas() {
            let operator = operator.map(|operand| made[operand.index()], |a| atom(id, a))?;
            made.push(builder.add(operator));
        }
        Ok(builder.finish(made[self.root().index()]))
    }
}

impl<A: Eq + Hash + Clone> Formula<A> {
    /// A subformula as a formula of its own.
    pub fn subformula(&self, id: FormulaId) -> Formula<A> {
        compact(&self.operators, id).0
    }
}

/// A formula in the making: subformulas are added operands first.
#[derive(Clone, Debug)]
pub struct Builder<A> {
    operators: Vec<Operator<A>>,
    known: FxHashMap<Operator<A>, FormulaId>,
}

impl<A> Default for Builder<A> {
    fn default() -> Self {
        Builder { operators: Vec::new(), known: FxHashMap::default() }
    }
}

impl<A: Eq + Hash + Clone> Builder<A> {
    /// The subformula made of this; an equal one is found again (LOGIC-F2).
    ///
    /// # Panics
    /// If an operand is not of this builder, or after 2^32 subformulas.
    pub fn add(&mut self, operator: Operator<A>) -> FormulaId {
        if let Some(&known) = self.known.get(&operator) {
            return known;
        }
        assert!(
            operator.operands().all(|operand| operand.index() < self.operators.len()),
            "F1: operands first"
        );
        let id = FormulaId(u32::try_from(self.operators.len()).expect("a formula has fewer than 2^32 parts"));
        self.operators.push(operator.clone());
        self.known.insert(operator, id);
        id
    }

    /// An atom.
    pub fn atom(&mut self, atom: A) -> FormulaId {
        self.add(Operator::Atom(atom))
    }

    /// What a subformula is made of.
    pub fn operator(&self, id: FormulaId) -> &Operator<A> {
        &self.operators[id.index()]
    }

    /// The whole of another formula, added here.
    pub fn add_formula(&mut self, formula: &Formula<A>) -> FormulaId {
        let mut made: Vec<FormulaId> = Vec::with_capacity(formula.size());
        for (_, operator) in formula.subformulas() {
            let same = |atom: &A| Ok::<_, std::convert::Infallible>(atom.clone());
            let Ok(operator) = operator.map(|operand| made[operand.index()], same);
            made.push(self.add(operator));
        }
        made[formula.root().index()]
    }

    /// The formula `root`, without what it does not use (LOGIC-F3).
    pub fn finish(&self, root: FormulaId) -> Formula<A> {
        compact(&self.operators, root).0
    }

    /// The same, and for each number here the number there.
    pub fn finish_with_numbers(&self, root: FormulaId) -> (Formula<A>, Vec<Option<FormulaId>>) {
        compact(&self.operators, root)
    }
}

/// `root` and what it is made of, numbered by shape alone (LOGIC-F4), and the new numbers of the
/// old ones.
fn compact<A: Eq + Hash + Clone>(
    operators: &[Operator<A>],
    root: FormulaId,
) -> (Formula<A>, Vec<Option<FormulaId>>) {
    /// A subformula is entered, then its operands are numbered, then it is.
    enum Visit {
        Enter(FormulaId),
        Leave(FormulaId),
    }
    let mut numbers: Vec<Option<FormulaId>> = vec![None; root.index() + 1];
    let mut kept = Vec::new();
    let mut visits = vec![Visit::Enter(root)];
    while let Some(visit) = visits.pop() {
        match visit {
            Visit::Enter(id) if numbers[id.index()].is_some() => {}
            Visit::Enter(id) => {
                visits.push(Visit::Leave(id));
                let from = visits.len();
                visits.extend(operators[id.index()].operands().map(Visit::Enter));
                visits[from..].reverse();
            }
            Visit::Leave(id) => {
                let same = |atom: &A| Ok::<_, std::convert::Infallible>(atom.clone());
                let number = |operand: FormulaId| numbers[operand.index()].expect("F1: operands first");
                let Ok(operator) = operators[id.index()].map(number, same);
                numbers[id.index()] = Some(FormulaId(kept.len() as u32));
                kept.push(operator);
            }
        }
    }
    (Formula { operators: kept.into() }, numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_parts_are_stored_once_and_idle_ones_not_at_all() {
        let mut builder = Builder::default();
        let p = builder.atom("p");
        let idle = builder.atom("idle");
        let not_p = builder.add(Operator::Not(p));
        assert_eq!(builder.add(Operator::Not(p)), not_p);
        let both = builder.add(Operator::And(p, not_p));
        assert_ne!(idle, both);
        let formula = builder.finish(both);
        assert_eq!(formula.size(), 3);
        assert_eq!(formula.atoms().collect::<Vec<_>>(), [&"p"]);
        assert_eq!(formula.subformula(formula.root()), formula);
    }

    #[test]
    fn the_order_of_making_does_not_matter() {
        let made = |names: [&'static str; 2]| {
            let mut builder = Builder::default();
            for name in names {
                builder.atom(name);
            }
            let (p, q) = (builder.atom("p"), builder.atom("q"));
            let both = builder.add(Operator::And(p, q));
            let either = builder.add(Operator::Or(both, both));
            builder.finish(either)
        };
        assert_eq!(made(["p", "q"]), made(["q", "p"]));
    }

    #[test]
    fn renaming_atoms_may_make_parts_equal() {
        let mut builder = Builder::default();
        let (p, q) = (builder.atom("p"), builder.atom("q"));
        let either = builder.add(Operator::Or(p, q));
        let renamed = builder.finish(either).map_atoms(|_, _| Ok::<_, ()>("r"));
        assert_eq!(renamed.map(|formula| formula.size()), Ok(2));
    }

    #[test]
    fn the_dual_of_a_dual_is_the_operator_itself() {
        let (f, g) = (FormulaId(0), FormulaId(1));
        let with_dual = [
            Operator::True,
            Operator::And(f, g),
            Operator::Next(f),
            Operator::Finally(f),
            Operator::Until(f, g),
            Operator::ForAll(f),
        ];
        for operator in with_dual {
            let dual: Operator<()> = operator.dual().expect("it has one");
            assert_eq!(dual.dual(), Some(operator.clone()));
            assert_eq!(dual.operands().collect::<Vec<_>>(), operator.operands().collect::<Vec<_>>());
            assert_eq!(dual == operator, matches!(operator, Operator::Next(_)));
        }
        for operator in [Operator::Atom(()), Operator::WeakUntil(f, g), Operator::Implies(f, g)] {
            assert_eq!(operator.dual(), None);
        }
    }

    #[test]
    fn depth_needs_no_stack() {
        let mut builder = Builder::default();
        let mut deep = builder.atom("p");
        for _ in 0..1_000_000 {
            deep = builder.add(Operator::Next(deep));
        }
        let formula = builder.finish(deep);
        assert_eq!(formula.size(), 1_000_001);
        assert_eq!(formula.map_atoms(|_, _| Ok::<_, ()>("q")).map(|formula| formula.size()), Ok(1_000_001));
    }
}
