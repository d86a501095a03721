//! Random multi-agent systems, their ISPL, and smaller ones.

use crate::formulas::Vocabulary;
use crate::random::Random;
use std::fmt::Write;

/// The values of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Type {
    Boolean,
    Range(i64, i64),
    Words(usize),
}

const WORDS: [&str; 4] = ["red", "green", "blue", "grey"];

impl Type {
    fn draw(random: &mut Random) -> Type {
        match random.below(3) {
            0 => Type::Boolean,
            1 => {
                let low = *random.one(&[0, 0, 1, -1]);
                Type::Range(low, low + random.range(1, 3) as i64)
            }
            _ => Type::Words(random.range(2, 3)),
        }
    }

    fn text(&self) -> String {
        match self {
            Type::Boolean => "boolean".to_string(),
            Type::Range(low, high) => format!("{low} .. {high}"),
            Type::Words(count) => format!("{{ {} }}", WORDS[..*count].join(", ")),
        }
    }

    fn value(&self, random: &mut Random) -> String {
        match self {
            Type::Boolean => random.one(&["true", "false"]).to_string(),
            Type::Range(low, high) => (low + random.below((high - low + 1) as usize) as i64).to_string(),
            Type::Words(count) => WORDS[random.below(*count)].to_string(),
        }
    }
}

/// A variable: its name and type.
type Declared = (String, Type);

/// A line of an evolution: what is assigned, and when.
type Line = (Vec<(String, String)>, String);

#[derive(Clone, Debug)]
struct RandomAgent {
    name: String,
    /// The variables that everybody sees, of the Environment alone.
    public: Vec<Declared>,
    private: Vec<Declared>,
    /// The variables of the Environment that this agent sees besides.
    local: Vec<String>,
    red: Option<String>,
    actions: Vec<String>,
    protocol: Vec<(String, Vec<String>)>,
    other: Option<Vec<String>>,
    evolution: Vec<Line>,
}

/// A system of agents.
#[derive(Clone, Debug)]
pub(crate) struct RandomSystem {
    is_single: bool,
    agents: Vec<RandomAgent>,
    atoms: Vec<(String, String)>,
    initially: Vec<String>,
    groups: Vec<(String, Vec<String>)>,
    fairness: Vec<String>,
    /// The formulas of the file.
    pub(crate) formulas: Vec<String>,
}

/// A condition on some variables, as the language writes it.
fn condition(random: &mut Random, variables: &[Declared], depth: usize) -> String {
    if depth > 0 && random.percent(35) {
        let left = condition(random, variables, depth - 1);
        return match random.below(3) {
            0 => format!("!({left})"),
            1 => format!("({left} and {})", condition(random, variables, depth - 1)),
            _ => format!("({left} or {})", condition(random, variables, depth - 1)),
        };
    }
    let Some((name, kind)) = (!variables.is_empty()).then(|| random.one(variables)) else {
        return "0 = 0".to_string();
    };
    let value = kind.value(random);
    match kind {
        Type::Range(..) => match random.below(6) {
            0 => format!("{name} + 1 > {value}"),
            sign => format!("{name} {} {value}", ["=", "<>", "<", "<=", ">=", ">"][sign]),
        },
        Type::Boolean if random.percent(20) => {
            let others: Vec<&Declared> =
                variables.iter().filter(|(_, kind)| *kind == Type::Boolean).collect();
            let other = &random.one(&others).0;
            format!("({name} {} {other}) = {value}", random.one(&["^", "|", "&"]))
        }
        _ => format!("{name} {} {value}", if random.percent(75) { "=" } else { "<>" }),
    }
}

impl RandomSystem {
    /// A system by chance.
    pub(crate) fn draw(random: &mut Random) -> RandomSystem {
        let is_single = random.percent(25);
        let mut agents: Vec<RandomAgent> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        if random.percent(85) {
            names.push("Environment".to_string());
        }
        let count = if random.percent(35) { 1 } else { 2 };
        names.extend(["P", "Q"][..count].iter().map(|name| name.to_string()));
        let actions: Vec<Vec<String>> = names
            .iter()
            .map(|_| ["a", "b", "c"][..random.range(1, 3)].iter().map(|name| name.to_string()).collect())
            .collect();
        for (number, name) in names.iter().enumerate() {
            let is_environment = name == "Environment";
            let public = match is_environment && random.percent(50) {
                true => vec![("o".to_string(), Type::draw(random))],
                false => Vec::new(),
            };
            let mut private = vec![("x".to_string(), Type::draw(random))];
            if random.percent(30) {
                private.push(("y".to_string(), Type::draw(random)));
            }
            let environment = agents.first().filter(|agent: &&RandomAgent| agent.name == "Environment");
            let mut local = Vec::new();
            let mut seen: Vec<Declared> = public.iter().chain(&private).cloned().collect();
            if let Some(environment) = environment {
                for (name, kind) in &environment.public {
                    seen.push((format!("Environment.{name}"), kind.clone()));
                }
                for (name, kind) in &environment.private {
                    if random.percent(30) {
                        local.push(name.clone());
                        seen.push((format!("Environment.{name}"), kind.clone()));
                    }
                }
            }
            let own: Vec<Declared> = public.iter().chain(&private).cloned().collect();
            let some = |random: &mut Random| -> Vec<String> {
                let chosen: Vec<String> =
                    actions[number].iter().filter(|_| random.percent(60)).cloned().collect();
                if chosen.is_empty() { vec![actions[number][0].clone()] } else { chosen }
            };
            let protocol: Vec<(String, Vec<String>)> =
                (0..random.below(3)).map(|_| (condition(random, &seen, 1), some(random))).collect();
            let needs_other = protocol.is_empty() && !is_environment;
            let other = (needs_other || random.percent(75)).then(|| some(random));
            let guard = |random: &mut Random| {
                let mut parts = Vec::new();
                if random.percent(70) {
                    parts.push(format!("Action = {}", random.one(&actions[number])));
                }
                if random.percent(35) {
                    let whose = random.below(names.len());
                    if whose != number {
                        parts.push(format!("{}.Action = {}", names[whose], random.one(&actions[whose])));
                    }
                }
                if parts.is_empty() || random.percent(50) {
                    parts.push(condition(random, &seen, 1));
                }
                parts.join(if random.percent(85) { " and " } else { " or " })
            };
            let assignment = |random: &mut Random, variable: &Declared| {
                let same: Vec<&Declared> = seen.iter().filter(|(_, kind)| *kind == variable.1).collect();
                let value = match (&variable.1, random.below(10)) {
                    (Type::Range(..), 0..3) => format!("{} + 1", variable.0),
                    (Type::Range(..), 3) => format!("{} - 1", variable.0),
                    (Type::Range(..), 4) => format!("{} * 2", variable.0),
                    (Type::Boolean, 0) => format!("~ {}", variable.0),
                    (_, 5 | 6) => random.one(&same).0.clone(),
                    _ => variable.1.value(random),
                };
                (variable.0.clone(), value)
            };
            let line = |random: &mut Random| -> Line {
                let first = random.one(&own).clone();
                let mut assignments = vec![assignment(random, &first)];
                let other = random.one(&own).clone();
                if !is_single && other.0 != first.0 && random.percent(50) {
                    assignments.push(assignment(random, &other));
                }
                (assignments, guard(random))
            };
            let line_count = if is_environment { random.below(4) } else { random.range(1, 3) };
            let evolution = (0..line_count).map(|_| line(random)).collect();
            let red = random.percent(30).then(|| condition(random, &own, 0));
            agents.push(RandomAgent {
                name: name.clone(),
                public,
                private,
                local,
                red,
                actions: actions[number].clone(),
                protocol,
                other,
                evolution,
            });
        }
        let all: Vec<Declared> = agents.iter().flat_map(RandomAgent::qualified).collect();
        let atoms = (0..random.range(2, 3))
            .map(|number| (format!("q{number}"), condition(random, &all, 1)))
            .collect();
        let mut initially = Vec::new();
        for (name, kind) in &all {
            if random.percent(75) {
                initially.push(format!("{name} = {}", kind.value(random)));
            }
        }
        if random.percent(15)
            && let Some((name, kind)) = all.first()
        {
            initially.push(format!("({name} = {} or {name} = {})", kind.value(random), kind.value(random)));
        }
        if initially.is_empty() {
            initially.push(format!("{} = {}", all[0].0, all[0].1.value(random)));
        }
        let mut groups = vec![("one".to_string(), vec![random.one(&names).clone()])];
        groups.push(("all".to_string(), names.clone()));
        if names.len() > 2 {
            groups.push(("two".to_string(), names[1..].to_vec()));
        }
        let fairness = match random.percent(22) {
            false => Vec::new(),
            true => (0..random.range(1, 2))
                .map(|_| {
                    let (p, q) = (random.below(2), random.below(2));
                    match random.below(5) {
                        0 | 1 => format!("q{p}"),
                        2 => format!("q{p} or !q{q}"),
                        3 => format!("!q{p}"),
                        _ => format!("EX q{p}"),
                    }
                })
                .collect(),
        };
        let formulas = vec!["q0".to_string()];
        RandomSystem { is_single, agents, atoms, initially, groups, fairness, formulas }
    }

    /// What formulas can speak of; `is_file` allows only what a formula in the file can name.
    pub(crate) fn vocabulary(&self, is_file: bool) -> Vocabulary {
        let mut words = Vocabulary {
            truths: self.atoms.iter().map(|(name, _)| name.clone()).collect(),
            agents: self.agents.iter().map(|agent| agent.name.clone()).collect(),
            groups: self.groups.iter().map(|(name, _)| name.clone()).collect(),
            has_strategies: true,
            ..Vocabulary::default()
        };
        if is_file {
            words.truths.extend(self.agents.iter().map(|agent| format!("{}.GreenStates", agent.name)));
        } else {
            for (name, kind) in self.agents.iter().flat_map(RandomAgent::qualified) {
                match kind {
                    Type::Boolean => words.truths.push(name),
                    Type::Range(_, high) => words.numbers.push((name, i128::from(high))),
                    Type::Words(count) => {
                        words
                            .words
                            .push((name, WORDS[..count].iter().map(|word| word.to_string()).collect()));
                    }
                }
            }
        }
        words
    }

    /// Whether the file has fairness constraints.
    pub(crate) fn has_fairness(&self) -> bool {
        !self.fairness.is_empty()
    }

    /// The system as ISPL.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // A string takes everything that is written to it.
        if self.is_single {
            text.push_str("Semantics = SingleAssignment;\n");
        }
        for agent in &self.agents {
            agent.write(&mut text);
        }
        text.push_str("Evaluation\n");
        for (name, condition) in &self.atoms {
            let _ = writeln!(text, "  {name} if {condition};");
        }
        let _ =
            writeln!(text, "end Evaluation\nInitStates\n  {};\nend InitStates", self.initially.join(" and "));
        text.push_str("Groups\n");
        for (name, members) in &self.groups {
            let _ = writeln!(text, "  {name} = {{ {} }};", members.join(", "));
        }
        text.push_str("end Groups\n");
        if !self.fairness.is_empty() {
            text.push_str("Fairness\n");
            for formula in &self.fairness {
                let _ = writeln!(text, "  {formula};");
            }
            text.push_str("end Fairness\n");
        }
        text.push_str("Formulae\n");
        for formula in &self.formulas {
            let _ = writeln!(text, "  {formula};");
        }
        text.push_str("end Formulae\n");
        text
    }

    /// Systems with something taken away. Some are not read any more; these show no mistake.
    pub(crate) fn smaller(&self) -> Vec<RandomSystem> {
        let mut found = Vec::new();
        let mut change = |change: &dyn Fn(&mut RandomSystem)| {
            let mut system = self.clone();
            change(&mut system);
            found.push(system);
        };
        for number in 0..self.agents.len() {
            let name = &self.agents[number].name;
            change(&|system| {
                system.agents.remove(number);
                system.initially.retain(|condition| !condition.contains(&format!("{name}.")));
                for (_, members) in &mut system.groups {
                    members.retain(|member| member != name);
                }
                system.groups.retain(|(_, members)| !members.is_empty());
            });
        }
        for number in 0..self.fairness.len() {
            change(&|system| drop(system.fairness.remove(number)));
        }
        for number in 0..self.groups.len() {
            change(&|system| drop(system.groups.remove(number)));
        }
        for number in 0..self.atoms.len() {
            if self.atoms.len() > 1 {
                change(&|system| drop(system.atoms.remove(number)));
            }
        }
        for (number, agent) in self.agents.iter().enumerate() {
            for line in 0..agent.evolution.len() {
                if agent.evolution.len() > 1 || agent.name == "Environment" {
                    change(&|system| drop(system.agents[number].evolution.remove(line)));
                }
                if agent.evolution[line].0.len() > 1 {
                    for assignment in 0..2 {
                        change(&|system| drop(system.agents[number].evolution[line].0.remove(assignment)));
                    }
                }
            }
            for line in
                (0..agent.protocol.len()).filter(|_| agent.protocol.len() > 1 || agent.other.is_some())
            {
                change(&|system| drop(system.agents[number].protocol.remove(line)));
            }
            let can_lose = agent.private.len() > 1 || agent.name == "Environment";
            for variable in (0..agent.private.len()).filter(|_| can_lose) {
                let name = format!("{}.{}", agent.name, agent.private[variable].0);
                change(&|system| {
                    let removed = system.agents[number].private.remove(variable).0;
                    system.agents[number]
                        .evolution
                        .retain(|(assignments, _)| assignments.iter().all(|one| one.0 != removed));
                    system.initially.retain(|condition| !condition.contains(&name));
                });
            }
            if agent.red.is_some() {
                change(&|system| system.agents[number].red = None);
            }
            if agent.other.is_some() && (!agent.protocol.is_empty() || agent.name == "Environment") {
                change(&|system| system.agents[number].other = None);
            }
            for action in (0..agent.actions.len()).filter(|_| agent.actions.len() > 1) {
                change(&|system| {
                    let agent = &mut system.agents[number];
                    let removed = agent.actions.remove(action);
                    let lists = agent.protocol.iter_mut().map(|(_, actions)| actions).chain(&mut agent.other);
                    lists.for_each(|actions| actions.retain(|action| *action != removed));
                });
            }
        }
        if self.is_single {
            change(&|system| system.is_single = false);
        }
        found.retain(|system| {
            system.agents.iter().any(|agent| agent.name != "Environment") && !system.initially.is_empty()
        });
        found
    }
}

impl RandomAgent {
    /// Its variables with its name before theirs.
    fn qualified(&self) -> Vec<Declared> {
        let all = self.public.iter().chain(&self.private);
        all.map(|(name, kind)| (format!("{}.{name}", self.name), kind.clone())).collect()
    }

    fn write(&self, text: &mut String) {
        let list = |names: &[String]| format!("{{ {} }}", names.join(", "));
        let _ = writeln!(text, "Agent {}", self.name);
        let declared = |variables: &[Declared]| -> String {
            variables.iter().map(|(name, kind)| format!(" {name} : {};", kind.text())).collect()
        };
        if !self.public.is_empty() {
            let _ = writeln!(text, "  Obsvars:{} end Obsvars", declared(&self.public));
        }
        if !self.local.is_empty() {
            let _ = writeln!(text, "  Lobsvars = {};", list(&self.local));
        }
        let _ = writeln!(text, "  Vars:{} end Vars", declared(&self.private));
        if let Some(red) = &self.red {
            let _ = writeln!(text, "  RedStates: {red}; end RedStates");
        }
        let _ = writeln!(text, "  Actions = {};\n  Protocol:", list(&self.actions));
        for (condition, actions) in &self.protocol {
            let _ = writeln!(text, "    {condition} : {};", list(actions));
        }
        if let Some(actions) = &self.other {
            let _ = writeln!(text, "    Other : {};", list(actions));
        }
        text.push_str("  end Protocol\n  Evolution:\n");
        for (assignments, guard) in &self.evolution {
            let assignments: Vec<String> =
                assignments.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let _ = writeln!(text, "    {} if {guard};", assignments.join(" and "));
        }
        text.push_str("  end Evolution\nend Agent\n");
    }
}
