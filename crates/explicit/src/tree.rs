//! Witnesses that branch: a path, and at some of its states further paths, each evidence about a
//! quantified subformula.
//!
//! A tree is believed in two steps. [`replay_tree`] walks all of it, and [`shown_by_tree`] asks
//! what it proves: the formula is evaluated along each path, and where a quantified subformula
//! stands in the way, the branches there answer for it. A path is evidence that `E f` holds, or
//! that `A f` fails, never the reverse.
//!
//! That an agent does not know `f` is shown by a run to a state that looks the same to the agent
//! and in which `f` fails; what shows that, branches off there. That a group can force something is
//! shown by a strategy.

use crate::initial_states::is_initial;
use crate::joint_trace::walk_joint;
use crate::lasso::Path;
use crate::replay::walk;
use crate::state_formula::{StateFormulas, is_quantifier};
use crate::{Ending, Goal, JointTrace, LassoError, ReplayError, Strategy, Trace, Truth, follow_strategy};
use symbolon_logic::{Formula, FormulaId, Knowledge, Operator, Paths, Sorts};
use symbolon_model::{Atom, Model, ObserverId, State};

/// A path of a model, and what branches off it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The run that the path begins with.
    pub run: Run,
    /// How it goes on.
    pub ending: Ending,
    /// What a group does from the first state on, if that is what is shown.
    pub strategy: Option<Strategy>,
    /// What else is shown at states of the path.
    pub branches: Vec<Branch>,
}

/// A run, of events or of synchronous steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// One event after the other.
    Events(Trace),
    /// One joint action after the other.
    Joint(JointTrace),
}

impl Run {
    fn initial(&self) -> &State {
        match self {
            Run::Events(trace) => &trace.initial,
            Run::Joint(trace) => &trace.initial,
        }
    }

    /// Walks along the run, wherever it starts, and returns every state on the way.
    fn walk(&self, model: &Model) -> Result<Vec<State>, ReplayError> {
        match self {
            Run::Events(trace) => walk(model, trace),
            Run::Joint(trace) => {
                walk_joint(model, trace)?;
                let states = trace.steps.iter().map(|step| step.state.clone());
                Ok(std::iter::once(trace.initial.clone()).chain(states).collect())
            }
        }
    }
}

/// How a branch is tied to the state that it leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// It begins there.
    Path,
    /// It begins in an initial state, and all of these see the same at its end as there.
    Alike(Vec<ObserverId>),
    /// It begins in an initial state, and at its end this one behaves as it should.
    Correct(ObserverId),
}

/// A tree that tells more about a state of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The number of events of the path before it.
    pub position: usize,
    /// How it is tied to that state.
    pub link: Link,
    /// The quantified subformula that it is evidence about.
    pub formula: FormulaId,
    /// The evidence.
    pub tree: Tree,
}

/// Walks along all paths of `tree`: it starts in an initial state and its branches where they leave
/// it, every step is possible, loops close, and paths that end do so in dead states.
pub fn replay_tree(model: &Model, tree: &Tree) -> Result<(), ReplayError> {
    if !is_initial(model, tree.run.initial()) {
        return Err(ReplayError::NotInitial);
    }
    walk_all(model, tree).map(drop)
}

/// What `tree`, which is replayed first, shows about `formula` in its first state: that it holds,
/// that it fails, or neither. Where no branch tells about a quantified subformula in a state,
/// `otherwise` is asked. A formula that speaks about paths is meant with `A` before it.
///
/// Under `Infinite`, and under fairness, an open path shows what it shows only if it can go on as
/// demanded; that is not looked at.
pub fn shown_by_tree(
    model: &Model,
    formula: &Formula<Atom>,
    paths: Paths,
    tree: &Tree,
    otherwise: impl FnMut(FormulaId, &[u64]) -> Option<bool>,
) -> Result<Truth, LassoError> {
    replay_tree(model, tree)?;
    let walked = walk_all(model, tree)?;
    let shown = vec![UNKNOWN; walked.len()];
    let mut evidence = Evidence { model, formula, paths, walked, shown, otherwise };
    // Branches before what they leave.
    for number in (1..evidence.walked.len()).rev() {
        let id = evidence.walked[number].formula.expect("all but the first are branches");
        evidence.shown[number] = evidence.about_quantified(number, id)?;
    }
    evidence.about_root()
}

/// Nothing is shown.
const UNKNOWN: Truth = Truth { holds: false, fails: false };

/// A tree whose path was walked.
struct Walked {
    states: Vec<State>,
    ending: Ending,
    /// What it is evidence about; `None` for the whole tree.
    formula: Option<FormulaId>,
    link: Link,
    strategy: Option<Strategy>,
    /// Its branches: their positions, what they are evidence about, and their numbers among all
    /// trees.
    branches: Vec<(usize, FormulaId, usize)>,
}

/// All trees, the whole one first, and what each of them shows about its formula.
struct Evidence<'a, F> {
    model: &'a Model,
    formula: &'a Formula<Atom>,
    paths: Paths,
    walked: Vec<Walked>,
    shown: Vec<Truth>,
    otherwise: F,
}

impl<F: FnMut(FormulaId, &[u64]) -> Option<bool>> Evidence<'_, F> {
    /// What is shown about the formula. The first path may be evidence about any quantified
    /// subformula at its start.
    fn about_root(&mut self) -> Result<Truth, LassoError> {
        let root = self.formula.root();
        let sorts = Sorts::of(self.formula);
        if sorts.is_path(root) {
            return Ok(Truth { holds: false, ..self.along(0, root)? });
        }
        // Quantified subformulas that are not inside others.
        let mut at_start = vec![UNKNOWN; self.formula.size()];
        for (id, operator) in self.formula.subformulas() {
            if is_quantifier(operator) {
                let by_branches = self.walked[0].shown_at(id, 0, &self.shown);
                at_start[id.index()] =
                    if by_branches == UNKNOWN { self.about_quantified(0, id)? } else { by_branches };
            }
        }
        let start = &self.walked[0].states[..1];
        let path = Path { model: self.model, states: start, ending: Ending::Open };
        path.truth(self.formula, root, self.paths, |id, _| at_start[id.index()])
    }

    /// What the path of a tree shows about the quantified subformula `id` at its start.
    fn about_quantified(&mut self, number: usize, id: FormulaId) -> Result<Truth, LassoError> {
        let shows = match *self.formula.operator(id) {
            Operator::Exists(f) if self.is_path(number) => Truth { fails: false, ..self.along(number, f)? },
            Operator::ForAll(f) if self.is_path(number) => Truth { holds: false, ..self.along(number, f)? },
            Operator::Knows(knowledge, ref who, f) => {
                self.about_knowledge(number, (id, f), knowledge, who)?
            }
            Operator::CanForce(ref group, path) => self.about_strategy(number, group, path)?,
            _ => UNKNOWN,
        };
        if shows != UNKNOWN {
            return Ok(shows);
        }
        Ok((self.otherwise)(id, &self.walked[number].states[0]).map_or(UNKNOWN, Truth::of))
    }

    /// Whether a tree begins where it leaves the other.
    fn is_path(&self, number: usize) -> bool {
        self.walked[number].link == Link::Path
    }

    /// What a tree shows about `id`, a knowledge operator over `f`: that it fails, or nothing.
    fn about_knowledge(
        &mut self,
        number: usize,
        (id, f): (FormulaId, FormulaId),
        knowledge: Knowledge,
        who: &str,
    ) -> Result<Truth, LassoError> {
        let walked = &self.walked[number];
        let observers = &self.model.observers;
        let members = observers.members(who).unwrap_or_default();
        let last = walked.states.len() - 1;
        let (position, is_meant) = match (&walked.link, knowledge) {
            (Link::Path, Knowledge::Correct) => {
                let red = observers.named(who).map(|id| &observers.observer(id).red);
                (0, red.is_some_and(|red| red.holds(&walked.states[0]) == Some(false)))
            }
            (Link::Path, _) => (0, true),
            (Link::Alike(seeing), Knowledge::Agent) => (last, observers.named(who).as_slice() == &seeing[..]),
            (Link::Alike(seeing), Knowledge::Everyone | Knowledge::Common) => {
                (last, matches!(seeing[..], [one] if members.contains(&one)))
            }
            (Link::Alike(seeing), Knowledge::Distributed) => (last, *seeing == members),
            (Link::Correct(agent), Knowledge::Correct) => (last, observers.named(who) == Some(*agent)),
            _ => return Ok(UNKNOWN),
        };
        if !is_meant {
            return Ok(UNKNOWN);
        }
        // Common knowledge fails where it fails for an agent that another one considers.
        if knowledge == Knowledge::Common && walked.shown_at(id, position, &self.shown).fails {
            return Ok(Truth { holds: false, fails: true });
        }
        let here =
            Path { model: self.model, states: &walked.states[position..=position], ending: Ending::Open };
        let (shown, otherwise) = (&self.shown, &mut self.otherwise);
        let truth = here.truth(self.formula, f, self.paths, |id, _| {
            let by_branches = walked.shown_at(id, position, shown);
            if by_branches != UNKNOWN {
                return by_branches;
            }
            otherwise(id, &walked.states[position]).map_or(UNKNOWN, Truth::of)
        })?;
        Ok(Truth { holds: false, ..truth })
    }

    /// What the strategy of a tree shows about what a group can force: that it can, or nothing.
    fn about_strategy(&mut self, number: usize, group: &str, path: FormulaId) -> Result<Truth, LassoError> {
        let walked = &self.walked[number];
        let observers = &self.model.observers;
        let members = observers.members(group).unwrap_or_default();
        let own = members.iter().filter_map(|&id| observers.observer(id).action);
        let Some(strategy) =
            walked.strategy.as_ref().filter(|strategy| own.eq(strategy.actions.iter().copied()))
        else {
            return Ok(UNKNOWN);
        };
        let (goal, first, second) = match *self.formula.operator(path) {
            Operator::Next(f) => (Goal::Next, None, Some(f)),
            Operator::Finally(g) => (Goal::Until, None, Some(g)),
            Operator::Until(f, g) => (Goal::Until, Some(f), Some(g)),
            Operator::Globally(f) => (Goal::Globally, Some(f), None),
            _ => return Ok(UNKNOWN),
        };
        let wanted: Vec<FormulaId> = first.into_iter().chain(second).collect();
        let formulas = StateFormulas::new(self.model, self.formula, wanted);
        let otherwise = &mut self.otherwise;
        let followed = follow_strategy(self.model, strategy, &walked.states[0], goal, |state| {
            let truths = formulas.truths(state, |id| otherwise(id, state).map_or(UNKNOWN, Truth::of));
            let truths = truths.unwrap_or_default();
            let mut holds = truths.iter().map(|truth| truth.holds);
            let mut next = |is_asked: bool| !is_asked || holds.next().unwrap_or(false);
            (next(first.is_some()), next(second.is_some()))
        });
        Ok(Truth { holds: followed.is_ok(), fails: false })
    }

    /// What the path of a tree says about the path formula `id`.
    fn along(&mut self, number: usize, id: FormulaId) -> Result<Truth, LassoError> {
        let walked = &self.walked[number];
        let path = Path { model: self.model, states: &walked.states, ending: walked.ending };
        path.truth(self.formula, id, self.paths, |id, position| {
            let by_branches = walked.shown_at(id, position, &self.shown);
            if by_branches != UNKNOWN {
                return by_branches;
            }
            (self.otherwise)(id, &walked.states[position]).map_or(UNKNOWN, Truth::of)
        })
    }
}

impl Walked {
    /// What branches at a position show about the quantified subformula `id`.
    fn shown_at(&self, id: FormulaId, position: usize, shown: &[Truth]) -> Truth {
        let is_here = |&&(at, formula, _): &&(usize, FormulaId, usize)| formula == id && at == position;
        let all = self.branches.iter().filter(is_here).map(|&(_, _, number)| shown[number]);
        all.fold(UNKNOWN, |a, b| Truth { holds: a.holds || b.holds, fails: a.fails || b.fails })
    }
}

/// Walks along all paths; each tree comes before its branches.
fn walk_all(model: &Model, tree: &Tree) -> Result<Vec<Walked>, ReplayError> {
    // Each with the branch that it is, and the number of the tree that it leaves.
    let mut trees: Vec<(&Tree, Option<(&Branch, usize)>)> = vec![(tree, None)];
    let mut walked: Vec<Walked> = Vec::new();
    while let Some(&(tree, branch)) = trees.get(walked.len()) {
        let states = tree.run.walk(model)?;
        tree.ending.fits(model, &states)?;
        if let Some((Branch { position, link, .. }, parent)) = branch {
            tied(model, &walked[parent].states, *position, link, &states)?;
        }
        let mut branches = Vec::new();
        for branch in &tree.branches {
            // The last state of a loop is its first.
            let position = match tree.ending {
                Ending::Loop(start) if branch.position + 1 == states.len() => start,
                _ => branch.position,
            };
            branches.push((position, branch.formula, trees.len()));
            trees.push((&branch.tree, Some((branch, walked.len()))));
        }
        let (formula, link) = match branch {
            Some((branch, _)) => (Some(branch.formula), branch.link.clone()),
            None => (None, Link::Path),
        };
        let strategy = tree.strategy.clone();
        walked.push(Walked { states, ending: tree.ending, formula, link, strategy, branches });
    }
    Ok(walked)
}

/// Whether a branch through `states` is tied as it says to the state of a path at this position.
fn tied(
    model: &Model,
    path: &[State],
    position: usize,
    link: &Link,
    states: &[State],
) -> Result<(), ReplayError> {
    let Some(here) = path.get(position) else { return Err(ReplayError::BranchElsewhere { position }) };
    let observers = &model.observers;
    let (first, last) = (&states[0], &states[states.len() - 1]);
    let is_as_said = match link {
        Link::Path if first != here => return Err(ReplayError::BranchElsewhere { position }),
        Link::Path => return Ok(()),
        Link::Alike(seeing) => seeing.iter().all(|&id| {
            let seen = &observers.observer(id).variables;
            seen.iter().all(|variable| here[variable.index()] == last[variable.index()])
        }),
        Link::Correct(agent) => observers.observer(*agent).red.holds(last) == Some(false),
    };
    match (is_initial(model, first), is_as_said) {
        (false, _) => Err(ReplayError::NotInitial),
        (true, false) => Err(ReplayError::NotAlike { position }),
        (true, true) => Ok(()),
    }
}
