//! Terms under a binding that knows of free members only which of them are equal.
//!
//! A binding gives each variable of a fixed class a member, and each variable of a free class a
//! *label*: variables with one label are bound to one member, those with different labels to
//! different ones. Beside the members that have labels each cell has its *rest*, all other members,
//! which no variable tells apart. So a multiset of colours is known once it is known how often each
//! member of a fixed class, each label and each rest occurs.

use crate::cells::{CellId, Cells};
use crate::profile::{Slot, SlotId, Slots};
use crate::refusal::Refusal;
use rustc_hash::FxHashMap;
use symbolon_budget::Meter;
use symbolon_coloured::{ClassId, Domain, MemberTerm, MultisetTerm, Net, PlaceId, VariableId};

/// Who holds a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// Nobody: its colour has no free member.
    Place,
    /// The member with this label.
    Label(u8),
    /// Every member of this cell that has no label.
    Rest(CellId),
}

/// What a variable is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// A member of a fixed class.
    Member(u32),
    /// The member of a free class with this label.
    Label(u8),
}

/// One factor of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Point {
    Member(u32),
    Free(Owner),
}

/// How often each colour occurs, where a colour is a point per factor.
type Multiset = FxHashMap<Vec<Point>, u64>;

/// A binding, and what is needed to evaluate terms under it.
pub(crate) struct Frame<'f> {
    pub(crate) net: &'f Net,
    pub(crate) cells: &'f Cells,
    /// What the variables of the transition are bound to.
    pub(crate) bound: &'f FxHashMap<VariableId, Bound>,
    /// The cell of each label.
    pub(crate) labels: &'f [CellId],
}

impl Frame<'_> {
    /// How many tokens of each slot a term has for each owner.
    pub(crate) fn tokens(
        &self,
        place: PlaceId,
        term: &MultisetTerm,
        slots: &mut Slots,
        meter: &mut Meter,
    ) -> Result<Vec<(Owner, SlotId, u64)>, Refusal> {
        let multiset = self.evaluate(term, meter)?;
        let mut tokens = Vec::with_capacity(multiset.len());
        for (points, count) in multiset {
            if count == 0 {
                continue;
            }
            let mut owner = Owner::Place;
            let mut fixed = Vec::with_capacity(points.len());
            for point in points {
                match point {
                    Point::Member(member) => fixed.push(member),
                    // A place has one free colour at the most (COUNT-1).
                    Point::Free(free) => owner = free,
                }
            }
            tokens.push((owner, slots.intern(Slot { place, fixed: fixed.into() }), count));
        }
        // Slots are numbered in the order in which they are met, so the order must not hang on hashes.
        tokens.sort_unstable();
        Ok(tokens)
    }

    fn evaluate(&self, term: &MultisetTerm, meter: &mut Meter) -> Result<Multiset, Refusal> {
        meter.step()?;
        Ok(match term {
            MultisetTerm::Empty(_) => Multiset::default(),
            MultisetTerm::All(Domain(classes)) => {
                let mut all = Multiset::from_iter([(Vec::new(), 1)]);
                for &class in classes {
                    all = product(&all, &self.all_of(class), meter)?;
                }
                all
            }
            MultisetTerm::Member(member) => Multiset::from_iter([(vec![self.point(*member)?], 1)]),
            MultisetTerm::Part(id) => {
                let partition = &self.net.partitions[id.partition.index()];
                let members = &partition.parts[id.part as usize].members;
                let mut multiset = Multiset::default();
                for &member in members {
                    match self.cells.of_member(partition.class, member) {
                        None => multiset.insert(vec![Point::Member(member)], 1),
                        // A part is a union of cells (SYM-1).
                        Some(cell) => {
                            let labels = self.labels_of(cell).map(|label| Point::Free(Owner::Label(label)));
                            multiset.extend(labels.map(|point| (vec![point], 1)));
                            self.rest_of(cell).and_then(|rest| multiset.insert(vec![rest], 1))
                        }
                    };
                }
                multiset
            }
            MultisetTerm::Tuple(terms) => {
                let mut all = Multiset::from_iter([(Vec::new(), 1)]);
                for term in terms {
                    let factor = self.evaluate(term, meter)?;
                    all = product(&all, &factor, meter)?;
                }
                all
            }
            MultisetTerm::Sum(terms) => {
                let mut sum = Multiset::default();
                for term in terms {
                    for (points, count) in self.evaluate(term, meter)? {
                        let entry = sum.entry(points).or_default();
                        *entry = entry.checked_add(count).ok_or(Refusal::TooManyTokens)?;
                    }
                }
                sum
            }
            MultisetTerm::Difference(terms) => {
                let mut left = self.evaluate(&terms[0], meter)?;
                for (points, count) in self.evaluate(&terms[1], meter)? {
                    if let Some(entry) = left.get_mut(&points) {
                        *entry = entry.saturating_sub(count);
                    }
                }
                left
            }
            MultisetTerm::Scaled { count, term } => {
                let mut multiset = self.evaluate(term, meter)?;
                for entry in multiset.values_mut() {
                    *entry = entry.checked_mul(*count).ok_or(Refusal::TooManyTokens)?;
                }
                multiset
            }
        })
    }

    /// Every member of a class, once.
    fn all_of(&self, class: ClassId) -> Multiset {
        if !self.cells.is_free(class) {
            let size = self.net.classes[class.index()].size() as u32;
            return (0..size).map(|member| (vec![Point::Member(member)], 1)).collect();
        }
        let labels = self.cells.of_class(class).flat_map(|cell| self.labels_of(cell));
        let labels = labels.map(|label| Point::Free(Owner::Label(label)));
        let rests = self.cells.of_class(class).filter_map(|cell| self.rest_of(cell));
        labels.chain(rests).map(|point| (vec![point], 1)).collect()
    }

    fn point(&self, term: MemberTerm) -> Result<Point, Refusal> {
        let class = match term {
            MemberTerm::Constant { class, .. } => class,
            MemberTerm::Variable { variable, .. } => self.net.variables[variable.index()].class,
        };
        Ok(match term {
            MemberTerm::Constant { member, .. } => match self.cells.of_member(class, member) {
                None => Point::Member(member),
                // Several constants may stand for the members of one cell together.
                Some(cell) if self.cells.cell(cell).size() > 1 => return Err(Refusal::NamedMembers(class)),
                Some(cell) => match self.labels_of(cell).next() {
                    Some(label) => Point::Free(Owner::Label(label)),
                    None => Point::Free(Owner::Rest(cell)),
                },
            },
            MemberTerm::Variable { variable, .. } => match self.bound[&variable] {
                Bound::Label(label) => Point::Free(Owner::Label(label)),
                Bound::Member(_) => {
                    Point::Member(term.value(self.net, |variable| match self.bound[&variable] {
                        Bound::Member(member) => member,
                        Bound::Label(_) => 0,
                    }))
                }
            },
        })
    }

    fn labels_of(&self, cell: CellId) -> impl Iterator<Item = u8> + '_ {
        (0..self.labels.len() as u8).filter(move |&label| self.labels[usize::from(label)] == cell)
    }

    /// The members of a cell without labels, if there are some.
    fn rest_of(&self, cell: CellId) -> Option<Point> {
        let labelled = self.labels_of(cell).count() as u64;
        (labelled < self.cells.cell(cell).size()).then_some(Point::Free(Owner::Rest(cell)))
    }
}

fn product(left: &Multiset, right: &Multiset, meter: &mut Meter) -> Result<Multiset, Refusal> {
    let mut all = Multiset::default();
    for (front, &a) in left {
        for (back, &b) in right {
            meter.step()?;
            let count = a.checked_mul(b).ok_or(Refusal::TooManyTokens)?;
            all.insert([front.as_slice(), back].concat(), count);
        }
    }
    Ok(all)
}
