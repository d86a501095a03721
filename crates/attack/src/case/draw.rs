//! Draws a case: a model with a few states, and what is asked of it.

use super::{Asked, Case, Dialect, EXAMINATIONS, Kind, STATES, Source};
use crate::cells::{self, Stepping};
use crate::coloured::RandomColouredNet;
use crate::formulas::{AtomKind, Drawing, Logic, Style, Vocabulary};
use crate::names::is_plain;
use crate::nets::{ArcKind, RandomNet};
use crate::programs::RandomProgram;
use crate::random::Random;
use crate::systems::RandomSystem;
use symbolon_referee::agents::System;
use symbolon_referee::coloured::ColouredNet;
use symbolon_referee::net::Net;
use symbolon_referee::program::Program;
use symbolon_referee::{Formula, Graph, Semantics};

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

pub(super) fn net(seed: u64, random: &mut Random) -> Case {
    let net = small_net(random);
    let words = vocabulary(&net);
    let source = Source::Net(net);
    questions(seed, Kind::Nets, source, &words, random, Stepping::Events)
}

/// A coloured net with few states, and a question or an examination.
pub(super) fn coloured(seed: u64, random: &mut Random) -> Case {
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
        return examination(seed, Kind::Coloured, Source::Coloured(net), &words, random);
    }
    let source = Source::Coloured(net);
    questions(seed, Kind::Coloured, source, &words, random, Stepping::Events)
}

/// A system with a few states and an initial one.
pub(super) fn agents(seed: u64, random: &mut Random) -> Case {
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
        let mut case = questions(seed, Kind::Agents, source, &words, random, Stepping::Joint);
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
pub(super) fn program(seed: u64, random: &mut Random) -> Case {
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
    let case = questions(seed, Kind::Programs, source, &words, random, Stepping::Events);
    match case.asked {
        Asked::Check { ref formulas, .. } if in_file => {
            let formulas = formulas.iter().map(|formula| (Dialect::Ctl, formula.clone())).collect();
            Case { asked: Asked::CheckFile { formulas, with_mcmas: false }, ..case }
        }
        _ => case,
    }
}

/// A question about a model that is not a contest folder.
fn questions(
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
            let mut formulas = formulas(words, random, Some(Logic::Reachability));
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
            let formulas = formulas(words, random, None);
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

fn formulas(words: &Vocabulary, random: &mut Random, logic: Option<Logic>) -> Vec<Formula> {
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

pub(super) fn contest(seed: u64, random: &mut Random) -> Case {
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
    examination(seed, Kind::Contest, Source::Net(net), &words, random)
}

/// An examination of the contest, with its formulas or places.
fn examination(seed: u64, kind: Kind, source: Source, words: &Vocabulary, random: &mut Random) -> Case {
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
