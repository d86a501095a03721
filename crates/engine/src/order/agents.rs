//! `agents-1` … `agents-4`: the variables of one agent after those of another, as the source has
//! them.
//!
//! The orders of an established checker of multi-agent systems. All four arrange the variables of
//! states in the same way and differ in where actions stand, which matters for relations on binary
//! diagrams only: behind all agents, behind each agent, before all, before each.

use super::{Heuristic, Interaction, Order};

/// Where the actions of a synchronous step stand, in a diagram that has room for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ActionPlace {
    /// Above all variables.
    OnTop,
    /// Below all variables.
    AtBottom,
    /// Just above the highest variable of the agent. What an agent may do depends on its own state:
    /// with its action far from there, the choices of several agents multiply in the diagrams
    /// between.
    #[default]
    AboveAgent,
    /// Just below the lowest variable of the agent.
    BelowAgent,
}

impl ActionPlace {
    /// Where an order wants them; next to their agents, if it does not say.
    pub(crate) fn of(heuristic: Heuristic) -> ActionPlace {
        match heuristic {
            Heuristic::Agents1 => ActionPlace::AtBottom,
            Heuristic::Agents2 => ActionPlace::BelowAgent,
            Heuristic::Agents4 => ActionPlace::AboveAgent,
            Heuristic::Agents3 => ActionPlace::OnTop,
            _ => ActionPlace::AboveAgent,
        }
    }
}

/// Agent by agent; `None` for models without agents that act.
pub(super) fn agents(interaction: &Interaction) -> Option<Order> {
    if interaction.model.actions.is_empty() {
        return None;
    }
    let mut blocks: Vec<u32> = (0..interaction.block_count() as u32).collect();
    // Components are listed as the source has them. The sort is stable.
    blocks.sort_by_key(|&block| interaction.tree.owner[block as usize]);
    Some(Order { blocks })
}
