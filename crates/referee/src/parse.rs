//! The notation of formulas: DESIGN section 8 and the book's page on formulas.
//!
//! ```text
//! weak to strong  <->  ->  |  &  U W R  ! X F G A E AX … <group>  = != < <= > >=  + -  *
//! ```

use crate::formula::{Comparison, Formula, Knowledge, Sum};
use crate::lexer::{Rules, Token, tokens};

/// Reads one formula.
pub fn formula(text: &str) -> Result<Formula, String> {
    let tokens = tokens(text, Rules { comments: &[], dotted_names: true })?;
    let tokens: Vec<Token> = tokens.into_iter().map(|(token, _)| token).collect();
    formula_of(&tokens)
}

/// Reads the formula that these tokens are.
pub(crate) fn formula_of(tokens: &[Token]) -> Result<Formula, String> {
    let mut parser = Parser { tokens, at: 0 };
    let formula = parser.equivalence()?;
    match parser.peek() {
        None => Ok(formula),
        Some(token) => Err(format!("unexpected {token:?} behind the formula")),
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
}

type Parsed = Result<Formula, String>;

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn peek_after(&self) -> Option<&Token> {
        self.tokens.get(self.at + 1)
    }

    /// Takes one of these signs.
    fn sign(&mut self, signs: &[&str]) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(sign)) if signs.contains(sign));
        self.at += usize::from(found);
        found
    }

    /// Takes one of these words.
    fn word(&mut self, words: &[&str]) -> Option<String> {
        let Some(Token::Word(word)) = self.peek() else { return None };
        let word = words.contains(&word.as_str()).then(|| word.clone());
        self.at += usize::from(word.is_some());
        word
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        if self.sign(&[sign]) { Ok(()) } else { Err(format!("expected {sign}, found {:?}", self.peek())) }
    }

    fn name(&mut self) -> Result<String, String> {
        let name = match self.peek() {
            Some(Token::Word(name) | Token::Quoted(name)) => name.clone(),
            other => return Err(format!("expected a name, found {other:?}")),
        };
        self.at += 1;
        Ok(name)
    }

    /// A name, or an instance of one: `p[a, 2]`, which is called `p[a,2]`.
    fn instance(&mut self) -> Result<String, String> {
        let name = self.name()?;
        if !self.sign(&["["]) {
            return Ok(name);
        }
        let mut colours = vec![self.colour()?];
        while self.sign(&[","]) {
            colours.push(self.colour()?);
        }
        self.expect("]")?;
        Ok(format!("{name}[{}]", colours.join(",")))
    }

    /// An event, or one binding of it: `t(x = a, y = 2)`, which is called `t(x=a,y=2)`.
    fn event(&mut self) -> Result<String, String> {
        let name = self.name()?;
        if !self.sign(&["("]) {
            return Ok(name);
        }
        let mut values = Vec::new();
        while values.is_empty() || self.sign(&[","]) {
            let variable = self.name()?;
            self.expect("=")?;
            values.push(format!("{variable}={}", self.colour()?));
        }
        self.expect(")")?;
        Ok(format!("{name}({})", values.join(",")))
    }

    /// A colour: a name or a number.
    fn colour(&mut self) -> Result<String, String> {
        let minus = if self.sign(&["-"]) { "-" } else { "" };
        match self.peek() {
            Some(&Token::Number(number)) => {
                self.at += 1;
                Ok(format!("{minus}{number}"))
            }
            _ if minus.is_empty() => self.name(),
            other => Err(format!("expected a number, found {other:?}")),
        }
    }

    fn equivalence(&mut self) -> Parsed {
        let left = self.implication()?;
        if self.sign(&["<->", "<=>", "↔"]) {
            return Ok(Formula::Same(Box::new(left), Box::new(self.equivalence()?)));
        }
        Ok(left)
    }

    fn implication(&mut self) -> Parsed {
        let left = self.disjunction()?;
        if self.sign(&["->", "=>", "→"]) {
            return Ok(Formula::Implies(Box::new(left), Box::new(self.implication()?)));
        }
        Ok(left)
    }

    fn disjunction(&mut self) -> Parsed {
        let mut left = self.conjunction()?;
        while self.sign(&["|", "||", "∨"]) || self.word(&["or"]).is_some() {
            left = Formula::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed {
        let mut left = self.until()?;
        while self.sign(&["&", "&&", "∧"]) || self.word(&["and"]).is_some() {
            left = Formula::And(Box::new(left), Box::new(self.until()?));
        }
        Ok(left)
    }

    fn until(&mut self) -> Parsed {
        let left = self.prefixed()?;
        match self.word(&["U", "W", "R"]) {
            Some(word) => Ok(until(&word, left, self.until()?)),
            None => Ok(left),
        }
    }

    /// Whether what follows the next token can begin an operand, so that a word there may be an
    /// operator.
    fn has_operand(&self) -> bool {
        match self.peek_after() {
            // `X U p` is an until, `AG U <= 2` speaks of a variable `U`.
            Some(Token::Word(word)) if ["U", "W", "R"].contains(&word.as_str()) => {
                !matches!(
                    self.tokens.get(self.at + 2),
                    Some(Token::Word(_) | Token::Quoted(_) | Token::Number(_))
                ) && !matches!(self.tokens.get(self.at + 2), Some(Token::Sign("(" | "!" | "~" | "¬")))
            }
            Some(Token::Word(word)) => !["and", "or"].contains(&word.as_str()),
            Some(Token::Quoted(_) | Token::Number(_)) => true,
            // A strategy, or a comparison of what this word names?
            Some(Token::Sign("<")) => matches!(self.tokens.get(self.at + 3), Some(Token::Sign(">"))),
            Some(Token::Sign(sign)) => ["(", "!", "~", "¬", "["].contains(sign),
            None => false,
        }
    }

    fn prefixed(&mut self) -> Parsed {
        if self.sign(&["!", "~", "¬"]) || self.word(&["not"]).is_some() {
            return Ok(Formula::Not(Box::new(self.prefixed()?)));
        }
        if let Some(Token::Sign("<")) = self.peek() {
            self.at += 1;
            let group = self.name()?;
            self.expect(">")?;
            return Ok(Formula::Forces(group, Box::new(self.prefixed()?)));
        }
        let Some(Token::Word(word)) = self.peek() else { return self.atom() };
        let word = word.clone();
        let opens = matches!(self.peek_after(), Some(Token::Sign("(")));
        let knowledge = match word.as_str() {
            "K" => Some(Knowledge::Agent),
            "GK" => Some(Knowledge::Everyone),
            "GCK" => Some(Knowledge::Common),
            "DK" => Some(Knowledge::Distributed),
            "O" => Some(Knowledge::Correct),
            _ => None,
        };
        if let Some(knowledge) = knowledge.filter(|_| opens) {
            self.at += 2;
            let who = self.name()?;
            self.expect(",")?;
            let known = self.equivalence()?;
            self.expect(")")?;
            return Ok(Formula::Knows(knowledge, who, Box::new(known)));
        }
        if !["A", "E", "X", "F", "G", "AX", "AF", "AG", "EX", "EF", "EG"].contains(&word.as_str()) {
            return self.atom();
        }
        if !self.has_operand() {
            return self.atom();
        }
        if ["A", "E"].contains(&word.as_str()) && matches!(self.peek_after(), Some(Token::Sign("["))) {
            self.at += 2;
            let inner = self.bracketed()?;
            self.expect("]")?;
            return Ok(quantified(&word, inner));
        }
        self.at += 1;
        let operand = self.prefixed()?;
        let mut letters = word.chars().rev();
        let last = letters.next().map(String::from).unwrap_or_default();
        let inner = match last.as_str() {
            "X" => Formula::Next(Box::new(operand)),
            "F" => Formula::Finally(Box::new(operand)),
            "G" => Formula::Globally(Box::new(operand)),
            _ => return Ok(quantified(&last, operand)),
        };
        Ok(match letters.next() {
            Some(quantifier) => quantified(&quantifier.to_string(), inner),
            None => inner,
        })
    }

    /// What stands in the square brackets of `A[f U g]`, where `U`, `W` and `R` are weakest.
    fn bracketed(&mut self) -> Parsed {
        let mut depth = 0;
        let mut end = self.at;
        while let Some(token) = self.tokens.get(end) {
            let is_until = matches!(token, Token::Word(word) if ["U", "W", "R"].contains(&word.as_str()));
            match token {
                Token::Sign("]") if depth == 0 => break,
                Token::Sign("(" | "[") => depth += 1,
                Token::Sign(")" | "]") => depth -= 1,
                _ if is_until && depth == 0 && end > self.at && ends_operand(&self.tokens[end - 1]) => break,
                _ => (),
            }
            end += 1;
        }
        let left = formula_of(&self.tokens[self.at..end])?;
        self.at = end;
        match self.word(&["U", "W", "R"]) {
            Some(sign) => Ok(until(&sign, left, self.bracketed()?)),
            None => Ok(left),
        }
    }

    fn atom(&mut self) -> Parsed {
        let start = self.at;
        if let Some(comparison) = self.comparison() {
            return Ok(comparison);
        }
        self.at = start;
        if self.sign(&["("]) {
            let inner = self.equivalence()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if let Some(word) = self.word(&["true", "false", "deadlock"]) {
            return Ok(match word.as_str() {
                "true" => Formula::Constant(true),
                "false" => Formula::Constant(false),
                _ => Formula::Deadlock,
            });
        }
        let opens = matches!(self.peek_after(), Some(Token::Sign("(")));
        if opens && self.word(&["fireable"]).is_some() {
            self.expect("(")?;
            let mut names = vec![self.event()?];
            while self.sign(&[","]) {
                names.push(self.event()?);
            }
            self.expect(")")?;
            return Ok(Formula::Fireable(names));
        }
        Ok(Formula::Name(self.instance()?))
    }

    /// `sum comparison sum`, or nothing.
    fn comparison(&mut self) -> Option<Formula> {
        let left = self.sum()?;
        let comparison = match self.peek()? {
            Token::Sign("=" | "==") => Comparison::Equal,
            Token::Sign("!=" | "<>" | "≠") => Comparison::Unequal,
            Token::Sign("<") => Comparison::Less,
            Token::Sign("<=" | "≤") => Comparison::AtMost,
            Token::Sign(">") => Comparison::Greater,
            Token::Sign(">=" | "≥") => Comparison::AtLeast,
            _ => return None,
        };
        self.at += 1;
        Some(Formula::Compare(left, comparison, self.sum()?))
    }

    fn sum(&mut self) -> Option<Sum> {
        let mut sum = Sum::default();
        let mut factor = if self.sign(&["-"]) { -1 } else { 1 };
        loop {
            for (number, name) in self.term()?.0 {
                sum.0.push((factor * number, name));
            }
            factor = if self.sign(&["+"]) {
                1
            } else if self.sign(&["-"]) {
                -1
            } else {
                return Some(sum);
            };
        }
    }

    fn term(&mut self) -> Option<Sum> {
        if self.sign(&["("]) {
            let inner = self.sum()?;
            return self.sign(&[")"]).then_some(inner);
        }
        if let Some(&Token::Number(number)) = self.peek() {
            self.at += 1;
            if self.sign(&["*"]) {
                return Some(Sum(vec![(number, Some(self.instance().ok()?))]));
            }
            return Some(Sum(vec![(number, None)]));
        }
        let name = self.instance().ok()?;
        Some(Sum(vec![(1, Some(name))]))
    }
}

/// Whether an operand can end with this token.
fn ends_operand(token: &Token) -> bool {
    match token {
        Token::Word(word) => !["not", "and", "or"].contains(&word.as_str()),
        Token::Quoted(_) | Token::Number(_) => true,
        Token::Sign(sign) => [")", "]"].contains(sign),
    }
}

fn quantified(quantifier: &str, formula: Formula) -> Formula {
    match quantifier {
        "A" => Formula::All(Box::new(formula)),
        _ => Formula::Exists(Box::new(formula)),
    }
}

fn until(sign: &str, left: Formula, right: Formula) -> Formula {
    match sign {
        "U" => Formula::Until(Box::new(left), Box::new(right)),
        "W" => Formula::WeakUntil(Box::new(left), Box::new(right)),
        _ => Formula::Release(Box::new(left), Box::new(right)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both texts mean the same.
    fn same(one: &str, other: &str) {
        assert_eq!(formula(one).unwrap(), formula(other).unwrap(), "{one}   {other}");
    }

    #[test]
    fn what_binds_stronger() {
        same("AG p -> q", "(AG p) -> q");
        same("AG p = 1", "AG (p = 1)");
        same("p & q | r", "(p & q) | r");
        same("p -> q -> r", "p -> (q -> r)");
        same("A[p & q U r | s]", "A ((p & q) U (r | s))");
        same("A[p U q & r U s]", "A (p U ((q & r) U s))");
        same("F < W", "\"F\" < \"W\"");
        same("! p U q", "(!p) U q");
        same("not p and q or r", "((!p) & q) | r");
        same("<g> X p & q", "(<g> X p) & q");
        same("K(a, p) & q", "(K(a, p)) & q");
        same("A p U q", "(A p) U q");
        same("(a + b) <= 2 & (c)", "((a + b) <= 2) & c");
    }

    #[test]
    fn instances_have_colours() {
        same("p[a, 2] + q[-1] >= 2*p[a,3]", "\"p[a,2]\" + \"q[-1]\" >= 2*\"p[a,3]\"");
        same("A[p[a] U q[\"b c\"]]", "A (\"p[a]\" U \"q[b c]\")");
        same("fireable(t(x = a, y = 2), u)", "fireable(\"t(x=a,y=2)\", u)");
    }

    #[test]
    fn letters_may_be_names() {
        same("X = 1", "\"X\" = 1");
        same("EF X", "EF (\"X\")");
        same("F X >= 1", "F (\"X\" >= 1)");
        same("AG U <= 2", "AG (\"U\" <= 2)");
        same("X U p", "\"X\" U p");
        same("U U U", "\"U\" U \"U\"");
    }
}
