//! Formulas of CTL* about a model: every reachable state is labelled with the state formulas that
//! hold in it.
//!
//! The formula's table is gone through once, operands first. What stands below a quantifier is
//! decided by one of two methods that share nothing but the graph. *Labelling*
//! (`check/labelling.rs`) knows one temporal operator directly below its quantifier, as in CTL:
//! backward search and strongly connected components. The *tableau* (`check/tableau.rs`) knows
//! every path formula. By default the first decides what it can; [`Method::Tableau`] has the second
//! decide everything, so that the two can be compared.
//!
//! The three path semantics are three graphs, and no formula is rewritten:
//!
//! ```text
//! Maximal    edges of the model      paths may end in dead states
//! Stutter    a loop at dead states   paths never end
//! Infinite   edges of the model      paths never end
//! ```
//!
//! Under fairness constraints a quantifier ranges over the fair paths alone: those on which each
//! constraint holds again and again. A path that ended counts as one that stays where it is.
//!
//! Knowledge (`check/knowledge.rs`) and strategies (`check/strategies.rs`) range over the reachable
//! states; under fairness constraints, over those from which a fair path starts. Of agents, only
//! such states are initial then. Uniform strategies are listed one by one (`check/uniform.rs`).
//!
//! A run that shows a verdict is read off the labels (`check/run.rs`).

mod knowledge;
mod labelling;
mod run;
mod strategies;
mod structure;
mod tableau;
mod uniform;

pub use run::FoundRun;

use crate::digraph::Digraph;
use crate::explore::Charge;
use crate::path_formula::PathFormula;
use crate::{Exploration, Options, Reason, Stopped, Truth, explore};
use labelling::CtlPath;
use structure::Structure;
use symbolon_budget::{Budget, Meter};
use symbolon_logic::{Formula, FormulaId, Operator, Paths, Sorts};
use symbolon_model::{Atom, Model, ObserverId};

/// How the formulas below quantifiers are decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// By labelling where the formula is one of CTL, by a tableau elsewhere.
    #[default]
    Labelling,
    /// By a tableau everywhere.
    Tableau,
}

/// How formulas are checked.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckOptions {
    /// Stop when the model has more states than this.
    pub state_limit: Option<usize>,
    /// How.
    pub method: Method,
}

/// Which states satisfy what.
#[derive(Debug)]
pub struct Checked {
    /// For each state formula in the table, whether it holds in each state.
    labels: Vec<Option<Vec<bool>>>,
    /// Whether the formula holds in each state; one about paths, whether it holds on all of them.
    answer: Vec<bool>,
    /// The numbers of the initial states.
    initial: Vec<usize>,
    /// The states that count.
    counts: Vec<bool>,
    _charge: Charge,
}

impl Checked {
    /// Whether the formula holds in every initial state.
    pub fn holds(&self) -> bool {
        self.initial.iter().all(|&number| self.answer[number])
    }

    /// For each initial state, in the order of the model, whether the formula holds in it.
    pub fn holds_initially(&self) -> Vec<bool> {
        self.initial.iter().map(|&number| self.answer[number]).collect()
    }

    /// For each state, whether the formula holds in it.
    pub fn answer(&self) -> &[bool] {
        &self.answer
    }

    /// The numbers of the initial states that count.
    pub fn initial(&self) -> &[usize] {
        &self.initial
    }

    /// For each state, whether a state formula holds in it; `None` for a path formula.
    pub fn label(&self, id: FormulaId) -> Option<&[bool]> {
        self.labels[id.index()].as_deref()
    }

    /// The number of states in which a state formula holds, of those that count: under fairness of
    /// agents, states with a fair path. `None` for a path formula.
    pub fn satisfying(&self, id: FormulaId) -> Option<usize> {
        let label = self.label(id)?;
        Some(label.iter().zip(&self.counts).filter(|&(&holds, &counts)| holds && counts).count())
    }
}

/// Checks one formula: explores `model` and labels its states.
///
/// The formulas of `fairness` speak about states and are read on all maximal paths; the quantifiers
/// of `formula` range over the paths on which each of them holds again and again.
pub fn check(
    model: &Model,
    formula: &Formula<Atom>,
    paths: Paths,
    fairness: &[Formula<Atom>],
    options: &CheckOptions,
    budget: &Budget,
) -> Result<Checked, Stopped> {
    Checker::new(model, options, budget)?.check(formula, paths, fairness)
}

/// An explored model, about which formulas are asked.
#[derive(Debug)]
pub struct Checker<'a> {
    model: &'a Model,
    exploration: Exploration,
    edges: Digraph,
    method: Method,
    /// Agents who must do the same in states that look the same to them, if strategies are to be
    /// uniform.
    uniform: Option<Vec<ObserverId>>,
    meter: Meter,
    _charge: Charge,
}

impl<'a> Checker<'a> {
    /// Explores `model`.
    pub fn new(model: &'a Model, options: &CheckOptions, budget: &Budget) -> Result<Checker<'a>, Stopped> {
        let exploration = explore(model, &Options { state_limit: options.state_limit }, budget)?;
        let mut meter = Meter::new(budget.clone());
        let mut charge = Charge { bytes: 0, budget: budget.clone() };
        let mut edges = || -> Result<Digraph, Reason> {
            charge.add(Digraph::bytes(exploration.state_count(), exploration.edge_count() as usize))?;
            Ok(exploration.state_graph(model, &mut meter)?.edges)
        };
        match edges() {
            Ok(edges) => {
                let (method, uniform) = (options.method, None);
                Ok(Checker { model, exploration, edges, method, uniform, meter, _charge: charge })
            }
            Err(reason) => Err(Stopped { reason, states: exploration.state_count() }),
        }
    }

    /// From now on, strategies are uniform: these agents do the same in states that look the same
    /// to them.
    pub fn demand_uniform(&mut self, agents: Vec<ObserverId>) {
        self.uniform = Some(agents);
    }

    /// All states, by whose numbers the labels are ordered.
    pub fn exploration(&self) -> &Exploration {
        &self.exploration
    }

    /// Labels all states with the state formulas of `formula`. One that speaks about paths holds in
    /// a state if it holds on all paths from there.
    pub fn check(
        &mut self,
        formula: &Formula<Atom>,
        paths: Paths,
        fairness: &[Formula<Atom>],
    ) -> Result<Checked, Stopped> {
        let states = self.exploration.state_count();
        self.try_check(formula, paths, fairness).map_err(|reason| Stopped { reason, states })
    }

    fn try_check(
        &mut self,
        formula: &Formula<Atom>,
        paths: Paths,
        fairness: &[Formula<Atom>],
    ) -> Result<Checked, Reason> {
        let mut charge = Charge { bytes: 0, budget: self.meter.budget().clone() };
        let structure = self.structure(paths, fairness, &mut charge)?;
        let labels = self.labels(formula, &structure, &mut charge)?;
        let answer = match &labels[formula.root().index()] {
            Some(label) => label.clone(),
            None => {
                let all = Quantified { formula, below: formula.root(), is_universal: true };
                self.quantified(&structure, &labels, all)?
            }
        };
        let number = |initial| self.exploration.position(initial).expect("initial states are reachable");
        let initial = match self.model.initially {
            Some(_) => (0..self.exploration.initial_count()).collect(),
            None => self.model.initial.iter().map(|initial| number(initial)).collect(),
        };
        let mut initial: Vec<usize> = initial;
        let counts = match self.model.is_synchronous() {
            true => structure.universe(),
            false => vec![true; structure.state_count()],
        };
        initial.retain(|&state| counts[state]);
        Ok(Checked { labels, answer, initial, counts, _charge: charge })
    }

    /// The graph whose paths count.
    fn structure(
        &mut self,
        paths: Paths,
        fairness: &[Formula<Atom>],
        charge: &mut Charge,
    ) -> Result<Structure, Reason> {
        let mut constraints = Vec::new();
        if !fairness.is_empty() {
            // The constraints themselves are read on maximal paths.
            let maximal = Structure::new(&self.edges, Paths::Maximal, charge, &mut self.meter)?;
            for constraint in fairness {
                let mut labels = self.labels(constraint, &maximal, charge)?;
                constraints.push(labels.pop().flatten().ok_or(Reason::Unsupported)?);
            }
        }
        let mut structure = Structure::new(&self.edges, paths, charge, &mut self.meter)?;
        structure.demand(constraints, &mut self.meter)?;
        Ok(structure)
    }

    /// For each subformula that speaks about states, in which it holds.
    fn labels(
        &mut self,
        formula: &Formula<Atom>,
        structure: &Structure,
        charge: &mut Charge,
    ) -> Result<Labels, Reason> {
        let sorts = Sorts::of(formula);
        if sorts.misplaced().is_some() {
            return Err(Reason::Unsupported);
        }
        let mut labels: Labels = Vec::with_capacity(formula.size());
        for (id, operator) in formula.subformulas() {
            if sorts.is_path(id) {
                labels.push(None);
                continue;
            }
            charge.add(structure.state_count() as u64)?;
            let of = |id: FormulaId| label(&labels, id);
            let both = |f: FormulaId, g: FormulaId, connective: fn(bool, bool) -> bool| -> Vec<bool> {
                of(f).iter().zip(of(g)).map(|(&f, &g)| connective(f, g)).collect()
            };
            let new = match *operator {
                Operator::True => vec![true; structure.state_count()],
                Operator::False => vec![false; structure.state_count()],
                Operator::Deadlock => structure.dead().to_vec(),
                Operator::Atom(ref atom) => self.atom(atom)?,
                Operator::Not(f) => complement(of(f)),
                Operator::And(f, g) => both(f, g, |f, g| f && g),
                Operator::Or(f, g) => both(f, g, |f, g| f || g),
                Operator::Implies(f, g) => both(f, g, |f, g| !f || g),
                Operator::Equivalent(f, g) => both(f, g, |f, g| f == g),
                Operator::Exists(below) => {
                    self.quantified(structure, &labels, Quantified { formula, below, is_universal: false })?
                }
                Operator::ForAll(below) => {
                    self.quantified(structure, &labels, Quantified { formula, below, is_universal: true })?
                }
                Operator::Knows(knowledge, ref who, f) => self.knows(structure, knowledge, who, of(f))?,
                Operator::CanForce(ref group, path) => {
                    let path = CtlPath::of(formula, &labels, path).ok_or(Reason::Unsupported)?;
                    self.can_force(structure, group, path)?
                }
                _ => unreachable!("temporal operators speak about paths"),
            };
            labels.push(Some(new));
        }
        Ok(labels)
    }

    /// The states in which a quantified formula holds.
    fn quantified(
        &mut self,
        structure: &Structure,
        labels: &Labels,
        Quantified { formula, below, is_universal }: Quantified<'_>,
    ) -> Result<Vec<bool>, Reason> {
        let path = CtlPath::of(formula, labels, below).filter(|_| self.method == Method::Labelling);
        Ok(match (path, is_universal) {
            (Some(path), false) => structure.exists(path, &mut self.meter)?,
            (Some(path), true) => structure.for_all(path, &mut self.meter)?,
            (None, _) => {
                let path_formula = PathFormula::new(formula, &Sorts::of(formula), below);
                // A formula holds on all paths unless its negation holds on one.
                let wanted = |truth: Truth| if is_universal { truth.fails } else { truth.holds };
                let found = tableau::some_path(structure, labels, &path_formula, wanted, &mut self.meter)?;
                if is_universal { complement(&found) } else { found }
            }
        })
    }

    /// The states in which an atom is true.
    fn atom(&mut self, atom: &Atom) -> Result<Vec<bool>, Reason> {
        let mut label = Vec::with_capacity(self.exploration.state_count());
        for state in self.exploration.states() {
            self.meter.step()?;
            label.push(atom.holds(self.model, &state).ok_or(Reason::AtomWithoutValue)?);
        }
        Ok(label)
    }
}

/// A quantifier above the subformula `below`.
#[derive(Clone, Copy)]
struct Quantified<'a> {
    formula: &'a Formula<Atom>,
    below: FormulaId,
    is_universal: bool,
}

/// For each subformula that speaks about states, whether it holds in each of them.
type Labels = Vec<Option<Vec<bool>>>;

fn label(labels: &Labels, id: FormulaId) -> &[bool] {
    labels[id.index()].as_deref().expect("state formulas are labelled before what they are part of")
}

fn complement(label: &[bool]) -> Vec<bool> {
    label.iter().map(|&holds| !holds).collect()
}
