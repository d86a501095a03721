//! One question put to the program: a model, what is asked, and the options.

mod draw;

use crate::cells::CliOption;
use crate::coloured::RandomColouredNet;
use crate::formulas::{Style, smaller, xml};
use crate::names::escaped;
use crate::nets::RandomNet;
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
use symbolon_referee::{Formula, Model, Semantics};

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
            Kind::Contest => draw::contest(seed, random),
            Kind::Agents => draw::agents(seed, random),
            Kind::Programs => draw::program(seed, random),
            Kind::Nets => draw::net(seed, random),
            Kind::Coloured => draw::coloured(seed, random),
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
