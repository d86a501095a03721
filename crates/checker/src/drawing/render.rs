//! From a scene to the text of a picture.

use super::listing::listing;
use super::{DrawOptions, Drawing, PictureFormat, Scene};
use crate::error::InputError;
use crate::stop::Stop;
use symbolon_budget::Budget;
use symbolon_picture::{ArcKind, Graph, Layout, LayoutError, film_strip, layout, svg, tikz, to_dot, to_text};

/// A picture that is wider or higher, in pixels, has to be looked at piece by piece.
const LARGE: f64 = 6_000.0;

/// Lays the scene out and writes it.
pub(super) fn render(
    scene: &Scene,
    wish: &DrawOptions,
    mut remarks: Vec<String>,
    budget: &Budget,
) -> Result<Drawing, Stop> {
    let (graph, frames) = match scene {
        Scene::Still(graph) => (graph, None),
        Scene::Film(graph, frames) => (graph, Some(frames.len())),
    };
    let text = match write(scene, wish, &mut remarks, budget) {
        Ok(text) => text,
        Err(LayoutError::Interrupted(why)) => {
            return Err(why.into());
        }
        Err(too_large @ LayoutError::TooLarge { .. }) => {
            let hint = "try a smaller instance, or option ‹to dot› for Graphviz";
            return Err(InputError::plain(too_large.to_string()).with_hint(hint).into());
        }
    };
    let arcs = graph.arcs.iter().filter(|arc| arc.kind != ArcKind::Hidden).count();
    Ok(Drawing { text, nodes: graph.nodes.len(), arcs, frames, remarks })
}

fn write(
    scene: &Scene,
    wish: &DrawOptions,
    remarks: &mut Vec<String>,
    budget: &Budget,
) -> Result<String, LayoutError> {
    let mut placed = |graph: &Graph| -> Result<Layout, LayoutError> {
        let placed = layout(graph, budget)?;
        if placed.width.max(placed.height) > LARGE {
            remarks.push(format!(
                "the picture is large, {:.0} by {:.0} pixels: zoom in, or try option ‹to dot› and Graphviz",
                placed.width, placed.height
            ));
        }
        Ok(placed)
    };
    match (scene, wish.format) {
        (Scene::Still(graph), PictureFormat::Svg) => Ok(svg(graph, &placed(graph)?)),
        (Scene::Film(graph, frames), PictureFormat::Svg) => Ok(film_strip(graph, &placed(graph)?, frames)),
        (Scene::Still(graph) | Scene::Film(graph, _), PictureFormat::Tikz) => {
            Ok(tikz(graph, &placed(graph)?))
        }
        (Scene::Still(graph) | Scene::Film(graph, _), PictureFormat::Dot) => Ok(to_dot(graph)),
        (Scene::Still(graph) | Scene::Film(graph, _), PictureFormat::Text) => {
            Ok(text(graph, wish.most_columns, remarks))
        }
    }
}

/// A picture of letters is as narrow as it can be, and never wider than the last of these.
const WIDTHS: [usize; 3] = [80, 120, 180];

/// Boxes that nothing connects are listed one after the other, each under its name.
fn text(graph: &Graph, most_columns: Option<usize>, remarks: &mut Vec<String>) -> String {
    let Some(boxes) = graph.boxes_apart() else { return piece_of_text(graph, most_columns, remarks) };
    let pieces = boxes.iter().map(|inside| {
        let piece = piece_of_text(&inside.graph, most_columns, remarks);
        format!("{}\n\n{piece}", inside.label)
    });
    let text = pieces.collect::<Vec<_>>().join("\n");
    remarks.dedup();
    text
}

/// Drawn with letters where that fits a page, and the columns that there are; else as a list.
fn piece_of_text(graph: &Graph, most_columns: Option<usize>, remarks: &mut Vec<String>) -> String {
    let fitting = |most: usize| {
        let narrower = WIDTHS.iter().copied().filter(|width| *width < most);
        narrower.chain([most.min(WIDTHS[2])]).find_map(|width| to_text(graph, width))
    };
    if let Some(picture) = fitting(most_columns.unwrap_or(usize::MAX)) {
        return picture;
    }
    if let Some(columns) = most_columns
        && fitting(usize::MAX).is_some()
    {
        remarks.push(format!(
            "drawn with letters this is wider than {columns} columns, so it is listed; '-o FILE.txt' has the picture"
        ));
    }
    listing(graph)
}
