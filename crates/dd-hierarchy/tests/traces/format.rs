//! Traces as text: one call a line, `#` starts a comment.
//!
//! ```text
//! shape (v v)((v) v)           first: values, and components in brackets
//! events 0 shift 1..* -1, 2 shift 0..3 +1 / 2 assign 0..3 5 / 1 map 0>2 1>0
//! a = singleton 3 0 1 1        values, place by place
//! b = closure a within 50      at most 50 steps; if they do not suffice, b stays as it was
//! c = preimage 0 b a           event, target, within; likewise: image 0 b
//! count b
//! collected 1                  so many collections have happened at least
//! ```
//!
//! Operations on sets: union, intersection, difference, closure, step (all events at once),
//! enabled, dead. A call that names a set or an event that does not exist does nothing, so that any
//! line but the first can be left out.

use std::fmt;
use symbolon_dd_hierarchy::Action;

/// An event: actions at places.
pub(crate) type Event = Vec<(u32, Action)>;

/// A sequence of calls.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trace {
    /// Slots: a value, or the slots of a component.
    pub(crate) shape: Vec<Tree>,
    /// The calls.
    pub(crate) calls: Vec<Call>,
}

/// A slot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tree {
    Value,
    Component(Vec<Tree>),
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Call {
    /// `name = operation numbers names within steps`: computes a set.
    Set { name: String, operation: String, numbers: Vec<u64>, sets: Vec<String>, within: Option<u64> },
    /// Sets the events.
    Events(Vec<Event>),
    /// Counts the states of a set, and pairs (state, enabled event).
    Count(String),
    /// Forgets a set.
    Drop(String),
    /// Collects garbage.
    Collect,
    /// Demands that so many collections have happened.
    Collected(u64),
    /// Demands that so many calls were interrupted.
    Interrupted(u64),
}

/// The names of operations, with the number of sets that each takes.
pub(crate) const OPERATIONS: [(&str, usize); 10] = [
    ("singleton", 0),
    ("image", 1),
    ("preimage", 2),
    ("enabled", 1),
    ("union", 2),
    ("intersection", 2),
    ("difference", 2),
    ("closure", 1),
    ("step", 1),
    ("dead", 1),
];

/// Reads a trace, or says in which line it is wrong.
pub(crate) fn parse(text: &str) -> Result<Trace, String> {
    let lines =
        text.lines().enumerate().map(|(number, line)| (number + 1, line.split('#').next().unwrap_or("")));
    let mut lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let first = lines.next().and_then(|(_, line)| line.trim().strip_prefix("shape"));
    let mut characters = first.ok_or("expected 'shape' first")?.chars();
    let shape = parse_shape(&mut characters, false)?;
    let mut calls = Vec::new();
    for (number, line) in lines {
        calls.push(parse_call(line.trim()).map_err(|why| format!("line {number}: {why}"))?);
    }
    Ok(Trace { shape, calls })
}

fn parse_shape(characters: &mut std::str::Chars<'_>, inside: bool) -> Result<Vec<Tree>, String> {
    let mut slots = Vec::new();
    loop {
        match characters.next() {
            None if inside => return Err("a bracket is not closed".into()),
            None => return Ok(slots),
            Some('v') => slots.push(Tree::Value),
            Some('(') => slots.push(Tree::Component(parse_shape(characters, true)?)),
            Some(')') if inside => return Ok(slots),
            Some(' ') => {}
            Some(other) => return Err(format!("expected a slot, found '{other}'")),
        }
    }
}

fn parse_call(line: &str) -> Result<Call, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["collect"] => Ok(Call::Collect),
        ["count", set] => Ok(Call::Count(set.into())),
        ["drop", set] => Ok(Call::Drop(set.into())),
        ["collected", count] => Ok(Call::Collected(number(count)?)),
        ["interrupted", count] => Ok(Call::Interrupted(number(count)?)),
        ["events", ..] => {
            let list =
                line.trim_start_matches("events").split('/').map(str::trim).filter(|text| !text.is_empty());
            list.map(parse_event).collect::<Result<_, _>>().map(Call::Events)
        }
        [name, "=", operation, ref rest @ ..] => {
            let (rest, within) = match rest {
                [rest @ .., "within", steps] => (rest, Some(number(steps)?)),
                _ => (rest, None),
            };
            let sets_at = rest.iter().position(|word| word.parse::<u64>().is_err()).unwrap_or(rest.len());
            let known = OPERATIONS.iter().find(|known| known.0 == operation);
            if known.is_none_or(|known| known.1 != rest.len() - sets_at) {
                return Err(format!("expected an operation on sets, found '{line}'"));
            }
            Ok(Call::Set {
                name: name.into(),
                operation: operation.into(),
                numbers: rest[..sets_at].iter().map(|text| number(text)).collect::<Result<_, _>>()?,
                sets: rest[sets_at..].iter().map(|&text| text.into()).collect(),
                within,
            })
        }
        _ => Err(format!("expected a call, found '{line}'")),
    }
}

fn parse_event(text: &str) -> Result<Event, String> {
    let parts = text.split(',').map(|part| {
        let words: Vec<&str> = part.split_whitespace().collect();
        let range = |text: &str| -> Result<(u64, u64), String> {
            let (low, high) =
                text.split_once("..").ok_or(format!("expected 1..2 or 1..*, found '{text}'"))?;
            Ok((number(low)?, if high == "*" { u64::MAX } else { number(high)? }))
        };
        match words[..] {
            [place, "shift", tested, delta] => {
                let (at_least, at_most) = range(tested)?;
                let delta = delta.parse().map_err(|_| format!("expected a change, found '{delta}'"))?;
                Ok((number(place)? as u32, Action::Shift { at_least, at_most, delta }))
            }
            [place, "assign", tested, to] => {
                let (at_least, at_most) = range(tested)?;
                Ok((number(place)? as u32, Action::Assign { at_least, at_most, to: number(to)? }))
            }
            [place, "map", ref steps @ ..] => {
                let steps = steps.iter().map(|step| {
                    let (from, to) = step.split_once('>').ok_or(format!("expected 1>2, found '{step}'"))?;
                    Ok((number(from)?, number(to)?))
                });
                Ok((number(place)? as u32, Action::Map(steps.collect::<Result<_, String>>()?)))
            }
            _ => Err(format!("expected a place and an action, found '{part}'")),
        }
    });
    parts.collect()
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a number, found '{text}'"))
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shape ")?;
        self.shape.iter().try_for_each(|slot| write!(f, "{slot}"))?;
        writeln!(f)?;
        self.calls.iter().try_for_each(|call| writeln!(f, "{call}"))
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tree::Value => write!(f, "v"),
            Tree::Component(slots) => {
                write!(f, "(")?;
                slots.iter().try_for_each(|slot| write!(f, "{slot}"))?;
                write!(f, ")")
            }
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Call::Set { name, operation, numbers, sets, within } => {
                write!(f, "{name} = {operation}")?;
                numbers.iter().try_for_each(|number| write!(f, " {number}"))?;
                sets.iter().try_for_each(|set| write!(f, " {set}"))?;
                within.iter().try_for_each(|steps| write!(f, " within {steps}"))
            }
            Call::Events(events) => {
                let texts: Vec<String> = events.iter().map(event_text).collect();
                write!(f, "events {}", texts.join(" / "))
            }
            Call::Count(set) => write!(f, "count {set}"),
            Call::Drop(set) => write!(f, "drop {set}"),
            Call::Collect => write!(f, "collect"),
            Call::Collected(count) => write!(f, "collected {count}"),
            Call::Interrupted(count) => write!(f, "interrupted {count}"),
        }
    }
}

fn event_text(event: &Event) -> String {
    let range = |low: &u64, high: &u64| {
        if *high == u64::MAX { format!("{low}..*") } else { format!("{low}..{high}") }
    };
    let part = |(place, action): &(u32, Action)| match action {
        Action::Keep => format!("{place} shift 0..* +0"),
        Action::Shift { at_least, at_most, delta } => {
            format!("{place} shift {} {delta:+}", range(at_least, at_most))
        }
        Action::Assign { at_least, at_most, to } => {
            format!("{place} assign {} {to}", range(at_least, at_most))
        }
        Action::Map(steps) => {
            let steps: Vec<String> = steps.iter().map(|(from, to)| format!("{from}>{to}")).collect();
            format!("{place} map {}", steps.join(" "))
        }
    };
    event.iter().map(part).collect::<Vec<_>>().join(", ")
}
