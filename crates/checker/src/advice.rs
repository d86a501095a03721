//! What to try next where a question stayed open.
//!
//! Advice is chosen from what is known of the model and of the attempt: what was asked, which diagram
//! was used, what phase it was in and what it ran out of. The most likely help comes first. Options
//! have their names; a front end makes commands of them in its own way.

use crate::loaded::Loaded;
use crate::options::{Diagram, Options, ReorderChoice, SymmetryChoice};
use crate::phase::Phase;
use crate::report::{Reason, Unknown};
use symbolon_engine::DiagramKind;
use symbolon_model::Model;

/// What was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedFor {
    /// The state space.
    States,
    /// A dead state.
    Deadlock,
    /// Formulas, all of which that stayed open ask for states that can be reached.
    ReachableStates,
    /// Formulas.
    Formulas,
    /// The most tokens of places.
    Bounds,
}

/// Another attempt at the same question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The command, where it is another one: it is asked of the model alone.
    pub command: Option<&'static str>,
    /// Options by their names, and values: to be added, or to replace others.
    pub options: Vec<(&'static str, String)>,
}

impl Advice {
    fn option(name: &'static str, value: impl ToString) -> Advice {
        Advice { command: None, options: vec![(name, value.to_string())] }
    }
}

/// What of a model decides which advice is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelFacts {
    language: FactsLanguage,
    is_coloured: bool,
    is_unbounded: bool,
    has_components: bool,
    /// The largest value of a variable initially.
    largest_value: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FactsLanguage {
    Net,
    Program,
    Agents,
}

/// Counters from here on are better stored as bits.
const LARGE_VALUE: u64 = 200;
/// The most pieces of advice.
const MOST: usize = 3;
/// How much longer, or how much more memory, the last attempt should have.
const MORE: u32 = 10;

impl ModelFacts {
    /// The facts about a model that was read.
    pub fn of(loaded: &Loaded) -> ModelFacts {
        let model: &Model = &loaded.model;
        let language = match () {
            () if model.is_synchronous() => FactsLanguage::Agents,
            () if loaded.has_net() => FactsLanguage::Net,
            () => FactsLanguage::Program,
        };
        ModelFacts {
            language,
            is_coloured: loaded.colours.is_some(),
            is_unbounded: loaded.unbounded_place().is_some(),
            has_components: model.components.iter().any(|component| component.parent.is_some()),
            largest_value: model.initial.iter().flat_map(|state| state.iter().copied()).max().unwrap_or(0),
        }
    }
}

/// The attempt that left the question open.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    /// What was asked.
    pub asked: AskedFor,
    /// With which options.
    pub options: &'a Options,
    /// Whether the search was a bounded one.
    pub is_bounded: bool,
    /// The seconds that it had, if they were limited.
    pub seconds: Option<f64>,
    /// The bytes that it had, if they were limited.
    pub bytes: Option<u64>,
    /// The phase in which it ended, by its name.
    pub phase: &'a str,
}

/// The attempts that are most likely to help, the best one first. `facts` are none if the model was not
/// read.
pub fn advice(facts: Option<ModelFacts>, attempt: &Attempt<'_>, unknown: &Unknown) -> Vec<Advice> {
    let mut found = Vec::new();
    match unknown.reason {
        Reason::Timeout | Reason::Memory | Reason::Interrupted | Reason::Unbounded | Reason::Overflow => {
            if let Some(facts) = facts {
                other_methods(facts, attempt, &mut found);
                if !matches!(unknown.reason, Reason::Unbounded | Reason::Overflow) {
                    other_sets(facts, attempt, unknown.reason, &mut found);
                }
            }
        }
        Reason::Bound => found.push(Advice::option("method", "k-induction")),
        // What to do instead stands in the sentence.
        Reason::Unsupported | Reason::Internal => {}
    }
    found.truncate(MOST - 1);
    match (unknown.reason, attempt.seconds, attempt.bytes) {
        (Reason::Timeout, Some(seconds), _) => {
            let longer = Advice::option("timeout", (seconds * f64::from(MORE)).ceil());
            // Where all states were found already, another way to find them only begins again.
            let place = if attempt.phase == Phase::Answering.name() { 0 } else { found.len() };
            found.insert(place, longer);
        }
        (Reason::Memory, _, Some(bytes)) if found.is_empty() => {
            found.push(Advice::option("memory", format!("{}M", (bytes >> 20) * 2)));
        }
        _ => {}
    }
    found
}

/// Methods that need not know all states.
fn other_methods(facts: ModelFacts, attempt: &Attempt<'_>, found: &mut Vec<Advice>) {
    let is_for_states = matches!(attempt.asked, AskedFor::Deadlock | AskedFor::ReachableStates);
    match (attempt.asked, facts.language) {
        (AskedFor::Deadlock, FactsLanguage::Agents) => {}
        _ if is_for_states && !attempt.is_bounded => {
            // Walks have found nothing, so there may be nothing to find, which induction may prove
            // (`bench/unknown.md`). Where something grows for ever it hardly ends; there, and for agents,
            // a search for runs does more.
            let method = match facts.language {
                FactsLanguage::Net | FactsLanguage::Program if !facts.is_unbounded => "k-induction",
                _ => "sat-interleaving",
            };
            found.push(Advice::option("method", method));
        }
        _ => {}
    }
    if facts.is_unbounded && attempt.asked != AskedFor::Bounds {
        // What grows, and by what.
        found.push(Advice { command: Some("bounds"), options: Vec::new() });
    }
}

/// Other ways to store the same sets.
fn other_sets(facts: ModelFacts, attempt: &Attempt<'_>, reason: Reason, found: &mut Vec<Advice>) {
    let Attempt { options, phase, .. } = *attempt;
    if facts.is_coloured && options.symmetry == SymmetryChoice::Off {
        found.push(Advice::option("symmetry", "auto"));
    }
    if facts.is_coloured && phase == Phase::Unfolding.name() {
        found.push(Advice::option("symmetry", "on"));
    }
    if phase == Phase::Proving.name() && !options.no_shortcuts {
        found.push(Advice { command: None, options: vec![("no-shortcuts", String::new())] });
    }
    if attempt.is_bounded {
        return;
    }
    let kind = match options.diagram {
        Diagram::Kind(kind) => Some(kind),
        Diagram::Auto => Some(match facts.language {
            FactsLanguage::Agents => DiagramKind::Bdd,
            _ => DiagramKind::Mdd,
        }),
        Diagram::Explicit => None,
    };
    let mut kinds = match facts.language {
        FactsLanguage::Agents if options.reorder == ReorderChoice::Off && kind == Some(DiagramKind::Bdd) => {
            found.push(Advice::option("reorder", "dynamic"));
            vec![DiagramKind::Mdd, DiagramKind::Sentential]
        }
        FactsLanguage::Agents => vec![DiagramKind::Bdd, DiagramKind::Sentential],
        _ if facts.largest_value >= LARGE_VALUE => vec![DiagramKind::Bdd, DiagramKind::Set],
        _ if facts.has_components || reason == Reason::Memory => vec![DiagramKind::Set, DiagramKind::Bdd],
        _ => vec![DiagramKind::Bdd, DiagramKind::Set, DiagramKind::Mdd],
    };
    kinds.retain(|other| Some(*other) != kind);
    found.extend(kinds.into_iter().map(|kind| Advice::option("diagram", kind.name())));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(facts: ModelFacts, asked: AskedFor, reason: Reason, phase: &str, expected: &[&str]) {
        let options = Options::default();
        let attempt =
            Attempt { asked, options: &options, is_bounded: false, seconds: Some(2.5), bytes: None, phase };
        let unknown = Unknown::because(reason, "a test");
        let shown = |one: &Advice| {
            let options = one.options.iter().map(|(name, value)| format!("{name} {value}"));
            one.command.map(str::to_string).into_iter().chain(options).collect::<Vec<_>>().join(" ")
        };
        let found: Vec<String> = advice(Some(facts), &attempt, &unknown).iter().map(shown).collect();
        assert_eq!(found, expected, "{facts:?}, {asked:?}, {reason:?}, {phase}");
    }

    const NET: ModelFacts = ModelFacts {
        language: FactsLanguage::Net,
        is_coloured: false,
        is_unbounded: false,
        has_components: false,
        largest_value: 1,
    };

    #[test]
    fn advice_fits_the_model_and_the_question() {
        let (late, full) = (Reason::Timeout, Reason::Memory);
        check(NET, AskedFor::States, late, "exploring", &["diagram bdd", "diagram set", "timeout 25"]);
        check(NET, AskedFor::States, full, "exploring", &["diagram set", "diagram bdd"]);
        check(
            NET,
            AskedFor::Deadlock,
            late,
            "exploring",
            &["method k-induction", "diagram bdd", "timeout 25"],
        );
        check(NET, AskedFor::Formulas, late, "proving", &["no-shortcuts ", "diagram bdd", "timeout 25"]);
        let growing = ModelFacts { language: FactsLanguage::Program, is_unbounded: true, ..NET };
        check(
            growing,
            AskedFor::ReachableStates,
            Reason::Unbounded,
            "",
            &["method sat-interleaving", "bounds"],
        );
        check(growing, AskedFor::States, Reason::Unbounded, "", &["bounds"]);
        check(growing, AskedFor::Formulas, Reason::Unbounded, "proving", &["bounds"]);
        check(NET, AskedFor::Formulas, late, "answering", &["timeout 25", "diagram bdd", "diagram set"]);
        let coloured = ModelFacts { is_coloured: true, ..NET };
        check(coloured, AskedFor::States, late, "unfolding", &["symmetry on", "diagram bdd", "timeout 25"]);
        let agents = ModelFacts { language: FactsLanguage::Agents, ..NET };
        check(agents, AskedFor::Deadlock, late, "", &["reorder dynamic", "diagram mdd", "timeout 25"]);
        check(NET, AskedFor::States, Reason::Internal, "", &[]);
        check(NET, AskedFor::Deadlock, Reason::Bound, "", &["method k-induction"]);
    }
}
