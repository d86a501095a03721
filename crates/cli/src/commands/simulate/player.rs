//! Carries out requests on a simulation and prints what happened.

use super::editor::KnownNames;
use super::interrupts::Interrupts;
use super::request::{Choice, Request, command_words, help_text};
use super::screen::{
    Layout, Words, dead_text, enabled_text, greeting, marking_text, simulated_text, starts_text,
};
use crate::answer::Detail;
use crate::commands::trace_text::TraceColumns;
use crate::failure::Failure;
use crate::fold::folded;
use crate::model_source;
use crate::numbers::counted;
use crate::session::Session;
use crate::table::{FAINT, GOOD, printable};
use crate::trace_file;
use std::io;
use std::path::Path;
use symbolon_checker::{
    self as checker, Budget, Condition, EventId, InputError, NotOneEvent, Reason, Refusal, ReplayStop,
    Simulation, Unknown, WalkEnd, did_you_mean, near_names,
};

/// After each step at a terminal, so much is shown of the marking and of what is enabled.
const GLANCE: usize = 16;
/// So much is shown of them when asked for.
const LOOK: usize = 200;
/// Of more random steps at a terminal, the last ones are shown.
const STEPS_SHOWN: usize = 20;
/// In a script, this many random steps are printed at a time.
const BATCH: u64 = 10_000;
/// The most random steps until a formula is true; asking once more goes on from there.
const MOST_UNTIL: u64 = 100_000;
/// More names than this are not completed.
const MOST_NAMES: usize = 200_000;
/// Text is collected to pieces of about this size.
const PIECE: usize = 1 << 16;

/// Where requests come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// A terminal, where the state is shown after each step.
    Terminal,
    /// A script, or a command line without commands.
    Script,
}

/// Why a request was not carried out, or not to its end.
pub(super) enum Stop {
    /// The end was asked for.
    Quit,
    /// The request is wrong.
    Wrong(Failure),
    /// A limit was reached.
    Unknown(Unknown),
    /// Nothing is printed.
    Unread,
    /// It cannot be written.
    Unwritten(io::Error),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Wrong(failure)
    }
}

impl From<checker::Stop> for Stop {
    fn from(stop: checker::Stop) -> Stop {
        match stop {
            checker::Stop::Input(error) => Stop::Wrong(error.into()),
            checker::Stop::Unknown(unknown) => Stop::Unknown(unknown),
        }
    }
}

impl From<InputError> for Stop {
    fn from(error: InputError) -> Stop {
        Stop::Wrong(error.into())
    }
}

/// A simulation and where its requests come from.
pub(super) struct Player<'a> {
    pub(super) simulation: Simulation,
    session: &'a Session,
    interrupts: &'a Interrupts,
    manner: Manner,
    columns: TraceColumns,
}

impl<'a> Player<'a> {
    /// A player at the initial marking.
    pub(super) fn new(
        session: &'a Session,
        interrupts: &'a Interrupts,
        manner: Manner,
        simulation: Simulation,
    ) -> Player<'a> {
        let columns = TraceColumns::new(0, simulation.event_names(), 0);
        Player { simulation, session, interrupts, manner, columns }
    }

    /// Says what is played, where it stands, and which names need care.
    pub(super) fn greet(&mut self) -> Result<(), Stop> {
        let model = self.session.model.as_deref().unwrap_or_default();
        let mut text = greeting(model, &self.simulation);
        let is_event =
            |word: &&str| !self.simulation.is_joint() && self.simulation.event_named(word).is_some();
        if let Some(word) = command_words().find(is_event) {
            text.push_str(&format!(
                "{FAINT}'{word}' is a command and a transition; 'fire {word}' fires it{FAINT:#}\n"
            ));
        }
        self.say(&text)?;
        self.show()
    }

    /// Carries a request out.
    pub(super) fn perform(&mut self, request: Request) -> Result<(), Stop> {
        let position = self.simulation.position();
        match request {
            Request::Fire(choice) => {
                let event = self.chosen(&choice)?;
                self.simulation.fire(event).map_err(|refusal| refused(&refusal))?;
                self.tell_steps(position)?;
                self.tell_deadlock()?;
            }
            Request::Undo(steps) => {
                if position == 0 {
                    return Err(InputError::plain("there is nothing to undo").into());
                }
                self.go_to(position.saturating_sub(steps))?;
            }
            Request::Redo(steps) => {
                if position == self.simulation.length() {
                    return Err(InputError::plain("there is nothing to redo").into());
                }
                self.go_to(position.saturating_add(steps).min(self.simulation.length()))?;
            }
            Request::GoTo(wanted) => self.go_to(wanted)?,
            Request::Reset => self.go_to(0)?,
            Request::Start(None) => return self.say(&starts_text(&self.simulation)),
            Request::Start(Some(start)) => {
                self.simulation.begin(&start).map_err(|refusal| refused(&refusal))?;
            }
            Request::Random(steps) => self.random(steps, None)?,
            Request::Until(formula) => {
                let condition = self.simulation.condition(&formula).map_err(Failure::from)?;
                if self.simulation.is_true(&condition) {
                    self.say("it is true already\n")?;
                } else {
                    self.random(MOST_UNTIL, Some(&condition))?;
                }
            }
            Request::Marking(wanted) => {
                return self.say(&marking_text(&self.simulation, self.layout(LOOK), &wanted));
            }
            Request::Enabled(wanted) => {
                return self.say(&enabled_text(&self.simulation, self.layout(LOOK), &wanted));
            }
            Request::Trace => return self.tell_trace(),
            Request::Why(choice) => return self.tell_why(&choice),
            Request::Save(path) => return self.save(&path).map_err(Stop::from),
            Request::Load(path) => {
                self.replay(&path)?;
                self.tell_steps(0)?;
                self.tell_deadlock()?;
            }
            Request::Help => return self.say(&help_text()),
            Request::Quit => return Err(Stop::Quit),
        }
        self.show()
    }

    /// Starts again and replays a saved trace.
    pub(super) fn replay(&mut self, path: &Path) -> Result<(), Stop> {
        let bytes = model_source::read_bytes(self.session, path)?;
        let file = path.display().to_string();
        let trace = trace_file::read(&bytes, &file)?;
        let simulation = &mut self.simulation;
        let replayed = within_limits(self.manner, self.interrupts, self.session, |budget| {
            simulation.replay(trace.events.iter().map(String::as_str), budget)
        });
        match replayed {
            Ok(()) => Ok(()),
            Err(ReplayStop::Interrupted(unknown)) => Err(self.interrupted(unknown)),
            Err(ReplayStop::Refused { step, refusal }) => {
                let mut error = InputError::plain(format!("step {step}: {refusal}"));
                error.file = Some(file);
                error.line = trace.lines.get(step - 1).copied();
                error.hint = match &refusal {
                    Refusal::NoSuchEvent { name, .. } => did_you_mean(&self.near(name)),
                    _ => None,
                };
                let played = self.session.model.as_deref();
                if let (None, Some(model)) = (&error.hint, trace.model)
                    && Some(model.as_str()) != played
                {
                    error.hint = Some(format!("this trace was saved from the model '{model}'"));
                }
                Err(error.into())
            }
        }
    }

    /// Saves the trace.
    pub(super) fn save(&self, path: &Path) -> Result<(), Failure> {
        let events: Vec<String> = self.simulation.trace().collect();
        trace_file::save(self.session, path, events.iter().map(String::as_str), self.simulation.position())
    }

    /// Prints every step after this position.
    pub(super) fn tell_steps(&self, position: usize) -> Result<(), Stop> {
        if self.session.json {
            return Ok(());
        }
        let mut first = position + 1;
        let mut text = String::new();
        let shortens = self.manner == Manner::Terminal && self.session.detail != Detail::Verbose;
        if shortens && self.simulation.position() - position > STEPS_SHOWN {
            first = self.simulation.position() - STEPS_SHOWN + 1;
            let hidden = counted((first - position - 1) as u64, "step");
            text = self.columns.line("…", "", &[format!("{hidden} not shown; 't' shows the trace")]);
        }
        for number in first..=self.simulation.position() {
            let step = self.simulation.step(number);
            match self.session.detail {
                Detail::Quiet => text.push_str(&format!("{}\n", printable(&step.event))),
                _ => text.push_str(&self.columns.step(number, &step)),
            }
            if text.len() > PIECE {
                self.say(&std::mem::take(&mut text))?;
            }
        }
        self.say(&text)
    }

    fn go_to(&mut self, position: usize) -> Result<(), Stop> {
        if self.simulation.go_to(position) {
            return Ok(());
        }
        let length = counted(self.simulation.length() as u64, "step");
        Err(InputError::plain(format!("there is no step {position}: the trace has {length}")).into())
    }

    /// What the line editor completes.
    pub(super) fn known_names(&self) -> KnownNames {
        let events = match self.simulation.is_joint() {
            true => self.simulation.action_names().take(MOST_NAMES).collect(),
            false => self.simulation.event_names().take(MOST_NAMES).map(String::from).collect(),
        };
        KnownNames {
            events,
            variables: self.simulation.variable_names().take(MOST_NAMES).map(String::from).collect(),
        }
    }

    /// Takes random steps: that many, or until the condition is true.
    fn random(&mut self, steps: u64, until: Option<&Condition>) -> Result<(), Stop> {
        let mut left = steps;
        while left > 0 {
            let position = self.simulation.position();
            let batch = if self.manner == Manner::Terminal { left } else { left.min(BATCH) };
            let simulation = &mut self.simulation;
            let (walk, is_true) =
                within_limits(self.manner, self.interrupts, self.session, |budget| match until {
                    None => (simulation.walk(batch, budget), false),
                    Some(condition) => simulation.walk_until(condition, batch, budget),
                });
            left -= walk.taken;
            self.tell_steps(position)?;
            if is_true {
                let taken = counted(steps - left, "step");
                self.say(&format!("it is {GOOD}true{GOOD:#} after {taken}\n"))?;
                return self.tell_deadlock();
            }
            match walk.end {
                WalkEnd::Done => {}
                WalkEnd::Dead => {
                    if walk.taken == 0 && left == steps {
                        return Err(InputError::plain(self.nothing_enabled()).into());
                    }
                    return self.tell_deadlock();
                }
                WalkEnd::Refused(refusal) => return Err(self.out_of_range(&refusal)),
                WalkEnd::Interrupted(unknown) => {
                    let taken = counted(steps - left, "step");
                    self.session.console.note(&format!("stopped after {taken}\n"));
                    return match self.interrupted(unknown) {
                        // A walk that was cut short is not a mistake at a terminal.
                        Stop::Wrong(_) => Ok(()),
                        stop => Err(stop),
                    };
                }
            }
        }
        if until.is_some() {
            let taken = counted(steps, "step");
            self.say(&format!("it was not true in {taken}; the same command goes on from here\n"))?;
        }
        Ok(())
    }

    /// What a walk into a number too large means: a script has no answer, a person goes on.
    fn out_of_range(&self, refusal: &Refusal) -> Stop {
        match self.manner {
            Manner::Terminal => refused(refusal),
            Manner::Script => Stop::Unknown(self.session.cut_off(Reason::Overflow, &refusal.to_string())),
        }
    }

    /// What running out of the budget means: Ctrl-C at a terminal ends only what was running.
    fn interrupted(&self, unknown: Unknown) -> Stop {
        match (self.manner, unknown.reason) {
            (Manner::Terminal, Reason::Interrupted) => InputError::plain("interrupted").into(),
            _ => Stop::Unknown(unknown),
        }
    }

    /// The transition that is meant.
    fn chosen(&mut self, choice: &Choice) -> Result<EventId, InputError> {
        match choice {
            Choice::Number(number) => {
                number.checked_sub(1).and_then(|index| self.simulation.enabled_at(index)).ok_or_else(|| {
                    let Words { enabled, .. } = Words::of(&self.simulation);
                    let message = match self.simulation.enabled_count() {
                        0 => self.nothing_enabled(),
                        1 => format!("there is no number {number}: only number 1 is {enabled}"),
                        count => format!("there is no number {number}: 1 to {count} are {enabled}"),
                    };
                    InputError::plain(message)
                })
            }
            Choice::Named(text) | Choice::Meant(text) if self.simulation.is_joint() => {
                self.chosen_actions(text)
            }
            Choice::Named(name) => self.simulation.event_named(name).ok_or_else(|| {
                let mut error = InputError::plain(format!("there is no transition '{name}'"));
                error.hint = did_you_mean(&self.near(name));
                error
            }),
            Choice::Meant(text) => self.simulation.event_meant(text).map_err(|why| match why {
                NotOneEvent::None => {
                    // A command may have something behind it, a transition may have spaces in its
                    // name.
                    let word = text.split_whitespace().next().unwrap_or(text);
                    let commands = near_names(word, command_words().filter(|word| word.len() > 1));
                    let rest = &text[word.len()..];
                    let mut near: Vec<String> =
                        commands.into_iter().map(|name| format!("{name}{rest}")).collect();
                    near.extend(self.near(text));
                    let noun = Words::of(&self.simulation).event;
                    let message = match noun {
                        // In a program both are called so.
                        "command" => {
                            format!("there is no command '{text}', neither of this list nor of the program")
                        }
                        noun => format!("there is no command and no {noun} '{text}'"),
                    };
                    let hint = did_you_mean(&near).unwrap_or_else(|| "? lists the commands".to_string());
                    InputError::plain(message).with_hint(hint)
                }
                NotOneEvent::Several { names, count } => {
                    let message = format!("{count} transitions begin with '{text}'");
                    let dots = if count > names.len() { ", …" } else { "" };
                    InputError::plain(message)
                        .with_hint(format!("write more of one: {}{dots}", names.join(", ")))
                }
            }),
        }
    }

    /// The joint action that is meant, or why there is none.
    fn chosen_actions(&mut self, text: &str) -> Result<EventId, InputError> {
        self.simulation.event_meant(text).map_err(|why| match why {
            NotOneEvent::None => {
                let why = self.simulation.why_not(text);
                let error = InputError::plain(format!("'{text}' is not possible here: {}", why.join("; ")));
                let word = text.split_whitespace().next().unwrap_or(text);
                let names: Vec<String> = self.simulation.action_names().collect();
                let mut known: Vec<&str> = command_words().filter(|word| word.len() > 1).collect();
                for name in &names {
                    // An action may be meant without its agent.
                    known.extend(name.split_once('.').map(|(_, action)| action));
                    known.push(name);
                }
                match did_you_mean(&near_names(word, known)) {
                    Some(hint) if why.iter().any(|why| why.contains("no ")) => error.with_hint(hint),
                    _ => error,
                }
            }
            NotOneEvent::Several { names, count } => {
                let message = format!("'{text}' leaves {count} joint actions");
                let dots = if count > names.len() { ", …" } else { "" };
                InputError::plain(message).with_hint(format!("name more actions: {}{dots}", names.join(", ")))
            }
        })
    }

    /// What is said where nothing can happen.
    fn nothing_enabled(&self) -> String {
        let Words { event, enabled, .. } = Words::of(&self.simulation);
        format!("no {event} is {enabled}: this is a deadlock")
    }

    fn near(&self, name: &str) -> Vec<String> {
        near_names(name, self.simulation.event_names()).into_iter().map(String::from).collect()
    }

    fn tell_why(&mut self, choice: &Choice) -> Result<(), Stop> {
        if let (Choice::Named(text) | Choice::Meant(text), true) = (choice, self.simulation.is_joint()) {
            let text = text.clone();
            let answer = match self.simulation.event_meant(&text) {
                Err(NotOneEvent::None) if self.simulation.value_of(&text).is_some() => {
                    self.value_text(choice).unwrap_or_default()
                }
                Err(NotOneEvent::None) => {
                    let why = self.simulation.why_not(&text);
                    let why: String = why.iter().map(|why| format!("  {}\n", printable(why))).collect();
                    format!("'{}' is not possible here:\n{why}", printable(&text))
                }
                Ok(_) | Err(NotOneEvent::Several { .. }) => {
                    format!("'{}' is {GOOD}possible{GOOD:#}\n", printable(&text))
                }
            };
            return self.say(&answer);
        }
        let Words { event: noun, enabled, .. } = Words::of(&self.simulation);
        let event = match self.chosen(choice) {
            Ok(event) => event,
            Err(error) => match self.value_text(choice) {
                Some(text) => return self.say(&text),
                None => return Err(error.into()),
            },
        };
        let name = printable(self.simulation.event_name(event));
        let obstacles = self.simulation.obstacles(event);
        if obstacles.is_empty() {
            return self.say(&format!("{noun} '{name}' is {GOOD}{enabled}{GOOD:#}\n"));
        }
        let mut text = format!("{noun} '{name}' is not {enabled}:\n");
        for obstacle in obstacles {
            text.push_str(&format!("  {}\n", printable(&obstacle.to_string())));
        }
        self.say(&text)
    }

    /// Why a place or variable has its value: since which step. None if nothing is called so.
    fn value_text(&self, choice: &Choice) -> Option<String> {
        let (Choice::Named(name) | Choice::Meant(name)) = choice else { return None };
        let value = self.simulation.value_of(name)?;
        let noun = Words::of(&self.simulation).variable;
        let since = (1..=self.simulation.position()).rev().find_map(|number| {
            let step = self.simulation.step(number);
            let (_, old, _) = step.changes.iter().find(|(changed, ..)| changed == name)?;
            let event = printable(&step.event).into_owned();
            Some(format!("since step {number}, {event}; before it was {}", printable(&old.to_string())))
        });
        let since = since.unwrap_or_else(|| "as at the start".to_string());
        let (name, value) = (printable(name), value.to_string());
        Some(format!("{noun} '{name}' is {GOOD}{}{GOOD:#}, {since}\n", printable(&value)))
    }

    fn tell_trace(&self) -> Result<(), Stop> {
        if self.session.json {
            return Ok(());
        }
        let everything = self.manner == Manner::Script || self.session.detail == Detail::Verbose;
        let mut text = simulated_text(&self.simulation, "now", everything);
        let undone = self.simulation.length() - self.simulation.position();
        if undone > 0 && self.manner == Manner::Terminal {
            text.push_str(&format!("{FAINT}{} can be redone{FAINT:#}\n", counted(undone as u64, "step")));
        }
        self.say(&text)
    }

    /// Prints a deadlock in a script; at a terminal it stands where the enabled transitions would.
    pub(super) fn tell_deadlock(&self) -> Result<(), Stop> {
        let is_printed = self.manner == Manner::Script && self.session.detail != Detail::Quiet;
        if is_printed && self.simulation.is_dead() { self.say(&dead_text(&self.simulation)) } else { Ok(()) }
    }

    /// Shows a person where the simulation stands.
    pub(super) fn show(&self) -> Result<(), Stop> {
        if self.manner == Manner::Script || self.session.detail == Detail::Quiet {
            return Ok(());
        }
        let layout = self.layout(GLANCE);
        self.say(&(marking_text(&self.simulation, layout, "") + &enabled_text(&self.simulation, layout, "")))
    }

    fn layout(&self, most: usize) -> Layout {
        match self.manner {
            Manner::Script => Layout::Lines,
            Manner::Terminal if self.session.detail == Detail::Verbose => Layout::Columns(usize::MAX),
            Manner::Terminal => Layout::Columns(most),
        }
    }

    fn say(&self, text: &str) -> Result<(), Stop> {
        if self.session.json || text.is_empty() {
            return Ok(());
        }
        let folded = match (self.manner, crate::console::columns()) {
            (Manner::Terminal, Some(columns)) => Some(folded(text, columns)),
            _ => None,
        };
        match self.session.console.answer_piece(folded.as_deref().unwrap_or(text)) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Stop::Unread),
            Err(error) => Err(Stop::Unwritten(error)),
        }
    }
}

/// Does something long: at a terminal Ctrl-C ends it and nothing else.
fn within_limits<T>(
    manner: Manner,
    interrupts: &Interrupts,
    session: &Session,
    work: impl FnOnce(&Budget) -> T,
) -> T {
    match manner {
        Manner::Terminal => interrupts.during(session, work),
        Manner::Script => work(&session.budget),
    }
}

fn refused(refusal: &Refusal) -> Stop {
    InputError::plain(refusal.to_string()).into()
}
