//! The names in formulas, before there is a model to look them up in.
//!
//! A coloured net is folded when it is loaded, and members that formulas name must be told apart then.
//! So formulas are read twice where they may name some. What is wrong with them is said the second time.

use crate::property::FormulaFile;
use symbolon_automata::NamedAutomaton;
use symbolon_budget::Budget;
use symbolon_logic::{NamedAtom, Parsed, parse_formula, read_properties};

/// The names with brackets in formulas, in files of formulas and in automata: only these can be about
/// single members.
pub fn names_in_formulas(texts: &[String], files: &[FormulaFile], automata: &[FormulaFile]) -> Vec<String> {
    let budget = Budget::unlimited();
    let mut names = Vec::new();
    let mut add_text = |text: &str| {
        if let Ok(parsed) = parse_formula(text) {
            add_names(&parsed, &mut names);
        }
    };
    texts.iter().for_each(|text| add_text(text));
    for file in automata.iter().filter(|file| has_brackets(&file.bytes)) {
        let text = String::from_utf8_lossy(&file.bytes);
        if let Ok((read, _)) = NamedAutomaton::from_hoa_with_offsets(&text, &budget) {
            read.propositions.iter().for_each(|name| add_text(name));
        }
    }
    for file in files.iter().filter(|file| has_brackets(&file.bytes)) {
        if let Ok(read) = read_properties(&file.bytes, &budget) {
            let parsed = read.properties.iter().map(|property| &property.formula);
            parsed.for_each(|parsed| add_names(parsed, &mut names));
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

fn has_brackets(bytes: &[u8]) -> bool {
    bytes.iter().any(|byte| matches!(byte, b'[' | b'('))
}

/// Adds the names that end in a bracket.
fn add_names(parsed: &Parsed, names: &mut Vec<String>) {
    let mut add = |name: &str| {
        if name.ends_with([']', ')']) {
            names.push(name.to_string());
        }
    };
    for atom in parsed.formula.atoms() {
        match atom {
            NamedAtom::Named(name) => add(&name.text),
            NamedAtom::Compare(left, _, right) => {
                left.terms.iter().chain(&right.terms).for_each(|(_, name)| add(&name.text));
            }
            NamedAtom::Fireable(names) => names.iter().for_each(|name| add(&name.text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_members_are_found_wherever_formulas_are() {
        let file = |text: &str| FormulaFile { name: "file".into(), bytes: text.as_bytes().to_vec() };
        let texts = ["EF (p[c1] >= 1 & q > 0)".to_string(), "EF (".to_string()];
        let files = [file("one: AG (p[c2,s1] + q <= 1)\n"), file("two: EF fireable(\"t(x=c1)\")\n")];
        let automaton = "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"p[c3] = 1\"\nacc-name: Buchi\n\
                         Acceptance: 1 Inf(0)\n--BODY--\nState: 0 {0}\n[0] 0\n--END--\n";
        let names = names_in_formulas(&texts, &files, &[file(automaton)]);
        assert_eq!(names, ["p[c1]", "p[c2,s1]", "p[c3]", "t(x=c1)"]);
    }
}
