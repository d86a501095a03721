//! The values of subformulas in states, as far as they are asked for.
//!
//! Three operators search; each writes down what it found out for every state that it left (LOCAL-2,
//! LOCAL-3).
//!
//! - `EX f` looks at one next state after the other.
//! - `E[f U g]` goes depth first through states with `f` until one has `g`. Then all states from which the
//!   present path can be reached have the formula: those are the open ones of Tarjan's algorithm. States
//!   of a component that is left without success do not have it.
//! - `A[f U g]` goes depth first through states with `f` and without `g` until a path shows that it fails: a
//!   state with neither, a dead state, or a circle. Then it fails in all states of that path. A state that
//!   is left has only next states that have the formula, and so has it.
//!
//! Operands are smaller formulas, and each of their values is certain before it is used, negated or not.
//! So no order between operators has to be kept, as in dependency graphs with negation (Dalsgaard et al.,
//! 2018), of which this is the depth-first case.

use crate::formula::{Node, NodeId, SearchId, StateFormula};
use crate::states::StateNumber;
use crate::successors::Cursor;
use crate::visits::{Stopped, Visits};
use symbolon_logic::Paths;

/// What is written down of a state that was not asked for.
const UNKNOWN: u32 = 0;
const TRUE: u32 = 1;
const FALSE: u32 = 2;
/// From here on: the position in the search that is under way, plus this.
const OPEN: u32 = 3;

/// Values of one formula.
pub(crate) struct Values<'s, 'm, 'f> {
    visits: &'s mut Visits<'m>,
    formula: &'f StateFormula<'f>,
    paths: Paths,
    /// By search and state.
    known: Vec<Vec<u32>>,
    /// Bytes charged to the budget.
    charged: u64,
}

/// What a state takes at most in a search: its value, and its place on the path.
const BYTES_PER_STATE: usize = size_of::<u32>() + size_of::<Visit>() + size_of::<StateNumber>();

/// A state on the path of a search.
struct Visit {
    state: StateNumber,
    cursor: Cursor,
    /// The smallest position among open states that are known to be reached from here.
    low: u32,
    has_next: bool,
}

impl Visit {
    fn of(state: StateNumber, cursor: Cursor, position: u32) -> Visit {
        Visit { state, cursor, low: position, has_next: false }
    }
}

impl<'s, 'm, 'f> Values<'s, 'm, 'f> {
    pub(crate) fn new(
        visits: &'s mut Visits<'m>,
        formula: &'f StateFormula<'f>,
        paths: Paths,
    ) -> Values<'s, 'm, 'f> {
        let known = vec![Vec::new(); formula.search_count()];
        Values { visits, formula, paths, known, charged: 0 }
    }

    /// Whether a subformula holds in a state.
    pub(crate) fn value(&mut self, id: NodeId, state: StateNumber) -> Result<bool, Stopped> {
        let (mut id, mut is_negated) = (id, false);
        // Long conjunctions and disjunctions lie in the second operand.
        loop {
            let (node, search) = self.formula.node(id);
            let value = match (node, search) {
                (Node::Not(f), _) => {
                    (id, is_negated) = (f, !is_negated);
                    continue;
                }
                (Node::And(f, g), _) => match self.value(f, state)? {
                    true => {
                        id = g;
                        continue;
                    }
                    false => false,
                },
                (node, Some(search)) => self.searched(node, search, state)?,
                (Node::Constant(value), None) => value,
                (Node::Atom(number), None) => {
                    let atom = self.formula.atoms[number as usize];
                    let model = self.visits.model;
                    atom.holds(model, self.visits.state(state)).ok_or(Stopped::AtomWithoutValue)?
                }
                (_, None) => self.visits.is_dead(state),
            };
            return Ok(value != is_negated);
        }
    }

    fn searched(&mut self, node: Node, search: SearchId, state: StateNumber) -> Result<bool, Stopped> {
        match self.known(search, state) {
            TRUE => return Ok(true),
            FALSE => return Ok(false),
            _ => {}
        }
        self.make_room(search, state)?;
        match node {
            Node::ExistsUntil(f, g) => {
                let mut open = Vec::new();
                let found = self.exists_until(search, (f, g), state, &mut open)?;
                open.into_iter().for_each(|state| self.note(search, state, TRUE));
                Ok(found)
            }
            Node::ForAllUntil(f, g) => {
                let mut path = Vec::new();
                let found = self.for_all_until(search, (f, g), state, &mut path)?;
                path.into_iter().for_each(|visit| self.note(search, visit.state, FALSE));
                Ok(found)
            }
            Node::ExistsNext(f) => self.exists_next(search, f, state),
            Node::Constant(_) | Node::Deadlock | Node::Atom(_) | Node::Not(_) | Node::And(..) => {
                unreachable!("these are decided by one state")
            }
        }
    }

    fn exists_next(&mut self, search: SearchId, f: NodeId, state: StateNumber) -> Result<bool, Stopped> {
        let (mut cursor, mut is_dead, mut found) = (self.visits.first_of(state), true, false);
        while !found && let Some(next) = self.visits.successor(state, &mut cursor)? {
            is_dead = false;
            found = self.value(f, next)?;
        }
        // Where paths stay in dead states, a dead state is next to itself.
        if is_dead && self.paths == Paths::Stutter {
            found = self.value(f, state)?;
        }
        self.note(search, state, if found { TRUE } else { FALSE });
        Ok(found)
    }

    /// Leaves in `open` the states that are undecided: where the answer is yes, they have the formula.
    fn exists_until(
        &mut self,
        search: SearchId,
        (f, g): (NodeId, NodeId),
        state: StateNumber,
        open: &mut Vec<StateNumber>,
    ) -> Result<bool, Stopped> {
        let mut path: Vec<Visit> = Vec::new();
        let mut position = 0;
        if let Some(value) = self.decided_here(search, (f, g), state)? {
            return Ok(value);
        }
        self.open(search, state, &mut position, &mut path, open);
        while let Some(top) = path.last_mut() {
            let Some(next) = self.visits.successor(top.state, &mut top.cursor)? else {
                let (state, low) = (top.state, top.low);
                path.pop();
                if low + OPEN == self.known(search, state) {
                    // A component without a way out: none of its states has the formula.
                    while let Some(member) = open.pop() {
                        self.note(search, member, FALSE);
                        if member == state {
                            break;
                        }
                    }
                } else if let Some(below) = path.last_mut() {
                    below.low = below.low.min(low);
                }
                continue;
            };
            match self.known(search, next) {
                TRUE => return Ok(true),
                FALSE => {}
                UNKNOWN => match self.decided_here(search, (f, g), next)? {
                    Some(true) => return Ok(true),
                    Some(false) => {}
                    None => self.open(search, next, &mut position, &mut path, open),
                },
                seen => top.low = top.low.min(seen - OPEN),
            }
        }
        Ok(false)
    }

    /// What a state by itself says about `f U g`, which is written down.
    fn decided_here(
        &mut self,
        search: SearchId,
        (f, g): (NodeId, NodeId),
        state: StateNumber,
    ) -> Result<Option<bool>, Stopped> {
        self.make_room(search, state)?;
        let decided = match self.value(g, state)? {
            true => Some(true),
            false if self.value(f, state)? => None,
            false => Some(false),
        };
        if let Some(value) = decided {
            self.note(search, state, if value { TRUE } else { FALSE });
        }
        Ok(decided)
    }

    /// Leaves in `path` the states that are undecided: where the answer is no, the formula fails there.
    fn for_all_until(
        &mut self,
        search: SearchId,
        (f, g): (NodeId, NodeId),
        state: StateNumber,
        path: &mut Vec<Visit>,
    ) -> Result<bool, Stopped> {
        let mut position = 0;
        let mut nothing = Vec::new();
        if let Some(value) = self.decided_here(search, (f, g), state)? {
            return Ok(value);
        }
        self.open(search, state, &mut position, path, &mut nothing);
        while let Some(top) = path.last_mut() {
            let Some(next) = self.visits.successor(top.state, &mut top.cursor)? else {
                if !top.has_next {
                    // The path ends, or stays for ever, without `g`.
                    return Ok(false);
                }
                let state = top.state;
                path.pop();
                self.note(search, state, TRUE);
                continue;
            };
            top.has_next = true;
            match self.known(search, next) {
                TRUE => {}
                UNKNOWN => match self.decided_here(search, (f, g), next)? {
                    Some(false) => return Ok(false),
                    Some(true) => {}
                    None => self.open(search, next, &mut position, path, &mut nothing),
                },
                // A state that fails, or a circle of states without `g`.
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    fn open(
        &mut self,
        search: SearchId,
        state: StateNumber,
        position: &mut u32,
        path: &mut Vec<Visit>,
        open: &mut Vec<StateNumber>,
    ) {
        self.note(search, state, *position + OPEN);
        path.push(Visit::of(state, self.visits.first_of(state), *position));
        open.push(state);
        *position += 1;
    }

    fn known(&self, search: SearchId, state: StateNumber) -> u32 {
        self.known[search.0 as usize].get(state as usize).copied().unwrap_or(UNKNOWN)
    }

    fn note(&mut self, search: SearchId, state: StateNumber, value: u32) {
        self.known[search.0 as usize][state as usize] = value;
    }

    /// Makes room for what is written down of a state.
    fn make_room(&mut self, search: SearchId, state: StateNumber) -> Result<(), Stopped> {
        let known = &mut self.known[search.0 as usize];
        if known.len() <= state as usize {
            let length = (state as usize + 1).next_power_of_two().max(64);
            let bytes = ((length - known.len()) * BYTES_PER_STATE) as u64;
            self.visits.memory().charge(bytes)?;
            self.charged += bytes;
            known.resize(length, UNKNOWN);
        }
        Ok(())
    }
}

impl Drop for Values<'_, '_, '_> {
    fn drop(&mut self) {
        self.visits.memory().release(self.charged);
    }
}
