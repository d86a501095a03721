//! Places, transitions, arcs and their labels, in the standard's words and in those of common
//! tools.
//!
//! | tool | what it writes |
//! | --- | --- |
//! | TINA, GreatSPN | in arcs `<type value="inhibitor"/>`, `<type value="test"/>` |
//! | TINA, GreatSPN | in transitions `<delay>` |
//! | TAPAAL | attributes `initialMarking`, `invariant`, `urgent` |
//! | TAPAAL | on arcs `type="tapnInhibitor"`, `weight` |
//! | ProM | `<arctype><text>reset</text></arctype>` inside an arc |
//! | PIPE | `<value>` for `<text>`, `Default,3` for 3 tokens, `<capacity>` inside a place |

use super::PnmlReader;
use super::document::{Label, single_spaced};
use super::draft::ArcDraft;
use super::nodes::{ArcEnds, ArcKind, KNOWN_ARC_TYPES};
use crate::net::LARGEST_COUNT;
use std::borrow::Cow;
use symbolon_source::{Item, Space, Step, Tag, shown};

/// What a number of tokens may be.
#[derive(Clone, Copy)]
struct CountRule {
    what: &'static str,
    missing: u64,
}

const MARKING: CountRule = CountRule { what: "initial marking", missing: 0 };
const WEIGHT: CountRule = CountRule { what: "arc weight", missing: 1 };

impl<'a> PnmlReader<'a> {
    /// Reads the inside of a label, which it leaves.
    pub(super) fn label(&mut self) -> Step<Label> {
        Label::read(&mut self.xml)
    }

    pub(super) fn place(&mut self, tag: &Tag<'a>, page: Option<u32>) -> Step<()> {
        let (mut id, mut name, mut marking, mut invariant) = (None, None, None, None);
        self.xml.attributes(tag, |key, value| match key {
            "id" => id = Some(value),
            "name" => name = Some(value),
            "initialMarking" => marking = Some(value),
            "invariant" => invariant = Some(value),
            _ => {}
        })?;
        let mut initial = match marking {
            Some(text) => {
                self.count(&Label { text: Some(text.into_owned()), offset: tag.offset }, MARKING)?
            }
            None => MARKING.missing,
        };
        if let Some(invariant) = invariant.filter(|text| !is_no_bound(text)) {
            let message = format!("place invariant \"{}\": timed nets are not supported", shown(&invariant));
            self.xml.findings.error(tag.offset, message)?;
        }
        let mut label = name.map(|name| single_spaced(name.into_owned()));
        while let Some(child) = self.xml.child()? {
            match child.name {
                "name" => label = self.label()?.text.or(label),
                "initialMarking" => {
                    let text = self.label()?;
                    initial = self.count(&text, MARKING)?;
                }
                "capacity" => {
                    let text = self.label()?;
                    if text.text.as_deref().is_some_and(|capacity| capacity_of(capacity) != Some(0)) {
                        let message = "place capacities are not supported";
                        let hint = "a place that holds the free slots does the same";
                        self.xml.findings.error_with_hint(child.offset, message, hint)?;
                    }
                }
                "type" | "hlinitialMarking" => self.coloured_construct(&child)?,
                "toolspecific" | "graphics" => self.xml.skip()?,
                _ => self.ignore(&child, "a place")?,
            }
        }
        let id = id.as_deref().unwrap_or_default().trim();
        if id.is_empty() {
            return self.missing_id(tag);
        }
        if !self.draft.add_place(id, label, initial, page) {
            return self.duplicate_id(tag, id);
        }
        Ok(())
    }

    pub(super) fn transition(&mut self, tag: &Tag<'a>) -> Step<()> {
        let (mut id, mut name, mut urgent) = (None, None, false);
        self.xml.attributes(tag, |key, value| match key {
            "id" => id = Some(value),
            "name" => name = Some(value),
            "urgent" => urgent = value.trim() == "true",
            _ => {}
        })?;
        if urgent {
            self.xml.findings.error(tag.offset, "urgent transition: timed nets are not supported")?;
        }
        let mut label = name.map(|name| single_spaced(name.into_owned()));
        while let Some(child) = self.xml.child()? {
            match child.name {
                "name" => label = self.label()?.text.or(label),
                "delay" => self.delay(&child)?,
                "condition" => self.coloured_construct(&child)?,
                "toolspecific" | "graphics" | "orientation" | "infiniteServer" | "rate" => self.xml.skip()?,
                _ => self.ignore(&child, "a transition")?,
            }
        }
        let id = id.as_deref().unwrap_or_default().trim();
        if id.is_empty() {
            return self.missing_id(tag);
        }
        if !self.draft.add_transition(id, label) {
            return self.duplicate_id(tag, id);
        }
        Ok(())
    }

    pub(super) fn reference(&mut self, tag: &Tag<'a>) -> Step<()> {
        let (mut id, mut to) = (None, None);
        self.xml.attributes(tag, |key, value| match key {
            "id" => id = Some(value),
            "ref" => to = Some(value),
            _ => {}
        })?;
        self.xml.skip()?;
        let id = id.as_deref().unwrap_or_default().trim();
        let to = to.as_deref().unwrap_or_default().trim();
        if id.is_empty() {
            return self.missing_id(tag);
        }
        if to.is_empty() {
            let message = format!("<{}> \"{}\" has no ref", tag.shown(), shown(id));
            return self.xml.findings.error(tag.offset, message);
        }
        if !self.draft.nodes.add_reference(id, to, tag.name == "referencePlace", tag.offset) {
            return self.duplicate_id(tag, id);
        }
        Ok(())
    }

    pub(super) fn arc(&mut self, tag: &Tag<'a>) -> Step<()> {
        let (mut id, mut source, mut target, mut kind_text) = (None, None, None, None);
        let (mut weight_text, mut inscription) = (None, None);
        self.xml.attributes(tag, |key, value| match key {
            "id" => id = Some(value),
            "source" => source = Some(value),
            "target" => target = Some(value),
            "type" => kind_text = Some(value),
            "weight" => weight_text = Some(value),
            "inscription" => inscription = Some(value),
            _ => {}
        })?;
        let mut kind = if tag.name == "inhibitorArc" { ArcKind::Inhibitor } else { ArcKind::Ordinary };
        if let Some(text) = kind_text
            && !self.refine_kind(&mut kind, &text, tag.offset)?
        {
            // What else such an arc says follows rules that are not known here.
            return self.xml.skip();
        }
        // TAPAAL writes a time interval, or a number that `weight` repeats.
        if let Some(text) = inscription.filter(|text| !is_whole_interval(text)) {
            if text.contains([',', '[', ']', '(', ')']) {
                let message =
                    format!("arc with time interval \"{}\": timed nets are not supported", shown(&text));
                self.xml.findings.error(tag.offset, message)?;
            } else {
                weight_text = weight_text.or(Some(text));
            }
        }
        let mut weight = match weight_text {
            Some(text) => self.count(&Label { text: Some(text.into_owned()), offset: tag.offset }, WEIGHT)?,
            None => WEIGHT.missing,
        };
        while let Some(child) = self.xml.child()? {
            match child.name {
                "inscription" => {
                    let text = self.label()?;
                    weight = self.count(&text, WEIGHT)?;
                }
                "type" | "arctype" => {
                    let value = self.xml.attribute(&child, "value")?;
                    let label = self.label()?;
                    if let Some(text) = value.map(Cow::into_owned).or(label.text) {
                        self.refine_kind(&mut kind, &text, child.offset)?;
                    }
                }
                "hlinscription" => self.coloured_construct(&child)?,
                "name" | "toolspecific" | "graphics" | "arcpath" | "tagged" => self.xml.skip()?,
                "delay" | "interval" => {
                    self.xml.findings.error(child.offset, "timed arc: timed nets are not supported")?;
                    self.xml.skip()?;
                }
                _ => self.ignore(&child, "an arc")?,
            }
        }
        let id = match id {
            Some(Cow::Borrowed(id)) => Cow::Borrowed(id.trim()),
            Some(Cow::Owned(id)) => Cow::Owned(id.trim().to_string()),
            None => Cow::Borrowed(""),
        };
        for (end, word) in [(&source, "source"), (&target, "target")] {
            if end.as_deref().is_none_or(|end| end.trim().is_empty()) {
                let message = format!("arc \"{}\" has no {word}", shown(&id));
                return self.xml.findings.error(tag.offset, message);
            }
        }
        if !id.is_empty() && !self.arc_ids.insert(id.clone()) {
            self.xml.findings.warning(tag.offset, format!("a second arc has the id \"{}\"", shown(&id)));
        }
        if weight == 0 && kind != ArcKind::Reset {
            if kind == ArcKind::Inhibitor {
                let message = "inhibitor arc of weight 0: its transition could never fire";
                return self.xml.findings.error(tag.offset, message);
            }
            self.xml.findings.warning(tag.offset, format!("arc \"{}\" of weight 0 is dropped", shown(&id)));
            return Ok(());
        }
        let source = self.draft.nodes.symbol(source.as_deref().unwrap_or_default().trim());
        let target = self.draft.nodes.symbol(target.as_deref().unwrap_or_default().trim());
        let ends = ArcEnds { source, target, kind, offset: tag.offset };
        self.draft.add_arc(ArcDraft { ends, weight });
        Ok(())
    }

    /// Says `false`, after an error, if the kind is not known.
    fn refine_kind(&mut self, kind: &mut ArcKind, text: &str, offset: usize) -> Step<bool> {
        let Some(found) = ArcKind::named(text) else {
            let message = format!("arc of type \"{}\" is not supported", shown(text.trim()));
            self.xml.findings.error_with_hint(offset, message, KNOWN_ARC_TYPES)?;
            return Ok(false);
        };
        if *kind != ArcKind::Ordinary && found != *kind {
            self.xml.findings.error(offset, "the arc has two different types")?;
            return Ok(false);
        }
        *kind = found;
        Ok(true)
    }

    /// A number of tokens. What is not one is an error, and reading goes on with the value for
    /// none.
    fn count(&mut self, label: &Label, rule: CountRule) -> Step<u64> {
        let Some(text) = &label.text else { return Ok(rule.missing) };
        let digits = text.trim();
        // PIPE writes the colour of its only kind of token.
        let digits = digits.strip_prefix("Default,").unwrap_or(digits);
        // A sign that changes nothing.
        let digits = digits
            .strip_prefix('+')
            .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            .unwrap_or(digits);
        if digits.is_empty() {
            return Ok(rule.missing);
        }
        if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            if let Ok(value) = digits.parse::<u64>()
                && value <= LARGEST_COUNT
            {
                return Ok(value);
            }
            let message = format!("{} {} is too large", rule.what, shown(digits));
            let hint = format!("the largest number of tokens is {LARGEST_COUNT} (2^63 - 1)");
            self.xml.findings.error_with_hint(label.offset, message, hint)?;
            return Ok(rule.missing);
        }
        let unsigned = digits.strip_prefix(['-', '\u{2212}']);
        let adjective = match unsigned.unwrap_or(digits).trim_start().parse::<f64>() {
            Ok(_) if unsigned.is_some() => "negative ",
            Ok(_) => "fractional ",
            Err(_) => "",
        };
        let message =
            format!("{adjective}{} \"{}\", expected a whole number of tokens", rule.what, shown(digits));
        self.xml.findings.error(label.offset, message)?;
        Ok(rule.missing)
    }

    /// A TINA delay; only the one that means nothing is allowed.
    fn delay(&mut self, tag: &Tag<'a>) -> Step<()> {
        let mut ends = Vec::new();
        let mut open_below = false;
        let mut depth = 1;
        while depth > 0 {
            match self.xml.advance()? {
                Item::Start(child) => {
                    depth += 1;
                    if child.name == "interval" {
                        let closure = self.xml.attribute(&child, "closure")?;
                        open_below |= closure.is_some_and(|closure| {
                            let closure = closure.trim();
                            closure == "open" || closure.starts_with("open-")
                        });
                    }
                }
                Item::Text(text, _) if !text.trim().is_empty() && ends.len() < 3 => {
                    ends.push(text.trim().to_ascii_lowercase());
                }
                Item::Text(..) => {}
                Item::End => depth -= 1,
                Item::Finished => break,
            }
        }
        let ends: Vec<&str> = ends.iter().map(String::as_str).collect();
        let means_nothing =
            !open_below && matches!(ends[..], [] | ["0" | "0.0" | "0.", "infty" | "inf" | "infinity" | "w"]);
        if means_nothing {
            return Ok(());
        }
        let message = format!("delay [{}]: timed nets are not supported", shown(&ends.join(", ")));
        self.xml.findings.error(tag.offset, message)
    }

    /// Passes over an element that is not known here, unless it belongs to the net itself.
    fn ignore(&mut self, tag: &Tag<'a>, inside: &str) -> Step<()> {
        let belongs_elsewhere = matches!(
            tag.name,
            "net" | "page" | "place" | "transition" | "arc" | "referencePlace" | "referenceTransition"
        );
        if belongs_elsewhere {
            let message = format!("found <{}> in {inside}, where it is not allowed", tag.shown());
            self.xml.findings.error_with_hint(tag.offset, message, "is an end tag missing before it?")?;
            return self.xml.skip();
        }
        if tag.space == Space::Own && self.warned.insert(tag.name) {
            self.xml.findings.warning(tag.offset, format!("<{}> in {inside} is ignored", tag.shown()));
        }
        self.xml.skip()
    }

    fn missing_id(&mut self, tag: &Tag<'a>) -> Step<()> {
        self.xml.findings.error(tag.offset, format!("<{}> has no id", tag.shown()))
    }

    fn duplicate_id(&mut self, tag: &Tag<'a>, id: &str) -> Step<()> {
        let message = format!("the id \"{}\" of this <{}> is already taken", shown(id), tag.shown());
        self.xml.findings.error_with_hint(tag.offset, message, "ids of nodes must be distinct")
    }
}

/// Whether a TAPAAL invariant says nothing.
fn is_no_bound(text: &str) -> bool {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    text.is_empty() || text == "<inf" || text == "<=inf"
}

/// Whether a TAPAAL time interval says nothing.
fn is_whole_interval(text: &str) -> bool {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    text.is_empty() || text == "[0,inf)"
}

fn capacity_of(text: &str) -> Option<u64> {
    text.trim().trim_start_matches("Default,").parse().ok()
}
