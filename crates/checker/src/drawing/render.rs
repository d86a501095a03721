//! From a scene to the text of a picture.

use super::listing::listing;
use super::{Drawing, PictureFormat, Scene};
use crate::error::{Error, InputError};
use crate::load::unknown;
use crate::report::{Outcome, PartialReport};
use symbolon_budget::Budget;
use symbolon_picture::{ArcKind, Graph, Layout, LayoutError, film_strip, layout, svg, to_dot, to_text};

/// A picture that is wider or higher, in pixels, has to be looked at piece by piece.
const LARGE: f64 = 6_000.0;

/// Lays the scene out and writes it.
pub(super) fn render(
    scene: &Scene,
    format: PictureFormat,
    mut remarks: Vec<String>,
    budget: &Budget,
) -> Result<Outcome<Drawing>, Error> {
    let (graph, frames) = match scene {
        Scene::Still(graph) => (graph, None),
        Scene::Film(graph, frames) => (graph, Some(frames.len())),
    };
    let text = match write(scene, format, &mut remarks, budget) {
        Ok(text) => text,
        Err(LayoutError::Interrupted(why)) => {
            return Ok(Outcome::Unknown(unknown(why, PartialReport::default())));
        }
        Err(too_large @ LayoutError::TooLarge { .. }) => {
            let hint = "try a smaller instance, or '--to dot' for Graphviz";
            return Err(Error::Input(vec![InputError::plain(too_large.to_string()).with_hint(hint)]));
        }
    };
    let arcs = graph.arcs.iter().filter(|arc| arc.kind != ArcKind::Hidden).count();
    Ok(Outcome::Done(Drawing { text, nodes: graph.nodes.len(), arcs, frames, remarks }))
}

fn write(
    scene: &Scene,
    format: PictureFormat,
    remarks: &mut Vec<String>,
    budget: &Budget,
) -> Result<String, LayoutError> {
    let mut placed = |graph: &Graph| -> Result<Layout, LayoutError> {
        let placed = layout(graph, budget)?;
        if placed.width.max(placed.height) > LARGE {
            remarks.push(format!(
                "the picture is large, {:.0} by {:.0} pixels: zoom in, or try '--to dot' and Graphviz",
                placed.width, placed.height
            ));
        }
        Ok(placed)
    };
    match (scene, format) {
        (Scene::Still(graph), PictureFormat::Svg) => Ok(svg(graph, &placed(graph)?)),
        (Scene::Film(graph, frames), PictureFormat::Svg) => Ok(film_strip(graph, &placed(graph)?, frames)),
        (Scene::Still(graph) | Scene::Film(graph, _), PictureFormat::Dot) => Ok(to_dot(graph)),
        (Scene::Still(graph) | Scene::Film(graph, _), PictureFormat::Text) => Ok(text(graph)),
    }
}

/// Drawn with letters where that fits a page, as narrow as it can be; else as a list.
fn text(graph: &Graph) -> String {
    const WIDTHS: [usize; 3] = [80, 120, 180];
    WIDTHS.iter().find_map(|width| to_text(graph, *width)).unwrap_or_else(|| listing(graph))
}
