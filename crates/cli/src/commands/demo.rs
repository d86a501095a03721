//! `demo`: a tour of two minutes. Its stations are real commands, carried out as if they had been typed;
//! only the words between them are written here.

use super::TextAnswer;
use crate::answer::{Answer, Detail, Status};
use crate::arguments::{Arguments, GlobalOptions};
use crate::console::Console;
use crate::failure::Failure;
use crate::run;
use crate::session::Session;
use crate::table::{BOLD, FAINT};
use clap::Parser;
use std::io::{self, BufRead, IsTerminal};
use std::sync::Arc;

/// A stop of the tour: what is said, and the command that is then carried out.
struct Station {
    words: &'static str,
    command: &'static str,
}

const STATIONS: [Station; 5] = [
    Station {
        words: "\
A net is made of places, which hold tokens, and of transitions, which move
them. Here a producer fills a buffer with two slots, and a consumer empties it.
Circles are places, boxes transitions.",
        command: "symbolon draw producer-consumer:1,1,2 --to text",
    },
    Station {
        words: "\
What can happen? A state says where all tokens are. This command finds all
states that can be reached, and counts the steps between them.",
        command: "symbolon states producer-consumer:1,1,2",
    },
    Station {
        words: "\
Now three philosophers round a table, with one fork between each two. Everybody
takes one fork, then the other. Can they get stuck? They can; the trace shows
how, and no shorter way leads there.",
        command: "symbolon deadlock philosophers:3",
    },
    Station {
        words: "\
The philosophers above have 27 states. A thousand of them have more than there
are atoms in the world. Sets of states are stored as decision diagrams, so that
they need not be listed.",
        command: "symbolon states philosophers:1000",
    },
    Station {
        words: "\
Much can be said of a net before it is explored: what is conserved, how full
places can get.",
        command: "symbolon info producer-consumer:1,1,2",
    },
];

const NEXT: &str = "\
Where to go next:

  symbolon simulate philosophers:3             step through a net by hand
  symbolon draw philosophers:3 -o picture.svg  a picture for browsers and slides
  symbolon models                              more built-in models
  symbolon info net.pnml                       your own net
  symbolon help                                all commands

The book in the folder book/ begins with ten minutes for newcomers.
";

/// Guides round: station by station at a terminal, else in one go.
pub(crate) fn demo(session: &Arc<Session>, global: &GlobalOptions) -> Result<Box<dyn Answer>, Failure> {
    let pauses = !session.json
        && session.detail != Detail::Quiet
        && io::stdin().is_terminal()
        && io::stdout().is_terminal();
    let mut tour = String::new();
    for (number, station) in STATIONS.iter().enumerate() {
        tour += &visit(station, number + 1, global)?;
        if pauses {
            if !go_on(&session.console, &tour) {
                return Ok(Box::new(TextAnswer(String::new())));
            }
            tour.clear();
        }
    }
    Ok(Box::new(TextAnswer(tour + NEXT)))
}

/// What is said and shown at a station.
fn visit(station: &Station, number: usize, global: &GlobalOptions) -> Result<String, Failure> {
    let Station { words, command } = station;
    let parsed = Arguments::try_parse_from(command.split(' '));
    let mut arguments = parsed.map_err(|error| Failure::plain(format!("the tour is wrong: {error}")))?;
    arguments.global.timeout = global.timeout;
    arguments.global.memory = global.memory;
    let (_, answer) = run::carry_out(arguments);
    let answer = answer?;
    if let Status::Unknown(unknown) = answer.status() {
        return Err(Failure::plain(format!("the tour ends early: {}", unknown.detail)));
    }
    let count = STATIONS.len();
    let shown = answer.text(Detail::Normal);
    Ok(format!("{FAINT}{number} of {count}{FAINT:#}\n{words}\n\n{BOLD}$ {command}{BOLD:#}\n{shown}\n"))
}

/// Shows a station and waits. False if that is enough.
fn go_on(console: &Console, text: &str) -> bool {
    let question = format!("{text}{FAINT}Enter: go on    q: that is enough{FAINT:#} ");
    if !console.answer_piece(&question).unwrap_or(false) {
        return false;
    }
    let mut line = String::new();
    let is_read = io::stdin().lock().read_line(&mut line).is_ok_and(|length| length > 0);
    is_read && !line.trim().eq_ignore_ascii_case("q")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_station_parses_and_the_words_fit_a_terminal() {
        for station in &STATIONS {
            assert!(Arguments::try_parse_from(station.command.split(' ')).is_ok(), "{}", station.command);
        }
        let lines = STATIONS.iter().flat_map(|station| station.words.lines()).chain(NEXT.lines());
        lines.for_each(|line| assert!(line.chars().count() <= 80, "too long: {line}"));
    }
}
