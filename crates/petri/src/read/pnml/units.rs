//! Nested units: the tool-specific section of NUPN 1.1 (Garavel, *Nested-unit Petri nets*, JLAMP
//! 2019), and our own section for nets whose units NUPN cannot say.
//!
//! ```xml
//! <toolspecific tool="nupn" version="1.1">
//!   <structure units="2" root="u0" safe="true">
//!     <unit id="u0"><places>p1 p2</places><subunits>u1</subunits></unit>
//!     <unit id="u1"><places>p3</places><subunits/></unit>
//!   </structure>
//! </toolspecific>
//! <toolspecific tool="symbolon" version="1">
//!   <units claim="nothing">
//!     <unit id="page 1"><places>0 1</places></unit>
//!     <unit id="page 2" parent="0"><places>2</places></unit>
//!   </units>
//! </toolspecific>
//! ```
//!
//! Our section counts places and units from 0, in the order of the file. Units only help; a section
//! that makes no sense is ignored with a warning.

use super::PnmlReader;
use crate::net::{Net, PlaceId, Unit, UnitClaim};
use rustc_hash::FxHashMap;
use symbolon_source::{Findings, Item, Step, Tag, shown};

/// The units as written.
pub(super) struct UnitsDraft {
    units: Vec<UnitDraft>,
    root: Option<String>,
    claim: UnitClaim,
    /// Whether units are NUPN's, with names, or ours, with numbers.
    by_name: bool,
    declared_count: Option<String>,
    offset: usize,
}

struct UnitDraft {
    id: String,
    places: String,
    subunits: String,
    parent: Option<String>,
}

impl<'a> PnmlReader<'a> {
    /// Reads a tool-specific section of a net or a page.
    pub(super) fn tool_specific(&mut self, tag: &Tag<'a>) -> Step<()> {
        let (mut tool, mut version) = (None, None);
        self.xml.attributes(tag, |key, value| match key {
            "tool" => tool = Some(value),
            "version" => version = Some(value),
            _ => {}
        })?;
        let tool = tool.as_deref().unwrap_or_default().trim();
        let version = version.as_deref().unwrap_or_default().trim();
        let by_name = match (tool, version) {
            ("nupn", "1.1") => true,
            ("symbolon", "1") => false,
            ("nupn", _) => {
                let message = format!("NUPN section of version \"{}\" is ignored", shown(version));
                self.xml.findings.warning(tag.offset, message);
                self.xml.findings.hint("expected version \"1.1\"");
                return self.xml.skip();
            }
            _ => return self.xml.skip(),
        };
        let mut draft = UnitsDraft {
            units: Vec::new(),
            root: None,
            claim: if by_name { UnitClaim::NestedUnits } else { UnitClaim::Nothing },
            by_name,
            declared_count: None,
            offset: tag.offset,
        };
        let mut depth = 1;
        while depth > 0 {
            let child = match self.xml.advance()? {
                Item::Start(child) => child,
                Item::End => {
                    depth -= 1;
                    continue;
                }
                Item::Text(..) => continue,
                Item::Finished => break,
            };
            match child.name {
                "structure" | "units" => {
                    depth += 1;
                    self.xml.attributes(&child, |key, value| match (key, value.trim()) {
                        ("root", root) => draft.root = Some(root.to_string()),
                        ("units", count) => draft.declared_count = Some(count.to_string()),
                        ("safe", "true") | ("claim", "unit-safe") => draft.claim = UnitClaim::UnitSafe,
                        ("claim", "nested-units") => draft.claim = UnitClaim::NestedUnits,
                        _ => {}
                    })?;
                }
                "unit" => {
                    let unit = self.unit(&child)?;
                    draft.units.push(unit);
                }
                _ => self.xml.skip()?,
            }
        }
        if draft.units.is_empty() {
            return Ok(());
        }
        if self.draft.units.is_some() {
            self.xml.findings.warning(tag.offset, "a second section of units is ignored");
        } else {
            self.draft.units = Some(draft);
        }
        Ok(())
    }

    fn unit(&mut self, tag: &Tag<'a>) -> Step<UnitDraft> {
        let mut unit =
            UnitDraft { id: String::new(), places: String::new(), subunits: String::new(), parent: None };
        self.xml.attributes(tag, |key, value| match key {
            "id" => unit.id = value.trim().to_string(),
            "parent" => unit.parent = Some(value.trim().to_string()),
            _ => {}
        })?;
        loop {
            match self.xml.advance()? {
                Item::Start(child) if child.name == "places" => unit.places = self.xml.text()?.0,
                Item::Start(child) if child.name == "subunits" => unit.subunits = self.xml.text()?.0,
                Item::Start(_) => self.xml.skip()?,
                Item::Text(..) => {}
                Item::End | Item::Finished => return Ok(unit),
            }
        }
    }
}

/// Gives `net` the units that were read, or warns that they make no sense.
pub(super) fn resolve_units(
    draft: UnitsDraft,
    place_of: impl Fn(&str) -> Option<PlaceId>,
    net: &mut Net,
    findings: &mut Findings,
) {
    let offset = draft.offset;
    let declared = draft.declared_count.clone().filter(|count| *count != draft.units.len().to_string());
    if let Some(declared) = declared {
        let message = format!("{} units are declared, but there are {}", shown(&declared), draft.units.len());
        findings.warning(offset, message);
    }
    let claim = draft.claim;
    match units(draft, place_of, net.places.len()) {
        Ok(units) => {
            net.units = units;
            net.unit_claim = claim;
        }
        Err(reason) => findings.warning(offset, format!("the section of units is ignored: {reason}")),
    }
}

fn units(
    draft: UnitsDraft,
    place_of: impl Fn(&str) -> Option<PlaceId>,
    place_count: usize,
) -> Result<Vec<Unit>, String> {
    let number_of_unit: FxHashMap<&str, u32> =
        draft.units.iter().enumerate().map(|(number, unit)| (unit.id.as_str(), number as u32)).collect();
    if draft.by_name && number_of_unit.len() < draft.units.len() {
        return Err("two units have the same id".into());
    }
    let mut parents: Vec<Option<u32>> = vec![None; draft.units.len()];
    for (number, unit) in draft.units.iter().enumerate() {
        if let Some(parent) = &unit.parent {
            let parent = parent.parse::<u32>().ok().filter(|parent| (*parent as usize) < draft.units.len());
            parents[number] =
                Some(parent.ok_or_else(|| format!("unit \"{}\" has a wrong parent", shown(&unit.id)))?);
        }
        for name in unit.subunits.split_whitespace() {
            let child = *number_of_unit.get(name).ok_or_else(|| {
                format!("there is no unit \"{}\", a subunit of \"{}\"", shown(name), shown(&unit.id))
            })?;
            if parents[child as usize].replace(number as u32).is_some() {
                return Err(format!("unit \"{}\" lies in two units", shown(name)));
            }
        }
    }
    if let Some(root) = draft.root.as_deref().filter(|_| draft.by_name) {
        let root =
            *number_of_unit.get(root).ok_or_else(|| format!("there is no root unit \"{}\"", shown(root)))?;
        if let Some(other) = (0..parents.len()).find(|n| parents[*n].is_none() != (*n == root as usize)) {
            return Err(format!("unit \"{}\" is not below the root unit", shown(&draft.units[other].id)));
        }
    }
    let order = parents_first(&parents)?;
    let mut position = vec![0; order.len()];
    for (at, number) in order.iter().enumerate() {
        position[*number as usize] = at as u32;
    }
    let mut taken = vec![false; place_count];
    let mut units = Vec::with_capacity(order.len());
    for number in order {
        let unit = &draft.units[number as usize];
        let mut places = Vec::new();
        for name in unit.places.split_whitespace() {
            let place = if draft.by_name {
                place_of(name)
            } else {
                name.parse().ok().filter(|index| (*index as usize) < place_count).map(PlaceId)
            };
            let place = place.ok_or_else(|| {
                format!("there is no place \"{}\" of unit \"{}\"", shown(name), shown(&unit.id))
            })?;
            if std::mem::replace(&mut taken[place.index()], true) {
                return Err(format!("place \"{}\" lies in two units", shown(name)));
            }
            places.push(place);
        }
        let parent = parents[number as usize].map(|parent| position[parent as usize]);
        units.push(Unit { id: unit.id.clone(), parent, places });
    }
    Ok(units)
}

/// The order as given if parents come first in it, else one in which they do.
fn parents_first(parents: &[Option<u32>]) -> Result<Vec<u32>, String> {
    let in_order =
        parents.iter().enumerate().all(|(unit, parent)| parent.is_none_or(|p| (p as usize) < unit));
    if in_order {
        return Ok((0..parents.len() as u32).collect());
    }
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); parents.len()];
    let mut stack: Vec<u32> = Vec::new();
    for (unit, parent) in parents.iter().enumerate().rev() {
        match parent {
            Some(parent) => children[*parent as usize].push(unit as u32),
            None => stack.push(unit as u32),
        }
    }
    let mut order = Vec::with_capacity(parents.len());
    while let Some(unit) = stack.pop() {
        order.push(unit);
        stack.append(&mut children[unit as usize]);
    }
    if order.len() < parents.len() {
        return Err("units contain each other in a circle".into());
    }
    Ok(order)
}
