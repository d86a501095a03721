//! Witnesses that branch: a path, and at some of its states further paths, each evidence about a quantified subformula.
//!
//! A tree is believed in two steps. [`replay_tree`] walks all of it, and [`shown_by_tree`] asks what it proves: the
//! formula is evaluated along each path, and where a quantified subformula stands in the way, the branches there
//! answer for it. A path is evidence that `E f` holds, or that `A f` fails, never the reverse.

use crate::lasso::Path;
use crate::replay::walk;
use crate::{Ending, LassoError, ReplayError, Trace, Truth};
use symbolon_logic::{Formula, FormulaId, Operator, Paths, Sorts};
use symbolon_model::{Atom, Model, State};

/// A path of a model, and what branches off it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The run that the path begins with.
    pub trace: Trace,
    /// How it goes on.
    pub ending: Ending,
    /// What else is shown at states of the path.
    pub branches: Vec<Branch>,
}

/// A tree that begins at a state of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// After so many events of the path.
    pub position: usize,
    /// The quantified subformula that it is evidence about.
    pub formula: FormulaId,
    /// The evidence.
    pub tree: Tree,
}

/// Walks along all paths of `tree`: it starts in an initial state and its branches where they leave it, every step is
/// possible, loops close, and paths that end do so in dead states.
pub fn replay_tree(model: &Model, tree: &Tree) -> Result<(), ReplayError> {
    if !model.initial.contains(&tree.trace.initial) {
        return Err(ReplayError::NotInitial);
    }
    walk_all(model, tree).map(drop)
}

/// What `tree`, which is replayed first, shows about `formula` in its first state: that it holds, that it fails, or
/// neither. Where no branch tells about a quantified subformula in a state, `otherwise` is asked. A formula that speaks
/// about paths is meant with `A` before it.
///
/// Under `Infinite`, and under fairness, an open path shows what it shows only if it can go on as demanded; that is not
/// looked at.
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
    /// Its branches: their positions, what they are evidence about, and their numbers among all trees.
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
    /// What is shown about the formula. The first path may be evidence about any quantified subformula at its start.
    fn about_root(&mut self) -> Result<Truth, LassoError> {
        let root = self.formula.root();
        let sorts = Sorts::of(self.formula);
        if sorts.is_path(root) {
            return Ok(Truth { holds: false, ..self.along(0, root)? });
        }
        // Quantified subformulas that are not inside others.
        let mut at_start = vec![UNKNOWN; self.formula.size()];
        for (id, operator) in self.formula.subformulas() {
            if matches!(operator, Operator::Exists(_) | Operator::ForAll(_)) {
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
            Operator::Exists(f) => Truth { fails: false, ..self.along(number, f)? },
            Operator::ForAll(f) => Truth { holds: false, ..self.along(number, f)? },
            _ => UNKNOWN,
        };
        if shows != UNKNOWN {
            return Ok(shows);
        }
        Ok((self.otherwise)(id, &self.walked[number].states[0]).map_or(UNKNOWN, Truth::of))
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
    let mut trees = vec![(tree, None)];
    let mut walked: Vec<Walked> = Vec::new();
    while let Some(&(tree, formula)) = trees.get(walked.len()) {
        let states = walk(model, &tree.trace)?;
        tree.ending.fits(model, &states)?;
        let mut branches = Vec::new();
        for Branch { position, formula, tree: branch } in &tree.branches {
            if states.get(*position) != Some(&branch.trace.initial) {
                return Err(ReplayError::BranchElsewhere { position: *position });
            }
            // The last state of a loop is its first.
            let position = match tree.ending {
                Ending::Loop(start) if *position + 1 == states.len() => start,
                _ => *position,
            };
            branches.push((position, *formula, trees.len()));
            trees.push((branch, Some(*formula)));
        }
        walked.push(Walked { states, ending: tree.ending, formula, branches });
    }
    Ok(walked)
}
