//! What every reader of text needs: bytes made into text, places in it, what is wrong with it, and
//! XML.
//!
//! Readers note [`Findings`] at byte offsets and go on where that makes sense, so that one run
//! shows all mistakes. At the end one sweep over the text turns them into [`Diagnostic`]s with
//! lines and columns, which front ends draw.
//!
//! ```text
//! bytes ──decode──▶ text ──some reader──▶ what it says
//!                            └─▶ Findings ──▶ Diagnostics
//! ```

mod diagnostic;
mod encoding;
mod excerpt;
mod findings;
mod likely;
mod names;
mod property_set;
mod width;
mod xml;

pub use diagnostic::{Diagnostic, ReadError, ReadFailure, Severity};
pub use encoding::{decode_latin1, decode_xml, refuse_binary, refuse_binary_for};
pub use excerpt::{Excerpt, MarkedLine};
pub use findings::{Findings, Step, Stop};
pub use likely::{did_you_mean, likely, near_names, resembling_names};
pub use names::{KNOWN_ESCAPES, Quoted, Unquoted, begins_name, continues_name};
pub use property_set::{Property, read_property_set};
pub use xml::{Item, Space, Tag, Xml, shown};
