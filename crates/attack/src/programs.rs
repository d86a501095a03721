//! Random guarded commands, their text, and smaller ones.

use crate::formulas::Vocabulary;
use crate::random::Random;
use std::fmt::Write;

/// The values of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Type {
    Nat,
    Range(i64, i64),
    Bool,
    /// Words of the first or the second enumeration.
    Words(usize),
}

const WORDS: [&[&str]; 2] = [&["idle", "busy", "done"], &["low", "high"]];

#[derive(Clone, Debug)]
struct RandomVariable {
    name: String,
    /// The process that it belongs to.
    process: Option<String>,
    kind: Type,
    /// The length of an array.
    length: Option<usize>,
    start: String,
}

#[derive(Clone, Debug)]
struct RandomCommand {
    name: String,
    process: Option<String>,
    /// Whether it stands in a loop over `i`.
    is_looped: bool,
    guard: String,
    assignments: Vec<(String, String)>,
    /// Whether it may be split into cases, which have other names.
    is_split: bool,
}

/// A program.
#[derive(Clone, Debug)]
pub(crate) struct RandomProgram {
    variables: Vec<RandomVariable>,
    commands: Vec<RandomCommand>,
    initially: Option<String>,
    /// The formulas of the file.
    pub(crate) properties: Vec<String>,
}

impl Type {
    fn draw(random: &mut Random) -> Type {
        match random.below(10) {
            0 | 1 => Type::Nat,
            2..6 => {
                let low = *random.one(&[0, 0, 0, 1, -2]);
                Type::Range(low, low + random.range(1, 4) as i64)
            }
            6 | 7 => Type::Bool,
            _ => Type::Words(random.below(2)),
        }
    }

    fn text(&self) -> String {
        match self {
            Type::Nat => "nat".to_string(),
            Type::Range(low, high) => format!("{low}..{high}"),
            Type::Bool => "bool".to_string(),
            Type::Words(number) => ["phase", "level"][*number].to_string(),
        }
    }

    fn value(&self, random: &mut Random) -> String {
        match self {
            Type::Nat => random.below(4).to_string(),
            Type::Range(low, high) => (low + random.below((high - low + 1) as usize) as i64).to_string(),
            Type::Bool => random.one(&["true", "false"]).to_string(),
            Type::Words(number) => random.one(WORDS[*number]).to_string(),
        }
    }

    fn is_number(&self) -> bool {
        matches!(self, Type::Nat | Type::Range(..))
    }

    fn start(&self, random: &mut Random) -> String {
        match (self, random.below(10)) {
            (Type::Nat, 0) => "0..2".to_string(),
            (Type::Range(low, high), 0) => format!("{low}..{high}"),
            (Type::Range(..) | Type::Bool | Type::Words(_), 1) => "any".to_string(),
            (_, 2) => format!("{{{}, {}}}", self.value(random), self.value(random)),
            _ => self.value(random),
        }
    }
}

/// What expressions may speak of.
struct Scope {
    /// Numbers, truths and words that can be read, with their types.
    readable: Vec<(String, Type)>,
}

impl Scope {
    fn of(&self, random: &mut Random, fits: impl Fn(&Type) -> bool) -> Option<String> {
        let fitting: Vec<&String> =
            self.readable.iter().filter(|(_, kind)| fits(kind)).map(|(name, _)| name).collect();
        (!fitting.is_empty()).then(|| (*random.one(&fitting)).clone())
    }

    fn number(&self, random: &mut Random, depth: usize) -> String {
        if depth > 0 && random.percent(40) {
            let (left, right) = (self.number(random, depth - 1), self.number(random, depth - 1));
            // A constant that divides is not 0: that would be refused.
            let divisor =
                self.of(random, Type::is_number).filter(|name| name != "i").unwrap_or("2".to_string());
            return match random.below(12) {
                0 => format!("({left} / {divisor})"),
                1 => format!("({left} % {divisor})"),
                2 => format!("({left} * {right})"),
                3..6 => format!("({left} - {right})"),
                6 => format!("(if {} then {left} else {right})", self.truth(random, 0)),
                _ => format!("({left} + {right})"),
            };
        }
        match self.of(random, Type::is_number).filter(|_| random.percent(70)) {
            Some(name) => name,
            None => random.below(4).to_string(),
        }
    }

    fn truth(&self, random: &mut Random, depth: usize) -> String {
        if depth > 0 && random.percent(45) {
            let (left, right) = (self.truth(random, depth - 1), self.truth(random, depth - 1));
            return match random.below(10) {
                0..2 => format!("!({left})"),
                2..6 => format!("({left} & {right})"),
                6..8 => format!("({left} | {right})"),
                8 => format!("({left} -> {right})"),
                _ => format!("({left} <-> {right})"),
            };
        }
        match random.below(10) {
            0..2 => self.of(random, |kind| *kind == Type::Bool).unwrap_or("true".to_string()),
            2..4 => {
                let number = random.below(2);
                match self.of(random, |kind| *kind == Type::Words(number)) {
                    Some(name) => {
                        let sign = if random.percent(70) { "=" } else { "!=" };
                        format!("{name} {sign} {}", random.one(WORDS[number]))
                    }
                    None => "true".to_string(),
                }
            }
            _ => {
                let sign = random.one(&["=", "!=", "<", "<=", ">", ">="]);
                format!("{} {sign} {}", self.number(random, 1), self.number(random, depth))
            }
        }
    }
}

impl RandomProgram {
    /// A program by chance.
    pub(crate) fn draw(random: &mut Random) -> RandomProgram {
        let mut variables: Vec<RandomVariable> = Vec::new();
        let processes: Vec<Option<String>> = match random.percent(35) {
            true => vec![None, Some("left".to_string()), Some("right".to_string())],
            false => vec![None],
        };
        for number in 0..random.range(2, 4) {
            let process = random.one(&processes).clone();
            let kind = Type::draw(random);
            let length = (process.is_none() && random.percent(25)).then(|| random.range(2, 3));
            let start = kind.start(random);
            variables.push(RandomVariable { name: format!("v{number}"), process, kind, length, start });
        }
        let mut commands = Vec::new();
        for number in 0..random.range(1, 5) {
            let process = random.one(&processes).clone();
            let is_looped = process.is_none() && random.percent(15);
            commands.push(RandomCommand::draw(random, number, process, is_looped, &variables));
        }
        let scope = Scope { readable: readable(&variables, &None, false) };
        let initially = random.percent(15).then(|| scope.truth(random, 1));
        RandomProgram { variables, commands, initially, properties: Vec::new() }
    }

    /// What formulas can speak of; in the file elements of arrays are written otherwise, so they
    /// are left out there.
    pub(crate) fn vocabulary(&self, is_file: bool) -> Vocabulary {
        let mut words = Vocabulary { has_weak: true, ..Vocabulary::default() };
        for variable in &self.variables {
            let name = variable.full_name();
            let names: Vec<String> = match variable.length {
                None => vec![name],
                Some(_) if is_file => Vec::new(),
                Some(length) => (0..length).map(|number| format!("{name}.{number}")).collect(),
            };
            for name in names {
                match variable.kind {
                    Type::Bool => words.truths.push(name),
                    Type::Nat => words.numbers.push((name, 2)),
                    Type::Range(_, high) => words.numbers.push((name, i128::from(high))),
                    Type::Words(number) => {
                        words.words.push((name, WORDS[number].iter().map(|word| word.to_string()).collect()));
                    }
                }
            }
        }
        let plain = self.commands.iter().filter(|command| !command.is_split && !command.is_looped);
        words.events = plain.map(RandomCommand::full_name).collect();
        words
    }

    /// The program as text.
    pub(crate) fn text(&self) -> String {
        let mut text = "model random\n".to_string();
        // A string takes everything that is written to it.
        for (name, words) in ["phase", "level"].iter().zip(WORDS) {
            let _ = writeln!(text, "enum {name} = {{{}}}", words.join(", "));
        }
        let mut processes: Vec<&Option<String>> = vec![&None];
        processes.extend(self.variables.iter().map(|variable| &variable.process));
        processes.extend(self.commands.iter().map(|command| &command.process));
        processes.sort();
        processes.dedup();
        // Processes see each other's variables, so these come first.
        for process in processes {
            let open = process.as_ref().map(|name| format!("process {name} {{\n")).unwrap_or_default();
            text.push_str(&open);
            for variable in self.variables.iter().filter(|variable| variable.process == *process) {
                let length = variable.length.map(|length| format!("[{length}]")).unwrap_or_default();
                let _ = writeln!(
                    text,
                    "var {}{length}: {} = {}",
                    variable.name,
                    variable.kind.text(),
                    variable.start
                );
            }
            for command in self.commands.iter().filter(|command| command.process == *process) {
                command.write(&mut text);
            }
            text.push_str(if process.is_some() { "}\n" } else { "" });
        }
        if let Some(initially) = &self.initially {
            let _ = writeln!(text, "initially {initially}");
        }
        for (number, property) in self.properties.iter().enumerate() {
            let _ = writeln!(text, "property f{number}: {property}");
        }
        text
    }

    /// Programs with something taken away. Some are not read any more; these show no mistake.
    pub(crate) fn smaller(&self) -> Vec<RandomProgram> {
        let mut found = Vec::new();
        let mut change = |change: &dyn Fn(&mut RandomProgram)| {
            let mut program = self.clone();
            change(&mut program);
            found.push(program);
        };
        for number in 0..self.commands.len() {
            change(&|program| drop(program.commands.remove(number)));
        }
        for number in 0..self.variables.len() {
            change(&|program| drop(program.variables.remove(number)));
        }
        if self.initially.is_some() {
            change(&|program| program.initially = None);
        }
        for (number, command) in self.commands.iter().enumerate() {
            for assignment in 0..command.assignments.len() {
                change(&|program| drop(program.commands[number].assignments.remove(assignment)));
            }
            if command.guard != "true" {
                change(&|program| program.commands[number].guard = "true".to_string());
            }
            if command.is_looped {
                change(&|program| program.commands[number].is_looped = false);
            }
        }
        found.retain(|program| !program.variables.is_empty());
        found
    }
}

/// What can be read in a process, or outside. With `is_looped`, the index too.
fn readable(variables: &[RandomVariable], process: &Option<String>, is_looped: bool) -> Vec<(String, Type)> {
    let mut readable = Vec::new();
    for variable in variables {
        let is_visible = variable.process.is_none() || variable.process == *process;
        match variable.length {
            _ if !is_visible => (),
            None => readable.push((variable.name.clone(), variable.kind.clone())),
            Some(length) => {
                for index in 0..length {
                    readable.push((format!("{}[{index}]", variable.name), variable.kind.clone()));
                }
            }
        }
    }
    if is_looped {
        readable.push(("i".to_string(), Type::Nat));
    }
    readable
}

impl RandomVariable {
    fn full_name(&self) -> String {
        self.process.as_ref().map_or(self.name.clone(), |process| format!("{process}.{}", self.name))
    }
}

impl RandomCommand {
    fn draw(
        random: &mut Random,
        number: usize,
        process: Option<String>,
        is_looped: bool,
        variables: &[RandomVariable],
    ) -> RandomCommand {
        let scope = Scope { readable: readable(variables, &process, is_looped) };
        let guard = if random.percent(15) { "true".to_string() } else { scope.truth(random, 2) };
        let mut targets: Vec<&RandomVariable> = variables
            .iter()
            .filter(|variable| variable.process.is_none() || variable.process == process)
            .collect();
        let mut assignments = Vec::new();
        let mut is_split = false;
        for _ in 0..random.range(0, 2).max(random.range(0, 2)) {
            if targets.is_empty() {
                break;
            }
            let target = targets.remove(random.below(targets.len()));
            let name = match target.length {
                None => target.name.clone(),
                Some(length) => {
                    let computed = scope.of(random, Type::is_number).filter(|_| random.percent(40));
                    is_split |= computed.is_some();
                    format!("{}[{}]", target.name, computed.unwrap_or(random.below(length).to_string()))
                }
            };
            let value = match &target.kind {
                Type::Bool if random.percent(50) => {
                    is_split = true;
                    scope.truth(random, 1)
                }
                kind if !kind.is_number() => {
                    let same = scope.of(random, |other| other == kind).filter(|_| random.percent(40));
                    same.unwrap_or_else(|| kind.value(random))
                }
                kind => match random.below(10) {
                    0..3 => kind.value(random),
                    3..5 => format!("{name} + 1"),
                    5 => format!("{name} - 1"),
                    6 => {
                        is_split = true;
                        format!(
                            "if {} then {} else {}",
                            scope.truth(random, 1),
                            kind.value(random),
                            scope.number(random, 1)
                        )
                    }
                    _ => {
                        is_split = true;
                        scope.number(random, 2)
                    }
                },
            };
            assignments.push((name, value));
        }
        // A guard may be split as well, and what is divided.
        is_split |=
            guard.contains('/') || guard.contains('%') || guard.contains("if ") || guard.contains('*');
        RandomCommand { name: format!("c{number}"), process, is_looped, guard, assignments, is_split }
    }

    fn full_name(&self) -> String {
        self.process.as_ref().map_or(self.name.clone(), |process| format!("{process}.{}", self.name))
    }

    fn write(&self, text: &mut String) {
        let assignments: Vec<String> =
            self.assignments.iter().map(|(name, value)| format!("{name}' = {value}")).collect();
        let effect = if assignments.is_empty() { "skip".to_string() } else { assignments.join(" || ") };
        let line = format!("{}: {} -> {effect}", self.name, self.guard);
        let _ = match self.is_looped {
            true => writeln!(text, "for i in 0..1 {{ {line} }}"),
            false => writeln!(text, "{line}"),
        };
    }
}
