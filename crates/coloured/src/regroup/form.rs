//! The form of a transition: its arcs, with members numbered in an order that depends on the arcs
//! alone.

use rustc_hash::FxHashMap;

/// The kind of an arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kind {
    Input,
    Read,
    Inhibitor,
    Reset,
    Output,
}

/// An arc. Members are pairs of a class and a member; in a form, of a class and a position in the
/// list of members that the transition names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Line {
    pub(super) kind: Kind,
    pub(super) family: u32,
    pub(super) weight: u64,
    pub(super) members: Vec<(u32, u32)>,
}

/// A transition up to an exchange of members.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    label: Option<u32>,
    pub(super) lines: Vec<Line>,
    /// The class of each member that is named, ascending.
    pub(super) classes: Vec<u32>,
}

/// A form, and the members that the transition names.
pub(super) struct Formed {
    pub(super) form: Form,
    /// The members, in the order of the form.
    pub(super) members: Vec<u32>,
    /// The orders of members in which the form is the same: lists of positions in `members`.
    pub(super) orders: Vec<Vec<usize>>,
}

/// The most orders of members that are compared for one transition.
const MOST_ORDERS: usize = 720;

/// Where a member occurs: the kind of the arc, its family, its weight, and the positions at which
/// its colour names the member.
type Occurrence = (Kind, u32, u64, Vec<usize>);

/// The form of a transition with this label and these arcs; `None` if too many orders would have to be compared.
pub(super) fn formed(label: Option<u32>, lines: Vec<Line>) -> Option<Formed> {
    let mut occurrences: FxHashMap<(u32, u32), Vec<Occurrence>> = FxHashMap::default();
    for line in &lines {
        let mut named = line.members.clone();
        named.sort_unstable();
        named.dedup();
        for member in named {
            let places = (0..line.members.len()).filter(|&place| line.members[place] == member);
            occurrences.entry(member).or_default().push((
                line.kind,
                line.family,
                line.weight,
                places.collect(),
            ));
        }
    }
    // Members with different occurrences have their order by these; all orders of the others are
    // compared.
    let mut named: Vec<(u32, Vec<Occurrence>, u32)> = occurrences
        .into_iter()
        .map(|((class, member), mut where_it_occurs)| {
            where_it_occurs.sort_unstable();
            (class, where_it_occurs, member)
        })
        .collect();
    named.sort_unstable();
    let classes: Vec<u32> = named.iter().map(|(class, _, _)| *class).collect();
    let runs: Vec<usize> = named.chunk_by(|a, b| (a.0, &a.1) == (b.0, &b.1)).map(<[_]>::len).collect();
    let members: Vec<u32> = named.iter().map(|(_, _, member)| *member).collect();
    let count = runs.iter().try_fold(1_usize, |count, &length| {
        let orders = (1..=length).try_fold(1_usize, usize::checked_mul)?;
        count.checked_mul(orders).filter(|&count| count <= MOST_ORDERS)
    });
    count?;
    let mut best: Option<Vec<Line>> = None;
    let mut orders: Vec<Vec<usize>> = Vec::new();
    for order in all_orders(&runs) {
        let positions: FxHashMap<(u32, u32), u32> = order
            .iter()
            .zip(0..)
            .map(|(&from, position)| ((classes[from], members[from]), position))
            .collect();
        let mut renamed: Vec<Line> = lines
            .iter()
            .map(|line| Line {
                members: line.members.iter().map(|member| (member.0, positions[member])).collect(),
                ..line.clone()
            })
            .collect();
        renamed.sort_unstable();
        match &best {
            Some(known) if renamed > *known => {}
            Some(known) if renamed == *known => orders.push(order),
            _ => {
                best = Some(renamed);
                orders = vec![order];
            }
        }
    }
    // Orders are relative to the first that is best.
    let first = orders.first()?.clone();
    let mut place_in_first = vec![0; first.len()];
    first.iter().enumerate().for_each(|(place, &from)| place_in_first[from] = place);
    let orders =
        orders.iter().map(|order| order.iter().map(|&from| place_in_first[from]).collect()).collect();
    let members = first.iter().map(|&from| members[from]).collect();
    Some(Formed { form: Form { label, lines: best?, classes }, members, orders })
}

/// All orders of a list that permute within consecutive runs of these lengths.
fn all_orders(runs: &[usize]) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    let mut start = 0;
    for &length in runs {
        for _ in 0..length {
            let mut longer = Vec::new();
            for order in &orders {
                let unused = (start..start + length).filter(|position| !order.contains(position));
                longer.extend(unused.map(|position| [order.as_slice(), &[position]].concat()));
            }
            orders = longer;
        }
        start += length;
    }
    orders
}
