//! The built-in families: how large their members are.

use symbolon_budget::{Budget, Interrupted};
use symbolon_petri::families::{Family, FamilyError};

/// The size of one member of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilySize {
    /// The name with its parameters, such as `kanban:5`.
    pub call: String,
    /// Its places.
    pub places: u64,
    /// Its transitions.
    pub transitions: u64,
    /// Its arcs.
    pub arcs: u64,
}

/// The size of the member that the family has as its example.
pub fn example_size(family: &Family, budget: &Budget) -> Result<FamilySize, Interrupted> {
    size(family, &family.parameters.iter().map(|parameter| parameter.example).collect::<Vec<_>>(), budget)
}

/// The sizes of a few members, the smallest first: the smallest of all, the example, and two beyond
/// it.
pub fn sizes(family: &Family, budget: &Budget) -> Result<Vec<FamilySize>, Interrupted> {
    let scaled = |factor: u64| -> Vec<u64> {
        let values = family.parameters.iter();
        values.map(|p| p.example.saturating_mul(factor).clamp(p.smallest, p.largest)).collect()
    };
    let mut members = vec![family.parameters.iter().map(|parameter| parameter.smallest).collect()];
    members.extend([scaled(1), scaled(2), scaled(4)]);
    members.dedup();
    members.iter().map(|parameters| size(family, parameters, budget)).collect()
}

fn size(family: &Family, parameters: &[u64], budget: &Budget) -> Result<FamilySize, Interrupted> {
    match family.generate(parameters, budget) {
        Ok(net) => Ok(FamilySize {
            call: net.name.clone(),
            places: net.places.len() as u64,
            transitions: net.transitions.len() as u64,
            arcs: net.arc_count() as u64,
        }),
        Err(FamilyError::Interrupted(why)) => Err(why),
        Err(other) => unreachable!("smallest, example and largest are in range: {other}"),
    }
}
