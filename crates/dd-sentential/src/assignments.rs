//! The choices of values that make a function true, one after another.
//!
//! A cursor stands at each vtree node above a variable of interest: which element of the function
//! there is taken, and where the cursors of both children stand. The next choice moves the right
//! cursor, or else the left one, or else goes on to the next element.

use crate::edge::Edge;
use crate::sdd::Sdd;
use symbolon_dd_core::{Root, Variable};

impl Sdd {
    /// Whether the function is true for these values, which are given for all variables.
    pub fn contains(&self, a: &Root, values: &[bool]) -> bool {
        // An edge is true where its prime is; the question goes down into both.
        enum Ask {
            Value(Edge),
            /// Of the element last asked for: its sub is next if its prime was true.
            Elements(Vec<(Edge, Edge)>),
        }
        let mut answer = false;
        let mut open = vec![Ask::Value(Edge::of(a))];
        while let Some(ask) = open.pop() {
            match ask {
                Ask::Value(edge) if edge.is_constant() => answer = edge == Edge::TRUE,
                Ask::Value(edge) if !self.is_decision(edge) => {
                    answer = values[self.place(edge) as usize] == edge.is_regular();
                }
                Ask::Value(edge) => {
                    let v = self.place(edge);
                    if self.has_two[v as usize] {
                        let (high, low) = self.cofactors(edge, v);
                        let left = values[self.vtree.node(v).left as usize];
                        open.push(Ask::Value(if left { high } else { low }));
                    } else {
                        let elements = self.elements_of(edge);
                        let first = elements[0].0;
                        open.push(Ask::Elements(elements));
                        open.push(Ask::Value(first));
                    }
                }
                Ask::Elements(mut elements) => {
                    let (_, sub) = elements.remove(0);
                    if answer {
                        open.push(Ask::Value(sub));
                    } else if let Some(&(prime, _)) = elements.first() {
                        open.push(Ask::Elements(elements));
                        open.push(Ask::Value(prime));
                    }
                }
            }
        }
        answer
    }

    /// The values of `variables`, in their order, that make the function true; it depends on no
    /// other variable.
    pub fn assignments(&self, a: &Root, variables: &[Variable]) -> Assignments<'_> {
        let mut place_of = vec![None; self.variable_count()];
        for (place, variable) in variables.iter().enumerate() {
            place_of[variable.index()] = Some(place);
        }
        let mut assignments =
            Assignments { sdd: self, values: vec![false; variables.len()], place_of, cursor: None };
        let cursor = assignments.first(Edge::of(a), self.vtree.root);
        assignments.cursor = cursor;
        assignments
    }

    /// The first of [`Sdd::assignments`], if there is one.
    pub fn choose(&self, a: &Root, variables: &[Variable]) -> Option<Vec<bool>> {
        self.assignments(a, variables).next()
    }
}

/// An iterator over the choices that make a function true.
pub struct Assignments<'a> {
    sdd: &'a Sdd,
    values: Vec<bool>,
    /// By variable: where its value goes.
    place_of: Vec<Option<usize>>,
    /// Nothing is left.
    cursor: Option<Cursor>,
}

/// Where the enumeration of a function stands.
enum Cursor {
    /// Nothing to choose: a literal, or a variable without a place in the answers.
    Fixed,
    /// A variable of which both values are taken; it is false now.
    Both(usize),
    /// An element of a function at a vtree node.
    Element { v: u32, elements: Vec<(Edge, Edge)>, taken: usize, left: Box<Cursor>, right: Box<Cursor> },
}

impl Assignments<'_> {
    /// The first choice below a vtree node, written into the values; none if the function is false.
    fn first(&mut self, edge: Edge, v: u32) -> Option<Cursor> {
        if edge == Edge::FALSE {
            return None;
        }
        if self.sdd.vtree.is_leaf(v) {
            let Some(place) = self.place_of[v as usize] else {
                assert!(edge.is_constant(), "the function depends on the given variables alone");
                return Some(Cursor::Fixed);
            };
            self.values[place] = edge != Edge::TRUE && edge.is_regular();
            return Some(if edge == Edge::TRUE { Cursor::Both(place) } else { Cursor::Fixed });
        }
        let sdd = self.sdd;
        let node = sdd.vtree.node(v);
        let elements = if edge == Edge::TRUE {
            vec![(Edge::TRUE, Edge::TRUE)]
        } else if sdd.place(edge) == v {
            let mut elements = sdd.elements_of(edge);
            elements.retain(|&(_, sub)| sub != Edge::FALSE);
            elements
        } else if sdd.vtree.contains(node.left, sdd.place(edge)) {
            vec![(edge, Edge::TRUE)]
        } else {
            vec![(Edge::TRUE, edge)]
        };
        self.element(v, elements, 0)
    }

    fn element(&mut self, v: u32, elements: Vec<(Edge, Edge)>, taken: usize) -> Option<Cursor> {
        let &(prime, sub) = elements.get(taken)?;
        let node = self.sdd.vtree.node(v);
        let left = Box::new(self.first(prime, node.left)?);
        let right = Box::new(self.first(sub, node.right)?);
        Some(Cursor::Element { v, elements, taken, left, right })
    }

    /// The next choice after a cursor.
    fn after(&mut self, cursor: Cursor) -> Option<Cursor> {
        match cursor {
            Cursor::Fixed => None,
            Cursor::Both(place) => {
                self.values[place] = true;
                Some(Cursor::Fixed)
            }
            Cursor::Element { v, elements, taken, left, right } => {
                let node = self.sdd.vtree.node(v);
                let (prime, sub) = elements[taken];
                if let Some(right) = self.after(*right) {
                    return Some(Cursor::Element { v, elements, taken, left, right: Box::new(right) });
                }
                if let Some(left) = self.after(*left) {
                    let right = Box::new(self.first(sub, node.right)?);
                    return Some(Cursor::Element { v, elements, taken, left: Box::new(left), right });
                }
                debug_assert_ne!(prime, Edge::FALSE, "SDD-K2");
                self.element(v, elements, taken + 1)
            }
        }
    }
}

impl Iterator for Assignments<'_> {
    type Item = Vec<bool>;

    fn next(&mut self) -> Option<Vec<bool>> {
        let cursor = self.cursor.take()?;
        let values = self.values.clone();
        self.cursor = self.after(cursor);
        Some(values)
    }
}
