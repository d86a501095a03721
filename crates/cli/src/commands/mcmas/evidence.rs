//! Witnesses and counterexamples as MCMAS writes them: states by numbers, paths as lists of numbers
//! in angle brackets, and files `formulaN.dot` and `formulaN.info` with the states, the joint
//! actions between them, and which agents cannot distinguish which apart.

use super::lines::Lines;
use crate::failure::Failure;
use crate::output_file::write_file;
use std::fmt::Write as _;
use std::path::Path;
use symbolon_checker::{ShownValue, StateList, StrategyTable, Verdict, Witness, WitnessLink};

/// A state: every variable with its value, named after its agent.
type State = Vec<(String, ShownValue)>;

/// Evidence whose states are numbered.
#[derive(Default)]
pub(super) struct Numbered {
    states: Vec<State>,
    /// From where to where, by what, and whether that is a step.
    arcs: Vec<(usize, usize, String, bool)>,
    /// Runs, as the numbers of their states.
    paths: Vec<Vec<usize>>,
    /// What a group does, and in which state it begins.
    strategies: Vec<(usize, StrategyTable)>,
}

impl Numbered {
    /// The states and runs of a witness.
    pub(super) fn of(witness: &Witness) -> Numbered {
        let mut numbered = Numbered::default();
        numbered.add(witness);
        numbered
    }

    /// One state.
    pub(super) fn of_state(state: State) -> Numbered {
        Numbered { states: vec![state], ..Numbered::default() }
    }

    /// All states and steps of a model.
    pub(super) fn of_model(list: StateList) -> Numbered {
        let arcs =
            list.steps.into_iter().map(|(from, to, label)| (from, to, as_there(&label), true)).collect();
        Numbered { states: list.states, arcs, ..Numbered::default() }
    }

    fn number(&mut self, state: State) -> usize {
        let known = self.states.iter().position(|known| *known == state);
        known.unwrap_or_else(|| {
            self.states.push(state);
            self.states.len() - 1
        })
    }

    fn arc(&mut self, from: usize, to: usize, label: String, is_step: bool) {
        let arc = (from, to, as_there(&label), is_step);
        if !self.arcs.contains(&arc) {
            self.arcs.push(arc);
        }
    }

    /// Returns the number of the last state.
    fn add(&mut self, witness: &Witness) -> usize {
        let mut state = witness.initial.clone();
        let mut path = vec![self.number(state.clone())];
        for step in &witness.steps {
            for (name, _, new) in &step.changes {
                state
                    .iter_mut()
                    .filter(|(known, _)| known == name)
                    .for_each(|(_, value)| *value = new.clone());
            }
            let to = self.number(state.clone());
            self.arc(path[path.len() - 1], to, step.event.clone(), true);
            path.push(to);
        }
        self.paths.push(path.clone());
        if let Some(strategy) = &witness.strategy {
            self.strategies.push((path[0], strategy.clone()));
            self.add_outcomes(strategy);
        }
        for branch in &witness.branches {
            let here = path[branch.position];
            let last = self.add(&branch.witness);
            match &branch.link {
                WitnessLink::Path => {}
                WitnessLink::Alike(agents) => self.arc(here, last, agents.join(","), false),
                WitnessLink::Correct(agent) => self.arc(here, last, format!("O({agent})"), false),
            }
        }
        path[path.len() - 1]
    }

    fn add_outcomes(&mut self, strategy: &StrategyTable) {
        let numbers: Vec<usize> =
            strategy.outcomes.iter().map(|outcome| self.number(outcome.state.clone())).collect();
        for (outcome, &from) in strategy.outcomes.iter().zip(&numbers) {
            let actions = outcome.row.map_or(&[][..], |row| &strategy.rows[row].actions);
            let actions: Vec<&str> = actions.iter().map(|(_, action)| action.as_str()).collect();
            for &next in &outcome.next {
                self.arc(from, numbers[next], format!("<{}>", actions.join(";")), true);
            }
        }
    }

    /// The lines that are printed.
    pub(super) fn print(&self, lines: &Lines, verdict: &Verdict) {
        let what = if *verdict == Verdict::Holds { "witness" } else { "counterexample" };
        lines.say(&format!("  The following is a {what} for the formula:"));
        self.print_path(lines);
    }

    /// Runs, looks and strategies, and the states that they are about.
    pub(super) fn print_path(&self, lines: &Lines) {
        for path in self.paths.iter().filter(|path| path.len() > 1 || self.paths.len() == 1) {
            let numbers: Vec<String> = path.iter().map(ToString::to_string).collect();
            lines.say(&format!("   < {} >", numbers.join(" ")));
        }
        for (from, to, who, _) in self.arcs.iter().filter(|(.., is_step)| !is_step) {
            lines.say(&format!("   {from} -{who}- {to}"));
        }
        for (start, strategy) in &self.strategies {
            lines.say(&format!("   strategy of {{ {} }} from {start}:", strategy.members.join(", ")));
            for row in &strategy.rows {
                let actions: Vec<String> =
                    row.actions.iter().map(|(agent, action)| format!("{agent} = {action}")).collect();
                let when = row.when.iter().map(|(name, values)| {
                    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                    format!("{name} = {}", values.join("|"))
                });
                let when = when.collect::<Vec<_>>().join(" and ");
                let when = if when.is_empty() { String::new() } else { format!(" if {when}") };
                lines.say(&format!("    {}{when}", actions.join(", ")));
            }
        }
        lines.say("  States description:");
        for line in self.info().lines() {
            lines.say(line);
        }
    }

    /// All states, one after the other.
    pub(super) fn info(&self) -> String {
        let mut text = String::new();
        for (number, state) in self.states.iter().enumerate() {
            let _ = writeln!(text, "------------- State: {number} -----------------");
            let mut agent = "";
            for (name, value) in state {
                let (owner, variable) = name.split_once('.').unwrap_or(("", name));
                if owner != agent {
                    let _ = writeln!(text, "Agent {owner}");
                    agent = owner;
                }
                let _ = writeln!(text, "  {variable} = {value}");
            }
            let _ = writeln!(text, "----------------------------------------");
        }
        text
    }

    /// The states as a graph, with joint actions at the steps.
    pub(super) fn dot(&self) -> String {
        let mut text = String::from("digraph G {\n");
        for number in 0..self.states.len() {
            let _ = writeln!(text, "  {number};");
        }
        for (from, to, label, is_step) in &self.arcs {
            let label = label.replace('\\', "\\\\").replace('"', "\\\"");
            let look = if *is_step { "" } else { ", style=dashed, dir=none" };
            let _ = writeln!(text, "  {from} -> {to} [label=\"{label}\"{look}];");
        }
        text.push_str("}\n");
        text
    }

    /// Writes `NAME.dot` and `NAME.info` into a folder.
    pub(super) fn write(&self, folder: &Path, name: &str) -> Result<(), Failure> {
        write_file(&folder.join(format!("{name}.dot")), &self.dot())?;
        write_file(&folder.join(format!("{name}.info")), &self.info())
    }
}

/// A joint action as MCMAS writes it: `<wait;send;none>`.
fn as_there(label: &str) -> String {
    label.replace("; ", ";")
}
