//! Shapes of vtrees, by name.

use std::fmt;
use std::str::FromStr;
use symbolon_dd_sentential::{Vtree, VtreeError};

/// How the bits of a model are arranged in a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum VtreeChoice {
    /// The best of a few that race.
    #[default]
    Auto,
    /// One by name.
    Named(VtreeShape),
    /// One from a file, over the bits of the model in the order of its variables.
    Given(Box<Vtree>),
}

/// A way to arrange bits, each with its primed twin, in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VtreeShape {
    /// Each bit on the left of all below it in the order of variables: a binary diagram.
    RightLinear,
    /// Each bit on the right of all above it.
    LeftLinear,
    /// Half of the bits on each side.
    Balanced,
    /// Single bits on the left and on the right in turns.
    Vertical,
    /// The elimination tree of the variables that events tie together, by least fill.
    MinFill,
    /// The same without the variables that are tied to very many others, which come on top.
    MinFillHubs,
    /// The tree of components of the model, each balanced.
    Components,
    /// One tree for each group of variables whose weighted sum never changes, with the bits of
    /// equal weight side by side, the highest on top.
    Cells,
    /// One balanced tree for each agent, bits and their twins together, then its action.
    Agents(AgentOrder),
    /// The same with all bits first, then all twins.
    AgentsSplit(AgentOrder),
    /// One right-linear tree for each agent.
    AgentsRightLinear,
    /// The balanced trees of agents, cut into pieces of bounded size.
    Bounded(Bound, Arrangement),
    /// A tree for each place of binary numbers: the bits of all agents that stand there.
    PerBit,
}

/// In which order agents come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AgentOrder {
    /// As in the model.
    Given,
    /// The last one first.
    Inverse,
    /// Those with few bits first.
    Ascending,
}

/// How many bits, of `n` in all, a piece may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The logarithm of `n`.
    Log,
    /// The square root.
    Sqrt,
    /// Twice the logarithm.
    TwiceLog,
}

/// How pieces of bounded size are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arrangement {
    /// As agents are.
    Given,
    /// Small ones first.
    Ascending,
    /// As agents are; bits of states and of actions in different pieces.
    Parted,
}

const NAMES: &[(&str, VtreeShape)] = &[
    ("right-linear", VtreeShape::RightLinear),
    ("left-linear", VtreeShape::LeftLinear),
    ("balanced", VtreeShape::Balanced),
    ("vertical", VtreeShape::Vertical),
    ("minfill", VtreeShape::MinFill),
    ("minfill-hubs", VtreeShape::MinFillHubs),
    ("components", VtreeShape::Components),
    ("cells", VtreeShape::Cells),
    ("agent-given", VtreeShape::AgentsSplit(AgentOrder::Given)),
    ("agent-inverse", VtreeShape::AgentsSplit(AgentOrder::Inverse)),
    ("agent-ascending", VtreeShape::AgentsSplit(AgentOrder::Ascending)),
    ("agent-interleaved-given", VtreeShape::Agents(AgentOrder::Given)),
    ("agent-interleaved-inverse", VtreeShape::Agents(AgentOrder::Inverse)),
    ("agent-interleaved-ascending", VtreeShape::Agents(AgentOrder::Ascending)),
    ("agent-right-linear", VtreeShape::AgentsRightLinear),
    ("bounded-log-1", VtreeShape::Bounded(Bound::Log, Arrangement::Given)),
    ("bounded-log-2", VtreeShape::Bounded(Bound::Log, Arrangement::Ascending)),
    ("bounded-log-3", VtreeShape::Bounded(Bound::Log, Arrangement::Parted)),
    ("bounded-sqrt-1", VtreeShape::Bounded(Bound::Sqrt, Arrangement::Given)),
    ("bounded-sqrt-2", VtreeShape::Bounded(Bound::Sqrt, Arrangement::Ascending)),
    ("bounded-sqrt-3", VtreeShape::Bounded(Bound::Sqrt, Arrangement::Parted)),
    ("bounded-2log-1", VtreeShape::Bounded(Bound::TwiceLog, Arrangement::Given)),
    ("bounded-2log-2", VtreeShape::Bounded(Bound::TwiceLog, Arrangement::Ascending)),
    ("bounded-2log-3", VtreeShape::Bounded(Bound::TwiceLog, Arrangement::Parted)),
    ("per-bit", VtreeShape::PerBit),
];

impl VtreeShape {
    /// All shapes.
    pub fn all() -> impl Iterator<Item = VtreeShape> {
        NAMES.iter().map(|&(_, shape)| shape)
    }

    /// The name, as the option `vtree` takes it.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, shape)| *shape == self).map_or("", |(name, _)| name)
    }
}

impl fmt::Display for VtreeShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The tree of a saved text; or what is wrong with it, with the line if it is about one.
pub fn read_vtree(text: &str) -> Result<VtreeChoice, (Option<u32>, String)> {
    match Vtree::from_text(text) {
        Ok(vtree) => Ok(VtreeChoice::Given(Box::new(vtree))),
        Err(VtreeError::Text(line, what)) => Err((u32::try_from(line).ok(), what)),
        Err(error) => Err((None, error.to_string())),
    }
}

/// A text that names no shape of vtrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownVtree;

impl FromStr for VtreeShape {
    type Err = UnknownVtree;

    fn from_str(text: &str) -> Result<VtreeShape, UnknownVtree> {
        NAMES.iter().find(|(name, _)| *name == text).map(|&(_, shape)| shape).ok_or(UnknownVtree)
    }
}
