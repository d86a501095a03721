//! The PNML reader for symmetric nets: the document, its nets, their pages and nodes.
//!
//! The text is read once, front to back, into a [`Draft`]: nodes and arcs with the *elements* of
//! their types, markings, conditions and inscriptions. Then declarations are resolved
//! (`declarations.rs`), and the elements get their meaning (`terms.rs`, `guards.rs`); `finish.rs`
//! puts the net together.
//!
//! Everything refers to ids, never to names: names of constants repeat. `<text>` inside labels with
//! a `<structure>` is for people; it is never read, since files have been met where the two differ.

mod declarations;
mod element;
mod finish;
mod guards;
mod terms;

use self::element::Element;
use super::Reading;
use crate::net::Position;
use rustc_hash::FxHashSet;
use symbolon_budget::Budget;
use symbolon_petri::read::pnml::document::{
    Label, NetType, enter_pnml, is_pnml, require_pnml, single_spaced, warn_about_rest,
};
use symbolon_petri::read::pnml::nodes::{ArcEnds, ArcKind, KNOWN_ARC_TYPES, Nodes, Symbol};
use symbolon_source::{Findings, Item, ReadFailure, Space, Step, Stop, Tag, Xml, decode_xml, shown};

/// Reads a coloured net from PNML.
///
/// Accepted are symmetric nets of the standard, with guards over all comparisons and boolean
/// operators, and inhibitor, test and reset arcs as for place/transition nets. Sorts and operators
/// that symmetric nets do not have (numbers, strings, lists, arbitrary sorts) are errors.
pub fn read_pnml(bytes: &[u8], budget: &Budget) -> Result<Reading, ReadFailure> {
    let mut findings = Findings::default();
    if bytes.is_empty() {
        let stop = findings.fatal_with_hint(None, "the file is empty", "expected a PNML document");
        return Err(findings.into_failure(stop, ""));
    }
    let text = match decode_xml(bytes, &mut findings) {
        Ok(text) => text,
        Err(stop) => return Err(findings.into_failure(stop, "")),
    };
    let mut reader = PnmlReader {
        xml: Xml::new(&text, is_pnml, budget, findings),
        draft: Draft::default(),
        warned: FxHashSet::default(),
    };
    let net = match reader.document(&text) {
        Ok(()) => std::mem::take(&mut reader.draft).finish(budget, &mut reader.xml.findings),
        Err(stop) => Err(stop),
    };
    let findings = reader.xml.findings;
    match net {
        Ok(net) if !findings.has_errors() => {
            debug_assert_eq!(net.check(), Ok(()));
            Ok(Reading { net, warnings: findings.into_diagnostics(&text) })
        }
        Ok(_) => Err(findings.into_failure(Stop::Invalid, &text)),
        Err(stop) => Err(findings.into_failure(stop, &text)),
    }
}

/// Whether a file is PNML whose first net says that it is coloured. It looks no further than that,
/// so that a front end can choose the reader.
pub fn is_coloured_pnml(bytes: &[u8], budget: &Budget) -> bool {
    let mut findings = Findings::default();
    let Ok(text) = decode_xml(bytes, &mut findings) else { return false };
    let mut xml = Xml::new(&text, is_pnml, budget, findings);
    if enter_pnml(&mut xml, &text).is_err() {
        return false;
    }
    loop {
        match xml.child() {
            Ok(Some(tag)) if tag.name == "net" => {
                let kind = xml.attribute(&tag, "type").ok().flatten();
                return NetType::named(kind.as_deref()) == NetType::Coloured;
            }
            Ok(Some(_)) if xml.skip().is_ok() => {}
            _ => return false,
        }
    }
}

/// The state of one reading.
struct PnmlReader<'a> {
    xml: Xml<'a>,
    draft: Draft<'a>,
    /// Names of elements that a warning was already given for.
    warned: FxHashSet<&'a str>,
}

/// What was read so far.
#[derive(Default)]
struct Draft<'a> {
    id: String,
    name: Option<String>,
    nodes: Nodes,
    declarations: Vec<Element<'a>>,
    pages: Vec<PageDraft>,
    places: Vec<PlaceDraft<'a>>,
    transitions: Vec<TransitionDraft<'a>>,
    arcs: Vec<ArcDraft<'a>>,
}

struct PageDraft {
    id: String,
    parent: Option<u32>,
}

/// What places and transitions share.
struct NodeDraft {
    symbol: Symbol,
    label: Option<String>,
    page: Option<u32>,
    position: Option<Position>,
    offset: usize,
}

struct PlaceDraft<'a> {
    node: NodeDraft,
    sort: Inscription<'a>,
    initial: Inscription<'a>,
}

struct TransitionDraft<'a> {
    node: NodeDraft,
    condition: Inscription<'a>,
}

struct ArcDraft<'a> {
    ends: ArcEnds,
    tokens: Inscription<'a>,
}

/// What the `<structure>` of a label says.
enum Inscription<'a> {
    /// There is none.
    Missing,
    /// It is wrong, which was noted.
    Wrong,
    /// The element in it.
    Is(Element<'a>),
}

impl<'a> PnmlReader<'a> {
    fn document(&mut self, text: &str) -> Step<()> {
        enter_pnml(&mut self.xml, text)?;
        self.nets()?;
        warn_about_rest(&mut self.xml)
    }

    /// The nets of the document; the first coloured net is read.
    fn nets(&mut self) -> Step<()> {
        let (mut is_taken, mut refused) = (false, None);
        while let Some(tag) = self.xml.child()? {
            match tag.name {
                "net" => {
                    require_pnml(&mut self.xml, &tag)?;
                    let kind = self.xml.attribute(&tag, "type")?;
                    match NetType::named(kind.as_deref()) {
                        NetType::Coloured if !is_taken => {
                            is_taken = true;
                            self.net(&tag)?;
                        }
                        NetType::Coloured => {
                            let message = "a further net is ignored; the first one is read";
                            self.xml.findings.warning(tag.offset, message);
                            self.xml.skip()?;
                        }
                        NetType::PlaceTransition | NetType::Unknown => {
                            let kind = shown(kind.as_deref().unwrap_or_default());
                            refused.get_or_insert((tag.offset, kind));
                            self.xml.skip()?;
                        }
                    }
                }
                "place" | "transition" | "arc" | "page" | "declaration" => {
                    let message = format!("found <{}> outside <net>", tag.shown());
                    self.xml.findings.error(tag.offset, message)?;
                    self.xml.skip()?;
                }
                _ => self.xml.skip()?,
            }
        }
        let hint = "expected type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\"";
        match refused {
            _ if is_taken => Ok(()),
            Some((offset, kind)) => {
                let message = format!("net type \"{kind}\" is not that of a coloured net");
                Err(self.xml.findings.fatal_with_hint(offset, message, hint))
            }
            None if self.xml.findings.has_errors() => Err(Stop::Invalid),
            None => Err(self.xml.findings.fatal_with_hint(None, "the document contains no <net>", hint)),
        }
    }

    fn net(&mut self, tag: &Tag<'a>) -> Step<()> {
        self.draft.id = single_spaced(self.xml.attribute(tag, "id")?.unwrap_or_default().into_owned());
        let mut open_pages: Vec<u32> = Vec::new();
        loop {
            let tag = match self.xml.advance()? {
                Item::Start(tag) => tag,
                Item::Text(text, offset) => {
                    if !text.trim().is_empty() && self.warned.insert("") {
                        self.xml.findings.warning(offset, "text between elements is ignored");
                    }
                    continue;
                }
                Item::End | Item::Finished => match open_pages.pop() {
                    Some(_) => continue,
                    None => return Ok(()),
                },
            };
            let page = open_pages.last().copied();
            match tag.name {
                "page" => {
                    require_pnml(&mut self.xml, &tag)?;
                    let id = self.xml.attribute(&tag, "id")?.unwrap_or_default().trim().to_string();
                    open_pages.push(self.draft.pages.len() as u32);
                    self.draft.pages.push(PageDraft { id, parent: page });
                }
                "place" => self.place(&tag, page)?,
                "transition" => self.transition(&tag, page)?,
                "arc" => self.arc(&tag)?,
                "referencePlace" | "referenceTransition" => self.reference(&tag)?,
                "name" => {
                    let label = Label::read(&mut self.xml)?;
                    if page.is_none() {
                        self.draft.name = label.text;
                    }
                }
                "declaration" => {
                    require_pnml(&mut self.xml, &tag)?;
                    if let Inscription::Is(declarations) = self.structure(&tag)? {
                        self.draft.declarations.push(declarations);
                    }
                }
                "toolspecific" | "graphics" => self.xml.skip()?,
                _ => self.unknown(&tag, "a net")?,
            }
        }
    }

    fn place(&mut self, tag: &Tag<'a>, page: Option<u32>) -> Step<()> {
        require_pnml(&mut self.xml, tag)?;
        let id = self.xml.attribute(tag, "id")?;
        let (mut label, mut position) = (None, None);
        let (mut sort, mut initial) = (Inscription::Missing, Inscription::Missing);
        while let Some(child) = self.xml.child()? {
            match child.name {
                "name" => label = Label::read(&mut self.xml)?.text,
                "graphics" => position = self.position()?,
                "type" => sort = self.structure(&child)?,
                "hlinitialMarking" => initial = self.structure(&child)?,
                "initialMarking" => {
                    self.plain_construct(&child, "hlinitialMarking")?;
                    initial = Inscription::Wrong;
                }
                "capacity" => self.refuse(&child, "a place that holds the free slots does the same")?,
                "toolspecific" => self.xml.skip()?,
                _ => self.unknown(&child, "a place")?,
            }
        }
        let Some(id) = self.id_of(tag, id.as_deref())? else { return Ok(()) };
        let Some(symbol) = self.draft.nodes.add_place(&id) else { return self.duplicate_id(tag, &id) };
        let node = NodeDraft { symbol, label, page, position, offset: tag.offset };
        self.draft.places.push(PlaceDraft { node, sort, initial });
        Ok(())
    }

    fn transition(&mut self, tag: &Tag<'a>, page: Option<u32>) -> Step<()> {
        require_pnml(&mut self.xml, tag)?;
        let id = self.xml.attribute(tag, "id")?;
        let (mut label, mut position, mut condition) = (None, None, Inscription::Missing);
        while let Some(child) = self.xml.child()? {
            match child.name {
                "name" => label = Label::read(&mut self.xml)?.text,
                "graphics" => position = self.position()?,
                "condition" => condition = self.structure(&child)?,
                "delay" => self.refuse(&child, "timed nets are not supported")?,
                "toolspecific" => self.xml.skip()?,
                _ => self.unknown(&child, "a transition")?,
            }
        }
        let Some(id) = self.id_of(tag, id.as_deref())? else { return Ok(()) };
        let Some(symbol) = self.draft.nodes.add_transition(&id) else { return self.duplicate_id(tag, &id) };
        let node = NodeDraft { symbol, label, page, position, offset: tag.offset };
        self.draft.transitions.push(TransitionDraft { node, condition });
        Ok(())
    }

    fn reference(&mut self, tag: &Tag<'a>) -> Step<()> {
        require_pnml(&mut self.xml, tag)?;
        let (id, to) = (self.xml.attribute(tag, "id")?, self.xml.attribute(tag, "ref")?);
        self.xml.skip()?;
        let Some(id) = self.id_of(tag, id.as_deref())? else { return Ok(()) };
        let to = to.as_deref().unwrap_or_default().trim();
        if to.is_empty() {
            let message = format!("<{}> \"{}\" has no ref", tag.shown(), shown(&id));
            return self.xml.findings.error(tag.offset, message);
        }
        if !self.draft.nodes.add_reference(&id, to, tag.name == "referencePlace", tag.offset) {
            return self.duplicate_id(tag, &id);
        }
        Ok(())
    }

    fn arc(&mut self, tag: &Tag<'a>) -> Step<()> {
        require_pnml(&mut self.xml, tag)?;
        let (mut source, mut target, mut kind_text) = (None, None, None);
        self.xml.attributes(tag, |key, value| match key {
            "source" => source = Some(value),
            "target" => target = Some(value),
            "type" => kind_text = Some(value.into_owned()),
            _ => {}
        })?;
        let mut tokens = Inscription::Missing;
        while let Some(child) = self.xml.child()? {
            match child.name {
                "hlinscription" => tokens = self.structure(&child)?,
                "inscription" => {
                    self.plain_construct(&child, "hlinscription")?;
                    tokens = Inscription::Wrong;
                }
                "type" | "arctype" => {
                    let value = self.xml.attribute(&child, "value")?.map(|value| value.into_owned());
                    let label = Label::read(&mut self.xml)?;
                    kind_text = value.or(label.text).or(kind_text);
                }
                "delay" | "interval" => self.refuse(&child, "timed nets are not supported")?,
                "name" | "toolspecific" | "graphics" => self.xml.skip()?,
                _ => self.unknown(&child, "an arc")?,
            }
        }
        for (end, word) in [(&source, "source"), (&target, "target")] {
            if end.as_deref().is_none_or(|end| end.trim().is_empty()) {
                return self.xml.findings.error(tag.offset, format!("the arc has no {word}"));
            }
        }
        let Some(kind) = ArcKind::named(kind_text.as_deref().unwrap_or_default()) else {
            let kind = shown(kind_text.as_deref().unwrap_or_default().trim());
            let message = format!("arc of type \"{kind}\" is not supported");
            return self.xml.findings.error_with_hint(tag.offset, message, KNOWN_ARC_TYPES);
        };
        let source = self.draft.nodes.symbol(source.as_deref().unwrap_or_default().trim());
        let target = self.draft.nodes.symbol(target.as_deref().unwrap_or_default().trim());
        let ends = ArcEnds { source, target, kind, offset: tag.offset };
        self.draft.arcs.push(ArcDraft { ends, tokens });
        Ok(())
    }

    /// The element in the `<structure>` of a label, which it leaves. A label that has text but no
    /// structure would lose its meaning: that is an error.
    fn structure(&mut self, label: &Tag<'a>) -> Step<Inscription<'a>> {
        let (mut has_text, mut found) = (false, None);
        while let Some(child) = self.xml.child()? {
            match child.name {
                "structure" => {
                    let mut structure = Element::read(&mut self.xml, &child)?;
                    if let Some(second) = structure.children.get(1) {
                        let message = format!(
                            "<structure> of <{}> holds <{}> besides <{}>",
                            label.shown(),
                            second.shown(),
                            structure.children[0].shown()
                        );
                        self.xml.findings.error(second.offset, message)?;
                    }
                    structure.children.truncate(1);
                    found = structure.children.pop();
                }
                "text" => has_text = !self.xml.text()?.0.trim().is_empty(),
                _ => self.xml.skip()?,
            }
        }
        match found {
            Some(element) => Ok(Inscription::Is(element)),
            None if has_text => {
                let message = format!("<{}> has a <text>, but nothing in a <structure>", label.shown());
                let hint = "only the <structure> of an inscription is read";
                self.xml.findings.error_with_hint(label.offset, message, hint)?;
                Ok(Inscription::Wrong)
            }
            None => Ok(Inscription::Missing),
        }
    }

    /// The position in a `<graphics>`, which it leaves.
    fn position(&mut self) -> Step<Option<Position>> {
        let mut found = None;
        while let Some(child) = self.xml.child()? {
            if child.name == "position" && found.is_none() {
                let (x, y) = (self.xml.attribute(&child, "x")?, self.xml.attribute(&child, "y")?);
                let tenths = |text: &str| {
                    let value = text.trim().parse::<f64>().ok()?;
                    (value.abs() < 1e8).then(|| (value * 10.0).round() as i32)
                };
                found = x.as_deref().and_then(tenths).zip(y.as_deref().and_then(tenths));
            }
            self.xml.skip()?;
        }
        Ok(found.map(|(x, y)| Position { x, y }))
    }

    fn id_of(&mut self, tag: &Tag<'a>, id: Option<&str>) -> Step<Option<String>> {
        let id = id.unwrap_or_default().trim();
        if id.is_empty() {
            self.xml.findings.error(tag.offset, format!("<{}> has no id", tag.shown()))?;
            return Ok(None);
        }
        Ok(Some(id.to_string()))
    }

    fn duplicate_id(&mut self, tag: &Tag<'a>, id: &str) -> Step<()> {
        let message = format!("the id \"{}\" of this <{}> is already taken", shown(id), tag.shown());
        self.xml.findings.error_with_hint(tag.offset, message, "ids of nodes must be distinct")
    }

    /// Refuses a label of place/transition nets.
    fn plain_construct(&mut self, tag: &Tag<'a>, instead: &str) -> Step<()> {
        let message = format!("found <{}> in a coloured net", tag.shown());
        self.xml.findings.error_with_hint(tag.offset, message, format!("expected <{instead}>"))?;
        self.xml.skip()
    }

    fn refuse(&mut self, tag: &Tag<'a>, hint: &str) -> Step<()> {
        let message = format!("<{}> is not supported", tag.shown());
        self.xml.findings.error_with_hint(tag.offset, message, hint)?;
        self.xml.skip()
    }

    /// Passes over an element that is not known here, unless it belongs to the net itself.
    fn unknown(&mut self, tag: &Tag<'a>, inside: &str) -> Step<()> {
        let belongs_elsewhere = matches!(
            tag.name,
            "net" | "page" | "place" | "transition" | "arc" | "referencePlace" | "referenceTransition"
        ) || tag.name.starts_with("hl")
            || tag.name.to_ascii_lowercase().ends_with("arc")
            || matches!(tag.name, "declarations" | "structure" | "condition" | "type");
        if belongs_elsewhere {
            let message = format!("found <{}> in {inside}, where it is not allowed", tag.shown());
            self.xml.findings.error_with_hint(tag.offset, message, "is an end tag missing before it?")?;
        } else if tag.space == Space::Own && self.warned.insert(tag.name) {
            self.xml.findings.warning(tag.offset, format!("<{}> in {inside} is ignored", tag.shown()));
        }
        self.xml.skip()
    }
}
