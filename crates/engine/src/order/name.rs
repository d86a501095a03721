//! What orders are called.

use std::fmt;
use std::str::FromStr;

/// A way to find an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Heuristic {
    /// The order of the source.
    AsGiven,
    /// Blocks pulled to the centres of their events, from the best of several starts.
    Force,
    /// Small wavefronts on the graph of blocks.
    Sloan,
    /// Small wavefronts on the bipartite graph of blocks and events.
    SloanBipartite,
    /// Breadth-first from a far end.
    CuthillMcKee,
    /// From the bottom by covered events.
    Greedy,
    /// Sifting by the sum of tops, from the best of several starts.
    SumOfTops,
    /// Components kept together.
    Nupn,
    /// Supports of invariants kept together.
    Cells,
    /// Sorted by the numbers in names.
    ByIndex,
    /// Names with the same number kept together.
    IndexCells,
    /// What everyone reads on top, the rest by the smallest open cut.
    Hub,
    /// Agent by agent, actions behind all of them.
    Agents1,
    /// Agent by agent, the actions of each behind its variables.
    Agents2,
    /// Agent by agent, actions before all of them.
    Agents3,
    /// Agent by agent, the actions of each before its variables.
    Agents4,
    /// Annealing on the expected nodes; for small models.
    Search,
}

const NAMES: [(Heuristic, &str); 17] = [
    (Heuristic::AsGiven, "as-given"),
    (Heuristic::Force, "force"),
    (Heuristic::Sloan, "sloan"),
    (Heuristic::SloanBipartite, "sloan-bipartite"),
    (Heuristic::CuthillMcKee, "cuthill-mckee"),
    (Heuristic::Greedy, "greedy"),
    (Heuristic::SumOfTops, "sum-of-tops"),
    (Heuristic::Nupn, "nupn"),
    (Heuristic::Cells, "cells"),
    (Heuristic::ByIndex, "by-index"),
    (Heuristic::IndexCells, "index-cells"),
    (Heuristic::Hub, "hub"),
    (Heuristic::Agents1, "agents-1"),
    (Heuristic::Agents2, "agents-2"),
    (Heuristic::Agents3, "agents-3"),
    (Heuristic::Agents4, "agents-4"),
    (Heuristic::Search, "search"),
];

const REVERSE: &str = "reverse:";

impl Heuristic {
    /// All heuristics, in the order of the book.
    pub fn all() -> impl Iterator<Item = Heuristic> {
        NAMES.iter().map(|&(heuristic, _)| heuristic)
    }

    /// How many variants there are.
    pub fn variant_count(self) -> u32 {
        match self {
            Heuristic::Greedy | Heuristic::SumOfTops => 2,
            Heuristic::Force => 3,
            Heuristic::Search => 6,
            _ => 1,
        }
    }

    /// The name that users write.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(heuristic, _)| *heuristic == self).map_or("", |&(_, name)| name)
    }
}

/// The name of an order: a heuristic, one of its variants perhaps, perhaps upside down.
///
/// Written `reverse:force#2`: the second variant of `force`, turned upside down. Variants differ in
/// where a heuristic starts and how it breaks ties; without a number the best of them by metric is
/// meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OrderName {
    /// How it is found.
    pub heuristic: Heuristic,
    /// Which variant of the heuristic, from 1 on; `None` for the best of them.
    pub variant: Option<u32>,
    /// Whether it is then turned upside down (`reverse:`).
    pub is_reversed: bool,
}

impl OrderName {
    /// The other direction of the same order.
    pub fn reversed(self) -> Self {
        OrderName { is_reversed: !self.is_reversed, ..self }
    }
}

impl From<Heuristic> for OrderName {
    fn from(heuristic: Heuristic) -> Self {
        OrderName { heuristic, variant: None, is_reversed: false }
    }
}

impl fmt::Display for OrderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_reversed { REVERSE } else { "" })?;
        f.write_str(self.heuristic.name())?;
        self.variant.map_or(Ok(()), |variant| write!(f, "#{variant}"))
    }
}

/// No order has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownOrder {
    /// What was written.
    pub name: String,
}

impl fmt::Display for UnknownOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown variable order `{}`; known are ", self.name)?;
        for (index, (_, name)) in NAMES.iter().enumerate() {
            write!(f, "{}{name}", if index == 0 { "" } else { ", " })?;
        }
        write!(f, ", each also with `{REVERSE}` in front")
    }
}

impl std::error::Error for UnknownOrder {}

impl FromStr for OrderName {
    type Err = UnknownOrder;

    fn from_str(text: &str) -> Result<Self, UnknownOrder> {
        let unknown = || UnknownOrder { name: text.to_owned() };
        let (is_reversed, rest) = match text.strip_prefix(REVERSE) {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (name, variant) = match rest.split_once('#') {
            Some((name, digits)) => (name, Some(digits.parse::<u32>().map_err(|_| unknown())?)),
            None => (rest, None),
        };
        let found = NAMES.iter().find(|(_, known)| *known == name);
        let &(heuristic, _) = found.ok_or_else(unknown)?;
        if variant.is_some_and(|variant| variant == 0 || variant > heuristic.variant_count()) {
            return Err(unknown());
        }
        Ok(OrderName { heuristic, variant, is_reversed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printing_then_parsing_is_the_identity() {
        for heuristic in Heuristic::all() {
            for variant in (1..=heuristic.variant_count()).map(Some).chain([None]) {
                let name = OrderName { heuristic, variant, is_reversed: false };
                assert_eq!(name.to_string().parse(), Ok(name));
                assert_eq!(name.reversed().to_string().parse(), Ok(name.reversed()));
            }
        }
        for wrong in
            ["", "Force", "reverse:", "reverse:reverse:force", "force ", "force#0", "force#99", "force#"]
        {
            assert!(wrong.parse::<OrderName>().is_err(), "{wrong}");
        }
    }
}
