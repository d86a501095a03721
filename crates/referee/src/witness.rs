//! Runs that the product shows as JSON, walked again: every step must be a step of the model, and
//! change what it says.

use crate::model::{Kind, Model, State};
use serde_json::Value;

/// A run that was walked.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its shape, as the product calls it.
    pub shape: String,
    /// Whether the product says that no shorter one exists.
    pub is_shortest: bool,
    /// The states, one more than steps.
    pub states: Vec<State>,
    /// Where a loop begins, if the last step leads back.
    pub loop_start: Option<usize>,
    /// What a group does, if that is what is shown.
    pub strategy: Option<Table>,
    /// What is attached to states of the run.
    pub branches: Vec<Branch>,
}

/// A run that is attached to a state of another one.
#[derive(Clone, Debug)]
pub struct Branch {
    /// To the state after this many steps.
    pub position: usize,
    /// How.
    pub link: Link,
    /// The run.
    pub run: Run,
}

/// How a branch is attached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// It begins there.
    Begins,
    /// It begins in an initial state and ends in one that looks the same to these agents.
    Alike(Vec<String>),
    /// It begins in an initial state and ends in one that is green for these agents.
    Correct(Vec<String>),
}

/// What a group of agents does.
#[derive(Clone, Debug)]
pub struct Table {
    /// The members of the group; of a counter-strategy, the others.
    pub agents: Vec<String>,
    /// Of a counter-strategy, the members of the group that it is against.
    pub against: Vec<String>,
    /// Where they do what.
    pub rows: Vec<Row>,
    /// How many states they may come to.
    pub outcomes: usize,
}

/// One line of a strategy.
#[derive(Clone, Debug)]
pub struct Row {
    /// Variables, and the values of which each has one.
    pub when: Vec<(usize, Vec<i128>)>,
    /// Agents that a counter-strategy is against, and actions of which each picks one.
    pub after: Vec<(usize, Vec<String>)>,
    /// Of a counter-strategy under fairness, the constraints of which one is to be met next.
    pub turns: Option<Vec<usize>>,
    /// The same with whether the formula is violated already.
    pub violated: Option<Vec<bool>>,
    /// The action of each member, in the order of [`Table::agents`].
    pub actions: Vec<String>,
    /// How many states fit.
    pub states: usize,
}

impl Run {
    /// The number of steps.
    pub fn length(&self) -> usize {
        self.states.len() - 1
    }

    /// The last state.
    pub fn last(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    /// Walks a run that begins in an initial state.
    pub fn replay(model: &dyn Model, witness: &Value) -> Result<Run, String> {
        replay(model, witness, &|state| model.initial_states().iter().any(|initial| initial == state))
    }
}

fn replay(model: &dyn Model, witness: &Value, may_begin: &dyn Fn(&State) -> bool) -> Result<Run, String> {
    let initial = initial_state(model, &witness["initial"])?;
    if !may_begin(&initial) {
        return Err(format!("the run may not begin in {initial:?}"));
    }
    let mut states = vec![initial];
    for (number, step) in witness["steps"].as_array().ok_or("no steps")?.iter().enumerate() {
        let from = &states[number];
        let to =
            changed(model, from, &step["changes"]).map_err(|why| format!("step {}: {why}", number + 1))?;
        let label = label(model, &step["event"])?;
        let is_step = model.steps(from).iter().any(|known| model.is_label(known, &label) && known.to == to);
        if !is_step {
            return Err(format!("step {}: {label:?} does not lead from {from:?} to {to:?}", number + 1));
        }
        states.push(to);
    }
    let loop_start = match &witness["loop_start"] {
        Value::Null => None,
        start => Some(start.as_u64().ok_or("not a position")? as usize),
    };
    if let Some(start) = loop_start
        && (start + 1 >= states.len() || states[start] != states[states.len() - 1])
    {
        return Err(format!("the run is not back in the state after step {start}"));
    }
    let mut branches = Vec::new();
    for branch in witness["branches"].as_array().into_iter().flatten() {
        let position = branch["position"].as_u64().ok_or("no position")? as usize;
        let state = states.get(position).ok_or("a branch behind the end of its run")?;
        branches.push(attached(model, branch, position, state)?);
    }
    let strategy = match &witness["strategy"] {
        Value::Null => None,
        table => Some(strategy(model, table)?),
    };
    let shape = witness["shape"].as_str().ok_or("no shape")?.to_string();
    let fits = match shape.as_str() {
        "trace" => loop_start.is_none() && branches.is_empty() && strategy.is_none(),
        "lasso" => loop_start.is_some() && branches.is_empty() && strategy.is_none(),
        "tree" => !branches.is_empty(),
        "epistemic" => !branches.is_empty(),
        "strategy" => strategy.is_some() || !branches.is_empty(),
        _ => false,
    };
    if !fits {
        return Err(format!("the witness does not have the shape {shape}"));
    }
    Ok(Run { shape, is_shortest: witness["shortest"] == true, states, loop_start, strategy, branches })
}

fn attached(model: &dyn Model, branch: &Value, position: usize, state: &State) -> Result<Branch, String> {
    let agents =
        || branch["agents"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string);
    let link = match branch["link"].as_str() {
        None => Link::Begins,
        Some("alike") => Link::Alike(agents().collect()),
        Some("correct") => Link::Correct(agents().collect()),
        Some(other) => return Err(format!("unknown link {other}")),
    };
    let run = match link {
        Link::Begins => replay(model, &branch["witness"], &|first| first == state)?,
        Link::Alike(_) | Link::Correct(_) => Run::replay(model, &branch["witness"])?,
    };
    let all = model.agents();
    let (Link::Alike(names) | Link::Correct(names)) = &link else {
        return Ok(Branch { position, link, run });
    };
    for name in names {
        let agent = all.list.iter().position(|agent| agent.name == *name);
        let agent = agent.ok_or_else(|| format!("no agent {name}"))?;
        let is_linked = match link {
            Link::Correct(_) => !model.is_red(agent, run.last()),
            _ => all.list[agent].sees.iter().all(|&variable| run.last()[variable] == state[variable]),
        };
        if !is_linked {
            return Err(format!("the branch at step {position} is not linked as it says, for {name}"));
        }
    }
    Ok(Branch { position, link, run })
}

/// The state that an object describes; what is left out is 0.
fn initial_state(model: &dyn Model, object: &Value) -> Result<State, String> {
    let mut state = vec![0; model.variables().len()];
    let mut is_given = vec![false; state.len()];
    for (name, value) in object.as_object().ok_or("no initial state")? {
        let position = model.position(name).ok_or_else(|| format!("no variable {name}"))?;
        state[position] = value_of(&model.variables()[position].kind, value)?;
        is_given[position] = true;
    }
    // Places without tokens are left out, and numbers of programs that are 0.
    let may_miss =
        |position: usize| model.variables()[position].kind == Kind::Number && !model.is_synchronous();
    match (0..state.len()).find(|&position| !is_given[position] && !may_miss(position)) {
        Some(missing) => {
            Err(format!("the initial state says nothing about {}", model.variables()[missing].name))
        }
        None => Ok(state),
    }
}

/// The state after changes, each of which must be one.
fn changed(model: &dyn Model, from: &State, changes: &Value) -> Result<State, String> {
    let mut to = from.clone();
    for (name, change) in changes.as_object().ok_or("no changes")? {
        let position = model.position(name).ok_or_else(|| format!("no variable {name}"))?;
        let kind = &model.variables()[position].kind;
        let (old, new) = (value_of(kind, &change[0])?, value_of(kind, &change[1])?);
        if old != from[position] || old == new {
            return Err(format!("{name} is said to change from {old} to {new}, and is {}", from[position]));
        }
        to[position] = new;
    }
    Ok(to)
}

fn value_of(kind: &Kind, value: &Value) -> Result<i128, String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => number.to_string(),
        other => return Err(format!("not a value: {other}")),
    };
    kind.value(&text).ok_or_else(|| format!("not a value of {kind:?}: {text}"))
}

fn label(model: &dyn Model, event: &Value) -> Result<Vec<String>, String> {
    match event {
        Value::String(name) => Ok(vec![name.clone()]),
        Value::Object(actions) => {
            let action = |agent: &crate::model::Agent| {
                let action = actions.get(&agent.name).and_then(Value::as_str).map(str::to_string);
                action.ok_or_else(|| format!("no action of {}", agent.name))
            };
            let acting = model.agents().list.iter().filter(|agent| agent.acts.is_some());
            acting.map(action).collect()
        }
        other => Err(format!("not an event: {other}")),
    }
}

fn strategy(model: &dyn Model, table: &Value) -> Result<Table, String> {
    let agents: Vec<String> = table["agents"]
        .as_array()
        .ok_or("no agents")?
        .iter()
        .filter_map(Value::as_str)
        .map(str::to_string)
        .collect();
    let against: Vec<String> = match table["against"].as_array() {
        Some(names) => names.iter().filter_map(Value::as_str).map(str::to_string).collect(),
        None => Vec::new(),
    };
    let row = |row: &Value| -> Result<Row, String> {
        let mut when = Vec::new();
        let mut after = Vec::new();
        let (mut turns, mut violated) = (None, None);
        for (name, values) in row["when"].as_object().ok_or("no condition")? {
            if let Some(position) = against.iter().position(|agent| agent == name) {
                let names = values.as_array().ok_or("no actions")?.iter().filter_map(Value::as_str);
                after.push((position, names.map(str::to_string).collect()));
                continue;
            }
            if !against.is_empty() && name == "next fairness" {
                let numbers = values.as_array().ok_or("no constraints")?.iter().filter_map(Value::as_u64);
                turns = Some(numbers.map(|number| number as usize).collect());
                continue;
            }
            if !against.is_empty() && name == "violated" {
                let words = values.as_array().ok_or("no words")?.iter();
                violated = Some(words.map(|word| word == "yes").collect());
                continue;
            }
            let position = model.position(name).ok_or_else(|| format!("no variable {name}"))?;
            let kind = &model.variables()[position].kind;
            let values = values.as_array().ok_or("no values")?.iter().map(|value| value_of(kind, value));
            when.push((position, values.collect::<Result<_, _>>()?));
        }
        let action = |agent: &String| {
            let action = row["actions"][agent].as_str().map(str::to_string);
            action.ok_or_else(|| format!("no action of {agent}"))
        };
        let states = row["states"].as_u64().ok_or("no number of states")? as usize;
        let actions = agents.iter().map(action).collect::<Result<_, _>>()?;
        Ok(Row { when, after, turns, violated, actions, states })
    };
    let rows = table["rows"].as_array().ok_or("no rows")?.iter().map(row).collect::<Result<_, _>>()?;
    let outcomes = table["outcomes"].as_u64().ok_or("no outcomes")? as usize;
    Ok(Table { rows, outcomes, against, agents })
}
