//! Diagrams as text, in the format of the SDD package of UCLA.
//!
//! ```text
//! c a comment
//! sdd 4
//! T 0                      true;  F for false
//! L 1 0 3                  a literal: its number, its vtree node, its variable with a sign
//! D 3 1 2 1 0 2 4          a decision: its number, its vtree node, the number of elements, pairs of prime and sub
//! ```
//!
//! There are no signs on edges there: a function and its negation are two nodes. The last node is
//! the function.

use crate::edge::Edge;
use crate::sdd::Sdd;
use rustc_hash::FxHashMap;
use std::fmt::{self, Write};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Root, Variable};

/// Why a text could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextError {
    /// The number of a line, and what is wrong with it.
    Line(usize, String),
    /// There is no node.
    Empty,
    /// The budget ran out.
    Interrupted(Interrupted),
}

impl From<Interrupted> for TextError {
    fn from(reason: Interrupted) -> TextError {
        TextError::Interrupted(reason)
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::Line(line, what) => write!(f, "line {line}: {what}"),
            TextError::Empty => f.write_str("a diagram needs a node"),
            TextError::Interrupted(reason) => write!(f, "{reason:?}"),
        }
    }
}

impl std::error::Error for TextError {}

impl Sdd {
    /// The text of a function. Vtree nodes have the numbers of [`crate::Vtree::to_text`].
    pub fn to_text(&self, a: &Root) -> String {
        let places = self.vtree.in_order();
        let edge = Edge::of(a);
        let mut numbers: FxHashMap<Edge, usize> = FxHashMap::default();
        let mut lines = Vec::new();
        let mut number_of = |edge: Edge, lines: &mut Vec<String>| -> usize {
            if let Some(&number) = numbers.get(&edge) {
                return number;
            }
            let number = lines.len();
            lines.push(if edge.is_constant() {
                format!("{} {number}", if edge == Edge::TRUE { 'T' } else { 'F' })
            } else if !self.is_decision(edge) {
                let variable = i64::from(self.place(edge)) + 1;
                let literal = if edge.is_regular() { variable } else { -variable };
                format!("L {number} {} {literal}", places[self.place(edge) as usize])
            } else {
                // Its elements have their numbers by now.
                String::new()
            });
            numbers.insert(edge, number);
            number
        };
        for decision in self.edges_below(&[edge]) {
            let elements = self.elements_of(decision);
            let mut line = String::new();
            for &(prime, sub) in &elements {
                let (prime, sub) = (number_of(prime, &mut lines), number_of(sub, &mut lines));
                // Writing into a string cannot fail.
                let _ = write!(line, " {prime} {sub}");
            }
            let number = number_of(decision, &mut lines);
            let place = places[self.place(decision) as usize];
            lines[number] = format!("D {number} {place} {}{line}", elements.len());
        }
        number_of(edge, &mut lines);
        format!("sdd {}\n{}\n", lines.len(), lines.join("\n"))
    }

    /// The function of a text over the vtree of this manager. Its nodes may be any: what they mean
    /// is built anew.
    pub fn from_text(&mut self, text: &str) -> Result<Root, TextError> {
        let mut known: FxHashMap<u32, Root> = FxHashMap::default();
        let mut last = None;
        for (line_number, line) in (1..).zip(text.lines()) {
            let wrong = |what: String| TextError::Line(line_number, what);
            let mut words = line.split_whitespace();
            let Some(first) = words.next() else { continue };
            if matches!(first, "c" | "sdd") {
                continue;
            }
            let numbers: Vec<i64> = words
                .map(|word| word.parse().map_err(|_| wrong(format!("expected a number, found '{word}'"))))
                .collect::<Result<_, _>>()?;
            let child = |known: &FxHashMap<u32, Root>, number: i64| {
                let found = u32::try_from(number).ok().and_then(|number| known.get(&number).cloned());
                found.ok_or_else(|| wrong(format!("no node {number} stands above")))
            };
            let (id, function) = match (first, &numbers[..]) {
                ("T", [id]) => (*id, self.constant(true)),
                ("F", [id]) => (*id, self.constant(false)),
                ("L", [id, _, literal]) => {
                    let variable = literal.unsigned_abs();
                    if variable == 0 || variable > self.variable_count() as u64 {
                        return Err(wrong(format!("the vtree has no variable {variable}")));
                    }
                    let edge = self.literal(Variable(variable as u32 - 1), *literal > 0);
                    (*id, self.hand_out(edge))
                }
                ("D", [id, _, count, elements @ ..])
                    if Some(elements.len())
                        == usize::try_from(*count).ok().and_then(|count| count.checked_mul(2)) =>
                {
                    let mut some = self.constant(false);
                    for pair in elements.chunks(2) {
                        let (prime, sub) = (child(&known, pair[0])?, child(&known, pair[1])?);
                        let both = self.and(&prime, &sub)?;
                        some = self.or(&some, &both)?;
                    }
                    (*id, some)
                }
                _ => {
                    return Err(wrong(format!(
                        "expected 'T NODE', 'F NODE', 'L NODE VTREE LITERAL' or 'D NODE VTREE COUNT PRIME SUB …', found '{line}'"
                    )));
                }
            };
            let id = u32::try_from(id).map_err(|_| wrong(format!("{id} is no number of a node")))?;
            if known.insert(id, function.clone()).is_some() {
                return Err(wrong(format!("node {id} stands above already")));
            }
            last = Some(function);
        }
        last.ok_or(TextError::Empty)
    }
}
