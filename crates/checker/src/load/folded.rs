//! Coloured nets folded by their symmetry.

use crate::colours::{Colours, MarkingDiagrams, WrittenNames};
use crate::error::{Error, InputError};
use crate::loaded::Loaded;
use crate::options::{Diagram, Options, SymmetryChoice};
use crate::policy::pictures::MOST_DIAGRAM_NODES;
use crate::policy::symmetry::{
    FOLDING_TIME, LARGE_UNFOLDING, LONG_MARKINGS_TIME, MARKINGS_TIME, SHARE, SMALLEST_CELL,
};
use crate::stop::Stop;
use std::time::{Duration, Instant};
use symbolon_budget::{Budget, Interrupted};
use symbolon_coloured::{ClassId, ColourNames, Net, UnfoldError, UnfoldLimits, unfolded_sizes};
use symbolon_counters::{Counters, Form, Refusal, fold};
use symbolon_engine::{Capability, DiagramKind, supports};
use symbolon_model::Model;
use symbolon_symmetry::{Kind, explore, explore_in_diagrams, find_symmetry, quotient_model};

/// What a question does with the net that a model was made of, where it is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetUse {
    /// It looks at the model alone: the net can be given up while its model is made, which halves the
    /// memory of a large one.
    Unused,
    /// Proofs about the net help.
    Welcome,
    /// Proofs about the net may be all that answers it: it is folded to something else only where that
    /// is demanded.
    Needed,
}

/// What a question needs of a model, as far as that is known before the model is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    /// What it does with the net.
    pub net: NetUse,
    /// The names in it. Members of colour classes that they name, as `p[c1]` does, are told apart from
    /// others.
    pub names: Vec<String>,
}

impl From<NetUse> for Needs {
    fn from(net: NetUse) -> Needs {
        Needs { net, names: Vec::new() }
    }
}

/// How the symmetry of a coloured net is used.
#[derive(Clone, Debug)]
pub(crate) struct Symmetry {
    choice: SymmetryChoice,
    needs: Needs,
    seed: u64,
    /// Whether symbolic markings are counted in diagrams.
    in_diagrams: bool,
}

impl Symmetry {
    /// As options say. Kinds of diagrams that do not count what counters stand for tell all members
    /// apart, unless symmetry is demanded.
    pub(crate) fn of(options: &Options, needs: Needs) -> Symmetry {
        let counts = match options.diagram {
            Diagram::Auto => true,
            Diagram::Explicit => false,
            Diagram::Kind(kind) => supports(kind, &Model::default(), Capability::WeightedCount),
        };
        let choice = match options.symmetry {
            SymmetryChoice::Auto if !counts => SymmetryChoice::Off,
            choice => choice,
        };
        // Only the number of markings is asked for where the net is unused.
        let in_diagrams = options.diagram == Diagram::Kind(DiagramKind::Ddd)
            && needs.net == NetUse::Unused
            && matches!(choice, SymmetryChoice::On | SymmetryChoice::Markings);
        Symmetry { choice, needs, seed: options.seed, in_diagrams }
    }

    /// All members are told apart.
    pub(crate) fn told_apart() -> Symmetry {
        let needs = NetUse::Welcome.into();
        Symmetry { choice: SymmetryChoice::Off, needs, seed: 0, in_diagrams: false }
    }

    pub(super) fn net(&self) -> NetUse {
        self.needs.net
    }

    /// Whether a net that cannot be folded is an error.
    pub(super) fn is_demanded(&self) -> bool {
        match self.choice {
            SymmetryChoice::Auto | SymmetryChoice::Off => false,
            SymmetryChoice::On | SymmetryChoice::Counters | SymmetryChoice::Markings => true,
        }
    }

    /// Fails if symmetry was demanded of a model that was not folded.
    pub(super) fn check(&self, loaded: &Loaded) -> Result<(), Error> {
        let demanded = match self.choice {
            SymmetryChoice::Auto | SymmetryChoice::Off => return Ok(()),
            SymmetryChoice::On => "on",
            SymmetryChoice::Counters => "counters",
            SymmetryChoice::Markings => "markings",
        };
        if loaded.is_folded() {
            return Ok(());
        }
        let why = loaded.symmetry().unwrap_or("it is not a coloured net");
        let message = format!("option ‹symmetry {demanded}› cannot be used for '{}': {why}", loaded.name());
        Err(InputError::plain(message).with_hint("leave it out, or use option ‹symmetry off›").into())
    }
}

/// A net in a form that can be explored, and what that is.
type Folded = (Form, Colours, String);

/// The net, folded; or as it was, and why, if symmetry was looked for.
pub(super) fn folded(
    net: Net,
    symmetry: &Symmetry,
    budget: &Budget,
) -> Result<Result<Folded, (Net, Option<String>)>, Stop> {
    if symmetry.choice == SymmetryChoice::Off {
        return Ok(Err((net, None)));
    }
    let is_demanded = symmetry.is_demanded();
    let start = Instant::now();
    // What cannot be folded soon is unfolded, for which time must be left; unless that is hopeless.
    let unfolded = unfolded_count(&net, budget)?;
    let time = match is_demanded || unfolded.is_none() {
        true => budget.clone(),
        false => share(budget, FOLDING_TIME),
    };
    let singles = WrittenNames::of(&net).singles(&net, &symmetry.needs.names);
    let apart = singles.members(&net);
    let found = match find_symmetry(&net, &apart, &time) {
        Ok(found) => found,
        Err(why) => return given_up(net, why, is_demanded, budget),
    };
    let sizes = found.classes.iter().filter_map(|class| match &class.kind {
        Kind::Free(subclasses) => subclasses.iter().map(|subclass| subclass.size()).max(),
        Kind::Rotating | Kind::Fixed => None,
    });
    let largest = sizes.max().unwrap_or(0);
    if is_demanded && !found.is_useful() {
        let why = no_symmetry(&apart);
        return Ok(Err((net, Some(why))));
    }
    if !is_demanded && largest < SMALLEST_CELL {
        let why = match largest {
            0 => no_symmetry(&apart),
            _ => format!("at most {largest} members may be exchanged, which does not pay"),
        };
        return Ok(Err((net, Some(why))));
    }
    if symmetry.in_diagrams {
        let found = counted_in_diagrams(&net, &found, budget)?;
        let how = format!("markings: {} up to exchange of members", found.symbolic);
        let colours = Colours::of_diagrams(net, found, start.elapsed());
        return Ok(Ok((Form::Model(Box::default()), colours, how)));
    }
    let is_net_needed = symmetry.needs.net == NetUse::Needed && !is_demanded;
    let wants_counters = symmetry.choice != SymmetryChoice::Markings;
    let counted = match wants_counters {
        false => None,
        true => Some(match fold(&net, &found, symmetry.seed, &time) {
            Ok(Counters { form: Form::Model(_), .. }) if is_net_needed => {
                Err("a step moves all members at once, so the counters are not a net".to_string())
            }
            Ok(counters) => Ok(counters),
            Err(Refusal::Interrupted(why)) if is_demanded => return Err(why.into()),
            Err(Refusal::Interrupted(_)) => {
                budget.check()?;
                Err(TOOK_TOO_LONG.to_string())
            }
            Err(refusal) => Err(refusal.text(&net)),
        }),
    };
    let are_markings_tried = !is_net_needed
        && match (symmetry.choice, &counted) {
            (SymmetryChoice::Off | SymmetryChoice::Counters, _) => false,
            (SymmetryChoice::Markings, _) => true,
            // Counters that tell some members apart have more states than there are orbits.
            (SymmetryChoice::On, Some(Ok(counters))) => !counters.is_whole(),
            (SymmetryChoice::Auto, Some(Ok(_))) => false,
            (SymmetryChoice::On | SymmetryChoice::Auto, _) => true,
        };
    if are_markings_tried {
        let is_last = !matches!(counted, Some(Ok(_)));
        let most = match symmetry.choice {
            SymmetryChoice::Auto if unfolded.is_some_and(|count| count <= LARGE_UNFOLDING) => {
                share(budget, MARKINGS_TIME)
            }
            SymmetryChoice::Auto if unfolded.is_some() => {
                budget.slice(budget.time_left().map_or(LONG_MARKINGS_TIME, |left| left / 2))
            }
            _ if is_last => budget.clone(),
            // Counters can answer, too, if time is left for them.
            _ => budget.slice(budget.time_left().map_or(LONG_MARKINGS_TIME, |left| left / 2)),
        };
        match explore(&net, &found, &most) {
            Ok(quotient) => {
                let quotient = quotient.about(singles);
                let how = format!(
                    "markings: {} up to exchange of members{}",
                    quotient.symbolic_count(),
                    told_apart(&net, &apart)
                );
                let model = quotient_model(&quotient)?;
                let colours = Colours::of_quotient(net, quotient, start.elapsed());
                return Ok(Ok((Form::Model(Box::new(model)), colours, how)));
            }
            Err(why) if is_demanded && is_last => return Err(why.into()),
            Err(_) => budget.check()?,
        }
    }
    match counted {
        Some(Ok(mut counters)) => {
            let how = format!(
                "counters: members that may be exchanged are counted by what they hold, in {} ways{}{}",
                counters.profile_count(),
                if counters.is_whole() { "" } else { "; the members of some class are told apart" },
                told_apart(&net, &apart),
            );
            let form = counters.take_form();
            Ok(Ok((form, Colours::counted(net, counters, start.elapsed()), how)))
        }
        Some(Err(why)) => Ok(Err((net, Some(why)))),
        None => Ok(Err((net, None))),
    }
}

/// A part of the time that is left, and at most `most`: what comes instead needs the rest.
fn share(budget: &Budget, most: Duration) -> Budget {
    budget.slice(budget.time_left().map_or(most, |left| most.min(left / SHARE)))
}

/// Symbolic markings, counted in diagrams.
fn counted_in_diagrams(
    net: &Net,
    symmetry: &symbolon_symmetry::Symmetry,
    budget: &Budget,
) -> Result<MarkingDiagrams, Interrupted> {
    let mut found = explore_in_diagrams(net, symmetry, budget)?;
    Ok(MarkingDiagrams {
        symbolic: found.symbolic_count()?,
        markings: found.marking_count()?,
        nodes: found.node_count(),
        levels: found.level_count(),
        rounds: found.rounds(),
        spelled: found.spelled()?,
        outline: (found.node_count() <= MOST_DIAGRAM_NODES).then(|| found.outline()),
    })
}

/// Why a net is not folded, in which these members are told apart for the question.
fn no_symmetry(apart: &[(ClassId, u32)]) -> String {
    let nothing = "no class has members that may be exchanged";
    match apart {
        [] => nothing.to_string(),
        _ => format!("but for those that the question is about, {nothing}"),
    }
}

/// The most members that are named.
const MOST_NAMED: usize = 3;

/// Which members are told apart for the question.
fn told_apart(net: &Net, apart: &[(ClassId, u32)]) -> String {
    let names = ColourNames::of(net);
    let named = apart.iter().take(MOST_NAMED);
    let named: Vec<_> = named.map(|&(class, member)| names.member(net, class, member)).collect();
    match (&named[..], apart.len() - named.len()) {
        ([], _) => String::new(),
        (_, 0) => format!("; told apart for the question: {}", named.join(", ")),
        (_, more) => format!("; told apart for the question: {} and {more} more", named.join(", ")),
    }
}

/// Why a net was not folded that might have been.
const TOOK_TOO_LONG: &str = "finding out took too long";

/// The number of transitions that a net unfolds to; `None` if they are too many to list.
fn unfolded_count(net: &Net, budget: &Budget) -> Result<Option<u128>, Stop> {
    let limits = UnfoldLimits::default();
    match unfolded_sizes(net, limits, budget) {
        Ok(sizes) => {
            let count = sizes.transitions.iter().fold(0_u128, |sum, count| sum.saturating_add(*count));
            Ok(Some(count).filter(|count| *count <= u128::from(limits.instances)))
        }
        Err(UnfoldError::Interrupted(why)) => Err(why.into()),
        Err(UnfoldError::TooLarge { .. } | UnfoldError::TooManyTokens(_)) => Ok(None),
    }
}

/// What becomes of a net whose symmetry took too long.
fn given_up(
    net: Net,
    why: Interrupted,
    is_demanded: bool,
    budget: &Budget,
) -> Result<Result<Folded, (Net, Option<String>)>, Stop> {
    if is_demanded {
        return Err(why.into());
    }
    budget.check()?;
    Ok(Err((net, Some(TOOK_TOO_LONG.into()))))
}
