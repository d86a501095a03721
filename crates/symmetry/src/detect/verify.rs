//! Verification: a permutation is a symmetry only if it maps every bag to itself.

use super::bags::{Bag, Bags, Component, Origin};
use rustc_hash::FxHashMap;
use symbolon_budget::{Interrupted, Meter};
use symbolon_coloured::ClassId;

/// A tuple of a bag.
type PointOf<'b> = (&'b Bag, &'b [Component]);

/// Where each member stands in bags.
pub(super) struct Incidence<'b> {
    points_of: FxHashMap<(ClassId, u32), Vec<PointOf<'b>>>,
}

impl<'b> Incidence<'b> {
    pub(super) fn of(bags: &'b Bags) -> Incidence<'b> {
        let mut points_of: FxHashMap<_, Vec<PointOf<'b>>> = FxHashMap::default();
        for bag in &bags.list {
            for point in bag.points.keys() {
                for (position, part) in point.iter().enumerate() {
                    let Component::Constant(class, member) = part else { continue };
                    if !point[..position].contains(part) {
                        points_of.entry((*class, *member)).or_default().push((bag, point));
                    }
                }
            }
        }
        Incidence { points_of }
    }

    fn points(&self, class: ClassId, member: u32) -> &[PointOf<'b>] {
        self.points_of.get(&(class, member)).map_or(&[], |points| points)
    }
}

/// A cell is not searched for more groups than this: what equals none of them stands alone, which is
/// right, but perhaps less symmetry than there is. Looking on would cost the square of the number of
/// members, for instance where the initial marking is a chain of a million members.
const MOST_GROUPS: usize = 1000;

/// The members of a class in groups that can be exchanged, in the order of their first members; and
/// which bags distinguish members of one cell.
pub(super) fn groups(
    class: ClassId,
    cells: Vec<Vec<u32>>,
    bags: &Bags,
    incidence: &Incidence<'_>,
    meter: &mut Meter,
) -> Result<(Vec<Vec<u32>>, Vec<Origin>), Interrupted> {
    let (mut all, mut culprits): (Vec<Vec<u32>>, Vec<Origin>) = (Vec::new(), Vec::new());
    for cell in cells {
        let mut groups: Vec<Vec<u32>> = Vec::new();
        'members: for member in cell {
            for group in groups.iter_mut().take(MOST_GROUPS) {
                match broken_swap(class, group[0], member, incidence, meter)? {
                    None => {
                        group.push(member);
                        continue 'members;
                    }
                    Some(origin) if !culprits.contains(&origin) => culprits.push(origin),
                    Some(_) => {}
                }
            }
            groups.push(vec![member]);
        }
        all.extend(groups);
    }
    all.sort_unstable();
    // Hash order decides which bag of several is met first: list them as the net does.
    let position = |origin: &Origin| bags.list.iter().position(|bag| bag.origin == *origin);
    culprits.sort_by_key(position);
    culprits.truncate(1);
    Ok((all, culprits))
}

/// Where a bag comes from that swapping two members of a class does not fix.
fn broken_swap(
    class: ClassId,
    first: u32,
    second: u32,
    incidence: &Incidence<'_>,
    meter: &mut Meter,
) -> Result<Option<Origin>, Interrupted> {
    let swap = |member: u32| match member {
        _ if member == first => second,
        _ if member == second => first,
        _ => member,
    };
    // A swap is its own inverse, so it is enough that points with these members have equal images.
    for member in [first, second] {
        for (bag, point) in incidence.points(class, member) {
            meter.step()?;
            if !is_fixed(bag, point, class, swap) {
                return Ok(Some(bag.origin));
            }
        }
    }
    Ok(None)
}

/// Where a bag comes from that is not fixed when each member of a class becomes the next one.
pub(super) fn broken_rotation(
    class: ClassId,
    size: usize,
    bags: &Bags,
    incidence: &Incidence<'_>,
    meter: &mut Meter,
) -> Result<Option<Origin>, Interrupted> {
    let next = |member: u32| (member + 1) % size as u32;
    let mut broken: Option<usize> = None;
    for member in 0..size as u32 {
        for (bag, point) in incidence.points(class, member) {
            meter.step()?;
            if !is_fixed(bag, point, class, next) {
                let position = bags.list.iter().position(|other| std::ptr::eq(other, *bag));
                broken = broken.into_iter().chain(position).min();
            }
        }
        if broken.is_some() {
            break;
        }
    }
    Ok(broken.map(|position| bags.list[position].origin))
}

/// Whether the image of a point lies in its bag as many times as the point.
fn is_fixed(bag: &Bag, point: &[Component], class: ClassId, image: impl Fn(u32) -> u32) -> bool {
    let moved = |part: &Component| match *part {
        Component::Constant(of, member) if of == class => Component::Constant(of, image(member)),
        part => part,
    };
    let moved: Vec<Component> = point.iter().map(moved).collect();
    bag.points.get(&moved) == bag.points.get(point)
}
