//! Do the units of a source make sense? Each place should lie in exactly one unit, and a claim of unit
//! safety should at least hold initially. Findings are data; who shows them chooses the words.

use crate::net::{Net, PlaceId, UnitClaim};

/// Something odd about the units of a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitFinding {
    /// The place lies in no unit, though there are units.
    PlaceWithoutUnit(PlaceId),
    /// The place lies in both units (by index in [`Net::units`]).
    PlaceInTwoUnits {
        /// The place.
        place: PlaceId,
        /// The unit that named it first.
        first: u32,
        /// A later unit that names it, too.
        second: u32,
    },
    /// The unit names a parent that does not stand before it.
    ParentAfterChild {
        /// The unit.
        unit: u32,
    },
    /// Units are said to be safe, but this place starts with more than one token.
    SeveralTokens(PlaceId),
    /// Units are said to be safe, but both places are marked initially, and one's unit is the other's unit
    /// or lies around it.
    MarkedTogether {
        /// The place in the outer unit (or the first, in one unit).
        outer: PlaceId,
        /// The place in the inner unit.
        inner: PlaceId,
    },
}

/// All that is odd about the units of `net`; nothing for a net without units.
pub fn check_units(net: &Net) -> Vec<UnitFinding> {
    let mut findings = Vec::new();
    if net.units.is_empty() {
        return findings;
    }
    let mut unit_of: Vec<Option<u32>> = vec![None; net.places.len()];
    for (index, unit) in net.units.iter().enumerate() {
        let index = index as u32;
        if unit.parent.is_some_and(|parent| parent >= index) {
            findings.push(UnitFinding::ParentAfterChild { unit: index });
        }
        for &place in &unit.places {
            match unit_of[place.index()] {
                Some(first) => findings.push(UnitFinding::PlaceInTwoUnits { place, first, second: index }),
                None => unit_of[place.index()] = Some(index),
            }
        }
    }
    let homeless = net.place_ids().filter(|place| unit_of[place.index()].is_none());
    findings.extend(homeless.map(UnitFinding::PlaceWithoutUnit));
    if net.unit_claim == UnitClaim::UnitSafe {
        check_initial_marking(net, &unit_of, &mut findings);
    }
    findings
}

fn check_initial_marking(net: &Net, unit_of: &[Option<u32>], findings: &mut Vec<UnitFinding>) {
    // The first marked place of each unit, or of the nearest unit around it that has one. Parents stand
    // before children, so one pass inherits.
    let mut marked_around: Vec<Option<PlaceId>> = vec![None; net.units.len()];
    let mut marked_in: Vec<Vec<PlaceId>> = vec![Vec::new(); net.units.len()];
    for place in net.place_ids() {
        if net.places[place.index()].initial > 1 {
            findings.push(UnitFinding::SeveralTokens(place));
        }
        if let (Some(unit), true) = (unit_of[place.index()], net.places[place.index()].initial > 0) {
            marked_in[unit as usize].push(place);
        }
    }
    for (index, unit) in net.units.iter().enumerate() {
        let parent = unit.parent.filter(|&parent| (parent as usize) < index);
        let around = parent.and_then(|parent| marked_around[parent as usize]);
        let mut outer = around;
        for &inner in &marked_in[index] {
            match outer {
                Some(outer) => findings.push(UnitFinding::MarkedTogether { outer, inner }),
                None => outer = Some(inner),
            }
        }
        marked_around[index] = outer;
    }
}
