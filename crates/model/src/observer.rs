//! Who observes what: the agents that questions of knowledge and strategy are about.
//!
//! An observer cannot tell two states apart that agree on the variables it observes. Agents of a
//! multi-agent system are observers; so may be any component of a net that is named as one.

use crate::{Predicate, VariableId};

/// The number of an observer in its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObserverId(pub u32);

impl ObserverId {
    /// The number as an index into tables with one entry an observer.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An agent that sees a part of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observer {
    /// Its name, unique among observers.
    pub name: String,
    /// What it sees, ascending and each once.
    pub variables: Vec<VariableId>,
    /// What it does in a synchronous step; `None` for one that never acts.
    pub action: Option<VariableId>,
    /// The states in which it behaves as it should not.
    pub red: Predicate,
}

/// Observers who are spoken of together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name, unique among groups.
    pub name: String,
    /// Who belongs to it, ascending and each once.
    pub members: Vec<ObserverId>,
}

/// All observers of a model, and the groups they form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observers {
    /// One by one.
    pub list: Vec<Observer>,
    /// Together.
    pub groups: Vec<Group>,
}

impl Observers {
    /// The observer with this id.
    pub fn observer(&self, id: ObserverId) -> &Observer {
        &self.list[id.index()]
    }

    /// All ids, in order.
    pub fn ids(&self) -> impl Iterator<Item = ObserverId> + use<> {
        (0..self.list.len() as u32).map(ObserverId)
    }

    /// The observer of this name.
    pub fn named(&self, name: &str) -> Option<ObserverId> {
        self.ids().find(|id| self.list[id.index()].name == name)
    }

    /// Who belongs to the group of this name. An observer alone counts as a group too, unless a
    /// group is called so.
    pub fn members(&self, name: &str) -> Option<Vec<ObserverId>> {
        let group = self.groups.iter().find(|group| group.name == name);
        match group {
            Some(group) => Some(group.members.clone()),
            None => self.named(name).map(|id| vec![id]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_found_before_observers() {
        let observer = |name: &str| Observer {
            name: name.into(),
            variables: vec![],
            action: None,
            red: Predicate::False,
        };
        let observers = Observers {
            list: vec![observer("a"), observer("b")],
            groups: vec![Group { name: "b".into(), members: vec![ObserverId(0), ObserverId(1)] }],
        };
        assert_eq!(observers.members("a"), Some(vec![ObserverId(0)]));
        assert_eq!(observers.members("b"), Some(vec![ObserverId(0), ObserverId(1)]));
        assert_eq!(observers.members("c"), None);
        assert_eq!(observers.named("b"), Some(ObserverId(1)));
    }
}
