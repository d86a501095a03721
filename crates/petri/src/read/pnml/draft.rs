//! A net under construction: names are numbers, and may still lead nowhere.

use super::nodes::{ArcEnds, ArcKind, JoinedNodes, Nodes, Symbol};
use super::units::{UnitsDraft, resolve_units};
use crate::arc::{Arc, tidy_arcs};
use crate::net::{LARGEST_COUNT, Net, Place, PlaceId, Transition, Unit, UnitClaim};
use symbolon_budget::{Budget, Meter};
use symbolon_source::{Findings, Step, shown};

/// What was read so far.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) id: String,
    pub(super) name: Option<String>,
    pub(super) nodes: Nodes,
    places: Vec<Node>,
    initial: Vec<u64>,
    page_of_place: Vec<Option<u32>>,
    transitions: Vec<Node>,
    arcs: Vec<ArcDraft>,
    pub(super) pages: Vec<Page>,
    pub(super) units: Option<UnitsDraft>,
}

/// A page, in the order of the text.
pub(super) struct Page {
    pub(super) id: String,
    pub(super) parent: Option<u32>,
}

/// An arc whose ends are still names.
pub(super) struct ArcDraft {
    pub(super) ends: ArcEnds,
    pub(super) weight: u64,
}

struct Node {
    symbol: Symbol,
    label: Option<String>,
}

impl Draft {
    /// Adds a place. Says `false` if the name is taken.
    pub(super) fn add_place(
        &mut self,
        id: &str,
        label: Option<String>,
        initial: u64,
        page: Option<u32>,
    ) -> bool {
        let Some(symbol) = self.nodes.add_place(id) else { return false };
        self.places.push(Node { symbol, label });
        self.initial.push(initial);
        self.page_of_place.push(page);
        true
    }

    /// Adds a transition. Says `false` if the name is taken.
    pub(super) fn add_transition(&mut self, id: &str, label: Option<String>) -> bool {
        let Some(symbol) = self.nodes.add_transition(id) else { return false };
        self.transitions.push(Node { symbol, label });
        true
    }

    /// Adds an arc.
    pub(super) fn add_arc(&mut self, arc: ArcDraft) {
        self.arcs.push(arc);
    }

    /// The net, once all names lead somewhere.
    pub(super) fn finish(mut self, budget: &Budget, findings: &mut Findings) -> Step<Net> {
        let mut meter = Meter::new(budget.clone());
        self.nodes.resolve_references(&mut meter, findings)?;
        let mut net = Net { name: self.name.take().unwrap_or_else(|| self.id.clone()), ..Net::default() };
        for (node, &initial) in self.places.iter().zip(&self.initial) {
            let (id, label) = id_and_label(&self.nodes, node);
            net.places.push(Place { id, label, initial });
        }
        for node in &self.transitions {
            let (id, label) = id_and_label(&self.nodes, node);
            net.transitions.push(Transition { id, label, ..Transition::default() });
        }
        for arc in &self.arcs {
            meter.step()?;
            if let Some(joined) = self.nodes.join(&arc.ends, findings)? {
                net.transitions[joined.transition as usize].arcs.push(arc.of_net(joined));
            }
        }
        for (index, transition) in net.transitions.iter_mut().enumerate() {
            meter.step()?;
            if let Some(place) = tidy(transition) {
                let last = self.last_arc_between(place.0, index as u32);
                let message = format!(
                    "the arcs between transition \"{}\" and place \"{}\" add up to more than {LARGEST_COUNT}",
                    shown(&transition.id),
                    shown(&net.places[place.index()].id)
                );
                findings.error(last.map(|arc| arc.ends.offset), message)?;
            }
        }
        if let Some(units) = self.units.take() {
            let place_of = |name: &str| self.nodes.place(name).map(PlaceId);
            resolve_units(units, place_of, &mut net, findings);
        } else if self.pages.len() > 1 {
            self.pages_to_units(&mut net);
        }
        Ok(net)
    }

    fn last_arc_between(&self, place: u32, transition: u32) -> Option<&ArcDraft> {
        // Mistakes at the ends of arcs were noted when the arcs were joined.
        let mut noted = Findings::default();
        self.arcs.iter().rfind(|arc| {
            let joined = self.nodes.join(&arc.ends, &mut noted);
            matches!(joined, Ok(Some(joined)) if joined.place == place && joined.transition == transition)
        })
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

impl ArcDraft {
    /// The arc, once it is known what it joins.
    fn of_net(&self, joined: JoinedNodes) -> Arc {
        let (place, weight) = (PlaceId(joined.place), self.weight);
        match self.ends.kind {
            ArcKind::Ordinary if joined.leads_to_place => Arc::Output { place, weight },
            ArcKind::Ordinary => Arc::Input { place, weight },
            ArcKind::Inhibitor => Arc::Inhibitor { place, weight },
            ArcKind::Read => Arc::Read { place, weight },
            ArcKind::Reset => Arc::Reset { place },
        }
    }
}

fn id_and_label(nodes: &Nodes, node: &Node) -> (String, Option<Box<str>>) {
    let id = nodes.name(node.symbol).to_string();
    let label = node.label.as_deref().filter(|label| !label.is_empty() && *label != id).map(Box::from);
    (id, label)
}

/// Establishes PETRI-P2. Returns a place where arcs add up to too large a weight.
fn tidy(transition: &mut Transition) -> Option<PlaceId> {
    tidy_arcs(&mut transition.arcs);
    let too_large = |arc: &&Arc| arc.weight().is_some_and(|weight| weight > LARGEST_COUNT);
    transition.arcs.iter().find(too_large).map(|arc| arc.place())
}
