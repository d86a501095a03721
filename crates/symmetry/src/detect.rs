//! Finding the symmetry of a net.
//!
//! ```text
//! guards  ──truth tables, comparisons──┐
//! arcs    ──sums of tuples─────────────┼──▶ cells of members that look alike ──▶ Symmetry
//! initial ──sums of tuples─────────────┘                    verified by swaps and rotations
//! ```
//!
//! First the members of each class are sorted into cells by what distinguishes them, with the cells
//! of the members beside them in a tuple taken into account, until nothing changes. Then each cell
//! is verified: two members may be exchanged if and only if swapping them fixes every *bag*, the
//! initial marking or the term of an arc as a sum of tuples. This is an equivalence, because swaps
//! generate swaps, so it is enough to compare each member with one of each group. Domains are never
//! listed: work is proportional to the text of the net and the sizes of its classes.

mod bags;
mod cells;
mod guards;
mod verify;

use crate::reason::Reason;
use crate::symmetry::{ClassSymmetry, Kind, StaticSubclass, Symmetry};
use bags::{Bags, Origin};
use cells::Cells;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_coloured::{ClassId, Net, fold_sums};

/// Finds the symmetry of a net. The members in `apart` are fixed, because a question speaks of
/// them.
///
/// Sums over whole classes, or nearly whole ones, count as `all`, as in
/// [`fold_sums`](symbolon_coloured::fold_sums). What is found is verified (SYM-1), but there may be
/// more symmetry: permutations that only fix the net together, such as those of two classes that
/// the initial marking links, are not found; [`find_members`](crate::find_members) finds these in the
/// unfolding.
pub fn find_symmetry(net: &Net, apart: &[(ClassId, u32)], budget: &Budget) -> Result<Symmetry, Interrupted> {
    let mut meter = Meter::new(budget.clone());
    let folded = fold_sums(net);
    let mut findings = Findings::new(&folded);
    for &(class, member) in apart {
        findings.split_off(class, member, Reason::Question { class, member });
    }
    guards::add_guards(&folded, &mut findings, &mut meter)?;
    let bags = bags::collect(&folded, &mut findings, &mut meter)?;
    findings.individualise();
    refine(&folded, &bags, &mut findings, &mut meter)?;
    let mut classes = Vec::with_capacity(folded.classes.len());
    let incidence = verify::Incidence::of(&bags);
    for class in folded.class_ids() {
        classes.push(verified(&folded, class, &bags, &incidence, &mut findings, &mut meter)?);
    }
    Ok(Symmetry { classes })
}

/// What is known of the members of all classes while a net is read.
struct Findings {
    cells: Cells,
    /// By class: why its members cannot be exchanged, in the order in which it was found.
    reasons: Vec<Vec<Reason>>,
    /// By class: whether something distinguishes members, which forbids rotations, too.
    is_split: Vec<bool>,
    /// By class: whether successors are used, which leaves rotations alone.
    is_ordered: Vec<bool>,
}

impl Findings {
    fn new(net: &Net) -> Findings {
        let count = net.classes.len();
        Findings {
            cells: Cells::new(net),
            reasons: vec![Vec::new(); count],
            is_split: vec![false; count],
            is_ordered: vec![false; count],
        }
    }

    /// Members with different entries in `table` differ.
    fn split(&mut self, class: ClassId, table: &[u64], reason: impl FnOnce() -> Reason) {
        if self.cells.split_by(class, table) {
            self.reasons[class.index()].push(reason());
        }
        self.is_split[class.index()] |= table.iter().any(|entry| *entry != table[0]);
    }

    /// One member differs from all others.
    fn split_off(&mut self, class: ClassId, member: u32, reason: Reason) {
        let mut table = vec![0; self.cells.size(class)];
        table[member as usize] = 1;
        self.split(class, &table, || reason);
    }

    /// All members differ, because they are compared by order.
    fn fix(&mut self, class: ClassId, reason: impl FnOnce() -> Reason) {
        let table: Vec<u64> = (0..self.cells.size(class) as u64).collect();
        self.split(class, &table, reason);
    }

    /// Members have successors.
    fn order(&mut self, class: ClassId, reason: impl FnOnce() -> Reason) {
        if self.cells.size(class) > 1 && !self.is_ordered[class.index()] {
            self.is_ordered[class.index()] = true;
            self.reasons[class.index()].push(reason());
        }
    }

    /// Puts each member of an ordered class into a cell of its own: no two can be swapped.
    fn individualise(&mut self) {
        for class in (0..self.is_ordered.len() as u32).map(ClassId) {
            if self.is_ordered[class.index()] {
                let table: Vec<u64> = (0..self.cells.size(class) as u64).collect();
                self.cells.split_by(class, &table);
            }
        }
    }
}

/// Splits cells by what stands in bags, until nothing changes.
fn refine(net: &Net, bags: &Bags, findings: &mut Findings, meter: &mut Meter) -> Result<(), Interrupted> {
    let mut is_stable = false;
    while !is_stable {
        is_stable = true;
        for (number, bag) in bags.list.iter().enumerate() {
            for class in findings.cells.split_by_bag(bag, number as u64, meter)? {
                is_stable = false;
                add_reason(&mut findings.reasons[class.index()], bag_reason(net, bag.origin));
            }
        }
    }
    Ok(())
}

/// Adds a reason that is not there yet.
fn add_reason(reasons: &mut Vec<Reason>, reason: Reason) {
    if !reasons.contains(&reason) {
        reasons.push(reason);
    }
}

/// Why a bag that is not fixed breaks a symmetry.
fn bag_reason(net: &Net, origin: Origin) -> Reason {
    match origin {
        Origin::Initial(place) => Reason::Initial { place },
        Origin::Arc(transition, arc) => {
            let arc = &net.transitions[transition.index()].arcs[arc];
            Reason::Arc { transition, place: arc.place(), tokens: arc.tokens().clone() }
        }
    }
}

/// The symmetry of one class, once its cells are refined.
fn verified(
    net: &Net,
    class: ClassId,
    bags: &Bags,
    incidence: &verify::Incidence,
    findings: &mut Findings,
    meter: &mut Meter,
) -> Result<ClassSymmetry, Interrupted> {
    let index = class.index();
    let mut reasons = std::mem::take(&mut findings.reasons[index]);
    if findings.cells.size(class) == 1 {
        return Ok(ClassSymmetry { kind: Kind::Fixed, reasons });
    }
    if !findings.is_ordered[index] {
        let (groups, culprits) = verify::groups(class, findings.cells.of(class), bags, incidence, meter)?;
        culprits.into_iter().for_each(|origin| add_reason(&mut reasons, bag_reason(net, origin)));
        if groups.iter().any(|members| members.len() > 1) {
            let subclasses = groups.into_iter().map(|members| StaticSubclass { members }).collect();
            return Ok(ClassSymmetry { kind: Kind::Free(subclasses), reasons });
        }
    }
    if !findings.is_split[index] {
        match verify::broken_rotation(class, findings.cells.size(class), bags, incidence, meter)? {
            None => return Ok(ClassSymmetry { kind: Kind::Rotating, reasons }),
            Some(origin) => add_reason(&mut reasons, bag_reason(net, origin)),
        }
    }
    Ok(ClassSymmetry { kind: Kind::Fixed, reasons })
}
