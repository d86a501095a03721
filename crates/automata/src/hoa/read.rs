//! HOA text read.

use rustc_hash::FxHashMap;
use symbolon_budget::{Budget, Meter};
use symbolon_source::{Findings, ReadFailure, Step, likely};

use super::expression::{Expression, Part, Reading, Waiting};
use super::tokens::{Kind, Token, tokens};
use crate::automaton::{Automaton, Edge};
use crate::label::{Label, Marks};

/// More states than this are a mistake in the text, not an automaton.
const STATE_LIMIT: u32 = 1 << 22;

/// More propositions than this cannot be implicit: every state would have an edge for each of their
/// letters.
const IMPLICIT_LIMIT: usize = 20;

/// The first automaton in the text. Its propositions are found by name: the one called
/// `propositions[i]` is `i`.
pub fn read_hoa(text: &str, propositions: &[&str], budget: &Budget) -> Result<Automaton, ReadFailure> {
    let mut findings = Findings::default();
    match read(text, propositions, budget, &mut findings) {
        Ok(automaton) => Ok(automaton),
        Err(stop) => Err(findings.into_failure(stop, text)),
    }
}

fn read(text: &str, propositions: &[&str], budget: &Budget, findings: &mut Findings) -> Step<Automaton> {
    let tokens = tokens(text, findings)?;
    let mut reader =
        Reader { tokens, place: 0, findings, meter: Meter::new(budget.clone()), header: Header::default() };
    reader.header(propositions)?;
    reader.body(propositions.len() as u32)
}

struct Reader<'a> {
    tokens: Vec<Token>,
    place: usize,
    findings: &'a mut Findings,
    meter: Meter,
    header: Header,
}

/// What stands before `--BODY--`.
#[derive(Debug, Default)]
struct Header {
    state_count: Option<u32>,
    /// Initial states, and where they are named.
    initial: Vec<(u32, usize)>,
    /// The propositions of the text, by our numbers.
    propositions: Vec<u32>,
    aliases: FxHashMap<String, Expression>,
    set_count: u32,
    /// For each of our marks, the sets of the text of which one must be met; none before the
    /// condition was read.
    marks: Option<Vec<Vec<u32>>>,
}

/// Whether a number in an expression is a proposition or stands in `Inf( )`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Label,
    Acceptance,
}

impl Reader<'_> {
    fn peek(&self) -> &Kind {
        &self.tokens[self.place].kind
    }

    fn offset(&self) -> usize {
        self.tokens[self.place].offset
    }

    /// The token at hand; the last one, the end, stays.
    fn take(&mut self) -> Kind {
        let kind = self.tokens[self.place].kind.clone();
        self.place = (self.place + 1).min(self.tokens.len() - 1);
        kind
    }

    fn takes(&mut self, sign: char) -> bool {
        let is_there = *self.peek() == Kind::Sign(sign);
        if is_there {
            self.take();
        }
        is_there
    }

    fn expected<T>(&mut self, what: &str) -> Step<T> {
        let found = self.peek().shown();
        Err(self.findings.fatal(self.offset(), format!("found {found}, expected {what}")))
    }

    fn unsupported<T>(&mut self, offset: usize, what: &str) -> Step<T> {
        let stop = self.findings.fatal(offset, format!("{what} is not supported"));
        self.findings.not_yet();
        Err(stop)
    }

    /// Refuses an acceptance condition, by its name if the header gives one.
    fn unsupported_acceptance<T>(&mut self, offset: usize, what: &str) -> Step<T> {
        let is_name = |token: &Token| token.kind == Kind::Header("acc-name".to_string());
        let words = self.tokens.iter().skip_while(|token| !is_name(token)).skip(1);
        let words: Vec<String> = words.map_while(|token| token.kind.as_word()).collect();
        let condition = match words.is_empty() {
            true => format!("an acceptance condition with {what}"),
            false => format!("the acceptance condition '{}', with {what},", words.join(" ")),
        };
        let refused = self.unsupported(offset, &condition);
        self.findings.hint(
            "write a Büchi or generalised Büchi automaton, as 'ltl2tgba' or 'autfilt --gba' of Spot do",
        );
        refused
    }

    fn sign(&mut self, sign: char) -> Step<()> {
        if self.takes(sign) { Ok(()) } else { self.expected(&format!("'{sign}'")) }
    }

    fn number(&mut self, what: &str) -> Step<u32> {
        let Kind::Number(number) = *self.peek() else { return self.expected(what) };
        self.take();
        Ok(number)
    }

    fn number_below(&mut self, what: &str, count: u32) -> Step<u32> {
        let offset = self.offset();
        let number = self.number(what)?;
        if number < count {
            return Ok(number);
        }
        Err(self.findings.fatal(offset, format!("found '{number}', expected {what} below {count}")))
    }

    fn header(&mut self, propositions: &[&str]) -> Step<()> {
        if self.take() != Kind::Header("HOA".to_string()) {
            let message = "the text does not begin with 'HOA: v1'";
            return Err(self.findings.fatal(0, message));
        }
        match self.take() {
            Kind::Identifier(version) if version == "v1" => {}
            _ => return self.unsupported(0, "another version of HOA than v1"),
        }
        loop {
            let offset = self.offset();
            let name = match self.take() {
                Kind::Header(name) => name,
                Kind::Mark("BODY") => break,
                _ => {
                    self.place -= 1;
                    return self.expected("a header field or '--BODY--'");
                }
            };
            match name.as_str() {
                "States" => {
                    self.header.state_count = Some(self.number_below("a number of states", STATE_LIMIT)?)
                }
                "Start" => {
                    let offset = self.offset();
                    let state = self.number_below("a state", STATE_LIMIT)?;
                    self.refuse_alternation()?;
                    self.header.initial.push((state, offset));
                }
                "AP" => self.propositions(propositions)?,
                "Alias" => self.alias()?,
                "Acceptance" => self.acceptance()?,
                // What begins with a capital letter changes what the automaton means.
                _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                    return self.unsupported(offset, &format!("the header field '{name}:'"));
                }
                _ => {
                    while !matches!(self.peek(), Kind::Header(_) | Kind::Mark(_) | Kind::End) {
                        self.take();
                    }
                }
            }
        }
        if self.header.marks.is_none() {
            return Err(self.findings.fatal(self.offset(), "the header has no field 'Acceptance:'"));
        }
        Ok(())
    }

    fn refuse_alternation(&mut self) -> Step<()> {
        if *self.peek() == Kind::Sign('&') {
            let offset = self.offset();
            return self.unsupported(offset, "an alternating automaton, with '&' between states,");
        }
        Ok(())
    }

    fn propositions(&mut self, names: &[&str]) -> Step<()> {
        let count = self.number("a number of propositions")?;
        for _ in 0..count {
            let offset = self.offset();
            let Kind::Text(name) = self.peek().clone() else {
                return self.expected("the name of a proposition in quotation marks");
            };
            self.take();
            let Some(number) = names.iter().position(|&known| known == name) else {
                let stop = self.findings.fatal(offset, format!("there is no proposition \"{name}\""));
                if let Some(meant) = likely(&name, names.iter().copied()) {
                    self.findings.hint(format!("did you mean \"{meant}\"?"));
                }
                return Err(stop);
            };
            self.header.propositions.push(number as u32);
        }
        Ok(())
    }

    fn alias(&mut self) -> Step<()> {
        let Kind::Alias(name) = self.peek().clone() else { return self.expected("'@' and a name") };
        self.take();
        let expression = self.expression(Meaning::Label)?;
        self.header.aliases.insert(name, expression);
        Ok(())
    }

    fn acceptance(&mut self) -> Step<()> {
        self.header.set_count = self.number("a number of acceptance sets")?;
        let condition = self.expression(Meaning::Acceptance)?;
        // The clauses of a condition are the conjunctions of its negation.
        let clauses = condition.labels(false, &mut self.meter)?;
        let sets = |clause: &Label| clause.literals().map(|(set, _)| set).collect::<Vec<u32>>();
        self.header.marks = Some(clauses.iter().map(sets).collect());
        Ok(())
    }

    /// A boolean expression: of propositions, or of `Inf( )`.
    fn expression(&mut self, meaning: Meaning) -> Step<Expression> {
        let mut reading = Reading::default();
        'operand: loop {
            self.meter.step()?;
            let offset = self.offset();
            match self.peek().clone() {
                Kind::Sign('(') => {
                    self.take();
                    reading.operator(Waiting::Parenthesis);
                    continue;
                }
                Kind::Sign('!') if meaning == Meaning::Label => {
                    self.take();
                    reading.operator(Waiting::Not);
                    continue;
                }
                Kind::Identifier(name) if name == "t" || name == "f" => {
                    self.take();
                    reading.operand(Part::Constant(name == "t"));
                }
                Kind::Number(_) if meaning == Meaning::Label => {
                    let count = self.header.propositions.len() as u32;
                    let number = self.number_below("a proposition", count)?;
                    reading.operand(Part::Atom(self.header.propositions[number as usize]));
                }
                Kind::Alias(name) if meaning == Meaning::Label => {
                    let Some(alias) = self.header.aliases.get(&name) else {
                        return Err(self.findings.fatal(offset, format!("there is no alias '@{name}'")));
                    };
                    // An alias of an alias may be exponentially long.
                    alias.parts().iter().try_for_each(|_| self.meter.step())?;
                    reading.expression(alias);
                    self.take();
                }
                Kind::Identifier(name) if meaning == Meaning::Acceptance && name == "Inf" => {
                    self.take();
                    self.sign('(')?;
                    if *self.peek() == Kind::Sign('!') {
                        return self.unsupported_acceptance(offset, "the complement of a set");
                    }
                    let set = self.number_below("an acceptance set", self.header.set_count)?;
                    self.sign(')')?;
                    reading.operand(Part::Atom(set));
                }
                Kind::Identifier(name) if meaning == Meaning::Acceptance && name == "Fin" => {
                    return self.unsupported_acceptance(offset, "'Fin'");
                }
                _ if meaning == Meaning::Label => {
                    return self.expected("a proposition, '!', '(', '@', 't' or 'f'");
                }
                _ => return self.expected("'Inf', '(', 't' or 'f'"),
            }
            loop {
                match self.peek() {
                    Kind::Sign('&') => reading.operator(Waiting::And),
                    Kind::Sign('|') => reading.operator(Waiting::Or),
                    Kind::Sign(')') if reading.close() => {
                        self.take();
                        continue;
                    }
                    _ => break 'operand,
                }
                self.take();
                break;
            }
        }
        match reading.finish() {
            Some(expression) => Ok(expression),
            None => self.expected("')'"),
        }
    }

    /// The labels of an expression in brackets, if one stands here.
    fn labels(&mut self) -> Step<Option<Vec<Label>>> {
        if !self.takes('[') {
            return Ok(None);
        }
        let expression = self.expression(Meaning::Label)?;
        self.sign(']')?;
        Ok(Some(expression.labels(true, &mut self.meter)?))
    }

    /// The acceptance sets in braces; none if no brace stands here.
    fn sets(&mut self) -> Step<Vec<u32>> {
        let mut sets = Vec::new();
        if self.takes('{') {
            while !self.takes('}') {
                sets.push(self.number_below("an acceptance set", self.header.set_count)?);
            }
        }
        Ok(sets)
    }

    fn body(mut self, proposition_count: u32) -> Step<Automaton> {
        let limit = self.header.state_count.unwrap_or(STATE_LIMIT);
        let clauses = self.header.marks.take().unwrap_or_default();
        let mut edges = Vec::new();
        let mut largest = None;
        while *self.peek() == Kind::Header("State".to_string()) {
            self.take();
            let state_labels = self.labels()?;
            let from = self.number_below("a state", limit)?;
            largest = largest.max(Some(from));
            if let Kind::Text(_) = self.peek() {
                self.take();
            }
            let state_sets = self.sets()?;
            let mut implicit = 0;
            while matches!(self.peek(), Kind::Sign('[') | Kind::Number(_)) {
                self.meter.step()?;
                let labels = match (self.labels()?, &state_labels) {
                    (Some(labels), _) => labels,
                    (None, Some(labels)) => labels.clone(),
                    (None, None) => vec![self.implicit_label(implicit)?],
                };
                implicit += 1;
                let to = self.number_below("a state", limit)?;
                largest = largest.max(Some(to));
                self.refuse_alternation()?;
                let mut sets = self.sets()?;
                sets.extend_from_slice(&state_sets);
                let is_met = |clause: &Vec<u32>| clause.iter().any(|set| sets.contains(set));
                let marks: Marks =
                    (0..).zip(&clauses).filter(|(_, clause)| is_met(clause)).map(|(mark, _)| mark).collect();
                let (from, to) = (from as usize, to as usize);
                edges.extend(labels.into_iter().map(|label| Edge { from, to, label, marks: marks.clone() }));
            }
        }
        match self.peek() {
            Kind::Mark("END") => {}
            Kind::Mark("ABORT") => {
                return Err(self
                    .findings
                    .fatal(self.offset(), "the automaton is marked as incomplete (--ABORT--)"));
            }
            _ => return self.expected("'State:', an edge or '--END--'"),
        }
        let mut initial = Vec::new();
        for (state, offset) in std::mem::take(&mut self.header.initial) {
            if state >= limit {
                return Err(self
                    .findings
                    .fatal(offset, format!("found '{state}', expected a state below {limit}")));
            }
            largest = largest.max(Some(state));
            initial.push(state as usize);
        }
        let state_count = self.header.state_count.unwrap_or(largest.map_or(0, |largest| largest + 1));
        Ok(Automaton::new(state_count as usize, proposition_count, clauses.len() as u32, initial, edges))
    }

    /// The label of the edge number `index` of a state whose edges have none: all propositions, the
    /// first one changing from edge to edge.
    fn implicit_label(&mut self, index: usize) -> Step<Label> {
        let propositions = &self.header.propositions;
        if propositions.len() > IMPLICIT_LIMIT || index >> propositions.len() > 0 {
            return self.expected("a label in brackets, or one edge for each letter");
        }
        let literals =
            (0..).zip(propositions).map(|(bit, &proposition)| (proposition, index >> bit & 1 == 1));
        match Label::new(literals) {
            Some(label) => Ok(label),
            None => self.expected("propositions with different names"),
        }
    }
}
