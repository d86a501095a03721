//! Ways to quantify that are slower, to be compared with the one that is used.
//!
//! [`Quantification::OneByOne`] is how packages without a quantifier do it: conjunction first, then one
//! variable after the other, `f|x ∨ f|¬x` each. [`Quantification::Recursive`] expands by all variables
//! in the order of the leaves before any disjunction, without remembering, as printed in the thesis on
//! sentential diagrams in MCMAS.

use crate::edge::Edge;
use crate::quantification::Quantification;
use crate::register::VariableSet;
use crate::sdd::{Made, Sdd};
use symbolon_dd_core::Variable;

impl Sdd {
    /// Says how [`Sdd::and_exists`], [`Sdd::image`] and [`Sdd::preimage`] quantify; for measurements.
    pub fn quantify_by(&mut self, how: Quantification) {
        self.quantification = how;
    }

    /// Conjunction and quantification in the way that was asked for.
    pub(crate) fn step_edges(&mut self, a: Edge, b: Edge, set: VariableSet) -> Made {
        match self.quantification {
            Quantification::OnePass => self.and_exists_edges(a, b, set),
            Quantification::OneByOne => {
                let mut all = self.and_edges(a, b)?;
                for variable in self.leaves_of(set) {
                    let high = self.condition_edge(all, variable, true)?;
                    let low = self.condition_edge(all, variable, false)?;
                    all = self.or_edges(high, low)?;
                }
                Ok(all)
            }
            Quantification::Recursive => {
                let all = self.and_edges(a, b)?;
                let variables = self.leaves_of(set);
                self.expand(all, &variables)
            }
        }
    }

    fn leaves_of(&self, set: VariableSet) -> Vec<Variable> {
        let order = self.vtree.variables();
        self.register.set(set).places.places().map(|place| order[place as usize]).collect()
    }

    fn expand(&mut self, f: Edge, variables: &[Variable]) -> Made {
        let Some((&variable, others)) = variables.split_first() else { return Ok(f) };
        if f.is_constant() {
            return Ok(f);
        }
        self.step()?;
        let high = self.condition_edge(f, variable, true)?;
        let low = self.condition_edge(f, variable, false)?;
        let high_some = self.expand(high, others)?;
        if high == low || high_some == Edge::TRUE {
            return Ok(high_some);
        }
        let low_some = self.expand(low, others)?;
        self.or_edges(high_some, low_some)
    }
}
