//! Which format a file is in, by what it contains and else by its name.

use symbolon_source::decode_latin1;

/// The formats of nets that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// The Petri Net Markup Language (ISO/IEC 15909-2).
    Pnml,
    /// The low-level net format of PEP.
    LlNet,
}

/// The format of a file: its content decides, then its name. `None` means neither tells.
pub fn guess_format(bytes: &[u8], file_name: Option<&str>) -> Option<Format> {
    let head = &bytes[..bytes.len().min(2000)];
    // UTF-16 text shows its letters once the zero bytes are gone.
    let head: Vec<u8> = head.iter().copied().filter(|byte| *byte != 0).collect();
    let head = decode_latin1(&head);
    let head =
        head.trim_start_matches(|c: char| c.is_whitespace() || "\u{EF}\u{BB}\u{BF}\u{FE}\u{FF}".contains(c));
    if head.starts_with('<') && head.contains("pnml") {
        return Some(Format::Pnml);
    }
    if head.lines().next().is_some_and(|line| line.trim() == "PEP") {
        return Some(Format::LlNet);
    }
    let name = file_name?.to_ascii_lowercase();
    if name.ends_with(".pnml") || head.starts_with('<') && name.ends_with(".xml") {
        Some(Format::Pnml)
    } else if name.ends_with(".ll_net") {
        Some(Format::LlNet)
    } else {
        None
    }
}

/// What a text seems to be that is not the format asked for.
pub(crate) fn describe_text(text: &str) -> Option<&'static str> {
    let head: String = text.chars().take(2000).collect();
    let head = head.trim_start();
    let has_line = |word: &str| head.lines().any(|line| line.trim_start().starts_with(word));
    if head.starts_with("PEP") && guess_format(head.as_bytes(), None) == Some(Format::LlNet) {
        Some("it looks like an .ll_net file")
    } else if has_line("Agent ") && has_line("Vars") || has_line("Semantics") {
        Some("it looks like an ISPL file, which is not a net")
    } else if head.starts_with("<") && head.contains("pnml") {
        Some("it looks like a PNML file")
    } else if head.starts_with("<!DOCTYPE html") || head.starts_with("<html") {
        Some("it looks like a web page")
    } else if head.starts_with('{') || head.starts_with('[') {
        Some("it looks like JSON")
    } else if has_line("net ") && has_line("tr ") || has_line("pl ") {
        Some("it looks like a TINA .net file; export it as PNML")
    } else {
        None
    }
}
