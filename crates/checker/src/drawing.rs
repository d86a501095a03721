//! Pictures: of the net, of its states, of the diagram of its states, of a run, of its units.
//!
//! Each file of this folder turns one of these into a graph of `symbolon-picture`, which knows how
//! graphs become SVG, DOT or text. A picture too large to read is refused, with a hint; DOT is not,
//! because other programs lay it out.
//!
//! ```text
//! Loaded ──net, state_space, diagram, film, hierarchy──▶ Scene (one graph or more) ──▶ text
//! ```

mod binary;
mod clusters;
mod coloured_net;
mod diagram;
mod evidence;
mod film;
mod hierarchy;
mod legend;
mod listing;
mod markings;
mod net;
mod parts;
mod pattern;
mod render;
mod run;
mod sentential;
mod set_diagram;
mod state_space;
mod units;
mod words;

use crate::ask::ask;
use crate::colours::{Colours, MarkingDiagrams};
use crate::error::InputError;
use crate::hierarchies::check_choices;
use crate::hierarchy_plan::planned_hierarchy;
use crate::loaded::{Language, Loaded};
use crate::options::{Diagram, Hierarchy, Options};
use crate::policy::pictures::MOST_DIAGRAM_NODES;
use crate::stop::Stop;
use binary::binary_graph;
use clusters::{Overview, overview};
use coloured_net::coloured_net_graph;
use diagram::diagram_graph;
pub(crate) use evidence::draw_witness;
use evidence::witness_graph;
use film::{chain_graph, film_graph, frames};
use hierarchy::{component_graph, unit_graph};
use markings::marking_graph;
use net::net_graph;
pub use run::{NamedRun, NamedStep};
use run::{deadlock_run, replayed, stops, way_to_deadlock};
use sentential::{sentential_graph, vtree_graph};
use set_diagram::set_diagram_graph;
use state_space::state_graph;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{
    Capability, DiagramKind, DiagramOutline, Explored, Question, SententialOutline, StateSets,
};
use symbolon_explicit::Reason;
use symbolon_picture::{Frame, Graph};
use words::counted;

/// A net with more places, transitions or arcs is drawn by its units, or refused.
const MOST_NODES: usize = 400;
const MOST_ARCS: usize = 700;
/// More boxes than this are no overview of a large net.
const MOST_BOXES: usize = 120;
/// A state space with more states, or with more arcs between them, is refused.
const MOST_STATES: usize = 100;
const MOST_STEPS: usize = 300;
/// A vtree with more nodes is refused.
const MOST_VTREE_NODES: usize = 400;
/// A net with more places and transitions is not repeated in every picture of a film.
const MOST_NODES_IN_FILM: usize = 120;
/// The default number of pictures in a film.
const USUAL_FRAMES: usize = 12;

/// What is to be drawn, and how.
#[derive(Clone, Debug, Default)]
pub struct DrawOptions {
    /// What is to be drawn.
    pub what: Subject,
    /// In which language.
    pub format: PictureFormat,
    /// The run of [`Subject::Trace`]; `None` is a way to a deadlock.
    pub run: Option<NamedRun>,
    /// The most pictures of a film; `None` is a dozen.
    pub most_frames: Option<usize>,
    /// How many columns a picture of letters may have: the width of the terminal, if there is one.
    pub most_columns: Option<usize>,
}

/// What is to be drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subject {
    /// The net.
    #[default]
    Net,
    /// Its reachable states and the steps between them.
    States,
    /// The decision diagram of its reachable states.
    Diagram,
    /// A run, state by state.
    Trace,
    /// The tree of its units; of components, if a hierarchy or set diagrams are asked for.
    Hierarchy,
    /// The vtree of its sentential diagrams.
    Vtree,
}

/// The language of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PictureFormat {
    /// A vector picture for browsers, slides and print.
    #[default]
    Svg,
    /// The graph itself, for Graphviz.
    Dot,
    /// Plain text.
    Text,
    /// A picture for LaTeX.
    Tikz,
}

/// A finished picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The picture, in the language that was asked for.
    pub text: String,
    /// Nodes that it shows; of a film, in each of its pictures.
    pub nodes: usize,
    /// Arcs that it shows, likewise.
    pub arcs: usize,
    /// The number of pictures of a film.
    pub frames: Option<usize>,
    /// What the picture leaves out, if it does.
    pub remarks: Vec<String>,
}

/// What a picture shows, before it has a language.
enum Scene {
    /// One graph.
    Still(Graph),
    /// The same graph again and again with other tokens.
    Film(Graph, Vec<Frame>),
}

/// Draws a model.
pub(crate) fn draw(
    loaded: &Loaded,
    options: &Options,
    wish: &DrawOptions,
    budget: &Budget,
) -> Result<Drawing, Stop> {
    let is_drawn = match wish.what {
        Subject::Net => loaded.structure().is_some(),
        Subject::Hierarchy => loaded.language() == Language::Net,
        _ => true,
    };
    if !is_drawn {
        let (name, noun) = (&loaded.name, loaded.language().noun());
        let why = match (wish.what, loaded.language()) {
            (Subject::Net, Language::Commands) => {
                ", and not each command tests and changes its variables one by one, with constants"
            }
            _ => "",
        };
        return Err(refused(
            format!("a picture of this kind requires a Petri net; '{name}' is {noun}{why}"),
            "option ‹what states› draws its states, option ‹what diagram› the decision diagram of them, option ‹what trace› a run",
        ));
    }
    let mut remarks = Vec::new();
    let scene = match wish.what {
        Subject::Net => Scene::Still(draw_net(loaded, wish.format, &mut remarks)?),
        Subject::States => draw_states(loaded, wish.format, budget)?,
        Subject::Diagram => draw_diagram(loaded, options, wish.format, budget)?,
        Subject::Trace if loaded.language() == Language::Net => draw_run(loaded, options, wish, budget)?,
        Subject::Trace => draw_plain_run(loaded, options, wish, budget, &mut remarks)?,
        Subject::Hierarchy => draw_hierarchy(loaded, options, wish.format, budget, &mut remarks)?,
        Subject::Vtree => draw_vtree(loaded, options, wish.format, budget)?,
    };
    render::render(&scene, wish, remarks, budget)
}

fn draw_net(loaded: &Loaded, format: PictureFormat, remarks: &mut Vec<String>) -> Result<Graph, Stop> {
    if let Some(colours) = &loaded.colours {
        return draw_coloured_net(loaded, colours, format);
    }
    let Some(net) = loaded.structure() else { unreachable!("refused before") };
    if loaded.language() == Language::Commands {
        remarks.push("each variable is a place, and its value the number of tokens".into());
    }
    let (places, transitions) = (net.places.len(), net.transitions.len());
    let is_small = places + transitions <= MOST_NODES && net.arc_count() <= MOST_ARCS;
    if is_small || format == PictureFormat::Dot {
        return Ok(net_graph(net));
    }
    let size = format!(
        "the net has {}, {} and {}",
        counted(places, "place"),
        counted(transitions, "transition"),
        counted(net.arc_count(), "arc")
    );
    if let Some(Overview { graph, noun }) = overview(net, MOST_BOXES) {
        remarks.push(format!(
            "{size}: each of {} is one box; option ‹to dot› has them all",
            counted(graph.nodes.len(), noun)
        ));
        return Ok(graph);
    }
    let why = match net.units.len() {
        0 => "no units to draw instead".to_string(),
        units => format!("its {} give no overview either", counted(units, "unit")),
    };
    Err(refused(
        format!("{size}, too many to be read ({MOST_NODES} nodes, {MOST_ARCS} arcs), and {why}"),
        "try option ‹to dot› and 'sfdp -Tsvg' of Graphviz, or a smaller instance; \
         command ‹info› shows the structure",
    ))
}

fn draw_coloured_net(loaded: &Loaded, colours: &Colours, format: PictureFormat) -> Result<Graph, Stop> {
    let net = &colours.net;
    let arcs: usize = net.transitions.iter().map(|transition| transition.arcs.len()).sum();
    let nodes = net.places.len() + net.transitions.len();
    if format != PictureFormat::Dot && (nodes > MOST_NODES || arcs > MOST_ARCS) {
        let size = format!("the net has {} and {}", counted(nodes, "node"), counted(arcs, "arc"));
        return Err(refused(
            format!("{size}, too many to be read ({MOST_NODES} nodes, {MOST_ARCS} arcs)"),
            "try option ‹to dot› and 'sfdp -Tsvg' of Graphviz; command ‹info› shows the structure",
        ));
    }
    let initial = &loaded.model.initial[0];
    let tokens: Vec<u64> = colours.places().map(|(_, tokens)| tokens.count(initial)).collect();
    Ok(coloured_net_graph(net, &tokens))
}

fn draw_states(loaded: &Loaded, format: PictureFormat, budget: &Budget) -> Result<Scene, Stop> {
    let state_limit = (format != PictureFormat::Dot).then_some(MOST_STATES);
    if let (None, Some(unbounded)) = (state_limit, loaded.unboundedness()) {
        return Err(refused(
            format!("{unbounded}: there are infinitely many states"),
            "option ‹what net› draws the net",
        ));
    }
    match state_graph(&loaded.model, state_limit, budget) {
        Ok(graph) if state_limit.is_some() && graph.arcs.len() > MOST_STEPS => {
            let (states, arcs) = (graph.nodes.len(), graph.arcs.len());
            Err(too_many_states(format!(
                "there are {states} states with {arcs} arcs between them ({MOST_STEPS})"
            )))
        }
        Ok(graph) => {
            let title = format!("{}: the reachable states", words::called(&loaded.name));
            Ok(Scene::Still(Graph { title, ..graph }))
        }
        Err(stopped) if stopped.reason == Reason::StateLimit => {
            Err(too_many_states(format!("there are more than {MOST_STATES} states")))
        }
        Err(stopped) => Err(stopped.into()),
    }
}

fn too_many_states(what: String) -> Stop {
    refused(
        format!("{what}, too many for a picture that can be read"),
        "try a smaller instance, or option ‹to dot› for Graphviz; command ‹states› counts them",
    )
}

fn draw_diagram(
    loaded: &Loaded,
    options: &Options,
    format: PictureFormat,
    budget: &Budget,
) -> Result<Scene, Stop> {
    if let Some(found) = loaded.marking_diagrams() {
        return draw_markings(loaded, found);
    }
    if loaded.quotient().is_some() {
        return Err(refused(
            "symbolic markings are stored one by one, so there is no diagram of them".to_string(),
            "option ‹diagram ddd› stores them in diagrams",
        ));
    }
    check_choices(loaded, options)?;
    if options.diagram == Diagram::Explicit {
        return Err(refused(
            "a plain table of states is no diagram, so it cannot be drawn as one".to_string(),
            "option ‹what states› draws the states themselves, option ‹diagram mdd› a diagram of them",
        ));
    }
    if let Some(unbounded) = loaded.unboundedness() {
        return Err(refused(
            format!("{unbounded}: no diagram holds all states"),
            "option ‹what net› draws the net",
        ));
    }
    let most_nodes = if format == PictureFormat::Dot { usize::MAX } else { MOST_DIAGRAM_NODES };
    let wish = match options.diagram {
        // Cells with values are easier to read than bits.
        Diagram::Auto => Options { diagram: Diagram::Kind(DiagramKind::Mdd), ..options.clone() },
        _ => options.clone(),
    };
    let drawn = match ask(loaded, &wish, budget, OutlineQuestion { most_nodes })? {
        Ok(DiagramOutline::Levels(outline)) => Ok(diagram_graph(&loaded.model, &outline)),
        Ok(DiagramOutline::Binary(outline)) => Ok(binary_graph(&loaded.model, &outline, format)),
        Ok(DiagramOutline::Hierarchical(outline)) => Ok(set_diagram_graph(&loaded.model, &outline)),
        Ok(DiagramOutline::Sentential(outline)) => Ok(sentential_graph(&loaded.model, &outline, format)),
        Err(nodes) => Err(nodes),
    };
    match drawn {
        Ok(graph) => {
            let kind = match wish.diagram {
                Diagram::Kind(kind) => kind.name(),
                Diagram::Auto | Diagram::Explicit => DiagramKind::Mdd.name(),
            };
            let title =
                format!("{}: the reachable states as a diagram ({kind})", words::called(&loaded.name));
            Ok(Scene::Still(Graph { title, ..graph }))
        }
        Err(nodes) => Err(refused(
            format!(
                "the diagram has {nodes} nodes, too many for a picture that can be read ({MOST_DIAGRAM_NODES})"
            ),
            "try a smaller instance, another option ‹variable-order›, or option ‹to dot› for Graphviz",
        )),
    }
}

/// The diagram of symbolic markings.
fn draw_markings(loaded: &Loaded, found: &MarkingDiagrams) -> Result<Scene, Stop> {
    let Some(outline) = &found.outline else {
        return Err(refused(
            format!(
                "the diagram has {} nodes, too many for a picture that can be read ({MOST_DIAGRAM_NODES})",
                found.nodes
            ),
            "try a smaller instance",
        ));
    };
    let title =
        format!("{}: {} symbolic markings as a diagram (ddd)", words::called(&loaded.name), found.symbolic);
    Ok(Scene::Still(Graph { title, ..marking_graph(outline) }))
}

/// The diagram of the reachable states as plain data, or the number of its nodes if they are too
/// many.
struct OutlineQuestion {
    most_nodes: usize,
}

impl Question for OutlineQuestion {
    type Answer = Result<DiagramOutline, usize>;

    fn needs(&self) -> Vec<Capability> {
        vec![Capability::Outlines]
    }

    fn answer<S: StateSets>(self, mut explored: Explored<S>) -> Result<Self::Answer, Interrupted> {
        explored.sets.meter().budget().check()?;
        let outlines = explored.sets.outlines().expect("a kind that says so has outlines");
        let nodes = outlines.outline_size(&explored.reached);
        Ok(if nodes > self.most_nodes { Err(nodes) } else { Ok(outlines.outline_of(&explored.reached)) })
    }
}

fn draw_vtree(
    loaded: &Loaded,
    options: &Options,
    format: PictureFormat,
    budget: &Budget,
) -> Result<Scene, Stop> {
    check_choices(loaded, options)?;
    let wish = match options.diagram {
        Diagram::Auto => Options { diagram: Diagram::Kind(DiagramKind::Sentential), ..options.clone() },
        Diagram::Kind(DiagramKind::Sentential) => options.clone(),
        _ => {
            return Err(refused(
                "a vtree requires option ‹diagram sentential›".to_string(),
                "other diagrams have none: leave option ‹diagram› out",
            ));
        }
    };
    if let Some(place) = loaded.unbounded_place() {
        return Err(refused(
            format!("place '{place}' is unbounded: no diagram holds all states"),
            "option ‹what net› draws the net",
        ));
    }
    let outline = ask(loaded, &wish, budget, VtreeQuestion)?;
    let nodes = outline.vtree.len();
    if format != PictureFormat::Dot && nodes > MOST_VTREE_NODES {
        return Err(refused(
            format!(
                "the vtree has {nodes} nodes, too many for a picture that can be read ({MOST_VTREE_NODES})"
            ),
            "try a smaller instance, or option ‹to dot› for Graphviz; option ‹save-vtree› writes it as text",
        ));
    }
    Ok(Scene::Still(vtree_graph(&loaded.model, &outline)))
}

/// The vtree under which the reachable states were found.
struct VtreeQuestion;

impl Question for VtreeQuestion {
    type Answer = SententialOutline;

    fn needs(&self) -> Vec<Capability> {
        vec![Capability::Outlines]
    }

    fn answer<S: StateSets>(self, mut explored: Explored<S>) -> Result<Self::Answer, Interrupted> {
        explored.sets.meter().budget().check()?;
        let nothing = explored.sets.none();
        let outlines = explored.sets.outlines().expect("a kind that says so has outlines");
        match outlines.outline_of(&nothing) {
            DiagramOutline::Sentential(outline) => Ok(outline),
            _ => unreachable!("only sentential diagrams are asked"),
        }
    }
}

fn draw_run(loaded: &Loaded, options: &Options, wish: &DrawOptions, budget: &Budget) -> Result<Scene, Stop> {
    let found = match &wish.run {
        Some(_) => None,
        None => Some(deadlock_run(loaded, options, budget)?),
    };
    let run = wish.run.as_ref().or(found.as_ref()).expect("one of them is there");
    let stops = stops(loaded, run, wish.most_frames.unwrap_or(USUAL_FRAMES))?;
    let size = loaded.net().places.len() + loaded.net().transitions.len();
    let is_film = wish.format == PictureFormat::Svg && size <= MOST_NODES_IN_FILM;
    let what = if found.is_some() { "a way to a deadlock" } else { "a run" };
    let title = format!("{}: {what}", words::called(&loaded.name));
    Ok(if is_film {
        Scene::Film(Graph { title, ..film_graph(loaded.net()) }, frames(loaded, &stops))
    } else {
        Scene::Still(Graph { title, ..chain_graph(&loaded.model, &stops) })
    })
}

/// A run of a model that is not a net: its states one after the other, described by what changed.
fn draw_plain_run(
    loaded: &Loaded,
    options: &Options,
    wish: &DrawOptions,
    budget: &Budget,
    remarks: &mut Vec<String>,
) -> Result<Scene, Stop> {
    if wish.most_frames.is_some() {
        remarks.push("option ‹frames› is for pictures of nets: this run is drawn whole".to_string());
    }
    let witness = match &wish.run {
        Some(run) => replayed(loaded, run, budget)?,
        None => way_to_deadlock(loaded, options, budget)?,
    };
    let what = if wish.run.is_some() { "a run" } else { "a way to a deadlock" };
    let title = format!("{}: {what}", words::called(&loaded.name));
    Ok(Scene::Still(witness_graph(&title, &witness)))
}

/// The tree of components of set diagrams, where one was asked for; else what came with the net.
fn draw_hierarchy(
    loaded: &Loaded,
    options: &Options,
    format: PictureFormat,
    budget: &Budget,
    remarks: &mut Vec<String>,
) -> Result<Scene, Stop> {
    let most_nodes = if format == PictureFormat::Dot { usize::MAX } else { MOST_NODES };
    let wants_components =
        options.diagram == Diagram::Kind(DiagramKind::Set) || options.hierarchy != Hierarchy::Auto;
    let (found, noun) = if wants_components {
        if let Some(unbounded) = loaded.unboundedness() {
            return Err(refused(
                format!("{unbounded}: no diagram holds all states"),
                "without option ‹hierarchy› and option ‹diagram› the units of the net are drawn",
            ));
        }
        let (plan, hierarchy) = planned_hierarchy(loaded, options, budget)?;
        (component_graph(loaded, &plan.blocks, &hierarchy, most_nodes), "component")
    } else {
        (unit_graph(loaded, most_nodes), "unit")
    };
    let Some((graph, left_out)) = found else {
        let units = loaded.net().units.len();
        let what = match units {
            0 => "the net has neither units nor pages, and its analysis found no components".to_string(),
            1 => "the net is one single unit or page".to_string(),
            _ => format!("the net has {units} units, too many for a picture that can be read ({MOST_NODES})"),
        };
        let hint = "option ‹what net› draws the net, option ‹to dot› has no limit, option ‹diagram set› draws its components";
        return Err(refused(what, hint));
    };
    if left_out > 0 {
        remarks.push(format!(
            "{} further down are left out; option ‹to dot› has them all",
            counted(left_out, noun)
        ));
    }
    Ok(Scene::Still(graph))
}

/// A picture that is not drawn, and what to do instead.
fn refused(message: String, hint: &str) -> Stop {
    InputError::plain(message).with_hint(hint).into()
}

#[cfg(test)]
mod tests;
