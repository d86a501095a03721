//! The choices of values that make a function true, one after another.

use crate::Variable;
use crate::bdd::Bdd;
use crate::node::Edge;
use symbolon_dd_core::Root;

impl Bdd {
    /// Whether the function is true for these values, given by variable.
    pub fn contains(&self, a: &Root, values: &[bool]) -> bool {
        let mut edge = Edge::of(a);
        while !edge.is_terminal() {
            let level = self.level(edge);
            let (low, high) = self.cofactors(edge, level);
            edge = if values[self.order.variable_at[level as usize].index()] { high } else { low };
        }
        edge == Edge::TRUE
    }

    /// The values of `variables`, in their order, that make the function true; it depends on no
    /// other variable. Ascending by what stands highest in the diagram, so the sequence changes
    /// with the order of variables.
    pub fn assignments(&self, a: &Root, variables: &[Variable]) -> Assignments<'_> {
        let mut levels: Vec<(u32, usize)> = variables
            .iter()
            .enumerate()
            .map(|(place, &variable)| (self.order.level(variable), place))
            .collect();
        levels.sort_unstable_by_key(|&(level, _)| std::cmp::Reverse(level));
        let edge = Edge::of(a);
        let mut assignments =
            Assignments { bdd: self, levels, path: Vec::new(), finished: edge == Edge::FALSE };
        if !assignments.finished {
            assignments.descend(edge);
        }
        assignments
    }

    /// The first of [`Bdd::assignments`], if there is one.
    pub fn choose(&self, a: &Root, variables: &[Variable]) -> Option<Vec<bool>> {
        self.assignments(a, variables).next()
    }
}

/// An iterator over the choices that make a function true.
pub struct Assignments<'a> {
    bdd: &'a Bdd,
    /// Levels of the variables from the highest, each with its place in the answers.
    levels: Vec<(u32, usize)>,
    /// From the highest variable: the function there, and the value taken.
    path: Vec<(Edge, bool)>,
    finished: bool,
}

impl Assignments<'_> {
    /// Takes the first branch that leads to *true*, down to the lowest variable.
    fn descend(&mut self, mut edge: Edge) {
        for place in self.path.len()..self.levels.len() {
            let (low, high) = self.bdd.cofactors(edge, self.levels[place].0);
            let value = low == Edge::FALSE;
            self.path.push((edge, value));
            edge = if value { high } else { low };
        }
        assert!(edge == Edge::TRUE, "the function depends on the given variables alone");
    }

    fn current(&self) -> Vec<bool> {
        let mut values = vec![false; self.levels.len()];
        for (&(_, place), &(_, value)) in self.levels.iter().zip(&self.path) {
            values[place] = value;
        }
        values
    }

    /// Moves to the next choice, if there is one.
    fn advance(&mut self) -> bool {
        while let Some((edge, value)) = self.path.pop() {
            let (_, high) = self.bdd.cofactors(edge, self.levels[self.path.len()].0);
            if !value && high != Edge::FALSE {
                self.path.push((edge, true));
                self.descend(high);
                return true;
            }
        }
        false
    }
}

impl Iterator for Assignments<'_> {
    type Item = Vec<bool>;

    fn next(&mut self) -> Option<Vec<bool>> {
        if self.finished {
            return None;
        }
        let values = self.current();
        self.finished = !self.advance();
        Some(values)
    }
}
