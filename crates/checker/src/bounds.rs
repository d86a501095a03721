//! Least upper bounds: the most tokens that a place, or a weighted sum of places, ever holds.
//!
//! Each target has a largest value that was *reached* and a value that was *proved* to be never
//! exceeded. Where they meet, the bound is known. The methods, from cheap to expensive:
//!
//! ```text
//! proved    structure ─────────────────▶ state equation ─▶ ┐               ┌▶ (longer programs)
//! reached   initial marking ─▶ walks ──▶ guided walks ───▶ ┴▶ all states ──┴▶ more guided walks
//! ```
//!
//! All states, as a diagram, give both at once, for all targets. Nets that may be unbounded get
//! Karp and Miller's tree instead, which gives both, or finds places without bound.

mod proof;
mod search;
mod structure;

pub use proof::{Proof, weighted_sum};

use crate::ask::{ask, kind_for};
use crate::error::{Error, InputError};
use crate::hierarchies::check_choices;
use crate::loaded::{Language, Loaded, NetPlace};
use crate::options::{Diagram, Options};
use crate::report::{Amount, Reason, Unknown};
use crate::resolve::without_brackets;
use crate::stop::settle;
use num_bigint::BigInt;
use search::Search;
pub(crate) use structure::{Structure, sum_of_bounds};
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{DiagramKind, Explored, Question, StateSets};
use symbolon_explicit as explicit;
use symbolon_model::{Model, Values, VariableId};
use symbolon_petri::PlaceId;
use symbolon_petri::lower::variable_of;

/// A weighted sum of places whose least upper bound is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundTarget {
    /// How the user calls it: the id of a place, or the sum as written.
    pub name: String,
    /// Places and positive weights, ascending by place, each place once.
    pub terms: Vec<(PlaceId, u64)>,
}

/// What is known about one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundReport {
    /// How the user calls it.
    pub name: String,
    /// The least upper bound, where it is known.
    pub bound: Option<Amount>,
    /// A value that was reached.
    pub at_least: u128,
    /// A value that is never exceeded, where one is known.
    pub at_most: Option<u128>,
    /// What gave the bound.
    pub method: Option<BoundMethod>,
    /// The proof that it is never exceeded, or that there is none; where it is the structure's.
    pub proof: Option<Proof>,
    /// What has to be added to these numbers, which count from the least values of the variables.
    pub offset: i128,
}

impl BoundReport {
    /// The bound as users write it, if it is known: a number, or `inf`.
    pub fn bound_text(&self) -> Option<String> {
        self.bound.as_ref().map(|bound| match bound {
            Amount::Finite(value) => (BigInt::from(value.clone()) + self.offset).to_string(),
            Amount::Infinite => bound.to_string(),
        })
    }

    /// The value that was reached, as users write it.
    pub fn at_least_text(&self) -> String {
        (BigInt::from(self.at_least) + self.offset).to_string()
    }

    /// The value that is never exceeded, as users write it, where one is known.
    pub fn at_most_text(&self) -> Option<String> {
        self.at_most.map(|most| (BigInt::from(most) + self.offset).to_string())
    }
}

/// What gave a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundMethod {
    /// A structural proof, met by the initial marking, or of growth without end.
    Structure,
    /// A structural proof, met by a walk.
    StructureAndWalk,
    /// Karp and Miller's tree.
    Coverability,
    /// All states, in this kind of diagram.
    Diagram(DiagramKind),
    /// All states, in a table.
    Explicit,
}

impl BoundMethod {
    /// The word of the JSON contract.
    pub fn word(self) -> &'static str {
        match self {
            BoundMethod::Structure => "structure",
            BoundMethod::StructureAndWalk => "structure+walk",
            BoundMethod::Coverability => "coverability",
            BoundMethod::Diagram(kind) => kind.name(),
            BoundMethod::Explicit => "explicit",
        }
    }
}

/// The answer of `bounds`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundsReport {
    /// One entry per target, in their order.
    pub bounds: Vec<BoundReport>,
    /// Why some bound is unknown; `None` if all are known.
    pub unknown: Option<Unknown>,
}

/// Weights of one sum may add up to this: then no sum leaves 128 bits.
const LARGEST_WEIGHT: u64 = i64::MAX as u64;

/// Every place of the net as a target of its own; of programs and agents, every variable that holds
/// numbers.
pub fn every_place(loaded: &Loaded) -> Vec<BoundTarget> {
    match loaded.language() {
        Language::Net => loaded.places().map(target_of).collect(),
        Language::Agents | Language::Commands => {
            let numbers = loaded.model.variable_ids().filter(|&id| holds_numbers(&loaded.model, id));
            numbers.map(|id| variable_target(&loaded.model, id)).collect()
        }
    }
}

/// The variable of a program, or of agents, as a target; `None` if the model is a net or has no such
/// variable, and an error if its values are no numbers.
pub fn bound_of_variable(loaded: &Loaded, name: &str) -> Option<Result<BoundTarget, InputError>> {
    let model = &loaded.model;
    if loaded.language() == Language::Net {
        return None;
    }
    let id = model.variable_named(name).or_else(|| model.variable_named(&without_brackets(name)?))?;
    if holds_numbers(model, id) {
        return Some(Ok(variable_target(model, id)));
    }
    let name = &model.variables[id.index()].name;
    let (what, first) = match model.values_of(id) {
        Values::Boolean => ("are true and false", "true".to_string()),
        values => ("have names", values.text(0)),
    };
    let hint = format!("ask whether it has a value, with command ‹check› and \"EF {name} = {first}\"");
    Some(Err(
        InputError::plain(format!("the values of '{name}' {what}, so they have no bound")).with_hint(hint)
    ))
}

fn holds_numbers(model: &Model, id: VariableId) -> bool {
    matches!(model.values_of(id), Values::Natural | Values::Range { .. })
}

fn variable_target(model: &Model, id: VariableId) -> BoundTarget {
    BoundTarget { name: model.variables[id.index()].name.clone(), terms: vec![(PlaceId(id.0), 1)] }
}

/// What a sum of variables is where all of them have their least values.
fn offset_of(loaded: &Loaded, terms: &[(PlaceId, u64)]) -> i128 {
    let least = |place: PlaceId| match loaded.model.values_of(VariableId(place.0)) {
        Values::Range { least, .. } => i128::from(*least),
        _ => 0,
    };
    terms.iter().map(|&(place, weight)| i128::from(weight) * least(place)).sum()
}

/// Every place of the net that is explored: of a coloured net, every colour of a place by itself.
pub fn every_place_instance(loaded: &Loaded) -> Vec<BoundTarget> {
    loaded.place_instances().map(target_of).collect()
}

fn target_of(place: NetPlace<'_>) -> BoundTarget {
    BoundTarget { name: place.id.to_string(), terms: place.terms() }
}

/// Finds the least upper bounds of `targets`. Each is reported with its number as soon as it is
/// known.
pub(crate) fn bounds(
    loaded: &Loaded,
    mut targets: Vec<BoundTarget>,
    options: &Options,
    budget: &Budget,
    on_bound: &mut dyn FnMut(usize, &BoundReport),
) -> Result<BoundsReport, Error> {
    targets.iter_mut().try_for_each(normalise)?;
    check_choices(loaded, options)?;
    if !loaded.has_net() && loaded.program().is_none() {
        return by_sets_alone(loaded, targets, options, budget, on_bound);
    }
    let mut search = Search::new(loaded, targets, options, on_bound);
    let mut unknown = None;
    if !options.no_shortcuts
        && let Err(why) = search.shortcuts(budget)
    {
        unknown = Some(search.stopped(why, budget));
    }
    if unknown.is_none() && !search.is_done() {
        let time = if options.no_shortcuts { budget.clone() } else { search.time_for_exploring(budget) };
        unknown = explore(loaded, options, &time, &mut search)?;
    }
    // Running out of memory, or of the time set aside for exploring, leaves time for another try.
    let is_worth_it = unknown.as_ref().is_some_and(|unknown| {
        matches!(unknown.reason, Reason::Timeout | Reason::Memory | Reason::Unsupported)
    });
    if is_worth_it && !options.no_shortcuts && !search.is_done() {
        // What stops it is what stopped the exploration, or Ctrl-C: the reports say what is known.
        let _ = search.last_resort(budget);
    }
    Ok(search.into_report(unknown))
}

/// All bounds of a folded net of which there is no plain net: what it counts is explored.
fn by_sets_alone(
    loaded: &Loaded,
    targets: Vec<BoundTarget>,
    options: &Options,
    budget: &Budget,
    on_bound: &mut dyn FnMut(usize, &BoundReport),
) -> Result<BoundsReport, Error> {
    let sums = targets.iter().map(|target| target.terms.clone()).enumerate().collect();
    let (largest, unknown) = match settle(ask(loaded, options, budget, LargestSums { sums }))? {
        Ok(largest) => (largest, None),
        Err(unknown) => (Vec::new(), Some(unknown)),
    };
    let method = match loaded.quotient() {
        Some(_) => BoundMethod::Explicit,
        None => BoundMethod::Diagram(kind_for(loaded, options)),
    };
    let mut bounds = Vec::with_capacity(targets.len());
    for (number, target) in targets.into_iter().enumerate() {
        let value = largest.get(number).map(|(_, value)| *value);
        let report = BoundReport {
            name: target.name,
            bound: value.map(|value| Amount::Finite(value.into())),
            at_least: value.unwrap_or(0),
            at_most: value,
            method: value.map(|_| method),
            proof: None,
            offset: offset_of(loaded, &target.terms),
        };
        if value.is_some() {
            on_bound(number, &report);
        }
        bounds.push(report);
    }
    Ok(BoundsReport { bounds, unknown })
}

/// Orders the terms, adds up those of one place, and refuses weights beyond the range.
fn normalise(target: &mut BoundTarget) -> Result<(), Error> {
    let too_large = || {
        let message = format!("the weights of '{}' are too large", target.name);
        let hint = format!("together they may be at most {LARGEST_WEIGHT}");
        Error::Input(vec![InputError::plain(message).with_hint(hint)])
    };
    let total = target.terms.iter().try_fold(0_u64, |total, &(_, weight)| total.checked_add(weight));
    if total.is_none_or(|total| total > LARGEST_WEIGHT) {
        return Err(too_large());
    }
    target.terms.retain(|&(_, weight)| weight > 0);
    target.terms.sort_unstable();
    target.terms.dedup_by(|later, earlier| {
        let is_same = later.0 == earlier.0;
        if is_same {
            earlier.1 += later.1;
        }
        is_same
    });
    Ok(())
}

/// All states, for whatever is still open. Returns why they were not found.
fn explore(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
    search: &mut Search,
) -> Result<Option<Unknown>, Error> {
    if let Some(unbounded) = loaded.unboundedness() {
        let detail = format!("{unbounded}, and nothing else gave the other bounds");
        return Ok(Some(Unknown::because(Reason::Unbounded, detail)));
    }
    if options.diagram == Diagram::Explicit {
        return Ok(by_explicit(loaded, budget, search));
    }
    let sums = search.open_sums();
    Ok(match settle(ask(loaded, options, budget, LargestSums { sums }))? {
        Ok(largest) => {
            search.settle_all(largest, BoundMethod::Diagram(kind_for(loaded, options)));
            None
        }
        Err(unknown) => Some(unknown),
    })
}

/// A target's number and its terms.
type Sum = (usize, Vec<(PlaceId, u64)>);

/// The largest value of each sum over all reachable states.
struct LargestSums {
    sums: Vec<Sum>,
}

impl Question for LargestSums {
    type Answer = Vec<(usize, u128)>;

    fn answer<S: StateSets>(self, mut explored: Explored<S>) -> Result<Self::Answer, Interrupted> {
        largest_sums(&mut explored, &self.sums)
    }
}

fn largest_sums<S: StateSets>(
    explored: &mut Explored<S>,
    sums: &[Sum],
) -> Result<Vec<(usize, u128)>, Interrupted> {
    let Explored { sets, reached, .. } = explored;
    let figures = sets.analyse(reached)?;
    let mut largest = Vec::with_capacity(sums.len());
    for (target, terms) in sums {
        let value = match terms[..] {
            [(place, weight)] => u128::from(weight) * u128::from(figures.largest[place.index()]),
            _ => {
                // Weights were checked to fit.
                let weights: Vec<_> =
                    terms.iter().map(|&(place, weight)| (variable_of(place), weight as i64)).collect();
                let largest = sets.largest(reached, &weights)?.unwrap_or(0);
                u128::try_from(largest).unwrap_or(0)
            }
        };
        largest.push((*target, value));
    }
    Ok(largest)
}

fn by_explicit(loaded: &Loaded, budget: &Budget, search: &mut Search) -> Option<Unknown> {
    let exploration = match explicit::explore(&loaded.model, &explicit::Options::default(), budget) {
        Ok(exploration) => exploration,
        Err(stopped) => return Some(Unknown::from(stopped)),
    };
    let sums = search.open_sums();
    let mut largest: Vec<(usize, u128)> = sums.iter().map(|(target, _)| (*target, 0)).collect();
    for state in exploration.states() {
        for ((_, largest), (_, terms)) in largest.iter_mut().zip(&sums) {
            let term =
                |&(place, weight): &(PlaceId, u64)| u128::from(weight) * u128::from(state[place.index()]);
            *largest = (*largest).max(terms.iter().map(term).sum());
        }
    }
    search.settle_all(largest, BoundMethod::Explicit);
    None
}
