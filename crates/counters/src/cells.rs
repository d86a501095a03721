//! Cells: the sets of members that may be exchanged, those of all free classes numbered together.

use crate::refusal::Refusal;
use symbolon_coloured::{ClassId, Net, PlaceId};
use symbolon_symmetry::{Kind, Symmetry};

/// The number of a cell: of a static subclass of a free class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CellId(pub(crate) u32);

impl CellId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Members of one class that may be exchanged for one another.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) class: ClassId,
    /// The members, ascending.
    pub(crate) members: Vec<u32>,
}

impl Cell {
    pub(crate) fn size(&self) -> u64 {
        self.members.len() as u64
    }
}

/// All cells of a net.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    list: Vec<Cell>,
    /// For each class that is free, the cell of each member.
    of_member: Vec<Option<Vec<CellId>>>,
    /// For each place, the position of the free class in its domain.
    free_position: Vec<Option<usize>>,
    is_whole: bool,
}

impl Cells {
    /// The cells of a net. Rotating classes count as fixed ones: their members are told apart. So
    /// does one of two free classes that meet in the tokens of a place (COUNT-1), the smaller one.
    pub(crate) fn of(net: &Net, symmetry: &Symmetry) -> Result<Cells, Refusal> {
        let mut is_free: Vec<bool> =
            net.class_ids().map(|class| matches!(symmetry.of(class).kind, Kind::Free(_))).collect();
        let is_free_at_first = is_free.clone();
        if !is_free.contains(&true) {
            return Err(Refusal::NothingFree);
        }
        let size = |class: &ClassId| net.classes[class.index()].size();
        let mut meeting = None;
        for place in net.place_ids() {
            let domain = &net.places[place.index()].domain.0;
            let mut free: Vec<ClassId> =
                domain.iter().copied().filter(|class| is_free[class.index()]).collect();
            if free.len() < 2 {
                continue;
            }
            meeting = meeting.or(Some(place));
            // Tokens with two members of one class cannot be shared out among them.
            let repeats = |class: &ClassId| domain.iter().filter(|other| *other == class).count() > 1;
            free.iter().filter(|class| repeats(class)).for_each(|class| is_free[class.index()] = false);
            free.retain(|class| is_free[class.index()]);
            let kept = free.iter().copied().max_by_key(|class| (size(class), std::cmp::Reverse(*class)));
            for class in free.into_iter().filter(|class| Some(*class) != kept) {
                is_free[class.index()] = false;
            }
        }
        if let Some(place) = meeting.filter(|_| !is_free.contains(&true)) {
            return Err(Refusal::TwoFreeColours(place));
        }
        let is_whole = is_free == is_free_at_first;
        let mut cells =
            Cells { list: Vec::new(), of_member: Vec::new(), free_position: Vec::new(), is_whole };
        for class in net.class_ids() {
            let of_member = match &symmetry.of(class).kind {
                // Members alone in their subclass gain nothing, but their class is free: they must
                // be cells like the others.
                Kind::Free(subclasses) if is_free[class.index()] => {
                    let mut of_member = vec![CellId(0); net.classes[class.index()].size() as usize];
                    for subclass in subclasses {
                        let id = CellId(cells.list.len() as u32);
                        subclass.members.iter().for_each(|&member| of_member[member as usize] = id);
                        cells.list.push(Cell { class, members: subclass.members.clone() });
                    }
                    Some(of_member)
                }
                Kind::Free(_) | Kind::Rotating | Kind::Fixed => None,
            };
            cells.of_member.push(of_member);
        }
        for place in net.place_ids() {
            let domain = &net.places[place.index()].domain;
            let position = (0..domain.0.len()).find(|&position| cells.is_free(domain.0[position]));
            cells.free_position.push(position);
        }
        Ok(cells)
    }

    /// Whether every free class of the symmetry is counted.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    pub(crate) fn is_free(&self, class: ClassId) -> bool {
        self.of_member[class.index()].is_some()
    }

    /// The cell of a member of a free class.
    pub(crate) fn of_member(&self, class: ClassId, member: u32) -> Option<CellId> {
        self.of_member[class.index()].as_ref().map(|of_member| of_member[member as usize])
    }

    pub(crate) fn cell(&self, id: CellId) -> &Cell {
        &self.list[id.index()]
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = CellId> + use<> {
        (0..self.list.len() as u32).map(CellId)
    }

    /// The cells of a class.
    pub(crate) fn of_class(&self, class: ClassId) -> impl Iterator<Item = CellId> + '_ {
        self.ids().filter(move |&id| self.cell(id).class == class)
    }

    /// The position of the free class in the domain of a place.
    pub(crate) fn free_position(&self, place: PlaceId) -> Option<usize> {
        self.free_position[place.index()]
    }
}
