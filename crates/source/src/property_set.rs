//! The property files of the Model Checking Contest: an XML file of properties, each with an id and
//! a formula. What a formula is differs between examinations, and is left to the caller.
//!
//! ```text
//! <property-set> { <property>
//!     <id>…</id> <description>…</description> <formula>…</formula> </property> }
//! ```

use crate::findings::Step;
use crate::xml::{Item, Tag, Xml, shown};
use std::collections::BTreeSet;

/// One property of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property<F> {
    /// Its id: no spaces in it, and no other property of the file has it.
    pub id: String,
    /// The description in the file.
    pub description: Option<String>,
    /// What it says.
    pub formula: F,
}

/// Reads a whole file. `formula` reads what stands in `<formula>`, whose start tag it is given, and
/// its end tag; `expected` is what it reads, as messages show it. Properties whose formula is
/// `None` are left out: what was wrong with them is among the findings.
pub fn read_property_set<'a, F>(
    xml: &mut Xml<'a>,
    expected: &str,
    mut formula: impl FnMut(&mut Xml<'a>, &Tag<'a>) -> Step<Option<F>>,
) -> Step<Vec<Property<F>>> {
    open_root(xml)?;
    let mut properties = Vec::new();
    let mut ids = BTreeSet::new();
    while let Some(tag) = xml.child()? {
        if tag.name == "property" {
            properties.extend(property(xml, &tag, &mut ids, expected, &mut formula)?);
        } else {
            let message = format!("found <{}>, expected <property>: it is passed over", tag.shown());
            xml.findings.warning(tag.offset, message);
            xml.skip()?;
        }
    }
    Ok(properties)
}

fn open_root(xml: &mut Xml<'_>) -> Step<()> {
    let root = loop {
        match xml.advance()? {
            Item::Start(tag) => break tag,
            Item::Text(piece, _) if piece.trim().is_empty() => {}
            Item::Text(piece, offset) => {
                let begin = piece.trim_start();
                let offset = offset + piece.len() - begin.len();
                let line = shown(begin.lines().next().unwrap_or(""));
                let message = format!("found \"{line}\", expected <property-set>");
                return Err(xml.findings.fatal_with_hint(offset, message, "this is not an XML file"));
            }
            Item::End | Item::Finished => {
                let hint = "expected <property-set>";
                return Err(xml.findings.fatal_with_hint(None, "the file contains no element", hint));
            }
        }
    };
    if root.name != "property-set" {
        let message = format!("the root element is <{}>, expected <property-set>", root.shown());
        let hint = "is this a formula file of the Model Checking Contest?";
        return Err(xml.findings.fatal_with_hint(root.offset, message, hint));
    }
    Ok(())
}

fn property<'a, F>(
    xml: &mut Xml<'a>,
    property: &Tag<'a>,
    ids: &mut BTreeSet<String>,
    expected: &str,
    read_formula: &mut impl FnMut(&mut Xml<'a>, &Tag<'a>) -> Step<Option<F>>,
) -> Step<Option<Property<F>>> {
    let mut id = None;
    let mut description = None;
    let mut formula = None;
    let mut has_formula = false;
    while let Some(tag) = xml.child()? {
        match tag.name {
            "id" => {
                let (text, offset) = xml.text()?;
                id = Some((text.trim().to_string(), offset));
            }
            "description" => description = Some(xml.text()?.0.trim().to_string()),
            "formula" if has_formula => {
                xml.findings.error(tag.offset, "a second formula in the same property")?;
                xml.skip()?;
            }
            "formula" => {
                has_formula = true;
                formula = read_formula(xml, &tag)?;
            }
            _ => xml.skip()?,
        }
    }
    let mut is_right = true;
    let id = match id {
        Some((id, offset)) if !id.is_empty() => {
            if id.contains(char::is_whitespace) {
                is_right = false;
                let message = format!("the id \"{}\" has a space in it", shown(&id));
                xml.findings.error(offset, message)?;
            }
            if !ids.insert(id.clone()) {
                let message = format!("a second property has the id \"{}\"", shown(&id));
                xml.findings.error(offset, message)?;
            }
            id
        }
        _ => {
            let hint = "expected <id>…</id> in it";
            xml.findings.error_with_hint(property.offset, "a property without id", hint)?;
            return Ok(None);
        }
    };
    // One mistake a property is enough to begin with.
    if !has_formula && is_right {
        let message = format!("property \"{}\" has no formula", shown(&id));
        let hint = format!("expected <formula>{expected}</formula> in it");
        xml.findings.error_with_hint(property.offset, message, hint)?;
    }
    Ok(formula.map(|formula| Property { id, description, formula }))
}
