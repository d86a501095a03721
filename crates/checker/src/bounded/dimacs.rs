//! The question of a bounded search as text for solvers outside this program.

use super::by_sat::{sat_goal, sat_options};
use super::method::SatMethod;
use super::reachability::{Asked, Goal, Refused, asked};
use crate::convert::{ConvertReport, ConvertedSize};
use crate::error::{Error, InputError};
use crate::loaded::Loaded;
use crate::property::Property;
use crate::report::{Reason, Unknown};
use crate::stop::Stop;
use symbolon_budget::Budget;
use symbolon_sat as sat;

/// Writes the question whether a state is reached in exactly `bound` steps: one that `property`
/// asks for, or a deadlock.
pub(crate) fn dimacs(
    loaded: &Loaded,
    property: Option<&Property>,
    method: SatMethod,
    steps: u64,
    budget: &Budget,
) -> Result<ConvertReport, Stop> {
    let wrong = |message: String| Error::Input(vec![InputError::plain(message)]);
    let (goal, what) = match property {
        None => (Goal::Dead, "a deadlock".to_string()),
        Some(property) => match asked(loaded, property) {
            Ok(Asked::Some(goal)) => (goal, format!("a state that shows '{}'", property.text)),
            Ok(Asked::None(goal)) => (goal, format!("a state that violates '{}'", property.text)),
            Ok(Asked::Constant(value)) => {
                return Err(wrong(format!("'{}' is {value} whatever the model does", property.text)).into());
            }
            Err(refused) => {
                let Refused { why, .. } = refused;
                return Err(wrong(format!("'{}' cannot be written down: {why}", property.text)).into());
            }
        },
    };
    let options = sat_options(method, None);
    let exact_steps = usize::try_from(steps).unwrap_or(usize::MAX);
    let formula = match sat::formula(&loaded.model, &sat_goal(&goal), &options, exact_steps, budget) {
        Ok(formula) => formula,
        Err(sat::Error::Interrupted(why)) => {
            return Err(why.into());
        }
        Err(error) => {
            let (reason, detail) = (Reason::Unsupported, error.to_string());
            return Err(Stop::Unknown(Unknown::because(reason, detail)));
        }
    };
    let comments = [
        format!("{}: is {what} reached in {steps} steps? ({})", loaded.name, method.name()),
        "if none is reached in fewer steps: satisfiable if and only if one is".to_string(),
    ];
    let size = ConvertedSize::Formula {
        variables: u64::from(formula.variable_count()),
        clauses: formula.clauses().count() as u64,
    };
    let (notes, warnings) = (Vec::new(), Vec::new());
    Ok(ConvertReport { text: formula.to_dimacs(&comments).into(), size, notes, warnings })
}
