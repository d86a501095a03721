//! What one source file says about modules: the paths that it names and the aliases that it makes.
//!
//! This is a scanner, not a parser: it knows comments, literals, `mod`, `use` and paths, which is
//! all that references between modules are made of. Code under `#[cfg(test)]` is left out.

/// What a file contributes to the graph of modules.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Scanned {
    /// Paths that start with `crate`, `self` or `super`, and the paths of all `use` declarations.
    pub(super) references: Vec<Reference>,
    /// What each `use` declaration makes visible in its module.
    pub(super) aliases: Vec<Alias>,
    /// The child modules that are declared under `#[cfg(test)]`.
    pub(super) test_modules: Vec<String>,
}

/// A path that the file names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    /// The inline modules around it, outermost first.
    pub(super) within: Vec<String>,
    /// The path as written, split at `::`.
    pub(super) path: Vec<String>,
    pub(super) line: usize,
}

/// A name that a `use` declaration makes visible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alias {
    /// The inline modules around it, outermost first.
    pub(super) within: Vec<String>,
    /// The name; `*` for all names of the module that is used.
    pub(super) name: String,
    /// The path that it stands for.
    pub(super) path: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    /// `::`
    Colons,
    Sign(char),
}

/// Scans the text of a file.
pub(super) fn scan(text: &str) -> Scanned {
    let tokens = tokens(text);
    let mut scanner = Scanner { tokens: &tokens, at: 0, within: Vec::new(), found: Scanned::default() };
    scanner.items(0);
    scanner.found
}

struct Scanner<'t> {
    tokens: &'t [(Token, usize)],
    at: usize,
    within: Vec<String>,
    found: Scanned,
}

impl Scanner<'_> {
    fn sign(&self, offset: usize, sign: char) -> bool {
        self.tokens.get(self.at + offset).is_some_and(|(token, _)| *token == Token::Sign(sign))
    }

    fn word(&self, offset: usize) -> Option<&str> {
        match self.tokens.get(self.at + offset) {
            Some((Token::Word(word), _)) => Some(word),
            _ => None,
        }
    }

    fn colons(&self, offset: usize) -> bool {
        self.tokens.get(self.at + offset).is_some_and(|(token, _)| *token == Token::Colons)
    }

    /// Scans up to the brace that closes the current block, or to the end of the file.
    fn items(&mut self, depth: usize) {
        let mut for_tests = false;
        while self.at < self.tokens.len() {
            match &self.tokens[self.at].0 {
                Token::Sign('#') if self.sign(1, '[') => for_tests |= self.attribute(),
                Token::Sign('{') => {
                    self.at += 1;
                    if for_tests {
                        self.skip_block()
                    } else {
                        self.items(depth + 1)
                    }
                    for_tests = false;
                }
                Token::Sign('}') => {
                    self.at += 1;
                    if depth > 0 {
                        return;
                    }
                }
                Token::Sign(';') => {
                    self.at += 1;
                    for_tests = false;
                }
                Token::Word(word) if word == "mod" && self.word(1).is_some() => {
                    self.module(depth, std::mem::take(&mut for_tests));
                }
                Token::Word(word) if word == "use" && !for_tests => self.declaration(),
                Token::Word(word) if matches!(word.as_str(), "crate" | "self" | "super") => {
                    self.path(for_tests);
                }
                _ => self.at += 1,
            }
        }
    }

    /// Skips an attribute; says whether it is `#[cfg(test)]` or `#[test]`.
    fn attribute(&mut self) -> bool {
        let start = self.at + 2;
        let mut open = 0;
        self.at += 1;
        loop {
            match self.tokens.get(self.at).map(|(token, _)| token) {
                Some(Token::Sign('[')) => open += 1,
                Some(Token::Sign(']')) => open -= 1,
                Some(_) => {}
                None => return false,
            }
            self.at += 1;
            if open == 0 {
                break;
            }
        }
        let words: Vec<&Token> = self.tokens[start..self.at - 1].iter().map(|(token, _)| token).collect();
        let word = |number: usize, text: &str| words.get(number) == Some(&&Token::Word(text.into()));
        (words.len() == 4 && word(0, "cfg") && word(2, "test")) || (words.len() == 1 && word(0, "test"))
    }

    fn module(&mut self, depth: usize, for_tests: bool) {
        let name = self.word(1).unwrap_or_default().to_string();
        self.at += 2;
        if self.sign(0, '{') {
            self.at += 1;
            if for_tests {
                self.skip_block();
            } else {
                self.within.push(name);
                self.items(depth + 1);
                self.within.pop();
            }
        } else if for_tests {
            self.found.test_modules.push(name);
        }
    }

    fn skip_block(&mut self) {
        let mut open = 1;
        while open > 0 && self.at < self.tokens.len() {
            match self.tokens[self.at].0 {
                Token::Sign('{') => open += 1,
                Token::Sign('}') => open -= 1,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// A `use` declaration, but not the `use<…>` of a return type.
    fn declaration(&mut self) {
        let line = self.tokens[self.at].1;
        self.at += 1;
        if !self.sign(0, '<') {
            self.tree(&mut Vec::new(), line);
        }
    }

    /// A tree of paths: `a::b`, `a::{b, c as d}`, `a::*`.
    fn tree(&mut self, prefix: &mut Vec<String>, line: usize) {
        let length = prefix.len();
        while let Some(word) = self.word(0).map(str::to_string) {
            prefix.push(word);
            self.at += 1;
            if !self.colons(0) {
                self.leaf(prefix, line);
                prefix.truncate(length);
                return;
            }
            self.at += 1;
        }
        if self.sign(0, '*') {
            self.at += 1;
            self.refer(prefix.clone(), line);
            self.alias("*".into(), prefix.clone());
        } else if self.sign(0, '{') {
            self.at += 1;
            while self.at < self.tokens.len() && !self.sign(0, '}') {
                self.tree(prefix, line);
                if self.sign(0, ',') {
                    self.at += 1;
                }
            }
            self.at += 1;
        } else {
            // A leading `::`, or nothing that belongs into a `use` declaration.
            self.at += 1;
        }
        prefix.truncate(length);
    }

    fn leaf(&mut self, path: &[String], line: usize) {
        let mut path = path.to_vec();
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let mut name = path.last().cloned().unwrap_or_default();
        if self.word(0) == Some("as") {
            name = self.word(1).unwrap_or("_").to_string();
            self.at += 2;
        }
        self.refer(path.clone(), line);
        self.alias(name, path);
    }

    fn refer(&mut self, path: Vec<String>, line: usize) {
        self.found.references.push(Reference { within: self.within.clone(), path, line });
    }

    fn alias(&mut self, name: String, path: Vec<String>) {
        self.found.aliases.push(Alias { within: self.within.clone(), name, path });
    }

    /// A path in an expression, a type or a visibility.
    fn path(&mut self, for_tests: bool) {
        let line = self.tokens[self.at].1;
        let mut path = vec![self.word(0).unwrap_or_default().to_string()];
        self.at += 1;
        while self.colons(0)
            && let Some(word) = self.word(1)
        {
            path.push(word.to_string());
            self.at += 2;
        }
        if path.len() > 1 && !for_tests {
            self.refer(path, line);
        }
    }
}

/// The text as tokens with their lines, without comments, literals and lifetimes.
fn tokens(text: &str) -> Vec<(Token, usize)> {
    let characters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < characters.len() {
        let start = at;
        let next = |offset: usize| characters.get(at + offset).copied().unwrap_or('\0');
        match characters[at] {
            '/' if next(1) == '/' => {
                while at < characters.len() && characters[at] != '\n' {
                    at += 1;
                }
            }
            '/' if next(1) == '*' => at = end_of_comment(&characters, at),
            '"' => at = end_of_text(&characters, at),
            '\'' => at = end_of_quote(&characters, at),
            'r' | 'b' | 'c' if begins_literal(&characters, at) => at = end_of_literal(&characters, at),
            ':' if next(1) == ':' => {
                tokens.push((Token::Colons, line));
                at += 2;
            }
            first if first.is_alphanumeric() || first == '_' => {
                while at < characters.len() && (characters[at].is_alphanumeric() || characters[at] == '_') {
                    at += 1;
                }
                tokens.push((Token::Word(characters[start..at].iter().collect()), line));
            }
            blank if blank.is_whitespace() => at += 1,
            sign => {
                tokens.push((Token::Sign(sign), line));
                at += 1;
            }
        }
        line += characters[start..at.min(characters.len())].iter().filter(|&&one| one == '\n').count();
    }
    tokens
}

fn end_of_comment(characters: &[char], mut at: usize) -> usize {
    let mut open = 0;
    while at + 1 < characters.len() {
        match (characters[at], characters[at + 1]) {
            ('/', '*') => {
                open += 1;
                at += 2;
            }
            ('*', '/') => {
                open -= 1;
                at += 2;
                if open == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    characters.len()
}

fn end_of_text(characters: &[char], mut at: usize) -> usize {
    at += 1;
    while at < characters.len() && characters[at] != '"' {
        at += if characters[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// Behind a character literal, or behind the quote of a lifetime.
fn end_of_quote(characters: &[char], at: usize) -> usize {
    let next = |offset: usize| characters.get(at + offset).copied().unwrap_or('\0');
    if next(1) != '\\' {
        return if next(2) == '\'' { at + 3 } else { at + 1 };
    }
    let mut end = at + 3;
    while end < characters.len() && characters[end] != '\'' {
        end += 1;
    }
    end + 1
}

/// Whether a letter begins `r"…"`, `r#"…"#`, `b"…"`, `br"…"`, `b'…'` or `c"…"`.
fn begins_literal(characters: &[char], at: usize) -> bool {
    let rest: String = characters[at..].iter().take(4).collect();
    let behind = rest.trim_start_matches(['b', 'c', 'r']);
    let is_raw = rest[..rest.len() - behind.len()].contains('r');
    rest.len() - behind.len() <= 2
        && (behind.starts_with('"')
            || (is_raw && behind.starts_with('#') && behind.trim_start_matches('#').starts_with('"'))
            || rest.starts_with("b'"))
}

fn end_of_literal(characters: &[char], mut at: usize) -> usize {
    let mut is_raw = false;
    while matches!(characters.get(at), Some('r' | 'b' | 'c')) {
        is_raw |= characters[at] == 'r';
        at += 1;
    }
    if characters.get(at) == Some(&'\'') {
        return end_of_quote(characters, at);
    }
    if !is_raw {
        return end_of_text(characters, at);
    }
    let hashes = characters[at..].iter().take_while(|&&one| one == '#').count();
    at += hashes + 1;
    while at < characters.len() {
        let closes = characters[at] == '"'
            && characters[at + 1..].iter().take(hashes).filter(|&&one| one == '#').count() == hashes;
        if closes {
            return at + 1 + hashes;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<String> {
        scan(text).references.into_iter().map(|reference| reference.path.join("::")).collect()
    }

    #[test]
    fn paths_of_declarations_and_expressions() {
        let text =
            "use crate::a::{self, b::C, d::*};\npub use e::F as G;\nfn f() -> super::h::I { crate::j::k() }";
        assert_eq!(
            paths(text),
            ["crate::a", "crate::a::b::C", "crate::a::d", "e::F", "super::h::I", "crate::j::k"]
        );
        let names: Vec<String> = scan(text).aliases.into_iter().map(|alias| alias.name).collect();
        assert_eq!(names, ["a", "C", "*", "G"]);
    }

    #[test]
    fn comments_literals_and_tests_are_left_out() {
        let text = "// crate::a::b\n/* crate::c::d */ const E: &str = \"crate::f::g\"; const H: char = '\\'';\n\
             const R: &str = r#\"crate::r::s\"#;\n\
             #[cfg(test)]\nmod tests { use crate::i::J; }\n#[cfg(test)] mod more;\nfn k<'a>() { crate::l::m() }";
        assert_eq!(paths(text), ["crate::l::m"]);
        assert_eq!(scan(text).test_modules, ["more"]);
        assert_eq!(scan(text).references[0].line, 7);
    }

    #[test]
    fn inline_modules_are_named() {
        let scanned = scan("mod inner { fn f() { super::g::h() } } fn i() { self::j::k() }");
        let within: Vec<&[String]> = scanned.references.iter().map(|found| found.within.as_slice()).collect();
        assert_eq!(within, [&["inner".to_string()][..], &[]]);
    }
}
