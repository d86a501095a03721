//! The `.ll_net` format of PEP, which unfolders and other tools for safe nets read.
//!
//! The format has markings, weights and read arcs, but no inhibitor arcs, no reset arcs, no units
//! and no name of the net. Names stand in quotes and are Latin-1 by tradition; we write ASCII
//! alone, which every reader takes, and say how many names had to change.

use crate::arc::Arc;
use crate::net::{Net, PlaceId};
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// A net as `.ll_net` text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LlNetText {
    /// The text, ASCII.
    pub text: String,
    /// The number of ids that could not be written as they are.
    pub renamed: usize,
}

/// What the format cannot say.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Inexpressible {
    /// An inhibitor arc.
    #[error("transition '{transition}' has an inhibitor arc from '{place}', which .ll_net cannot express")]
    Inhibitor {
        /// The transition.
        transition: String,
        /// The place.
        place: String,
    },
    /// A reset arc.
    #[error("transition '{transition}' has a reset arc to '{place}', which .ll_net cannot express")]
    Reset {
        /// The transition.
        transition: String,
        /// The place.
        place: String,
    },
    /// A net of nothing.
    #[error("the net has neither places nor transitions, which .ll_net cannot express")]
    Nothing,
}

/// The net as `.ll_net` text, or all that the format cannot say. Reading it gives the same places,
/// transitions and arcs in the same order; units and the name of the net are lost, and ids and
/// labels are changed where they are not plain ASCII.
pub fn write_ll_net(net: &Net) -> Result<LlNetText, Vec<Inexpressible>> {
    let problems = inexpressible(net);
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut out = LlNetText { text: "PEP\nPTNet\nFORMAT_N\n".to_string(), renamed: 0 };
    // Writing to a string cannot fail.
    let _ = write_sections(net, &mut out);
    Ok(out)
}

fn inexpressible(net: &Net) -> Vec<Inexpressible> {
    let mut problems = Vec::new();
    if net.places.is_empty() && net.transitions.is_empty() {
        problems.push(Inexpressible::Nothing);
    }
    let name = |place: PlaceId| net.places[place.index()].id.clone();
    for transition in &net.transitions {
        let id = || transition.id.clone();
        for arc in &transition.arcs {
            match *arc {
                Arc::Inhibitor { place, .. } => {
                    problems.push(Inexpressible::Inhibitor { transition: id(), place: name(place) });
                }
                Arc::Reset { place } => {
                    problems.push(Inexpressible::Reset { transition: id(), place: name(place) });
                }
                Arc::Input { .. } | Arc::Read { .. } | Arc::Output { .. } => {}
            }
        }
    }
    problems
}

fn write_sections(net: &Net, out: &mut LlNetText) -> std::fmt::Result {
    let places = plain_ids(net.places.iter().map(|place| place.id.as_str()), &mut out.renamed);
    let transitions = plain_ids(net.transitions.iter().map(|t| t.id.as_str()), &mut out.renamed);
    let text = &mut out.text;

    text.push_str("PL\n");
    for (number, (place, id)) in net.places.iter().zip(places).enumerate() {
        // Some tools insist on a position.
        write!(text, "{}\"{id}\"0@0", number + 1)?;
        if place.initial > 0 {
            write!(text, "M{}", place.initial)?;
        }
        write_label(text, place.label.as_deref())?;
    }
    text.push_str("TR\n");
    for (number, (transition, id)) in net.transitions.iter().zip(transitions).enumerate() {
        write!(text, "{}\"{id}\"0@0", number + 1)?;
        write_label(text, transition.label.as_deref())?;
    }
    for section in ["TP", "PT", "RA"] {
        let mut has_heading = section != "RA";
        if has_heading {
            writeln!(text, "{section}")?;
        }
        for (index, transition) in net.transitions.iter().enumerate() {
            for &arc in transition.arcs.iter().filter(|arc| section_of(**arc) == Some(section)) {
                if !std::mem::replace(&mut has_heading, true) {
                    writeln!(text, "{section}")?;
                }
                let (place, transition) = (arc.place().0 + 1, index + 1);
                if section == "TP" {
                    write!(text, "{transition}<{place}")?;
                } else {
                    write!(text, "{place}>{transition}")?;
                }
                write_weight(text, arc.weight().unwrap_or(1))?;
            }
        }
    }
    Ok(())
}

/// The section that an arc is written to, if the format has such arcs.
fn section_of(arc: Arc) -> Option<&'static str> {
    match arc {
        Arc::Output { .. } => Some("TP"),
        Arc::Input { .. } => Some("PT"),
        Arc::Read { .. } => Some("RA"),
        Arc::Inhibitor { .. } | Arc::Reset { .. } => None,
    }
}

fn write_weight(text: &mut String, weight: u64) -> std::fmt::Result {
    if weight == 1 { writeln!(text) } else { writeln!(text, "w{weight}") }
}

fn write_label(text: &mut String, label: Option<&str>) -> std::fmt::Result {
    match label {
        Some(label) => writeln!(text, "b\"{}\"", plain(label)),
        None => writeln!(text),
    }
}

/// The ids in plain ASCII, still distinct.
fn plain_ids<'a>(ids: impl Iterator<Item = &'a str> + Clone, renamed: &mut usize) -> Vec<String> {
    let is_plain = |id: &&str| plain(id) == **id;
    let mut taken: FxHashSet<String> = ids.clone().filter(is_plain).map(str::to_string).collect();
    ids.map(|id| {
        let mut new = plain(id);
        if new != id {
            *renamed += 1;
            while !taken.insert(new.clone()) {
                new.push('_');
            }
        }
        new
    })
    .collect()
}

/// A text as it can stand in quotes: printable ASCII, single spaces.
fn plain(text: &str) -> String {
    let is_plain = |c: char| (' '..='~').contains(&c) && c != '"';
    let replaced: String =
        text.chars().map(|c| if is_plain(c) || c.is_whitespace() { c } else { '_' }).collect();
    let words: Vec<&str> = replaced.split_whitespace().collect();
    if words.is_empty() { "_".to_string() } else { words.join(" ") }
}
