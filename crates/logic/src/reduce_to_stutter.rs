//! All path semantics in terms of one: `maximal` and `infinite` by `stutter`.
//!
//! An evaluator of formulas then needs one kind of path only: infinite ones, on which a dead state
//! repeats forever.

use crate::formula::{Builder, Formula, FormulaId, Operator};
use crate::fragment::Sorts;
use crate::paths::Paths;
use crate::rewrite::kept;
use std::hash::Hash;

/// A formula that means under [`Paths::Stutter`] what `formula` means under `paths`.
///
/// Under `Stutter` it is `formula` itself. Otherwise `A f` becomes `! E g` with `g` the negation
/// normal form of `! f`, so that the answer has no `A`. Below `E`, in negation normal form,
/// - `maximal`: each `X f` becomes `!deadlock & X f`,
/// - `infinite`: `E f` becomes `E (f & G !deadlock)`.
///
/// CTL stays CTL: where one temporal operator over state formulas stands below `E`, what is added
/// is written in CTL, too. State formulas keep their shape but for their quantifiers. A formula
/// that speaks about a path is read with `A` before it. Below a strategy (`<group> f`) only
/// quantifiers are rewritten: the evaluator chooses its paths.
pub fn reduce_to_stutter<A: Eq + Hash + Clone>(formula: &Formula<A>, paths: Paths) -> Formula<A> {
    if paths == Paths::Stutter {
        return formula.clone();
    }
    let sorts = Sorts::of(formula);
    if sorts.is_path(formula.root()) {
        let mut builder = Builder::default();
        let path = builder.add_formula(formula);
        let quantified = builder.add(Operator::ForAll(path));
        return reduce_to_stutter(&builder.finish(quantified), paths);
    }
    let needed = needed_roles(formula, &sorts);
    let mut reduction = Reduction {
        builder: Builder::default(),
        is_path: Vec::new(),
        made: Vec::new(),
        paths,
        sorts: &sorts,
    };
    for (id, operator) in formula.subformulas() {
        let mut made = [None; 3];
        for role in Role::ALL {
            if needed[id.index()][role as usize] {
                made[role as usize] = Some(reduction.subformula(id, operator, role));
            }
        }
        reduction.made.push(made);
    }
    let root = reduction.get(formula.root(), Role::Plain);
    reduction.builder.finish(root)
}

/// What is wanted of a subformula. One table entry may be wanted in all three.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// With its quantifiers rewritten and otherwise as it is: state formulas, and what stands below
    /// a strategy.
    Plain,
    /// As a part of a path formula below `E`.
    Kept,
    /// The same, negated.
    Negated,
}

impl Role {
    const ALL: [Role; 3] = [Role::Plain, Role::Kept, Role::Negated];

    fn flipped(self) -> Role {
        match self {
            Role::Plain => Role::Plain,
            Role::Kept => Role::Negated,
            Role::Negated => Role::Kept,
        }
    }
}

/// In which roles each subformula is needed.
fn needed_roles<A>(formula: &Formula<A>, sorts: &Sorts) -> Vec<[bool; 3]> {
    let mut needed = vec![[false; 3]; formula.size()];
    needed[formula.root().index()][Role::Plain as usize] = true;
    for (id, operator) in formula.subformulas().rev() {
        // A state formula is made once; its negation is that with `!` before it.
        if !sorts.is_path(id) {
            needed[id.index()][Role::Plain as usize] |= needed[id.index()].contains(&true);
        }
        for role in Role::ALL {
            if !needed[id.index()][role as usize] || (!sorts.is_path(id) && role != Role::Plain) {
                continue;
            }
            let mut need = |operand: FormulaId, role: Role| needed[operand.index()][role as usize] = true;
            match *operator {
                Operator::Exists(f) => need(f, Role::Kept),
                Operator::ForAll(f) => need(f, Role::Negated),
                Operator::Not(f) => need(f, role.flipped()),
                Operator::Implies(f, g) => {
                    need(f, role.flipped());
                    need(g, role);
                }
                Operator::Equivalent(f, g) => {
                    for operand in [f, g] {
                        need(operand, role);
                        need(operand, role.flipped());
                    }
                }
                ref operator => operator.operands().for_each(|operand| need(operand, role)),
            }
        }
    }
    needed
}

struct Reduction<'a, A> {
    builder: Builder<A>,
    /// Of each subformula in `builder`, whether it speaks about a path.
    is_path: Vec<bool>,
    made: Vec<[Option<FormulaId>; 3]>,
    paths: Paths,
    sorts: &'a Sorts,
}

impl<A: Eq + Hash + Clone> Reduction<'_, A> {
    fn get(&self, f: FormulaId, role: Role) -> FormulaId {
        self.made[f.index()][role as usize].expect("needed_roles foresaw this")
    }

    fn add(&mut self, operator: Operator<A>) -> FormulaId {
        let is_path = match operator {
            Operator::Exists(_) | Operator::ForAll(_) | Operator::CanForce(..) | Operator::Knows(..) => false,
            ref operator => operator.is_temporal() || operator.operands().any(|f| self.is_path[f.index()]),
        };
        let id = self.builder.add(operator);
        if id.index() == self.is_path.len() {
            self.is_path.push(is_path);
        }
        id
    }

    fn not(&mut self, f: FormulaId) -> FormulaId {
        match *self.builder.operator(f) {
            Operator::Not(operand) => operand,
            _ => self.add(Operator::Not(f)),
        }
    }

    /// `!deadlock`
    fn alive(&mut self) -> FormulaId {
        let deadlock = self.add(Operator::Deadlock);
        self.add(Operator::Not(deadlock))
    }

    fn subformula(&mut self, id: FormulaId, operator: &Operator<A>, role: Role) -> FormulaId {
        match role {
            Role::Plain => self.plain(operator),
            Role::Kept if self.sorts.is_path(id) => self.path(operator, role),
            Role::Negated if self.sorts.is_path(id) => self.path(operator, role),
            Role::Kept => self.plain(operator),
            Role::Negated => {
                let plain = self.plain(operator);
                self.not(plain)
            }
        }
    }

    fn plain(&mut self, operator: &Operator<A>) -> FormulaId {
        match *operator {
            Operator::Exists(f) => self.exists(f, Role::Kept),
            Operator::ForAll(f) => {
                let refuted = self.exists(f, Role::Negated);
                self.not(refuted)
            }
            Operator::Not(f) => {
                let f = self.get(f, Role::Plain);
                self.not(f)
            }
            ref operator => {
                let Ok(operator) = operator.map(|f| self.get(f, Role::Plain), kept);
                self.add(operator)
            }
        }
    }

    /// A path formula below `E`, or its negation, in negation normal form.
    fn path(&mut self, operator: &Operator<A>, role: Role) -> FormulaId {
        let is_kept = role == Role::Kept;
        let same = |f: FormulaId| self.get(f, role);
        let flipped = |f: FormulaId| self.get(f, role.flipped());
        let answer = match *operator {
            Operator::Not(f) => return flipped(f),
            Operator::Implies(f, g) if is_kept => Operator::Or(flipped(f), same(g)),
            Operator::Implies(f, g) => Operator::And(flipped(f), same(g)),
            Operator::Equivalent(f, g) => {
                let (f, not_f) = (self.get(f, Role::Kept), self.get(f, Role::Negated));
                let (g, not_g) = (same(g), flipped(g));
                let first = self.add(Operator::And(f, g));
                let second = self.add(Operator::And(not_f, not_g));
                Operator::Or(first, second)
            }
            Operator::Next(f) => {
                let next = Operator::Next(same(f));
                let next = self.add(next);
                if self.paths != Paths::Maximal {
                    return next;
                }
                Operator::And(self.alive(), next)
            }
            Operator::WeakUntil(f, g) if !is_kept => {
                let (f, g) = (same(f), same(g));
                let neither = self.add(Operator::And(f, g));
                Operator::Until(g, neither)
            }
            ref operator => {
                let dual = (!is_kept).then(|| operator.dual().expect("all other operators have a dual"));
                let Ok(operator) = dual.as_ref().unwrap_or(operator).map(same, kept);
                operator
            }
        };
        self.add(answer)
    }

    /// `E` of the operand of a quantifier, made in a role.
    fn exists(&mut self, operand: FormulaId, role: Role) -> FormulaId {
        let path = self.get(operand, role);
        match self.paths {
            Paths::Maximal => self.exists_maximal(path),
            Paths::Infinite => self.exists_infinite(path),
            Paths::Stutter => self.add(Operator::Exists(path)),
        }
    }

    /// `E path`, in which `X` was rewritten already; what holds of the first state is said before
    /// `E`.
    fn exists_maximal(&mut self, path: FormulaId) -> FormulaId {
        if !self.is_path[path.index()] {
            return path;
        }
        match *self.builder.operator(path) {
            Operator::And(first, next)
                if !self.is_path[first.index()]
                    && matches!(self.builder.operator(next), Operator::Next(_)) =>
            {
                let exists = self.add(Operator::Exists(next));
                self.add(Operator::And(first, exists))
            }
            _ => self.add(Operator::Exists(path)),
        }
    }

    /// `E (path & G !deadlock)`, in CTL if `path` is one temporal operator over state formulas.
    fn exists_infinite(&mut self, path: FormulaId) -> FormulaId {
        let alive = self.alive();
        let ever_alive = self.add(Operator::Globally(alive));
        let operator = self.builder.operator(path).clone();
        let is_ctl = operator.is_temporal() && operator.operands().all(|f| !self.is_path[f.index()]);
        if self.is_path[path.index()] && !is_ctl {
            let both = self.add(Operator::And(path, ever_alive));
            return self.add(Operator::Exists(both));
        }
        // Some infinite path begins here.
        let begins = self.add(Operator::Exists(ever_alive));
        let answer = match operator {
            Operator::Next(f) => Operator::Next(self.add(Operator::And(f, begins))),
            Operator::Finally(f) => Operator::Finally(self.add(Operator::And(f, begins))),
            Operator::Globally(f) => Operator::Globally(self.add(Operator::And(f, alive))),
            Operator::Until(f, g) => Operator::Until(f, self.add(Operator::And(g, begins))),
            Operator::WeakUntil(f, g) => {
                let f = self.add(Operator::And(f, alive));
                Operator::WeakUntil(f, self.add(Operator::And(g, begins)))
            }
            Operator::Release(f, g) => {
                let f = self.add(Operator::And(f, begins));
                Operator::Release(f, self.add(Operator::And(g, alive)))
            }
            _ => return self.add(Operator::And(path, begins)),
        };
        let path = self.add(answer);
        self.add(Operator::Exists(path))
    }
}
