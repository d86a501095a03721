//! `demo`: a tour of two minutes. Its stations are real commands, which the program runs as if they
//! had been typed; only the words under them are written here. They stand below what they explain,
//! where a small screen still shows them.

use super::TextAnswer;
use crate::answer::{Answer, Detail};
use crate::arguments::GlobalOptions;
use crate::console::Console;
use crate::failure::Failure;
use crate::session::Session;
use crate::table::{BOLD, FAINT};
use std::io::{self, BufRead, IsTerminal};
use std::process::{Command, Stdio};

/// A stop of the tour: the command that is carried out, and what is said about it.
struct Station {
    command: &'static str,
    words: &'static str,
}

const STATIONS: [Station; 5] = [
    Station {
        command: "symbolon draw producer-consumer:1,1,2 --to text",
        words: "\
A net is made of places, which hold tokens, and of transitions, which move
them. Above, a producer fills a buffer with two slots, and a consumer empties
it: ( ) are places, ● are tokens, [ ] are transitions.",
    },
    Station {
        command: "symbolon states producer-consumer:1,1,2",
        words: "\
What can happen? A state says where all tokens are. All states that can be
reached were found, and the steps that lead from one to another (edges). They
are stored as a decision diagram; its size is counted in nodes.",
    },
    Station {
        command: "symbolon deadlock philosophers:3",
        words: "\
Three philosophers round a table, with one fork between each two: everybody
takes one fork, then the other. They can get stuck, each with one fork in hand.
The trace shows how, and no shorter way leads there.",
    },
    Station {
        command: "symbolon states philosophers:1000",
        words: "\
The philosophers before have 27 states. A thousand of them have more than there
are atoms in the universe; the diagram of all these states is small even so.",
    },
    Station {
        command: "symbolon info producer-consumer:1,1,2",
        words: "\
Much can be said of a net before it is explored: semiflows are sums of tokens
that never change (P), or firings that lead back to the start (T). They prove
how full places can get.",
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
pub(crate) fn demo(session: &Session, global: &GlobalOptions) -> Result<Box<dyn Answer>, Failure> {
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

/// What is shown and said at a station.
fn visit(station: &Station, number: usize, global: &GlobalOptions) -> Result<String, Failure> {
    let Station { command, words } = station;
    let failed = |why: String| Failure::plain(format!("the tour cannot run '{command}': {why}"));
    let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
    let mut child = Command::new(program);
    // The console takes colours out where they do not belong.
    child.args(command.split(' ').skip(1)).args(["--color", "always"]).stdin(Stdio::null());
    if let Some(time) = global.timeout {
        child.args(["--timeout", &time.as_secs_f64().to_string()]);
    }
    if let Some(time) = global.cpu_timeout {
        child.args(["--cpu-timeout", &time.as_secs_f64().to_string()]);
    }
    if let Some(bytes) = global.memory {
        child.args(["--memory", &bytes.to_string()]);
    }
    let output = child.output().map_err(|error| failed(error.to_string()))?;
    // 1 is the answer of a deadlock.
    if !matches!(output.status.code(), Some(0 | 1)) {
        let said = [output.stdout, output.stderr].concat();
        return Err(failed(String::from_utf8_lossy(&said).trim().replace('\n', ", ")));
    }
    let shown = String::from_utf8_lossy(&output.stdout);
    let count = STATIONS.len();
    Ok(format!(
        "{FAINT}{number} of {count}{FAINT:#}  {BOLD}$ {command}{BOLD:#}\n\n{}\n\n{words}\n\n",
        shown.trim_end()
    ))
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
    use crate::arguments::Arguments;
    use clap::Parser;

    #[test]
    fn every_station_parses_and_the_words_fit_a_terminal() {
        for station in &STATIONS {
            assert!(Arguments::try_parse_from(station.command.split(' ')).is_ok(), "{}", station.command);
        }
        let lines = STATIONS.iter().flat_map(|station| station.words.lines()).chain(NEXT.lines());
        lines.for_each(|line| assert!(line.chars().count() <= 80, "too long: {line}"));
    }
}
