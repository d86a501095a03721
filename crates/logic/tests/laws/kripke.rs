//! A handful of states, and what formulas mean there, straight from the definitions: the path
//! formula below `E` is put in negation normal form, every guess of what its temporal subformulas
//! will be is tried, and a guess is right if a cycle fulfils what it promised.

use std::collections::HashMap;
use symbolon_logic::{Formula, FormulaId, Operator, Paths};
use symbolon_testkit::RandomNumbers;

/// Atoms are numbers: bit `a` of a state's label says whether atom `a` holds there.
pub(crate) type Atom = u8;

/// A random structure with two atoms.
#[derive(Debug)]
pub(crate) struct Kripke {
    successors: Vec<Vec<usize>>,
    labels: Vec<u8>,
}

impl Kripke {
    pub(crate) fn random(numbers: &mut RandomNumbers) -> Kripke {
        let state_count = numbers.between(1, 4);
        let density = numbers.between(10, 60);
        let mut structure = Kripke { successors: Vec::new(), labels: Vec::new() };
        for _ in 0..state_count {
            structure
                .successors
                .push((0..state_count as usize).filter(|_| numbers.percent(density)).collect());
            structure.labels.push(numbers.below(4) as u8);
        }
        structure
    }

    /// The states in which a state formula holds.
    pub(crate) fn satisfying(&self, formula: &Formula<Atom>, paths: Paths) -> Vec<bool> {
        let mut evaluation = Evaluation { structure: self, formula, paths, known: HashMap::new() };
        evaluation.state_formula(formula.root())
    }
}

struct Evaluation<'a> {
    structure: &'a Kripke,
    formula: &'a Formula<Atom>,
    paths: Paths,
    known: HashMap<FormulaId, Vec<bool>>,
}

/// A path formula in negation normal form; the number of a temporal operator is its bit in a guess.
enum Path {
    State(Vec<bool>),
    And(Box<Path>, Box<Path>),
    Or(Box<Path>, Box<Path>),
    Next(Box<Path>, usize),
    Until(Box<Path>, Box<Path>, usize),
    Release(Box<Path>, Box<Path>, usize),
}

impl Evaluation<'_> {
    fn state_formula(&mut self, id: FormulaId) -> Vec<bool> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let count = self.structure.labels.len();
        let answer: Vec<bool> = match *self.formula.operator(id) {
            Operator::True => vec![true; count],
            Operator::False => vec![false; count],
            Operator::Deadlock => self.structure.successors.iter().map(Vec::is_empty).collect(),
            Operator::Atom(atom) => {
                self.structure.labels.iter().map(|label| label >> atom & 1 == 1).collect()
            }
            Operator::Not(f) => self.state_formula(f).into_iter().map(|holds| !holds).collect(),
            Operator::And(f, g) => self.combined(f, g, |f, g| f && g),
            Operator::Or(f, g) => self.combined(f, g, |f, g| f || g),
            Operator::Implies(f, g) => self.combined(f, g, |f, g| !f || g),
            Operator::Equivalent(f, g) => self.combined(f, g, |f, g| f == g),
            Operator::Exists(f) => self.exists(f, true),
            Operator::ForAll(f) => self.exists(f, false).into_iter().map(|holds| !holds).collect(),
            ref operator => panic!("{operator:?} is no state formula"),
        };
        self.known.insert(id, answer.clone());
        answer
    }

    fn combined(&mut self, f: FormulaId, g: FormulaId, of: fn(bool, bool) -> bool) -> Vec<bool> {
        let (f, g) = (self.state_formula(f), self.state_formula(g));
        f.into_iter().zip(g).map(|(f, g)| of(f, g)).collect()
    }

    /// Where `E f` holds, or `E !f`.
    fn exists(&mut self, f: FormulaId, is_kept: bool) -> Vec<bool> {
        let mut temporal_count = 0;
        let path = self.path(f, is_kept, &mut temporal_count);
        assert!(temporal_count <= 7, "too many temporal operators for this evaluation");
        let guesses = 1 << temporal_count;
        let state_count = self.structure.labels.len();
        let mut fulfilled = Vec::new();
        let mut edges = vec![Vec::new(); state_count * guesses];
        for state in 0..state_count {
            let is_dead = self.structure.successors[state].is_empty();
            let next_states = match self.paths {
                Paths::Maximal | Paths::Stutter if is_dead => vec![state],
                _ => self.structure.successors[state].clone(),
            };
            for guess in 0..guesses {
                let mut promises = Vec::new();
                path.promises((state, guess), &mut promises);
                fulfilled.push(promises);
                for &next_state in &next_states {
                    for next_guess in 0..guesses {
                        let nothing_next = is_dead && self.paths == Paths::Maximal;
                        if path.is_consistent((state, guess), (next_state, next_guess), nothing_next) {
                            edges[state * guesses + guess].push(next_state * guesses + next_guess);
                        }
                    }
                }
            }
        }
        let reached: Vec<Vec<bool>> = (0..edges.len()).map(|from| reached_from(&edges, from)).collect();
        let is_fair = |node: usize| {
            reached[node][node]
                && (0..fulfilled[node].len()).all(|promise| {
                    (0..edges.len()).any(|other| {
                        reached[node][other] && reached[other][node] && fulfilled[other][promise]
                    })
                })
        };
        let fair: Vec<bool> = (0..edges.len()).map(is_fair).collect();
        let begins = |node: usize| (0..edges.len()).any(|other| fair[other] && reached[node][other]);
        (0..state_count)
            .map(|state| {
                (0..guesses).any(|guess| path.value((state, guess)) && begins(state * guesses + guess))
            })
            .collect()
    }

    fn path(&mut self, id: FormulaId, is_kept: bool, count: &mut usize) -> Path {
        let state_count = self.structure.labels.len();
        let constant = |value: bool| Path::State(vec![value; state_count]);
        match *self.formula.operator(id) {
            Operator::Not(f) => self.path(f, !is_kept, count),
            Operator::And(f, g) | Operator::Or(f, g) => {
                let (left, right) = (self.path(f, is_kept, count), self.path(g, is_kept, count));
                let is_and = matches!(self.formula.operator(id), Operator::And(..)) == is_kept;
                combine(is_and, left, right)
            }
            Operator::Implies(f, g) => {
                let (left, right) = (self.path(f, !is_kept, count), self.path(g, is_kept, count));
                combine(!is_kept, left, right)
            }
            Operator::Equivalent(f, g) => {
                let mut both =
                    |f_kept, g_kept| combine(true, self.path(f, f_kept, count), self.path(g, g_kept, count));
                let (first, second) = (both(true, is_kept), both(false, !is_kept));
                combine(false, first, second)
            }
            Operator::Next(f) => Path::Next(Box::new(self.path(f, is_kept, count)), counted(count)),
            Operator::Finally(f) => {
                let operand = self.path(f, is_kept, count);
                until(is_kept, constant(is_kept), operand, count)
            }
            Operator::Globally(f) => {
                let operand = self.path(f, is_kept, count);
                until(!is_kept, constant(!is_kept), operand, count)
            }
            Operator::Until(f, g) | Operator::Release(f, g) => {
                let (left, right) = (self.path(f, is_kept, count), self.path(g, is_kept, count));
                let is_until = matches!(self.formula.operator(id), Operator::Until(..)) == is_kept;
                until(is_until, left, right, count)
            }
            // f W g is g R (f | g).
            Operator::WeakUntil(f, g) => {
                let (f, g, again) = (
                    self.path(f, is_kept, count),
                    self.path(g, is_kept, count),
                    self.path(g, is_kept, count),
                );
                until(!is_kept, g, combine(!is_kept, f, again), count)
            }
            _ => {
                let holds = self.state_formula(id);
                Path::State(holds.into_iter().map(|holds| holds == is_kept).collect())
            }
        }
    }
}

fn counted(count: &mut usize) -> usize {
    *count += 1;
    *count - 1
}

fn combine(is_and: bool, left: Path, right: Path) -> Path {
    match is_and {
        true => Path::And(Box::new(left), Box::new(right)),
        false => Path::Or(Box::new(left), Box::new(right)),
    }
}

fn until(is_until: bool, left: Path, right: Path, count: &mut usize) -> Path {
    match is_until {
        true => Path::Until(Box::new(left), Box::new(right), counted(count)),
        false => Path::Release(Box::new(left), Box::new(right), counted(count)),
    }
}

/// A state and a guess.
type Node = (usize, usize);

impl Path {
    fn value(&self, node: Node) -> bool {
        match self {
            Path::State(holds) => holds[node.0],
            Path::And(f, g) => f.value(node) && g.value(node),
            Path::Or(f, g) => f.value(node) || g.value(node),
            Path::Next(_, bit) | Path::Until(_, _, bit) | Path::Release(_, _, bit) => node.1 >> bit & 1 == 1,
        }
    }

    fn is_consistent(&self, now: Node, next: Node, nothing_next: bool) -> bool {
        match self {
            Path::State(_) => true,
            Path::And(f, g) | Path::Or(f, g) => {
                f.is_consistent(now, next, nothing_next) && g.is_consistent(now, next, nothing_next)
            }
            Path::Next(f, _) => {
                self.value(now) == (f.value(next) && !nothing_next)
                    && f.is_consistent(now, next, nothing_next)
            }
            Path::Until(f, g, _) => {
                self.value(now) == (g.value(now) || f.value(now) && self.value(next))
                    && f.is_consistent(now, next, nothing_next)
                    && g.is_consistent(now, next, nothing_next)
            }
            Path::Release(f, g, _) => {
                self.value(now) == (g.value(now) && (f.value(now) || self.value(next)))
                    && f.is_consistent(now, next, nothing_next)
                    && g.is_consistent(now, next, nothing_next)
            }
        }
    }

    /// Of every promise that must not be put off for ever, whether it is not put off here.
    fn promises(&self, node: Node, into: &mut Vec<bool>) {
        match self {
            Path::State(_) => {}
            Path::And(f, g) | Path::Or(f, g) => {
                f.promises(node, into);
                g.promises(node, into);
            }
            Path::Next(f, _) => f.promises(node, into),
            Path::Until(f, g, _) => {
                into.push(!self.value(node) || g.value(node));
                f.promises(node, into);
                g.promises(node, into);
            }
            Path::Release(f, g, _) => {
                into.push(self.value(node) || !g.value(node));
                f.promises(node, into);
                g.promises(node, into);
            }
        }
    }
}

/// What is reached in one step or more.
fn reached_from(edges: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    let mut waiting = edges[from].clone();
    while let Some(node) = waiting.pop() {
        if !std::mem::replace(&mut reached[node], true) {
            waiting.extend(&edges[node]);
        }
    }
    reached
}
