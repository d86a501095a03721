//! From a program to its model.
//!
//! Constants, enumerations, variables and processes are declared first, in the order of the text;
//! then commands, initial states, components and properties find everything that was declared,
//! wherever it stands.

mod algebra;
mod command;
mod declare;
mod initial;
mod meaning;
mod property;
mod reference;
mod scope;

pub use property::Vocabulary;

use crate::mistakes::{Made, Mistakes, unless_stopped};
use crate::parse::{decode, read_tree};
use crate::tree::{Item, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Around, Meaning, Scope};
use std::sync::Arc;
use symbolon_budget::{Budget, Meter};
use symbolon_logic::{Parsed, Property};
use symbolon_model::{Component, ComponentId, Facts, Model, Predicate, Values, VariableId};
use symbolon_source::{Diagnostic, ReadFailure, Step, Stop, likely, shown};

/// A program whose names are resolved.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The system.
    pub model: Model,
    /// What the program asks, with names of the model's variables and events. Spans count from the
    /// beginning of `text`.
    pub properties: Vec<Property<Parsed>>,
    /// The parameters and their values, in the order of the text.
    pub parameters: Vec<(String, i64)>,
    /// What its names mean, for formulas from elsewhere.
    pub vocabulary: Vocabulary,
    /// The text of the program.
    pub text: String,
    /// Things that are odd.
    pub warnings: Vec<Diagnostic>,
}

/// Another value for a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The parameter.
    pub name: String,
    /// Its value; 0 and 1 for truth values.
    pub value: i64,
}

/// Reads a program and finds out what it means.
pub fn load(bytes: &[u8], overrides: &[Override], budget: &Budget) -> Result<Loaded, ReadFailure> {
    let mut mistakes = Mistakes::default();
    let text = match decode(bytes, &mut mistakes) {
        Ok(text) => text.into_owned(),
        Err(stop) => return Err(mistakes.into_findings().into_failure(stop, "")),
    };
    // What was read wrongly has no meaning that is worth a message.
    let program = match read_tree(&text, &mut mistakes, budget) {
        Ok(program) if !mistakes.has_errors() => program,
        Ok(_) => return Err(mistakes.into_findings().into_failure(Stop::Invalid, &text)),
        Err(stop) => return Err(mistakes.into_findings().into_failure(stop, &text)),
    };
    finish(&program, text, overrides, mistakes, budget)
}

/// Finds out what a program means that was made, not read.
pub fn load_tree(program: &Program, overrides: &[Override], budget: &Budget) -> Result<Loaded, ReadFailure> {
    finish(program, String::new(), overrides, Mistakes::default(), budget)
}

fn finish(
    program: &Program,
    text: String,
    overrides: &[Override],
    mut mistakes: Mistakes,
    budget: &Budget,
) -> Result<Loaded, ReadFailure> {
    let mut lowering = Lowering::new(&mut mistakes, budget);
    let done = lowering.program(program, overrides);
    let (model, parameters) = (std::mem::take(&mut lowering.model), std::mem::take(&mut lowering.parameters));
    let vocabulary = Vocabulary {
        scope: std::mem::take(&mut lowering.scope),
        values: std::mem::take(&mut lowering.values),
        events_by_command: std::mem::take(&mut lowering.events_by_command),
    };
    match done {
        Ok(properties) if !mistakes.has_errors() => {
            let warnings = mistakes.into_findings().into_diagnostics(&text);
            Ok(Loaded { model, properties, parameters, vocabulary, text, warnings })
        }
        Ok(_) => Err(mistakes.into_findings().into_failure(Stop::Invalid, &text)),
        Err(stop) => Err(mistakes.into_findings().into_failure(stop, &text)),
    }
}

/// A program may become so large: terms, conditions and copies of them.
const LARGEST_SIZE: usize = 20_000_000;

struct Lowering<'m> {
    mistakes: &'m mut Mistakes,
    meter: Meter,
    scope: Scope,
    /// What each variable may be. Shared, so that it can be looked at while findings are noted.
    values: Arc<Vec<Values>>,
    model: Model,
    /// What each variable may be in the beginning.
    starts: Vec<initial::Start>,
    parameters: Vec<(String, i64)>,
    /// The events that a property means by the name of a command.
    events_by_command: FxHashMap<String, Vec<String>>,
    event_names: FxHashSet<String>,
    /// Binders of the process around, which are not part of the names of commands.
    outer_binders: usize,
    size: usize,
}

impl<'m> Lowering<'m> {
    /// Nothing is declared yet.
    fn new(mistakes: &'m mut Mistakes, budget: &Budget) -> Lowering<'m> {
        Lowering {
            mistakes,
            meter: Meter::new(budget.clone()),
            scope: Scope::default(),
            values: Arc::default(),
            model: Model::default(),
            starts: Vec::new(),
            parameters: Vec::new(),
            events_by_command: FxHashMap::default(),
            event_names: FxHashSet::default(),
            outer_binders: 0,
            size: 0,
        }
    }
}

impl Lowering<'_> {
    fn program(&mut self, program: &Program, overrides: &[Override]) -> Step<Vec<Property<Parsed>>> {
        self.model.name = program.name.as_ref().map_or_else(|| "model".to_string(), |name| name.text.clone());
        self.overrides_fit(program, overrides)?;
        let describes_start = program.items.iter().any(|item| matches!(item, Item::Initially(_)));
        for item in &program.items {
            unless_stopped(self.declare(item, overrides, describes_start))?;
        }
        if self.mistakes.has_errors() {
            // Whatever uses what was declared wrongly would be wrong, too.
            return Ok(Vec::new());
        }
        self.model.values = self.values.to_vec();
        if self.model.values.iter().all(|values| *values == Values::Natural) {
            self.model.values = Vec::new();
        }
        self.model.facts = facts(&self.values);
        self.commands(&program.items, "", &Around::default())?;
        let mut conditions: Vec<Predicate> = Vec::new();
        for item in &program.items {
            if let Item::Initially(condition) = item
                && let Some(truth) = unless_stopped(self.truth(condition, &Around::default()))?
            {
                conditions.extend(algebra::conjuncts(truth.holds));
            }
        }
        if !self.mistakes.has_errors() {
            unless_stopped(self.initial_states(conditions))?;
        }
        self.components(program)?;
        self.properties(program)
    }

    /// Notes overrides that override nothing.
    fn overrides_fit(&mut self, program: &Program, overrides: &[Override]) -> Step<()> {
        let parameters = || {
            program.items.iter().filter_map(|item| match item {
                Item::Constant(constant) if constant.is_parameter => Some(constant.name.text.as_str()),
                _ => None,
            })
        };
        for one in overrides {
            if !parameters().any(|parameter| parameter == one.name) {
                let message = format!("the program has no parameter '{}'", shown(&one.name));
                let known: Vec<&str> = parameters().collect();
                let hint = match likely(&one.name, known.iter().copied()) {
                    Some(near) => format!("did you mean '{near}'?"),
                    None if known.is_empty() => "parameters are declared like `param N = 3`".to_string(),
                    None => format!("its parameters are {}", known.join(", ")),
                };
                self.mistakes.error(None, message, Some(hint))?;
            }
        }
        Ok(())
    }

    /// The commands among these declarations, and in loops and processes among them.
    fn commands(&mut self, items: &[Item], prefix: &str, around: &Around) -> Step<()> {
        for item in items {
            match item {
                Item::Command(command) => {
                    unless_stopped(self.command(command, prefix, around))?;
                }
                Item::Loop(repeated) => {
                    let copies = unless_stopped(self.each(&repeated.binders, around))?;
                    for around in copies.unwrap_or_default() {
                        self.commands(&repeated.items, prefix, &around)?;
                    }
                }
                Item::Process(process) => {
                    let name = &process.name.text;
                    let Some(Meaning::Process(copies)) = self.scope.meanings.get(name) else { continue };
                    let (low, count) = (copies.low, copies.count);
                    for copy in 0..count {
                        let around = around_copy(process, low, copy);
                        self.outer_binders = around.bound.len();
                        let done = self.commands(
                            &process.items,
                            &format!("{}.", copy_name(name, low, copy)),
                            &around,
                        );
                        self.outer_binders = 0;
                        done?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The tree of components: declared ones, processes, and the rest below a root.
    fn components(&mut self, program: &Program) -> Step<()> {
        let has_any = |item: &Item| matches!(item, Item::Process(_) | Item::Component(_));
        if !program.items.iter().any(has_any) {
            return Ok(());
        }
        let mut components: Vec<Component> = Vec::new();
        let mut homes: Vec<bool> = vec![false; self.model.variables.len()];
        let mut by_name: FxHashMap<String, u32> = FxHashMap::default();
        for item in &program.items {
            match item {
                Item::Process(process) => {
                    let name = &process.name.text;
                    let Some(Meaning::Process(copies)) = self.scope.meanings.get(name) else { continue };
                    for copy in 0..copies.count {
                        let own = copies.variables.values().filter_map(|all| all.get(copy as usize));
                        let mut variables: Vec<VariableId> = own
                            .flat_map(|d| (0..d.length.unwrap_or(1)).map(|index| d.element(index)))
                            .collect();
                        variables.sort_unstable();
                        variables.iter().for_each(|variable| homes[variable.index()] = true);
                        let name = copy_name(name, copies.low, copy);
                        components.push(Component { name, parent: None, variables });
                    }
                }
                Item::Component(component) => {
                    let mut variables = Vec::new();
                    for reference in &component.variables {
                        let Some((targets, _)) = unless_stopped(self.targets(reference, &Around::default()))?
                        else {
                            continue;
                        };
                        for (_, variable) in targets {
                            if std::mem::replace(&mut homes[variable.index()], true) {
                                let message = format!(
                                    "'{}' belongs to a component already",
                                    shown(&reference.to_string())
                                );
                                self.mistakes.error(reference.at(), message, None)?;
                            } else {
                                variables.push(variable);
                            }
                        }
                    }
                    variables.sort_unstable();
                    let parent = match &component.parent {
                        None => None,
                        Some(parent) => match by_name.get(&parent.text) {
                            Some(&number) => Some(ComponentId(number)),
                            None => {
                                let message =
                                    format!("no component '{}' was declared before", shown(&parent.text));
                                self.mistakes.error(parent.at.0, message, None)?;
                                None
                            }
                        },
                    };
                    let name = component.name.text.clone();
                    if by_name.insert(name.clone(), components.len() as u32).is_some() {
                        let message =
                            format!("there is another component '{}' before this one", shown(&name));
                        self.mistakes.error(component.name.at.0, message, None)?;
                    }
                    components.push(Component { name, parent, variables });
                }
                _ => {}
            }
        }
        self.model.components = rooted(&self.model.name, components, &homes);
        Ok(())
    }

    /// Counts terms that are made, so that a small text does not become an endless model.
    fn charge(&mut self, amount: usize, at: usize) -> Made<()> {
        self.meter.step()?;
        self.size = self.size.saturating_add(amount);
        if self.size > LARGEST_SIZE {
            // From here on every further term would say so again.
            let _noted: Made<()> = self.mistakes.broken(at, "the model becomes too large here", None);
            return Err(Stop::Invalid.into());
        }
        Ok(())
    }
}

/// The components with one root before all others. If the first is the only one without a parent,
/// that is it; otherwise a root of the model's name stands around them. What belongs nowhere
/// belongs to the root.
fn rooted(name: &str, mut components: Vec<Component>, homes: &[bool]) -> Vec<Component> {
    let root_count = components.iter().filter(|component| component.parent.is_none()).count();
    let first_is_root = components.first().is_some_and(|component| component.parent.is_none());
    if root_count != 1 || !first_is_root {
        for component in &mut components {
            component.parent = Some(ComponentId(component.parent.map_or(0, |parent| parent.0 + 1)));
        }
        components.insert(0, Component { name: name.to_string(), parent: None, variables: Vec::new() });
    }
    let homeless = homes.iter().enumerate().filter(|(_, has_home)| !**has_home);
    let root = &mut components[0].variables;
    root.extend(homeless.map(|(index, _)| VariableId(index as u32)));
    root.sort_unstable();
    components
}

/// What is known of every state, because events keep variables in their ranges.
fn facts(values: &[Values]) -> Facts {
    let bounds: Vec<Option<u64>> =
        values.iter().map(|values| values.count().map(|count| count - 1)).collect();
    let upper_bounds = if bounds.iter().all(Option::is_none) { Vec::new() } else { bounds };
    Facts { upper_bounds, ..Facts::default() }
}

/// How a copy of a process is called.
fn copy_name(process: &str, low: Option<i64>, copy: u64) -> String {
    match low {
        Some(low) => format!("{process}.{}", i128::from(low) + i128::from(copy)),
        None => process.to_string(),
    }
}

/// Where the declarations of a copy of a process stand.
fn around_copy(process: &crate::tree::Process, low: Option<i64>, copy: u64) -> Around {
    let bound = match (&process.binder, low) {
        (Some(binder), Some(low)) => vec![(binder.name.text.clone(), low.saturating_add_unsigned(copy))],
        _ => Vec::new(),
    };
    Around { bound, process: Some((process.name.text.clone(), copy)) }
}
