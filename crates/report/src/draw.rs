//! The JSON of `draw`.

use crate::values::Integer;
use serde::Serialize;
use symbolon_checker::Drawing;

/// The keys of `draw`.
#[derive(Serialize)]
pub struct Draw {
    what: &'static str,
    format: &'static str,
    file: Option<String>,
    nodes: Integer,
    arcs: Integer,
    frames: Option<Integer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<String>,
}

impl Draw {
    /// The keys of a picture; the picture itself is among them unless it went to a file.
    pub fn new(what: &'static str, format: &'static str, file: Option<String>, drawing: &Drawing) -> Draw {
        Draw {
            what,
            format,
            picture: file.is_none().then(|| drawing.text.clone()),
            file,
            nodes: Integer(drawing.nodes as u64),
            arcs: Integer(drawing.arcs as u64),
            frames: drawing.frames.map(|frames| Integer(frames as u64)),
        }
    }
}
