//! Names of places, transitions and variables: plain ones, one-letter ones, and those that need
//! quotes.

use crate::random::Random;

/// Words that mean something in a formula, so that a name that reads the same needs quotes.
const RESERVED: &[&str] = &[
    "true", "false", "deadlock", "fireable", "not", "and", "or", "A", "E", "X", "F", "G", "U", "W", "R",
    "AX", "AF", "AG", "EX", "EF", "EG", "K", "GK", "GCK", "DK", "O", "if", "then", "else", "forall",
    "exists", "sum",
];

/// Names that surprise readers, for nets.
const ODD: &[&str] = &[
    "place 1",
    "a-b",
    "3rd",
    "true",
    "X",
    "A",
    "G",
    "U",
    "R",
    "K",
    "O",
    "AG",
    "x.y",
    "é",
    "<p>",
    "a&b",
    "it's",
    "say \"hi\"",
    "back\\slash",
    "deadlock",
    "fireable",
    "-1",
    "2*p",
    "p+q",
    "not",
    "or",
    "_",
    "a_b",
    "q.0",
    "F",
    "E",
    "W",
];

/// `count` different names that begin with `letter`, or odd ones now and then.
pub(crate) fn names(random: &mut Random, letter: char, count: usize, taken: &mut Vec<String>) -> Vec<String> {
    let is_odd = random.percent(25);
    let mut names = Vec::new();
    for number in 0..count {
        let mut name = format!("{letter}{number}");
        if is_odd && random.percent(40) {
            name = random.one(ODD).to_string();
        }
        if taken.contains(&name) {
            name = format!("{letter}{number}");
        }
        taken.push(name.clone());
        names.push(name);
    }
    names
}

/// Whether a name may stand in a formula without quotes, wherever it stands.
pub(crate) fn is_plain(name: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let starts = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    let parts = name.split('.').all(|part| !part.is_empty() && part.chars().all(is_part));
    starts && parts && !RESERVED.contains(&name)
}

/// The name, in quotes if it needs them. What a coloured net is made of has its colours behind the
/// name: `"place 1"[a,2]`, `"a-b"(x=a)`. Names of colours and variables need no quotes.
pub(crate) fn quoted(name: &str) -> String {
    for (open, close) in [('[', ']'), ('(', ')')] {
        if let Some((whole, colours)) = name.strip_suffix(close).and_then(|name| name.split_once(open)) {
            return format!("{}{open}{colours}{close}", quoted(whole));
        }
    }
    if is_plain(name) {
        name.to_string()
    } else {
        format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

/// The name in XML.
pub(crate) fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
