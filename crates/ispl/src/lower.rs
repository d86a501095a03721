//! Lowering: what the names of a tree mean, and the model that it describes.
//!
//! Agents become components below one root, the environment first, also where the file has none.
//! The variables of the environment come first too, those that everyone sees before the others.
//! Integers are stored as the distance from the smallest value of their variable, so an expression
//! adds that value where it reads one.

mod agents;
mod conditions;
mod dead_states;
mod formulas;
mod scope;
mod warnings;

use crate::ENVIRONMENT;
use crate::read::{decode, read_tree};
use crate::tree::{Dialect, Semantics, System};
pub use dead_states::at_dead_states;
use scope::Names;
use symbolon_budget::Budget;
use symbolon_logic::{Formula, Name, NamedAtom, Paths, Span};
use symbolon_model::{
    ActionVariable, Atom, Component, ComponentId, Event, Facts, Group, Model, Observer, ObserverId,
    Observers, Origins, Part, Predicate, Source, Variable, VariableId,
};
use symbolon_source::{Diagnostic, Findings, ReadFailure, Step, Stop, likely, shown};

/// A file that was read, and what it means.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What was written.
    pub tree: System,
    /// The system: one synchronous step, initial states by a predicate, and the agents as
    /// observers.
    pub model: Model,
    /// The atoms of `Evaluation`, by name, in the order of the file.
    pub atoms: Vec<(String, Predicate)>,
    /// What holds again and again on every path that counts: formulas about states, to be read on
    /// maximal paths ([`at_dead_states`]) without fairness.
    pub fairness: Vec<Formula<Atom>>,
    /// What is asked, in the order of the file. Its paths are infinite ones.
    pub formulae: Vec<Asked>,
    /// For each reaction of the step, in order, and each of its lines, the evolution line that it
    /// comes from.
    pub lines: Vec<Vec<LineSource>>,
    /// Things that are odd.
    pub warnings: Vec<Diagnostic>,
}

/// Where a line of a reaction comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineSource {
    /// Whose evolution.
    pub agent: ObserverId,
    /// The number of the line in that evolution, from 0.
    pub item: usize,
    /// Where its first assignment stands, in bytes of the text.
    pub span: Span,
}

/// A formula of a file.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The logic in which it is written.
    pub dialect: Dialect,
    /// The formula about states: in LTL, with the quantifiers that are not written.
    pub formula: Formula<Atom>,
    /// The same about names.
    pub named: Formula<NamedAtom>,
    /// How it is written, on one line.
    pub text: String,
    /// How the established checker prints it.
    pub reference_text: String,
    /// Where it stands, in bytes of the text.
    pub span: Span,
}

impl Loaded {
    /// The formula and the paths that say what the established checker understands, also where
    /// states are dead. Where none is, [`Asked::formula`] on infinite paths says the same, more
    /// simply.
    pub fn at_dead_states(&self, asked: &Asked) -> (Formula<Atom>, Paths) {
        // Under fairness only states with a path count, and LTL and CTL* speak about infinite paths
        // anyway.
        if asked.dialect != Dialect::Ctlk || !self.fairness.is_empty() {
            return (asked.formula.clone(), Paths::Infinite);
        }
        at_dead_states(&asked.formula)
    }
}

/// Reads a file and finds out what it means.
pub fn load(bytes: &[u8], name: &str, budget: &Budget) -> Result<Loaded, ReadFailure> {
    let mut findings = Findings::default();
    let text = match decode(bytes, &mut findings) {
        Ok(text) => text,
        Err(stop) => return Err(findings.into_failure(stop, "")),
    };
    let lowered = read_tree(&text, &mut findings, budget).and_then(|tree| lower(tree, name, &mut findings));
    match lowered {
        Ok(mut loaded) if !findings.has_errors() => {
            loaded.warnings = findings.into_diagnostics(&text);
            Ok(loaded)
        }
        Ok(_) => Err(findings.into_failure(Stop::Invalid, &text)),
        Err(stop) => Err(findings.into_failure(stop, &text)),
    }
}

/// Resolves and lowers a tree that was not read from a file, such as one of a built-in family.
pub fn load_tree(tree: System, name: &str) -> Result<Loaded, ReadFailure> {
    let mut findings = Findings::default();
    match lower(tree, name, &mut findings) {
        Ok(loaded) if !findings.has_errors() => Ok(loaded),
        Ok(_) => Err(findings.into_failure(Stop::Invalid, "")),
        Err(stop) => Err(findings.into_failure(stop, "")),
    }
}

/// The meaning of a tree; what is wrong with it is noted, and then the answer is worth nothing.
fn lower(tree: System, name: &str, findings: &mut Findings) -> Step<Loaded> {
    let names = Names::of(&tree, findings)?;
    let semantics = tree.semantics.unwrap_or_default();
    let mut model = skeleton(&names, name);

    let mut parts = Vec::new();
    let mut lines = Vec::new();
    for (index, agent) in names.agents.iter().enumerate() {
        let Some(agent) = agent.tree else { continue };
        let choice = agents::choice(&names, index, agent, findings)?;
        let reactions = agents::reactions(&names, index, agent, semantics, choice.as_ref(), findings)?;
        parts.extend(choice.map(|choice| Part::Choice(Box::new(choice))));
        for reaction in reactions {
            parts.push(reaction.part);
            lines.push(reaction.lines);
        }
        let red = match agent.red.as_ref().and_then(|red| red.condition.as_ref()) {
            Some(condition) => names.condition(condition, scope::Scope::state_of(index), findings)?,
            None => Predicate::False,
        };
        model.observers.list[index].red = red;
    }
    model.events = vec![Event { name: "step".into(), parts }];
    model.initially = Some(Box::new(names.condition(&tree.initial, scope::Scope::Everything, findings)?));
    model.observers.groups = groups(&names, &tree, findings)?;

    let atoms = atoms(&names, &tree, findings)?;
    let meaning = formulas::Meaning { model: &model, atoms: &atoms };
    let mut fairness = Vec::new();
    for line in &tree.fairness {
        fairness.extend(meaning.formula(line, findings)?.map(|asked| at_dead_states(&asked.formula).0));
    }
    let mut formulae = Vec::new();
    for line in &tree.formulae {
        formulae.extend(meaning.formula(line, findings)?);
    }
    Ok(Loaded { tree, model, atoms, fairness, formulae, lines, warnings: Vec::new() })
}

/// The model without what happens in it.
fn skeleton(names: &Names<'_>, name: &str) -> Model {
    let mut components = vec![Component { name: name.to_string(), parent: None, variables: Vec::new() }];
    let mut list = Vec::new();
    let mut actions = Vec::new();
    let mut origins = Origins::default();
    for (index, agent) in names.agents.iter().enumerate() {
        let own = agent.variables();
        components.push(Component {
            name: agent.name.to_string(),
            parent: Some(ComponentId(0)),
            variables: own.clone().collect(),
        });
        if let Some(first) = own.clone().next() {
            let local_name = |id: VariableId| {
                let full = &names.variables[id.index()].name;
                full.split_once('.').map_or(full.as_str(), |(_, name)| name).to_string()
            };
            let agent = ComponentId(index as u32 + 1);
            let source = Source::Agent { agent, names: own.clone().map(local_name).collect() };
            origins.add(first, own.clone().count() as u32, source);
        }
        if !agent.actions.is_empty() {
            actions.push(ActionVariable {
                agent: ComponentId(index as u32 + 1),
                names: agent.actions.iter().map(|action| action.to_string()).collect(),
            });
        }
        let mut variables: Vec<VariableId> = names.seen_by(index).chain(own).collect();
        variables.sort_unstable();
        variables.dedup();
        list.push(Observer {
            name: agent.name.to_string(),
            variables,
            action: agent.action,
            red: Predicate::False,
        });
    }
    let bound = |values: &symbolon_model::Values| values.count().map(|count| count.saturating_sub(1));
    Model {
        name: name.to_string(),
        variables: names.variables.iter().map(|known| Variable { name: known.name.clone() }).collect(),
        origins,
        values: names.variables.iter().map(|known| known.values.clone()).collect(),
        actions,
        components,
        observers: Observers { list, groups: Vec::new() },
        facts: Facts {
            upper_bounds: names.variables.iter().map(|known| bound(&known.values)).collect(),
            ..Facts::default()
        },
        ..Model::default()
    }
}

fn groups(names: &Names<'_>, tree: &System, findings: &mut Findings) -> Step<Vec<Group>> {
    let mut groups: Vec<Group> = Vec::new();
    for group in &tree.groups {
        let name = &group.name;
        if groups.iter().any(|known| *known.name == *name.text) {
            findings.error(
                name.span.start,
                format!("there is another group {} before this one", shown(&name.text)),
            )?;
            continue;
        }
        let mut members = Vec::new();
        for member in &group.members {
            match names.agent(&member.text) {
                Some(index) => members.push(ObserverId(index as u32)),
                None => no_agent(names.agents.iter().map(|agent| agent.name), member, findings)?,
            }
        }
        let before = members.len();
        members.sort_unstable();
        members.dedup();
        if members.len() < before {
            findings.warning(name.span.start, format!("group {} names an agent twice", shown(&name.text)));
        }
        groups.push(Group { name: name.text.to_string(), members });
    }
    Ok(groups)
}

/// Says that there is no such agent.
fn no_agent<'a>(
    known: impl Iterator<Item = &'a str> + Clone,
    name: &Name,
    findings: &mut Findings,
) -> Step<()> {
    findings.error(name.span.start, format!("there is no agent {}", shown(&name.text)))?;
    match likely(&name.text, known.clone()) {
        Some(meant) => findings.hint(format!("did you mean {meant}?")),
        None => findings.hint(format!("agents are {}", listed(known))),
    }
    Ok(())
}

/// A few names, for hints.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<String> = names.map(shown).collect();
    if names.len() > 6 {
        names.truncate(5);
        names.push("…".to_string());
    }
    if names.is_empty() { "none".to_string() } else { names.join(", ") }
}

fn atoms(names: &Names<'_>, tree: &System, findings: &mut Findings) -> Step<Vec<(String, Predicate)>> {
    let mut atoms: Vec<(String, Predicate)> = Vec::new();
    for definition in &tree.evaluation {
        let name = &definition.name;
        if atoms.iter().any(|(known, _)| **known == *name.text) {
            findings.error(
                name.span.start,
                format!("there is another atom {} before this one", shown(&name.text)),
            )?;
        }
        let predicate = names.condition(&definition.condition, scope::Scope::Everything, findings)?;
        atoms.push((name.text.to_string(), predicate));
    }
    Ok(atoms)
}

/// Whether an agent is the environment.
fn is_environment(name: &str) -> bool {
    name == ENVIRONMENT
}

/// How evolution lines are combined decides how many reactions an agent has.
fn is_single(semantics: Semantics) -> bool {
    semantics == Semantics::SingleAssignment
}
