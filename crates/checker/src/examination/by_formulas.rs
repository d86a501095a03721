//! Yes-or-no examinations of coloured nets, as formulas.
//!
//! The contest asks these questions of the places and transitions as they were written: a place is
//! safe if its colours together never hold two tokens, and a transition is live if in every state
//! some binding can still be enabled later. Each place or transition gives one formula; one of
//! them, or all of them, decide.

use super::yes_or_no::Question;
use crate::check::{CheckOptions, check};
use crate::colours::{Colours, PlaceTokens};
use crate::error::Error;
use crate::loaded::Loaded;
use crate::options::Options;
use crate::property::Property;
use crate::report::Outcome;
use crate::technique::Technique;
use crate::verdict::{PropertyReport, Verdict};
use symbolon_budget::Budget;
use symbolon_logic::{Builder, Formula, FormulaId, Operator, Paths};
use symbolon_model::{Atom, Comparison, Expr, Predicate, State};

/// The answer to a question about the places or transitions of a coloured net, and what gave it.
pub(super) fn by_formulas(
    question: Question,
    loaded: &Loaded,
    colours: &Colours,
    options: &Options,
    budget: &Budget,
) -> Result<Outcome<(bool, Vec<Technique>)>, Error> {
    let properties: Vec<Property> = formulas(question, colours, &loaded.model.initial[0])
        .into_iter()
        .map(|formula| Property::new("", formula, Paths::Maximal))
        .collect();
    // One verdict of this kind decides.
    let deciding = question == Question::StableMarking;
    let work = budget.part();
    let mut decided: Option<Vec<Technique>> = None;
    let reports = check(
        loaded,
        &properties,
        CheckOptions::default(),
        options,
        &work,
        &mut |_, report: &PropertyReport| {
            if report.verdict == Verdict::of(deciding) {
                decided.get_or_insert_with(|| report.techniques.clone());
                work.cancel();
            }
        },
    )?;
    if let Some(techniques) = decided {
        return Ok(Ok((deciding, techniques)));
    }
    let mut techniques: Vec<Technique> = Vec::new();
    for report in reports {
        if let Verdict::Unknown(why) = report.verdict {
            return Ok(Err(why));
        }
        for technique in report.techniques {
            if !techniques.contains(&technique) {
                techniques.push(technique);
            }
        }
    }
    if techniques.is_empty() {
        techniques.push(Technique::StructuralAnalysis);
    }
    Ok(Ok((!deciding, techniques)))
}

fn formulas(question: Question, colours: &Colours, initial: &State) -> Vec<Formula<Atom>> {
    let of_places = |formula: &dyn Fn(PlaceTokens) -> Formula<Atom>| -> Vec<Formula<Atom>> {
        colours.places().map(|(_, tokens)| formula(tokens)).collect()
    };
    let of_transitions = |formula: &dyn Fn(Atom) -> Formula<Atom>| -> Vec<Formula<Atom>> {
        colours.events_of_transitions().map(|events| formula(Atom::Fireable(events))).collect()
    };
    match question {
        Question::OneSafe => of_places(&|place| {
            always(compared(place.into_expr(), Comparison::LessOrEqual, Expr::Constant(1)))
        }),
        Question::StableMarking => of_places(&|place| {
            let tokens = Expr::Constant(i64::try_from(place.count(initial)).unwrap_or(i64::MAX));
            always(compared(place.into_expr(), Comparison::Equal, tokens))
        }),
        Question::QuasiLiveness => of_transitions(&|fireable| {
            built(fireable, |builder, atom| {
                let path = builder.add(Operator::Finally(atom));
                builder.add(Operator::Exists(path))
            })
        }),
        Question::Liveness => of_transitions(&|fireable| {
            built(fireable, |builder, atom| {
                let path = builder.add(Operator::Finally(atom));
                let again = builder.add(Operator::Exists(path));
                let path = builder.add(Operator::Globally(again));
                builder.add(Operator::ForAll(path))
            })
        }),
        Question::Deadlock => unreachable!("a deadlock is one of the unfolding"),
    }
}

fn compared(left: Expr, comparison: Comparison, right: Expr) -> Atom {
    Atom::Holds(Predicate::Compare(left, comparison, right))
}

/// `AG atom`
fn always(atom: Atom) -> Formula<Atom> {
    built(atom, |builder, atom| {
        let path = builder.add(Operator::Globally(atom));
        builder.add(Operator::ForAll(path))
    })
}

fn built(atom: Atom, add: impl FnOnce(&mut Builder<Atom>, FormulaId) -> FormulaId) -> Formula<Atom> {
    let mut builder = Builder::default();
    let atom = builder.atom(atom);
    let root = add(&mut builder, atom);
    builder.finish(root)
}
