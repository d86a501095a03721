//! Conditions and values. A bracket may hold either, and only what stands in it tells; so both are
//! read by one descent, which asks at the end what it has.

use super::tokens::Token;
use super::{Broken, RESERVED, Read, Reader};
use crate::tree::{Condition, Operator, Place, Reference, Value};
use symbolon_logic::{Name, Span};
use symbolon_model::Comparison;
use symbolon_source::Stop;

/// What was read.
enum Item {
    Condition(Condition),
    Value(Value),
}

impl<'t> Reader<'t, '_> {
    /// Reads a condition.
    pub(super) fn condition(&mut self) -> Read<Condition> {
        let start = self.here().1;
        let item = self.disjunction()?;
        self.as_condition(item, start)
    }

    /// Reads a value.
    pub(super) fn value(&mut self) -> Read<Value> {
        let start = self.here().1;
        let item = self.chain(0)?;
        self.as_value(item, start)
    }

    fn as_condition(&mut self, item: Item, start: Span) -> Read<Condition> {
        match item {
            Item::Condition(condition) => Ok(condition),
            Item::Value(_) => {
                let (token, _) = self.here();
                let hint = match token {
                    Token::Word(_) | Token::Number(_) | Token::End => {
                        "compare it: = <> < <= > >=".to_string()
                    }
                    _ => "a boolean variable is not a condition; write b = true".to_string(),
                };
                self.broken(start, "found a value, expected a condition".into(), Some(hint))
            }
        }
    }

    fn as_value(&mut self, item: Item, start: Span) -> Read<Value> {
        match item {
            Item::Value(value) => Ok(value),
            Item::Condition(_) => self.broken(start, "found a condition, expected a value".into(), None),
        }
    }

    /// Reads `c or c or c`.
    fn disjunction(&mut self) -> Read<Item> {
        self.joined("or", Reader::conjunction, Condition::Or)
    }

    /// Reads `c and c and c`.
    fn conjunction(&mut self) -> Read<Item> {
        self.joined("and", Reader::negation, Condition::And)
    }

    fn joined(
        &mut self,
        word: &str,
        operand: fn(&mut Self) -> Read<Item>,
        join: fn(Vec<Condition>) -> Condition,
    ) -> Read<Item> {
        let start = self.here().1;
        let first = operand(self)?;
        if !matches!(self.here().0, Token::Word(here) if here == word) {
            return Ok(first);
        }
        let mut all = vec![self.as_condition(first, start)?];
        while self.accept_word(word) {
            self.meter.step().map_err(Stop::from)?;
            let start = self.here().1;
            let next = operand(self)?;
            all.push(self.as_condition(next, start)?);
        }
        Ok(Item::Condition(join(all)))
    }

    fn negation(&mut self) -> Read<Item> {
        let span = self.here().1;
        if !self.accept("!") {
            return self.comparison();
        }
        let start = self.here().1;
        let operand = self.deeper(span, Reader::negation)?;
        let operand = self.as_condition(operand, start)?;
        Ok(Item::Condition(Condition::Not(Box::new(operand))))
    }

    fn comparison(&mut self) -> Read<Item> {
        if let Some(agent) = self.acting_agent() {
            return self.acts(agent);
        }
        let start = self.here().1;
        let left = self.chain(0)?;
        let comparison = match self.here().0 {
            Token::Sign("=") => Comparison::Equal,
            Token::Sign("<>") => Comparison::NotEqual,
            Token::Sign("<") => Comparison::Less,
            Token::Sign("<=") => Comparison::LessOrEqual,
            Token::Sign(">") => Comparison::Greater,
            Token::Sign(">=") => Comparison::GreaterOrEqual,
            _ => return Ok(left),
        };
        let left = self.as_value(left, start)?;
        self.position += 1;
        let start = self.here().1;
        if self.acting_agent().is_some() {
            let hint = "write the action on the right: Agent.Action = a".to_string();
            return self.broken(start, "found an action on the right side".into(), Some(hint));
        }
        let right = self.chain(0)?;
        let right = self.as_value(right, start)?;
        Ok(Item::Condition(Condition::Compare(left, comparison, right)))
    }

    /// Whose action is spoken of here, where one is.
    fn acting_agent(&self) -> Option<Option<Name>> {
        let at = |ahead: usize| self.tokens.get(self.position + ahead).map(|(token, _)| *token);
        match (self.here(), at(1), at(2)) {
            ((Token::Word("Action"), _), ..) => Some(None),
            ((Token::Word(agent), span), Some(Token::Sign(".")), Some(Token::Word("Action"))) => {
                Some(Some(Name::new(agent, span)))
            }
            _ => None,
        }
    }

    /// Reads `Action = a`.
    fn acts(&mut self, agent: Option<Name>) -> Read<Item> {
        self.position += if agent.is_some() { 3 } else { 1 };
        if !self.accept("=") {
            let (token, span) = self.here();
            let hint =
                matches!(token, Token::Sign("<>")).then(|| "write ! before the comparison with =".into());
            return self.broken(span, format!("found {}, expected `=`", token.described()), hint);
        }
        let action = self.name("an action")?;
        Ok(Item::Condition(Condition::Acts { agent, action }))
    }

    /// Reads operators of this strength and stronger ones.
    fn chain(&mut self, strength: u8) -> Read<Item> {
        let start = self.here().1;
        let first = self.operand_of(strength)?;
        let is_next = |reader: &Self| reader.operator().filter(|operator| operator.strength() == strength);
        if is_next(self).is_none() {
            return Ok(first);
        }
        let first = self.as_value(first, start)?;
        let mut rest = Vec::new();
        while let Some(operator) = is_next(self) {
            self.meter.step().map_err(Stop::from)?;
            self.position += 1;
            let start = self.here().1;
            let operand = self.operand_of(strength)?;
            rest.push((operator, self.as_value(operand, start)?));
        }
        Ok(Item::Value(Value::Chain(Box::new(first), rest)))
    }

    fn operand_of(&mut self, strength: u8) -> Read<Item> {
        match strength {
            // `~` stands between `&` and `+`.
            1 => self.complement(),
            3 => self.primary(),
            weaker => self.chain(weaker + 1),
        }
    }

    fn complement(&mut self) -> Read<Item> {
        let span = self.here().1;
        if !self.accept("~") {
            return self.chain(2);
        }
        let start = self.here().1;
        let operand = self.deeper(span, Reader::complement)?;
        let operand = self.as_value(operand, start)?;
        Ok(Item::Value(Value::Not(Box::new(operand), Place(span))))
    }

    fn operator(&self) -> Option<Operator> {
        Some(match self.here().0 {
            Token::Sign("|") => Operator::Or,
            Token::Sign("^") => Operator::Xor,
            Token::Sign("&") => Operator::And,
            Token::Sign("+") => Operator::Plus,
            Token::Sign("-") => Operator::Minus,
            Token::Sign("*") => Operator::Times,
            Token::Sign("/") => Operator::Divided,
            _ => return None,
        })
    }

    fn primary(&mut self) -> Read<Item> {
        let (token, span) = self.here();
        let value = match token {
            Token::Sign("(") => {
                self.position += 1;
                let inner = self.deeper(span, Reader::disjunction)?;
                self.expect(")")?;
                return Ok(inner);
            }
            Token::Number(digits) => {
                self.position += 1;
                Value::Number(self.number(digits, span)?, Place(span))
            }
            Token::Sign("-") => {
                self.position += 1;
                let (token, end) = self.here();
                let Token::Number(digits) = token else {
                    let hint = "a sign may only precede a number; write 0 - x".to_string();
                    let message = format!("found {}, expected a number", token.described());
                    return self.broken(end, message, Some(hint));
                };
                self.position += 1;
                Value::Number(-self.number(digits, end)?, Place(span.to(end)))
            }
            Token::Word(word @ ("true" | "false")) => {
                self.position += 1;
                Value::Truth(word == "true", Place(span))
            }
            Token::Word(word) if !RESERVED.contains(&word) => Value::Name(self.reference()?),
            _ => {
                let hint = match token {
                    Token::Word("Other") => Some("`Other : { a };` is a line of its own".to_string()),
                    Token::Word(word) => Some(format!("`{word}` is a word of the language")),
                    _ => None,
                };
                return self.broken(span, format!("found {}, expected a value", token.described()), hint);
            }
        };
        Ok(Item::Value(value))
    }

    /// Reads `v` or `Agent.v`.
    fn reference(&mut self) -> Result<Reference, Broken> {
        let name = self.name("a name")?;
        if !self.accept(".") {
            return Ok(Reference { agent: None, name });
        }
        let variable = self.name("a variable")?;
        Ok(Reference { agent: Some(name), name: variable })
    }
}
