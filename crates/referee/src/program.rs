//! Guarded commands, read from text and played command by command.
//!
//! A command is possible where its guard is true and everything that it assigns has a value within
//! the range of its variable. All assignments are made at once, from the values before. An
//! expression may have no value: a division by 0, an index outside its array. Then a connective is
//! decided by its other side if that is enough, as in `false & …`; what is not decided is not true.
//!
//! Constants, parameters and the variables of `for` are put in while reading, so `for` reads its
//! body once for each value.

use crate::lexer::{Rules, Token, tokens};
use crate::model::{Agents, Kind, Model, State, Step, Variable};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
enum Expression {
    Value(i128),
    Variable(usize),
    /// An element of an array: where it begins, how long it is, and the index.
    Element(usize, usize, Box<Expression>),
    Unary(&'static str, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    If(Box<Expression>, Box<Expression>, Box<Expression>),
}

#[derive(Clone, Debug)]
struct Command {
    name: String,
    guard: Expression,
    /// What is assigned, and to what: a variable or an element.
    assignments: Vec<(Expression, Expression)>,
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    variables: Vec<Variable>,
    ranges: Vec<(i128, i128)>,
    /// The values that each variable may have in the beginning.
    starts: Vec<Vec<i128>>,
    initially: Vec<Expression>,
    commands: Vec<Command>,
    /// Arrays: where they begin, and how long they are.
    arrays: BTreeMap<String, (usize, usize)>,
    no_agents: Agents,
}

impl Program {
    /// Reads a program.
    pub fn read(text: &str) -> Result<Program, String> {
        let tokens = tokens(text, Rules { comments: &["//", "#"], dotted_names: false })?;
        let mut reader = Reader {
            tokens: &tokens,
            at: 0,
            program: Program::default(),
            known: BTreeMap::new(),
            kinds: BTreeMap::new(),
            process: None,
            indices: Vec::new(),
        };
        while reader.at < tokens.len() {
            reader.declaration()?;
        }
        Ok(reader.program)
    }

    /// What a command makes of a state, if it is possible.
    fn after(&self, command: &Command, state: &[i128]) -> Option<State> {
        if value(&command.guard, state) != Some(1) {
            return None;
        }
        let mut next = state.to_vec();
        for (target, expression) in &command.assignments {
            let variable = match target {
                Expression::Variable(variable) => *variable,
                Expression::Element(first, length, index) => element(*first, *length, value(index, state)?)?,
                _ => return None,
            };
            let new = value(expression, state)?;
            let (low, high) = self.ranges[variable];
            next[variable] = (low..=high).contains(&new).then_some(new)?;
        }
        Some(next)
    }
}

fn element(first: usize, length: usize, index: i128) -> Option<usize> {
    let index = usize::try_from(index).ok()?;
    (index < length).then_some(first + index)
}

/// The value of an expression, if it has one. Truths are 0 and 1.
fn value(expression: &Expression, state: &[i128]) -> Option<i128> {
    let of = |expression: &Expression| value(expression, state);
    match expression {
        Expression::Value(value) => Some(*value),
        Expression::Variable(variable) => Some(state[*variable]),
        Expression::Element(first, length, index) => Some(state[element(*first, *length, of(index)?)?]),
        Expression::Unary("!", f) => Some(1 - of(f)?),
        Expression::Unary(_, f) => Some(-of(f)?),
        Expression::If(condition, f, g) => {
            if of(condition)? == 1 {
                of(f)
            } else {
                of(g)
            }
        }
        Expression::Binary(sign, f, g) => {
            let (f, g) = (of(f), of(g));
            // One side may decide.
            match (*sign, f, g) {
                ("&", Some(0), _) | ("&", _, Some(0)) => return Some(0),
                ("|", Some(1), _) | ("|", _, Some(1)) => return Some(1),
                ("->", Some(0), _) | ("->", _, Some(1)) => return Some(1),
                _ => (),
            }
            let (f, g) = (f?, g?);
            Some(match *sign {
                "+" => f + g,
                "-" => f - g,
                "*" => f * g,
                "/" => f.checked_div(g)?,
                "%" => f.checked_rem(g)?,
                "&" => f & g,
                "|" => f | g,
                "->" => i128::from(f <= g),
                "<->" | "=" => i128::from(f == g),
                "!=" => i128::from(f != g),
                "<" => i128::from(f < g),
                "<=" => i128::from(f <= g),
                ">" => i128::from(f > g),
                _ => i128::from(f >= g),
            })
        }
    }
}

impl Model for Program {
    fn variables(&self) -> &[Variable] {
        &self.variables
    }

    fn initial_states(&self) -> Vec<State> {
        let mut states: Vec<State> = vec![Vec::new()];
        for values in &self.starts {
            let extend = |state: &State| {
                values.iter().map(|value| [state.as_slice(), &[*value]].concat()).collect::<Vec<_>>()
            };
            states = states.iter().flat_map(extend).collect();
        }
        states.retain(|state| self.initially.iter().all(|condition| value(condition, state) == Some(1)));
        states
    }

    fn steps(&self, state: &[i128]) -> Vec<Step> {
        let step = |command: &Command| {
            Some(Step { label: vec![command.name.clone()], to: self.after(command, state)? })
        };
        self.commands.iter().filter_map(step).collect()
    }

    fn is_true(&self, name: &str, state: &[i128]) -> Result<bool, String> {
        match self.position(name) {
            Some(position) if self.variables[position].kind == Kind::Truth => Ok(state[position] == 1),
            _ => Err(format!("no truth value {name}")),
        }
    }

    fn is_fireable(&self, event: &str, state: &[i128]) -> Result<bool, String> {
        let mut named = self.commands.iter().filter(|command| command.name == event).peekable();
        if named.peek().is_none() {
            return Err(format!("no command {event}"));
        }
        Ok(named.any(|command| self.after(command, state).is_some()))
    }

    fn is_label(&self, step: &Step, label: &[String]) -> bool {
        // A command that is split into cases has the number of the case behind its name.
        let [shown] = label else { return false };
        let name = shown.rsplit_once(".case").filter(|(_, number)| number.parse::<usize>().is_ok());
        step.label[0] == *shown || name.is_some_and(|(name, _)| step.label[0] == name)
    }

    fn agents(&self) -> &Agents {
        &self.no_agents
    }
}

struct Reader<'a> {
    tokens: &'a [(Token, usize)],
    at: usize,
    program: Program,
    /// Constants, words of enumerations, and the variables of `for`.
    known: BTreeMap<String, i128>,
    /// Enumerations.
    kinds: BTreeMap<String, Vec<String>>,
    /// The process whose declarations are read.
    process: Option<String>,
    /// The values of the variables of `for`, which belong to names of commands.
    indices: Vec<i128>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(found)) if *found == sign);
        self.at += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Word(found)) if found == word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        if self.take(sign) { Ok(()) } else { Err(format!("expected {sign}, found {:?}", self.peek())) }
    }

    fn name(&mut self) -> Result<String, String> {
        let name = match self.peek() {
            Some(Token::Word(name) | Token::Quoted(name)) => name.clone(),
            other => return Err(format!("expected a name, found {other:?}")),
        };
        self.at += 1;
        Ok(name)
    }

    fn declaration(&mut self) -> Result<(), String> {
        if self.take(";") {
            return Ok(());
        }
        if self.take_word("model") {
            return self.name().map(drop);
        }
        if self.take_word("const") || self.take_word("param") {
            let name = self.name()?;
            self.expect("=")?;
            let value = self.constant()?;
            self.known.insert(name, value);
            return Ok(());
        }
        if self.take_word("enum") {
            let name = self.name()?;
            self.expect("=")?;
            let words = self.words()?;
            self.kinds.insert(name, words);
            return Ok(());
        }
        if self.take_word("var") {
            return self.variable();
        }
        if self.take_word("initially") {
            let condition = self.expression()?;
            self.program.initially.push(condition);
            return Ok(());
        }
        if self.take_word("property") {
            // Up to the end of its line.
            let line = self.tokens[self.at].1;
            while self.tokens.get(self.at).is_some_and(|(_, found)| *found == line) {
                self.at += 1;
            }
            return Ok(());
        }
        if self.take_word("process") {
            self.process = Some(self.name()?);
            self.expect("{")?;
            while !self.take("}") {
                self.declaration()?;
            }
            self.process = None;
            return Ok(());
        }
        if self.take_word("for") {
            return self.loops();
        }
        self.command()
    }

    /// `i in 0..2 { … }`: the body is read once for each value.
    fn loops(&mut self) -> Result<(), String> {
        let name = self.name()?;
        if !self.take_word("in") {
            return Err("expected in".to_string());
        }
        let low = self.constant()?;
        self.expect("..")?;
        let high = self.constant()?;
        self.expect("{")?;
        let start = self.at;
        for index in low..=high {
            self.at = start;
            self.known.insert(name.clone(), index);
            self.indices.push(index);
            while !self.take("}") {
                self.declaration()?;
            }
            self.indices.pop();
        }
        self.known.remove(&name);
        Ok(())
    }

    /// `{ idle, busy }`: each word is its position.
    fn words(&mut self) -> Result<Vec<String>, String> {
        self.expect("{")?;
        let mut words = Vec::new();
        while !self.take("}") {
            let word = self.name()?;
            self.known.insert(word.clone(), words.len() as i128);
            words.push(word);
            self.take(",");
        }
        Ok(words)
    }

    fn variable(&mut self) -> Result<(), String> {
        let name = self.name()?;
        let name = self.process.as_ref().map_or(name.clone(), |process| format!("{process}.{name}"));
        let length = match self.take("[") {
            true => {
                let length = self.constant()?;
                self.expect("]")?;
                Some(length)
            }
            false => None,
        };
        self.expect(":")?;
        let (kind, range) = if self.take_word("nat") {
            (Kind::Number, (0, i128::from(i64::MAX)))
        } else if self.take_word("bool") {
            (Kind::Truth, (0, 1))
        } else if matches!(self.peek(), Some(Token::Sign("{"))) {
            let words = self.words()?;
            let most = words.len() as i128 - 1;
            (Kind::Words(words), (0, most))
        } else if let Some(Token::Word(kind)) = self.peek()
            && let Some(words) = self.kinds.get(kind)
        {
            let words = words.clone();
            self.at += 1;
            let most = words.len() as i128 - 1;
            (Kind::Words(words), (0, most))
        } else {
            let low = self.constant()?;
            self.expect("..")?;
            (Kind::Number, (low, self.constant()?))
        };
        self.expect("=")?;
        let count = length.unwrap_or(1) as usize;
        let starts: Vec<Vec<i128>> = if self.take("[") {
            let mut starts = Vec::new();
            while !self.take("]") {
                starts.push(vec![self.constant()?]);
                self.take(",");
            }
            starts
        } else if self.take_word("any") {
            vec![(range.0..=range.1).collect(); count]
        } else if self.take("{") {
            let mut values = Vec::new();
            while !self.take("}") {
                values.push(self.constant()?);
                self.take(",");
            }
            values.sort_unstable();
            values.dedup();
            vec![values; count]
        } else {
            let low = self.constant()?;
            let high = if self.take("..") { self.constant()? } else { low };
            vec![(low..=high).collect(); count]
        };
        if length.is_some() {
            self.program.arrays.insert(name.clone(), (self.program.variables.len(), count));
        }
        for (number, start) in starts.into_iter().enumerate() {
            let name = if length.is_some() { format!("{name}.{number}") } else { name.clone() };
            self.program.variables.push(Variable { name, kind: kind.clone() });
            self.program.ranges.push(range);
            self.program.starts.push(start);
        }
        Ok(())
    }

    fn command(&mut self) -> Result<(), String> {
        let mut name = self.name()?;
        if let Some(process) = &self.process {
            name = format!("{process}.{name}");
        }
        for index in &self.indices {
            name = format!("{name}.{index}");
        }
        self.expect(":")?;
        let guard = self.disjunction()?;
        self.expect("->")?;
        let mut assignments = Vec::new();
        if !self.take_word("skip") {
            loop {
                let target = self.atom()?;
                self.expect("'")?;
                self.expect("=")?;
                assignments.push((target, self.disjunction()?));
                if !self.take("||") {
                    break;
                }
            }
        }
        self.program.commands.push(Command { name, guard, assignments });
        Ok(())
    }

    fn constant(&mut self) -> Result<i128, String> {
        let expression = self.sum()?;
        value(&expression, &[]).ok_or_else(|| "not a constant".to_string())
    }

    /// With `->` and `<->`, which stand in brackets.
    fn expression(&mut self) -> Result<Expression, String> {
        let left = self.disjunction()?;
        for sign in ["<->", "->"] {
            if self.take(sign) {
                return Ok(Expression::Binary(sign, Box::new(left), Box::new(self.expression()?)));
            }
        }
        Ok(left)
    }

    fn binary(
        &mut self,
        signs: &[&'static str],
        operand: fn(&mut Self) -> Result<Expression, String>,
    ) -> Result<Expression, String> {
        let mut left = operand(self)?;
        while let Some(&sign) =
            signs.iter().find(|sign| matches!(self.peek(), Some(Token::Sign(found)) if found == *sign))
        {
            self.at += 1;
            left = Expression::Binary(sign, Box::new(left), Box::new(operand(self)?));
        }
        Ok(left)
    }

    fn disjunction(&mut self) -> Result<Expression, String> {
        self.binary(&["|"], Self::conjunction)
    }

    fn conjunction(&mut self) -> Result<Expression, String> {
        self.binary(&["&"], Self::negation)
    }

    fn negation(&mut self) -> Result<Expression, String> {
        if self.take("!") {
            return Ok(Expression::Unary("!", Box::new(self.negation()?)));
        }
        self.binary(&["=", "!=", "<=", ">=", "<", ">"], Self::sum)
    }

    fn sum(&mut self) -> Result<Expression, String> {
        self.binary(&["+", "-"], Self::product)
    }

    fn product(&mut self) -> Result<Expression, String> {
        self.binary(&["*", "/", "%"], Self::signed)
    }

    fn signed(&mut self) -> Result<Expression, String> {
        if self.take("-") {
            return Ok(Expression::Unary("-", Box::new(self.signed()?)));
        }
        self.atom()
    }

    fn atom(&mut self) -> Result<Expression, String> {
        if self.take("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if let Some(&Token::Number(number)) = self.peek() {
            self.at += 1;
            return Ok(Expression::Value(number));
        }
        if self.take_word("if") {
            let condition = self.expression()?;
            if !self.take_word("then") {
                return Err("expected then".to_string());
            }
            let yes = self.expression()?;
            if !self.take_word("else") {
                return Err("expected else".to_string());
            }
            return Ok(Expression::If(Box::new(condition), Box::new(yes), Box::new(self.expression()?)));
        }
        if self.take_word("true") {
            return Ok(Expression::Value(1));
        }
        if self.take_word("false") {
            return Ok(Expression::Value(0));
        }
        let mut name = self.name()?;
        while self.take(".") {
            name = format!("{name}.{}", self.name()?);
        }
        if let Some(&value) = self.known.get(&name) {
            return Ok(Expression::Value(value));
        }
        let own = self.process.as_ref().map(|process| format!("{process}.{name}"));
        let names: Vec<String> = own.into_iter().chain([name.clone()]).collect();
        if self.take("[") {
            let index = self.expression()?;
            self.expect("]")?;
            let array = names.iter().find_map(|name| self.program.arrays.get(name).copied());
            let (first, length) = array.ok_or_else(|| format!("no array {name}"))?;
            return Ok(Expression::Element(first, length, Box::new(index)));
        }
        let position = names.iter().find_map(|name| self.program.position(name));
        position.map(Expression::Variable).ok_or_else(|| format!("no variable {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Graph;

    fn states(text: &str) -> Vec<State> {
        let program = Program::read(text).unwrap();
        let mut states = Graph::explore(&program, 100).states;
        states.sort();
        states
    }

    #[test]
    fn commands_that_leave_a_range_do_not_happen() {
        assert_eq!(states("var x: 0..3 = 0 up: true -> x' = x + 1"), [[0], [1], [2], [3]]);
        assert_eq!(
            states("var x[2]: 0..1 = 0 var k: 0..5 = {0, 4} put: true -> x[k]' = 1"),
            [[0, 0, 0], [0, 0, 4], [1, 0, 0]]
        );
    }

    #[test]
    fn what_has_no_value_is_decided_by_the_rest() {
        assert_eq!(states("var x: 0..2 = 0 go: x = 0 | 6 / x > 9 -> x' = 2"), [[0], [2]]);
        assert_eq!(states("var x: 0..2 = 0 go: 6 / x > 1 -> x' = 2"), [[0]]);
        assert_eq!(states("var x: 0..2 = 0 go: !(6 / x > 1) -> x' = 2"), [[0]]);
    }

    #[test]
    fn initial_states_loops_and_processes() {
        let text = "const K = 2 enum phase = {idle, busy} var at: phase = any var n: -1..K = 0..1 initially at = busy | n = 1
            for i in 0..1 { go: n = i -> n' = if at = idle then 0 - 1 else i }
            process left { var z: bool = false go: !z & n < 0 -> z' = true }
            property p: AG n <= K";
        let program = Program::read(text).unwrap();
        assert_eq!(program.initial_states(), [[0, 1, 0], [1, 0, 0], [1, 1, 0]]);
        assert_eq!(
            program.commands.iter().map(|command| command.name.as_str()).collect::<Vec<_>>(),
            ["go.0", "go.1", "left.go"]
        );
        assert_eq!(states(text), [[0, -1, 0], [0, -1, 1], [0, 1, 0], [1, 0, 0], [1, 1, 0]]);
    }
}
