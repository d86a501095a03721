//! Smaller cases that still fail: what a random test shows instead of the case it met.
//!
//! A formula shrinks by putting an operand in the place of its operator, or a constant in the place
//! of anything. A model shrinks by giving up initial states and by stopping events for good; its
//! events keep their numbers, so that formulas about it stay meaningful, and its states can only
//! become fewer.

use crate::Logic;
use symbolon_logic::{Builder, Formula, FormulaId, Operator, Sorts};
use symbolon_model::{Atom, Event, Model, Part, Predicate};

/// The smallest case found from this one that still fails, by greedy steps: each is kept if `fails`
/// says so.
pub fn shrink(
    model: &Model,
    formula: &Formula<Atom>,
    logic: Logic,
    mut fails: impl FnMut(&Model, &Formula<Atom>) -> bool,
) -> (Model, Formula<Atom>) {
    let (mut model, mut formula) = (model.clone(), formula.clone());
    loop {
        let smaller = smaller_formulas(&formula, logic).into_iter().find(|smaller| fails(&model, smaller));
        if let Some(smaller) = smaller {
            formula = smaller;
            continue;
        }
        match smaller_models(&model).into_iter().find(|smaller| fails(smaller, &formula)) {
            Some(smaller) => model = smaller,
            None => return (model, formula),
        }
    }
}

/// The smallest model found from this one that still fails, by the same steps.
pub fn shrink_model(model: &Model, mut fails: impl FnMut(&Model) -> bool) -> Model {
    let mut model = model.clone();
    while let Some(smaller) = smaller_models(&model).into_iter().find(|smaller| fails(smaller)) {
        model = smaller;
    }
    model
}

/// Formulas of the same logic that are smaller by one step, the smallest first. All of them speak
/// about states if `formula` does.
pub fn smaller_formulas(formula: &Formula<Atom>, logic: Logic) -> Vec<Formula<Atom>> {
    let sorts = Sorts::of(formula);
    let mut found: Vec<Formula<Atom>> = Vec::new();
    for (id, operator) in formula.subformulas() {
        // Operands, and theirs: between `EX f` and `f` there is no formula of CTL.
        let mut parts: Vec<FormulaId> = operator.operands().collect();
        parts.extend(operator.operands().flat_map(|operand| formula.operator(operand).operands()));
        let fits = |part: &FormulaId| sorts.is_path(id) || !sorts.is_path(*part);
        let constants = [Operator::True, Operator::False];
        let is_constant = constants.contains(operator);
        let by_parts =
            parts.into_iter().filter(fits).map(|part| replaced(formula, id, Substitute::Part(part)));
        let by_constants =
            constants.into_iter().map(|constant| replaced(formula, id, Substitute::Whole(constant)));
        found.extend(by_parts.chain(by_constants.filter(|_| !is_constant)));
    }
    found.retain(|smaller| weight(smaller) < weight(formula) && logic.contains(smaller));
    found.sort_by_key(weight);
    found.dedup();
    found
}

/// Models smaller by one step: one initial state alone, an event stopped, or a synchronous step
/// with a line or an offer less.
fn smaller_models(model: &Model) -> Vec<Model> {
    let mut found = Vec::new();
    if model.initial.len() > 1 {
        found.extend(
            model.initial.iter().map(|state| Model { initial: vec![state.clone()], ..model.clone() }),
        );
    }
    let never = Part::General { guard: Box::new(Predicate::False), updates: Vec::new() };
    for event in model.event_ids().filter(|&event| model.event(event).is_synchronous()) {
        for place in 0..model.event(event).parts.len() {
            let count = match &model.event(event).parts[place] {
                Part::Choice(choice) => choice.offers.len(),
                Part::Reaction(reaction) => reaction.lines.len(),
                Part::Local { .. } | Part::General { .. } => 0,
            };
            for number in 0..count {
                let mut smaller = model.clone();
                match &mut smaller.events[event.index()].parts[place] {
                    Part::Choice(choice) => drop(choice.offers.remove(number)),
                    Part::Reaction(reaction) => drop(reaction.lines.remove(number)),
                    Part::Local { .. } | Part::General { .. } => {}
                }
                found.push(smaller);
            }
        }
    }
    let is_stopped = |event: &Event| event.parts == [never.clone()] || event.is_synchronous();
    for event in model.event_ids().filter(|&event| !is_stopped(model.event(event))) {
        let mut smaller = model.clone();
        let name = std::mem::take(&mut smaller.events[event.index()].name);
        smaller.events[event.index()] = Event { name, parts: vec![never.clone()] };
        found.push(smaller);
    }
    found
}

/// The number of subformulas, constants counting less than other atoms.
fn weight(formula: &Formula<Atom>) -> usize {
    let cost = |operator: &Operator<Atom>| match operator {
        Operator::True | Operator::False => 1,
        Operator::Deadlock => 2,
        _ => 3,
    };
    formula.subformulas().map(|(_, operator)| cost(operator)).sum()
}

/// What is put in the place of a subformula.
enum Substitute {
    /// Another subformula, which stands before it.
    Part(FormulaId),
    /// A formula without operands.
    Whole(Operator<Atom>),
}

fn replaced(formula: &Formula<Atom>, place: FormulaId, by: Substitute) -> Formula<Atom> {
    let mut builder = Builder::default();
    let mut made: Vec<FormulaId> = Vec::with_capacity(formula.size());
    for (id, operator) in formula.subformulas() {
        let same = |atom: &Atom| Ok::<_, std::convert::Infallible>(atom.clone());
        made.push(match &by {
            Substitute::Part(part) if id == place => made[part.index()],
            Substitute::Whole(operator) if id == place => builder.add(operator.clone()),
            _ => {
                let Ok(operator) = operator.map(|operand| made[operand.index()], same);
                builder.add(operator)
            }
        });
    }
    builder.finish(made[formula.root().index()])
}
