//! The tree of components: units of a net, pages, agents, or groups that were computed.

use crate::VariableId;

/// The number of a component in its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ComponentId(pub u32);

/// A named group of variables and of smaller components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// The component around it; `None` for the root.
    pub parent: Option<ComponentId>,
    /// The variables that belong to it directly, and to no child.
    pub variables: Vec<VariableId>,
}
