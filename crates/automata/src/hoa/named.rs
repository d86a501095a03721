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
        NamedAutomaton::from_hoa_with_offsets(text, budget).map(|(automaton, _)| automaton)
    }

    /// The same, with the byte offset at which each name begins (its opening quotation mark), for
    /// messages about names.
    pub fn from_hoa_with_offsets(
        text: &str,
        budget: &Budget,
    ) -> Result<(NamedAutomaton, Vec<usize>), ReadFailure> {
        let (propositions, offsets): (Vec<String>, Vec<usize>) = proposition_names(text)?.into_iter().unzip();
        let names: Vec<&str> = propositions.iter().map(String::as_str).collect();
        let automaton = read_hoa(text, &names, budget)?;
        Ok((NamedAutomaton { automaton, propositions }, offsets))
    }

    /// The automaton as HOA text.
    pub fn to_hoa(&self) -> String {
        let names: Vec<&str> = self.propositions.iter().map(String::as_str).collect();
        write_hoa(&self.automaton, &names)
    }
}

/// The names in the field `AP:` of the header, each once, with the offset of its opening quotation
/// mark; none if there is no such field. Whether the field is right is for the reader to say.
fn proposition_names(text: &str) -> Result<Vec<(String, usize)>, ReadFailure> {
    let mut findings = Findings::default();
    let tokens = match tokens(text, &mut findings) {
        Ok(tokens) => tokens,
        Err(stop) => return Err(findings.into_failure(stop, text)),
    };
    let is_field = |kind: &Kind| matches!(kind, Kind::Header(name) if name == "AP");
    let mut names: Vec<(String, usize)> = Vec::new();
    for token in tokens.into_iter().skip_while(|token| !is_field(&token.kind)).skip(2) {
        let Kind::Text(name) = token.kind else { break };
        if !names.iter().any(|(known, _)| *known == name) {
            names.push((name, token.offset));
        }
    }
    Ok(names)
}
