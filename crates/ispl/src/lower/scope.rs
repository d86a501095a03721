//! Who is who: agents, variables, actions, and which of them can be spoken of where.

use super::is_environment;
use crate::ENVIRONMENT;
use crate::tree::{Agent, Domain, Reference, System};
use rustc_hash::{FxHashMap, FxHashSet};
use symbolon_logic::{Name, Span};
use symbolon_model::{Values, VariableId};
use symbolon_source::{Findings, Step, likely, shown};

/// Everything that has a name.
pub(super) struct Names<'t> {
    /// The environment first, also where the file has none.
    pub(super) agents: Vec<KnownAgent<'t>>,
    /// All variables of the state.
    pub(super) variables: Vec<KnownVariable>,
    agent_numbers: FxHashMap<&'t str, usize>,
}

pub(super) struct KnownAgent<'t> {
    pub(super) name: &'t str,
    /// `None` for an environment that was not written.
    pub(super) tree: Option<&'t Agent>,
    /// Its variables have ids from here on,
    first: u32,
    /// and this many of these are seen by every agent.
    observed: u32,
    count: u32,
    by_name: FxHashMap<&'t str, VariableId>,
    /// Variables of the environment that it sees beside those that everyone sees.
    local_observed: Vec<VariableId>,
    pub(super) actions: Vec<&'t str>,
    action_numbers: FxHashMap<&'t str, usize>,
    /// Its action variable; none where it has no actions.
    pub(super) action: Option<VariableId>,
}

pub(super) struct KnownVariable {
    /// `Agent.variable`
    pub(super) name: String,
    pub(super) values: Values,
}

/// From where names are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Whatever an agent sees; and actions, or not.
    Agent { index: usize, sees_actions: bool },
    /// All variables of all agents, by their full names.
    Everything,
}

impl Scope {
    /// What an agent sees of the state.
    pub(super) fn state_of(index: usize) -> Scope {
        Scope::Agent { index, sees_actions: false }
    }

    /// What an agent sees of the state, and what everyone does.
    pub(super) fn step_of(index: usize) -> Scope {
        Scope::Agent { index, sees_actions: true }
    }
}

impl KnownAgent<'_> {
    /// All its variables.
    pub(super) fn variables(&self) -> impl Iterator<Item = VariableId> + Clone + use<> {
        (self.first..self.first + self.count).map(VariableId)
    }

    pub(super) fn variable(&self, name: &str) -> Option<VariableId> {
        self.by_name.get(name).copied()
    }

    pub(super) fn action_number(&self, name: &str) -> Option<usize> {
        self.action_numbers.get(name).copied()
    }
}

impl<'t> Names<'t> {
    /// Everything that has a name in a tree. What is declared twice is noted.
    pub(super) fn of(tree: &'t System, findings: &mut Findings) -> Step<Names<'t>> {
        let mut names =
            Names { agents: Vec::new(), variables: Vec::new(), agent_numbers: FxHashMap::default() };
        if tree.environment.is_none() {
            names.add_agent(ENVIRONMENT, None, findings)?;
        }
        for agent in tree.all_agents() {
            if names.agent_numbers.contains_key(&*agent.name.text) {
                let name = shown(&agent.name.text);
                findings
                    .error(agent.name.span.start, format!("there is another agent {name} before this one"))?;
                continue;
            }
            names.add_agent(&agent.name.text, Some(agent), findings)?;
        }
        // The ids of actions follow those of all variables.
        let mut next = names.variables.len() as u32;
        for agent in &mut names.agents {
            agent.action = (!agent.actions.is_empty()).then_some(VariableId(next));
            next += u32::from(agent.action.is_some());
        }
        names.add_local_observed(findings)?;
        Ok(names)
    }

    fn add_agent(&mut self, name: &'t str, tree: Option<&'t Agent>, findings: &mut Findings) -> Step<()> {
        let first = self.variables.len() as u32;
        let mut known = KnownAgent {
            name,
            tree,
            first,
            observed: 0,
            count: 0,
            by_name: FxHashMap::default(),
            local_observed: Vec::new(),
            actions: Vec::new(),
            action_numbers: FxHashMap::default(),
            action: None,
        };
        if let Some(agent) = tree {
            for declaration in agent.observed.iter().chain(&agent.variables) {
                let variable = &declaration.name;
                let id = VariableId(self.variables.len() as u32);
                if known.by_name.contains_key(&*variable.text) {
                    let message =
                        format!("agent {} has another variable {}", shown(name), shown(&variable.text));
                    findings.error(variable.span.start, message)?;
                    continue;
                }
                known.by_name.insert(&variable.text, id);
                self.variables.push(KnownVariable {
                    name: format!("{name}.{}", variable.text),
                    values: values_of(&declaration.domain, findings)?,
                });
            }
            known.count = self.variables.len() as u32 - first;
            known.observed = (agent.observed.len() as u32).min(known.count);
            for action in &agent.actions {
                if known.action_numbers.insert(&action.text, known.actions.len()).is_some() {
                    let message = format!("agent {} has another action {}", shown(name), shown(&action.text));
                    findings.error(action.span.start, message)?;
                }
                known.actions.push(&action.text);
            }
        }
        self.agent_numbers.insert(name, self.agents.len());
        self.agents.push(known);
        Ok(())
    }

    fn add_local_observed(&mut self, findings: &mut Findings) -> Step<()> {
        for index in 1..self.agents.len() {
            let Some(names) = self.agents[index].tree.and_then(|tree| tree.local_observed.as_ref()) else {
                continue;
            };
            let environment = &self.agents[0];
            let mut list = Vec::new();
            for name in names {
                match environment.variable(&name.text) {
                    Some(id) => {
                        if id.0 < environment.observed {
                            let message = format!("everyone sees {} already", shown(&name.text));
                            findings.warning(name.span.start, message);
                        }
                        list.push(id);
                    }
                    None => {
                        let message = format!("the Environment has no variable {}", shown(&name.text));
                        findings.error(name.span.start, message)?;
                        suggest(&name.text, environment.by_name.keys().copied(), findings);
                    }
                }
            }
            self.agents[index].local_observed = list;
        }
        Ok(())
    }

    /// The number of the agent of this name.
    pub(super) fn agent(&self, name: &str) -> Option<usize> {
        self.agent_numbers.get(name).copied()
    }

    /// The variables of the environment that an agent sees.
    pub(super) fn seen_by(&self, index: usize) -> impl Iterator<Item = VariableId> + '_ {
        let environment = &self.agents[0];
        let all = environment.first..environment.first + environment.observed;
        all.map(VariableId).chain(self.agents[index].local_observed.iter().copied())
    }

    /// The values of a variable.
    pub(super) fn values(&self, id: VariableId) -> &Values {
        &self.variables[id.index()].values
    }

    /// How many values a variable or an action has.
    pub(super) fn value_count(&self, id: VariableId) -> u64 {
        match self.variables.get(id.index()) {
            Some(known) => known.values.count().unwrap_or(u64::MAX),
            None => {
                let agent = self.agents.iter().find(|agent| agent.action == Some(id));
                agent.map_or(1, |agent| agent.actions.len() as u64)
            }
        }
    }

    /// The variable that is spoken of; `None` where no variable has the name and no agent is given,
    /// because then it may be a value. Noted, and `Err(None)`, where it cannot be spoken of.
    pub(super) fn variable(
        &self,
        reference: &Reference,
        scope: Scope,
        findings: &mut Findings,
    ) -> Result<Option<VariableId>, Unknown> {
        let name = &*reference.name.text;
        let Some(owner) = &reference.agent else {
            return Ok(match scope {
                Scope::Agent { index, .. } => self.agents[index].variable(name),
                Scope::Everything => None,
            });
        };
        let Some(owner_index) = self.agent(&owner.text) else {
            self.no_agent(owner, findings)?;
            return Err(Unknown::Noted);
        };
        let Some(id) = self.agents[owner_index].variable(name) else {
            let message = format!("agent {} has no variable {}", shown(&owner.text), shown(name));
            findings.error(reference.name.span.start, message)?;
            suggest(name, self.agents[owner_index].by_name.keys().copied(), findings);
            return Err(Unknown::Noted);
        };
        let is_seen = match scope {
            Scope::Everything => true,
            Scope::Agent { index, .. } => {
                index == owner_index || (owner_index == 0 && self.seen_by(index).any(|seen| seen == id))
            }
        };
        if !is_seen {
            let Scope::Agent { index, .. } = scope else { return Ok(Some(id)) };
            let message = format!(
                "agent {} does not see {}",
                shown(self.agents[index].name),
                self.variables[id.index()].name
            );
            findings.error(reference.span().start, message)?;
            findings.hint(if index == 0 {
                "the Environment sees its own variables only, and the actions of others".to_string()
            } else if is_environment(&owner.text) {
                format!("add it to Lobsvars = {{ {name} }} of the agent, or to Obsvars of the Environment")
            } else {
                "an agent sees its own variables, Obsvars and Lobsvars, and the actions of others".to_string()
            });
            return Err(Unknown::Noted);
        }
        Ok(Some(id))
    }

    /// Says that a name alone is neither a variable nor a value.
    pub(super) fn unknown_name(&self, name: &Name, scope: Scope, findings: &mut Findings) -> Step<()> {
        let text = &*name.text;
        findings.error(name.span.start, format!("there is no variable {}", shown(text)))?;
        match scope {
            Scope::Everything => {
                let owner = self.agents.iter().find(|agent| agent.variable(text).is_some());
                match owner {
                    Some(owner) => findings.hint(format!("write {}.{text}", owner.name)),
                    None => findings.hint("variables are written Agent.variable here"),
                }
            }
            Scope::Agent { index, .. } => {
                if index > 0 && self.agents[0].variable(text).is_some() {
                    findings.hint(format!("write {ENVIRONMENT}.{text}"));
                    return Ok(());
                }
                suggest(text, self.agents[index].by_name.keys().copied(), findings);
            }
        }
        Ok(())
    }

    /// Says that there is no such agent.
    pub(super) fn no_agent(&self, name: &Name, findings: &mut Findings) -> Step<()> {
        super::no_agent(self.agents.iter().map(|agent| agent.name), name, findings)
    }

    /// The number of an action of an agent; noted where there is none.
    pub(super) fn action(&self, index: usize, name: &Name, findings: &mut Findings) -> Step<Option<usize>> {
        let agent = &self.agents[index];
        let found = agent.action_number(&name.text);
        if found.is_none() {
            let message = format!("agent {} has no action {}", shown(agent.name), shown(&name.text));
            findings.error(name.span.start, message)?;
            match likely(&name.text, agent.actions.iter().copied()) {
                Some(meant) => findings.hint(format!("did you mean {meant}?")),
                None => {
                    findings.hint(format!("its actions are {}", super::listed(agent.actions.iter().copied())))
                }
            }
        }
        Ok(found)
    }
}

/// Why a name means nothing.
pub(super) enum Unknown {
    /// What is wrong was noted.
    Noted,
    /// The reader stops here.
    Stop(symbolon_source::Stop),
}

impl From<symbolon_source::Stop> for Unknown {
    fn from(stop: symbolon_source::Stop) -> Unknown {
        Unknown::Stop(stop)
    }
}

/// Gives the error noted last the name that is most like this one.
pub(super) fn suggest<'a>(name: &str, known: impl Iterator<Item = &'a str>, findings: &mut Findings) {
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    match likely(name, known.iter().copied()) {
        Some(meant) => findings.hint(format!("did you mean {meant}?")),
        None => findings.hint(format!("known are {}", super::listed(known.into_iter()))),
    }
}

fn values_of(domain: &Domain, findings: &mut Findings) -> Step<Values> {
    Ok(match domain {
        Domain::Boolean => Values::Boolean,
        Domain::Range { least, largest } => Values::Range { least: *least, largest: *largest },
        Domain::Names(names) => {
            let mut seen: FxHashSet<&str> = FxHashSet::default();
            for Name { text, span: Span { start, .. } } in names {
                if !seen.insert(text) {
                    findings.error(*start, format!("the value {} is named twice", shown(text)))?;
                }
            }
            Values::Named(names.iter().map(|name| name.text.to_string()).collect())
        }
    })
}
