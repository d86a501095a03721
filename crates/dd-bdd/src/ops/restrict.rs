//! Binding variables to constants: the lecture's `Restrict`, for several variables at once.

use crate::Variable;
use crate::bdd::{Bdd, Made};
use crate::node::Edge;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Root};

impl Bdd {
    /// The function that is left when variables have these values; it depends on none of them.
    pub fn restrict(&mut self, a: &Root, literals: &[(Variable, bool)]) -> Result<Root, Interrupted> {
        let f = Edge::of(a);
        self.run(&[a], |bdd| {
            let cube = bdd.cube_edge(literals)?;
            assert!(cube != Edge::FALSE, "a variable has one value");
            bdd.push(cube);
            bdd.restrict_edges(f, cube)
        })
    }

    /// `cube` is a conjunction of literals.
    fn restrict_edges(&mut self, f: Edge, cube: Edge) -> Made {
        // Skip what the function does not depend on.
        let level = self.level(f);
        let mut cube = cube;
        while self.level(cube) > level {
            cube = self.rest_of_cube(cube).1;
        }

        // Terminal cases.
        if level == 0 || cube == Edge::TRUE {
            return Ok(f);
        }
        if self.level(cube) == level {
            let (low, high) = self.cofactors(f, level);
            let (value, rest) = self.rest_of_cube(cube);
            return self.restrict_edges(if value { high } else { low }, rest);
        }

        // Normalise: signs pass through.
        let sign = f.sign();
        let f = f.unsigned();

        // Recall.
        let key = Key::new(self.operations.restrict, 0, f.word(), cube.word());
        if let Some(known) = self.recall(key) {
            return Ok(known.signed(sign));
        }
        self.step()?;

        // Split and recurse.
        let (f0, f1) = self.cofactors(f, level);
        let low = self.restrict_edges(f0, cube)?;
        self.push(low);
        let high = self.restrict_edges(f1, cube)?;
        self.pop(1);

        // Build and remember.
        let answer = self.mk(level, low, high)?;
        self.remember(key, answer);
        Ok(answer.signed(sign))
    }

    /// The value that the highest literal of a cube demands, and the other literals.
    fn rest_of_cube(&self, cube: Edge) -> (bool, Edge) {
        let (low, high) = self.cofactors(cube, self.level(cube));
        if low == Edge::FALSE { (true, high) } else { (false, low) }
    }
}
