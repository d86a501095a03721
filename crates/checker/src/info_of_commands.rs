//! What a program of guarded commands is made of, and what its structure proves.

use crate::error::InputError;
use crate::info::{InfoReport, Limited, OrderReport, describe, first_order_of};
use crate::loaded::Loaded;
use crate::options::Options;
use crate::orders::order_choice;
use crate::stop::Stop;
use num_bigint::BigUint;
use symbolon_budget::Budget;
use symbolon_model::{Part, Values};

/// The answer of `info` for a program.
#[derive(Clone, Debug)]
pub struct ProgramInfo {
    /// The name of the program in its text.
    pub program: String,
    /// Its parameters and their values.
    pub parameters: Vec<(String, i64)>,
    /// Its variables.
    pub variables: Vec<VariableInfo>,
    /// The number of commands, with all copies and cases.
    pub commands: usize,
    /// How many of them compute with variables, or compare some with each other.
    pub computing: usize,
    /// Its processes and components, with the number of variables of each.
    pub components: Vec<(String, usize)>,
    /// The number of initial states; `None` where they are described.
    pub initial_states: Option<usize>,
    /// All combinations of values; `None` if there are infinitely many.
    pub combinations: Option<BigUint>,
    /// What it asks: names and formulas.
    pub properties: Vec<(String, String)>,
    /// Variables that were proved to grow without end, and one round of a run that adds to them.
    pub growth: Option<GrowthInfo>,
    /// What the structure proves, if each command tests and changes its variables one by one: what is
    /// said of places and transitions is about variables and commands of the same names.
    pub structure: Option<Box<InfoReport>>,
    /// The variable order that would be tried first.
    pub order: Limited<OrderReport>,
    /// The number of warnings.
    pub warnings: usize,
}

/// A variable of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableInfo {
    /// Its name.
    pub name: String,
    /// What it may be, as the language writes it.
    pub values: String,
    /// Its values in the initial states that are listed, each once.
    pub initial: Vec<String>,
    /// The largest value that it provably never exceeds, if it holds numbers and one is known.
    pub at_most: Option<String>,
}

/// Why a program has infinitely many states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrowthInfo {
    /// The variables.
    pub variables: Vec<String>,
    /// The commands of one round, which can be repeated for ever.
    pub round: Vec<String>,
}

/// Describes a program.
pub(crate) fn info_of_commands(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
) -> Result<ProgramInfo, Stop> {
    let Some(program) = loaded.program() else {
        let message = format!("'{}' is {}, and has no commands", loaded.name, loaded.language().noun());
        return Err(InputError::plain(message).into());
    };
    let model = &loaded.model;
    let choice = order_choice(loaded, &options.variable_order)?;
    let structure = match program.net {
        Some(_) => Some(Box::new(describe(loaded, &choice, budget)?)),
        None => None,
    };
    let order = match &structure {
        Some(structure) => structure.order.clone(),
        None => first_order_of(model, &choice, budget)?,
    };
    let sizes: Option<Vec<u64>> = model.variable_ids().map(|id| model.values_of(id).count()).collect();
    let computes = |part: &Part| matches!(part, Part::General { .. });
    let leaf =
        |index: usize| model.components.iter().all(|one| one.parent.is_none_or(|p| p.0 as usize != index));
    let components = model.components.iter().enumerate().filter(|(index, _)| *index > 0 && leaf(*index));
    let asked = loaded.questions.properties.iter();
    Ok(ProgramInfo {
        program: model.name.clone(),
        parameters: program.parameters.clone(),
        variables: variables(loaded, structure.as_deref()),
        commands: model.events.len(),
        computing: model.events.iter().filter(|event| event.parts.iter().any(computes)).count(),
        components: components.map(|(_, one)| (one.name.clone(), one.variables.len())).collect(),
        initial_states: model.initially.is_none().then_some(model.initial.len()),
        combinations: sizes.map(|sizes| sizes.into_iter().map(BigUint::from).product()),
        properties: asked.map(|property| (property.name.clone(), property.text.clone())).collect(),
        growth: growth(loaded),
        structure,
        order,
        warnings: loaded.warnings.len(),
    })
}

fn variables(loaded: &Loaded, structure: Option<&InfoReport>) -> Vec<VariableInfo> {
    let model = &loaded.model;
    let info = |id: symbolon_model::VariableId| {
        let values = model.values_of(id);
        let mut initial: Vec<u64> = model.initial.iter().map(|state| state[id.index()]).collect();
        initial.sort_unstable();
        initial.dedup();
        let proved = match structure {
            Some(structure) => structure.upper_bounds.get(id.index()).and_then(|(_, bound)| *bound),
            None => loaded.analysis.upper_bounds.get(id.index()).copied().flatten(),
        };
        let holds_numbers = matches!(values, Values::Natural | Values::Range { .. });
        VariableInfo {
            name: model.variables[id.index()].name.clone(),
            values: written(values),
            initial: initial.into_iter().map(|value| values.text(value)).collect(),
            at_most: proved.filter(|_| holds_numbers).map(|bound| values.text(bound)),
        }
    };
    model.variable_ids().map(info).collect()
}

/// The values of a variable as the language writes them.
fn written(values: &Values) -> String {
    match values {
        Values::Natural => "nat".to_string(),
        Values::Range { least, largest } => format!("{least}..{largest}"),
        Values::Boolean => "bool".to_string(),
        Values::Named(names) => format!("{{{}}}", names.join(", ")),
    }
}

fn growth(loaded: &Loaded) -> Option<GrowthInfo> {
    let round = loaded.growing_round()?;
    let variables = loaded.growing_variables();
    let name = |variable: symbolon_model::VariableId| loaded.model.variables[variable.index()].name.clone();
    Some(GrowthInfo { variables: variables.into_iter().map(name).collect(), round })
}
