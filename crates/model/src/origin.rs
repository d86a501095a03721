//! Where the variables of a model come from in its source.
//!
//! A lowering makes many variables of one thing: an array becomes one variable per element, a place
//! of a coloured net one per colour, an agent one per local variable. Reports fold them back into
//! the words of the source. Variables of one thing have consecutive numbers, so origins are kept as
//! ranges, and a variable itself is no larger for having one.

use crate::{ComponentId, VariableId};
use std::fmt;

/// The origins of the variables of a model, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// Disjoint, and ascending by first variable.
    ranges: Vec<Range>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Range {
    first: VariableId,
    count: u32,
    source: Source,
}

/// What several variables with consecutive numbers were made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The places of a net, one variable each.
    Places,
    /// One place of a coloured net: one variable per colour.
    Colours {
        /// The id of the place.
        place: String,
        /// The colours, in the order of the variables.
        colours: Vec<String>,
    },
    /// The local variables of an agent.
    Agent {
        /// The component that the agent is.
        agent: ComponentId,
        /// The names of the variables within the agent.
        names: Vec<String>,
    },
    /// The elements of an array, counted from 0.
    Array {
        /// The name of the array.
        name: String,
    },
}

/// Where one variable comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<'a> {
    /// A variable of the source with the same name.
    Variable,
    /// A place of a net with the same name.
    Place,
    /// A colour of a place of a coloured net.
    Colour {
        /// The id of the place.
        place: &'a str,
        /// The colour.
        colour: &'a str,
    },
    /// A local variable of an agent.
    Agent {
        /// The component that the agent is.
        agent: ComponentId,
        /// The name of the variable within the agent.
        name: &'a str,
    },
    /// An element of an array.
    Element {
        /// The name of the array.
        array: &'a str,
        /// The number of the element, from 0 on.
        index: u32,
    },
}

impl Origins {
    /// Says that `count` variables from `first` on were made of `source`.
    ///
    /// # Panics
    ///
    /// If the range overlaps or precedes one that was added before, or a list of the source has
    /// another length.
    pub fn add(&mut self, first: VariableId, count: u32, source: Source) {
        let end = self.ranges.last().map_or(0, |range| range.first.0 + range.count);
        assert!(first.0 >= end, "ranges of origins ascend");
        let listed = match &source {
            Source::Places | Source::Array { .. } => None,
            Source::Colours { colours: list, .. } | Source::Agent { names: list, .. } => Some(list.len()),
        };
        assert!(listed.is_none_or(|listed| listed == count as usize), "one entry per variable");
        self.ranges.push(Range { first, count, source });
    }

    /// Where a variable comes from.
    pub fn of(&self, variable: VariableId) -> Origin<'_> {
        let after = self.ranges.partition_point(|range| range.first <= variable);
        let range = after.checked_sub(1).map(|index| &self.ranges[index]);
        let Some(range) = range.filter(|range| variable.0 - range.first.0 < range.count) else {
            return Origin::Variable;
        };
        let index = variable.0 - range.first.0;
        match &range.source {
            Source::Places => Origin::Place,
            Source::Colours { place, colours } => Origin::Colour { place, colour: &colours[index as usize] },
            Source::Agent { agent, names } => Origin::Agent { agent: *agent, name: &names[index as usize] },
            Source::Array { name } => Origin::Element { array: name, index },
        }
    }

    /// The variables that were made of the array, or of the place of a coloured net, with this
    /// name.
    pub fn instances_of(&self, name: &str) -> impl Iterator<Item = VariableId> {
        let range = self.ranges.iter().find(|range| match &range.source {
            Source::Colours { place, .. } => place == name,
            Source::Array { name: array } => array == name,
            Source::Places | Source::Agent { .. } => false,
        });
        range.into_iter().flat_map(|range| range.first.0..range.first.0 + range.count).map(VariableId)
    }
}

/// An instance as the source writes it, such as `Think[3]`; nothing for what has a name of its own.
impl fmt::Display for Origin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Variable | Origin::Place => Ok(()),
            Origin::Colour { place, colour } => write!(f, "{place}[{colour}]"),
            Origin::Agent { name, .. } => f.write_str(name),
            Origin::Element { array, index } => write!(f, "{array}[{index}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_know_where_they_come_from() {
        let mut origins = Origins::default();
        origins.add(VariableId(1), 2, Source::Array { name: "x".into() });
        let colours = ["a", "b"].map(String::from).to_vec();
        origins.add(VariableId(3), 2, Source::Colours { place: "p".into(), colours });
        let names = vec!["state".to_string()];
        origins.add(VariableId(6), 1, Source::Agent { agent: ComponentId(2), names });
        let check = |variable: u32, expected: Origin<'_>, text: &str| {
            let origin = origins.of(VariableId(variable));
            assert_eq!((origin, &*origin.to_string()), (expected, text), "{variable}");
        };
        check(0, Origin::Variable, "");
        check(1, Origin::Element { array: "x", index: 0 }, "x[0]");
        check(2, Origin::Element { array: "x", index: 1 }, "x[1]");
        check(4, Origin::Colour { place: "p", colour: "b" }, "p[b]");
        check(5, Origin::Variable, "");
        check(6, Origin::Agent { agent: ComponentId(2), name: "state" }, "state");
        check(7, Origin::Variable, "");
        let instances = |name| origins.instances_of(name).map(|variable| variable.0).collect::<Vec<_>>();
        assert_eq!((instances("x"), instances("p"), instances("q")), (vec![1, 2], vec![3, 4], vec![]));
    }

    #[test]
    #[should_panic(expected = "ranges of origins ascend")]
    fn ranges_do_not_overlap() {
        let mut origins = Origins::default();
        origins.add(VariableId(0), 3, Source::Places);
        origins.add(VariableId(2), 1, Source::Array { name: "x".into() });
    }
}
