//! Parts of formulas that no reachable marking satisfies, by the state equation.
//!
//! A part that speaks about one marking is covered by cubes of linear constraints (`cubes.rs`). If
//! the state equation has no solution in any of them, the part is false in every reachable marking.
//! Decided parts are replaced by constants, which makes the formula simpler or decides it.

use super::board::Evidence;
use super::cubes::cubes;
use super::work::Work;
use crate::policy::programs::PATIENCE;
use crate::technique::Technique;
use rustc_hash::FxHashMap;
use std::time::Duration;
use symbolon_budget::{Budget, Interrupted};
use symbolon_logic::{Formula, FormulaId, Operator, simplify};
use symbolon_model::{Atom, Model};
use symbolon_petri::analysis::LinearPrograms;
use symbolon_petri::incidence::Incidence;

/// The parts of formulas that speak about one marking, and what was found out about each.
#[derive(Default)]
pub(super) struct Refuted {
    /// What was found out, and how long a program was allowed to take.
    values: FxHashMap<Formula<Atom>, (Option<bool>, Duration)>,
    /// Whether the last attempts were worth it: something was tried.
    has_tried: bool,
}

/// What one round of attempts has in common: each program may take `time`.
struct Attempt<'a> {
    model: &'a Model,
    programs: &'a LinearPrograms<'a>,
    time: Duration,
    budget: &'a Budget,
}

impl Refuted {
    /// Tries to decide the parts of all open formulas that speak about one marking: each program
    /// may take `time`. Parts that were tried before are tried again only with much more time.
    /// Returns whether something was tried.
    pub(super) fn refute(
        &mut self,
        work: Work<'_, '_>,
        time: Duration,
        budget: &Budget,
    ) -> Result<bool, Interrupted> {
        let loaded = work.loaded;
        self.has_tried = false;
        let Some(net) = loaded.structure() else { return Ok(false) };
        let is_dead = loaded.analysis.dead.transition_flags(net);
        let incidence = Incidence::without(net, &is_dead);
        let programs = LinearPrograms::new(net, &incidence, time).knowing(&loaded.analysis);
        let attempt = Attempt { model: &loaded.model, programs: &programs, time, budget };
        let open = work.board().open();
        for case in open {
            if !work.board().is_open(case) {
                continue;
            }
            let (formula, paths) = work.board().formula(case);
            let parts = state_parts(&formula);
            let mut decided: FxHashMap<FormulaId, bool> = FxHashMap::default();
            for &part in &parts {
                if let Some(value) = self.value(&attempt, &formula, part)? {
                    decided.insert(part, value);
                }
            }
            if decided.is_empty() {
                continue;
            }
            let simpler = formula.rewrite(|builder, id, operator| {
                builder.add(match decided.get(&id) {
                    Some(true) => Operator::True,
                    Some(false) => Operator::False,
                    None => operator,
                })
            });
            let evidence = Evidence::of(Technique::StateEquation);
            work.board().replace_formula(case, simplify(&simpler, paths), evidence);
        }
        Ok(self.has_tried)
    }

    /// The value that a part has in all reachable markings, if that is proved.
    fn value(
        &mut self,
        attempt: &Attempt<'_>,
        formula: &Formula<Atom>,
        part: FormulaId,
    ) -> Result<Option<bool>, Interrupted> {
        let Attempt { model, programs, time, budget } = *attempt;
        let alone = formula.subformula(part);
        match self.values.get(&alone) {
            Some((Some(known), _)) => return Ok(Some(*known)),
            Some((None, tried)) if time < PATIENCE * *tried => return Ok(None),
            _ => {}
        }
        self.has_tried = true;
        let mut answer = None;
        for value in [true, false] {
            let Some(cubes) = cubes(model, formula, part, value) else { continue };
            let mut is_refuted = true;
            for cube in &cubes {
                is_refuted = programs.refute(cube, budget)?.is_some();
                if !is_refuted {
                    break;
                }
            }
            if is_refuted {
                answer = Some(!value);
                break;
            }
        }
        self.values.insert(alone, (answer, time));
        Ok(answer)
    }
}

/// The largest subformulas that speak about one marking and are no constants.
pub(super) fn state_parts(formula: &Formula<Atom>) -> Vec<FormulaId> {
    let mut is_plain = Vec::with_capacity(formula.size());
    for (_, operator) in formula.subformulas() {
        let plain_here = !operator.is_temporal()
            && !matches!(
                operator,
                Operator::Exists(_) | Operator::ForAll(_) | Operator::Knows(..) | Operator::CanForce(..)
            );
        let operands = operator.operands().all(|operand| is_plain[operand.index()]);
        is_plain.push(plain_here && operands);
    }
    let mut is_part = vec![false; formula.size()];
    is_part[formula.root().index()] = is_plain[formula.root().index()];
    for (id, operator) in formula.subformulas() {
        if !is_plain[id.index()] {
            operator.operands().for_each(|operand| is_part[operand.index()] |= is_plain[operand.index()]);
        }
    }
    let is_constant = |operator: &Operator<Atom>| matches!(operator, Operator::True | Operator::False);
    formula
        .subformulas()
        .filter(|(id, operator)| is_part[id.index()] && !is_constant(operator))
        .map(|(id, _)| id)
        .collect()
}
