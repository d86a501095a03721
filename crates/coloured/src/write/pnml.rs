//! A coloured net as PNML.
//!
//! Multisets are written as the standard has it: `<numberof>` makes a multiset of a colour. Inhibitor
//! and test arcs are written as TINA writes them, reset arcs as ProM does.

mod structure;

use self::structure::Structure;
use crate::arc::Arc;
use crate::guard::Guard;
use crate::ids::PageId;
use crate::net::{Net, Position};
use crate::term::MultisetTerm;
use std::borrow::Cow;
use std::fmt::{Result, Write};
use symbolon_petri::write::xml_text::{escape, fresh_prefix, is_xml_name, transition_ids};

/// The net as PNML. Reading it gives an equal net, if
///
/// - ids, names and labels obey what `symbolon_petri::write::write_pnml` asks for,
/// - no constant has the id of a constant of another class, or of a part (else it gets another id),
/// - no term is scaled by 1, and no two ranges are equal,
/// - a net has no page or several, and its nodes are in the order of their pages.
///
/// What our reader returns from files with one page is so.
pub fn write_pnml(net: &Net) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_net(net, &mut out);
    out
}

fn write_net(net: &Net, out: &mut String) -> Result {
    let place_ids: Vec<&str> = net.places.iter().map(|place| &*place.id).collect();
    let transition_ids = transition_ids(&place_ids, net.transitions.iter().map(|transition| &*transition.id));
    let ids = place_ids.iter().copied().chain(transition_ids.iter().map(|id| &**id));
    let prefix = fresh_prefix(ids);
    let mut writer = Writer { net, structure: Structure::new(net), transition_ids, prefix, out };
    writer.document()
}

struct Writer<'w> {
    net: &'w Net,
    structure: Structure<'w>,
    transition_ids: Vec<Cow<'w, str>>,
    /// What the ids begin with that are made up.
    prefix: String,
    out: &'w mut String,
}

impl Writer<'_> {
    fn document(&mut self) -> Result {
        let name = escape(&self.net.name);
        self.out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        self.out.push_str("<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n");
        // An id must be a name in the sense of XML; where the net has another name, its id is made up.
        let is_id = is_xml_name(&self.net.name) || self.net.name.is_empty();
        let id = if is_id { name.clone() } else { format!("{}net", self.prefix).into() };
        let kind = "http://www.pnml.org/version-2009/grammar/symmetricnet";
        writeln!(self.out, " <net id=\"{id}\" type=\"{kind}\">")?;
        if !self.net.name.is_empty() {
            writeln!(self.out, "  <name><text>{name}</text></name>")?;
        }
        self.out.push_str("  <declaration><structure><declarations>\n");
        self.structure.declarations(self.out)?;
        self.out.push_str("  </declarations></structure></declaration>\n");
        if self.net.pages.is_empty() {
            writeln!(self.out, "  <page id=\"{}page\">", self.prefix)?;
            self.nodes(None)?;
            self.arcs()?;
            self.out.push_str("  </page>\n");
        } else {
            self.nodes(None)?;
            self.pages()?;
            self.arcs()?;
        }
        self.out.push_str(" </net>\n</pnml>\n");
        Ok(())
    }

    /// All pages, each inside its parent.
    fn pages(&mut self) -> Result {
        // The net itself, and the pages that are open.
        let mut open: Vec<Option<PageId>> = vec![None];
        for (number, page) in self.net.pages.iter().enumerate() {
            while open.len() > 1 && *open.last().unwrap_or(&None) != page.parent {
                open.pop();
                self.out.push_str("  </page>\n");
            }
            writeln!(self.out, "  <page id=\"{}\">", escape(&page.id))?;
            let id = PageId(number as u32);
            self.nodes(Some(id))?;
            open.push(Some(id));
        }
        for _ in 1..open.len() {
            self.out.push_str("  </page>\n");
        }
        Ok(())
    }

    /// The places and transitions of a page.
    fn nodes(&mut self, page: Option<PageId>) -> Result {
        let net = self.net;
        for place in net.places.iter().filter(|place| place.page == page) {
            write!(self.out, "   <place id=\"{}\">", escape(&place.id))?;
            self.label_and_position(place.label.as_deref(), place.position)?;
            self.out.push_str("<type><structure>");
            self.structure.domain(&place.domain, self.out)?;
            self.out.push_str("</structure></type>");
            if !matches!(place.initial, MultisetTerm::Empty(_)) {
                self.out.push_str("<hlinitialMarking><structure>");
                self.structure.multiset(&place.initial, self.out)?;
                self.out.push_str("</structure></hlinitialMarking>");
            }
            self.out.push_str("</place>\n");
        }
        for (number, transition) in net.transitions.iter().enumerate() {
            if transition.page != page {
                continue;
            }
            let id = self.transition_ids[number].clone();
            write!(self.out, "   <transition id=\"{}\">", escape(&id))?;
            let old_id = (id != transition.id).then_some(transition.id.as_str());
            self.label_and_position(transition.label.as_deref().or(old_id), transition.position)?;
            if transition.guard != Guard::Constant(true) {
                self.out.push_str("<condition><structure>");
                self.structure.guard(&transition.guard, self.out)?;
                self.out.push_str("</structure></condition>");
            }
            self.out.push_str("</transition>\n");
        }
        Ok(())
    }

    fn label_and_position(&mut self, label: Option<&str>, position: Option<Position>) -> Result {
        if let Some(label) = label {
            write!(self.out, "<name><text>{}</text></name>", escape(label))?;
        }
        if let Some(Position { x, y }) = position {
            let (x, y) = (f64::from(x) / 10.0, f64::from(y) / 10.0);
            write!(self.out, "<graphics><position x=\"{x}\" y=\"{y}\"/></graphics>")?;
        }
        Ok(())
    }

    fn arcs(&mut self) -> Result {
        let mut number = 0;
        for (transition, id) in self.net.transitions.iter().zip(&self.transition_ids) {
            for arc in &transition.arcs {
                let place = self.net.places[arc.place().index()].id.as_str();
                let (source, target, kind) = match arc {
                    Arc::Input { .. } => (place, &**id, ""),
                    Arc::Read { .. } => (place, &**id, "<type value=\"test\"/>"),
                    Arc::Inhibitor { .. } => (place, &**id, "<type value=\"inhibitor\"/>"),
                    Arc::Reset { .. } => (place, &**id, "<arctype><text>reset</text></arctype>"),
                    Arc::Output { .. } => (&**id, place, ""),
                };
                let (source, target) = (escape(source), escape(target));
                let prefix = &self.prefix;
                write!(self.out, "   <arc id=\"{prefix}{number}\" source=\"{source}\" target=\"{target}\">")?;
                self.out.push_str(kind);
                self.out.push_str("<hlinscription><structure>");
                self.structure.multiset(arc.tokens(), self.out)?;
                self.out.push_str("</structure></hlinscription></arc>\n");
                number += 1;
            }
        }
        Ok(())
    }
}
