//! Agents: their variables, actions, protocol and evolution.

use super::tokens::Token;
use super::{Broken, Read, Reader};
use crate::ENVIRONMENT;
use crate::tree::{Agent, Assignment, Declaration, Domain, EvolutionLine, ProtocolLine, RedStates, System};
use symbolon_logic::{Name, Span};
use symbolon_source::{Stop, likely, shown};

/// The sections of an agent, in their order. `Obsvars` and `Lobsvars` share a place: no agent has
/// both.
const SECTIONS: [(&str, u8); 7] = [
    ("Obsvars", 0),
    ("Lobsvars", 0),
    ("Vars", 1),
    ("RedStates", 2),
    ("Actions", 3),
    ("Protocol", 4),
    ("Evolution", 5),
];

impl Reader<'_, '_> {
    /// Reads an agent, behind its first word.
    pub(super) fn agent(&mut self, system: &mut System) -> Read<()> {
        let name = match self.name("the name of an agent") {
            Ok(name) => name,
            Err(Broken::Line) => Name::from(""),
            Err(stop) => return Err(stop),
        };
        let is_environment = &*name.text == ENVIRONMENT;
        let mut agent = Agent {
            name,
            observed: Vec::new(),
            local_observed: None,
            variables: Vec::new(),
            red: None,
            actions: Vec::new(),
            protocol: Vec::new(),
            otherwise: None,
            evolution: Vec::new(),
        };
        let mut seen: Vec<(&str, u8)> = Vec::new();
        loop {
            self.meter.step().map_err(Stop::from)?;
            let (token, span) = self.here();
            if token == Token::Word("end") {
                self.end("Agent")?;
                break;
            }
            let section = match token {
                Token::Word(word) => SECTIONS.into_iter().find(|(section, _)| *section == word),
                _ => None,
            };
            let Some(section) = section else {
                if self.begins_section(token) {
                    self.never_ends("Agent")?;
                    break;
                }
                self.no_agent_section(token, span)?;
                continue;
            };
            self.position += 1;
            self.expect_agent_order(section, &mut seen, &agent.name, span)?;
            let outcome = self.agent_section(section.0, &mut agent);
            self.recovered(outcome)?;
        }
        if !self.findings.has_errors() {
            self.expect_agent_sections(&agent, &seen)?;
        }
        if !is_environment {
            system.agents.push(agent);
        } else if system.environment.is_some() {
            self.findings
                .error(agent.name.span.start, "there is another agent Environment before this one")?;
        } else if !system.agents.is_empty() {
            let message = "the agent Environment comes after another agent";
            self.findings.error_with_hint(
                agent.name.span.start,
                message,
                "move it to the top of the file",
            )?;
        } else {
            system.environment = Some(agent);
        }
        Ok(())
    }

    fn no_agent_section(&mut self, token: Token<'_>, span: Span) -> Read<()> {
        let message = format!(
            "found {}, expected one of Obsvars, Lobsvars, Vars, RedStates, Actions, Protocol, Evolution, end Agent",
            token.described()
        );
        self.findings.error(span.start, message)?;
        if let Token::Word(word) = token
            && let Some(meant) = likely(word, SECTIONS.map(|(section, _)| section))
        {
            self.findings.hint(format!("did you mean {meant}?"));
        }
        // What follows belongs to the mistake.
        self.position += 1;
        while let (token, _) = self.here()
            && !self.begins_section(token)
            && (token, self.next()) != (Token::Word("end"), Token::Word("Agent"))
        {
            self.position += 1;
        }
        Ok(())
    }

    fn expect_agent_order(
        &mut self,
        (section, rank): (&'static str, u8),
        seen: &mut Vec<(&'static str, u8)>,
        agent: &Name,
        span: Span,
    ) -> Read<()> {
        let is_environment = &*agent.text == ENVIRONMENT;
        if seen.iter().any(|(known, _)| *known == section) {
            let message =
                format!("agent {} has another section {section} before this one", shown(&agent.text));
            self.findings.error(span.start, message)?;
        } else if let Some((later, _)) = seen.iter().find(|(_, later)| *later > rank) {
            let hint = "the order is Obsvars or Lobsvars, Vars, RedStates, Actions, Protocol, Evolution";
            self.findings.error_with_hint(span.start, format!("{section} comes after {later}"), hint)?;
        } else if section == "Obsvars" && !is_environment {
            let hint = "variables that everyone sees belong to the Environment";
            self.findings.error_with_hint(span.start, "only the Environment has Obsvars", hint)?;
        } else if section == "Lobsvars" && is_environment {
            let hint = "Lobsvars name variables of the Environment that another agent sees";
            self.findings.error_with_hint(span.start, "the Environment has no Lobsvars", hint)?;
        }
        seen.push((section, rank));
        Ok(())
    }

    /// Says what is missing in an agent that was read without errors.
    fn expect_agent_sections(&mut self, agent: &Agent, seen: &[(&str, u8)]) -> Read<()> {
        let is_environment = &*agent.name.text == ENVIRONMENT;
        let name = shown(&agent.name.text);
        for (section, is_empty) in [
            ("Vars", agent.variables.is_empty()),
            ("Actions", agent.actions.is_empty()),
            ("Protocol", agent.protocol.is_empty() && agent.otherwise.is_none()),
            ("Evolution", agent.evolution.is_empty()),
        ] {
            let is_missing = !seen.iter().any(|(known, _)| *known == section);
            let place = agent.name.span.start;
            if is_missing && !(is_environment && section == "Vars") {
                let message = format!("agent {name} has no section {section}");
                let example = match section {
                    "Actions" => "write Actions = { a, b };".to_string(),
                    _ => format!("write {section}: ... end {section}"),
                };
                self.findings.error_with_hint(place, message, example)?;
            } else if is_empty && !is_environment {
                let message = format!("the section {section} of agent {name} is empty");
                let hint = match section {
                    "Vars" => "an agent has at least one variable, for instance idle : boolean;",
                    "Actions" => "an agent has at least one action, for instance none",
                    "Protocol" => "write for instance Other : { none };",
                    _ => {
                        "an agent has at least one line, for instance one that changes nothing: x = x if x = x;"
                    }
                };
                self.findings.error_with_hint(place, message, hint)?;
            }
        }
        Ok(())
    }

    fn agent_section(&mut self, section: &'static str, agent: &mut Agent) -> Read<()> {
        match section {
            "Obsvars" | "Vars" => {
                self.expect(":")?;
                let list = if section == "Obsvars" { &mut agent.observed } else { &mut agent.variables };
                self.lines(section, |reader| {
                    let line = reader.declaration()?;
                    list.push(line);
                    Ok(())
                })
            }
            "Lobsvars" => {
                self.expect("=")?;
                agent.local_observed = Some(self.names("a variable of the Environment")?);
                self.expect(";")
            }
            "RedStates" => self.red_states(agent),
            "Actions" => {
                self.expect("=")?;
                agent.actions = self.names("an action")?;
                self.expect(";")
            }
            "Protocol" => {
                self.expect(":")?;
                self.lines(section, |reader| reader.protocol_line(agent))
            }
            _ => {
                self.expect(":")?;
                self.lines(section, |reader| {
                    let line = reader.evolution_line()?;
                    agent.evolution.push(line);
                    Ok(())
                })
            }
        }
    }

    fn declaration(&mut self) -> Read<Declaration> {
        let name = self.name("a name for a variable")?;
        self.expect(":")?;
        let domain = self.domain()?;
        self.expect(";")?;
        Ok(Declaration { name, domain })
    }

    fn domain(&mut self) -> Read<Domain> {
        let (token, span) = self.here();
        match token {
            Token::Word("boolean") => {
                self.position += 1;
                Ok(Domain::Boolean)
            }
            Token::Sign("{") => {
                if matches!(self.next(), Token::Number(_)) {
                    let span = self.tokens[self.position + 1].1;
                    let hint = "write a range such as 0 .. 3, or names such as n0, n1".to_string();
                    return self.broken(
                        span,
                        "found a number, expected a name for a value".into(),
                        Some(hint),
                    );
                }
                let names = self.names("a name for a value")?;
                if names.is_empty() {
                    return self.broken(span, "this variable has no values".into(), None);
                }
                Ok(Domain::Names(names))
            }
            Token::Number(_) | Token::Sign("-") => {
                let least = self.integer()?;
                self.expect("..")?;
                let largest = self.integer()?;
                if least > largest {
                    let hint = format!("write {largest} .. {least}");
                    return self.broken(
                        span,
                        format!("no number lies between {least} and {largest}"),
                        Some(hint),
                    );
                }
                Ok(Domain::Range { least, largest })
            }
            _ => {
                let message = format!("found {}, expected the values of a variable", token.described());
                let hint = match token {
                    Token::Word("bool" | "Boolean" | "Bool") => "write boolean",
                    _ => "write boolean, 0 .. 3 or { a, b }",
                };
                self.broken(span, message, Some(hint.into()))
            }
        }
    }

    /// Reads digits, with or without a sign before them.
    fn integer(&mut self) -> Read<i64> {
        let is_negative = self.accept("-");
        let (token, span) = self.here();
        let Token::Number(digits) = token else {
            return self.broken(span, format!("found {}, expected a number", token.described()), None);
        };
        self.position += 1;
        let number = self.number(digits, span)?;
        Ok(if is_negative { -number } else { number })
    }

    /// The number that these digits are.
    pub(super) fn number(&mut self, digits: &str, span: Span) -> Read<i64> {
        // Half of 64 bits leaves room for sums and products.
        match digits.parse::<i32>() {
            Ok(number) => Ok(i64::from(number)),
            Err(_) => self.broken(span, format!("the number {} is too large", shown(digits)), None),
        }
    }

    fn red_states(&mut self, agent: &mut Agent) -> Read<()> {
        self.expect(":")?;
        agent.red = Some(RedStates { condition: None });
        self.lines("RedStates", |reader| {
            let start = reader.here().1;
            let condition = reader.condition()?;
            reader.expect(";")?;
            match agent.red {
                Some(RedStates { condition: Some(_) }) => {
                    let hint = Some("join the conditions with or".into());
                    reader.broken(start, "there is a second condition in RedStates".into(), hint)
                }
                _ => {
                    agent.red = Some(RedStates { condition: Some(condition) });
                    Ok(())
                }
            }
        })
    }

    fn protocol_line(&mut self, agent: &mut Agent) -> Read<()> {
        let (token, span) = self.here();
        if agent.otherwise.is_some() {
            let hint = Some("`Other` must be the last line".into());
            return self.broken(span, "there is a line after `Other`".into(), hint);
        }
        if token == Token::Word("Other") && self.next() == Token::Sign(":") {
            self.position += 2;
            agent.otherwise = Some(self.names("an action")?);
            return self.expect(";");
        }
        let condition = self.condition()?;
        self.expect(":")?;
        let actions = self.names("an action")?;
        self.expect(";")?;
        agent.protocol.push(ProtocolLine { condition, actions });
        Ok(())
    }

    fn evolution_line(&mut self) -> Read<EvolutionLine> {
        let mut assignments = Vec::new();
        self.assignments(&mut assignments)?;
        self.expect_word("if")?;
        let guard = self.condition()?;
        self.expect(";")?;
        Ok(EvolutionLine { assignments, guard })
    }

    /// Reads `x = e and (y = e and z = e)`: brackets mean nothing here.
    fn assignments(&mut self, list: &mut Vec<Assignment>) -> Read<()> {
        loop {
            self.meter.step().map_err(Stop::from)?;
            let span = self.here().1;
            if self.accept("(") {
                self.deeper(span, |reader| reader.assignments(list))?;
                self.expect(")")?;
            } else {
                let target = self.name("a variable that is assigned")?;
                if self.here().0 == Token::Sign(".") {
                    let hint = "an agent assigns its own variables, without its name before them";
                    return self.broken(
                        span,
                        "this variable belongs to an agent by name".into(),
                        Some(hint.into()),
                    );
                }
                self.expect("=")?;
                let value = self.value()?;
                list.push(Assignment { target, value });
            }
            if !self.accept_word("and") {
                return Ok(());
            }
        }
    }
}
