//! Functions from nothing: from a table of values, and cubes.

use crate::Variable;
use crate::bdd::{Bdd, Made};
use crate::node::Edge;
use symbolon_budget::Interrupted;
use symbolon_dd_core::Root;

impl Bdd {
    /// The function of these variables that has the given value for every choice of theirs: the
    /// lecture's `Build`.
    ///
    /// `value` is asked for every choice, so this is for a handful of variables. It gets their
    /// values in the order of `variables`.
    pub fn build(
        &mut self,
        variables: &[Variable],
        value: impl Fn(&[bool]) -> bool,
    ) -> Result<Root, Interrupted> {
        self.run(&[], |bdd| {
            let mut by_level: Vec<usize> = (0..variables.len()).collect();
            by_level.sort_unstable_by_key(|&place| std::cmp::Reverse(bdd.order.level(variables[place])));
            let mut values = vec![false; variables.len()];
            bdd.build_from(variables, &by_level, &mut values, &value)
        })
    }

    /// `Build'` of the lecture: the values of variables above are chosen.
    fn build_from(
        &mut self,
        variables: &[Variable],
        by_level: &[usize],
        values: &mut [bool],
        value: &impl Fn(&[bool]) -> bool,
    ) -> Made {
        let Some((&next, rest)) = by_level.split_first() else {
            return Ok(if value(values) { Edge::TRUE } else { Edge::FALSE });
        };
        self.step()?;
        values[next] = false;
        let low = self.build_from(variables, rest, values, value)?;
        self.push(low);
        values[next] = true;
        let high = self.build_from(variables, rest, values, value)?;
        self.pop(1);
        self.mk(self.order.level(variables[next]), low, high)
    }

    /// True where every variable has the given value. A variable that is given both values makes it
    /// *false*.
    pub fn cube(&mut self, literals: &[(Variable, bool)]) -> Result<Root, Interrupted> {
        self.run(&[], |bdd| bdd.cube_edge(literals))
    }

    /// Bottom-up, so that no operation is needed.
    pub(crate) fn cube_edge(&mut self, literals: &[(Variable, bool)]) -> Made {
        let mut sorted: Vec<(u32, bool)> =
            literals.iter().map(|&(variable, value)| (self.order.level(variable), value)).collect();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.windows(2).any(|two| two[0].0 == two[1].0) {
            return Ok(Edge::FALSE);
        }
        sorted.into_iter().try_fold(Edge::TRUE, |below, (level, value)| match value {
            true => self.mk(level, Edge::FALSE, below),
            false => self.mk(level, below, Edge::FALSE),
        })
    }
}
