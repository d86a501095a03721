//! The PNML reader: the document, its nets and their pages.
//!
//! The text is read once, front to back, into a `Draft` in which names are numbers and may still
//! lead nowhere; arcs may thus come before the nodes they join. `Draft::finish` then resolves
//! references and arcs into a [`Net`](crate::Net). What the standard leaves to tools, or tools
//! added on their own, is read in `elements.rs` (arc types, capacities, delays) and `units.rs`
//! (nested units). What readers of other net types need as well is public: `document.rs` (what every
//! PNML file has) and `nodes.rs` (places, transitions, references, and the arcs between them).

pub mod document;
mod draft;
mod elements;
pub mod nodes;
mod units;

use self::document::{NetType, enter_pnml, is_pnml, require_pnml, single_spaced, warn_about_rest};
use self::draft::{Draft, Page};
use self::nodes::KNOWN_ARC_TYPES;
use super::Reading;
use rustc_hash::FxHashSet;
use symbolon_budget::Budget;
use symbolon_source::{Findings, Item, ReadFailure, Space, Step, Stop, Tag, Xml, decode_xml, shown};

/// Reads a place/transition net from PNML.
///
/// Accepted are the standard's P/T nets, the older dialects of common editors, and these
/// extensions: NUPN 1.1 units, inhibitor and test arcs (TINA, TAPAAL), reset arcs (ProM). Several
/// arcs between the same nodes are added up. Coloured, timed and capacity constructs are errors.
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
        arc_ids: FxHashSet::default(),
        warned: FxHashSet::default(),
    };
    let net = match reader.document(&text) {
        Ok(()) => std::mem::take(&mut reader.draft).finish(budget, &mut reader.xml.findings),
        Err(stop) => Err(stop),
    };
    let findings = reader.xml.findings;
    match net {
        Ok(net) if !findings.has_errors() => Ok(Reading { net, warnings: findings.into_diagnostics(&text) }),
        Ok(_) => Err(findings.into_failure(Stop::Invalid, &text)),
        Err(stop) => Err(findings.into_failure(stop, &text)),
    }
}

/// The state of one reading.
struct PnmlReader<'a> {
    xml: Xml<'a>,
    draft: Draft,
    /// Ids of arcs, which nothing refers to; a duplicate is only worth a warning.
    arc_ids: FxHashSet<std::borrow::Cow<'a, str>>,
    /// Names of elements that a warning was already given for.
    warned: FxHashSet<&'a str>,
}

impl<'a> PnmlReader<'a> {
    fn document(&mut self, text: &str) -> Step<()> {
        enter_pnml(&mut self.xml, text)?;
        self.nets()?;
        warn_about_rest(&mut self.xml)
    }

    /// The nets of the document; the first place/transition net is read.
    fn nets(&mut self) -> Step<()> {
        let mut taken = None;
        let mut refused: Option<Refusal> = None;
        loop {
            let tag = match self.xml.advance()? {
                Item::Start(tag) => tag,
                Item::Text(..) => continue,
                Item::End | Item::Finished => break,
            };
            match tag.name {
                "net" if self.is_ours(&tag)? => {
                    let kind = self.xml.attribute(&tag, "type")?;
                    match NetType::named(kind.as_deref()) {
                        NetType::PlaceTransition if taken.is_none() => {
                            taken = Some(tag.offset);
                            if kind.is_none() {
                                self.xml
                                    .findings
                                    .warning(tag.offset, "<net> has no type; it is read as a P/T net");
                            }
                            self.net(&tag)?;
                        }
                        NetType::PlaceTransition => {
                            self.xml
                                .findings
                                .warning(tag.offset, "a further net is ignored; the first one is read");
                            self.xml.skip()?;
                        }
                        other => {
                            let kind = shown(kind.as_deref().unwrap_or_default());
                            let is_coloured = other == NetType::Coloured;
                            refused.get_or_insert(Refusal {
                                offset: tag.offset,
                                message: if is_coloured {
                                    format!(
                                        "a place/transition net has no colours: found net type \"{kind}\""
                                    )
                                } else {
                                    format!("unknown net type \"{kind}\"")
                                },
                                is_coloured,
                            });
                            self.xml.skip()?;
                        }
                    }
                }
                "declaration" => {
                    self.coloured_construct(&tag)?;
                }
                "shared-place" | "shared-transition" => {
                    let message = format!("<{}> is not supported: components cannot be joined", tag.name);
                    self.xml.findings.error(tag.offset, message)?;
                    self.xml.skip()?;
                }
                "place" | "transition" | "arc" | "page" => {
                    let message = format!("found <{}> outside <net>", tag.shown());
                    self.xml.findings.error(tag.offset, message)?;
                    self.xml.skip()?;
                }
                _ => self.xml.skip()?,
            }
        }
        match (taken, refused) {
            (None, Some(Refusal { offset, message, is_coloured: true })) => {
                Err(self.coloured(offset, message))
            }
            (None, Some(Refusal { offset, message, is_coloured: false })) => {
                let hint = "expected \"http://www.pnml.org/version-2009/grammar/ptnet\"";
                Err(self.xml.findings.fatal_with_hint(offset, message, hint))
            }
            (None, None) if self.xml.findings.has_errors() => Err(Stop::Invalid),
            (None, None) => {
                let hint = "expected <net id=\"…\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">";
                Err(self.xml.findings.fatal_with_hint(None, "the document contains no <net>", hint))
            }
            (Some(_), Some(Refusal { offset, message, .. })) => {
                self.xml.findings.warning(offset, format!("this net is ignored: {message}"));
                Ok(())
            }
            (Some(_), None) => Ok(()),
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
                "page" if self.is_ours(&tag)? => {
                    let id = self.xml.attribute(&tag, "id")?.unwrap_or_default().trim().to_string();
                    open_pages.push(self.draft.pages.len() as u32);
                    self.draft.pages.push(Page { id, parent: page });
                }
                "place" if self.is_ours(&tag)? => self.place(&tag, page)?,
                "transition" if self.is_ours(&tag)? => self.transition(&tag)?,
                "arc" | "inputArc" | "outputArc" | "inhibitorArc" if self.is_ours(&tag)? => self.arc(&tag)?,
                "referencePlace" | "referenceTransition" if self.is_ours(&tag)? => self.reference(&tag)?,
                "name" => {
                    let label = self.label()?;
                    if page.is_none() {
                        self.draft.name = label.text;
                    }
                }
                "toolspecific" => self.tool_specific(&tag)?,
                "declaration" | "declarations" | "variabledecl" | "namedsort" => {
                    self.coloured_construct(&tag)?;
                }
                // WoPeD writes a sub-process as a net on a page that is called like the transition
                // it refines.
                "net" if self.is_ours(&tag)? => {
                    let id =
                        page.and_then(|page| self.draft.pages.get(page as usize)).map(|page| shown(&page.id));
                    let message = match id {
                        Some(id) => format!(
                            "the sub-process on page '{id}' is ignored: transition '{id}' is read as a single step"
                        ),
                        None => "a net in a net is ignored".to_string(),
                    };
                    self.xml.findings.warning(tag.offset, message);
                    self.xml.skip()?;
                }
                other => {
                    if other.to_ascii_lowercase().ends_with("arc") {
                        let message = format!("<{}> is not supported", tag.shown());
                        self.xml.findings.error_with_hint(tag.offset, message, KNOWN_ARC_TYPES)?;
                    } else if tag.space == Space::Own && !is_layout(other) && self.warned.insert(other) {
                        self.xml.findings.warning(tag.offset, format!("<{}> is ignored", tag.shown()));
                    }
                    self.xml.skip()?;
                }
            }
        }
    }

    /// Whether an element that matters is PNML's; if not, that is an error, not something to skip.
    fn is_ours(&mut self, tag: &Tag<'a>) -> Step<bool> {
        require_pnml(&mut self.xml, tag)?;
        Ok(true)
    }

    /// Refuses a construct of coloured nets; nothing after it is worth reading.
    fn coloured_construct(&mut self, tag: &Tag<'a>) -> Step<()> {
        let message = format!("a place/transition net has no colours: found <{}>", tag.shown());
        Err(self.coloured(tag.offset, message))
    }

    fn coloured(&mut self, offset: usize, message: String) -> Stop {
        let stop = self.xml.findings.fatal_with_hint(offset, message, "unfold the net to a P/T net first");
        self.xml.findings.not_yet();
        stop
    }
}

/// A net that is not read: an error only if no other net is read.
struct Refusal {
    offset: usize,
    message: String,
    is_coloured: bool,
}

/// Elements between places and transitions that never change the behaviour of a net.
fn is_layout(name: &str) -> bool {
    matches!(name, "graphics" | "labels" | "finalmarkings" | "module" | "tokenclass" | "token" | "size")
}
