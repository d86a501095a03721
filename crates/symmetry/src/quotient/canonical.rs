//! The canonical form of a symbolic marking: the same bytes for all markings of one orbit.
//!
//! Blocks are vertices and tuples are hyperedges of a graph, whose vertices are sorted by colours
//! that see only what no renaming changes. Where colours leave a tie, a search makes one block after
//! the other unique and takes the least code of all leaves. Leaves with equal codes differ by an
//! automorphism, which lets the search skip what is alike and counts automorphisms at the same time
//! (SYM-4). The orders of hashes are arbitrary but fixed; a collision costs time only.
//!
//! The sort of Thierry-Mieg, Ilié and Poitrenaud (FORTE 2004, section 5.2), which swaps neighbours
//! until nothing improves, is not canonical: with two classes C and S and a place C×S, neither
//! exchanging two members of C nor two of S improves `(1,1) + (2,2)` or `(1,2) + (2,1)`, and yet the
//! two are one orbit.

use super::code::encode;
use super::marking::{Marking, Tokens, block_of, label_of};
use super::shape::Shape;
use symbolon_budget::{Interrupted, Meter};

/// The canonical form of a marking.
#[derive(Default)]
pub(crate) struct Canonical {
    pub(crate) code: Vec<u8>,
    /// The number of permutations of whole blocks, and rotations, that fix the marking.
    pub(crate) automorphisms: u128,
    /// The number of each block in the code.
    pub(crate) rank: Vec<u32>,
    /// By rotating class, how many steps each member was moved.
    pub(crate) rotation: Vec<u32>,
}

/// Buffers of canonical forms.
#[derive(Default)]
pub(crate) struct Canonizer {
    moved: Tokens,
    sums: Vec<u64>,
    rotated: Marking,
}

/// The leaf of a search: an order of blocks and its code.
#[derive(Clone)]
struct Leaf {
    code: Vec<u8>,
    rank: Vec<u32>,
}

/// What a search in a subtree finds.
struct Found {
    /// The leaf that is met first.
    first: Vec<u8>,
    /// The leaf with the least code.
    best: Leaf,
    /// The number of leaves with that code.
    count: u128,
}

impl Canonizer {
    /// The canonical form of a marking with sorted tokens.
    pub(crate) fn canonise(
        &mut self,
        shape: &Shape,
        marking: &Marking,
        meter: &mut Meter,
        out: &mut Canonical,
    ) -> Result<(), Interrupted> {
        if shape.rotating.is_empty() {
            return self.canonise_blocks(shape, marking, meter, out);
        }
        self.canonise_rotations(shape, marking, meter, out)
    }

    /// The least code over all rotations. Only rotations with the least fingerprint are tried.
    fn canonise_rotations(
        &mut self,
        shape: &Shape,
        marking: &Marking,
        meter: &mut Meter,
        out: &mut Canonical,
    ) -> Result<(), Interrupted> {
        let sizes: Vec<u32> = shape.rotating.iter().map(|class| shape.classes[class.index()].size).collect();
        // Refined colours would see the members of rotating classes.
        let colours = initial_colours(marking);
        let mut candidates: Vec<Vec<u32>> = Vec::new();
        let mut least = u64::MAX;
        let mut rotation = vec![0; sizes.len()];
        loop {
            meter.step()?;
            let print = fingerprint(shape, marking, &colours, &rotation);
            if print < least {
                least = print;
                candidates.clear();
            }
            if print == least {
                candidates.push(rotation.clone());
            }
            // The next combination.
            let Some(position) = (0..sizes.len()).find(|&class| rotation[class] + 1 < sizes[class]) else {
                break;
            };
            rotation[position] += 1;
            rotation[..position].fill(0);
        }
        let mut rotated = std::mem::take(&mut self.rotated);
        let mut one = Canonical::default();
        let mut is_first = true;
        for rotation in candidates {
            rotated.clone_from(marking);
            for &head in &marking.tokens.heads {
                let shapes = shape.components(head.place);
                let tuple = rotated.tokens.tuple_mut(shape, head);
                for (entry, of) in tuple.iter_mut().zip(shapes) {
                    *entry = rotated_member(shape, of.class, *entry, &rotation);
                }
            }
            rotated.tokens.sort(shape);
            self.canonise_blocks(shape, &rotated, meter, &mut one)?;
            match one.code.cmp(&out.code) {
                _ if is_first => {}
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => {
                    out.automorphisms =
                        out.automorphisms.checked_add(one.automorphisms).ok_or(Interrupted::Overflow)?;
                    continue;
                }
                std::cmp::Ordering::Greater => continue,
            }
            is_first = false;
            std::mem::swap(out, &mut one);
            out.rotation = rotation;
        }
        self.rotated = rotated;
        Ok(())
    }

    /// The least code over the orders of blocks.
    fn canonise_blocks(
        &mut self,
        shape: &Shape,
        marking: &Marking,
        meter: &mut Meter,
        out: &mut Canonical,
    ) -> Result<(), Interrupted> {
        meter.step()?;
        let mut colours = initial_colours(marking);
        if !is_discrete(marking, &colours) {
            self.refine(shape, marking, &mut colours, meter)?;
        }
        if is_discrete(marking, &colours) {
            let order = order(marking, &colours);
            ranks(&order, &mut out.rank);
            encode(shape, marking, &order, &out.rank, &mut self.moved, &mut out.code);
            out.automorphisms = 1;
            return Ok(());
        }
        let found = self.search(shape, marking, &colours, meter)?;
        out.code = found.best.code;
        out.rank = found.best.rank;
        out.automorphisms = found.count;
        Ok(())
    }

    /// All leaves below a node of the search.
    fn search(
        &mut self,
        shape: &Shape,
        marking: &Marking,
        colours: &[u64],
        meter: &mut Meter,
    ) -> Result<Found, Interrupted> {
        let order = order(marking, colours);
        let Some(cell) = smallest_cell(marking, colours, &order) else {
            let leaf = self.leaf(shape, marking, &order);
            return Ok(Found { first: leaf.code.clone(), best: leaf, count: 1 });
        };
        let mut searched: Vec<Found> = Vec::new();
        // How many members of the cell are alike to each one that was searched.
        let mut alike: Vec<u128> = Vec::new();
        for &block in cell {
            let below = self.with_unique(shape, marking, colours, block, meter)?;
            if !searched.is_empty() {
                let leaf = self.first_leaf(shape, marking, below.clone(), meter)?;
                if let Some(known) = searched.iter().position(|found| found.first == leaf.code) {
                    alike[known] += 1;
                    continue;
                }
            }
            searched.push(self.search(shape, marking, &below, meter)?);
            alike.push(1);
        }
        let mut all: Option<Found> = None;
        for (found, alike) in searched.into_iter().zip(alike) {
            let count = found.count.checked_mul(alike).ok_or(Interrupted::Overflow)?;
            all = Some(match all {
                None => Found { count, ..found },
                Some(best) => match found.best.code.cmp(&best.best.code) {
                    std::cmp::Ordering::Less => Found { first: best.first, best: found.best, count },
                    std::cmp::Ordering::Equal => {
                        let count = best.count.checked_add(count).ok_or(Interrupted::Overflow)?;
                        Found { count, ..best }
                    }
                    std::cmp::Ordering::Greater => best,
                },
            });
        }
        // Cells of the search have two members or more.
        all.ok_or(Interrupted::Overflow)
    }

    /// The leaf that is reached by always taking the first block of the smallest cell.
    fn first_leaf(
        &mut self,
        shape: &Shape,
        marking: &Marking,
        mut colours: Vec<u64>,
        meter: &mut Meter,
    ) -> Result<Leaf, Interrupted> {
        loop {
            let order = order(marking, &colours);
            let Some(&[first, ..]) = smallest_cell(marking, &colours, &order) else {
                return Ok(self.leaf(shape, marking, &order));
            };
            colours = self.with_unique(shape, marking, &colours, first, meter)?;
        }
    }

    fn leaf(&mut self, shape: &Shape, marking: &Marking, order: &[u32]) -> Leaf {
        let mut leaf = Leaf { code: Vec::new(), rank: Vec::new() };
        ranks(order, &mut leaf.rank);
        encode(shape, marking, order, &leaf.rank, &mut self.moved, &mut leaf.code);
        leaf
    }

    /// Colours in which one block differs from all others, refined.
    fn with_unique(
        &mut self,
        shape: &Shape,
        marking: &Marking,
        colours: &[u64],
        block: u32,
        meter: &mut Meter,
    ) -> Result<Vec<u64>, Interrupted> {
        let mut colours = colours.to_vec();
        colours[block as usize] = mix(colours[block as usize], 0x5eed);
        self.refine(shape, marking, &mut colours, meter)?;
        Ok(colours)
    }

    /// Refines colours by the tuples in which blocks stand, until that separates no more of them.
    fn refine(
        &mut self,
        shape: &Shape,
        marking: &Marking,
        colours: &mut [u64],
        meter: &mut Meter,
    ) -> Result<(), Interrupted> {
        let mut classes = class_count(marking, colours);
        loop {
            meter.step()?;
            meter.words(marking.tokens.pool.len())?;
            self.sums.clear();
            self.sums.resize(colours.len(), 0);
            for &head in &marking.tokens.heads {
                let shapes = shape.components(head.place);
                let tuple = marking.tokens.tuple(shape, head);
                let mut seen = mix(u64::from(head.place), head.count);
                for (position, &entry) in tuple.iter().enumerate() {
                    seen = match shapes[position].is_free {
                        true => {
                            let block = block_of(entry);
                            // Where the same block stands in the tuple matters, not only its colour.
                            let same =
                                |other: &usize| shapes[*other].is_free && block_of(tuple[*other]) == block;
                            let first = (0..position).find(same).unwrap_or(position) as u64;
                            let own = u64::from(label_of(entry)) << 32 | first;
                            mix(mix(seen, colours[block as usize]), own)
                        }
                        false => mix(seen, u64::from(entry)),
                    };
                }
                for (position, &entry) in tuple.iter().enumerate() {
                    if shapes[position].is_free {
                        let sum = &mut self.sums[block_of(entry) as usize];
                        *sum = sum.wrapping_add(mix(seen, position as u64 + 1));
                    }
                }
            }
            for (colour, sum) in colours.iter_mut().zip(&self.sums) {
                *colour = mix(*colour, *sum);
            }
            let now = class_count(marking, colours);
            if now == classes || now == colours.len() {
                return Ok(());
            }
            classes = now;
        }
    }
}

/// Colours that see static subclasses and sizes alone.
fn initial_colours(marking: &Marking) -> Vec<u64> {
    marking.blocks.iter().map(|block| mix(u64::from(block.of), u64::from(block.size))).collect()
}

/// The blocks by static subclass and colour.
fn order(marking: &Marking, colours: &[u64]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..colours.len() as u32).collect();
    order.sort_by_key(|&block| (marking.blocks[block as usize].of, colours[block as usize]));
    order
}

fn ranks(order: &[u32], ranks: &mut Vec<u32>) {
    ranks.clear();
    ranks.resize(order.len(), 0);
    for (rank, &block) in order.iter().enumerate() {
        ranks[block as usize] = rank as u32;
    }
}

fn class_count(marking: &Marking, colours: &[u64]) -> usize {
    let mut keys: Vec<(u32, u64)> =
        marking.blocks.iter().zip(colours).map(|(block, colour)| (block.of, *colour)).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.len()
}

fn is_discrete(marking: &Marking, colours: &[u64]) -> bool {
    class_count(marking, colours) == colours.len()
}

/// The first of the smallest cells with two blocks or more.
fn smallest_cell<'o>(marking: &Marking, colours: &[u64], order: &'o [u32]) -> Option<&'o [u32]> {
    let is_same = |a: &u32, b: &u32| {
        marking.blocks[*a as usize].of == marking.blocks[*b as usize].of
            && colours[*a as usize] == colours[*b as usize]
    };
    order.chunk_by(is_same).filter(|cell| cell.len() > 1).min_by_key(|cell| cell.len())
}

/// A member after a rotation; unchanged if its class does not rotate.
pub(crate) fn rotated_member(
    shape: &Shape,
    class: symbolon_coloured::ClassId,
    member: u32,
    rotation: &[u32],
) -> u32 {
    match shape.rotating.iter().position(|of| *of == class) {
        None => member,
        Some(number) => {
            let size = u64::from(shape.classes[class.index()].size);
            ((u64::from(member) + u64::from(rotation[number])) % size) as u32
        }
    }
}

/// A hash of a rotated marking that does not depend on the numbers of blocks.
fn fingerprint(shape: &Shape, marking: &Marking, colours: &[u64], rotation: &[u32]) -> u64 {
    let mut sum: u64 = 0;
    for &head in &marking.tokens.heads {
        let mut seen = mix(u64::from(head.place), head.count);
        for (of, &entry) in shape.components(head.place).iter().zip(marking.tokens.tuple(shape, head)) {
            seen = match of.is_free {
                true => mix(mix(seen, colours[block_of(entry) as usize]), u64::from(label_of(entry))),
                false => mix(seen, u64::from(rotated_member(shape, of.class, entry, rotation))),
            };
        }
        sum = sum.wrapping_add(seen);
    }
    sum
}

/// A hash of two numbers.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let mut mixed = (a.rotate_left(23) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^= mixed >> 29;
    mixed = mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 32)
}
