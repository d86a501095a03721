//! Traces as text: one call a line, `#` starts a comment.
//!
//! ```text
//! levels direct table          first: what the codes of each level mean, level 1 first
//! events 1 shift 1..* -1, 2 shift 0..* +1 / 2 assign 0..3 5 / 1 map 0>2 1>0 / always
//! a = singleton 3 0            values, level 1 first
//! b = saturate a within 50     at most 50 steps; if they do not suffice, b stays as it was
//! c = preimage 0 b a           event, target, within
//! count b
//! collected 1                  so many collections have happened at least
//! ```
//!
//! A call that names a set or an event that does not exist does nothing, so that any line but the
//! first can be left out. Numbers are kept small where large ones would only cost memory, and no
//! event of a trace leaves the range of values: what comes out of the diagrams can always be
//! compared.

use std::fmt;
use symbolon_dd_mdd::{Action, Domain, EventActions};

/// A sequence of calls.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trace {
    /// What the codes of each level mean.
    pub(crate) levels: Vec<LevelKind>,
    /// The calls.
    pub(crate) calls: Vec<Call>,
}

/// What the codes of a level mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LevelKind {
    /// A code is the value.
    Direct,
    /// Codes number the values as they are met.
    Table,
}

impl LevelKind {
    /// The domain of a level of this kind.
    pub(crate) fn domain(self) -> Domain {
        match self {
            LevelKind::Direct => Domain::Direct,
            LevelKind::Table => Domain::table(),
        }
    }

    /// The largest value that a trace may write down at such a level.
    fn largest_value(self) -> u64 {
        match self {
            LevelKind::Direct => 1 << 12,
            LevelKind::Table => 1 << 60,
        }
    }
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Call {
    /// `name = …`: computes a set.
    Set {
        /// How it is called from then on.
        name: String,
        /// How it is computed.
        operation: SetOperation,
        /// The steps it may take.
        within: Option<u64>,
    },
    /// Sets the events.
    Events(Vec<EventActions>),
    /// Counts the vectors of a set.
    Count(String),
    /// Counts pairs (vector, enabled event).
    Edges(String),
    /// Asks which events are enabled somewhere.
    Ever(String),
    /// Asks for the largest sum of values.
    Largest(String),
    /// Asks whether a vector lies in a set.
    Contains(String, Vec<u64>),
    /// Forgets a set.
    Drop(String),
    /// Collects garbage.
    Collect,
    /// Collects garbage if enough has gathered.
    Breathe,
    /// Demands that so many collections have happened.
    Collected(u64),
    /// Demands that so many calls have been interrupted.
    Interrupted(u64),
}

/// How a set is computed. Names are those of sets, numbers those of events.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SetOperation {
    /// One vector.
    Singleton(Vec<u64>),
    /// Vectors in either.
    Union(String, String),
    /// Vectors in both.
    Intersection(String, String),
    /// Vectors in the first alone.
    Difference(String, String),
    /// One step forward.
    Image(usize, String),
    /// One step backward into the first, inside the second.
    Preimage(usize, String, String),
    /// Any number of steps forward.
    Saturate(String),
    /// Where an event is enabled.
    Enabled(usize, String),
    /// Where none is.
    Dead(String),
}

/// What is wrong with a text, and in which line, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextError {
    /// The line.
    pub(crate) line: usize,
    /// What was found and what was expected.
    pub(crate) message: String,
}

const MOST_LEVELS: usize = 64;
const MOST_CALLS: usize = 10_000;
const LARGEST_DELTA: i64 = 1 << 12;

/// Reads a trace.
pub(crate) fn parse(text: &str) -> Result<Trace, TextError> {
    let mut trace: Option<Trace> = None;
    for (line, written) in (1..).zip(text.lines()) {
        let written = written.split('#').next().unwrap_or_default();
        let mut words = written.split_whitespace();
        let Some(first) = words.next() else { continue };
        let at = |message: String| TextError { line, message };
        match &mut trace {
            None if first == "levels" => {
                let levels = words.map(level_kind).collect::<Result<Vec<_>, _>>().map_err(at)?;
                if levels.len() > MOST_LEVELS {
                    return Err(at(format!("at most {MOST_LEVELS} levels, found {}", levels.len())));
                }
                trace = Some(Trace { levels, calls: Vec::new() });
            }
            None => return Err(at(format!("expected 'levels' first, found '{first}'"))),
            Some(trace) => {
                if trace.calls.len() == MOST_CALLS {
                    return Err(at(format!("at most {MOST_CALLS} calls")));
                }
                trace.calls.push(call(written.trim(), &trace.levels).map_err(at)?);
            }
        }
    }
    trace.ok_or_else(|| TextError { line: 1, message: "expected 'levels', found nothing".into() })
}

fn level_kind(word: &str) -> Result<LevelKind, String> {
    match word {
        "direct" => Ok(LevelKind::Direct),
        "table" => Ok(LevelKind::Table),
        other => Err(format!("expected 'direct' or 'table', found '{other}'")),
    }
}

fn call(written: &str, levels: &[LevelKind]) -> Result<Call, String> {
    if let Some(("events", rest)) = written.split_once(char::is_whitespace).or(Some((written, ""))) {
        return events(rest.trim(), levels).map(Call::Events);
    }
    let mut words: Vec<&str> = written.split_whitespace().collect();
    if let [named, "=", ..] = words[..] {
        let mut within = None;
        if let [.., "within", steps] = words[..] {
            within = Some(number(steps)?);
            words.truncate(words.len() - 2);
        }
        let operation = set_operation(&words[2..], levels)?;
        return Ok(Call::Set { name: name(named)?, operation, within });
    }
    Ok(match words[..] {
        ["count", set] => Call::Count(name(set)?),
        ["edges", set] => Call::Edges(name(set)?),
        ["ever", set] => Call::Ever(name(set)?),
        ["largest", set] => Call::Largest(name(set)?),
        ["contains", set, ref values @ ..] => Call::Contains(name(set)?, vector(values, levels)?),
        ["drop", set] => Call::Drop(name(set)?),
        ["collect"] => Call::Collect,
        ["breathe"] => Call::Breathe,
        ["collected", times] => Call::Collected(number(times)?),
        ["interrupted", times] => Call::Interrupted(number(times)?),
        _ => return Err(format!("expected a call, found '{written}'")),
    })
}

fn set_operation(words: &[&str], levels: &[LevelKind]) -> Result<SetOperation, String> {
    Ok(match *words {
        ["singleton", ref values @ ..] => SetOperation::Singleton(vector(values, levels)?),
        ["union", a, b] => SetOperation::Union(name(a)?, name(b)?),
        ["intersection", a, b] => SetOperation::Intersection(name(a)?, name(b)?),
        ["difference", a, b] => SetOperation::Difference(name(a)?, name(b)?),
        ["image", event, a] => SetOperation::Image(number(event)?, name(a)?),
        ["preimage", event, a, b] => SetOperation::Preimage(number(event)?, name(a)?, name(b)?),
        ["saturate", a] => SetOperation::Saturate(name(a)?),
        ["enabled", event, a] => SetOperation::Enabled(number(event)?, name(a)?),
        ["dead", a] => SetOperation::Dead(name(a)?),
        _ => return Err(format!("expected an operation on sets, found '{}'", words.join(" "))),
    })
}

fn name(word: &str) -> Result<String, String> {
    let is_plain = word.len() <= 32 && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_plain { Ok(word.to_string()) } else { Err(format!("expected the name of a set, found '{word}'")) }
}

fn number<N: std::str::FromStr>(word: &str) -> Result<N, String> {
    word.parse().map_err(|_| format!("expected a number, found '{word}'"))
}

fn vector(words: &[&str], levels: &[LevelKind]) -> Result<Vec<u64>, String> {
    if words.len() != levels.len() {
        return Err(format!("expected {} values, found {}", levels.len(), words.len()));
    }
    words.iter().zip(levels).map(|(word, kind)| value(word, *kind)).collect()
}

fn value(word: &str, kind: LevelKind) -> Result<u64, String> {
    let value = number(word)?;
    let largest = kind.largest_value();
    if value <= largest {
        Ok(value)
    } else {
        Err(format!("values here are at most {largest}, found {value}"))
    }
}

fn events(written: &str, levels: &[LevelKind]) -> Result<Vec<EventActions>, String> {
    if written.is_empty() {
        return Ok(Vec::new());
    }
    written.split('/').map(|event| actions(event.trim(), levels)).collect()
}

fn actions(written: &str, levels: &[LevelKind]) -> Result<EventActions, String> {
    if written == "always" {
        return Ok(EventActions::new());
    }
    let mut actions = EventActions::new();
    for part in written.split(',') {
        let words: Vec<&str> = part.split_whitespace().collect();
        let [level, ref words @ ..] = words[..] else {
            return Err(format!("expected a level and an action, found '{part}'"));
        };
        let level: u32 = number(level)?;
        let kind = (level as usize).checked_sub(1).and_then(|index| levels.get(index));
        let Some(&kind) = kind else { return Err(format!("there is no level {level}")) };
        if actions.iter().any(|(known, _)| *known == level) {
            return Err(format!("level {level} stands twice in one event"));
        }
        actions.push((level, action(words, kind)?));
    }
    Ok(actions)
}

fn action(words: &[&str], kind: LevelKind) -> Result<Action, String> {
    match *words {
        ["keep"] => Ok(Action::Keep),
        ["shift", range, delta] => {
            let ((at_least, at_most), delta) = (interval(range)?, number::<i64>(delta)?);
            if delta.unsigned_abs() > LARGEST_DELTA as u64 || delta < 0 && at_least < delta.unsigned_abs() {
                return Err(format!("{at_least} and {delta} may leave the range of values"));
            }
            Ok(Action::Shift { at_least, at_most, delta })
        }
        ["assign", range, to] => {
            let (at_least, at_most) = interval(range)?;
            Ok(Action::Assign { at_least, at_most, to: value(to, kind)? })
        }
        ["map", ref steps @ ..] if kind == LevelKind::Direct => {
            let steps = steps.iter().map(|step| {
                let (from, to) =
                    step.split_once('>').ok_or_else(|| format!("expected 1>2, found '{step}'"))?;
                Ok((value(from, kind)? as u32, value(to, kind)? as u32))
            });
            let steps = steps.collect::<Result<Vec<(u32, u32)>, String>>()?;
            if steps.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
                return Err("the steps of a map must ascend".into());
            }
            Ok(Action::Map(steps.into()))
        }
        ["map", ..] => Err("a map needs a direct level".into()),
        _ => Err(format!("expected an action, found '{}'", words.join(" "))),
    }
}

fn interval(word: &str) -> Result<(u64, u64), String> {
    let (low, high) =
        word.split_once("..").ok_or_else(|| format!("expected 1..2 or 1..*, found '{word}'"))?;
    Ok((number(low)?, if high == "*" { u64::MAX } else { number(high)? }))
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("levels")?;
        for kind in &self.levels {
            f.write_str(if *kind == LevelKind::Direct { " direct" } else { " table" })?;
        }
        self.calls.iter().try_for_each(|call| write!(f, "\n{call}"))?;
        f.write_str("\n")
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Call::Set { name, operation, within } => {
                write!(f, "{name} = {operation}")?;
                within.map_or(Ok(()), |steps| write!(f, " within {steps}"))
            }
            Call::Events(events) => {
                f.write_str("events")?;
                events.iter().enumerate().try_for_each(|(number, event)| {
                    f.write_str(if number == 0 { " " } else { " / " })?;
                    write_event(f, event)
                })
            }
            Call::Count(set) => write!(f, "count {set}"),
            Call::Edges(set) => write!(f, "edges {set}"),
            Call::Ever(set) => write!(f, "ever {set}"),
            Call::Largest(set) => write!(f, "largest {set}"),
            Call::Contains(set, values) => write!(f, "contains {set}{}", spaced(values)),
            Call::Drop(set) => write!(f, "drop {set}"),
            Call::Collect => f.write_str("collect"),
            Call::Breathe => f.write_str("breathe"),
            Call::Collected(times) => write!(f, "collected {times}"),
            Call::Interrupted(times) => write!(f, "interrupted {times}"),
        }
    }
}

impl fmt::Display for SetOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetOperation::Singleton(values) => write!(f, "singleton{}", spaced(values)),
            SetOperation::Union(a, b) => write!(f, "union {a} {b}"),
            SetOperation::Intersection(a, b) => write!(f, "intersection {a} {b}"),
            SetOperation::Difference(a, b) => write!(f, "difference {a} {b}"),
            SetOperation::Image(event, a) => write!(f, "image {event} {a}"),
            SetOperation::Preimage(event, a, b) => write!(f, "preimage {event} {a} {b}"),
            SetOperation::Saturate(a) => write!(f, "saturate {a}"),
            SetOperation::Enabled(event, a) => write!(f, "enabled {event} {a}"),
            SetOperation::Dead(a) => write!(f, "dead {a}"),
        }
    }
}

fn spaced(values: &[u64]) -> String {
    values.iter().map(|value| format!(" {value}")).collect()
}

fn write_event(f: &mut fmt::Formatter<'_>, event: &EventActions) -> fmt::Result {
    if event.is_empty() {
        return f.write_str("always");
    }
    for (number, (level, action)) in event.iter().enumerate() {
        f.write_str(if number == 0 { "" } else { ", " })?;
        let range = |at_least: u64, at_most: u64| {
            let high = if at_most == u64::MAX { "*".to_string() } else { at_most.to_string() };
            format!("{at_least}..{high}")
        };
        match action {
            Action::Keep => write!(f, "{level} keep")?,
            Action::Shift { at_least, at_most, delta } => {
                write!(f, "{level} shift {} {delta:+}", range(*at_least, *at_most))?;
            }
            Action::Assign { at_least, at_most, to } => {
                write!(f, "{level} assign {} {to}", range(*at_least, *at_most))?;
            }
            Action::Map(steps) => {
                write!(f, "{level} map")?;
                steps.iter().try_for_each(|(from, to)| write!(f, " {from}>{to}"))?;
            }
        }
    }
    Ok(())
}
