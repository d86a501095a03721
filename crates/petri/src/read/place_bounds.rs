//! The UpperBounds formulas of the Model Checking Contest: an XML file of properties, each asking for the largest
//! number of tokens that some places ever hold together.
//!
//! ```text
//! <property-set> { <property> <id>…</id> <formula><place-bound> { <place>…</place> } </place-bound></formula> </property> }
//! ```
//!
//! Read in one pass, front to back. Names of places are looked up in the net at once, so that a wrong one is
//! reported where it stands. What else a property says (its description) is passed over.

use crate::net::{Net, PlaceId};
use rustc_hash::{FxHashMap, FxHashSet};
use symbolon_budget::Budget;
use symbolon_source::{
    Diagnostic, Findings, Item, ReadFailure, Step, Stop, Tag, Xml, decode_xml, likely, shown,
};

/// One formula: the largest sum of tokens in these places is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceBound {
    /// The formula's id.
    pub id: String,
    /// Places and how often each is named, ascending by place.
    pub terms: Vec<(PlaceId, u64)>,
}

/// The formulas of a file, and what its reader wants to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceBounds {
    /// The formulas, in the order of the file.
    pub formulas: Vec<PlaceBound>,
    /// Things that are odd.
    pub warnings: Vec<Diagnostic>,
}

/// Reads the formulas of an UpperBounds file about `net`.
pub fn read_place_bounds(bytes: &[u8], net: &Net, budget: &Budget) -> Result<PlaceBounds, ReadFailure> {
    let mut findings = Findings::default();
    if bytes.is_empty() {
        let stop = findings.fatal_with_hint(None, "the file is empty", "expected <property-set>");
        return Err(findings.into_failure(stop, ""));
    }
    let text = match decode_xml(bytes, &mut findings) {
        Ok(text) => text,
        Err(stop) => return Err(findings.into_failure(stop, "")),
    };
    let mut reader = BoundsReader {
        xml: Xml::new(&text, |_| true, budget, findings),
        net,
        places: net.place_ids().map(|place| (net.places[place.index()].id.as_str(), place)).collect(),
        ids: FxHashSet::default(),
        formulas: Vec::new(),
    };
    let outcome = reader.document();
    let BoundsReader { xml, formulas, .. } = reader;
    match outcome {
        Ok(()) if !xml.findings.has_errors() => {
            Ok(PlaceBounds { formulas, warnings: xml.findings.into_diagnostics(&text) })
        }
        Ok(()) => Err(xml.findings.into_failure(Stop::Invalid, &text)),
        Err(stop) => Err(xml.findings.into_failure(stop, &text)),
    }
}

struct BoundsReader<'a> {
    xml: Xml<'a>,
    net: &'a Net,
    places: FxHashMap<&'a str, PlaceId>,
    ids: FxHashSet<String>,
    formulas: Vec<PlaceBound>,
}

impl<'a> BoundsReader<'a> {
    fn document(&mut self) -> Step<()> {
        let root = loop {
            match self.xml.advance()? {
                Item::Start(tag) => break tag,
                Item::Text(piece, _) if piece.trim().is_empty() => {}
                Item::Text(piece, offset) => {
                    let begin = piece.trim_start();
                    let offset = offset + piece.len() - begin.len();
                    let message = format!(
                        "found \"{}\", expected <property-set>",
                        shown(begin.lines().next().unwrap_or(""))
                    );
                    return Err(self.xml.findings.fatal_with_hint(
                        offset,
                        message,
                        "this is not an XML file",
                    ));
                }
                Item::End | Item::Finished => {
                    let hint = "expected <property-set>";
                    return Err(self.xml.findings.fatal_with_hint(
                        None,
                        "the file contains no element",
                        hint,
                    ));
                }
            }
        };
        if root.name != "property-set" {
            let message = format!("the root element is <{}>, expected <property-set>", root.shown());
            let hint = "is this a formula file of the Model Checking Contest?";
            return Err(self.xml.findings.fatal_with_hint(root.offset, message, hint));
        }
        while let Some(tag) = self.child()? {
            match tag.name {
                "property" => self.property(&tag)?,
                _ => self.pass_over(&tag, "<property>")?,
            }
        }
        Ok(())
    }

    fn property(&mut self, property: &Tag<'a>) -> Step<()> {
        let mut id = None;
        let mut terms = None;
        while let Some(tag) = self.child()? {
            match tag.name {
                "id" => {
                    let (text, offset) = self.xml.text()?;
                    id = Some((text.trim().to_string(), offset));
                }
                "formula" => terms = self.formula(&tag)?,
                _ => self.xml.skip()?,
            }
        }
        let id = match id {
            Some((id, offset)) if !id.is_empty() => {
                if id.contains(char::is_whitespace) {
                    let message = format!("the id \"{}\" has a space in it", shown(&id));
                    self.xml.findings.error(offset, message)?;
                }
                if !self.ids.insert(id.clone()) {
                    let message = format!("a second property has the id \"{}\"", shown(&id));
                    self.xml.findings.error(offset, message)?;
                }
                id
            }
            _ => {
                return self.xml.findings.error_with_hint(
                    property.offset,
                    "a property without id",
                    "expected <id>…</id> in it",
                );
            }
        };
        match terms {
            Some(terms) => self.formulas.push(PlaceBound { id, terms }),
            None if self.xml.findings.has_errors() => {}
            None => self.xml.findings.error_with_hint(
                property.offset,
                format!("property \"{}\" asks for no bound", shown(&id)),
                "expected <formula><place-bound>…</place-bound></formula> in it",
            )?,
        }
        Ok(())
    }

    fn formula(&mut self, formula: &Tag<'a>) -> Step<Option<Vec<(PlaceId, u64)>>> {
        let mut terms = None;
        while let Some(tag) = self.child()? {
            if tag.name == "place-bound" && terms.is_none() {
                terms = Some(self.place_bound(&tag)?);
            } else {
                let message = format!("found <{}>, expected one <place-bound>", tag.shown());
                self.xml.findings.error_with_hint(
                    tag.offset,
                    message,
                    "UpperBounds formulas are sums of places",
                )?;
                self.xml.skip()?;
            }
        }
        if terms.is_none() && !self.xml.findings.has_errors() {
            self.xml.findings.error(formula.offset, "the formula is empty, expected <place-bound>")?;
        }
        Ok(terms)
    }

    fn place_bound(&mut self, bound: &Tag<'a>) -> Step<Vec<(PlaceId, u64)>> {
        let mut named: Vec<(PlaceId, u64)> = Vec::new();
        let mut count = 0;
        while let Some(tag) = self.child()? {
            count += 1;
            if tag.name != "place" {
                let message = format!("found <{}>, expected <place>", tag.shown());
                self.xml.findings.error(tag.offset, message)?;
                self.xml.skip()?;
                continue;
            }
            let (text, offset) = self.xml.text()?;
            match self.places.get(text.trim()) {
                Some(&place) => named.push((place, 1)),
                None => self.unknown_place(text.trim(), offset)?,
            }
        }
        if count == 0 {
            self.xml.findings.error(bound.offset, "the bound names no place")?;
        }
        named.sort_unstable();
        named.dedup_by(|later, earlier| {
            let is_same = later.0 == earlier.0;
            if is_same {
                earlier.1 += later.1;
            }
            is_same
        });
        if let Some(&(place, times)) = named.iter().find(|(_, times)| *times > 1) {
            let name = shown(&self.net.places[place.index()].id);
            let message = format!("place \"{name}\" is named {times} times, and counts {times} times");
            self.xml.findings.warning(bound.offset, message);
        }
        Ok(named)
    }

    fn unknown_place(&mut self, name: &str, offset: usize) -> Step<()> {
        let message = format!("the net has no place \"{}\"", shown(name));
        match likely(name, self.places.keys().copied()) {
            Some(near) => {
                let hint = format!("did you mean \"{}\"?", shown(near));
                self.xml.findings.error_with_hint(offset, message, hint)
            }
            None => self.xml.findings.error(offset, message),
        }
    }

    /// The next element inside the innermost open one; `None` at its end, which is passed.
    fn child(&mut self) -> Step<Option<Tag<'a>>> {
        loop {
            match self.xml.advance()? {
                Item::Start(tag) => return Ok(Some(tag)),
                Item::End | Item::Finished => return Ok(None),
                Item::Text(..) => {}
            }
        }
    }

    fn pass_over(&mut self, tag: &Tag<'a>, expected: &str) -> Step<()> {
        let message = format!("found <{}>, expected {expected}: it is passed over", tag.shown());
        self.xml.findings.warning(tag.offset, message);
        self.xml.skip()
    }
}
