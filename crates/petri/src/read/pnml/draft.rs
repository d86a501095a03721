//! A net under construction: names are numbers, and may still lead nowhere.

use super::units::{UnitsDraft, resolve_units};
use crate::arc::{Arc, tidy_arcs};
use crate::net::{LARGEST_COUNT, Net, Place, PlaceId, Transition, Unit, UnitClaim};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use symbolon_budget::{Budget, Meter};
use symbolon_source::{Findings, Step, Stop, likely, shown};

/// The number of a name.
pub(super) type Symbol = u32;

/// What was read so far.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) id: String,
    pub(super) name: Option<String>,
    numbers: FxHashMap<Rc<str>, Symbol>,
    names: Vec<Rc<str>>,
    definitions: Vec<Option<Definition>>,
    places: Vec<Node>,
    initial: Vec<u64>,
    page_of_place: Vec<Option<u32>>,
    transitions: Vec<Node>,
    references: Vec<Reference>,
    arcs: Vec<ArcDraft>,
    pub(super) pages: Vec<Page>,
    pub(super) units: Option<UnitsDraft>,
}

/// A page, in the order of the text.
pub(super) struct Page {
    pub(super) id: String,
    pub(super) parent: Option<u32>,
}

/// The kinds of arcs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArcKind {
    /// Takes or puts tokens.
    Ordinary,
    /// Needs the place to hold fewer tokens.
    Inhibitor,
    /// Needs tokens, which stay.
    Read,
    /// Empties the place.
    Reset,
}

/// An arc whose ends are still names.
pub(super) struct ArcDraft {
    pub(super) source: Symbol,
    pub(super) target: Symbol,
    pub(super) weight: u64,
    pub(super) kind: ArcKind,
    pub(super) offset: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Definition {
    Place(u32),
    Transition(u32),
    Reference(u32),
}

struct Node {
    symbol: Symbol,
    label: Option<String>,
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

impl Draft {
    /// The number of `name`.
    pub(super) fn symbol(&mut self, name: &str) -> Symbol {
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

    /// Adds a place. Says `false` if the name is taken.
    pub(super) fn add_place(
        &mut self,
        id: &str,
        label: Option<String>,
        initial: u64,
        page: Option<u32>,
    ) -> bool {
        let symbol = self.symbol(id);
        let index = self.places.len() as u32;
        if !self.define(symbol, Definition::Place(index)) {
            return false;
        }
        self.places.push(Node { symbol, label });
        self.initial.push(initial);
        self.page_of_place.push(page);
        true
    }

    /// Adds a transition. Says `false` if the name is taken.
    pub(super) fn add_transition(&mut self, id: &str, label: Option<String>) -> bool {
        let symbol = self.symbol(id);
        let index = self.transitions.len() as u32;
        if !self.define(symbol, Definition::Transition(index)) {
            return false;
        }
        self.transitions.push(Node { symbol, label });
        true
    }

    /// Adds a node that stands for another. Says `false` if the name is taken.
    pub(super) fn add_reference(&mut self, id: &str, to: &str, to_place: bool, offset: usize) -> bool {
        let symbol = self.symbol(id);
        let to = self.symbol(to);
        let index = self.references.len() as u32;
        if !self.define(symbol, Definition::Reference(index)) {
            return false;
        }
        self.references.push(Reference { symbol, to, to_place, offset });
        true
    }

    /// Adds an arc.
    pub(super) fn add_arc(&mut self, arc: ArcDraft) {
        self.arcs.push(arc);
    }

    fn define(&mut self, symbol: Symbol, definition: Definition) -> bool {
        let slot = &mut self.definitions[symbol as usize];
        let free = slot.is_none();
        if free {
            *slot = Some(definition);
        }
        free
    }

    /// The net, once all names lead somewhere.
    pub(super) fn finish(mut self, budget: &Budget, findings: &mut Findings) -> Step<Net> {
        let mut meter = Meter::new(budget.clone());
        self.resolve_references(&mut meter, findings)?;
        let mut net = Net { name: self.name.take().unwrap_or_else(|| self.id.clone()), ..Net::default() };
        for (node, &initial) in self.places.iter().zip(&self.initial) {
            let (id, label) = id_and_label(&self.names, node);
            net.places.push(Place { id, label, initial });
        }
        for node in &self.transitions {
            let (id, label) = id_and_label(&self.names, node);
            net.transitions.push(Transition { id, label, ..Transition::default() });
        }
        for arc in &self.arcs {
            meter.step()?;
            self.attach(arc, &mut net, findings)?;
        }
        for (index, transition) in net.transitions.iter_mut().enumerate() {
            meter.step()?;
            if let Some(place) = tidy(transition) {
                let ends = [End::Transition(index as u32), End::Place(place.0)];
                let joins = |arc: &&ArcDraft| {
                    let pair = [self.end(arc.source), self.end(arc.target)];
                    ends.iter().all(|end| pair.contains(&Some(*end)))
                };
                let message = format!(
                    "the arcs between transition \"{}\" and place \"{}\" add up to more than {LARGEST_COUNT}",
                    shown(&transition.id),
                    shown(&net.places[place.index()].id)
                );
                findings.error(self.arcs.iter().rfind(joins).map(|arc| arc.offset), message)?;
            }
        }
        if let Some(units) = self.units.take() {
            let place_of = |name: &str| match self.definitions[*self.numbers.get(name)? as usize]? {
                Definition::Place(index) => Some(PlaceId(index)),
                _ => None,
            };
            resolve_units(units, place_of, &mut net, findings);
        } else if self.pages.len() > 1 {
            self.pages_to_units(&mut net);
        }
        Ok(net)
    }

    /// Leads each reference to the node it finally stands for. Each chain is walked once.
    fn resolve_references(&mut self, meter: &mut Meter, findings: &mut Findings) -> Step<()> {
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

    fn attach(&self, arc: &ArcDraft, net: &mut Net, findings: &mut Findings) -> Step<()> {
        let (source, target) = (self.end(arc.source), self.end(arc.target));
        let (Some(source), Some(target)) = (source, target) else {
            return self.arc_to_nowhere(arc, source, target, findings);
        };
        let name = |symbol: Symbol| shown(&self.names[symbol as usize]);
        match (source, target, arc.kind) {
            (End::Place(place), End::Transition(transition), kind) => {
                let (place, weight) = (PlaceId(place), arc.weight);
                net.transitions[transition as usize].arcs.push(match kind {
                    ArcKind::Ordinary => Arc::Input { place, weight },
                    ArcKind::Inhibitor => Arc::Inhibitor { place, weight },
                    ArcKind::Read => Arc::Read { place, weight },
                    ArcKind::Reset => Arc::Reset { place },
                });
                Ok(())
            }
            (End::Transition(transition), End::Place(place), ArcKind::Ordinary) => {
                let output = Arc::Output { place: PlaceId(place), weight: arc.weight };
                net.transitions[transition as usize].arcs.push(output);
                Ok(())
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
                findings.error_with_hint(
                    arc.offset,
                    message,
                    format!("{kind} arcs lead from a place to a transition"),
                )
            }
            (End::Place(_), End::Place(_), _) | (End::Transition(_), End::Transition(_), _) => {
                let kind = if matches!(source, End::Place(_)) { "place" } else { "transition" };
                let message =
                    format!("arc from {kind} \"{}\" to {kind} \"{}\"", name(arc.source), name(arc.target));
                findings.error_with_hint(arc.offset, message, "arcs join a place and a transition")
            }
        }
    }

    fn arc_to_nowhere(
        &self,
        arc: &ArcDraft,
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

    fn pages_to_units(&self, net: &mut Net) {
        net.unit_claim = UnitClaim::Nothing;
        net.units = self
            .pages
            .iter()
            .enumerate()
            .map(|(number, page)| Unit {
                id: if page.id.is_empty() { format!("page {}", number + 1) } else { page.id.clone() },
                parent: page.parent,
                places: Vec::new(),
            })
            .collect();
        for (index, page) in self.page_of_place.iter().enumerate() {
            if let Some(page) = page {
                net.units[*page as usize].places.push(PlaceId(index as u32));
            }
        }
    }
}

fn id_and_label(names: &[Rc<str>], node: &Node) -> (String, Option<Box<str>>) {
    let id = names[node.symbol as usize].to_string();
    let label = node.label.as_deref().filter(|label| !label.is_empty() && *label != id).map(Box::from);
    (id, label)
}

/// Establishes PETRI-P2. Returns a place where arcs add up to too large a weight.
fn tidy(transition: &mut Transition) -> Option<PlaceId> {
    tidy_arcs(&mut transition.arcs);
    let too_large = |arc: &&Arc| arc.weight().is_some_and(|weight| weight > LARGEST_COUNT);
    transition.arcs.iter().find(too_large).map(|arc| arc.place())
}
