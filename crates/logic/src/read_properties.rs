//! Reads a file of formulas, in whichever of the two formats it is written.

use crate::contest::read_contest_properties;
use crate::formula_file::read_formula_file;
use crate::properties::Properties;
use symbolon_budget::Budget;
use symbolon_source::ReadFailure;

/// Reads a file of formulas: property XML of the contest, or one `name: formula` per line.
pub fn read_properties(bytes: &[u8], budget: &Budget) -> Result<Properties, ReadFailure> {
    if is_contest_file(bytes) {
        read_contest_properties(bytes, budget)
    } else {
        read_formula_file(bytes, budget)
    }
}

/// Whether this is XML rather than formulas: it begins with a declaration, a comment, a document
/// type or an element that is not a strategy operator.
fn is_contest_file(bytes: &[u8]) -> bool {
    let is_utf16 = bytes.starts_with(b"\xFE\xFF") || bytes.starts_with(b"\xFF\xFE");
    let begin = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let is_markup = [&b"<?"[..], b"<!", b"<property", b"</"].iter().any(|mark| begin.starts_with(mark));
    // A strategy is `<group> F p`, on one line with its formula; an element alone ends its line, or
    // has attributes.
    let first_line = begin.split(|&byte| byte == b'\n').next().unwrap_or(begin).trim_ascii();
    let is_element = first_line.starts_with(b"<")
        && (first_line.ends_with(b">") || first_line.windows(2).any(|pair| pair == b"=\""));
    is_utf16 || is_markup || is_element
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_distinguished() {
        let check =
            |text: &str, is_contest: bool| assert_eq!(is_contest_file(text.as_bytes()), is_contest, "{text}");
        check("<?xml version=\"1.0\"?>\n<property-set>", true);
        check("\u{FEFF} <property-set>", true);
        check("<!-- formulas -->", true);
        check("<html>\n<body>", true);
        check("AG p\n", false);
        check("safe: AG p\n", false);
        check("<group> F p\n", false);
        check("<group> F p > 3\n", false);
        check("", false);
    }
}
