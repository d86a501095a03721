//! The initial states of a model as a function of bits.

use super::arithmetic::Formulas;
use super::bits::Bits;
use crate::sets::linear::LinearTest;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Functions, Root};
use symbolon_dd_mdd::SumTest;
use symbolon_model::{Model, Predicate, State, VariableId};

/// Where a model begins.
pub(crate) struct Initial {
    states: States,
    /// The largest value of each variable with a finite domain, where not every code stands for a
    /// value.
    domains: Vec<(VariableId, u64)>,
}

enum States {
    Listed(Vec<State>),
    Described(Box<Predicate>),
}

impl Initial {
    /// The initial states of `model`.
    pub(crate) fn new(model: &Model, bits: &Bits) -> Initial {
        let states = match &model.initially {
            Some(predicate) => States::Described(predicate.clone()),
            None => States::Listed(model.initial.clone()),
        };
        let domain = |variable: VariableId| {
            let largest = model.values_of(variable).count()?.saturating_sub(1);
            (largest < bits.largest(variable)).then_some((variable, largest))
        };
        Initial { states, domains: model.variable_ids().filter_map(domain).collect() }
    }

    /// Where they are.
    pub(crate) fn set<F: Functions>(&self, kernel: &mut F, bits: &Bits) -> Result<Root, Interrupted> {
        match &self.states {
            States::Described(predicate) => {
                let mut formulas = Formulas { kernel, bits };
                let held = formulas.holds(predicate)?;
                // Codes that stand for no value are left out.
                let mut all = vec![held];
                for (variable, largest) in &self.domains {
                    let test = LinearTest {
                        terms: vec![(*variable, 1)],
                        test: SumTest::AtMost,
                        bound: i128::from(*largest),
                    };
                    all.push(formulas.sum(&test)?);
                }
                formulas.all(all)
            }
            States::Listed(states) => {
                let mut set = kernel.constant(false);
                for state in states {
                    let literals = bits.encode(state).ok_or(Interrupted::Overflow)?;
                    let one = kernel.cube(&literals)?;
                    set = kernel.or(&set, &one)?;
                }
                Ok(set)
            }
        }
    }
}
