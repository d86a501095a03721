//! `simulate`: a model played step by step, by hand, by a script or at random.
//!
//! ```text
//! standard input ──▶ Input: lines ──▶ Request ──▶ Player: a Simulation, and what is printed
//!                    Ctrl-C ──▶ Interrupts: ends a walk, or the session
//! ```
//!
//! What requests do is printed at once, piece by piece; that is this command's protocol (F1). The
//! answer at the end is empty then, unless a limit was reached, or all is asked for in one go: with
//! `--random` or `--json`.

mod editor;
mod input;
mod interrupts;
mod player;
mod request;
mod screen;

use super::prepare;
use crate::answer::{Answer, Detail};
use crate::arguments::{GlobalOptions, SimulateArguments};
use crate::dashes::settle;
use crate::failure::{Failure, describe};
use crate::model_source::STANDARD_INPUT;
use crate::numbers::{self, counted};
use crate::session::Session;
use crate::table::{BOLD, ERROR, Table, WARNING, printable};
use crate::watch::watch_with;
use input::{Input, Next};
use interrupts::Interrupts;
use player::{Manner, Player, Stop};
use screen::{Words, simulated_text};
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::Duration;
use symbolon_checker::{self as checker, Reason, Simulation, Unknown, WalkEnd};
use symbolon_report as json;
use symbolon_report::Status;

/// Plays a model.
pub(crate) fn simulate(
    session: &Arc<Session>,
    global: &GlobalOptions,
    arguments: &SimulateArguments,
) -> Result<Box<dyn Answer>, Failure> {
    let interrupts = Arc::new(Interrupts::default());
    let (shared, taking) = (Arc::clone(session), Arc::clone(&interrupts));
    watch_with(session, move |unknown| unplayed(&shared, unknown), move || taking.take());
    match settle(started(session, global, arguments))? {
        Ok(simulation) => {
            let reads_commands = arguments.random.is_none() && arguments.model != "-";
            play(session, &interrupts, arguments, reads_commands, simulation, global.seed)
        }
        Err(why) => Ok(unplayed(session, why)),
    }
}

/// Reads the model and starts to play it.
fn started(
    session: &Session,
    global: &GlobalOptions,
    arguments: &SimulateArguments,
) -> Result<Simulation, checker::Stop> {
    prepare::options(session, global)?;
    let model_is_input = arguments.model == "-";
    if model_is_input && arguments.random.is_none() && arguments.replay.is_none() {
        let message = "the model comes from standard input, so commands cannot";
        return Err(Failure::with_hint(message, Some("add --random N or --replay FILE".into())).into());
    }
    let loaded = prepare::model(session, global, &arguments.model)?;
    session.job.simulate(loaded, global.seed)
}

/// The answer of a command that did not come to play.
fn unplayed(session: &Session, unknown: Unknown) -> Box<dyn Answer> {
    SimulateAnswer::boxed(session, None, None, Some(unknown))
}

/// Replays, walks or takes commands, and saves at the end.
fn play(
    session: &Session,
    interrupts: &Interrupts,
    arguments: &SimulateArguments,
    reads_commands: bool,
    simulation: Simulation,
    seed: u64,
) -> Result<Box<dyn Answer>, Failure> {
    let manner = match reads_commands && !session.json && io::stdin().is_terminal() {
        true => Manner::Terminal,
        false => Manner::Script,
    };
    if manner == Manner::Terminal {
        session.console.end_progress();
        interrupts.begin();
    }
    let mut player = Player::new(session, interrupts, manner, simulation);
    let mut walk = None;
    let played = replay_first(session, &mut player, manner, arguments).and_then(|()| {
        if let Some(steps) = arguments.random {
            if arguments.replay.is_none() {
                player.simulation.begin_by_chance();
            }
            let walked = player.simulation.walk(steps, &session.budget);
            walk = Some(seed);
            match walked.end {
                WalkEnd::Done | WalkEnd::Dead => Ok(()),
                WalkEnd::Refused(refusal) => {
                    Err(Stop::Unknown(session.cut_off(Reason::Overflow, &refusal.to_string())))
                }
                WalkEnd::Interrupted(unknown) => Err(Stop::Unknown(unknown)),
            }
        } else if reads_commands {
            take_commands(session, interrupts, &mut player, manner)
        } else {
            Ok(())
        }
    });
    let unknown = match played {
        Ok(()) | Err(Stop::Quit | Stop::Unread) => None,
        Err(Stop::Unknown(unknown)) => Some(unknown),
        Err(Stop::Wrong(failure)) => return Err(failure),
        Err(Stop::Unwritten(error)) => {
            return Err(Failure::plain(format!("cannot write to standard output: {error}")));
        }
    };
    if let Some(path) = &arguments.save {
        player.save(path)?;
    }
    Ok(SimulateAnswer::boxed(session, Some(player.simulation), walk, unknown))
}

/// Carries `--replay` out. A person goes on where a trace is not possible.
fn replay_first(
    session: &Session,
    player: &mut Player<'_>,
    manner: Manner,
    arguments: &SimulateArguments,
) -> Result<(), Stop> {
    let Some(path) = &arguments.replay else { return Ok(()) };
    let replayed = player.replay(path);
    // A walk prints the whole trace at its end.
    if arguments.random.is_none() {
        player.tell_steps(0)?;
        if replayed.is_ok() {
            player.tell_deadlock()?;
        }
    }
    match replayed {
        Err(Stop::Wrong(failure)) if manner == Manner::Terminal => {
            session.console.note(&describe(&failure.0));
            Ok(())
        }
        replayed => replayed,
    }
}

/// Takes commands until there are no more. At a terminal, mistakes are reported and forgotten; the
/// first mistake of a script ends it.
fn take_commands(
    session: &Session,
    interrupts: &Interrupts,
    player: &mut Player<'_>,
    manner: Manner,
) -> Result<(), Stop> {
    // Lines are edited where the terminal also shows them.
    let input = if manner == Manner::Terminal && io::stdout().is_terminal() {
        session.console.keep_mode();
        Input::edited(player.known_names(), session.console.is_coloured())
    } else {
        Input::open()
    };
    if manner == Manner::Terminal {
        player.greet()?;
    }
    for number in 1.. {
        let step = player.simulation.position();
        if manner == Manner::Terminal && !input.is_edited() {
            session.console.note(&format!("{BOLD}step {step}>{BOLD:#} "));
        }
        let line = match input.next(&format!("step {step}> "), &session.budget, interrupts) {
            Next::Line(line) => line,
            Next::Interrupted(why) => return Err(Stop::Unknown(session.interrupted(why))),
            Next::End => {
                if manner == Manner::Terminal && !input.is_edited() {
                    session.console.note("\n");
                }
                return Ok(());
            }
        };
        let performed = match request::parse(&line) {
            Ok(Some(request)) => player.perform(request),
            Ok(None) => Ok(()),
            Err(error) => Err(error.into()),
        };
        match performed {
            Ok(()) => {}
            Err(Stop::Wrong(failure)) if manner == Manner::Terminal => {
                session.console.note(&describe(&failure.0));
            }
            Err(Stop::Wrong(mut failure)) => {
                for error in failure.0.iter_mut().filter(|error| error.file.is_none()) {
                    error.file = Some(STANDARD_INPUT.to_string());
                    error.line = Some(number);
                }
                return Err(Stop::Wrong(failure));
            }
            Err(stop) => return Err(stop),
        }
    }
    Ok(())
}

struct SimulateAnswer {
    model: String,
    /// The simulation at its end, if it began.
    simulation: Option<Simulation>,
    /// The seed, if all was one random walk, which is printed at the end.
    walk: Option<u64>,
    /// Why it ended early.
    unknown: Option<Unknown>,
    time: Duration,
}

impl SimulateAnswer {
    fn boxed(
        session: &Session,
        simulation: Option<Simulation>,
        walk: Option<u64>,
        unknown: Option<Unknown>,
    ) -> Box<dyn Answer> {
        let model = session.model.clone().unwrap_or_default();
        Box::new(SimulateAnswer { model, simulation, walk, unknown, time: session.elapsed() })
    }

    fn walk_text(&self, simulation: &Simulation, seed: u64, everything: bool) -> String {
        let mut table = Table::default();
        table.row("model", printable(&self.model));
        table.row("steps", format!("{} (seed {seed})", simulation.position()));
        let Words { event, enabled, .. } = Words::of(simulation);
        let count = counted(simulation.enabled_count() as u64, event);
        let more = if simulation.has_more() { "at least " } else { "" };
        let verb = if simulation.enabled_count() == 1 { "is" } else { "are" };
        table.row(
            "end",
            match &self.unknown {
                Some(unknown) => format!("{WARNING}unknown{WARNING:#}: {}", printable(&unknown.detail)),
                None if simulation.is_dead() => {
                    format!("{ERROR}deadlock{ERROR:#}: no {event} is {enabled}")
                }
                None => format!("{more}{count} {verb} {enabled}"),
            },
        );
        table.row("time", numbers::seconds(self.time));
        format!("{}\n{}", table.to_text(), simulated_text(simulation, "finally", everything))
    }
}

impl Answer for SimulateAnswer {
    fn text(&self, detail: Detail) -> String {
        match (&self.simulation, self.walk, &self.unknown) {
            (Some(simulation), Some(_), _) if detail == Detail::Quiet => {
                simulation.trace().map(|name| format!("{}\n", printable(&name))).collect()
            }
            (Some(simulation), Some(seed), _) => self.walk_text(simulation, seed, detail == Detail::Verbose),
            (_, _, Some(_)) if detail == Detail::Quiet => "unknown\n".to_string(),
            (_, _, Some(unknown)) => {
                format!("{WARNING}unknown{WARNING:#}: {}\n", printable(&unknown.detail))
            }
            (_, _, None) => String::new(),
        }
    }

    fn body(&self) -> json::Body {
        match &self.simulation {
            Some(simulation) => json::Body::Simulate(json::Simulate::new(simulation)),
            None => json::Body::Nothing {},
        }
    }

    fn status(&self) -> Status<'_> {
        match &self.unknown {
            None => Status::Ok,
            Some(unknown) => Status::Unknown(unknown),
        }
    }
}
