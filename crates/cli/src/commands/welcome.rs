//! `symbolon` alone: who this is, and what to try.

use super::TextAnswer;
use crate::table::{BOLD, FAINT};
use std::fmt::Write as _;

/// Commands that work at once, and what they do.
const EXAMPLES: [(&str, &str); 4] = [
    ("symbolon demo", "a tour of two minutes: begin here"),
    ("symbolon states kanban:5", "count the reachable states of a built-in model"),
    ("symbolon deadlock philosophers:3", "find a deadlock and a way to it"),
    ("symbolon models", "see which models are built in"),
];

/// Greets.
pub(crate) fn welcome() -> TextAnswer {
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!(
        "{BOLD}symbolon {version}{BOLD:#}, a symbolic model checker for nets, agents and commands\n\n"
    );
    for (command, what) in EXAMPLES {
        let _ = writeln!(text, "  {BOLD}{command:34}{BOLD:#}{FAINT}{what}{FAINT:#}");
    }
    text.push_str("\nGive a PNML file instead of kanban:5 to look at your own net.\n");
    text.push_str("All commands and options: symbolon --help\n");
    TextAnswer(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Arguments;
    use clap::Parser;

    #[test]
    fn every_example_parses() {
        for (command, _) in EXAMPLES {
            assert!(Arguments::try_parse_from(command.split(' ')).is_ok(), "{command}");
        }
    }
}
