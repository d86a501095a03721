//! Asynchronous events, as they are described and as a manager keeps them; `ops/saturate.rs` fires
//! them.

use crate::edge::Edge;
use crate::register::{Renaming, VariableSet};
use rustc_hash::FxHashMap;
use symbolon_dd_core::{Root, Variable};

/// An asynchronous event.
#[derive(Clone, Debug)]
pub struct Move {
    /// Where it can happen, and what it leads to: a function of variables that it reads, and of
    /// primed twins.
    pub relation: Root,
    /// The variables that get fixed values.
    pub values: Vec<(Variable, bool)>,
    /// The variables that get the values of primed twins, each with its twin.
    pub twins: Vec<(Variable, Variable)>,
    /// Where it would lead out of the range of the variables, with a number that says how:
    /// firing it there is an overflow.
    pub leaves: Vec<(Root, u32)>,
}

/// The events of a manager.
#[derive(Default)]
pub(crate) struct Moves {
    pub(crate) events: Vec<Event>,
    /// By vtree node: the events that belong there; those that write the same variables together.
    pub(crate) at: Vec<Vec<Vec<usize>>>,
    /// By vtree node: whether an event belongs there or below.
    pub(crate) is_active: Vec<bool>,
    /// The number by which the last firing left the range, if it did.
    pub(crate) out_of_range: Option<u32>,
    /// Sets over the variables below vtree nodes, with their closures, of the saturation that runs.
    pub(crate) saturated: FxHashMap<(Edge, u32), Edge>,
    /// What an interrupted saturation had found at some vtree nodes.
    pub(crate) partial: Vec<(Root, u32)>,
}

/// An event, ready to be fired.
pub(crate) struct Event {
    pub(crate) relation: Root,
    pub(crate) leaves: Vec<(Root, u32)>,
    pub(crate) step: Step,
    /// The fixed values.
    pub(crate) values: Root,
    /// All variables that it speaks of.
    pub(crate) touched: Vec<Variable>,
}

/// Which variables come and go when an event is fired.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// Those that get fixed values.
    pub(crate) valued: VariableSet,
    /// All that are written.
    pub(crate) written: VariableSet,
    pub(crate) primed: VariableSet,
    pub(crate) to_current: Renaming,
    pub(crate) to_primed: Renaming,
}
