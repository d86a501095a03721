//! Conjunctions of clauses: read from DIMACS text, given a vtree, compiled.
//!
//! Clauses belong to the lowest vtree node that holds their variables. A node's function is the
//! conjunction of those of its children and of its clauses, so that everything stays as local as the
//! vtree is good.

use crate::elimination::InteractionGraph;
use crate::sdd::Sdd;
use crate::vtree::{Part, Vtree, VtreeBuilder, VtreeError, VtreeNode};
use rustc_hash::FxHashSet;
use std::fmt;
use symbolon_budget::{Budget, Interrupted};
use symbolon_dd_core::{Root, Variable};

/// A conjunction of clauses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    /// The number of variables; some may occur in no clause.
    pub variable_count: u32,
    /// The clauses: variables, each with the value that makes the clause true.
    pub clauses: Vec<Vec<(Variable, bool)>>,
}

/// What is wrong with a DIMACS text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CnfError {
    /// The number of the line, if it is about one.
    pub line: Option<u32>,
    /// What was found and what was expected.
    pub what: String,
}

impl fmt::Display for CnfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl std::error::Error for CnfError {}

impl Cnf {
    /// Reads DIMACS: `c` begins a comment, `p cnf VARIABLES CLAUSES` comes first, and every clause ends
    /// with 0. A line that begins with `%` ends the text, as in the collection SATLIB.
    pub fn from_dimacs(text: &str) -> Result<Cnf, CnfError> {
        let mut header: Option<(u32, usize)> = None;
        let mut clauses = Vec::new();
        let mut open: Vec<(Variable, bool)> = Vec::new();
        for (line, content) in (1..).zip(text.lines()) {
            let wrong = |what: String| Err(CnfError { line: Some(line), what });
            let mut words = content.split_whitespace().peekable();
            match words.peek() {
                None => continue,
                Some(word) if word.starts_with('c') => continue,
                Some(word) if word.starts_with('%') => break,
                Some(&"p") => {
                    let numbers: Vec<&str> = words.skip(1).collect();
                    let ["cnf", variables, count] = numbers[..] else {
                        return wrong(format!(
                            "expected 'p cnf VARIABLES CLAUSES', found '{}'",
                            content.trim()
                        ));
                    };
                    match (variables.parse::<u32>(), count.parse::<usize>()) {
                        (Ok(variables), Ok(count)) if header.is_none() && variables < MOST_VARIABLES => {
                            header = Some((variables, count));
                        }
                        (Ok(_), Ok(_)) if header.is_some() => {
                            return wrong("a second line 'p cnf'; one formula is expected".to_string());
                        }
                        (Ok(variables), Ok(_)) => {
                            return wrong(format!(
                                "{variables} variables; at most {MOST_VARIABLES} are supported"
                            ));
                        }
                        _ => {
                            return wrong(format!(
                                "expected two numbers behind 'p cnf', found '{variables} {count}'"
                            ));
                        }
                    }
                    continue;
                }
                Some(_) => {}
            }
            let Some((variables, _)) = header else {
                return wrong(format!(
                    "expected 'p cnf VARIABLES CLAUSES' before the first clause, found '{}'",
                    content.trim()
                ));
            };
            for word in words {
                let Ok(literal) = word.parse::<i64>() else {
                    return wrong(format!("expected a literal, found '{word}'"));
                };
                if literal == 0 {
                    clauses.push(std::mem::take(&mut open));
                    continue;
                }
                match u32::try_from(literal.unsigned_abs()) {
                    Ok(variable) if variable <= variables => {
                        open.push((Variable(variable - 1), literal > 0));
                    }
                    _ => {
                        return wrong(format!(
                            "literal {literal}, but only variables 1 to {variables} were announced"
                        ));
                    }
                }
            }
        }
        let whole = |what: String| CnfError { line: None, what };
        let (variable_count, announced) =
            header.ok_or_else(|| whole("there is no line 'p cnf VARIABLES CLAUSES'".to_string()))?;
        if !open.is_empty() {
            return Err(whole("the last clause does not end with 0".to_string()));
        }
        if clauses.len() != announced {
            return Err(whole(format!("{announced} clauses were announced, but {} follow", clauses.len())));
        }
        Ok(Cnf { variable_count, clauses })
    }

    /// The vtree of least fill: each variable on the left of those that were eliminated before and
    /// occur in clauses with it then.
    pub fn min_fill_vtree(&self, budget: &Budget) -> Result<Vtree, Interrupted> {
        let mut graph = InteractionGraph::new(self.leaf_count() as usize);
        for clause in &self.clauses {
            let mut variables: Vec<u32> = clause.iter().map(|(variable, _)| variable.0).collect();
            variables.sort_unstable();
            variables.dedup();
            graph.tie(&variables);
        }
        let order = graph.elimination_order(&FxHashSet::default(), budget)?;
        let mut turn = vec![0; order.len()];
        order.iter().enumerate().for_each(|(number, (variable, _))| turn[*variable as usize] = number);
        let mut builder = VtreeBuilder::new();
        let mut below: Vec<Vec<(usize, Part)>> = vec![Vec::new(); order.len()];
        let mut roots = Vec::new();
        for (number, (variable, neighbours)) in order.iter().enumerate() {
            let leaf = builder.leaf(Variable(*variable));
            let subtrees = std::mem::take(&mut below[number]);
            let size = 1 + subtrees.iter().map(|(size, _)| size).sum::<usize>();
            let tree = match builder.join_smallest_first(subtrees) {
                Some(rest) => builder.join(leaf, rest),
                None => leaf,
            };
            match neighbours.iter().map(|&neighbour| turn[neighbour as usize]).min() {
                Some(parent) => below[parent].push((size, tree)),
                None => roots.push((size, tree)),
            }
        }
        let root = builder.join_smallest_first(roots).expect("there is a leaf");
        Ok(builder.finish(root).expect("every variable has one leaf"))
    }

    /// Whether a vtree has a leaf for each variable and no more.
    pub fn fits(&self, vtree: &Vtree) -> Result<(), VtreeError> {
        match vtree.variable_count() == self.leaf_count() as usize {
            true => Ok(()),
            false => {
                Err(VtreeError::Missing(Variable(vtree.variable_count() as u32), vtree.variable_count()))
            }
        }
    }

    /// The variables, of which a vtree has one at least.
    pub fn variables(&self) -> Vec<Variable> {
        (0..self.leaf_count()).map(Variable).collect()
    }

    fn leaf_count(&self) -> u32 {
        self.variable_count.max(1)
    }
}

/// Numbers of variables are smaller.
const MOST_VARIABLES: u32 = 1 << 24;

impl Sdd {
    /// The function of a conjunction of clauses.
    pub fn compile(&mut self, cnf: &Cnf) -> Result<Root, Interrupted> {
        // The plan is that of the first vtree; it may change while the clauses are joined.
        let mut clauses_at: Vec<Vec<&[(Variable, bool)]>> = vec![Vec::new(); self.vtree().nodes.len()];
        let mut has_empty = false;
        for clause in &cnf.clauses {
            let Some((first, others)) = clause.split_first() else {
                has_empty = true;
                continue;
            };
            let join = |top: u32, other: &(Variable, bool)| self.vtree.lowest_common(top, other.0.0);
            let top = others.iter().fold(first.0.0, join);
            clauses_at[top as usize].push(clause);
        }
        let children: Vec<Option<(VtreeNode, VtreeNode)>> =
            (0..clauses_at.len() as u32).map(|node| self.vtree().children(VtreeNode(node))).collect();
        let order = self.vtree.upwards(self.vtree.root);
        let mut made: Vec<Option<Root>> = vec![None; clauses_at.len()];
        for &node in &order {
            let mut all = match children[node as usize] {
                None => None,
                Some((left, right)) => match (made[left.index()].take(), made[right.index()].take()) {
                    (Some(left), Some(right)) => Some(self.and(&left, &right)?),
                    (one, other) => one.or(other),
                },
            };
            let mut clauses = std::mem::take(&mut clauses_at[node as usize]);
            clauses.sort_by_key(|clause| clause.len());
            for clause in clauses {
                let clause = self.clause(clause)?;
                all = Some(match all {
                    Some(all) => self.and(&all, &clause)?,
                    None => clause,
                });
            }
            made[node as usize] = all;
        }
        let last = order.last().and_then(|&root| made[root as usize].take());
        Ok(if has_empty { self.constant(false) } else { last.unwrap_or_else(|| self.constant(true)) })
    }
}
