//! Multi-agent systems, read from ISPL and played as MCMAS plays them.
//!
//! In a step every agent picks one of the actions that its protocol offers in the present state.
//! Then all agents evolve at once, each by the present state and the actions of all:
//!
//! ```text
//! MultiAssignment     one of the lines whose guard holds; none holds: nothing changes
//! SingleAssignment    for each variable one of its lines whose guard holds; none holds: it stays
//! ```
//!
//! A line that would leave the range of a variable cannot be taken. If another line can, that one
//! is; if none can, there is no step. The sections come in the order of the language; what the
//! generator does not write is not read.

use crate::formula::Formula;
use crate::lexer::{Rules, Token, tokens};
use crate::model::{Agent, Agents, Kind, Model, State, Step, Variable};
use crate::parse::formula_of;
use std::collections::BTreeMap;

/// An expression over a state and, in evolutions, over actions.
#[derive(Clone, Debug)]
enum Expression {
    Value(i128),
    Variable(usize),
    /// A word that is a value of the variable on the other side of a comparison or an assignment.
    Word(String),
    Sum(Box<Expression>, Box<Expression>),
    Difference(Box<Expression>, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
    Quotient(Box<Expression>, Box<Expression>),
    BitAnd(Box<Expression>, Box<Expression>),
    BitOr(Box<Expression>, Box<Expression>),
    BitXor(Box<Expression>, Box<Expression>),
    BitNot(Box<Expression>),
}

/// A condition.
#[derive(Clone, Debug)]
enum Condition {
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
    Compare(Expression, &'static str, Expression),
    /// The agent at this position does this.
    Acts(usize, String),
}

/// `x = e and y = f if guard`
#[derive(Clone, Debug)]
struct Line {
    assignments: Vec<(usize, Expression)>,
    guard: Condition,
}

/// What an agent does.
#[derive(Clone, Debug, Default)]
struct Behaviour {
    actions: Vec<String>,
    /// Conditions and what they offer.
    protocol: Vec<(Condition, Vec<String>)>,
    /// What is offered where no condition holds.
    other: Option<Vec<String>>,
    evolution: Vec<Line>,
    own: Vec<usize>,
    red: Option<Condition>,
}

/// A system of agents.
#[derive(Clone, Debug)]
pub struct System {
    variables: Vec<Variable>,
    /// The least and the greatest value of each variable.
    ranges: Vec<(i128, i128)>,
    agents: Agents,
    behaviours: Vec<Behaviour>,
    is_single: bool,
    atoms: BTreeMap<String, Condition>,
    initially: Condition,
    fairness: Vec<Formula>,
}

impl System {
    /// Reads ISPL.
    pub fn read(text: &str) -> Result<System, String> {
        let tokens = tokens(text, Rules { comments: &["--"], dotted_names: false })?;
        let tokens: Vec<Token> = tokens.into_iter().map(|(token, _)| token).collect();
        let truth = Condition::Compare(Expression::Value(0), "=", Expression::Value(0));
        let system = System {
            variables: Vec::new(),
            ranges: Vec::new(),
            agents: Agents::default(),
            behaviours: Vec::new(),
            is_single: false,
            atoms: BTreeMap::new(),
            initially: truth,
            fairness: Vec::new(),
        };
        // Two passes: guards may name agents and variables that are declared further down.
        let mut declared =
            Reader { tokens: &tokens, at: 0, system, agent: None, observable: Vec::new(), is_first: true };
        declared.file()?;
        let System { variables, ranges, agents, .. } = declared.system.clone();
        let system = System { variables, ranges, agents, behaviours: Vec::new(), ..declared.system };
        let mut reader =
            Reader { tokens: &tokens, at: 0, system, agent: None, observable: Vec::new(), is_first: false };
        reader.file()?;
        Ok(reader.system)
    }

    fn offered(&self, agent: usize, state: &[i128]) -> Vec<String> {
        let behaviour = &self.behaviours[agent];
        if behaviour.protocol.is_empty() && behaviour.other.is_none() {
            return behaviour.actions.clone();
        }
        let mut offered: Vec<String> = Vec::new();
        for (condition, actions) in &behaviour.protocol {
            if self.holds(condition, state, &[]) {
                offered.extend(actions.iter().cloned());
            }
        }
        // `Other` counts if no condition holds.
        let none = !behaviour.protocol.iter().any(|(condition, _)| self.holds(condition, state, &[]));
        if none {
            offered.extend(behaviour.other.iter().flatten().cloned());
        }
        offered.sort();
        offered.dedup();
        offered
    }

    fn holds(&self, condition: &Condition, state: &[i128], actions: &[String]) -> bool {
        match condition {
            Condition::And(f, g) => self.holds(f, state, actions) && self.holds(g, state, actions),
            Condition::Or(f, g) => self.holds(f, state, actions) || self.holds(g, state, actions),
            Condition::Not(f) => !self.holds(f, state, actions),
            Condition::Acts(agent, action) => actions.get(*agent) == Some(action),
            Condition::Compare(left, sign, right) => {
                let kind = self.kind(left).or_else(|| self.kind(right)).cloned();
                let values =
                    (self.value(left, state, kind.as_ref()), self.value(right, state, kind.as_ref()));
                let (Some(left), Some(right)) = values else { return false };
                match *sign {
                    "=" => left == right,
                    "<>" => left != right,
                    "<" => left < right,
                    "<=" => left <= right,
                    ">" => left > right,
                    _ => left >= right,
                }
            }
        }
    }

    /// How the values of an expression are written, if a variable says it.
    fn kind(&self, expression: &Expression) -> Option<&Kind> {
        match expression {
            Expression::Variable(variable) => Some(&self.variables[*variable].kind),
            _ => None,
        }
    }

    fn value(&self, expression: &Expression, state: &[i128], kind: Option<&Kind>) -> Option<i128> {
        let of = |expression: &Expression| self.value(expression, state, kind);
        match expression {
            Expression::Value(value) => Some(*value),
            Expression::Variable(variable) => Some(state[*variable]),
            Expression::Word(word) => kind?.value(word),
            Expression::Sum(f, g) => Some(of(f)? + of(g)?),
            Expression::Difference(f, g) => Some(of(f)? - of(g)?),
            Expression::Product(f, g) => Some(of(f)? * of(g)?),
            Expression::Quotient(f, g) => of(f)?.checked_div(of(g)?),
            Expression::BitAnd(f, g) => Some(of(f)? & of(g)?),
            Expression::BitOr(f, g) => Some(of(f)? | of(g)?),
            Expression::BitXor(f, g) => Some(of(f)? ^ of(g)?),
            Expression::BitNot(f) => Some(1 - of(f)?),
        }
    }

    /// What some assignments make of the values of variables, unless one leaves its range.
    fn assigned(&self, line: &Line, state: &[i128]) -> Option<Vec<(usize, i128)>> {
        let value = |(variable, expression): &(usize, Expression)| {
            let value = self.value(expression, state, Some(&self.variables[*variable].kind))?;
            let (low, high) = self.ranges[*variable];
            (low..=high).contains(&value).then_some((*variable, value))
        };
        line.assignments.iter().map(value).collect()
    }

    /// Every way in which an agent may evolve: the changes of its variables.
    fn evolutions(&self, agent: usize, state: &[i128], actions: &[String]) -> Vec<Vec<(usize, i128)>> {
        let lines = &self.behaviours[agent].evolution;
        let enabled: Vec<&Line> =
            lines.iter().filter(|line| self.holds(&line.guard, state, actions)).collect();
        if !self.is_single {
            return match enabled.is_empty() {
                true => vec![Vec::new()],
                false => enabled.iter().filter_map(|line| self.assigned(line, state)).collect(),
            };
        }
        let mut ways: Vec<Vec<(usize, i128)>> = vec![Vec::new()];
        for &variable in &self.behaviours[agent].own {
            let own: Vec<&&Line> = enabled.iter().filter(|line| line.assignments[0].0 == variable).collect();
            if own.is_empty() {
                continue;
            }
            let choices: Vec<Vec<(usize, i128)>> =
                own.iter().filter_map(|line| self.assigned(line, state)).collect();
            let extend = |way: &Vec<(usize, i128)>| {
                let way = way.clone();
                choices.iter().map(move |more| [way.clone(), more.clone()].concat()).collect::<Vec<_>>()
            };
            ways = ways.iter().flat_map(extend).collect();
        }
        ways
    }
}

/// All ways to choose one of each list.
fn combinations<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |found, list| {
        let extend = |one: &Vec<T>| {
            list.iter().map(|more| [one.clone(), vec![more.clone()]].concat()).collect::<Vec<_>>()
        };
        found.iter().flat_map(extend).collect()
    })
}

impl Model for System {
    fn variables(&self) -> &[Variable] {
        &self.variables
    }

    fn initial_states(&self) -> Vec<State> {
        let values: Vec<Vec<i128>> = self.ranges.iter().map(|&(low, high)| (low..=high).collect()).collect();
        let all = combinations(&values).into_iter();
        all.filter(|state| self.holds(&self.initially, state, &[])).collect()
    }

    fn steps(&self, state: &[i128]) -> Vec<Step> {
        let offers: Vec<Vec<String>> =
            (0..self.behaviours.len()).map(|agent| self.offered(agent, state)).collect();
        let mut steps: Vec<Step> = Vec::new();
        for actions in combinations(&offers) {
            let evolutions: Vec<Vec<Vec<(usize, i128)>>> =
                (0..self.behaviours.len()).map(|agent| self.evolutions(agent, state, &actions)).collect();
            for changes in combinations(&evolutions) {
                let mut to = state.to_vec();
                changes.into_iter().flatten().for_each(|(variable, value)| to[variable] = value);
                let step = Step { label: actions.clone(), to };
                if !steps.contains(&step) {
                    steps.push(step);
                }
            }
        }
        steps
    }

    fn is_true(&self, name: &str, state: &[i128]) -> Result<bool, String> {
        if let Some(condition) = self.atoms.get(name) {
            return Ok(self.holds(condition, state, &[]));
        }
        if let Some((agent, colour)) = name.rsplit_once('.')
            && let Some(agent) = self.agents.list.iter().position(|known| known.name == agent)
            && ["RedStates", "GreenStates"].contains(&colour)
        {
            return Ok(self.is_red(agent, state) == (colour == "RedStates"));
        }
        match self.position(name) {
            Some(variable) if self.variables[variable].kind == Kind::Truth => Ok(state[variable] == 1),
            _ => Err(format!("no atom {name}")),
        }
    }

    fn is_fireable(&self, event: &str, _state: &[i128]) -> Result<bool, String> {
        Err(format!("agents have no event {event}"))
    }

    fn is_synchronous(&self) -> bool {
        true
    }

    fn agents(&self) -> &Agents {
        &self.agents
    }

    fn is_red(&self, agent: usize, state: &[i128]) -> bool {
        self.behaviours[agent].red.as_ref().is_some_and(|red| self.holds(red, state, &[]))
    }

    fn fairness(&self) -> &[Formula] {
        &self.fairness
    }
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    system: System,
    /// The agent whose section is read; names without an agent are its own.
    agent: Option<usize>,
    /// The variables of the Environment that everybody sees.
    observable: Vec<usize>,
    /// The first pass only declares.
    is_first: bool,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(found)) if found == word)
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(found)) if *found == sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        if self.take(sign) { Ok(()) } else { Err(format!("expected {sign}, found {:?}", self.peek())) }
    }

    fn expect_word(&mut self, word: &str) -> Result<(), String> {
        if self.take_word(word) { Ok(()) } else { Err(format!("expected {word}, found {:?}", self.peek())) }
    }

    fn name(&mut self) -> Result<String, String> {
        let Some(Token::Word(name)) = self.peek() else { return Err(format!("no name: {:?}", self.peek())) };
        let name = name.clone();
        self.at += 1;
        Ok(name)
    }

    fn number(&mut self) -> Result<i128, String> {
        let sign = if self.take("-") { -1 } else { 1 };
        let Some(&Token::Number(number)) = self.peek() else { return Err("no number".to_string()) };
        self.at += 1;
        Ok(sign * number)
    }

    /// `end NAME`
    fn ends(&mut self, section: &str) -> bool {
        let next = self.tokens.get(self.at + 1);
        let ends = self.is_word("end") && matches!(next, Some(Token::Word(word)) if word == section);
        self.at += if ends { 2 } else { 0 };
        ends
    }

    fn file(&mut self) -> Result<(), String> {
        if self.take_word("Semantics") {
            self.expect("=")?;
            self.system.is_single = ["SA", "SingleAssignment"].contains(&self.name()?.as_str());
            self.expect(";")?;
        }
        while self.take_word("Agent") {
            self.agent()?;
        }
        self.agent = None;
        self.expect_word("Evaluation")?;
        while !self.ends("Evaluation") {
            let name = self.name()?;
            self.expect_word("if")?;
            let condition = self.condition_or_skip()?;
            self.expect(";")?;
            self.system.atoms.extend(condition.map(|condition| (name, condition)));
        }
        self.expect_word("InitStates")?;
        if let Some(condition) = self.condition_or_skip()? {
            self.system.initially = condition;
        }
        self.expect(";")?;
        if !self.ends("InitStates") {
            return Err("InitStates does not end".to_string());
        }
        if self.take_word("Groups") {
            while !self.ends("Groups") {
                let name = self.name()?;
                self.expect("=")?;
                let members = self.list()?;
                self.expect(";")?;
                self.system.agents.groups.insert(name, members);
            }
        }
        if self.take_word("Fairness") {
            while !self.ends("Fairness") {
                let start = self.at;
                while !self.take(";") {
                    self.at += 1;
                    if self.peek().is_none() {
                        return Err("Fairness does not end".to_string());
                    }
                }
                let formula = formula_of(&joined(&self.tokens[start..self.at - 1]))?;
                if !self.is_first {
                    self.system.fairness.push(formula);
                }
            }
        }
        self.expect_word("Formulae")
    }

    /// `{ a, b }`
    fn list(&mut self) -> Result<Vec<String>, String> {
        self.expect("{")?;
        let mut names = Vec::new();
        while !self.take("}") {
            names.push(self.name()?);
            self.take(",");
        }
        Ok(names)
    }

    fn agent(&mut self) -> Result<(), String> {
        let name = self.name()?;
        let number = match self.is_first {
            true => {
                let acts = Some(self.system.agents.list.len());
                self.system.agents.list.push(Agent { name: name.clone(), sees: Vec::new(), acts });
                self.system.agents.list.len() - 1
            }
            false => self.system.behaviours.len(),
        };
        self.agent = Some(number);
        let mut behaviour = Behaviour::default();
        let mut seen: Vec<usize> = Vec::new();
        if self.take_word("Obsvars") {
            self.expect(":")?;
            while !self.ends("Obsvars") {
                let variable = self.variable(&name)?;
                behaviour.own.push(variable);
            }
        }
        let obsvars = behaviour.own.clone();
        if self.take_word("Lobsvars") {
            self.expect("=")?;
            for variable in self.list()? {
                let variable = self.system.position(&format!("Environment.{variable}"));
                seen.push(variable.ok_or("no such variable of the Environment")?);
            }
            self.expect(";")?;
        }
        if self.take_word("Vars") {
            self.expect(":")?;
            while !self.ends("Vars") {
                let variable = self.variable(&name)?;
                behaviour.own.push(variable);
            }
        }
        if self.is_first {
            // Everybody sees the Obsvars of the Environment; an agent sees its own variables.
            seen.extend(&behaviour.own);
            if name != "Environment" {
                seen.extend(&self.observable);
            } else {
                self.observable = obsvars;
            }
            self.system.agents.list[number].sees = seen;
        }
        if self.take_word("RedStates") {
            self.expect(":")?;
            if !self.is_word("end") {
                behaviour.red = self.condition_or_skip()?;
                self.expect(";")?;
            }
            if !self.ends("RedStates") {
                return Err("RedStates does not end".to_string());
            }
        }
        self.expect_word("Actions")?;
        self.expect("=")?;
        behaviour.actions = self.list()?;
        self.expect(";")?;
        self.expect_word("Protocol")?;
        self.expect(":")?;
        while !self.ends("Protocol") {
            let condition = if self.take_word("Other") { None } else { Some(self.condition_or_skip()?) };
            self.expect(":")?;
            let actions = self.list()?;
            self.expect(";")?;
            match condition {
                None => behaviour.other = Some(actions),
                Some(condition) => behaviour.protocol.extend(condition.map(|condition| (condition, actions))),
            }
        }
        self.expect_word("Evolution")?;
        self.expect(":")?;
        while !self.ends("Evolution") {
            let mut assignments = Vec::new();
            loop {
                let variable = self.name()?;
                let variable =
                    self.system.position(&format!("{name}.{variable}")).ok_or("an unknown variable")?;
                self.expect("=")?;
                assignments.push((variable, self.expression()?));
                if !self.take_word("and") {
                    break;
                }
            }
            self.expect_word("if")?;
            let guard = self.condition_or_skip()?;
            self.expect(";")?;
            behaviour.evolution.extend(guard.map(|guard| Line { assignments, guard }));
        }
        self.expect_word("end")?;
        self.expect_word("Agent")?;
        self.system.behaviours.push(behaviour);
        Ok(())
    }

    /// `x : boolean;` `x : 0 .. 3;` `x : { a, b };`
    fn variable(&mut self, agent: &str) -> Result<usize, String> {
        let name = format!("{agent}.{}", self.name()?);
        self.expect(":")?;
        let (kind, range) = if self.take_word("boolean") {
            (Kind::Truth, (0, 1))
        } else if matches!(self.peek(), Some(Token::Sign("{"))) {
            let words = self.list()?;
            let most = words.len() as i128 - 1;
            (Kind::Words(words), (0, most))
        } else {
            let low = self.number()?;
            self.expect("..")?;
            (Kind::Number, (low, self.number()?))
        };
        self.expect(";")?;
        if self.is_first {
            self.system.variables.push(Variable { name, kind });
            self.system.ranges.push(range);
            return Ok(self.system.variables.len() - 1);
        }
        self.system.position(&name).ok_or_else(|| "an unknown variable".to_string())
    }

    /// A condition; in the first pass its names may not be known yet, so it is skipped.
    fn condition_or_skip(&mut self) -> Result<Option<Condition>, String> {
        if !self.is_first {
            return self.disjunction().map(Some);
        }
        while !matches!(self.peek(), Some(Token::Sign(";" | ":")) | None) {
            self.at += 1;
        }
        Ok(None)
    }

    fn disjunction(&mut self) -> Result<Condition, String> {
        let mut left = self.conjunction()?;
        while self.take_word("or") {
            left = Condition::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Condition, String> {
        let mut left = self.negation()?;
        while self.take_word("and") {
            left = Condition::And(Box::new(left), Box::new(self.negation()?));
        }
        Ok(left)
    }

    fn negation(&mut self) -> Result<Condition, String> {
        if self.take("!") {
            return Ok(Condition::Not(Box::new(self.negation()?)));
        }
        // A bracket may hold a condition or an expression.
        let start = self.at;
        if self.take("(")
            && let Ok(inner) = self.disjunction()
            && self.take(")")
            && !matches!(
                self.peek(),
                Some(Token::Sign(
                    "=" | "<>" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "&" | "|" | "^"
                ))
            )
        {
            return Ok(inner);
        }
        self.at = start;
        if let Some(action) = self.action()? {
            return Ok(action);
        }
        let left = self.expression()?;
        let signs = ["=", "<>", "<", "<=", ">", ">="];
        let sign = signs.into_iter().find(|sign| self.take(sign)).ok_or("no comparison")?;
        Ok(Condition::Compare(left, sign, self.expression()?))
    }

    /// `Action = a`, `Agent.Action = a`
    fn action(&mut self) -> Result<Option<Condition>, String> {
        let start = self.at;
        let mut agent = self.agent;
        if !self.is_word("Action") {
            let Ok(name) = self.name() else { return Ok(None) };
            if !self.take(".") || !self.is_word("Action") {
                self.at = start;
                return Ok(None);
            }
            agent = self.system.agents.list.iter().position(|known| known.name == name);
        }
        self.expect_word("Action")?;
        self.expect("=")?;
        Ok(Some(Condition::Acts(agent.ok_or("an unknown agent")?, self.name()?)))
    }

    fn expression(&mut self) -> Result<Expression, String> {
        let mut left = self.bit_and()?;
        loop {
            if self.take("|") {
                left = Expression::BitOr(Box::new(left), Box::new(self.bit_and()?));
            } else if self.take("^") {
                left = Expression::BitXor(Box::new(left), Box::new(self.bit_and()?));
            } else {
                return Ok(left);
            }
        }
    }

    fn bit_and(&mut self) -> Result<Expression, String> {
        let mut left = self.bit_not()?;
        while self.take("&") {
            left = Expression::BitAnd(Box::new(left), Box::new(self.bit_not()?));
        }
        Ok(left)
    }

    fn bit_not(&mut self) -> Result<Expression, String> {
        if self.take("~") {
            return Ok(Expression::BitNot(Box::new(self.bit_not()?)));
        }
        self.sum()
    }

    fn sum(&mut self) -> Result<Expression, String> {
        let mut left = self.product()?;
        loop {
            if self.take("+") {
                left = Expression::Sum(Box::new(left), Box::new(self.product()?));
            } else if self.take("-") {
                left = Expression::Difference(Box::new(left), Box::new(self.product()?));
            } else {
                return Ok(left);
            }
        }
    }

    fn product(&mut self) -> Result<Expression, String> {
        let mut left = self.value()?;
        loop {
            if self.take("*") {
                left = Expression::Product(Box::new(left), Box::new(self.value()?));
            } else if self.take("/") {
                left = Expression::Quotient(Box::new(left), Box::new(self.value()?));
            } else {
                return Ok(left);
            }
        }
    }

    fn value(&mut self) -> Result<Expression, String> {
        if self.take("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if matches!(self.peek(), Some(Token::Number(_) | Token::Sign("-"))) {
            return Ok(Expression::Value(self.number()?));
        }
        let mut name = self.name()?;
        if name == "true" || name == "false" {
            return Ok(Expression::Value(i128::from(name == "true")));
        }
        let own = self.agent.map(|agent| self.system.agents.list[agent].name.clone());
        if self.take(".") {
            name = format!("{name}.{}", self.name()?);
        } else if let Some(own) = own {
            let full = format!("{own}.{name}");
            if let Some(variable) = self.system.position(&full) {
                return Ok(Expression::Variable(variable));
            }
        }
        Ok(self.system.position(&name).map_or(Expression::Word(name), Expression::Variable))
    }
}

/// Joins `Agent . name`, which the notation of formulas reads as one name.
fn joined(tokens: &[Token]) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::new();
    let mut rest = tokens.iter();
    while let Some(token) = rest.next() {
        match (token, joined.last_mut()) {
            (Token::Sign("."), Some(Token::Word(before))) => {
                if let Some(Token::Word(after)) = rest.next() {
                    before.push('.');
                    before.push_str(after);
                }
            }
            _ => joined.push(token.clone()),
        }
    }
    joined
}

#[cfg(test)]
mod tests;
