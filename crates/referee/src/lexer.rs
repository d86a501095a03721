//! Words, numbers and symbols: the tokens of formulas, programs and agents alike.

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name or a word of the language.
    Word(String),
    /// A name in quotes.
    Quoted(String),
    /// A number without sign.
    Number(i128),
    /// A sign such as `->`.
    Sign(&'static str),
}

/// Every sign, longer ones before their beginnings.
const SIGNS: &[&str] = &[
    "<->", "<=>", "->", "=>", "<=", ">=", "!=", "==", "<>", "&&", "||", "..", "(", ")", "[", "]", "{", "}",
    "<", ">", "=", "!", "~", "&", "|", "+", "-", "*", "/", "%", "^", ",", ":", ";", ".", "'", "¬", "∧", "∨",
    "→", "↔", "≠", "≤", "≥",
];

/// How a language differs in its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// What begins a comment that runs to the end of the line.
    pub(crate) comments: &'static [&'static str],
    /// Whether dots between letters belong to a name.
    pub(crate) dotted_names: bool,
}

/// Cuts a text into tokens, each with the number of its line.
pub(crate) fn tokens(text: &str, rules: Rules) -> Result<Vec<(Token, usize)>, String> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut line = 0;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            line += usize::from(first == '\n');
            rest = &rest[first.len_utf8()..];
        } else if rules.comments.iter().any(|start| rest.starts_with(start)) {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if first == '"' {
            let (name, after) = quoted(&rest[1..])?;
            found.push((Token::Quoted(name), line));
            rest = after;
        } else if first.is_ascii_digit() {
            let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..end].parse().map_err(|_| format!("too large a number: {}", &rest[..end]))?;
            found.push((Token::Number(number), line));
            rest = &rest[end..];
        } else if first.is_alphabetic() || first == '_' {
            let end = name_end(rest, rules.dotted_names);
            found.push((Token::Word(rest[..end].to_string()), line));
            rest = &rest[end..];
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign = sign.ok_or_else(|| format!("unexpected {first:?}"))?;
            found.push((Token::Sign(sign), line));
            rest = &rest[sign.len()..];
        }
    }
    Ok(found)
}

/// Where the name ends that a text begins with.
fn name_end(text: &str, dotted: bool) -> usize {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut letters = text.char_indices().peekable();
    while let Some((position, letter)) = letters.next() {
        let joins = dotted && letter == '.' && letters.peek().is_some_and(|(_, next)| is_part(*next));
        if !is_part(letter) && !joins {
            return position;
        }
    }
    text.len()
}

/// A name up to its closing quote, and what follows; `\"` and `\\` stand for themselves.
fn quoted(text: &str) -> Result<(String, &str), String> {
    let mut name = String::new();
    let mut letters = text.char_indices();
    while let Some((position, letter)) = letters.next() {
        match letter {
            '"' => return Ok((name, &text[position + 1..])),
            '\\' => name.extend(letters.next().map(|(_, letter)| letter)),
            _ => name.push(letter),
        }
    }
    Err("a quote is not closed".to_string())
}
