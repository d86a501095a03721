//! What stands on arcs and in initial markings, as multisets of tuples of blocks.
//!
//! A binding gives each variable a *stand-in*: a member of the right static subclass, different ones
//! for different elements. Since terms and guards do not change under permutations inside static
//! subclasses (SYM-1), what they say about stand-ins is true of every choice of members. So the
//! multiplicity of a tuple of blocks is that of one tuple of stand-ins in it.

use super::marking::{Block, Tokens, component, label_of, normalise_labels};
use super::shape::Shape;
use symbolon_budget::{Interrupted, Meter};
use symbolon_coloured::{ClassId, LARGEST_FACTOR_COUNT, MemberTerm, MultisetTerm, Net, VariableId};

/// A multiset term, prepared.
pub(crate) enum Term {
    /// A sum of single tuples.
    Points(Vec<Point>),
    /// Anything else: tuples that may occur, and how often each of them does.
    General { boxes: Vec<Vec<Support>>, multiplicity: Multiplicity },
}

/// A tuple of members, `count` times.
#[derive(Clone)]
pub(crate) struct Point {
    /// By stored component.
    pub(crate) members: Vec<MemberTerm>,
    pub(crate) count: u64,
}

/// What may stand in a component.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Support {
    Any,
    One(MemberTerm),
}

/// How often a tuple of members lies in a multiset.
pub(crate) enum Multiplicity {
    None,
    Each,
    Member(MemberTerm),
    /// By member.
    Part(Vec<bool>),
    /// With the number of factors of each.
    Tuple(Vec<(usize, Multiplicity)>),
    Sum(Vec<Multiplicity>),
    Difference(Box<[Multiplicity; 2]>),
    Scaled(u64, Box<Multiplicity>),
}

/// Where the members of a marking stand: blocks, and the elements that variables are bound to.
pub(crate) struct Standing<'s> {
    pub(crate) net: &'s Net,
    pub(crate) shape: &'s Shape,
    pub(crate) blocks: &'s [Block],
    /// By block, the members that stand for its first members.
    pub(crate) stand_ins: &'s [Vec<u32>],
    /// By variable, its stand-in.
    pub(crate) members: &'s [u32],
    /// By variable of a free class, the block of the one element that it is bound to.
    pub(crate) singles: &'s [u32],
}

/// A box that would be cut into more pieces than this is taken as a whole.
const MOST_BOXES: usize = 64;

impl Term {
    pub(crate) fn new(net: &Net, shape: &Shape, place: u32, term: &MultisetTerm) -> Term {
        let mut points = Vec::new();
        if add_points(net, shape, place, term, 1, &mut points) {
            return Term::Points(points);
        }
        let width = shape.places[place as usize].factor_count;
        let mut boxes = boxes(net, shape, term, width);
        for one in &mut boxes {
            *one = shape.components(place).iter().map(|component| one[component.factor]).collect();
        }
        boxes.dedup();
        Term::General { boxes, multiplicity: Multiplicity::new(net, term) }
    }

    /// Adds the tuples of the term to `out`, which is neither sorted nor summed up; tuples of one
    /// box come once.
    pub(crate) fn add_to(
        &self,
        standing: &Standing<'_>,
        place: u32,
        meter: &mut Meter,
        out: &mut Tokens,
    ) -> Result<(), Interrupted> {
        let mut tuple = [0; LARGEST_FACTOR_COUNT];
        let shapes = standing.shape.components(place);
        match self {
            Term::Points(points) => {
                for point in points.iter().filter(|point| point.count > 0) {
                    for (position, member) in point.members.iter().enumerate() {
                        tuple[position] = standing.component(shapes[position].class, *member);
                    }
                    out.push(place, &tuple[..shapes.len()], point.count);
                }
            }
            Term::General { boxes, multiplicity } => {
                let mut candidates = Tokens::default();
                for one in boxes {
                    fill(standing, place, one, 0, &mut tuple, meter, &mut candidates)?;
                }
                candidates.sort_and_merge(standing.shape);
                let mut full = [0; LARGEST_FACTOR_COUNT];
                let width = standing.shape.places[place as usize].factor_count;
                for &head in &candidates.heads {
                    meter.step()?;
                    let tuple = candidates.tuple(standing.shape, head);
                    for (shape, &entry) in shapes.iter().zip(tuple) {
                        full[shape.factor] = match shape.is_free {
                            true => standing.stand_in(entry),
                            false => entry,
                        };
                    }
                    let count = multiplicity.of(standing, &full[..width]);
                    if count > 0 {
                        out.push(place, tuple, count);
                    }
                }
            }
        }
        Ok(())
    }

    /// The single tuples that the multiset is sure to contain.
    pub(crate) fn points(&self) -> &[Point] {
        match self {
            Term::Points(points) => points,
            Term::General { .. } => &[],
        }
    }
}

impl Standing<'_> {
    /// The component that a term denotes: in a free class that of an element alone in its block.
    fn component(&self, class: ClassId, term: MemberTerm) -> u32 {
        let of_free = &self.shape.classes[class.index()].static_of;
        match term {
            _ if of_free.is_empty() => term.value(self.net, |variable| self.members[variable.index()]),
            MemberTerm::Variable { variable, .. } => component(self.singles[variable.index()], 0),
            MemberTerm::Constant { member, .. } => {
                // The only member of its static subclass, so of the only block there.
                let of = of_free[member as usize];
                let is_there = |block: &Block| block.of == of && block.size > 0;
                let block = self.blocks.iter().position(is_there);
                component(block.unwrap_or_default() as u32, 0)
            }
        }
    }

    fn stand_in(&self, entry: u32) -> u32 {
        self.stand_ins[super::marking::block_of(entry) as usize][label_of(entry) as usize]
    }
}

/// Adds the tuples of a box from a position on.
fn fill(
    standing: &Standing<'_>,
    place: u32,
    supports: &[Support],
    position: usize,
    tuple: &mut [u32; LARGEST_FACTOR_COUNT],
    meter: &mut Meter,
    out: &mut Tokens,
) -> Result<(), Interrupted> {
    let shapes = standing.shape.components(place);
    let Some(support) = supports.get(position) else {
        meter.step()?;
        let mut normal = *tuple;
        normalise_labels(shapes, &mut normal[..shapes.len()]);
        out.push(place, &normal[..shapes.len()], 1);
        return Ok(());
    };
    let shape = shapes[position];
    match support {
        Support::One(term) => {
            tuple[position] = standing.component(shape.class, *term);
            fill(standing, place, supports, position + 1, tuple, meter, out)
        }
        Support::Any if shape.is_free => {
            for (number, block) in standing.blocks.iter().enumerate() {
                if block.size == 0 || standing.shape.statics[block.of as usize].class != shape.class {
                    continue;
                }
                // Labels in use, and the next one.
                let used = tuple[..position].iter().zip(shapes).filter(|(entry, shape)| {
                    shape.is_free && super::marking::block_of(**entry) == number as u32
                });
                let next = used.map(|(entry, _)| label_of(*entry) + 1).max().unwrap_or(0);
                for label in 0..=next.min(block.size - 1) {
                    tuple[position] = component(number as u32, label);
                    fill(standing, place, supports, position + 1, tuple, meter, out)?;
                }
            }
            Ok(())
        }
        Support::Any => {
            for member in 0..standing.shape.classes[shape.class.index()].size {
                tuple[position] = member;
                fill(standing, place, supports, position + 1, tuple, meter, out)?;
            }
            Ok(())
        }
    }
}

/// Whether a member term denotes one known component: not a constant among others of its static
/// subclass.
fn is_definite(net: &Net, shape: &Shape, term: MemberTerm) -> bool {
    match term {
        MemberTerm::Variable { .. } => true,
        MemberTerm::Constant { member, .. } => {
            let static_of = &shape.classes[term.class(net).index()].static_of;
            static_of.is_empty() || shape.statics[static_of[member as usize] as usize].members.len() == 1
        }
    }
}

/// Adds the tuples of a term, if it is a sum of single definite ones.
fn add_points(
    net: &Net,
    shape: &Shape,
    place: u32,
    term: &MultisetTerm,
    count: u64,
    points: &mut Vec<Point>,
) -> bool {
    match term {
        MultisetTerm::Empty(_) => true,
        MultisetTerm::Sum(terms) => {
            terms.iter().all(|term| add_points(net, shape, place, term, count, points))
        }
        MultisetTerm::Scaled { count: times, term } => {
            add_points(net, shape, place, term, count.saturating_mul(*times), points)
        }
        MultisetTerm::Member(_) | MultisetTerm::Tuple(_) => {
            let one = std::slice::from_ref(term);
            let factors = if let MultisetTerm::Tuple(factors) = term { &factors[..] } else { one };
            let mut members = Vec::with_capacity(factors.len());
            for factor in factors {
                match factor {
                    MultisetTerm::Member(member) if is_definite(net, shape, *member) => members.push(*member),
                    _ => return false,
                }
            }
            let stored = shape.components(place).iter().map(|component| members[component.factor]);
            points.push(Point { members: stored.collect(), count });
            true
        }
        // The only member of a class of black tokens, for instance.
        MultisetTerm::All(_) if shape.width(place) == 0 => {
            points.push(Point { members: Vec::new(), count });
            true
        }
        MultisetTerm::All(_) | MultisetTerm::Part(_) | MultisetTerm::Difference(_) => false,
    }
}

/// Boxes that contain every tuple of a term with `width` factors.
fn boxes(net: &Net, shape: &Shape, term: &MultisetTerm, width: usize) -> Vec<Vec<Support>> {
    let whole = || vec![vec![Support::Any; width]];
    match term {
        MultisetTerm::Empty(_) => Vec::new(),
        MultisetTerm::All(_) | MultisetTerm::Part(_) => whole(),
        MultisetTerm::Member(member) if is_definite(net, shape, *member) => vec![vec![Support::One(*member)]],
        MultisetTerm::Member(_) => whole(),
        MultisetTerm::Sum(terms) => {
            let mut all: Vec<Vec<Support>> = Vec::new();
            for term in terms {
                all.extend(boxes(net, shape, term, width));
                all.dedup();
                if all.len() > MOST_BOXES {
                    return whole();
                }
            }
            all
        }
        MultisetTerm::Difference(both) => boxes(net, shape, &both[0], width),
        MultisetTerm::Scaled { term, .. } => boxes(net, shape, term, width),
        MultisetTerm::Tuple(factors) => {
            let mut product: Vec<Vec<Support>> = vec![Vec::new()];
            for factor in factors {
                let width = factor_count(factor);
                let mut next = boxes(net, shape, factor, width);
                if product.len() * next.len() > MOST_BOXES {
                    next = vec![vec![Support::Any; width]];
                }
                product = product
                    .iter()
                    .flat_map(|left| next.iter().map(|right| [&left[..], &right[..]].concat()))
                    .collect();
            }
            product
        }
    }
}

/// The number of factors of the domain of a term.
fn factor_count(term: &MultisetTerm) -> usize {
    match term {
        MultisetTerm::Empty(domain) | MultisetTerm::All(domain) => domain.0.len(),
        MultisetTerm::Member(_) | MultisetTerm::Part(_) => 1,
        MultisetTerm::Tuple(factors) => factors.iter().map(factor_count).sum(),
        MultisetTerm::Sum(terms) => terms.first().map_or(0, factor_count),
        MultisetTerm::Difference(both) => factor_count(&both[0]),
        MultisetTerm::Scaled { term, .. } => factor_count(term),
    }
}

impl Multiplicity {
    fn new(net: &Net, term: &MultisetTerm) -> Multiplicity {
        match term {
            MultisetTerm::Empty(_) => Multiplicity::None,
            MultisetTerm::All(_) => Multiplicity::Each,
            MultisetTerm::Member(member) => Multiplicity::Member(*member),
            MultisetTerm::Part(part) => {
                let partition = &net.partitions[part.partition.index()];
                let mut is_in = vec![false; net.classes[partition.class.index()].size() as usize];
                let members = &partition.parts[part.part as usize].members;
                members.iter().for_each(|&member| is_in[member as usize] = true);
                Multiplicity::Part(is_in)
            }
            MultisetTerm::Tuple(factors) => {
                let of = |factor| (factor_count(factor), Multiplicity::new(net, factor));
                Multiplicity::Tuple(factors.iter().map(of).collect())
            }
            MultisetTerm::Sum(terms) => {
                Multiplicity::Sum(terms.iter().map(|term| Multiplicity::new(net, term)).collect())
            }
            MultisetTerm::Difference(both) => Multiplicity::Difference(Box::new([
                Multiplicity::new(net, &both[0]),
                Multiplicity::new(net, &both[1]),
            ])),
            MultisetTerm::Scaled { count, term } => {
                Multiplicity::Scaled(*count, Box::new(Multiplicity::new(net, term)))
            }
        }
    }

    /// How often a tuple with all factors occurs.
    fn of(&self, standing: &Standing<'_>, tuple: &[u32]) -> u64 {
        match self {
            Multiplicity::None => 0,
            Multiplicity::Each => 1,
            Multiplicity::Member(term) => {
                let binding = |variable: VariableId| standing.members[variable.index()];
                u64::from(term.value(standing.net, binding) == tuple[0])
            }
            Multiplicity::Part(is_in) => u64::from(is_in[tuple[0] as usize]),
            Multiplicity::Tuple(factors) => {
                let (mut product, mut rest) = (1_u64, tuple);
                for (width, factor) in factors {
                    let (own, others) = rest.split_at(*width);
                    product = product.saturating_mul(factor.of(standing, own));
                    if product == 0 {
                        return 0;
                    }
                    rest = others;
                }
                product
            }
            Multiplicity::Sum(terms) => {
                terms.iter().fold(0, |sum: u64, term| sum.saturating_add(term.of(standing, tuple)))
            }
            Multiplicity::Difference(both) => {
                both[0].of(standing, tuple).saturating_sub(both[1].of(standing, tuple))
            }
            Multiplicity::Scaled(times, term) => term.of(standing, tuple).saturating_mul(*times),
        }
    }
}
