//! One question put to the program: a model, what is asked, and the options.

use crate::cells::{self, CliOption, Stepping};
use crate::coloured::RandomColouredNet;
use crate::formulas::{AtomKind, Drawing, Logic, Style, Vocabulary, smaller, xml};
use crate::names::{escaped, is_plain};
use crate::nets::{ArcKind, RandomNet};
use crate::programs::RandomProgram;
use crate::random::Random;
use crate::systems::RandomSystem;
use std::fs;
use std::io;
use std::path::Path;
use symbolon_referee::agents::System;
use symbolon_referee::coloured::ColouredNet;
use symbolon_referee::net::Net;
use symbolon_referee::program::Program;
use symbolon_referee::{Formula, Graph, Model, Semantics};

/// What is attacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Nets, with `check`, `states`, `deadlock` and `bounds`.
    Nets,
    /// Multi-agent systems.
    Agents,
    /// Guarded commands.
    Programs,
    /// Folders of the contest, with `mcc`.
    Contest,
    /// Coloured nets, with the commands for nets and with `mcc`.
    Coloured,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 5] = [Kind::Nets, Kind::Agents, Kind::Programs, Kind::Contest, Kind::Coloured];

    /// Its word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Nets => "nets",
            Kind::Agents => "agents",
            Kind::Programs => "programs",
            Kind::Contest => "contest",
            Kind::Coloured => "coloured",
        }
    }
}

/// A model that can be written and made smaller.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Net(RandomNet),
    Coloured(RandomColouredNet),
    System(RandomSystem),
    Program(RandomProgram),
}

/// A contest examination.
pub(crate) const EXAMINATIONS: [&str; 13] = [
    "StateSpace",
    "ReachabilityDeadlock",
    "ReachabilityCardinality",
    "ReachabilityFireability",
    "CTLCardinality",
    "CTLFireability",
    "LTLCardinality",
    "LTLFireability",
    "UpperBounds",
    "OneSafe",
    "StableMarking",
    "QuasiLiveness",
    "Liveness",
];

/// What is asked.
#[derive(Clone, Debug)]
pub(crate) enum Asked {
    /// `check`, with these formulas on the command line or in a file.
    Check { formulas: Vec<Formula>, style: Style, in_file: bool },
    /// `check`, or `mcmas`, with the formulas of the model's own file.
    CheckFile { formulas: Vec<(Dialect, Formula)>, with_mcmas: bool },
    /// `check` with the formulas in a contest file of this examination.
    CheckContest { examination: &'static str, formulas: Vec<Formula> },
    /// `states`
    States,
    /// `deadlock`
    Deadlock,
    /// `bounds`, of all places, or of sums of them.
    Bounds { sums: Vec<Vec<(u64, String)>> },
    /// `mcc EXAMINATION`, with formulas or with places where it takes them.
    Contest { examination: &'static str, formulas: Vec<Formula>, places: Vec<Vec<String>> },
}

/// One question.
#[derive(Clone, Debug)]
pub struct Case {
    /// The seed that it belongs to.
    pub seed: u64,
    /// What is attacked.
    pub kind: Kind,
    pub(crate) source: Source,
    pub(crate) asked: Asked,
    pub(crate) options: Vec<CliOption>,
    /// `--paths`
    pub(crate) paths: Option<Semantics>,
    /// `--bound`
    pub(crate) bound: Option<usize>,
}

/// States of models that are drawn, at most.
pub(crate) const STATES: usize = 400;

impl Case {
    /// The case that belongs to a seed; the seed chooses among `kinds`.
    pub fn draw(seed: u64, kinds: &[Kind]) -> Case {
        let random = &mut Random::new(seed);
        let kind = *random.one(kinds);
        match kind {
            Kind::Contest => draw_contest(seed, random),
            Kind::Agents => draw_agents(seed, random),
            Kind::Programs => draw_program(seed, random),
            Kind::Nets => draw_net(seed, random),
            Kind::Coloured => draw_coloured(seed, random),
        }
    }

    /// The names of the files that the case needs, with their texts.
    pub fn files(&self) -> Vec<(String, String)> {
        let mut files = vec![(self.model_name().to_string(), self.model_text())];
        match &self.asked {
            Asked::Check { formulas, style, in_file: true } => {
                let lines = formulas.iter().map(|formula| format!("{}\n", style.text(formula)));
                files.push(("formulas.txt".to_string(), lines.collect()));
            }
            Asked::CheckContest { examination, formulas } => {
                files.push((format!("{examination}.xml"), contest_file(examination, formulas)));
            }
            Asked::Contest { examination, formulas, places } => {
                let text = match places.is_empty() {
                    true => contest_file(examination, formulas),
                    false => bounds_file(examination, places),
                };
                if !formulas.is_empty() || !places.is_empty() {
                    files.push((format!("{examination}.xml"), text));
                }
            }
            Asked::Check { .. }
            | Asked::CheckFile { .. }
            | Asked::States
            | Asked::Deadlock
            | Asked::Bounds { .. } => (),
        }
        files
    }

    /// Writes its files into a folder.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        self.files().into_iter().try_for_each(|(name, text)| fs::write(folder.join(name), text))
    }

    /// The text of the model, with its own formulas.
    fn model_text(&self) -> String {
        match (&self.source, &self.asked) {
            (Source::System(system), Asked::CheckFile { formulas, .. }) => {
                let line = |(dialect, formula): &(Dialect, Formula)| {
                    let text = Style::of_ispl().text(formula);
                    match dialect {
                        Dialect::Ctl => text,
                        Dialect::Ltl => format!("LTL {text}"),
                        Dialect::CtlStar => format!("CTL* {text}"),
                    }
                };
                let mut system = system.clone();
                system.formulas = formulas.iter().map(line).collect();
                system.text()
            }
            (Source::Program(program), Asked::CheckFile { formulas, .. }) => {
                let mut program = program.clone();
                program.properties =
                    formulas.iter().map(|(_, formula)| Style::default().text(formula)).collect();
                program.text()
            }
            (source, _) => source.text(),
        }
    }

    fn model_name(&self) -> &'static str {
        match self.source {
            Source::Net(_) | Source::Coloured(_) => "model.pnml",
            Source::System(_) => "model.ispl",
            Source::Program(_) => "model.gcl",
        }
    }

    /// The words of the command, for a run in the folder of its files.
    pub fn arguments(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let mut add = |new: &[&str]| words.extend(new.iter().map(|word| word.to_string()));
        let model = self.model_name();
        match &self.asked {
            Asked::Check { formulas, style, in_file: false } => {
                add(&["check", model]);
                for formula in formulas {
                    add(&[&style.text(formula)]);
                }
            }
            Asked::Check { .. } => add(&["check", model, "--formulas", "formulas.txt"]),
            Asked::CheckContest { examination, .. } => {
                add(&["check", model, "--formulas", &format!("{examination}.xml")]);
            }
            Asked::CheckFile { with_mcmas: false, .. } => add(&["check", model]),
            Asked::CheckFile { with_mcmas: true, .. } => add(&["mcmas", "-q"]),
            Asked::States => add(&["states", model]),
            Asked::Deadlock => add(&["deadlock", model]),
            Asked::Bounds { sums } => {
                add(&["bounds", model]);
                for sum in sums {
                    add(&["--sum", &sum_text(sum)]);
                }
            }
            Asked::Contest { examination, .. } => add(&["mcc", examination, "."]),
        }
        let is_plain =
            matches!(self.asked, Asked::Contest { .. } | Asked::CheckFile { with_mcmas: true, .. });
        if !is_plain {
            add(&["--json"]);
        }
        words.extend(self.options.iter().flatten().cloned());
        if matches!(self.asked, Asked::CheckFile { with_mcmas: true, .. }) {
            // The file is the last word.
            words.push(model.to_string());
        }
        words
    }

    /// The model, as the referee reads its text.
    pub(crate) fn model(&self) -> Result<Box<dyn Model>, String> {
        self.source.model()
    }

    fn has_method(&self) -> bool {
        self.options.iter().any(|option| option[0] == "--method")
    }

    /// The names of the transitions of a net.
    pub(crate) fn events(&self) -> Vec<String> {
        match &self.source {
            Source::Net(net) => net.transitions.iter().map(|transition| transition.id.clone()).collect(),
            Source::Coloured(net) => net.transitions.iter().map(|transition| transition.id.clone()).collect(),
            Source::System(_) | Source::Program(_) => Vec::new(),
        }
    }

    /// Whether a limit of numbers may be the reason of an unknown answer.
    pub(crate) fn has_large_numbers(&self) -> bool {
        match &self.source {
            Source::Net(net) => net.largest_number() > 1000,
            Source::Coloured(_) | Source::System(_) | Source::Program(_) => false,
        }
    }

    /// Cases with something taken away.
    pub(crate) fn smaller(&self) -> Vec<Case> {
        let mut found = Vec::new();
        let formulas: &[Formula] = match &self.asked {
            Asked::Check { formulas, .. } => formulas,
            Asked::CheckContest { formulas, .. } => formulas,
            Asked::Contest { formulas, .. } => formulas,
            _ => &[],
        };
        let with_formulas = |new: Vec<Formula>| {
            let mut case = self.clone();
            match &mut case.asked {
                Asked::Check { formulas, .. } => *formulas = new,
                Asked::CheckContest { formulas, .. } => *formulas = new,
                Asked::Contest { formulas, .. } => *formulas = new,
                _ => (),
            }
            case
        };
        if formulas.len() > 1 {
            found.extend((0..formulas.len()).map(|number| with_formulas(vec![formulas[number].clone()])));
            found.extend((0..formulas.len()).map(|number| {
                let mut fewer = formulas.to_vec();
                fewer.remove(number);
                with_formulas(fewer)
            }));
        }
        if let Asked::Check { in_file: true, .. } = self.asked {
            let mut case = self.clone();
            if let Asked::Check { in_file, .. } = &mut case.asked {
                *in_file = false;
            }
            found.push(case);
        }
        for number in 0..self.options.len() {
            // Without its method a bound means something else, and without `--paths` so does the
            // formula.
            let word = self.options[number][0].as_str();
            if !["--bound", "--method", "--paths"].contains(&word) {
                let mut case = self.clone();
                case.options.remove(number);
                found.push(case);
            }
        }
        if let Asked::CheckFile { formulas, with_mcmas } = &self.asked {
            let with_mcmas = *with_mcmas;
            let with = |formulas| Case { asked: Asked::CheckFile { formulas, with_mcmas }, ..self.clone() };
            if formulas.len() > 1 {
                found.extend(formulas.iter().map(|one| with(vec![one.clone()])));
            }
            for (number, (dialect, formula)) in formulas.iter().enumerate() {
                for less in smaller(formula)
                    .into_iter()
                    .filter(|less| !less.any(&|part| matches!(part, Formula::Constant(_))))
                {
                    let mut new = formulas.clone();
                    new[number] = (*dialect, less);
                    found.push(with(new));
                }
            }
        }
        found.extend(self.source.smaller().into_iter().map(|source| Case { source, ..self.clone() }));
        for (number, formula) in formulas.iter().enumerate() {
            for less in smaller(formula) {
                // A bounded search answers `EF p` and `AG p` alone.
                if self.has_method() && !less.is_quantifier() {
                    continue;
                }
                let mut new = formulas.to_vec();
                new[number] = less;
                found.push(with_formulas(new));
            }
        }
        found
    }
}

impl Source {
    fn text(&self) -> String {
        match self {
            Source::Net(net) => net.text(),
            Source::Coloured(net) => net.text(),
            Source::System(system) => system.text(),
            Source::Program(program) => program.text(),
        }
    }

    fn model(&self) -> Result<Box<dyn Model>, String> {
        match self {
            Source::Net(net) => Ok(Box::new(Net::read(&net.text())?)),
            Source::Coloured(net) => Ok(Box::new(ColouredNet::read(&net.text())?)),
            Source::System(system) => Ok(Box::new(System::read(&system.text())?)),
            Source::Program(program) => Ok(Box::new(Program::read(&program.text())?)),
        }
    }

    fn smaller(&self) -> Vec<Source> {
        match self {
            Source::Net(net) => net.smaller().into_iter().map(Source::Net).collect(),
            Source::Coloured(net) => net.smaller().into_iter().map(Source::Coloured).collect(),
            Source::System(system) => system.smaller().into_iter().map(Source::System).collect(),
            Source::Program(program) => program.smaller().into_iter().map(Source::Program).collect(),
        }
    }
}

/// A net with few states; now and then one with very many, or infinitely many.
fn small_net(random: &mut Random) -> RandomNet {
    let may_be_endless = random.percent(4);
    let wants_dead = random.percent(50);
    for attempt in 0.. {
        let net = RandomNet::draw(random);
        let Ok(model) = Net::read(&net.text()) else { continue };
        let graph = Graph::explore(&model, STATES);
        if may_be_endless && !graph.is_complete {
            return net;
        }
        let is_dull = graph.states.len() < 2 && random.percent(90);
        let is_fit = wants_dead == graph.dead().next().is_some() || attempt > 40;
        if graph.is_complete && !is_dull && !may_be_endless && is_fit {
            return net;
        }
        if attempt > 200 {
            return net;
        }
    }
    RandomNet::draw(random)
}

fn vocabulary(net: &RandomNet) -> Vocabulary {
    let numbers = |(name, tokens): &(String, u64)| (name.clone(), i128::from(*tokens).max(1));
    Vocabulary {
        truths: net.places.iter().map(|(name, _)| name.clone()).collect(),
        numbers: net.places.iter().map(numbers).collect(),
        events: net.transitions.iter().map(|transition| transition.id.clone()).collect(),
        agents: net.page_names(),
        groups: if net.page_names().is_empty() { Vec::new() } else { vec!["all".to_string()] },
        has_weak: true,
        ..Vocabulary::default()
    }
}

fn draw_net(seed: u64, random: &mut Random) -> Case {
    let net = small_net(random);
    let words = vocabulary(&net);
    let source = Source::Net(net);
    draw_questions(seed, Kind::Nets, source, &words, random, Stepping::Events)
}

/// A coloured net with few states, and a question or an examination.
fn draw_coloured(seed: u64, random: &mut Random) -> Case {
    let may_be_endless = random.percent(3);
    let (net, words) = loop {
        let net = RandomColouredNet::draw(random);
        let Ok(words) = net.vocabulary() else { continue };
        let Ok(model) = ColouredNet::read(&net.text()) else { continue };
        let graph = Graph::explore(&model, STATES / 2);
        let is_dull = graph.states.len() < 8 && random.percent(90);
        // What cannot end is found soon enough; a net that never stops is as good as any other.
        let is_live = graph.is_complete && graph.dead().next().is_none();
        if !is_dull && graph.is_complete != may_be_endless && (is_live || random.percent(35)) {
            break (net, words);
        }
    };
    if random.percent(25) {
        let words = net.contest_vocabulary();
        return draw_examination(seed, Kind::Coloured, Source::Coloured(net), &words, random);
    }
    let source = Source::Coloured(net);
    draw_questions(seed, Kind::Coloured, source, &words, random, Stepping::Events)
}

/// A system with a few states and an initial one.
fn draw_agents(seed: u64, random: &mut Random) -> Case {
    let mut system = loop {
        let system = RandomSystem::draw(random);
        let Ok(model) = System::read(&system.text()) else { continue };
        let graph = Graph::explore(&model, STATES);
        let is_dull = graph.states.len() < 3 && random.percent(85);
        if graph.is_complete && !graph.initial.is_empty() && !is_dull {
            break system;
        }
    };
    let in_file = random.percent(20);
    let words = system.vocabulary(in_file);
    if !in_file {
        let source = Source::System(system);
        let mut case = draw_questions(seed, Kind::Agents, source, &words, random, Stepping::Joint);
        if matches!(case.asked, Asked::Check { .. }) && case.bound.is_none() && random.percent(15) {
            case.options.push(vec!["--strategies".to_string(), "uniform".to_string()]);
        }
        return case;
    }
    // The file asks, and the command names no formula.
    let formulas: Vec<(Dialect, Formula)> = (0..random.range(1, 5))
        .map(|_| {
            let size = random.range(1, 8);
            let mut drawing = Drawing { words: &words, random, atoms: AtomKind::Named };
            match drawing.random.below(10) {
                0..7 => (Dialect::Ctl, drawing.formula(Logic::Ctl, size)),
                7 | 8 => (Dialect::Ltl, drawing.ltl_in_file(size)),
                _ => (Dialect::CtlStar, drawing.formula_in_file(size)),
            }
        })
        .collect();
    system.formulas = Vec::new();
    let asked = Asked::CheckFile { formulas, with_mcmas: random.percent(25) };
    let mut options = match &asked {
        Asked::CheckFile { with_mcmas: true, .. } => Vec::new(),
        _ => cells::cell(random, Stepping::Joint),
    };
    if matches!(asked, Asked::CheckFile { with_mcmas: false, .. }) && random.percent(15) {
        options.push(vec!["-v".to_string()]);
    }
    Case {
        seed,
        kind: Kind::Agents,
        source: Source::System(system),
        asked,
        options,
        paths: None,
        bound: None,
    }
}

/// A program with a few states and an initial one.
fn draw_program(seed: u64, random: &mut Random) -> Case {
    let may_be_endless = random.percent(4);
    let program = loop {
        let program = RandomProgram::draw(random);
        let Ok(model) = Program::read(&program.text()) else { continue };
        let graph = Graph::explore(&model, STATES);
        let is_dull = graph.states.len() < 3 && random.percent(90);
        if !graph.initial.is_empty() && !is_dull && graph.is_complete != may_be_endless {
            break program;
        }
    };
    let in_file = random.percent(12);
    let words = program.vocabulary(in_file);
    let source = Source::Program(program);
    let case = draw_questions(seed, Kind::Programs, source, &words, random, Stepping::Events);
    match case.asked {
        Asked::Check { ref formulas, .. } if in_file => {
            let formulas = formulas.iter().map(|formula| (Dialect::Ctl, formula.clone())).collect();
            Case { asked: Asked::CheckFile { formulas, with_mcmas: false }, ..case }
        }
        _ => case,
    }
}

/// How a line of `Formulae` is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// CTL with knowledge and strategies.
    Ctl,
    /// `LTL f`: on all paths.
    Ltl,
    /// `CTL* f`
    CtlStar,
}

/// A question about a model that is not a contest folder.
fn draw_questions(
    seed: u64,
    kind: Kind,
    source: Source,
    words: &Vocabulary,
    random: &mut Random,
    stepping: Stepping,
) -> Case {
    // A bounded search sees no whole runs, so it is refused where only fair ones count.
    let has_fairness = matches!(&source, Source::System(system) if system.has_fairness());
    let mut case =
        Case { seed, kind, source, asked: Asked::States, options: Vec::new(), paths: None, bound: None };
    match random.below(100) {
        0..10 => {
            case.options = cells::cell(random, stepping);
            if random.percent(25) {
                case.options.retain(|option| option[0] != "--strategy");
                case.options.push(vec!["--distances".to_string()]);
            } else if random.percent(40) {
                case.options.push(vec!["--edges".to_string(), "yes".to_string()]);
            }
        }
        10..22 => {
            case.asked = Asked::Deadlock;
            if random.percent(45) && stepping == Stepping::Events {
                (case.options, case.bound) = cells::method(random, stepping);
                case.options.extend(cells::general(random));
            } else {
                case.options = cells::cell(random, stepping);
            }
        }
        22..28 if matches!(kind, Kind::Nets | Kind::Coloured) => {
            let plain: Vec<&String> = words.truths.iter().filter(|name| is_plain(name)).collect();
            let mut sums = Vec::new();
            while !plain.is_empty() && random.percent(30) {
                let count = random.range(1, 3);
                sums.push(
                    (0..count).map(|_| (random.range(1, 3) as u64, random.one(&plain).to_string())).collect(),
                );
            }
            case.asked = Asked::Bounds { sums };
            case.options = cells::cell(random, stepping);
            // Bounds are not computed with binary diagrams.
            case.options.retain(|option| option != &["--diagram", "bdd"] && option[0] != "--reorder");
        }
        28..42 if !has_fairness => {
            let mut formulas = draw_formulas(words, random, Some(Logic::Reachability));
            if stepping == Stepping::Joint {
                // The solver does not know where agents cannot step.
                formulas.retain(|formula| !formula.any(&|part| *part == Formula::Deadlock));
                formulas.push(
                    Drawing { words, random, atoms: AtomKind::Cardinality }.formula(Logic::Reachability, 1),
                );
            }
            case.asked = Asked::Check { formulas, style: Style::draw(random), in_file: false };
            (case.options, case.bound) = cells::method(random, stepping);
            case.options.extend(cells::general(random));
        }
        _ => {
            let formulas = draw_formulas(words, random, None);
            case.asked = Asked::Check { formulas, style: Style::draw(random), in_file: random.percent(20) };
            case.options = cells::cell(random, stepping);
            if random.percent(25) {
                let (word, semantics) = *random.one(&[
                    ("maximal", Semantics::Maximal),
                    ("stutter", Semantics::Stutter),
                    ("infinite", Semantics::Infinite),
                ]);
                case.paths = Some(semantics);
                case.options.push(vec!["--paths".to_string(), word.to_string()]);
            }
            if random.percent(12) {
                case.options.push(vec!["--no-witness".to_string()]);
            }
            if random.percent(20) {
                case.options.push(vec!["-v".to_string()]);
            }
        }
    }
    case
}

fn draw_formulas(words: &Vocabulary, random: &mut Random, logic: Option<Logic>) -> Vec<Formula> {
    let count = random.range(1, 7);
    let one = |random: &mut Random| {
        let logic = logic.unwrap_or(match random.below(100) {
            0..20 => Logic::Reachability,
            20..60 => Logic::Ctl,
            60..85 => Logic::Ltl,
            _ => Logic::CtlStar,
        });
        let size = random.range(1, 9);
        Drawing { words, random, atoms: AtomKind::Any }.formula(logic, size)
    };
    (0..count).map(|_| one(random)).collect()
}

fn draw_contest(seed: u64, random: &mut Random) -> Case {
    let net = loop {
        // The contest has plain arcs, but the reader takes the others there, too.
        let net = small_net(random);
        if random.percent(30)
            || ![ArcKind::Inhibitor, ArcKind::Read, ArcKind::Reset].iter().any(|&kind| net.has(kind))
        {
            break net;
        }
    };
    let words = vocabulary(&net);
    let words = Vocabulary { has_weak: false, agents: Vec::new(), groups: Vec::new(), ..words };
    draw_examination(seed, Kind::Contest, Source::Net(net), &words, random)
}

/// An examination of the contest, with its formulas or places.
fn draw_examination(seed: u64, kind: Kind, source: Source, words: &Vocabulary, random: &mut Random) -> Case {
    let examination = *random.one(&EXAMINATIONS);
    let atoms =
        if examination.ends_with("Fireability") { AtomKind::Fireability } else { AtomKind::Cardinality };
    let count = random.range(1, 8);
    let mut formulas = Vec::new();
    let mut places = Vec::new();
    for _ in 0..count {
        let size = random.range(1, 9);
        let mut drawing = Drawing { words, random, atoms };
        match examination {
            "UpperBounds" => {
                let names = &words.truths;
                places.push(
                    (0..drawing.random.range(1, 2)).map(|_| drawing.random.one(names).clone()).collect(),
                );
            }
            _ if examination.starts_with("Reachability") && examination != "ReachabilityDeadlock" => {
                formulas.push(drawing.formula(Logic::Reachability, size));
            }
            _ if examination.starts_with("CTL") => formulas.push(drawing.formula(Logic::Ctl, size)),
            _ if examination.starts_with("LTL") => formulas.push(Formula::All(Box::new(drawing.ltl(size)))),
            _ => (),
        }
    }
    let asked = match (formulas.is_empty(), random.percent(15)) {
        (false, true) => Asked::CheckContest { examination, formulas },
        _ => Asked::Contest { examination, formulas, places },
    };
    let options = match random.percent(50) {
        true => cells::general(random),
        false => cells::cell(random, Stepping::Events),
    };
    Case { seed, kind, source, asked, options, paths: None, bound: None }
}

/// A sum of places, as `--sum` takes it.
pub(crate) fn sum_text(sum: &[(u64, String)]) -> String {
    let term =
        |(factor, name): &(u64, String)| if *factor == 1 { name.clone() } else { format!("{factor}*{name}") };
    sum.iter().map(term).collect::<Vec<_>>().join(",")
}

fn contest_file(examination: &str, formulas: &[Formula]) -> String {
    property_set(
        formulas
            .iter()
            .enumerate()
            .map(|(number, formula)| (format!("net-{examination}-{number:02}"), xml(formula))),
    )
}

fn bounds_file(examination: &str, places: &[Vec<String>]) -> String {
    property_set(places.iter().enumerate().map(|(number, places)| {
        let places: String =
            places.iter().map(|place| format!("<place>{}</place>", escaped(place))).collect();
        (format!("net-{examination}-{number:02}"), format!("<place-bound>{places}</place-bound>"))
    }))
}

fn property_set(formulas: impl Iterator<Item = (String, String)>) -> String {
    let property = |(id, formula): (String, String)| {
        format!(
            "<property><id>{id}</id><description>by chance</description><formula>{formula}</formula></property>\n"
        )
    };
    let properties: String = formulas.map(property).collect();
    format!(
        "<?xml version=\"1.0\"?>\n<property-set xmlns=\"http://mcc.lip6.fr/\">\n{properties}</property-set>\n"
    )
}
