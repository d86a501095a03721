//! The units of a net as a tree for pictures: which unit contains which, and which are drawn as
//! boxes.

use symbolon_petri::{Net, PlaceId};
use symbolon_picture::Group;

/// The tree of units, with a few look-ups.
pub(super) struct Units {
    parents: Vec<Option<usize>>,
    depths: Vec<usize>,
    /// The unit of each place.
    of_place: Vec<Option<usize>>,
}

/// Units that are drawn as boxes.
pub(super) struct Boxes {
    /// The boxes.
    pub(super) groups: Vec<Group>,
    /// For each unit, the innermost box around its places.
    group_of: Vec<Option<usize>>,
}

impl Boxes {
    /// The innermost box around the places of a unit.
    pub(super) fn group_of(&self, unit: usize) -> Option<usize> {
        self.group_of[unit]
    }
}

impl Units {
    /// The units of a net; parents stand before children there.
    pub(super) fn new(net: &Net) -> Units {
        let parents: Vec<Option<usize>> =
            net.units.iter().map(|unit| unit.parent.map(|parent| parent as usize)).collect();
        let mut depths = Vec::with_capacity(parents.len());
        for parent in &parents {
            depths.push(parent.map_or(0, |parent| depths[parent] + 1));
        }
        let mut of_place = vec![None; net.places.len()];
        for (index, unit) in net.units.iter().enumerate() {
            unit.places.iter().for_each(|place| of_place[place.index()] = Some(index));
        }
        Units { parents, depths, of_place }
    }

    /// The depth of the deepest unit; 0 for roots.
    pub(super) fn deepest(&self) -> usize {
        self.depths.iter().copied().max().unwrap_or(0)
    }

    /// The depth of a unit.
    pub(super) fn depth(&self, unit: usize) -> usize {
        self.depths[unit]
    }

    /// The unit around a unit.
    pub(super) fn parent(&self, unit: usize) -> Option<usize> {
        self.parents[unit]
    }

    /// The unit to which a place belongs directly.
    pub(super) fn of_place(&self, place: PlaceId) -> Option<usize> {
        self.of_place[place.index()]
    }

    /// The unit itself or the one around it that lies at most this deep.
    pub(super) fn at_most_deep(&self, mut unit: usize, depth: usize) -> usize {
        while self.depths[unit] > depth
            && let Some(parent) = self.parents[unit]
        {
            unit = parent;
        }
        unit
    }

    /// The innermost unit around all these places.
    pub(super) fn around(&self, places: impl Iterator<Item = PlaceId>) -> Option<usize> {
        let mut around: Option<usize> = None;
        for (index, place) in places.enumerate() {
            let unit = self.of_place(place)?;
            around = if index == 0 { Some(unit) } else { self.common(around?, unit) };
        }
        around
    }

    fn common(&self, mut a: usize, mut b: usize) -> Option<usize> {
        while a != b {
            if self.depths[a] >= self.depths[b] {
                a = self.parents[a]?;
            } else {
                b = self.parents[b]?;
            }
        }
        Some(a)
    }

    /// For each unit, the number of places in it and in the units inside it.
    pub(super) fn place_counts(&self, net: &Net) -> Vec<usize> {
        let mut counts: Vec<usize> = net.units.iter().map(|unit| unit.places.len()).collect();
        for unit in (0..counts.len()).rev() {
            if let Some(parent) = self.parents[unit] {
                counts[parent] += counts[unit];
            }
        }
        counts
    }

    /// The units that are worth a box: those around several places, but not all of the net.
    pub(super) fn boxes(&self, net: &Net) -> Boxes {
        let counts = self.place_counts(net);
        let mut boxes = Boxes { groups: Vec::new(), group_of: Vec::with_capacity(counts.len()) };
        for (unit, &count) in counts.iter().enumerate() {
            let outer = self.parents[unit].and_then(|parent| boxes.group_of[parent]);
            let is_worth_it = count > 1 && count < net.places.len();
            boxes.group_of.push(if is_worth_it {
                boxes.groups.push(Group { label: net.units[unit].id.clone(), parent: outer });
                Some(boxes.groups.len() - 1)
            } else {
                outer
            });
        }
        boxes
    }
}
