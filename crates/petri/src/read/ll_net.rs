//! The `.ll_net` reader: the line-oriented format of PEP and of the unfolders that grew around it.
//!
//! ```text
//! PEP
//! PTNet
//! FORMAT_N2
//! PL
//! 1"idle"80@40M1b"waiting for work"
//! 2"busy"80@80
//! TR
//! 1"start"40@60
//! TP
//! 1<2
//! PT
//! 1>1w2
//! ```
//!
//! Arcs name nodes by number. Names may repeat; a node whose name does is called by its number. An
//! arc that is listed twice is one arc.

use super::Reading;
use super::guess::describe_text;
use crate::arc::{Arc, tidy_arcs};
use crate::net::{LARGEST_COUNT, Net, Place, PlaceId, Transition};
use rustc_hash::{FxHashMap, FxHashSet};
use symbolon_budget::{Budget, Meter};
use symbolon_source::{Findings, ReadFailure, Step, Stop, decode_latin1, refuse_binary, shown};

/// Reads a net from the `.ll_net` format (Latin-1).
pub fn read_ll_net(bytes: &[u8], budget: &Budget) -> Result<Reading, ReadFailure> {
    let mut findings = Findings::default();
    if bytes.is_empty() {
        let stop = findings.fatal_with_hint(None, "the file is empty", "expected a line \"PEP\"");
        return Err(findings.into_failure(stop, ""));
    }
    if let Err(stop) = refuse_binary(bytes, &mut findings) {
        return Err(findings.into_failure(stop, ""));
    }
    let text = decode_latin1(bytes);
    let mut reader = LlNetReader {
        text: &text,
        offset: 0,
        meter: Meter::new(budget.clone()),
        findings,
        places: Nodes::default(),
        transitions: Nodes::default(),
        arcs: Vec::new(),
    };
    let net = reader.document().and_then(|()| reader.finish());
    let findings = reader.findings;
    match net {
        Ok(net) if !findings.has_errors() => Ok(Reading { net, warnings: findings.into_diagnostics(&text) }),
        Ok(_) => Err(findings.into_failure(Stop::Invalid, &text)),
        Err(stop) => Err(findings.into_failure(stop, &text)),
    }
}

struct LlNetReader<'a> {
    text: &'a str,
    offset: usize,
    meter: Meter,
    findings: Findings,
    places: Nodes,
    transitions: Nodes,
    arcs: Vec<ListedArc>,
}

/// Places or transitions, as written.
#[derive(Default)]
struct Nodes {
    list: Vec<Node>,
    /// From the numbers of the file to ours.
    index: FxHashMap<u64, u32>,
}

struct Node {
    number: u64,
    name: String,
    label: Option<String>,
    initial: u64,
}

struct ListedArc {
    place: u64,
    transition: u64,
    weight: u64,
    kind: ArcKind,
    offset: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum ArcKind {
    Input,
    Output,
    Read,
}

/// The sections that mean something to us.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Defaults,
    Places,
    Transitions,
    Arcs(ArcKind),
    Unknown,
}

impl<'a> LlNetReader<'a> {
    fn document(&mut self) -> Step<()> {
        self.head()?;
        let mut section = Section::Defaults;
        while self.offset < self.text.len() {
            self.meter.step()?;
            let line = self.peek_line();
            let word = line.trim();
            if word.is_empty() || word.starts_with('%') {
                self.skip_line();
            } else if word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_uppercase()) {
                section = match word {
                    "PL" => Section::Places,
                    "TR" => Section::Transitions,
                    "TP" => Section::Arcs(ArcKind::Output),
                    "PT" => Section::Arcs(ArcKind::Input),
                    "RA" => Section::Arcs(ArcKind::Read),
                    "TX" => break,
                    _ => {
                        self.findings.warning(self.offset, format!("section \"{word}\" is skipped"));
                        Section::Unknown
                    }
                };
                self.skip_line();
            } else {
                match section {
                    Section::Defaults | Section::Unknown => self.skip_line(),
                    Section::Places => self.node(true)?,
                    Section::Transitions => self.node(false)?,
                    Section::Arcs(kind) => self.arc(kind)?,
                }
            }
        }
        if self.places.list.is_empty() && self.transitions.list.is_empty() {
            let hint = "expected sections \"PL\" and \"TR\"";
            let message = "the file has neither places nor transitions";
            return Err(self.findings.fatal_with_hint(None, message, hint));
        }
        Ok(())
    }

    fn head(&mut self) -> Step<()> {
        let expected: [(&str, &[&str]); 3] = [
            ("\"PEP\"", &["PEP"]),
            ("\"PTNet\" or \"PetriBox\"", &["PTNet", "PetriBox"]),
            ("\"FORMAT_N\" or \"FORMAT_N2\"", &["FORMAT_N", "FORMAT_N2"]),
        ];
        for (wanted, words) in expected {
            while self.offset < self.text.len() && self.peek_line().trim().is_empty() {
                self.skip_line();
            }
            let word = self.peek_line().trim();
            if !words.iter().any(|known| known.eq_ignore_ascii_case(word)) {
                let message = if word.is_empty() {
                    format!("the file ends, expected a line {wanted}")
                } else {
                    format!("found \"{}\", expected a line {wanted}", shown(word))
                };
                let stop = self.findings.fatal(self.offset, message);
                if word.eq_ignore_ascii_case("HLNet") {
                    self.findings.hint("high-level nets are not supported; give the low-level net");
                } else if let Some(other) = describe_text(self.text)
                    && wanted == "\"PEP\""
                {
                    self.findings.hint(other);
                }
                return Err(stop);
            }
            self.skip_line();
        }
        Ok(())
    }

    /// A place or a transition: `number"name"layout flags`.
    fn node(&mut self, is_place: bool) -> Step<()> {
        let begin = self.offset;
        self.skip_blanks();
        let number = self.number()?;
        self.skip_blanks();
        let mut name = String::new();
        if self.peek() == Some('"') {
            name = self.quoted(false)?;
        }
        if number.is_none() && name.is_empty() {
            let line = shown(self.text[begin..].lines().next().unwrap_or_default().trim());
            self.findings
                .error(begin, format!("found \"{line}\", expected a number and a name in quotes"))?;
            self.skip_line();
            return Ok(());
        }
        let mut initial = 0;
        let mut label = None;
        while let Some(letter) = self.peek().filter(|c| *c != '\n' && *c != '\r') {
            let at = self.offset;
            match letter {
                '"' => {
                    self.quoted(true)?;
                }
                'b' if self.text[at + 1..].starts_with('"') => {
                    self.offset += 1;
                    label = Some(self.quoted(true)?);
                }
                'M' if is_place => {
                    self.offset += 1;
                    match self.whole_number()? {
                        Some(tokens) => initial = tokens,
                        None => self.findings.error(at, "\"M\" without a whole number of tokens")?,
                    }
                }
                'k' if is_place && self.text[at + 1..].starts_with(|c: char| c.is_ascii_digit()) => {
                    self.findings.warning(at, "the capacity of a place is ignored");
                    self.offset += 1;
                }
                other => self.offset += other.len_utf8(),
            }
        }
        self.skip_line();
        let nodes = if is_place { &mut self.places } else { &mut self.transitions };
        let number =
            number.unwrap_or_else(|| nodes.list.last().map_or(1, |last| last.number.saturating_add(1)));
        let label = label.map(single_spaced).filter(|label| !label.is_empty());
        if nodes.index.contains_key(&number) {
            let kind = if is_place { "place" } else { "transition" };
            return self.findings.error_with_hint(
                begin,
                format!("a second {kind} has the number {number}"),
                "numbers must be distinct, or absent",
            );
        }
        nodes.index.insert(number, nodes.list.len() as u32);
        nodes.list.push(Node { number, name: single_spaced(name), label, initial });
        Ok(())
    }

    /// An arc: `transition<place` or `place>transition`, then a weight and layout.
    fn arc(&mut self, kind: ArcKind) -> Step<()> {
        let offset = self.offset;
        self.skip_blanks();
        let first = self.number()?;
        self.skip_blanks();
        let sign = self.peek().filter(|c| matches!(c, '<' | '>'));
        let mut second = None;
        if sign.is_some() {
            self.offset += 1;
            self.skip_blanks();
            second = self.number()?;
        }
        let (Some(first), Some(sign), Some(second)) = (first, sign, second) else {
            let line = shown(self.text[offset..].lines().next().unwrap_or_default().trim());
            let expected = if kind == ArcKind::Output { "transition<place" } else { "place>transition" };
            self.findings.error(offset, format!("found \"{line}\", expected {expected} as numbers"))?;
            self.skip_line();
            return Ok(());
        };
        let (place, transition) = if sign == '>' { (first, second) } else { (second, first) };
        if (sign == '<') != (kind == ArcKind::Output) && kind != ArcKind::Read {
            let (found, section) =
                if sign == '<' { ("transition<place", "PT") } else { ("place>transition", "TP") };
            self.findings.error(offset, format!("found an arc {found} in section \"{section}\""))?;
        }
        let mut weight = 1;
        while let Some(letter) = self.peek().filter(|c| *c != '\n' && *c != '\r') {
            let at = self.offset;
            if letter == '"' {
                self.quoted(true)?;
            } else {
                self.offset += letter.len_utf8();
                if letter == 'w' {
                    match self.whole_number()? {
                        Some(0) => {
                            self.findings.warning(at, "an arc of weight 0 is dropped");
                            weight = 0;
                        }
                        Some(number) => weight = number,
                        None => self.findings.error(at, "\"w\" without a whole number as weight")?,
                    }
                }
            }
        }
        self.skip_line();
        if weight > 0 {
            self.arcs.push(ListedArc { place, transition, weight, kind, offset });
        }
        Ok(())
    }

    fn finish(&mut self) -> Step<Net> {
        let mut net = Net::default();
        for (node, (id, label)) in self.places.list.iter().zip(names(&self.places.list)) {
            net.places.push(Place { id, label, initial: node.initial });
        }
        for (id, label) in names(&self.transitions.list) {
            net.transitions.push(Transition { id, label, ..Transition::default() });
        }
        let mut seen: FxHashMap<(u32, u32, ArcKind), u64> = FxHashMap::default();
        for arc in &self.arcs {
            self.meter.step()?;
            let place = self.places.index.get(&arc.place).copied();
            let transition = self.transitions.index.get(&arc.transition).copied();
            let (Some(place), Some(transition)) = (place, transition) else {
                let (kind, number) =
                    if place.is_none() { ("place", arc.place) } else { ("transition", arc.transition) };
                self.findings
                    .error(arc.offset, format!("arc refers to {kind} {number}, which does not exist"))?;
                continue;
            };
            if let Some(weight) = seen.insert((transition, place, arc.kind), arc.weight) {
                if weight != arc.weight {
                    let message =
                        format!("the arc is listed twice, with weights {weight} and {}", arc.weight);
                    self.findings.error(arc.offset, message)?;
                }
                continue;
            }
            let transition = &mut net.transitions[transition as usize];
            let (place, weight) = (PlaceId(place), arc.weight);
            transition.arcs.push(match arc.kind {
                ArcKind::Input => Arc::Input { place, weight },
                ArcKind::Output => Arc::Output { place, weight },
                ArcKind::Read => Arc::Read { place, weight },
            });
        }
        net.transitions.iter_mut().for_each(|transition| tidy_arcs(&mut transition.arcs));
        Ok(net)
    }

    fn peek(&self) -> Option<char> {
        self.text[self.offset..].chars().next()
    }

    fn peek_line(&self) -> &'a str {
        let rest = &self.text[self.offset..];
        rest.split(['\n', '\r']).next().unwrap_or_default()
    }

    fn skip_line(&mut self) {
        self.offset += self.peek_line().len();
        let rest = &self.text[self.offset..];
        self.offset += if rest.starts_with("\r\n") { 2 } else { usize::from(!rest.is_empty()) };
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.offset..];
        self.offset += rest.len() - rest.trim_start_matches([' ', '\t']).len();
    }

    /// The number that stands here, if one does; one that is too large is an error.
    fn number(&mut self) -> Step<Option<u64>> {
        let rest = &self.text[self.offset..];
        let length = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if length == 0 {
            return Ok(None);
        }
        let begin = self.offset;
        self.offset += length;
        match rest[..length].parse::<u64>() {
            Ok(number) if number <= LARGEST_COUNT => Ok(Some(number)),
            _ => {
                let message = format!("the number {} is too large", shown(&rest[..length]));
                let hint = format!("the largest number is {LARGEST_COUNT} (2^63 - 1)");
                self.findings.error_with_hint(begin, message, hint)?;
                Ok(Some(1))
            }
        }
    }

    /// The number that stands here, if one does and no fraction follows it.
    fn whole_number(&mut self) -> Step<Option<u64>> {
        let number = self.number()?;
        let fraction = self.text[self.offset..].strip_prefix(['.', ',']);
        let is_fraction = fraction.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        Ok(number.filter(|_| !is_fraction))
    }

    /// The text in quotes that begins here. Only labels may go on over the end of a line.
    fn quoted(&mut self, over_lines: bool) -> Step<String> {
        let begin = self.offset;
        let inside = &self.text[begin + 1..];
        match inside.find(|c: char| c == '"' || (!over_lines && (c == '\n' || c == '\r'))) {
            Some(length) if inside[length..].starts_with('"') => {
                self.offset = begin + 1 + length + 1;
                Ok(inside[..length].to_string())
            }
            _ => Err(self.findings.fatal(begin, "a text in quotes does not end")),
        }
    }
}

/// An id and a label for each node: its name if no other has it, else its number.
fn names(nodes: &[Node]) -> Vec<(String, Option<Box<str>>)> {
    let mut uses: FxHashMap<&str, usize> = FxHashMap::default();
    for node in nodes {
        *uses.entry(&node.name).or_default() += 1;
    }
    let is_unique = |node: &Node| !node.name.is_empty() && uses[node.name.as_str()] == 1;
    let mut taken: FxHashSet<String> =
        nodes.iter().filter(|node| is_unique(node)).map(|node| node.name.clone()).collect();
    nodes
        .iter()
        .map(|node| {
            let id = if is_unique(node) {
                node.name.clone()
            } else {
                let mut id = node.number.to_string();
                while !taken.insert(id.clone()) {
                    id.insert(0, '#');
                }
                id
            };
            let label = node.label.as_ref().unwrap_or(&node.name);
            let label = (!label.is_empty() && *label != id).then(|| label.as_str().into());
            (id, label)
        })
        .collect()
}

fn single_spaced(text: String) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
