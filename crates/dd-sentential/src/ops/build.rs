//! Functions from nothing: cubes, clauses, and tables of values.

use crate::edge::{Edge, Element};
use crate::sdd::{Made, Sdd};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Root, Variable};

impl Sdd {
    /// True where every variable has the given value. A variable that is given both values makes it
    /// *false*.
    pub fn cube(&mut self, literals: &[(Variable, bool)]) -> Result<Root, Interrupted> {
        self.run(|sdd| sdd.cube_edge(literals))
    }

    /// True where some variable has the given value.
    pub fn clause(&mut self, literals: &[(Variable, bool)]) -> Result<Root, Interrupted> {
        let negated: Vec<(Variable, bool)> =
            literals.iter().map(|&(variable, value)| (variable, !value)).collect();
        self.run(|sdd| Ok(!sdd.cube_edge(&negated)?))
    }

    pub(crate) fn cube_edge(&mut self, literals: &[(Variable, bool)]) -> Made {
        let place =
            |&(variable, value): &(Variable, bool)| (self.vtree.node(variable.0).from, variable, value);
        let mut sorted: Vec<(u32, Variable, bool)> = literals.iter().map(place).collect();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.windows(2).any(|two| two[0].0 == two[1].0) {
            return Ok(Edge::FALSE);
        }
        self.cube_of(&sorted)
    }

    /// From the vtree node down at which the first and the last of the literals part.
    fn cube_of(&mut self, literals: &[(u32, Variable, bool)]) -> Made {
        match literals {
            [] => Ok(Edge::TRUE),
            [(_, variable, value)] => Ok(self.literal(*variable, *value)),
            [first, .., last] => {
                let v = self.vtree.lowest_common(first.1.0, last.1.0);
                let node = self.vtree.node(v);
                let behind = self.vtree.node(node.left).to;
                let (left, right) = literals.split_at(literals.partition_point(|literal| literal.0 < behind));
                self.step()?;
                let left = self.cube_of(left)?;
                let right = self.cube_of(right)?;
                if self.has_two[v as usize] {
                    return match left.is_regular() {
                        true => self.make_two(v, right, Edge::FALSE),
                        false => self.make_two(v, Edge::FALSE, right),
                    };
                }
                let mark = self.stack.len();
                self.stack.push(Element::new(left, right));
                self.stack.push(Element::new(!left, Edge::FALSE));
                self.make(v, mark)
            }
        }
    }

    /// The function of these variables that has the given value for every choice of theirs.
    ///
    /// `value` is asked for every choice, so this is for a handful of variables. It gets their
    /// values in the order of `variables`.
    pub fn build(
        &mut self,
        variables: &[Variable],
        value: impl Fn(&[bool]) -> bool,
    ) -> Result<Root, Interrupted> {
        self.run(|sdd| {
            let mut values = vec![false; variables.len()];
            sdd.build_from(variables, 0, &mut values, &value)
        })
    }

    fn build_from(
        &mut self,
        variables: &[Variable],
        next: usize,
        values: &mut [bool],
        value: &impl Fn(&[bool]) -> bool,
    ) -> Made {
        let Some(&variable) = variables.get(next) else {
            return Ok(Edge::constant(value(values)));
        };
        self.step()?;
        values[next] = false;
        let low = self.build_from(variables, next + 1, values, value)?;
        values[next] = true;
        let high = self.build_from(variables, next + 1, values, value)?;
        let literal = self.literal(variable, true);
        self.ite_edges(literal, high, low)
    }
}
