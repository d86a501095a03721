//! The UpperBounds formulas of the Model Checking Contest: an XML file of properties, each asking
//! for the largest number of tokens that some places ever hold together.
//!
//! ```text
//! <property-set> { <property> <id>…</id> <formula>
//!     <place-bound> { <place>…</place> } </place-bound> </formula> </property> }
//! ```
//!
//! Read in one pass, front to back. Names of places are looked up at once, so that a wrong one is
//! reported where it stands. What else a property says (its description) is passed
//! over.

use rustc_hash::FxHashMap;
use symbolon_budget::Budget;
use symbolon_source::{
    Diagnostic, Findings, Property, ReadFailure, Step, Stop, Tag, Xml, decode_xml, likely, read_property_set,
    shown,
};

/// One formula: the largest sum of tokens in these places is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceBound {
    /// The formula's id.
    pub id: String,
    /// Positions in the list of places, ascending, and how often each is named.
    pub terms: Vec<(usize, u64)>,
}

/// The formulas of a file, and the warnings of its reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceBounds {
    /// The formulas, in the order of the file.
    pub formulas: Vec<PlaceBound>,
    /// Things that are odd.
    pub warnings: Vec<Diagnostic>,
}

/// Reads the formulas of an UpperBounds file about the places with these ids.
pub fn read_place_bounds(bytes: &[u8], ids: &[&str], budget: &Budget) -> Result<PlaceBounds, ReadFailure> {
    let mut findings = Findings::default();
    if bytes.is_empty() {
        let stop = findings.fatal_with_hint(None, "the file is empty", "expected <property-set>");
        return Err(findings.into_failure(stop, ""));
    }
    let text = match decode_xml(bytes, &mut findings) {
        Ok(text) => text,
        Err(stop) => return Err(findings.into_failure(stop, "")),
    };
    let places = ids.iter().enumerate().map(|(position, id)| (*id, position)).collect();
    let reader = BoundsReader { ids, places };
    let mut xml = Xml::new(&text, |_| true, budget, findings);
    let expected = "<place-bound>…</place-bound>";
    let outcome = read_property_set(&mut xml, expected, |xml, tag| reader.formula(xml, tag));
    match outcome {
        Ok(properties) if !xml.findings.has_errors() => {
            let formulas =
                properties.into_iter().map(|Property { id, formula, .. }| PlaceBound { id, terms: formula });
            Ok(PlaceBounds { formulas: formulas.collect(), warnings: xml.findings.into_diagnostics(&text) })
        }
        Ok(_) => Err(xml.findings.into_failure(Stop::Invalid, &text)),
        Err(stop) => Err(xml.findings.into_failure(stop, &text)),
    }
}

struct BoundsReader<'a> {
    ids: &'a [&'a str],
    places: FxHashMap<&'a str, usize>,
}

impl BoundsReader<'_> {
    fn formula<'x>(&self, xml: &mut Xml<'x>, formula: &Tag<'x>) -> Step<Option<Vec<(usize, u64)>>> {
        let mut terms = None;
        while let Some(tag) = xml.child()? {
            if tag.name == "place-bound" && terms.is_none() {
                terms = Some(self.place_bound(xml, &tag)?);
            } else {
                let message = format!("found <{}>, expected one <place-bound>", tag.shown());
                xml.findings.error_with_hint(
                    tag.offset,
                    message,
                    "UpperBounds formulas are sums of places",
                )?;
                xml.skip()?;
            }
        }
        if terms.is_none() && !xml.findings.has_errors() {
            xml.findings.error(formula.offset, "the formula is empty, expected <place-bound>")?;
        }
        Ok(terms)
    }

    fn place_bound<'x>(&self, xml: &mut Xml<'x>, bound: &Tag<'x>) -> Step<Vec<(usize, u64)>> {
        let mut named: Vec<(usize, u64)> = Vec::new();
        let mut count = 0;
        while let Some(tag) = xml.child()? {
            count += 1;
            if tag.name != "place" {
                let message = format!("found <{}>, expected <place>", tag.shown());
                xml.findings.error(tag.offset, message)?;
                xml.skip()?;
                continue;
            }
            let (text, offset) = xml.text()?;
            match self.places.get(text.trim()) {
                Some(&place) => named.push((place, 1)),
                None => self.unknown_place(xml, text.trim(), offset)?,
            }
        }
        if count == 0 {
            xml.findings.error(bound.offset, "the bound names no place")?;
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
            let name = shown(self.ids[place]);
            let message = format!("place \"{name}\" is named {times} times, and counts {times} times");
            xml.findings.warning(bound.offset, message);
        }
        Ok(named)
    }

    fn unknown_place(&self, xml: &mut Xml<'_>, name: &str, offset: usize) -> Step<()> {
        let message = format!("the net has no place \"{}\"", shown(name));
        match likely(name, self.places.keys().copied()) {
            Some(near) => {
                let hint = format!("did you mean \"{}\"?", shown(near));
                xml.findings.error_with_hint(offset, message, hint)
            }
            None => xml.findings.error(offset, message),
        }
    }
}
