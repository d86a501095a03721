//! Why a net is not folded into counters.

use symbolon_budget::Interrupted;
use symbolon_coloured::{ClassId, Net, PlaceId, TransitionId};

/// Why a net is not folded into counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Time or memory ran out, or the work was cancelled.
    Interrupted(Interrupted),
    /// No class has members that may be exchanged.
    NothingFree,
    /// Tokens of this place have two colours of one free class, so they belong to no one member, and
    /// no other class is free.
    TwoFreeColours(PlaceId),
    /// A term names several members of this class that may be exchanged.
    NamedMembers(ClassId),
    /// This transition binds so many free variables that their equalities are too many to list.
    TooManyVariables(TransitionId),
    /// There are more profiles than are worth a counter each.
    TooManyProfiles(usize),
    /// There are more events than are worth listing.
    TooManyEvents(usize),
    /// A number of tokens exceeds 2^63 − 1.
    TooManyTokens,
}

impl From<Interrupted> for Refusal {
    fn from(why: Interrupted) -> Refusal {
        Refusal::Interrupted(why)
    }
}

impl Refusal {
    /// The reason in words. `net` is the net that was refused.
    pub fn text(&self, net: &Net) -> String {
        match self {
            Refusal::Interrupted(why) => why.to_string(),
            Refusal::NothingFree => "no class has members that may be exchanged".into(),
            Refusal::TwoFreeColours(place) => format!(
                "tokens of place '{}' have two colours whose members may be exchanged",
                net.places[place.index()].id
            ),
            Refusal::NamedMembers(class) => format!(
                "a term lists members of class '{}' that may be exchanged",
                net.classes[class.index()].name()
            ),
            Refusal::TooManyVariables(transition) => format!(
                "transition '{}' has too many variables whose members may be exchanged",
                net.transitions[transition.index()].id
            ),
            Refusal::TooManyProfiles(count) => format!("members differ in more than {count} ways"),
            Refusal::TooManyEvents(count) => format!("there are more than {count} kinds of steps"),
            Refusal::TooManyTokens => "a member has more than 2^63 - 1 tokens of one kind".into(),
        }
    }
}
