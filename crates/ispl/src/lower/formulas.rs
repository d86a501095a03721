//! Formulas about names as formulas about states.

use super::Asked;
use crate::tree::{Dialect, FormulaLine};
use symbolon_logic::{Builder, Formula, FormulaId, NamedAtom, Operator};
use symbolon_model::{Atom, Model, Predicate};
use symbolon_source::{Findings, Step, likely, shown};

/// What names in formulas mean.
pub(super) struct Meaning<'m> {
    pub(super) model: &'m Model,
    pub(super) atoms: &'m [(String, Predicate)],
}

impl Meaning<'_> {
    /// What a formula means; `None` where something in it means nothing, which is noted.
    pub(super) fn formula(&self, line: &FormulaLine, findings: &mut Findings) -> Step<Option<Asked>> {
        let observers = &self.model.observers;
        let mut is_good = true;
        for mention in &line.mentions {
            let name = &mention.name;
            let is_known = match mention.is_group {
                true => observers.members(&name.text).is_some(),
                false => observers.named(&name.text).is_some(),
            };
            if is_known {
                continue;
            }
            is_good = false;
            if !mention.is_group {
                super::no_agent(observers.list.iter().map(|observer| &*observer.name), name, findings)?;
                continue;
            }
            findings.error(name.span.start, format!("there is no group {}", shown(&name.text)))?;
            let groups = observers.groups.iter().map(|group| &*group.name);
            match likely(&name.text, groups.clone()) {
                Some(meant) => findings.hint(format!("did you mean {meant}?")),
                None if observers.groups.is_empty() => {
                    findings.hint("there are no groups: name one before the formulae, as in Groups g = { A, B }; end Groups");
                }
                None => findings.hint(format!("groups are {}", super::listed(groups))),
            }
        }
        let parsed = &line.formula;
        let mut unknown = Vec::new();
        for (id, operator) in parsed.formula.subformulas() {
            if let Operator::Atom(atom) = operator
                && self.atom(atom).is_none()
                && let NamedAtom::Named(name) = atom
                && !name.text.contains('.')
            {
                unknown.push((id, name));
            }
        }
        for (id, name) in unknown {
            is_good = false;
            findings.error(parsed.span(id).start, format!("there is no atom {}", shown(&name.text)))?;
            let known = self.atoms.iter().map(|(atom, _)| &**atom);
            match likely(&name.text, known.clone()) {
                Some(meant) => findings.hint(format!("did you mean {meant}?")),
                None => findings.hint(format!("atoms of Evaluation are {}", super::listed(known))),
            }
        }
        if !is_good {
            return Ok(None);
        }
        let named = match line.dialect {
            Dialect::Ltl => with_quantifiers(&parsed.formula),
            Dialect::Ctlk | Dialect::CtlStar => parsed.formula.clone(),
        };
        let formula = named.map_atoms(|_, atom| self.atom(atom).ok_or(()));
        let asked = |formula| Asked {
            dialect: line.dialect,
            formula,
            named,
            text: line.to_string(),
            reference_text: line.reference_text(),
            span: line.place.0,
        };
        Ok(formula.ok().map(asked))
    }

    fn atom(&self, atom: &NamedAtom) -> Option<Atom> {
        let NamedAtom::Named(name) = atom else { return None };
        let text = &*name.text;
        if let Some((_, predicate)) = self.atoms.iter().find(|(known, _)| known == text) {
            return Some(Atom::Holds(predicate.clone()));
        }
        let (agent, states) = text.rsplit_once('.')?;
        let red = &self.model.observers.list.iter().find(|observer| observer.name == agent)?.red;
        Some(Atom::Holds(match states {
            "RedStates" => red.clone(),
            _ => Predicate::Not(Box::new(red.clone())),
        }))
    }
}

/// A formula of LTL speaks about all paths, and so do the operands of knowledge operators in it.
fn with_quantifiers(formula: &Formula<NamedAtom>) -> Formula<NamedAtom> {
    let mut builder = Builder::default();
    let mut made: Vec<FormulaId> = Vec::with_capacity(formula.size());
    for (_, operator) in formula.subformulas() {
        let same = |atom: &NamedAtom| Ok::<_, std::convert::Infallible>(atom.clone());
        let Ok(operator) = operator.map(|operand| made[operand.index()], same);
        let operator = match operator {
            Operator::Knows(knowledge, name, operand) => {
                let all = builder.add(Operator::ForAll(operand));
                Operator::Knows(knowledge, name, all)
            }
            other => other,
        };
        made.push(builder.add(operator));
    }
    let root = builder.add(Operator::ForAll(made[formula.root().index()]));
    builder.finish(root)
}
