//! Plain PNML on one page.
//!
//! Inhibitor and test arcs are written as TINA writes them, reset arcs as ProM does. Units go into
//! a NUPN 1.1 section where NUPN can say them, else into a section of our own (see the reader's
//! `units.rs`).

use super::xml_text::{escape, fresh_prefix, is_xml_name, transition_ids};
use crate::arc::Arc;
use crate::net::{Net, Unit, UnitClaim};
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// The net as PNML. Reading it gives an equal net, if
///
/// - no transition has the id of a place (else such a transition gets another id),
/// - ids are not empty and, like names and labels, have no white space around them; names and
///   labels have no white space inside but single spaces; no text contains the character NUL,
/// - labels are not empty and differ from the id.
///
/// What our readers return is so, except that `.ll_net` files may call a place and a transition
/// alike.
pub fn write_pnml(net: &Net) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_pnml_to(net, &mut out);
    out
}

/// Writes the net as [`write_pnml`] does, piece by piece: the text of a large net takes more memory
/// than the net.
pub fn write_pnml_to(net: &Net, out: &mut dyn Write) -> std::fmt::Result {
    let place_ids: Vec<&str> = net.places.iter().map(|place| &*place.id).collect();
    let transition_ids = transition_ids(&place_ids, net.transitions.iter().map(|transition| &*transition.id));
    let prefix = fresh_prefix(place_ids.iter().copied().chain(transition_ids.iter().map(|id| &**id)));
    let name = escape(&net.name);
    out.write_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")?;
    out.write_str("<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n")?;
    // An id must be a name in the sense of XML; where the net has another name, its id is made up.
    let id =
        if is_xml_name(&net.name) || net.name.is_empty() { &name } else { &format!("{prefix}net").into() };
    writeln!(out, " <net id=\"{id}\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">")?;
    if !net.name.is_empty() {
        writeln!(out, "  <name><text>{name}</text></name>")?;
    }
    writeln!(out, "  <page id=\"{prefix}page\">")?;
    let mut content = String::new();
    for place in &net.places {
        content.clear();
        write_label(place.label.as_deref(), &mut content)?;
        if place.initial > 0 {
            write!(content, "<initialMarking><text>{}</text></initialMarking>", place.initial)?;
        }
        write_element(out, "place", format_args!("id=\"{}\"", escape(&place.id)), &content)?;
    }
    for (transition, id) in net.transitions.iter().zip(&transition_ids) {
        content.clear();
        let label = if *id == transition.id { None } else { Some(transition.id.as_str()) };
        write_label(transition.label.as_deref().or(label), &mut content)?;
        write_element(out, "transition", format_args!("id=\"{}\"", escape(id)), &content)?;
    }
    let mut number = 0;
    let mut arc = |out: &mut dyn Write, source: &str, target: &str, weight: u64, kind: &str| {
        let (source, target) = (escape(source), escape(target));
        content.clear();
        if weight != 1 {
            write!(content, "<inscription><text>{weight}</text></inscription>")?;
        }
        content.push_str(kind);
        let head = format_args!("id=\"{prefix}{number}\" source=\"{source}\" target=\"{target}\"");
        write_element(out, "arc", head, &content)?;
        number += 1;
        Ok(())
    };
    for (transition, id) in net.transitions.iter().zip(&transition_ids) {
        let mut arcs = transition.arcs.clone();
        arcs.sort_by_key(|arc| form_of(*arc).rank);
        for &one in &arcs {
            let form = form_of(one);
            let place = net.places[one.place().index()].id.as_str();
            let (source, target) =
                if form.leads_to_place { (id.as_ref(), place) } else { (place, id.as_ref()) };
            arc(out, source, target, one.weight().unwrap_or(1), form.kind)?;
        }
    }
    out.write_str("  </page>\n")?;
    write_units(net, out)?;
    out.write_str(" </net>\n</pnml>\n")?;
    Ok(())
}

/// How an arc is written.
struct Form {
    /// Arcs of lower rank come first.
    rank: u8,
    /// The element that names the kind of the arc, if it needs one.
    kind: &'static str,
    leads_to_place: bool,
}

fn form_of(arc: Arc) -> Form {
    let to_transition = |rank, kind| Form { rank, kind, leads_to_place: false };
    match arc {
        Arc::Input { .. } => to_transition(0, ""),
        Arc::Inhibitor { .. } => to_transition(1, "<type value=\"inhibitor\"/>"),
        Arc::Read { .. } => to_transition(2, "<type value=\"test\"/>"),
        Arc::Reset { .. } => to_transition(3, "<arctype><text>reset</text></arctype>"),
        Arc::Output { .. } => Form { rank: 4, kind: "", leads_to_place: true },
    }
}

/// An element on a line of its own; one without content is closed at once.
fn write_element(
    out: &mut dyn Write,
    kind: &str,
    attributes: std::fmt::Arguments<'_>,
    content: &str,
) -> std::fmt::Result {
    if content.is_empty() {
        writeln!(out, "   <{kind} {attributes}/>")
    } else {
        writeln!(out, "   <{kind} {attributes}>{content}</{kind}>")
    }
}

fn write_label(label: Option<&str>, out: &mut String) -> std::fmt::Result {
    match label {
        Some(label) => write!(out, "<name><text>{}</text></name>", escape(label)),
        None => Ok(()),
    }
}

fn write_units(net: &Net, out: &mut dyn Write) -> std::fmt::Result {
    if net.units.is_empty() {
        return Ok(());
    }
    if net.unit_claim != UnitClaim::Nothing
        && let Some(root) = nupn_root(net)
    {
        return write_nupn(net, root, out);
    }
    let claim = match net.unit_claim {
        UnitClaim::Nothing => "nothing",
        UnitClaim::UnitSafe => "unit-safe",
        UnitClaim::NestedUnits => "nested-units",
    };
    out.write_str("  <toolspecific tool=\"symbolon\" version=\"1\">\n")?;
    writeln!(out, "   <units claim=\"{claim}\">")?;
    for unit in &net.units {
        write!(out, "    <unit id=\"{}\"", escape(&unit.id))?;
        if let Some(parent) = unit.parent {
            write!(out, " parent=\"{parent}\"")?;
        }
        out.write_str("><places>")?;
        for (position, place) in unit.places.iter().enumerate() {
            write!(out, "{}{}", if position > 0 { " " } else { "" }, place.0)?;
        }
        out.write_str("</places></unit>\n")?;
    }
    out.write_str("   </units>\n  </toolspecific>\n")?;
    Ok(())
}

fn write_nupn(net: &Net, root: &Unit, out: &mut dyn Write) -> std::fmt::Result {
    let mut children: Vec<Vec<&str>> = vec![Vec::new(); net.units.len()];
    for unit in &net.units {
        if let Some(parent) = unit.parent {
            children[parent as usize].push(&unit.id);
        }
    }
    out.write_str("  <toolspecific tool=\"nupn\" version=\"1.1\">\n")?;
    let (places, transitions, arcs) = (net.places.len(), net.transitions.len(), net.arc_count());
    writeln!(out, "   <size places=\"{places}\" transitions=\"{transitions}\" arcs=\"{arcs}\"/>")?;
    let safe = net.unit_claim == UnitClaim::UnitSafe;
    let (count, root) = (net.units.len(), escape(&root.id));
    writeln!(out, "   <structure units=\"{count}\" root=\"{root}\" safe=\"{safe}\">")?;
    for (unit, children) in net.units.iter().zip(children) {
        let places: Vec<&str> =
            unit.places.iter().map(|place| net.places[place.index()].id.as_str()).collect();
        writeln!(
            out,
            "    <unit id=\"{}\"><places>{}</places><subunits>{}</subunits></unit>",
            escape(&unit.id),
            escape(&places.join(" ")),
            escape(&children.join(" "))
        )?;
    }
    out.write_str("   </structure>\n  </toolspecific>\n")?;
    Ok(())
}

/// The root, if NUPN can say these units: one root, and names that can stand in a list.
fn nupn_root(net: &Net) -> Option<&Unit> {
    let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    let mut ids = FxHashSet::default();
    let words = net.units.iter().all(|unit| {
        is_word(&unit.id)
            && ids.insert(unit.id.as_str())
            && unit.places.iter().all(|place| is_word(&net.places[place.index()].id))
    });
    let mut roots = net.units.iter().filter(|unit| unit.parent.is_none());
    let root = roots.next()?;
    if words && roots.next().is_none() { Some(root) } else { None }
}
