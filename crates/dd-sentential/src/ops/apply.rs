//! Conjunction, and what follows from it: negation is free, so all other operators are written with
//! it.
//!
//! Elements whose sub is false are never multiplied: the primes of all of them together are what
//! the other primes leave, and their disjunction is one prime of the answer. On vtrees with large
//! left sides that was 2.5 to 11 times faster in the trial before this kernel.

use crate::edge::{Edge, Element};
use crate::sdd::{Made, Sdd, Stop};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Root, Variable};

impl Sdd {
    /// Everywhere this value.
    pub fn constant(&mut self, value: bool) -> Root {
        self.hand_out(Edge::constant(value))
    }

    /// True where the variable is.
    pub fn variable(&mut self, variable: Variable) -> Root {
        let edge = self.literal(variable, true);
        self.hand_out(edge)
    }

    /// The negation.
    pub fn not(&mut self, a: &Root) -> Root {
        self.hand_out(!Edge::of(a))
    }

    /// The conjunction.
    pub fn and(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        let (a, b) = (Edge::of(a), Edge::of(b));
        self.run(|sdd| sdd.and_edges(a, b))
    }

    /// The disjunction.
    pub fn or(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        let (a, b) = (Edge::of(a), Edge::of(b));
        self.run(|sdd| sdd.or_edges(a, b))
    }

    /// True where `a` is and `b` is not.
    pub fn minus(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        let (a, b) = (Edge::of(a), Edge::of(b));
        self.run(|sdd| sdd.and_edges(a, !b))
    }

    /// True where exactly one is.
    pub fn xor(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        let (a, b) = (Edge::of(a), Edge::of(b));
        self.run(|sdd| sdd.ite_edges(a, !b, b))
    }

    /// `then` where the condition holds, `otherwise` elsewhere.
    pub fn ite(&mut self, condition: &Root, then: &Root, otherwise: &Root) -> Result<Root, Interrupted> {
        let (condition, then, otherwise) = (Edge::of(condition), Edge::of(then), Edge::of(otherwise));
        self.run(|sdd| sdd.ite_edges(condition, then, otherwise))
    }

    /// The conjunction, or nothing if that takes more than `most_nodes` new nodes. Stops early then.
    pub fn and_within(&mut self, a: &Root, b: &Root, most_nodes: usize) -> Result<Option<Root>, Interrupted> {
        let (a, b) = (Edge::of(a), Edge::of(b));
        self.within(most_nodes, |sdd| sdd.and_edges(a, b))
    }

    pub(crate) fn or_edges(&mut self, a: Edge, b: Edge) -> Made {
        Ok(!self.and_edges(!a, !b)?)
    }

    pub(crate) fn ite_edges(&mut self, condition: Edge, then: Edge, otherwise: Edge) -> Made {
        let yes = self.and_edges(condition, then)?;
        let no = self.and_edges(!condition, otherwise)?;
        self.or_edges(yes, no)
    }

    pub(crate) fn and_edges(&mut self, a: Edge, b: Edge) -> Made {
        // Terminal cases.
        if a == b || b == Edge::TRUE {
            return Ok(a);
        }
        if a == Edge::TRUE {
            return Ok(b);
        }
        if a == !b || a == Edge::FALSE || b == Edge::FALSE {
            return Ok(Edge::FALSE);
        }
        let (place_a, place_b) = (self.place(a), self.place(b));
        let v = if self.vtree.contains(place_a, place_b) {
            place_a
        } else if self.vtree.contains(place_b, place_a) {
            place_b
        } else {
            return self.beside(a, b);
        };

        // Normalise: conjunction commutes. Recall.
        let key = Key::new(self.operations.and, 0, a.min(b).word(), a.max(b).word());
        if let Some(known) = self.recall(key) {
            return Ok(known);
        }
        self.step()?;

        // Split, recurse, build.
        let answer = if self.has_two[v as usize] {
            let ((a1, a0), (b1, b0)) = (self.cofactors(a, v), self.cofactors(b, v));
            let high = self.and_edges(a1, b1)?;
            let low = self.and_edges(a0, b0)?;
            self.make_two(v, high, low)?
        } else {
            let (above, below) = if v == place_a { (a, b) } else { (b, a) };
            let below_place = self.place(below);
            let node = self.vtree.node(v);
            if below_place == v {
                self.and_of_elements(v, above, below)?
            } else if self.vtree.contains(node.left, below_place) {
                self.and_of_prime(v, above, below)?
            } else {
                self.and_of_sub(v, above, below)?
            }
        };

        // Remember.
        self.remember(key, answer);
        Ok(answer)
    }

    /// The conjunction of functions of different variables, neither of which lies above the other.
    pub(crate) fn beside(&mut self, a: Edge, b: Edge) -> Made {
        let (place_a, place_b) = (self.place(a), self.place(b));
        let v = self.vtree.lowest_common(place_a, place_b);
        let (left, right) = if self.vtree.is_left_of(place_a, place_b) { (a, b) } else { (b, a) };
        if self.has_two[v as usize] {
            return match left.is_regular() {
                true => self.make_two(v, right, Edge::FALSE),
                false => self.make_two(v, Edge::FALSE, right),
            };
        }
        let mark = self.stack.len();
        self.stack.push(Element::new(left, right));
        self.stack.push(Element::new(!left, Edge::FALSE));
        self.make(v, mark)
    }

    /// With a function of left variables.
    fn and_of_prime(&mut self, v: u32, above: Edge, prime: Edge) -> Made {
        let mark = self.stack.len();
        self.push_elements(above, v);
        let end = self.stack.len();
        let mut outside = !prime;
        let mut is_exhausted = false;
        for place in mark..end {
            let element = self.stack[place];
            if element.sub == Edge::FALSE {
                outside = self.or_edges(outside, element.prime)?;
                continue;
            }
            if is_exhausted {
                continue;
            }
            self.step()?;
            let both = self.and_edges(element.prime, prime)?;
            if both != Edge::FALSE {
                self.stack.push(Element::new(both, element.sub));
            }
            // No other prime has anything of it.
            is_exhausted = both == prime;
        }
        if outside != Edge::FALSE {
            self.stack.push(Element::new(outside, Edge::FALSE));
        }
        // The subs are those of a node, and false: they differ.
        let answer = self.make(v, end)?;
        self.stack.truncate(mark);
        Ok(answer)
    }

    /// With a function of right variables.
    fn and_of_sub(&mut self, v: u32, above: Edge, sub: Edge) -> Made {
        let mark = self.stack.len();
        self.push_elements(above, v);
        for place in mark..self.stack.len() {
            let element = self.stack[place];
            self.step()?;
            self.stack[place].sub = self.and_edges(element.sub, sub)?;
        }
        self.compress(mark)?;
        self.make(v, mark)
    }

    /// Of two functions at the same vtree node.
    fn and_of_elements(&mut self, v: u32, a: Edge, b: Edge) -> Made {
        let mark = self.stack.len();
        let split = self.push_operands(v, a, b)?;
        let end = self.stack.len();
        if split.outside != Edge::FALSE {
            self.stack.push(Element::new(split.outside, Edge::FALSE));
        }
        self.multiply(mark..split.second, split.second..end, |sdd, both, s, t| {
            let sub = sdd.and_edges(s, t)?;
            sdd.stack.push(Element::new(both, sub));
            Ok(true)
        })?;
        self.compress(end)?;
        let answer = self.make(v, end)?;
        self.stack.truncate(mark);
        Ok(answer)
    }

    /// Puts the elements of two functions on the stack whose subs are not false.
    pub(crate) fn push_operands(&mut self, v: u32, a: Edge, b: Edge) -> Result<Operands, Stop> {
        let mark = self.stack.len();
        self.push_elements(a, v);
        let outside_a = self.take_false(mark);
        let second = self.stack.len();
        self.push_elements(b, v);
        let outside_b = self.take_false(second);
        Ok(Operands { second, outside: self.or_edges(outside_a, outside_b)? })
    }

    /// Takes the element from the stack whose sub is false, from `mark` on; its prime.
    fn take_false(&mut self, mark: usize) -> Edge {
        let found = self.stack[mark..].iter().position(|element| element.sub == Edge::FALSE);
        found.map_or(Edge::FALSE, |place| self.stack.swap_remove(mark + place).prime)
    }

    /// Goes through all pairs of elements whose primes have something in common, with that and both
    /// subs, for as long as `each` says so. Elements that can meet no other any more are passed
    /// over: the primes of both functions exclude one another.
    pub(crate) fn multiply(
        &mut self,
        first: std::ops::Range<usize>,
        second: std::ops::Range<usize>,
        mut each: impl FnMut(&mut Sdd, Edge, Edge, Edge) -> Result<bool, Stop>,
    ) -> Result<(), Stop> {
        for i in first {
            let Element { prime: p, sub: s } = self.stack[i];
            for j in second.clone() {
                let Element { prime: q, sub: t } = self.stack[j];
                if q == Edge::FALSE {
                    continue;
                }
                self.step()?;
                let both = self.and_edges(p, q)?;
                if both == Edge::FALSE {
                    continue;
                }
                if both == q {
                    self.stack[j].prime = Edge::FALSE;
                }
                if !each(self, both, s, t)? {
                    return Ok(());
                }
                if both == p {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// What [`Sdd::push_operands`] has put on the stack.
pub(crate) struct Operands {
    /// Where the elements of the second function begin.
    pub(crate) second: usize,
    /// Where one of the functions is false whatever the right variables are.
    pub(crate) outside: Edge,
}
