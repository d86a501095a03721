//! Parts of formulas about a coloured net that its skeleton decides: the net without colours, whose
//! markings contain all totals (`symbolon_coloured::strip`, COL-S1 to COL-S3).
//!
//! The skeleton has as many places as the coloured net, so this takes milliseconds however large
//! the unfolding is. Atoms are rewritten to the skeleton's places and transitions:
//!
//! - a comparison of sums in which all colours of a place have one factor, as it stands;
//! - `fireable(t)` can only be refuted, except where the totals decide `t`;
//! - `deadlock` means that no transition of the user is fireable;
//! - everything else, such as the tokens of one colour, is unknown.
//!
//! A part that speaks about one marking is then covered by cubes (`cubes.rs`), where unknown atoms
//! cover everything, and refuted by the state equation of the skeleton.

use super::cubes::cubes;
use super::refuted::state_parts;
use crate::colours::Colours;
use crate::loaded::Loaded;
use crate::policy::stripped::{LONGEST_PROGRAM, SHARE, TIME};
use rustc_hash::FxHashMap;
use symbolon_budget::{Budget, Interrupted};
use symbolon_coloured::{Skeleton, TransitionId, Unfolded, strip};
use symbolon_logic::{Builder, Formula, FormulaId, Operator, Paths, simplify};
use symbolon_model::{Atom, EventId, Expr, Linear, Model, Part, Predicate, VariableId};
use symbolon_petri::analysis::{Analysis, AnalysisOptions, LinearPrograms, analyse};
use symbolon_petri::incidence::Incidence;
use symbolon_petri::{PlaceId, lower};

/// Formulas, each with what the skeleton decides of it put in; `None` where it decides nothing.
pub(super) fn by_skeleton<'f>(
    loaded: &Loaded,
    formulas: impl Iterator<Item = (&'f Formula<Atom>, Paths)>,
    budget: &Budget,
) -> Vec<Option<Formula<Atom>>> {
    let slice = super::walks::share(budget, SHARE, TIME);
    let Some(stripped) = loaded.colours.as_deref().and_then(|colours| StrippedNet::of(colours, &slice))
    else {
        return formulas.map(|_| None).collect();
    };
    let incidence = Incidence::without(&stripped.skeleton.net, &stripped.is_dead);
    let programs =
        LinearPrograms::new(&stripped.skeleton.net, &incidence, LONGEST_PROGRAM).knowing(&stripped.analysis);
    let mut decisions = Decisions { stripped: &stripped, programs, known: FxHashMap::default() };
    formulas
        .map(|(formula, paths)| {
            // What interrupts this ends it early, and other methods go on.
            let decided = decisions.of(formula, &slice).unwrap_or_default();
            (!decided.is_empty()).then(|| simplify(&with_values(formula, &decided), paths))
        })
        .collect()
}

/// The formula with these subformulas replaced by their values.
fn with_values(formula: &Formula<Atom>, values: &FxHashMap<FormulaId, bool>) -> Formula<Atom> {
    formula.rewrite(|builder, id, operator| {
        builder.add(match values.get(&id) {
            Some(true) => Operator::True,
            Some(false) => Operator::False,
            None => operator,
        })
    })
}

/// A skeleton, and how the unfolding is read in it.
struct StrippedNet<'a> {
    colours: &'a Colours,
    unfolded: &'a Unfolded,
    skeleton: Skeleton,
    analysis: Analysis,
    is_dead: Vec<bool>,
    /// Two events for each transition of the coloured net, the second ones behind all the first. Where
    /// one is *not* enabled nothing follows, except for the first event of a transition that totals
    /// decide.
    model: Model,
}

impl<'a> StrippedNet<'a> {
    fn of(colours: &'a Colours, budget: &Budget) -> Option<StrippedNet<'a>> {
        let unfolded = colours.unfolded()?;
        let skeleton = strip(&colours.net)?;
        let analysis = analyse(&skeleton.net, &AnalysisOptions::thorough(), budget).ok()?;
        let is_dead = analysis.dead.transition_flags(&skeleton.net);
        let mut model = lower(&skeleton.net);
        model.events.truncate(skeleton.transition_count());
        let copies = model.events.clone();
        for (event, transition) in model.events.iter_mut().zip(colours.net.transition_ids()) {
            if !skeleton.decides(transition) {
                event.parts.push(unknown_part());
            }
        }
        model.events.extend(copies.into_iter().map(|mut event| {
            event.parts.push(unknown_part());
            event
        }));
        Some(StrippedNet { colours, unfolded, skeleton, analysis, is_dead, model })
    }

    /// The part in terms of the skeleton.
    fn rewritten(&self, part: &Formula<Atom>) -> Formula<Atom> {
        let all: Vec<EventId> = (0..self.skeleton.transition_count() as u32).map(EventId).collect();
        part.rewrite(|builder: &mut Builder<Atom>, _, operator| match operator {
            Operator::Atom(Atom::Holds(predicate)) => builder.atom(Atom::Holds(self.predicate(&predicate))),
            Operator::Atom(Atom::Fireable(events)) => builder.atom(Atom::Fireable(self.events(&events))),
            Operator::Deadlock => {
                let some = builder.atom(Atom::Fireable(all.clone()));
                builder.add(Operator::Not(some))
            }
            other => builder.add(other),
        })
    }

    /// One event for each transition of which some binding is among `events`: the first if all
    /// bindings are, which can be enabled.
    fn events(&self, events: &[EventId]) -> Vec<EventId> {
        let mut counts: FxHashMap<TransitionId, usize> = FxHashMap::default();
        for event in events {
            *counts.entry(self.colours.transition_of(*event)).or_default() += 1;
        }
        let count = self.skeleton.transition_count() as u32;
        let event = |(transition, found): (TransitionId, usize)| {
            let is_whole = found == self.unfolded.transitions_of(transition).len();
            EventId(if is_whole { transition.0 } else { count + transition.0 })
        };
        let mut events: Vec<EventId> = counts.into_iter().map(event).collect();
        events.sort_unstable();
        events
    }

    fn predicate(&self, predicate: &Predicate) -> Predicate {
        let inner = |parts: &[Predicate]| parts.iter().map(|part| self.predicate(part)).collect();
        match predicate {
            Predicate::True => Predicate::True,
            Predicate::False => Predicate::False,
            Predicate::Not(part) => Predicate::Not(Box::new(self.predicate(part))),
            Predicate::And(parts) => Predicate::And(inner(parts)),
            Predicate::Or(parts) => Predicate::Or(inner(parts)),
            Predicate::Compare(left, comparison, right) => {
                let totals = Linear::of_comparison(left, right)
                    .and_then(|(terms, constant)| Some((self.totals(&terms)?, constant)));
                match totals {
                    Some((terms, constant)) => {
                        let sum = Linear { terms, constant: 0 }.to_expr();
                        Predicate::Compare(sum, *comparison, Expr::Constant(constant))
                    }
                    None => unknown(),
                }
            }
        }
    }

    /// A sum over instances as a sum over places, if all colours of a place have one factor.
    fn totals(&self, terms: &[(VariableId, i64)]) -> Option<Vec<(VariableId, i64)>> {
        let mut sums: FxHashMap<u32, (i64, usize)> = FxHashMap::default();
        for &(instance, factor) in terms {
            let (place, _) = self.unfolded.place_and_code(PlaceId(instance.0));
            let (known, count) = sums.entry(place.0).or_insert((factor, 0));
            if *known != factor {
                return None;
            }
            *count += 1;
        }
        let mut totals = Vec::with_capacity(sums.len());
        for (place, (factor, count)) in sums {
            let instances = self.unfolded.places_of(symbolon_coloured::PlaceId(place));
            if instances.len() != count {
                return None;
            }
            totals.push((VariableId(place), factor));
        }
        totals.sort_unstable();
        Some(totals)
    }
}

/// A predicate of which nothing is known: it is not linear.
fn unknown() -> Predicate {
    let any = || Box::new(Expr::Variable(VariableId(0)));
    Predicate::Compare(Expr::Product(any(), any()), symbolon_model::Comparison::Equal, Expr::Constant(0))
}

/// A condition of an event of which nothing is known.
fn unknown_part() -> Part {
    Part::General { guard: Box::new(unknown()), updates: Vec::new() }
}

/// What was found out about parts of formulas.
struct Decisions<'a> {
    stripped: &'a StrippedNet<'a>,
    programs: LinearPrograms<'a>,
    /// By part, in terms of the skeleton.
    known: FxHashMap<Formula<Atom>, Option<bool>>,
}

impl Decisions<'_> {
    /// The values of subformulas that are the same in all reachable markings.
    fn of(
        &mut self,
        formula: &Formula<Atom>,
        budget: &Budget,
    ) -> Result<FxHashMap<FormulaId, bool>, Interrupted> {
        let mut decided = FxHashMap::default();
        let parts = state_parts(formula);
        let is_atom = |operator: &Operator<Atom>| matches!(operator, Operator::Atom(_));
        let atoms = formula.subformulas().filter(|(_, operator)| is_atom(operator)).map(|(id, _)| id);
        for id in parts.into_iter().chain(atoms) {
            if let Some(value) = self.value(&formula.subformula(id), budget)? {
                decided.insert(id, value);
            }
        }
        Ok(decided)
    }

    /// The value that a part has in all reachable markings, if that is proved.
    fn value(&mut self, part: &Formula<Atom>, budget: &Budget) -> Result<Option<bool>, Interrupted> {
        let rewritten = self.stripped.rewritten(part);
        if let Some(known) = self.known.get(&rewritten) {
            return Ok(*known);
        }
        let mut answer = None;
        for value in [true, false] {
            let Some(cubes) = cubes(&self.stripped.model, &rewritten, rewritten.root(), value) else {
                continue;
            };
            let mut is_refuted = true;
            for cube in &cubes {
                is_refuted = self.programs.refute(cube, budget)?.is_some();
                if !is_refuted {
                    break;
                }
            }
            if is_refuted {
                answer = Some(!value);
                break;
            }
        }
        self.known.insert(rewritten, answer);
        Ok(answer)
    }
}

#[cfg(test)]
mod tests;
