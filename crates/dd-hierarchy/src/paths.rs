//! Sequences of a set, one after another, with the components written out: a state is the row of
//! its values.

use crate::hierarchy::{Form, Hierarchy};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use symbolon_dd_core::NodeId;

impl Hierarchy {
    /// The states of a set as values place by place. Nothing comes of a part that is not well
    /// defined.
    pub fn states(&self, set: NodeId) -> States<'_> {
        let mut states = States { hierarchy: self, choices: Vec::new(), values: Vec::new(), finished: false };
        states.finished = !(states.descend(set, None) || states.advance());
        states
    }

    /// Some state of a set, always the same one.
    pub fn choose(&self, set: NodeId) -> Option<Vec<u64>> {
        self.states(set).next()
    }

    /// Whether the state with these values lies in the set.
    pub fn contains(&self, set: NodeId, values: &[u64]) -> bool {
        self.matched_until(set, values, 0, &mut FxHashMap::default()) == Some(values.len())
    }

    /// Where the part of `values` from `place` on ends that is a sequence of `node`, if there is
    /// one.
    fn matched_until(
        &self,
        node: NodeId,
        values: &[u64],
        place: usize,
        known: &mut FxHashMap<(NodeId, usize), Option<usize>>,
    ) -> Option<usize> {
        match self.form(node) {
            Form::Empty | Form::Undefined => None,
            Form::One => Some(place),
            Form::Leaf(view) => {
                let code = self.values.known_code(*values.get(place)?)?;
                self.matched_until(self.leaf_child(&view, code), values, place + 1, known)
            }
            Form::Set(view) => {
                if let Some(&answer) = known.get(&(node, place)) {
                    return answer;
                }
                // Labels are disjoint: at most one has what stands here.
                let answer = (0..view.length).find_map(|position| {
                    let (label, child) = self.set_arc(&view, position);
                    let end = self.matched_until(label, values, place, known)?;
                    self.matched_until(child, values, end, known)
                });
                known.insert((node, place), answer);
                answer
            }
        }
    }
}

/// What is still to be read when a sequence ends: the rests of the components around it.
type Rest = Option<Rc<Continuation>>;

struct Continuation {
    node: NodeId,
    rest: Rest,
}

/// An arc that was taken, and what it takes to take the next one instead.
struct Choice {
    node: NodeId,
    position: usize,
    rest: Rest,
    /// The number of values read before this node.
    read: usize,
}

/// An iterator over the states of a set.
pub struct States<'a> {
    hierarchy: &'a Hierarchy,
    choices: Vec<Choice>,
    values: Vec<u64>,
    finished: bool,
}

impl States<'_> {
    /// Takes first arcs to the end of everything. False if that end is ⊤ or the set is empty.
    fn descend(&mut self, node: NodeId, rest: Rest) -> bool {
        let (mut node, mut rest) = (node, rest);
        loop {
            match self.hierarchy.form(node) {
                Form::Empty | Form::Undefined => return false,
                Form::One => match rest.take() {
                    None => return true,
                    Some(next) => {
                        node = next.node;
                        rest = next.rest.clone();
                    }
                },
                Form::Leaf(_) | Form::Set(_) => {
                    let read = self.values.len();
                    self.choices.push(Choice { node, position: 0, rest: rest.clone(), read });
                    (node, rest) = self.take(node, 0, rest);
                }
            }
        }
    }

    /// Follows one arc: the node to read next, and what comes after it.
    fn take(&mut self, node: NodeId, position: usize, rest: Rest) -> (NodeId, Rest) {
        match self.hierarchy.form(node) {
            Form::Leaf(view) => {
                let (code, child) = self.hierarchy.leaf_arc(&view, position);
                self.values.push(self.hierarchy.values.value(code));
                (child, rest)
            }
            Form::Set(view) => {
                let (label, child) = self.hierarchy.set_arc(&view, position);
                (label, Some(Rc::new(Continuation { node: child, rest })))
            }
            _ => (node, rest),
        }
    }

    /// Moves to the next state, if there is one.
    fn advance(&mut self) -> bool {
        while let Some(choice) = self.choices.pop() {
            let length = match self.hierarchy.form(choice.node) {
                Form::Leaf(view) => view.length,
                Form::Set(view) => view.length,
                _ => 0,
            };
            let position = choice.position + 1;
            if position >= length {
                continue;
            }
            self.values.truncate(choice.read);
            let (node, rest) = (choice.node, choice.rest.clone());
            self.choices.push(Choice { position, ..choice });
            let (node, rest) = self.take(node, position, rest);
            if self.descend(node, rest) {
                return true;
            }
        }
        false
    }
}

impl Iterator for States<'_> {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Vec<u64>> {
        if self.finished {
            return None;
        }
        let values = self.values.clone();
        self.finished = !self.advance();
        Some(values)
    }
}
