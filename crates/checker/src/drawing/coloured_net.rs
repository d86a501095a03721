//! A coloured net as a graph: places with their domains and markings, transitions with their
//! guards, arcs with their terms, as the source writes them.

use super::legend;
use symbolon_coloured::text::{guard_text, term_text};
use symbolon_coloured::{Arc as ColouredArc, Guard, MultisetTerm, Net, Place, Transition};
use symbolon_picture::{Arc, ArcKind, Emphasis, Flow, Graph, Node, Shape};

/// The whole net; `tokens` are the initial ones of each place, over all colours.
pub(super) fn coloured_net_graph(net: &Net, tokens: &[u64]) -> Graph {
    let node =
        |name: String, shape: Shape| Node { name, shape, group: None, layer: None, emphasis: Emphasis::None };
    let places = net.places.iter().zip(tokens).map(|(place, &tokens)| {
        let label = place_label(net, place);
        node(format!("place:{}", place.id), Shape::Place { label, tokens })
    });
    let transitions = net.transitions.iter().map(|transition| {
        let label = transition_label(net, transition);
        node(format!("transition:{}", transition.id), Shape::Transition { label })
    });
    let arcs = net.transitions.iter().enumerate().flat_map(|(number, transition)| {
        transition.arcs.iter().map(move |arc| drawn(net, net.places.len() + number, arc))
    });
    let mut graph = Graph {
        title: net.name.clone(),
        flow: Flow::Down,
        nodes: places.chain(transitions).collect(),
        arcs: arcs.collect(),
        groups: Vec::new(),
        legend: Vec::new(),
    };
    graph.legend = legend::of_arcs(&graph, &legend::ARCS_OF_NETS);
    graph
}

/// `think: Philo = all`
fn place_label(net: &Net, place: &Place) -> String {
    let name = place.label.as_deref().unwrap_or(&place.id);
    if net.is_dot(&place.domain) {
        return name.to_string();
    }
    let domain = net.domain_text(&place.domain);
    match &place.initial {
        MultisetTerm::Empty(_) => format!("{name}: {domain}"),
        marking => format!("{name}: {domain} = {}", term_text(net, marking)),
    }
}

/// `start [x != y]`
fn transition_label(net: &Net, transition: &Transition) -> String {
    let name = transition.label.as_deref().unwrap_or(&transition.id);
    match &transition.guard {
        Guard::Constant(true) => name.to_string(),
        guard => format!("{name} [{}]", guard_text(net, guard)),
    }
}

fn drawn(net: &Net, transition: usize, arc: &ColouredArc) -> Arc {
    let place = arc.place().index();
    let (from, to, kind) = match arc {
        ColouredArc::Input { .. } => (place, transition, ArcKind::Plain),
        ColouredArc::Read { .. } => (place, transition, ArcKind::Read),
        ColouredArc::Inhibitor { .. } => (place, transition, ArcKind::Inhibitor),
        ColouredArc::Reset { .. } => (place, transition, ArcKind::Reset),
        ColouredArc::Output { .. } => (transition, place, ArcKind::Plain),
    };
    // One black token needs no inscription.
    let text = term_text(net, arc.tokens());
    let is_plain = net.is_dot(&net.places[place].domain) && text == "1";
    let label = (!is_plain).then_some(text);
    Arc { from, cell: None, to, label, kind }
}
