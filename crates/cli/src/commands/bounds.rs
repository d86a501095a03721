//! `bounds`: the most tokens that places, or sums of places, ever hold; the largest values of variables.

use super::prepare;
use super::states::unknown_text;
use crate::answer::{Answer, Detail};
use crate::arguments::{BoundsArguments, GlobalOptions};
use crate::dashes::settle;
use crate::failure::Failure;
use crate::numbers::{self, counted};
use crate::records::Records;
use crate::session::Session;
use crate::table::{BOLD, FAINT, LABEL, WARNING, printable};
use crate::watch::watch;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use symbolon_checker::{
    BoundMethod, BoundReport, BoundTarget, BoundsReport, Event, Language, Loaded, Needs, NetPlace, NetUse,
    Options, PlaceId, Stop, SymmetryChoice, Unknown, bound_of_variable, did_you_mean, every_place,
    every_place_instance, near_names,
};
use symbolon_report as json;
use symbolon_report::Status;

/// At most this many bounds are shown one per line; more are grouped by their value, unless -v.
const MOST_LINES: usize = 18;
/// Lines are kept to this width, unless -v.
const WIDTH: usize = 79;

/// Finds least upper bounds.
pub(crate) fn bounds(
    session: &Arc<Session>,
    global: &GlobalOptions,
    arguments: &BoundsArguments,
) -> Result<Box<dyn Answer>, Failure> {
    // What is known so far, for the case that the watcher must answer.
    let found: Arc<Mutex<Found>> = Arc::new(Mutex::new(Found { bounds: Vec::new(), noun: "place" }));
    let (shared, known) = (Arc::clone(session), Arc::clone(&found));
    watch(session, move |unknown| {
        let known = known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        BoundsAnswer::boxed(&shared, known, Some(unknown))
    });
    let outcome = settle(found_bounds(session, global, arguments, &found))?;
    let noun = found.lock().unwrap_or_else(PoisonError::into_inner).noun;
    Ok(match outcome {
        Ok(report) => BoundsAnswer::boxed(session, Found { bounds: report.bounds, noun }, report.unknown),
        Err(why) => BoundsAnswer::boxed(session, Found { bounds: Vec::new(), noun }, Some(why)),
    })
}

/// The bounds that are known, and what those are called that have them.
#[derive(Clone)]
struct Found {
    bounds: Vec<BoundReport>,
    noun: &'static str,
}

/// Reads the model and finds the bounds; each is added to `known` at once.
fn found_bounds(
    session: &Session,
    global: &GlobalOptions,
    arguments: &BoundsArguments,
    known: &Arc<Mutex<Found>>,
) -> Result<BoundsReport, Stop> {
    let options = prepare::options(session, global)?;
    let wish = match arguments.per_colour {
        true => Options { symmetry: SymmetryChoice::Off, ..options.clone() },
        false => options.clone(),
    };
    let names = arguments.places.iter().map(String::as_str).chain(arguments.sum.iter().flat_map(|sum| {
        let terms = items(sum).unwrap_or_default().into_iter().map(str::trim);
        terms.flat_map(|term| [term, term.split_once('*').map_or("", |(_, name)| name.trim())]).map(unquoted)
    }));
    let needs = Needs { net: NetUse::Needed, names: names.map(String::from).collect() };
    let with_net = (&wish, needs);
    let (loaded, targets) = prepare::folded_model(session, global, &arguments.model, with_net, |loaded| {
        Ok(targets(loaded, arguments)?)
    })?;
    if loaded.language() != Language::Net {
        known.lock().unwrap_or_else(PoisonError::into_inner).noun = "variable";
    }
    let known = Arc::clone(known);
    session.listen(move |event| {
        if let Event::Bound { report, .. } = event {
            known.lock().unwrap_or_else(PoisonError::into_inner).bounds.push((*report).clone());
        }
    });
    session.job.bounds(&loaded, targets, &options)
}

/// What is asked for: places and sums, or every place.
fn targets(loaded: &Loaded, arguments: &BoundsArguments) -> Result<Vec<BoundTarget>, Failure> {
    if arguments.places.is_empty() && arguments.sum.is_empty() {
        let all = if arguments.per_colour { every_place_instance(loaded) } else { every_place(loaded) };
        if all.is_empty() && loaded.language() != Language::Net {
            let message = "no variable of the model holds numbers, so there are no bounds";
            let hint = "'symbolon info MODEL' shows which values the variables have".to_string();
            return Err(Failure::with_hint(message, Some(hint)));
        }
        return Ok(all);
    }
    let names = PlaceNames::new(loaded);
    let mut problems = Vec::new();
    let mut targets = Vec::new();
    let places = arguments.places.iter().map(|name| (name, names.find(name)));
    let sums = arguments.sum.iter().map(|sum| (sum, names.sum(sum)));
    for (name, terms) in places.chain(sums) {
        match terms {
            Ok(terms) => targets.push(BoundTarget { name: name.clone(), terms }),
            Err(failure) => problems.extend(failure.0),
        }
    }
    if problems.is_empty() { Ok(targets) } else { Err(Failure(problems)) }
}

/// The places of a net by what users call them.
struct PlaceNames<'a> {
    loaded: &'a Loaded,
    by_id: HashMap<&'a str, NetPlace<'a>>,
    /// Labels that only one place has.
    by_label: HashMap<&'a str, Option<NetPlace<'a>>>,
}

impl<'a> PlaceNames<'a> {
    fn new(loaded: &'a Loaded) -> PlaceNames<'a> {
        let mut names = PlaceNames { loaded, by_id: HashMap::new(), by_label: HashMap::new() };
        for place in loaded.places() {
            if let Some(label) = place.label {
                names.by_label.entry(label).and_modify(|one| *one = None).or_insert(Some(place.clone()));
            }
            names.by_id.insert(place.id, place);
        }
        names
    }

    /// The tokens of the place of this id, or of one of its colours, or else of this label.
    fn find(&self, name: &str) -> Result<Vec<(PlaceId, u64)>, Failure> {
        if self.loaded.language() != Language::Net {
            return self.variable(name);
        }
        if let Some(place) = self.by_id.get(name) {
            return Ok(place.terms());
        }
        if let Some(tokens) = self.loaded.tokens_of_colour(name) {
            return Ok(tokens?);
        }
        match self.by_label.get(name) {
            Some(Some(place)) => Ok(place.terms()),
            Some(None) => Err(Failure::with_hint(
                format!("several places are labelled '{name}'"),
                Some("give the id".into()),
            )),
            None => {
                let known = self.by_id.keys().chain(self.by_label.keys()).copied();
                let hint = did_you_mean(&near_names(name, known)).or_else(|| {
                    let is_sum = name.contains('+') || name.contains(',');
                    is_sum.then(|| "a sum is written '--sum a,b'".to_string())
                });
                let hint = hint.or_else(|| Some("'symbolon bounds MODEL' lists all places".to_string()));
                Err(Failure::with_hint(format!("the net has no place '{name}'"), hint))
            }
        }
    }

    /// The variable of a program, or of agents, of this name.
    fn variable(&self, name: &str) -> Result<Vec<(PlaceId, u64)>, Failure> {
        if let Some(target) = bound_of_variable(self.loaded, name) {
            return Ok(target?.terms);
        }
        let all = every_place(self.loaded);
        let hint = did_you_mean(&near_names(name, all.iter().map(|target| target.name.as_str())));
        let hint =
            hint.or_else(|| Some("'symbolon bounds MODEL' lists all variables that hold numbers".into()));
        Err(Failure::with_hint(format!("the model has no variable '{name}'"), hint))
    }

    /// The terms of a sum such as `a,2*b`.
    fn sum(&self, text: &str) -> Result<Vec<(PlaceId, u64)>, Failure> {
        let mut terms = Vec::new();
        for item in items(text)? {
            terms.extend(self.term(item.trim())?);
        }
        Ok(terms)
    }

    fn term(&self, text: &str) -> Result<Vec<(PlaceId, u64)>, Failure> {
        if text.is_empty() {
            let hint = Some("write places separated by commas, as in '--sum a,2*b'".to_string());
            return Err(Failure::with_hint("found nothing, expected a place", hint));
        }
        let bare = unquoted(text);
        // A name may have a star in it.
        if self.by_id.contains_key(bare)
            || bound_of_variable(self.loaded, bare).is_some()
            || self.by_label.contains_key(bare)
        {
            return self.find(bare);
        }
        match text.split_once('*') {
            Some((weight, name)) => {
                let weight = weight_of(weight.trim())?;
                let mut terms = self.find(unquoted(name.trim()))?;
                terms.iter_mut().for_each(|term| term.1 = weight);
                Ok(terms)
            }
            None => self.find(bare),
        }
    }
}

fn weight_of(text: &str) -> Result<u64, Failure> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().map_err(|_| {
        let (message, hint) = if is_number(text) {
            (format!("the weight {text} is too large"), format!("weights may be at most {}", i64::MAX))
        } else {
            (format!("'{text}' is not a weight"), "weights are natural numbers, as in '2*a'".to_string())
        };
        Failure::with_hint(message, Some(hint))
    })
}

/// The parts between commas that are not in double quotes.
fn items(text: &str) -> Result<Vec<&str>, Failure> {
    let mut items = Vec::new();
    let mut begin = 0;
    let mut is_quoted = false;
    // Commas in an index, as in `p[c1,s2]`, belong to the name.
    let mut is_index = false;
    for (at, character) in text.char_indices() {
        match character {
            '"' => is_quoted = !is_quoted,
            '[' if !is_quoted => is_index = true,
            ']' if !is_quoted => is_index = false,
            ',' if !is_quoted && !is_index => {
                items.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    if is_quoted {
        return Err(Failure::plain(format!("a double quote is missing in '{text}'")));
    }
    items.push(&text[begin..]);
    Ok(items)
}

fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}

struct BoundsAnswer {
    model: String,
    bounds: Vec<BoundReport>,
    /// What those are called that have the bounds.
    noun: &'static str,
    unknown: Option<Unknown>,
    time: Duration,
}

impl BoundsAnswer {
    fn boxed(session: &Session, found: Found, unknown: Option<Unknown>) -> Box<dyn Answer> {
        let model = session.model.clone().unwrap_or_default();
        let Found { bounds, noun } = found;
        Box::new(BoundsAnswer { model, bounds, noun, unknown, time: session.elapsed() })
    }
}

impl Answer for BoundsAnswer {
    fn text(&self, detail: Detail) -> String {
        match (&self.unknown, detail) {
            (Some(_), Detail::Quiet) if self.bounds.is_empty() => "unknown\n".to_string(),
            (Some(unknown), _) if self.bounds.is_empty() => {
                unknown_text(&self.model, "bounds", unknown, self.time, detail == Detail::Verbose)
            }
            (_, Detail::Quiet) => self.quiet(),
            _ => self.report(detail == Detail::Verbose),
        }
    }

    fn body(&self) -> json::Body {
        json::Body::Bounds(json::Bounds::new(&self.bounds))
    }

    fn status(&self) -> Status<'_> {
        self.unknown.as_ref().map_or(Status::Ok, Status::Unknown)
    }

    fn records(&self) -> Option<Records> {
        let mut records = Records::new(&[self.noun, "#bound", "#at least", "#at most", "known by"]);
        for found in &self.bounds {
            let bound = found.bound_text().unwrap_or_default();
            let most = found.at_most_text().unwrap_or_default();
            records.add(vec![found.name.clone(), bound, found.at_least_text(), most, why(found)]);
        }
        Some(records)
    }
}

impl BoundsAnswer {
    /// The number alone, or one line per target.
    fn quiet(&self) -> String {
        let digits = |found: &BoundReport| found.bound_text().unwrap_or_else(|| "unknown".to_string());
        match self.bounds.as_slice() {
            [only] => format!("{}\n", digits(only)),
            several => several
                .iter()
                .map(|found| format!("{} {}\n", printable(&found.name), digits(found)))
                .collect(),
        }
    }

    fn report(&self, is_verbose: bool) -> String {
        let mut text = String::new();
        let known = self.bounds.iter().filter(|found| found.bound.is_some()).count();
        let _ = writeln!(text, "{LABEL}model{LABEL:#}   {}", printable(&self.model));
        let summary = if known == self.bounds.len() {
            format!("{} known", counted(known as u64, "bound"))
        } else {
            format!("{WARNING}{known} of {} known{WARNING:#}", counted(self.bounds.len() as u64, "bound"))
        };
        let _ = writeln!(text, "{LABEL}bounds{LABEL:#}  {summary}");
        if let Some(unknown) = &self.unknown {
            let _ = writeln!(text, "        {}", printable(&unknown.detail));
        }
        let _ = writeln!(text, "{LABEL}time{LABEL:#}    {}\n", numbers::seconds(self.time));
        if self.bounds.len() <= MOST_LINES || is_verbose {
            self.lines(&mut text, is_verbose);
        } else {
            self.groups(&mut text);
        }
        text
    }

    /// One line per target: name, bound, how it is known.
    fn lines(&self, text: &mut String, is_verbose: bool) {
        const LONGEST_NAME: usize = 40;
        let name_width = self.bounds.iter().map(|found| found.name.chars().count()).max().unwrap_or(0);
        let name_width = name_width.min(LONGEST_NAME);
        let bound_width = self.bounds.iter().map(|found| shown(found).chars().count()).max().unwrap_or(0);
        for found in &self.bounds {
            let room = WIDTH.saturating_sub(name_width + bound_width + 4);
            let why = if is_verbose { why(found) } else { shortened(&why(found), room) };
            let name = printable(&found.name);
            let bound = shown(found);
            let pad = bound_width - bound.chars().count();
            let _ = write!(text, "{name:name_width$}  {BOLD}{bound}{BOLD:#}");
            if !why.is_empty() {
                let _ = write!(text, "{:pad$}  {FAINT}{}{FAINT:#}", "", printable(&why));
            }
            text.push('\n');
        }
    }

    /// The places of each bound together, largest bound first.
    fn groups(&self, text: &mut String) {
        let mut groups: HashMap<String, Vec<&BoundReport>> = HashMap::new();
        for found in &self.bounds {
            groups.entry(shown(found)).or_default().push(found);
        }
        let mut groups: Vec<(String, Vec<&BoundReport>)> = groups.into_iter().collect();
        groups.sort_by(|(a, first), (b, second)| rank(second[0]).cmp(&rank(first[0])).then(a.cmp(b)));
        let bound_width = groups.iter().map(|(bound, _)| bound.chars().count()).max().unwrap_or(0);
        for (bound, group) in groups {
            let start = format!("{bound:bound_width$}  {}: ", counted(group.len() as u64, self.noun));
            let names = listed(&group, WIDTH.saturating_sub(start.chars().count()));
            let _ = writeln!(
                text,
                "{BOLD}{bound:bound_width$}{BOLD:#}  {}: {names}",
                counted(group.len() as u64, self.noun)
            );
        }
        let _ = writeln!(text, "\n{FAINT}Each {} with its proof: -v{FAINT:#}", self.noun);
    }
}

/// As many names as fit, and how many more there are.
fn listed(group: &[&BoundReport], room: usize) -> String {
    const MORE: usize = 18;
    let mut text = String::new();
    for (number, found) in group.iter().enumerate() {
        let name = printable(&found.name);
        let separator = if number > 0 { ", " } else { "" };
        let is_last = number + 1 == group.len();
        let needed =
            text.chars().count() + separator.len() + name.chars().count() + if is_last { 0 } else { MORE };
        if number > 0 && needed > room {
            let _ = write!(text, " and {} more", group.len() - number);
            break;
        }
        text.push_str(separator);
        text.push_str(&name);
    }
    text
}

/// Larger bounds first, those without bound before them; what is unknown last.
fn rank(found: &BoundReport) -> (u8, u128) {
    match (&found.bound, found.at_most) {
        (Some(symbolon_checker::Amount::Infinite), _) => (2, 0),
        (Some(_), _) => (1, found.at_least),
        (None, most) => (0, most.unwrap_or(u128::MAX)),
    }
}

/// A bound as text, or what is known of it.
fn shown(found: &BoundReport) -> String {
    match (found.bound_text(), found.at_most_text()) {
        (Some(bound), _) => bound,
        (None, Some(most)) => format!("unknown, {} to {most}", found.at_least_text()),
        (None, None) => format!("unknown, at least {}", found.at_least_text()),
    }
}

/// How a bound is known.
fn why(found: &BoundReport) -> String {
    match (&found.method, &found.proof) {
        (Some(_), Some(proof)) => proof.to_string(),
        (Some(method), None) => match method {
            BoundMethod::Diagram(_) | BoundMethod::Explicit => format!("all states ({})", method.word()),
            BoundMethod::Coverability => "all that can be covered (Karp and Miller)".to_string(),
            BoundMethod::Structure | BoundMethod::StructureAndWalk => {
                "the structure of the model".to_string()
            }
        },
        _ => String::new(),
    }
}

/// A text cut to a number of characters.
fn shortened(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_string();
    }
    let mut short: String = text.chars().take(room.saturating_sub(1)).collect();
    short.push('…');
    short
}
