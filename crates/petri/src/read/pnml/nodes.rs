//! The nodes of a net under construction: names are numbers, and may still lead nowhere; reference
//! nodes stand for others; arcs are joined to their ends once all of them are known.
//!
//! It knows nothing of what nodes and arcs carry, so that readers of every net type use it.

use rustc_hash::FxHashMap;
use std::rc::Rc;
use symbolon_budget::Meter;
use symbolon_source::{Findings, Step, Stop, likely, shown};

/// The number of a name.
pub type Symbol = u32;

/// The names of nodes, and what they are so far.
#[derive(Default)]
pub struct Nodes {
    numbers: FxHashMap<Rc<str>, Symbol>,
    names: Vec<Rc<str>>,
    definitions: Vec<Option<Definition>>,
    references: Vec<Reference>,
    place_count: u32,
    transition_count: u32,
}

/// The kinds of arcs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArcKind {
    /// Takes or puts tokens.
    Ordinary,
    /// Needs the place to hold fewer tokens.
    Inhibitor,
    /// Needs tokens, which stay.
    Read,
    /// Empties the place.
    Reset,
}

/// The hint for arcs of a kind that is not known.
pub const KNOWN_ARC_TYPES: &str = "known types of arcs are normal, inhibitor, test, read and reset";

impl ArcKind {
    /// The kind that a tool calls by this word.
    pub fn named(text: &str) -> Option<ArcKind> {
        match text.trim().to_ascii_lowercase().as_str() {
            "" | "normal" | "ordinary" | "regular" => Some(ArcKind::Ordinary),
            "inhibitor" | "tapninhibitor" => Some(ArcKind::Inhibitor),
            "test" | "read" => Some(ArcKind::Read),
            "reset" => Some(ArcKind::Reset),
            _ => None,
        }
    }
}

/// The ends of an arc, which are still names.
#[derive(Clone, Copy, Debug)]
pub struct ArcEnds {
    /// Where the arc comes from.
    pub source: Symbol,
    /// Where it leads.
    pub target: Symbol,
    /// Its kind.
    pub kind: ArcKind,
    /// Where it stands in the text.
    pub offset: usize,
}

/// The place and the transition that an arc joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinedNodes {
    /// The number of the place.
    pub place: u32,
    /// The number of the transition.
    pub transition: u32,
    /// Whether the arc leads to the place.
    pub leads_to_place: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Definition {
    Place(u32),
    Transition(u32),
    Reference(u32),
}

struct Reference {
    symbol: Symbol,
    to: Symbol,
    to_place: bool,
    offset: usize,
}

/// A node that an arc may end at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Place(u32),
    Transition(u32),
}

impl Nodes {
    /// The number of `name`.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        if let Some(&known) = self.numbers.get(name) {
            return known;
        }
        let symbol = self.names.len() as Symbol;
        let name: Rc<str> = Rc::from(name);
        self.names.push(Rc::clone(&name));
        self.definitions.push(None);
        self.numbers.insert(name, symbol);
        symbol
    }

    /// The name that has this number.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol as usize]
    }

    /// Adds a place, which gets the next number; `None` if the name is taken.
    pub fn add_place(&mut self, id: &str) -> Option<Symbol> {
        let symbol = self.symbol(id);
        if !self.define(symbol, Definition::Place(self.place_count)) {
            return None;
        }
        self.place_count += 1;
        Some(symbol)
    }

    /// Adds a transition, which gets the next number; `None` if the name is taken.
    pub fn add_transition(&mut self, id: &str) -> Option<Symbol> {
        let symbol = self.symbol(id);
        if !self.define(symbol, Definition::Transition(self.transition_count)) {
            return None;
        }
        self.transition_count += 1;
        Some(symbol)
    }

    /// Adds a node that stands for another. Says `false` if the name is taken.
    pub fn add_reference(&mut self, id: &str, to: &str, to_place: bool, offset: usize) -> bool {
        let symbol = self.symbol(id);
        let to = self.symbol(to);
        let index = self.references.len() as u32;
        if !self.define(symbol, Definition::Reference(index)) {
            return false;
        }
        self.references.push(Reference { symbol, to, to_place, offset });
        true
    }

    /// The number of the place with this name; references count for what they stand for, once they
    /// are resolved.
    pub fn place(&self, name: &str) -> Option<u32> {
        match self.definitions[*self.numbers.get(name)? as usize]? {
            Definition::Place(index) => Some(index),
            _ => None,
        }
    }

    fn define(&mut self, symbol: Symbol, definition: Definition) -> bool {
        let slot = &mut self.definitions[symbol as usize];
        let free = slot.is_none();
        if free {
            *slot = Some(definition);
        }
        free
    }

    /// Leads each reference to the node it finally stands for. Each chain is walked once.
    pub fn resolve_references(&mut self, meter: &mut Meter, findings: &mut Findings) -> Step<()> {
        let mut on_path = vec![false; self.references.len()];
        for first in 0..self.references.len() {
            let mut path = Vec::new();
            let mut symbol = self.references[first].symbol;
            let answer = loop {
                meter.step()?;
                match self.definitions[symbol as usize] {
                    Some(Definition::Reference(index)) if on_path[index as usize] => {
                        let reference = &self.references[first];
                        let name = shown(&self.names[reference.symbol as usize]);
                        findings
                            .error(reference.offset, format!("references from \"{name}\" run in a circle"))?;
                        break None;
                    }
                    Some(Definition::Reference(index)) => {
                        on_path[index as usize] = true;
                        path.push(index);
                        symbol = self.references[index as usize].to;
                    }
                    Some(node) => break Some(node),
                    None => {
                        let index = path.last().copied().unwrap_or(first as u32);
                        let reference = &self.references[index as usize];
                        let kind = if reference.to_place { "place" } else { "transition" };
                        let message = format!(
                            "reference \"{}\" refers to {kind} \"{}\", which does not exist",
                            shown(&self.names[reference.symbol as usize]),
                            shown(&self.names[symbol as usize])
                        );
                        let step = findings.error(reference.offset, message);
                        self.suggest(
                            symbol,
                            |end| matches!(end, End::Place(_)) == reference.to_place,
                            findings,
                        );
                        step?;
                        break None;
                    }
                }
            };
            for index in path {
                on_path[index as usize] = false;
                let reference = &self.references[index as usize];
                if let Some(node) = answer
                    && matches!(node, Definition::Place(_)) != reference.to_place
                {
                    let (from, to) =
                        if reference.to_place { ("place", "transition") } else { ("transition", "place") };
                    let name = shown(&self.names[reference.symbol as usize]);
                    findings
                        .error(reference.offset, format!("reference {from} \"{name}\" leads to a {to}"))?;
                }
                if let Some(node) = answer {
                    self.definitions[reference.symbol as usize] = Some(node);
                }
            }
            if answer.is_none() {
                // One word about a broken chain is enough; arcs at its nodes would repeat it.
                return Err(Stop::Invalid);
            }
        }
        Ok(())
    }

    fn end(&self, symbol: Symbol) -> Option<End> {
        match self.definitions[symbol as usize] {
            Some(Definition::Place(index)) => Some(End::Place(index)),
            Some(Definition::Transition(index)) => Some(End::Transition(index)),
            _ => None,
        }
    }

    /// The nodes that an arc joins; `None`, after an error, if it joins none or its kind does not
    /// allow its direction.
    pub fn join(&self, arc: &ArcEnds, findings: &mut Findings) -> Step<Option<JoinedNodes>> {
        let (source, target) = (self.end(arc.source), self.end(arc.target));
        let (Some(source), Some(target)) = (source, target) else {
            return self.arc_to_nowhere(arc, source, target, findings).map(|()| None);
        };
        let name = |symbol: Symbol| shown(&self.names[symbol as usize]);
        match (source, target, arc.kind) {
            (End::Place(place), End::Transition(transition), _) => {
                Ok(Some(JoinedNodes { place, transition, leads_to_place: false }))
            }
            (End::Transition(transition), End::Place(place), ArcKind::Ordinary) => {
                Ok(Some(JoinedNodes { place, transition, leads_to_place: true }))
            }
            (End::Transition(_), End::Place(_), kind) => {
                let kind = match kind {
                    ArcKind::Ordinary => "ordinary",
                    ArcKind::Inhibitor => "inhibitor",
                    ArcKind::Read => "test",
                    ArcKind::Reset => "reset",
                };
                let message = format!(
                    "{kind} arc from transition \"{}\" to place \"{}\"",
                    name(arc.source),
                    name(arc.target)
                );
                let hint = format!("{kind} arcs lead from a place to a transition");
                findings.error_with_hint(arc.offset, message, hint).map(|()| None)
            }
            (End::Place(_), End::Place(_), _) | (End::Transition(_), End::Transition(_), _) => {
                let kind = if matches!(source, End::Place(_)) { "place" } else { "transition" };
                let message =
                    format!("arc from {kind} \"{}\" to {kind} \"{}\"", name(arc.source), name(arc.target));
                let hint = "arcs join a place and a transition";
                findings.error_with_hint(arc.offset, message, hint).map(|()| None)
            }
        }
    }

    fn arc_to_nowhere(
        &self,
        arc: &ArcEnds,
        source: Option<End>,
        target: Option<End>,
        findings: &mut Findings,
    ) -> Step<()> {
        for (symbol, end, other, word) in
            [(arc.source, source, target, "source"), (arc.target, target, source, "target")]
        {
            if end.is_none() {
                let expected = match other {
                    Some(End::Place(_)) => "transition",
                    Some(End::Transition(_)) => "place",
                    None => "place or transition",
                };
                let message = format!(
                    "arc {word} \"{}\" refers to a {expected} that does not exist",
                    shown(&self.names[symbol as usize])
                );
                let step = findings.error(arc.offset, message);
                self.suggest(
                    symbol,
                    |end| match other {
                        Some(End::Place(_)) => matches!(end, End::Transition(_)),
                        Some(End::Transition(_)) => matches!(end, End::Place(_)),
                        None => true,
                    },
                    findings,
                );
                step?;
            }
        }
        Ok(())
    }

    /// Hints at a node with a similar name, if there is one.
    fn suggest(&self, symbol: Symbol, fits: impl Fn(End) -> bool, findings: &mut Findings) {
        let candidates = self
            .names
            .iter()
            .enumerate()
            .filter(|(number, _)| self.end(*number as Symbol).is_some_and(&fits))
            .map(|(_, name)| &**name);
        if let Some(name) = likely(&self.names[symbol as usize], candidates) {
            findings.hint(format!("did you mean \"{name}\"?"));
        }
    }
}
