//! `check`: verdicts on temporal formulas, and runs that show them.

use super::draw;
use super::overflow::WithOverflow;
use super::prepare;
use super::witness_text::witness_text;
use crate::answer::{Answer, Detail, ExitStatus};
use crate::arguments::{CheckArguments, GlobalOptions, PathKind, StrategyKind};
use crate::dashes::{settle, typed_reports};
use crate::failure::Failure;
use crate::model_source;
use crate::numbers::{self, counted, readable};
use crate::output_file::write_file;
use crate::records::Records;
use crate::session::Session;
use crate::table::{BOLD, ERROR, FAINT, GOOD, WARNING, printable};
use crate::trace_file;
use crate::watch::watch;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use symbolon_checker::{
    AutomatonProperty, CheckOptions, Event, FormulaFile, InputError, Loaded, Needs, NetUse, Options, Paths,
    PictureFormat, Property, PropertyReport, SearchReport, Stop, StrategiesChoice, SymmetryChoice, Unknown,
    Verdict, asks_for_states, names_in_formulas, properties_of_texts, replayable,
};
use symbolon_report::Status;
use symbolon_report::{self as json, verdict_word};

/// Longer formulas are shown shortened, unless -v.
const LONGEST_FORMULA: usize = 300;

/// Checks formulas.
pub(crate) fn check(
    session: &Arc<Session>,
    global: &GlobalOptions,
    arguments: &CheckArguments,
) -> Result<Box<dyn Answer>, Failure> {
    let known: Arc<Mutex<Known>> = Arc::default();
    let (shared, known_before) = (Arc::clone(session), Arc::clone(&known));
    watch(session, move |unknown| {
        let known = known_before.lock().unwrap_or_else(PoisonError::into_inner);
        CheckAnswer::boxed(&shared, known.reports(&unknown), Some(unknown))
    });
    Ok(match settle(checked(session, global, arguments, &known))? {
        Ok(answer) => answer,
        Err(why) => CheckAnswer::boxed(session, Vec::new(), Some(why)),
    })
}

/// What is known so far, for the case that the watcher must answer.
#[derive(Default)]
struct Known {
    questions: Questions,
    /// For each property, its report once there is a verdict.
    decided: Vec<Option<PropertyReport>>,
}

/// What is checked: formulas, and then automata.
#[derive(Clone, Default)]
struct Questions {
    properties: Vec<Property>,
    automata: Vec<AutomatonProperty>,
}

impl Known {
    /// A report on each property; those without a verdict are unknown for this reason.
    fn reports(&self, why: &Unknown) -> Vec<PropertyReport> {
        let Questions { properties, automata } = &self.questions;
        let formulas = properties.iter().map(|property| PropertyReport::unknown(property, why.clone()));
        let unknown = formulas.chain(automata.iter().map(|automaton| automaton.unknown(why.clone())));
        let known = |(unknown, decided): (PropertyReport, &Option<PropertyReport>)| {
            decided.clone().unwrap_or(unknown)
        };
        unknown.zip(&self.decided).map(known).collect()
    }
}

/// Reads the model and the formulas, and checks them.
fn checked(
    session: &Session,
    global: &GlobalOptions,
    arguments: &CheckArguments,
    known: &Arc<Mutex<Known>>,
) -> Result<Box<dyn Answer>, Stop> {
    let options = prepare::options(session, global)?;
    let options = Options { strategies: strategies(arguments.strategies), ..options };
    refuse_words_in_wrong_places(arguments)?;
    let picture_format = draw::format(None, arguments.picture.as_deref())?;
    let is_bounded = arguments.within.asked().is_some();
    let wish = match is_bounded {
        true => Options { symmetry: SymmetryChoice::Off, ..options.clone() },
        false => options.clone(),
    };
    let texts = Texts::read(session, arguments)?;
    let names = names_in_formulas(&arguments.formulas, &texts.files, &texts.automata);
    let with_net = (&wish, Needs { net: NetUse::Welcome, names });
    let (loaded, questions) = prepare::folded_model(session, global, &arguments.model, with_net, |loaded| {
        loaded.name_units_as_agents();
        questions(session, global, loaded, arguments, &texts)
    })?;
    let Questions { properties, automata } = &questions;
    let asks_for_states =
        automata.is_empty() && properties.iter().all(|property| asks_for_states(&loaded, property));
    session.note_question(|question| question.asks_for_states = asks_for_states);
    if let Some(path) = &arguments.save_automaton {
        save_automaton(session, path, properties)?;
    }
    if let Some(unbounded) = loaded.unboundedness() {
        let message = format!(
            "{unbounded}, so there are infinitely many states: what neither a proof nor a run decides stays unknown"
        );
        session.warn(&[InputError { is_warning: true, ..InputError::plain(message) }]);
    }
    *known.lock().unwrap_or_else(PoisonError::into_inner) =
        Known { questions: questions.clone(), decided: vec![None; properties.len() + automata.len()] };
    let known = Arc::clone(known);
    session.listen(move |event| {
        if let Event::Verdict { number, report } = event {
            known.lock().unwrap_or_else(PoisonError::into_inner).decided[*number] = Some((*report).clone());
        }
    });
    let wanted = CheckOptions {
        witnesses: wants_witnesses(session, arguments),
        counts: session.detail == Detail::Verbose,
        ..CheckOptions::default()
    };
    let mut reports = match arguments.within.asked() {
        _ if properties.is_empty() => Vec::new(),
        Some(within) => session.job.check_within(&loaded, properties, within, &options)?,
        None => session.job.check(&loaded, properties, wanted, &options)?,
    };
    if !automata.is_empty() {
        let first = properties.len();
        reports.extend(session.job.check_automata(&loaded, automata, first, wanted, &options)?);
    }
    if reports.iter().any(|report| report.has_no_fair_path) {
        let message = "no path satisfies the fairness constraints, so every formula holds";
        session.warn(&[InputError { is_warning: true, ..InputError::plain(message) }]);
    }
    if arguments.no_witness {
        reports.iter_mut().for_each(|report| report.witness = None);
    }
    if let Some(path) = &arguments.save {
        session.warn_of(save(session, &loaded, path, &reports));
    }
    if let Some(path) = &arguments.picture {
        session.warn_of(draw_first(session, path, picture_format, &reports));
    }
    let overflow = match arguments.overflow {
        true => Some(settle(session.job.overflows(&loaded, &options))?),
        false => None,
    };
    let answer = CheckAnswer::boxed(session, reports, None);
    Ok(match overflow {
        Some(overflow) => Box::new(WithOverflow { answer, overflow }),
        None => answer,
    })
}

/// Whether runs are looked for: where only verdicts are printed, they come at once.
fn wants_witnesses(session: &Session, arguments: &CheckArguments) -> bool {
    let prints_verdicts_only = session.detail == Detail::Quiet && !session.json;
    let needs_run = arguments.save.is_some() || arguments.picture.is_some();
    !arguments.no_witness && (needs_run || !prints_verdicts_only)
}

fn strategies(kind: StrategyKind) -> StrategiesChoice {
    match kind {
        StrategyKind::Perfect => StrategiesChoice::Perfect,
        StrategyKind::Uniform => StrategiesChoice::Uniform,
    }
}

/// The hint where the arguments of `check` are in the wrong order.
const MODEL_THEN_FORMULAS: &str =
    "give a model and then formulas, as in: symbolon check philosophers:3 \"AG !deadlock\"";

/// Refuses arguments in the wrong order: the model comes first and then the formulas.
fn refuse_words_in_wrong_places(arguments: &CheckArguments) -> Result<(), Failure> {
    let hint = MODEL_THEN_FORMULAS;
    let is_model = |word: &str| word == "-" || model_source::is_model(word);
    let model = arguments.model.to_string_lossy();
    let files = arguments.files.iter().chain(&arguments.automata);
    let from_input = files.filter(|file| file.as_os_str() == "-").count();
    if from_input + usize::from(model == "-") > 1 {
        let message = "standard input can be read once, and '-' stands for it twice";
        let hint = "give all but one of the model, the formulas and the automata as files";
        return Err(Failure::with_hint(message, Some(hint.to_string())));
    }
    let has_files = !arguments.files.is_empty() || !arguments.automata.is_empty();
    if !is_model(&model) && arguments.formulas.is_empty() && !has_files && model.contains(' ') {
        return Err(Failure::with_hint("there is no model to check", Some(hint.to_string())));
    }
    if !is_model(&model)
        && let Some(late) = arguments.formulas.iter().find(|word| model_source::is_model(word))
    {
        let message = format!("the model must come first: '{late}' is a model, '{model}' is not");
        return Err(Failure::with_hint(message, Some(hint.to_string())));
    }
    Ok(())
}

/// The files with formulas and automata. Each is read once: one may be standard input.
struct Texts {
    files: Vec<FormulaFile>,
    automata: Vec<FormulaFile>,
}

impl Texts {
    fn read(session: &Session, arguments: &CheckArguments) -> Result<Texts, Stop> {
        let read = |paths: &[PathBuf]| {
            paths
                .iter()
                .map(|path| model_source::read_formulas(session, path))
                .collect::<Result<Vec<_>, Stop>>()
        };
        Ok(Texts { files: read(&arguments.files)?, automata: read(&arguments.automata)? })
    }
}

/// The formulas and the automata to check.
fn questions(
    session: &Session,
    global: &GlobalOptions,
    loaded: &Loaded,
    arguments: &CheckArguments,
    texts: &Texts,
) -> Result<Questions, Stop> {
    let paths = match global.paths {
        PathKind::Auto => None,
        PathKind::Maximal => Some(Paths::Maximal),
        PathKind::Stutter => Some(Paths::Stutter),
        PathKind::Infinite => Some(Paths::Infinite),
    };
    if !arguments.automata.is_empty() && arguments.within.asked().is_some() {
        let message = "a search within a bound is not supported for automata";
        let hint = "leave out --bound and --method, or give a formula of the form EF p or AG p";
        return Err(Failure::with_hint(message, Some(hint.to_string())).into());
    }
    let mut automata = Vec::with_capacity(arguments.automata.len());
    for file in &texts.automata {
        automata.push(session.job.automaton_of_file(loaded, file, paths)?);
    }
    let properties = match arguments.formulas.is_empty() && arguments.files.is_empty() && !automata.is_empty()
    {
        true => Vec::new(),
        false => properties(session, paths, loaded, arguments, &texts.files)?,
    };
    Ok(Questions { properties, automata })
}

/// The formulas of the command line, then those of the files; if there are neither, those of the
/// model.
fn properties(
    session: &Session,
    paths: Option<Paths>,
    loaded: &Loaded,
    arguments: &CheckArguments,
    files: &[FormulaFile],
) -> Result<Vec<Property>, Stop> {
    if arguments.formulas.is_empty() && arguments.files.is_empty() {
        let own = loaded.properties().to_vec();
        if own.is_empty() {
            let hint = Some(MODEL_THEN_FORMULAS.to_string());
            return Err(Failure::with_hint("there is no formula to check", hint).into());
        }
        let asked = own.into_iter().map(|property| match paths {
            Some(paths) => property.on(paths),
            None => property,
        });
        return Ok(asked.collect());
    }
    let typed = properties_of_texts(loaded, &arguments.formulas, paths)?;
    session.warn(&typed.warnings);
    let mut all = typed.properties;
    for file in files {
        let file = session.job.properties_of_file(loaded, file, paths)?;
        session.warn(&file.warnings);
        all.extend(file.properties);
    }
    Ok(all)
}

/// Writes the automaton of the only formula.
fn save_automaton(session: &Session, path: &Path, properties: &[Property]) -> Result<(), Stop> {
    let [property] = properties else {
        let message = format!("--save-automaton takes one formula, but {} were given", properties.len());
        let hint = "give one formula of LTL, such as \"G F p\"";
        return Err(Failure::with_hint(message, Some(hint.to_string())).into());
    };
    let text = session.job.violating_runs(property)?;
    Ok(write_file(path, &text)?)
}

/// Saves the first run, or says that there is none.
fn save(session: &Session, loaded: &Loaded, path: &Path, reports: &[PropertyReport]) -> Result<(), Failure> {
    if let Some(witness) = reports.iter().find_map(|report| report.witness.as_ref()) {
        let lines = replayable(loaded, witness);
        return trace_file::save(session, path, lines.iter().map(String::as_str), witness.steps.len());
    }
    let message = format!("no formula has a run to show: '{}' was not written", path.display());
    session.warn(&[InputError { is_warning: true, ..InputError::plain(message) }]);
    Ok(())
}

/// Draws what shows the first verdict that can be shown, or says that there is none.
fn draw_first(
    session: &Session,
    path: &Path,
    format: PictureFormat,
    reports: &[PropertyReport],
) -> Result<(), Failure> {
    let warn = |message: String| {
        session.warn(&[InputError { is_warning: true, ..InputError::plain(message) }]);
    };
    let shown = reports.iter().find_map(|report| Some((report, report.witness.as_ref()?)));
    let Some((report, witness)) = shown else {
        warn(format!("no formula has anything to draw: '{}' was not written", path.display()));
        return Ok(());
    };
    match settle(session.job.draw_witness(&report.formula, witness, format))? {
        Ok(drawing) => {
            drawing.remarks.into_iter().for_each(warn);
            write_file(path, &drawing.text)
        }
        Err(unknown) => {
            warn(format!("'{}' was not written: {}", path.display(), unknown.detail));
            Ok(())
        }
    }
}

struct CheckAnswer {
    model: String,
    reports: Vec<PropertyReport>,
    /// Why there is not more; the reports may have reasons of their own.
    unknown: Option<Unknown>,
    time: Duration,
}

impl CheckAnswer {
    fn boxed(
        session: &Session,
        mut reports: Vec<PropertyReport>,
        unknown: Option<Unknown>,
    ) -> Box<dyn Answer> {
        typed_reports(&mut reports);
        let open = reports.iter().find_map(|report| report.verdict.unknown().cloned());
        let is_open = reports.is_empty() || open.is_some();
        Box::new(CheckAnswer {
            model: session.model.clone().unwrap_or_default(),
            reports,
            unknown: unknown.or(open).filter(|_| is_open),
            time: session.elapsed(),
        })
    }

    /// How many verdicts have this word.
    fn count(&self, word: &str) -> usize {
        self.reports.iter().filter(|report| verdict_word(&report.verdict) == word).count()
    }
}

impl Answer for CheckAnswer {
    fn text(&self, detail: Detail) -> String {
        let mut text = String::new();
        for (report, number) in self.reports.iter().zip(1..) {
            match detail {
                // One formula, or one without a name of its own, is told by its position.
                Detail::Quiet if !has_own_name(report, number) || self.reports.len() == 1 => {
                    let _ = writeln!(text, "{}", verdict_word(&report.verdict));
                }
                Detail::Quiet => {
                    let _ = writeln!(text, "{} {}", printable(&report.name), verdict_word(&report.verdict));
                }
                _ => text.push_str(&report_text(report, detail == Detail::Verbose)),
            }
        }
        if detail != Detail::Quiet {
            text.push_str(&self.summary());
        }
        text
    }

    fn body(&self) -> json::Body {
        json::Body::Check(json::Check::new(&self.reports))
    }

    fn status(&self) -> Status<'_> {
        match &self.unknown {
            Some(unknown) => Status::Unknown(unknown),
            None => Status::Ok,
        }
    }

    fn records(&self) -> Option<Records> {
        let headings = ["name", "formula", "verdict", "#steps", "shortest", "known by", "#seconds"];
        let mut records = Records::new(&headings);
        for report in &self.reports {
            let run = report.witness.as_ref().filter(|witness| witness.strategy.is_none());
            let shortest = run.map_or("", |run| if run.shortest { "yes" } else { "no" });
            records.add(vec![
                report.name.clone(),
                report.formula.clone(),
                verdict_word(&report.verdict).to_string(),
                run.map_or(String::new(), |run| run.steps.len().to_string()),
                shortest.to_string(),
                techniques(report),
                format!("{:.3}", report.time.as_secs_f64()),
            ]);
        }
        Some(records)
    }

    fn exit_status(&self) -> ExitStatus {
        if self.count("fails") > 0 {
            ExitStatus::Fails
        } else if self.unknown.is_some() {
            ExitStatus::Unknown
        } else {
            ExitStatus::Success
        }
    }
}

impl CheckAnswer {
    fn summary(&self) -> String {
        let model = printable(&self.model);
        let time = numbers::seconds(self.time);
        if self.reports.is_empty() {
            let why = self.unknown.as_ref().map_or("", |unknown| unknown.detail.as_str());
            return format!("{WARNING}unknown{WARNING:#}  {model}: {}\n", printable(why));
        }
        let counts: Vec<String> = [("holds", "hold"), ("fails", "fail"), ("unknown", "unknown")]
            .into_iter()
            .map(|(one, many)| (self.count(one), one, many))
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, many)| match count {
                1 => format!("1 {one}"),
                _ => format!("{count} {many}"),
            })
            .collect();
        let automata = self.reports.iter().filter(|report| report.automaton.is_some()).count();
        let formulas = self.reports.len() - automata;
        let mut asked = Vec::new();
        if formulas > 0 {
            asked.push(counted(formulas as u64, "formula"));
        }
        match automata {
            0 => {}
            1 => asked.push("1 automaton".to_string()),
            _ => asked.push(format!("{automata} automata")),
        }
        format!("{FAINT}{model}: {}, {}; {time}{FAINT:#}\n", asked.join(", "), counts.join(", "))
    }
}

fn report_text(report: &PropertyReport, everything: bool) -> String {
    let style = match report.verdict {
        Verdict::Holds => GOOD,
        Verdict::Fails => ERROR,
        Verdict::Unknown(_) => WARNING,
    };
    let word = verdict_word(&report.verdict);
    let formula = shortened(&report.formula, everything);
    let name = match report.name.is_empty() {
        true => String::new(),
        false => format!("{BOLD}{}{BOLD:#}: ", printable(&report.name)),
    };
    let mut text = format!("{style}{word:7}{style:#} {name}{}\n", printable(&formula));
    if let Some(unknown) = report.verdict.unknown() {
        let _ = writeln!(text, "        {}", printable(&unknown.detail));
    }
    if let Some(why) = &report.no_witness {
        let _ = writeln!(text, "        {why}");
    }
    if everything {
        let by = match techniques(report) {
            none if none.is_empty() => none,
            some => format!("; by {some}"),
        };
        let _ = writeln!(
            text,
            "        {FAINT}paths {}{by}{}; {}{FAINT:#}",
            report.paths,
            report.search.map(searched).unwrap_or_default(),
            numbers::seconds(report.time)
        );
        if report.satisfied.is_none() && report.search.is_none() && report.automaton.is_none() {
            let _ = writeln!(
                text,
                "        {FAINT}states not counted: not all are known within the limits{FAINT:#}"
            );
        }
        for (formula, states) in report.satisfied.iter().flatten() {
            let states = readable(states.to_string(), everything);
            let satisfy = if states == "1" { "state satisfies" } else { "states satisfy" };
            let _ = writeln!(text, "        {FAINT}{states} {satisfy}{FAINT:#} {}", printable(formula));
        }
    }
    if let Some(witness) = &report.witness {
        text.push_str(&witness_text(&report.verdict, witness, everything));
    }
    text
}

/// Whether a formula has a name that is more than its number.
fn has_own_name(report: &PropertyReport, number: usize) -> bool {
    let name = report.name.strip_prefix("formula-").unwrap_or(&report.name);
    !name.is_empty() && name != number.to_string()
}

/// What gave a verdict, in words.
fn techniques(report: &PropertyReport) -> String {
    let by: Vec<String> = report.techniques.iter().map(ToString::to_string).collect();
    by.join(" ").to_lowercase().replace('_', "-").replace(' ', ", ")
}

/// The method and the bound of a search, in words.
fn searched(search: SearchReport) -> String {
    let bound = search.bound.map(|bound| format!(", bound {bound}")).unwrap_or_default();
    format!(" ({}{bound})", search.method)
}

fn shortened(formula: &str, everything: bool) -> String {
    if everything || formula.chars().count() <= LONGEST_FORMULA {
        return formula.to_string();
    }
    let begin: String = formula.chars().take(LONGEST_FORMULA).collect();
    format!("{begin}… (-v shows all)")
}
