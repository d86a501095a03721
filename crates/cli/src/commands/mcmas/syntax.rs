//! Syntax errors in the words of MCMAS: `syntax error, unexpected END, expecting SEMICOLON`.
//!
//! Our reader says `found X, expected Y`, with the tokens as they are written. MCMAS has names for
//! its tokens. Where our reader knows something else than a token ("a condition"), that stays as it
//! is.

use symbolon_checker::Excerpt;

/// The names of what is written without letters.
const SIGNS: [(&str, &str); 28] = [
    ("(", "LB"),
    (")", "RB"),
    ("{", "LCB"),
    ("}", "RCB"),
    ("[", "LSB"),
    ("]", "RSB"),
    ("<", "LT"),
    (">", "GT"),
    ("<=", "LE"),
    (">=", "GE"),
    ("<>", "NEQ"),
    ("=", "EQ"),
    ("!", "NOT"),
    ("->", "IMPLIES"),
    (":", "COLON"),
    (",", "COMMA"),
    (".", "DOT"),
    (";", "SEMICOLON"),
    ("..", "TO"),
    ("+", "PLUS"),
    ("-", "MINUS"),
    ("*", "TIMES"),
    ("/", "DIVIDE"),
    ("&", "BITAND"),
    ("|", "BITOR"),
    ("~", "BITNOT"),
    ("^", "BITXOR"),
    ("?", "QUESTION"),
];

/// Words of the language, whose names are the same in capital letters unless one is given.
const WORDS: [(&str, Option<&str>); 45] = [
    ("Agent", None),
    ("Actions", None),
    ("Protocol", None),
    ("Evolution", None),
    ("end", None),
    ("if", None),
    ("and", None),
    ("or", None),
    ("Environment", None),
    ("Obsvars", None),
    ("Lobsvars", None),
    ("Vars", None),
    ("boolean", None),
    ("true", Some("BTRUE")),
    ("false", Some("BFALSE")),
    ("Action", None),
    ("RedStates", None),
    ("GreenStates", None),
    ("Fairness", None),
    ("Other", None),
    ("Evaluation", None),
    ("InitStates", None),
    ("Groups", None),
    ("Formulae", None),
    ("LTL", Some("LTLPREFIX")),
    ("Semantics", None),
    ("MultiAssignment", None),
    ("SingleAssignment", None),
    ("AG", None),
    ("EG", None),
    ("AX", None),
    ("EX", None),
    ("AF", None),
    ("EF", None),
    ("A", None),
    ("E", None),
    ("U", Some("UNTIL")),
    ("K", None),
    ("GK", None),
    ("GCK", None),
    ("DK", None),
    ("O", None),
    ("X", None),
    ("F", None),
    ("G", None),
];

/// The place of a piece of text, `line.first-last`, or `line.first` for a single character.
pub(super) fn place(line: u32, column: u32, excerpt: Option<&Excerpt>) -> String {
    match excerpt.map(|excerpt| excerpt.width) {
        Some(width) if width > 1 => format!("{line}.{column}-{}", column + width - 1),
        _ => format!("{line}.{column}"),
    }
}

/// A message of our reader as MCMAS would say it.
pub(super) fn message(message: &str) -> String {
    let found = message.strip_prefix("found ").and_then(|rest| rest.split_once(", expected "));
    match found {
        Some((found, expected)) => {
            let expected = expected.strip_suffix(" before it").unwrap_or(expected);
            format!("syntax error, unexpected {}, expecting {}", named(found), named(expected))
        }
        None => format!("syntax error, {message}"),
    }
}

/// Every piece between backquotes by the name of its token, without the backquotes.
fn named(text: &str) -> String {
    let text = text.replace("the end of the file", "end of file");
    let pieces = text.split('`').enumerate();
    pieces
        .map(|(number, piece)| if number % 2 == 1 { token_names(piece) } else { piece.to_string() })
        .collect()
}

/// The names of the tokens of a piece of ISPL, which are separated by blanks.
fn token_names(piece: &str) -> String {
    let names: Vec<String> = piece.split(' ').map(token_name).collect();
    names.join(" ")
}

fn token_name(token: &str) -> String {
    if let Some((_, name)) = SIGNS.iter().find(|(sign, _)| *sign == token) {
        return (*name).to_string();
    }
    match WORDS.iter().find(|(word, _)| *word == token) {
        Some((_, Some(name))) => (*name).to_string(),
        Some((word, None)) => word.to_uppercase(),
        None if token.bytes().all(|byte| byte.is_ascii_digit()) => "number".to_string(),
        None => "identifier".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_in_the_words_of_the_other_program() {
        let check = |ours: &str, theirs: &str| assert_eq!(message(ours), theirs, "{ours}");
        check("found `end`, expected `;` before it", "syntax error, unexpected END, expecting SEMICOLON");
        check("found `good`, expected `=`", "syntax error, unexpected identifier, expecting EQ");
        check("found `12`, expected `,` or `}`", "syntax error, unexpected number, expecting COMMA or RCB");
        check("found `;`, expected a number", "syntax error, unexpected SEMICOLON, expecting a number");
        check(
            "found the end of the file, expected `end Agent` before it",
            "syntax error, unexpected end of file, expecting END AGENT",
        );
        check("the file has no section Formulae", "syntax error, the file has no section Formulae");
    }
}
