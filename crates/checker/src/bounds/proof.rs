//! Proofs of upper bounds, as data and as text. For a program, read variable for place, command for
//! transition and value for tokens.

use std::fmt;

/// Why a sum of places never exceeds a value, or has no bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// No place of the sum is ever marked.
    NeverMarked,
    /// No transition that can fire adds to the place.
    NothingAdds,
    /// Sets of places of which at most one holds a token, and that one holds one.
    Exclusive {
        /// The sets that together cover the sum.
        sets: Vec<Vec<String>>,
    },
    /// A weighted sum of tokens that never changes.
    Invariant {
        /// Places and weights.
        terms: Vec<(String, u64)>,
        /// Its value.
        value: u128,
    },
    /// A weighted sum of tokens that no firing increases; found by linear programming over the
    /// state equation, and checked in exact integers.
    ShrinkingSum {
        /// Places and weights.
        terms: Vec<(String, u64)>,
        /// Its value in the initial marking.
        value: u128,
    },
    /// A weighted sum of tokens that no firing increases, which was checked when the net was
    /// analysed, and not kept.
    Analysis,
    /// The values that the variable may have, by its declaration.
    Declaration,
    /// Each place, or exclusive set of places, has a bound of its own.
    PlaceByPlace,
    /// A run that can be repeated for ever adds to it.
    Pump {
        /// The transitions of one round.
        cycle: Vec<String>,
    },
}

impl Proof {
    /// Whether linear programming found it.
    pub fn is_from_state_equation(&self) -> bool {
        matches!(self, Proof::ShrinkingSum { .. })
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Proof::NeverMarked => f.write_str("never marked"),
            Proof::NothingAdds => f.write_str("nothing adds to it"),
            Proof::Exclusive { sets } => {
                for (number, set) in sets.iter().enumerate() {
                    let separator = if number > 0 { ", " } else { "" };
                    write!(f, "{separator}{} <= 1", set.join(" + "))?;
                }
                Ok(())
            }
            Proof::Invariant { terms, value } => write!(f, "{} = {value}", weighted_sum(terms)),
            Proof::ShrinkingSum { terms, value } => write!(f, "{} <= {value}", weighted_sum(terms)),
            Proof::Declaration => f.write_str("its declaration"),
            Proof::Analysis => f.write_str("a sum that never grows"),
            Proof::PlaceByPlace => f.write_str("the bounds of its terms"),
            Proof::Pump { cycle } => write!(f, "repeating {} adds to it", cycle.join(", ")),
        }
    }
}

/// `a + 2 b`.
pub fn weighted_sum(terms: &[(String, u64)]) -> String {
    let term = |(name, weight): &(String, u64)| match weight {
        1 => name.clone(),
        _ => format!("{weight} {name}"),
    };
    let words: Vec<String> = terms.iter().map(term).collect();
    if words.is_empty() { "0".to_string() } else { words.join(" + ") }
}
