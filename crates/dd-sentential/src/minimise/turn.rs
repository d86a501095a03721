//! The moves of a vtree, in place: rotations and swaps.
//!
//! ```text
//!        x              w                x               x
//!       ╱ ╲   Right x  ╱ ╲              ╱ ╲    Swap x   ╱ ╲
//!      w   c ────────▶ a  x            a   b ────────▶ b   a
//!     ╱ ╲    ◀──────── ╱ ╲
//!    a   b    Left w  b   c
//! ```
//!
//! Only nodes at *x* can change: what lies at *w* or inside *a*, *b* and *c* keeps elements and vtree
//! node. Of the nodes at *x*,
//!
//! - `Right` leaves those at *x* whose primes do not depend on *a*; the others move to *w*. The
//!   primes of such a node are split into the cells of *a* that they make together; in each cell
//!   remain parts of primes over *b*, with the subs they had: that is a node at *x*.
//! - `Left` leaves those at *x* (which is the node above before) whose subs do not depend on *c*;
//!   of the others, what each sub demands of *c* becomes a sub at *w*, and what demands it of *a*
//!   and *b* together becomes its prime.
//! - `Swap` rewrites all of them: the subs cut their variables into cells, and each cell has the
//!   disjunction of the primes whose subs hold there.
//!
//! All operations happen inside *a*, *b* and *c*, and nodes are made at *x* below *w* only, so
//! nothing that moves is looked at while it does. No two nodes become equal, because their
//! functions differ; and signs stay, because they do not mention the vtree (SDD-K5). The new content
//! is computed first; until then nothing has changed that a limit could not take back.

use crate::edge::{Edge, Element};
use crate::sdd::{Operations, Sdd, Stop};
use crate::search::Turn;
use crate::store::Content;
use crate::vtree::{Vtree, VtreeNode};
use symbolon_budget::Interrupted;

/// What exists only while the vtree moves.
pub(crate) struct Moving {
    /// By number of node: how many edges and roots lead to it.
    references: Vec<u32>,
    /// By vtree node: its nodes.
    at: Vec<Vec<u32>>,
    /// By number of node: its place in that list.
    place: Vec<u32>,
    /// By vtree node: whether it is a leaf or lies in a block that is never split. No move has to do
    /// with those, so they keep their numbers.
    is_atom: Vec<bool>,
    /// The moves that were made and not taken back, each with the other node of its rotation.
    made: Vec<(Turn, u32)>,
}

impl Moving {
    fn enter(&mut self, index: u32, vtree: u32) {
        let wanted = index as usize + 1;
        if self.place.len() < wanted {
            self.place.resize(wanted, 0);
            self.references.resize(wanted, 0);
        }
        let list = &mut self.at[vtree as usize];
        self.place[index as usize] = list.len() as u32;
        list.push(index);
    }

    fn leave(&mut self, index: u32, vtree: u32) {
        let place = self.place[index as usize] as usize;
        let list = &mut self.at[vtree as usize];
        list.swap_remove(place);
        if let Some(&moved) = list.get(place) {
            self.place[moved as usize] = place as u32;
        }
    }

    /// Whether nothing may come between what lies below a vtree node.
    pub(crate) fn is_atom(&self, vtree: u32) -> bool {
        self.is_atom[vtree as usize]
    }

    /// The nodes that stand at a vtree node.
    pub(crate) fn nodes_at(&self, vtree: u32) -> &[u32] {
        &self.at[vtree as usize]
    }
}

/// Remembered answers while the vtree moves: forgotten whenever a node goes, so there are few.
const CACHE_BITS: u32 = 10;
/// What a move may make beyond what a limit on the size leaves, so that small diagrams can move.
const LEAST_ROOM: usize = 256;

/// The nodes that a move rewrites, with what they become.
#[derive(Default)]
struct Rewriting {
    movers: Vec<Mover>,
    old: Vec<Element>,
    new: Vec<Element>,
}

struct Mover {
    index: u32,
    /// Where its elements end in the lists.
    old_end: usize,
    new_end: usize,
}

impl Sdd {
    /// Makes one move: whether the vtree has the shape that it asks for.
    ///
    /// All functions stay what they are. It takes a look at every node, so this is for moves that
    /// are known; searches make thousands of them in a row.
    pub fn turn(&mut self, turn: Turn) -> Result<bool, Interrupted> {
        let mut is_done = false;
        self.moving(|sdd, moving| {
            is_done = sdd.try_turn(moving, turn, None)?;
            Ok(())
        })?;
        Ok(is_done)
    }

    /// Makes some moves, one after another. Moves that the vtree has no shape for are passed over.
    pub fn turn_all(&mut self, turns: &[Turn]) -> Result<(), Interrupted> {
        self.moving(|sdd, moving| {
            for &turn in turns {
                sdd.try_turn(moving, turn, None)?;
            }
            Ok(())
        })
    }

    /// [`Sdd::turn_all`] without the moves that would make all functions together take more elements.
    #[cfg(test)]
    pub(crate) fn turn_all_within(&mut self, turns: &[Turn], most: usize) -> Result<(), Interrupted> {
        self.moving(|sdd, moving| {
            for &turn in turns {
                let room = most.saturating_sub(sdd.store.size());
                sdd.try_turn(moving, turn, Some(room))?;
            }
            Ok(())
        })
    }

    /// Collects, and lets `work` move the vtree. Afterwards everything knows the new one, also when
    /// the work was interrupted.
    pub(crate) fn moving(
        &mut self,
        work: impl FnOnce(&mut Sdd, &mut Moving) -> Result<(), Interrupted>,
    ) -> Result<(), Interrupted> {
        let bytes = self.store.slot_count() as u64 * 12;
        self.meter.budget().memory().charge(bytes)?;
        self.charged += bytes;
        self.collect();
        let mut moving = Moving {
            references: vec![0; self.store.slot_count()],
            at: vec![Vec::new(); self.vtree.nodes.len()],
            place: vec![0; self.store.slot_count()],
            is_atom: self.atoms_of_vtree(),
            made: Vec::new(),
        };
        let stored: Vec<usize> = self.store.stored().collect();
        for index in stored {
            moving.enter(index as u32, self.store.node(index).vtree);
            for (prime, sub) in self.elements_of(Edge::to(index as u32)) {
                moving.references[prime.index()] += 1;
                moving.references[sub.index()] += 1;
            }
        }
        for root in self.roots.nodes() {
            moving.references[Edge::from_word(root.word()).index()] += 1;
        }
        let (small, _): (_, Operations) = Operations::with_cache(CACHE_BITS, CACHE_BITS);
        let cache = std::mem::replace(&mut self.cache, small);
        let created_limit = std::mem::replace(&mut self.created_limit, u64::MAX);
        self.minimising.due_at = u64::MAX;
        self.minimising.log_births();

        let done = work(self, &mut moving);

        self.minimising.forget_births();
        self.minimising.turns = moving.made.into_iter().map(|(turn, _)| turn).collect();
        self.minimising.count += 1;
        self.created_limit = created_limit;
        self.cache = cache;
        // Numbers of nodes that went may mean others now.
        self.cache.clear();
        self.collections += 1;
        self.place_all();
        self.release(bytes);
        done
    }

    /// Makes a move; nothing has changed if it is not made. It is not made if the vtree has another
    /// shape, or if it takes more elements than the given number.
    pub(crate) fn try_turn(
        &mut self,
        moving: &mut Moving,
        turn: Turn,
        room: Option<usize>,
    ) -> Result<bool, Interrupted> {
        let (Turn::Right(VtreeNode(x)) | Turn::Left(VtreeNode(x)) | Turn::Swap(VtreeNode(x))) = turn;
        if !Sdd::has_shape_for(&self.vtree, turn) {
            return Ok(false);
        }
        let node = self.vtree.node(x);
        let w = match turn {
            Turn::Right(_) => node.left,
            Turn::Left(_) => node.right,
            Turn::Swap(_) => x,
        };
        self.meter.step()?;
        let room = room.map(|room| room.max(LEAST_ROOM));
        let mut rewriting = self.begin(moving, turn, x, w);
        self.set_shape(moving, turn, x, w);
        if let Some(room) = room {
            self.created_limit = self.created_nodes.saturating_add(room as u64);
        }
        let computed = self.compute(&mut rewriting, turn, x, w, room.unwrap_or(usize::MAX));
        self.created_limit = u64::MAX;
        self.stack.clear();
        let admitted = computed.and_then(|()| self.make_room_for(&rewriting));
        match admitted {
            Ok(()) => {
                self.commit(moving, &rewriting, x, w);
                match moving.made.last() {
                    Some(&(last, other)) if inverse(last, other) == turn => drop(moving.made.pop()),
                    _ => moving.made.push((turn, w)),
                }
                Ok(true)
            }
            Err(stop) => {
                self.count_births(moving);
                self.set_shape(moving, inverse(turn, w), w, x);
                for mover in &rewriting.movers {
                    self.store.cancel_rewrite(mover.index, x);
                }
                self.bury(moving, Vec::new());
                match stop {
                    Stop::TooLarge => Ok(false),
                    Stop::Interrupted(reason) => Err(reason),
                    Stop::Minimise => unreachable!("no operation is left while the vtree moves"),
                }
            }
        }
    }

    /// Whether a vtree has the shape that a move asks for.
    pub(crate) fn has_shape_for(vtree: &Vtree, turn: Turn) -> bool {
        let (Turn::Right(node) | Turn::Left(node) | Turn::Swap(node)) = turn;
        let Some((left, right)) = vtree.children(node) else { return false };
        match turn {
            Turn::Right(_) => vtree.children(left).is_some(),
            Turn::Left(_) => vtree.children(right).is_some(),
            Turn::Swap(_) => true,
        }
    }

    /// Takes the nodes that change out of the table.
    fn begin(&mut self, moving: &Moving, turn: Turn, x: u32, w: u32) -> Rewriting {
        let mut rewriting = Rewriting::default();
        let w_node = self.vtree.node(w);
        for &index in moving.nodes_at(x) {
            let first = rewriting.old.len();
            let elements = self.elements_of(Edge::to(index));
            let depends = |edge: Edge, part: u32| {
                !edge.is_constant() && {
                    let place = self.place(edge);
                    place == w || self.vtree.contains(part, place)
                }
            };
            let is_mover = match turn {
                Turn::Right(_) => elements.iter().any(|&(prime, _)| depends(prime, w_node.left)),
                Turn::Left(_) => elements.iter().any(|&(_, sub)| depends(sub, w_node.right)),
                Turn::Swap(_) => true,
            };
            if is_mover {
                rewriting.old.extend(elements.iter().map(|&(prime, sub)| Element::new(prime, sub)));
                rewriting.old[first..].sort_unstable();
                let old_end = rewriting.old.len();
                rewriting.movers.push(Mover { index, old_end, new_end: 0 });
            }
        }
        for mover in &rewriting.movers {
            self.store.begin_rewrite(mover.index);
        }
        rewriting
    }

    /// Gives the vtree its other shape, and nodes that stay another form where the left child of
    /// their vtree node becomes a leaf, or is one no longer.
    fn set_shape(&mut self, moving: &Moving, turn: Turn, x: u32, w: u32) {
        // Where b is a leaf, the nodes over b and c have two subs where b is the left child of their
        // vtree node, and elements where it is the right child of a left child.
        let changed = match turn {
            Turn::Right(_) => x,
            Turn::Left(_) => w,
            Turn::Swap(_) => x,
        };
        let staying: Vec<u32> = match turn {
            Turn::Swap(_) => Vec::new(),
            Turn::Right(_) | Turn::Left(_) => {
                let inner = self.vtree.node(w);
                let b = if matches!(turn, Turn::Right(_)) { inner.right } else { inner.left };
                match self.vtree.is_leaf(b) {
                    true => moving
                        .nodes_at(changed)
                        .iter()
                        .copied()
                        .filter(|&index| self.store.node(index as usize).vtree == changed)
                        .collect(),
                    false => Vec::new(),
                }
            }
        };
        let contents: Vec<Vec<(Edge, Edge)>> =
            staying.iter().map(|&index| self.elements_of(Edge::to(index))).collect();
        staying.iter().for_each(|&index| self.store.begin_rewrite(index));
        match turn {
            Turn::Right(_) => self.vtree.rotate_right(x),
            Turn::Left(_) => self.vtree.rotate_left(x),
            Turn::Swap(_) => self.vtree.swap(x),
        }
        for number in [x, w] {
            self.has_two[number as usize] = self.vtree.has_left_leaf(number);
        }
        for (&index, elements) in staying.iter().zip(contents) {
            let elements: Vec<Element> =
                elements.into_iter().map(|(prime, sub)| Element::new(prime, sub)).collect();
            self.end_rewrite(index, changed, &elements, elements.len());
        }
    }

    /// Stores elements in the form that their vtree node asks for.
    fn end_rewrite(&mut self, index: u32, vtree: u32, elements: &[Element], old_length: usize) {
        let bytes = self.store.bytes();
        if self.has_two[vtree as usize] {
            let [a, b] = *elements else { unreachable!("SDD-K2: the primes are a literal and its negation") };
            let (high, low) = if a.prime.is_regular() { (a.sub, b.sub) } else { (b.sub, a.sub) };
            self.store.end_rewrite(index, vtree, Content::Two(high, low), old_length);
        } else {
            let mut sorted = elements.to_vec();
            sorted.sort_unstable();
            self.store.end_rewrite(index, vtree, Content::Many(&sorted), old_length);
        }
        // A node that stays may need a few words more; it cannot be refused here.
        let more = self.store.bytes() - bytes;
        if more > 0 {
            self.meter.budget().memory().charge_anyway(more);
            self.charged += more;
        }
    }

    /// What all nodes that change become.
    fn compute(
        &mut self,
        rewriting: &mut Rewriting,
        turn: Turn,
        x: u32,
        w: u32,
        room: usize,
    ) -> Result<(), Stop> {
        let Rewriting { movers, old, new } = rewriting;
        let mut first = 0;
        for mover in movers {
            let elements = &old[first..mover.old_end];
            first = mover.old_end;
            match turn {
                Turn::Right(_) => self.turned_right(elements, x, w, room, new)?,
                Turn::Left(_) => self.turned_left(elements, x, w, new)?,
                Turn::Swap(_) => self.swapped(elements, room, new)?,
            }
            mover.new_end = new.len();
            if new.len() > room.saturating_add(old.len()) {
                return Err(Stop::TooLarge);
            }
        }
        Ok(())
    }

    /// Elements over (a b) and c as elements over a and (b c).
    fn turned_right(
        &mut self,
        elements: &[Element],
        x: u32,
        w: u32,
        room: usize,
        new: &mut Vec<Element>,
    ) -> Result<(), Stop> {
        let mut cells: Vec<(Edge, Vec<Element>)>;
        if self.has_two[w as usize] {
            let left = self.literal(symbolon_dd_core::Variable(self.vtree.node(w).left), true);
            cells = vec![(left, Vec::new()), (!left, Vec::new())];
            for &Element { prime, sub } in elements {
                let (high, low) = self.cofactors(prime, w);
                for (cell, part) in cells.iter_mut().zip([high, low]) {
                    if part != Edge::FALSE {
                        cell.1.push(Element::new(part, sub));
                    }
                }
            }
        } else {
            cells = vec![(Edge::TRUE, Vec::new())];
            for &Element { prime, sub } in elements {
                self.push_elements(prime, w);
                let mut split: Vec<(Edge, Vec<Element>)> = Vec::with_capacity(cells.len());
                for (cell, parts) in cells {
                    for place in 0..self.stack.len() {
                        let Element { prime: part, sub: rest } = self.stack[place];
                        if part == Edge::FALSE {
                            continue;
                        }
                        self.step()?;
                        let both = self.and_edges(cell, part)?;
                        if both == Edge::FALSE {
                            continue;
                        }
                        let mut parts = parts.clone();
                        if rest != Edge::FALSE {
                            parts.push(Element::new(rest, sub));
                        }
                        split.push((both, parts));
                        if both == part {
                            self.stack[place].prime = Edge::FALSE;
                        }
                        if both == cell {
                            break;
                        }
                    }
                }
                self.stack.clear();
                if split.len() > room.saturating_add(elements.len()) {
                    return Err(Stop::TooLarge);
                }
                cells = split;
            }
        }
        let mut made = Vec::with_capacity(cells.len());
        for (cell, parts) in cells {
            self.stack.extend(parts);
            let sub = self.make(x, 0)?;
            made.push(Element::new(cell, sub));
        }
        self.stack.extend(made);
        self.compress(0)?;
        new.append(&mut self.stack);
        Ok(())
    }

    /// Elements over a and (b c) as elements over (a b) and c.
    fn turned_left(
        &mut self,
        elements: &[Element],
        x: u32,
        w: u32,
        new: &mut Vec<Element>,
    ) -> Result<(), Stop> {
        // What c must be, for which prime, and what of b then.
        let mut demands: Vec<(Edge, Element)> = Vec::new();
        for &Element { prime, sub } in elements {
            self.push_elements(sub, w);
            demands.extend(self.stack.drain(..).map(|case| (case.sub, Element::new(prime, case.prime))));
        }
        demands.sort_unstable();
        let mut made = Vec::new();
        for cases in demands.chunk_by(|one, other| one.0 == other.0) {
            self.step()?;
            let mut waiting = cases.iter().map(|case| case.1).peekable();
            // Elements are sorted by prime, and so are the cases.
            for &Element { prime, .. } in elements {
                let case = waiting.next_if(|case| case.prime == prime);
                self.stack.push(case.unwrap_or(Element::new(prime, Edge::FALSE)));
            }
            debug_assert!(waiting.next().is_none(), "the elements are sorted");
            self.compress(0)?;
            let prime = self.make(x, 0)?;
            made.push(Element::new(prime, cases[0].0));
        }
        new.extend(made);
        Ok(())
    }

    /// Elements over a and b as elements over b and a.
    fn swapped(&mut self, elements: &[Element], room: usize, new: &mut Vec<Element>) -> Result<(), Stop> {
        let mut cells = vec![Element::new(Edge::TRUE, Edge::FALSE)];
        for &Element { prime, sub } in elements {
            if sub == Edge::FALSE {
                continue;
            }
            let mut split = Vec::with_capacity(cells.len() + 1);
            for cell in cells {
                self.step()?;
                let inside = self.and_edges(cell.prime, sub)?;
                if inside == Edge::FALSE {
                    split.push(cell);
                    continue;
                }
                let some = self.or_edges(cell.sub, prime)?;
                split.push(Element::new(inside, some));
                if inside != cell.prime {
                    let outside = self.and_edges(cell.prime, !sub)?;
                    split.push(Element::new(outside, cell.sub));
                }
            }
            if split.len() > room.saturating_add(elements.len()) {
                return Err(Stop::TooLarge);
            }
            cells = split;
        }
        new.extend(cells);
        Ok(())
    }

    /// Admits the new elements.
    fn make_room_for(&mut self, rewriting: &Rewriting) -> Result<(), Stop> {
        let count = rewriting.new.len();
        match self.store.growth_for(count) {
            0 => Ok(()),
            bytes => Ok(self.grow_store(bytes, count)?),
        }
    }

    /// Writes what was computed, and frees what is needed no longer.
    fn commit(&mut self, moving: &mut Moving, rewriting: &Rewriting, x: u32, w: u32) {
        self.count_births(moving);
        let mut unneeded = Vec::new();
        for element in &rewriting.new {
            moving.references[element.prime.index()] += 1;
            moving.references[element.sub.index()] += 1;
        }
        for element in &rewriting.old {
            for child in [element.prime, element.sub] {
                let count = &mut moving.references[child.index()];
                *count -= 1;
                if *count == 0 {
                    unneeded.push(child.index() as u32);
                }
            }
        }
        let (mut old_first, mut new_first) = (0, 0);
        for &Mover { index, old_end, new_end } in &rewriting.movers {
            self.end_rewrite(index, w, &rewriting.new[new_first..new_end], old_end - old_first);
            if x != w {
                moving.leave(index, x);
                moving.enter(index, w);
            }
            (old_first, new_first) = (old_end, new_end);
        }
        self.bury(moving, unneeded);
        let Sdd { store, has_two, .. } = self;
        store.compact_if_sparse(|vtree| has_two[vtree as usize]);
    }

    /// Counts the references of the nodes that the move has made.
    fn count_births(&mut self, moving: &mut Moving) {
        for place in 0..self.minimising.births().len() {
            let index = self.minimising.births()[place];
            moving.enter(index, self.store.node(index as usize).vtree);
            moving.references[index as usize] = 0;
        }
        for place in 0..self.minimising.births().len() {
            let index = self.minimising.births()[place];
            for (prime, sub) in self.elements_of(Edge::to(index)) {
                moving.references[prime.index()] += 1;
                moving.references[sub.index()] += 1;
            }
        }
    }

    /// Frees the given nodes and those that the move has made in vain, if nothing leads to them,
    /// and what only they lead to.
    fn bury(&mut self, moving: &mut Moving, mut unneeded: Vec<u32>) {
        unneeded.extend(self.minimising.take_births());
        let first = self.variable_count() as u32 + 1;
        let mut has_died = false;
        while let Some(index) = unneeded.pop() {
            let is_dead = index >= first
                && moving.references[index as usize] == 0
                && self.store.is_stored(index as usize);
            if !is_dead {
                continue;
            }
            has_died = true;
            let elements = self.elements_of(Edge::to(index));
            moving.leave(index, self.store.node(index as usize).vtree);
            self.store.free(index, elements.len());
            for child in elements.into_iter().flat_map(|(prime, sub)| [prime, sub]) {
                let count = &mut moving.references[child.index()];
                *count -= 1;
                if *count == 0 {
                    unneeded.push(child.index() as u32);
                }
            }
        }
        if has_died {
            self.cache.clear();
        }
    }
}

/// The move that takes a move of `x` back, where `w` is the other node of a rotation.
pub(super) fn inverse(turn: Turn, w: u32) -> Turn {
    match turn {
        Turn::Right(_) => Turn::Left(VtreeNode(w)),
        Turn::Left(_) => Turn::Right(VtreeNode(w)),
        Turn::Swap(x) => Turn::Swap(x),
    }
}
