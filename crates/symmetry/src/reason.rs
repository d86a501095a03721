//! Why members of a class cannot be exchanged, in words that users know.

use symbolon_coloured::text::{guard_text, term_text};
use symbolon_coloured::{ClassId, ColourNames, Guard, MultisetTerm, Net, PlaceId, TransitionId};

/// A construct of a net that tells members of a class apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A condition on one variable holds for some members and not for others.
    Condition {
        /// The transition.
        transition: TransitionId,
        /// The condition, a part of its guard.
        condition: Guard,
    },
    /// A guard compares two variables by the order of the class.
    Order {
        /// The transition.
        transition: TransitionId,
        /// The comparison.
        comparison: Guard,
    },
    /// A guard compares the parts of a partition in which two variables lie.
    Parts {
        /// The transition.
        transition: TransitionId,
        /// The comparison.
        comparison: Guard,
    },
    /// A guard compares a variable with the successor or predecessor of another one.
    SuccessorInGuard {
        /// The transition.
        transition: TransitionId,
        /// The comparison.
        comparison: Guard,
    },
    /// An arc has the successor or predecessor of a variable.
    SuccessorOnArc {
        /// The transition.
        transition: TransitionId,
        /// The place.
        place: PlaceId,
        /// What stands on the arc.
        tokens: MultisetTerm,
    },
    /// An arc has constants or parts, some members and not others.
    Arc {
        /// The transition.
        transition: TransitionId,
        /// The place.
        place: PlaceId,
        /// What stands on the arc.
        tokens: MultisetTerm,
    },
    /// A place has other initial tokens for some members than for others.
    Initial {
        /// The place.
        place: PlaceId,
    },
    /// The question speaks of one member.
    Question {
        /// The class.
        class: ClassId,
        /// The member.
        member: u32,
    },
}

/// Terms longer than this are cut in messages.
const LONGEST_TEXT: usize = 60;

impl Reason {
    /// The reason in words. `net` is the net that it was found in.
    pub fn text(&self, net: &Net) -> String {
        let transition = |transition: &TransitionId| &net.transitions[transition.index()].id;
        let place = |place: &PlaceId| &net.places[place.index()].id;
        match self {
            Reason::Condition { transition: of, condition } => format!(
                "the guard of transition '{}' tests '{}'",
                transition(of),
                cut(guard_text(net, condition))
            ),
            Reason::Order { transition: of, comparison } => format!(
                "the guard of transition '{}' compares by order: '{}'",
                transition(of),
                cut(guard_text(net, comparison))
            ),
            Reason::Parts { transition: of, comparison } => format!(
                "the guard of transition '{}' compares parts: '{}'",
                transition(of),
                cut(guard_text(net, comparison))
            ),
            Reason::SuccessorInGuard { transition: of, comparison } => format!(
                "the guard of transition '{}' uses successors: '{}'",
                transition(of),
                cut(guard_text(net, comparison))
            ),
            Reason::SuccessorOnArc { transition: of, place: at, tokens } => format!(
                "an arc between transition '{}' and place '{}' uses successors: '{}'",
                transition(of),
                place(at),
                cut(term_text(net, tokens))
            ),
            Reason::Arc { transition: of, place: at, tokens } => format!(
                "an arc between transition '{}' and place '{}' names members: '{}'",
                transition(of),
                place(at),
                cut(term_text(net, tokens))
            ),
            Reason::Initial { place: at } => format!("the initial tokens of place '{}' differ", place(at)),
            Reason::Question { class, member } => {
                let names = ColourNames::of(net);
                format!("the question speaks of '{}'", names.member(net, *class, *member))
            }
        }
    }
}

/// A text that fits into a message.
fn cut(text: String) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        None => text,
        Some((end, _)) => format!("{} …", &text[..end]),
    }
}
