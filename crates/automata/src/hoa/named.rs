//! Automata whose propositions have names: what a HOA text holds.

use super::read::read_hoa;
use super::tokens::{Kind, tokens};
use super::write::write_hoa;
use crate::automaton::Automaton;
use crate::path_formula::path_formula;
use crate::translate::translate;
use std::hash::Hash;
use symbolon_budget::{Budget, Interrupted};
use symbolon_logic::Formula;
use symbolon_source::{Findings, ReadFailure};

/// An automaton with a name for each of its propositions. A front end that exchanges automata with
/// other programs needs no more: the names are formulas about states, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedAutomaton {
    /// The automaton.
    pub automaton: Automaton,
    /// The name of each proposition.
    pub propositions: Vec<String>,
}

impl NamedAutomaton {
    /// The automaton of the paths on which `formula` holds; of `A f` and `E f`, those on which `f`
    /// does. Its propositions are the largest subformulas about states, named by `name`.
    pub fn of_formula<A: Eq + Hash + Clone>(
        formula: &Formula<A>,
        name: impl Fn(&Formula<A>) -> String,
        budget: &Budget,
    ) -> Result<NamedAutomaton, Interrupted> {
        let path = path_formula(formula, formula.root());
        let propositions = path.propositions.iter().map(|&id| name(&formula.subformula(id))).collect();
        Ok(NamedAutomaton { automaton: translate(&path.formula, budget)?, propositions })
    }

    /// Reads the first automaton in a HOA text, with the names that stand there.
    pub fn from_hoa(text: &str, budget: &Budget) -> Result<NamedAutomaton, ReadFailure> {
        let propositions = proposition_names(text)?;
        let names: Vec<&str> = propositions.iter().map(String::as_str).collect();
        let automaton = read_hoa(text, &names, budget)?;
        Ok(NamedAutomaton { automaton, propositions })
    }

    /// The automaton as HOA text.
    pub fn to_hoa(&self) -> String {
        let names: Vec<&str> = self.propositions.iter().map(String::as_str).collect();
        write_hoa(&self.automaton, &names)
    }
}

/// The names in the field `AP:` of the header, each once; none if there is no such field. Whether the
/// field is right is for the reader to say.
fn proposition_names(text: &str) -> Result<Vec<String>, ReadFailure> {
    let mut findings = Findings::default();
    let tokens = match tokens(text, &mut findings) {
        Ok(tokens) => tokens,
        Err(stop) => return Err(findings.into_failure(stop, text)),
    };
    let is_field = |kind: &Kind| matches!(kind, Kind::Header(name) if name == "AP");
    let mut kinds = tokens.into_iter().map(|token| token.kind).skip_while(|kind| !is_field(kind)).skip(2);
    let mut names: Vec<String> = Vec::new();
    while let Some(Kind::Text(name)) = kinds.next() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}
