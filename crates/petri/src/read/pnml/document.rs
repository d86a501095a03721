//! What every PNML document has, whatever the type of its nets: the root element, namespaces, types
//! of nets, labels.

use super::super::guess::describe_text;
use symbolon_source::{Item, Space, Step, Tag, Xml, shown};

/// The namespace that standard PNML files declare.
const PNML_NAMESPACE: &str = "http://www.pnml.org/version-2009/grammar/pnml";

/// What the `type` of a net says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetType {
    /// A place/transition net.
    PlaceTransition,
    /// A symmetric net, or another high-level net.
    Coloured,
    /// Something else.
    Unknown,
}

/// The text of a label such as a name, a marking or a weight.
pub struct Label {
    /// The text, its white space made single spaces; `None` if there is none.
    pub text: Option<String>,
    /// Where the text begins.
    pub offset: usize,
}

impl NetType {
    /// What this type means; a net without type is a place/transition net.
    pub fn named(text: Option<&str>) -> NetType {
        let Some(text) = text else { return NetType::PlaceTransition };
        let text = text.trim().trim_end_matches(['/', '#']).to_ascii_lowercase();
        let last = text.rsplit(['/', '#']).next().unwrap_or_default();
        let coloured =
            ["symmetric", "highlevel", "high-level", "hlpn", "colored", "coloured", "hlcore", "sncore"];
        if coloured.iter().any(|word| text.contains(word)) {
            return NetType::Coloured;
        }
        let known = matches!(
            last,
            "ptnet"
                | "pt-net"
                | "ptnetb"
                | "ptnets"
                | "pnmlcoremodel"
                | "epnml-1.1"
                | "tpn"
                | "t net"
                | "stnet"
                | ""
        );
        if known || text == "p/t net" || text == "petri net" {
            NetType::PlaceTransition
        } else {
            NetType::Unknown
        }
    }
}

impl Label {
    /// Reads the inside of a label, which it leaves.
    pub fn read(xml: &mut Xml<'_>) -> Step<Label> {
        let mut found: Option<Label> = None;
        let mut direct = Label { text: None, offset: 0 };
        loop {
            match xml.advance()? {
                Item::Start(tag) if matches!(tag.name, "text" | "value") && found.is_none() => {
                    let (text, offset) = xml.text()?;
                    found = Some(Label { text: Some(single_spaced(text)), offset });
                }
                Item::Start(_) => xml.skip()?,
                Item::Text(text, offset) => {
                    let trimmed = text.trim();
                    if !trimmed.is_empty() {
                        let offset = offset + text.len() - text.trim_start().len();
                        let direct_text = direct.text.get_or_insert_default();
                        if direct_text.is_empty() {
                            direct.offset = offset;
                        }
                        direct_text.push_str(&text);
                    }
                }
                Item::End | Item::Finished => {
                    direct.text = direct.text.map(single_spaced);
                    let mut label = found.unwrap_or(direct);
                    label.text = label.text.filter(|text| !text.is_empty());
                    return Ok(label);
                }
            }
        }
    }
}

/// Enters the root element, which must be `<pnml>` of PNML's namespace. `text` is the whole document,
/// for a word about what it is instead.
pub fn enter_pnml(xml: &mut Xml<'_>, text: &str) -> Step<()> {
    let root = root(xml, text)?;
    if root.name != "pnml" {
        let message = format!("the root element is <{}>, expected <pnml>", root.shown());
        let hint = describe_text(text).unwrap_or("is this a PNML file?");
        return Err(xml.findings.fatal_with_hint(root.offset, message, hint));
    }
    if root.space != Space::Own {
        let message = match root.declared_namespace() {
            Some(found) => format!("<{}> is in namespace \"{found}\"", root.shown()),
            None => format!("the prefix of <{}> is not declared", root.shown()),
        };
        let hint = format!("expected <pnml xmlns=\"{PNML_NAMESPACE}\">");
        return Err(xml.findings.fatal_with_hint(root.offset, message, hint));
    }
    Ok(())
}

fn root<'a>(xml: &mut Xml<'a>, text: &str) -> Step<Tag<'a>> {
    loop {
        match xml.advance()? {
            Item::Start(tag) => return Ok(tag),
            Item::Text(piece, _) if piece.trim().is_empty() => {}
            Item::Text(piece, offset) => {
                let begin = piece.trim_start();
                let offset = offset + piece.len() - begin.len();
                let message =
                    format!("found \"{}\", expected <pnml>", shown(begin.lines().next().unwrap_or("")));
                let hint = describe_text(text).unwrap_or("this is not an XML file");
                return Err(xml.findings.fatal_with_hint(offset, message, hint));
            }
            Item::End | Item::Finished => {
                let hint = "expected a PNML document";
                return Err(xml.findings.fatal_with_hint(None, "the file contains no element", hint));
            }
        }
    }
}

/// Warns if something follows the root element, which was left.
pub fn warn_about_rest(xml: &mut Xml<'_>) -> Step<()> {
    let offset = match xml.advance()? {
        Item::Start(tag) => Some(tag.offset),
        Item::Text(text, offset) if !text.trim().is_empty() => Some(offset),
        _ => None,
    };
    if let Some(offset) = offset {
        xml.findings.warning(offset, "everything after </pnml> is ignored");
    }
    Ok(())
}

/// Notes an error if an element that matters is not PNML's: it must not be skipped.
pub fn require_pnml(xml: &mut Xml<'_>, tag: &Tag<'_>) -> Step<()> {
    let message = match tag.space {
        Space::Own => return Ok(()),
        Space::Foreign => format!("<{}> is in a namespace that is not PNML's", tag.shown()),
        Space::Undeclared => format!("the prefix of <{}> is not declared", tag.shown()),
    };
    let hint = format!("expected namespace \"{PNML_NAMESPACE}\"");
    xml.findings.error_with_hint(tag.offset, message, hint)
}

/// A text with each stretch of white space made one space.
pub fn single_spaced(mut text: String) -> String {
    let odd = text.contains(['\n', '\t', '\r']) || text.contains("  ");
    if odd || text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace) {
        text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    text
}

/// Whether a namespace is PNML's. Old PNML and some editors have names of their own.
pub fn is_pnml(url: &str) -> bool {
    let path = url.trim_start_matches("http://").trim_start_matches("https://").trim_start_matches("www.");
    path.starts_with("pnml.org/version-2009/")
        || path.starts_with("informatik.hu-berlin.de/top/pn")
        || url == "pnml.woped.org"
}
