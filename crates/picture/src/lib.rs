//! Graphs as pictures.
//!
//! A [`Graph`] says what is to be seen: circles with tokens, bars, boxes, records with cells, and
//! arcs between them. It does not say where. A crate that has something to show (a net, a state
//! space, a diagram) builds a graph; this crate knows none of them.
//!
//! [`layout`] finds out where everything is, [`svg`], [`tikz`] and [`film_strip`] draw it. [`to_dot`] leaves
//! the layout to Graphviz, and [`to_text`] draws small graphs with characters.
//!
//! [`plot`](fn@plot) draws numbers instead of graphs: measurements on logarithmic scales.
//!
//! Invariants:
//! - **G1** names of nodes are distinct.
//! - **G2** every number of a node, of a group or of a cell lies inside its list.

mod dot;
mod film_strip;
mod geometry;
mod graph;
mod layout;
mod measure;
mod plot;
mod svg;
mod tikz;

pub use dot::to_dot;
pub use film_strip::{Frame, film_strip};
pub use geometry::{Curve, Point, Rect};
pub use graph::{Arc, ArcKind, Emphasis, Flow, Graph, Group, Node, Sample, Shape};
pub use layout::{
    BoxApart, Layout, LayoutError, MOST_ARCS, MOST_NODES, PlacedArc, PlacedNode, layout, to_text,
};
pub use plot::{Histogram, PLOT_LOOKS, Plot, PlotMark, PlotPanel, PlotSeries, PlotUnit, histogram, plot};
pub use svg::svg;
pub use tikz::tikz;
