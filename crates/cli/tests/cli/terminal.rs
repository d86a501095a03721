//! `simulate` and `demo` at a terminal: a pseudo-terminal with a script that types.

use rexpect::process::WaitStatus;
use rexpect::session::{PtySession, spawn_command};
use std::process::Command;
use std::time::Instant;

/// How long to wait for what should appear.
const PATIENCE: u64 = 60_000;

/// Somebody at a terminal.
struct Person {
    terminal: PtySession,
    /// What they call this, for messages.
    what: String,
}

impl Person {
    /// Starts `simulate` with these words, without colours.
    fn start(words: &str) -> Person {
        Person::start_with(words, |command| command.env("NO_COLOR", "1"))
    }

    fn start_with(words: &str, set: impl FnOnce(&mut Command) -> &mut Command) -> Person {
        Person::start_command(&format!("simulate {words}"), set)
    }

    fn start_command(words: &str, set: impl FnOnce(&mut Command) -> &mut Command) -> Person {
        let mut command = Command::new(env!("CARGO_BIN_EXE_symbolon"));
        command.args(words.split_whitespace());
        command.env("TERM", "xterm").env_remove("NO_COLOR");
        set(&mut command);
        let terminal = spawn_command(command, Some(PATIENCE)).expect("a terminal");
        Person { terminal, what: words.to_string() }
    }

    /// Types a line and waits for each of these, in order.
    fn types(&mut self, line: &str, sees: &[&str]) {
        self.terminal.send_line(line).expect("typed");
        self.sees(line, sees);
    }

    fn sees(&mut self, after: &str, texts: &[&str]) -> String {
        let mut seen = String::new();
        for text in texts {
            match self.terminal.exp_string(text) {
                Ok(before) => seen.push_str(&before),
                Err(error) => panic!("{}: no '{text}' after '{after}': {error}", self.what),
            }
        }
        seen
    }

    /// Waits for the end.
    fn leaves(mut self, status: i32) -> String {
        let rest = self.terminal.exp_eof().expect("it ends");
        match self.terminal.process().wait() {
            Ok(WaitStatus::Exited(_, code)) => assert_eq!(code, status, "{}: {rest}", self.what),
            other => panic!("{}: {other:?}", self.what),
        }
        rest
    }
}

#[test]
fn a_session() {
    let mut person = Person::start("philosophers:3");
    person.sees(
        "the start",
        &[
            "philosophers:3: 15 places, 15 transitions; ? lists the commands\r\n",
            "marked   Think_1=1  Think_2=1  Think_3=1  Fork_1=1  Fork_2=1  Fork_3=1\r\n",
            "enabled  1 FF1a_1  2 FF1a_2  3 FF1a_3  4 FF1b_1  5 FF1b_2  6 FF1b_3\r\n",
            "step 0> ",
        ],
    );
    person
        .types("1", &[" 1  FF1a_1     Think_1 1->0", "marked   Think_2=1", "enabled  1 FF1a_2", "step 1> "]);
    person.types("FF1a_2", &[" 2  FF1a_2     Think_2 1->0", "step 2> "]);
    person.types("undo", &["marked   Think_2=1", "step 1> "]);
    person.types("t", &[" 1  FF1a_1 ", "now", "1 step can be redone", "step 1> "]);
    person.types("redo", &["step 2> "]);
    person.types(
        "undu",
        &["error: there is no command and no transition 'undu'", "did you mean 'undo'?", "step 2> "],
    );
    person.types(
        "FF1b_3",
        &["error: transition 'FF1b_3' is not enabled: place 'Fork_3' has 0 tokens", "step 2> "],
    );
    person.types("why End_1", &["  place 'Eat_1' has 0 tokens, needs 1", "step 2> "]);
    person.types("99", &["error: there is no number 99: 1 to ", "step 2> "]);
    person.types("", &["step 2> "]);
    person.types("?", &["undo, u [N]", "step 2> "]);
    person.types("FF1a_3", &["deadlock: no transition is enabled", "step 3> "]);
    person.types("r", &["error: no transition is enabled: this is a deadlock", "step 3> "]);
    person.types("reset", &["enabled  1 FF1a_1", "step 0> "]);
    person.types("goto 2", &["step 2> "]);
    person.types("q", &[]);
    let rest = person.leaves(0);
    assert!(!rest.contains("step"), "{rest}");
}

#[test]
fn lines_are_edited() {
    let mut person = Person::start("philosophers:3");
    person.sees("the start", &["step 0> "]);
    // Tab completes what only one name begins with, and lists several.
    person.types("FF1a\t1", &["step 1> "]);
    person.types("und\t", &["undo", "step 0> "]);
    person.terminal.send("un\t\t").expect("typed");
    person.terminal.flush().expect("typed");
    person.sees("two tabs", &["undo", "until"]);
    person.types("til Eat_2 | deadlock", &["it is true after ", "> "]);
    // The arrow up brings the last line back, which is true already or goes on.
    person.types("reset", &["step 0> "]);
    person.types("\u{1b}[A\u{1b}[A", &["until Eat_2 | deadlock", "it is true after ", "> "]);
    person.types("until EF Eat_2", &["looks at more than one state", "step "]);
    person.types("until Eat_1 | !Eat_1", &["it is true already", "step "]);
    person.terminal.send_control('d').expect("pressed");
    person.leaves(0);
}

/// Runs a command of a shell at a terminal and gives back what appears there.
#[cfg(unix)]
fn at_a_shell(line: &str) -> String {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_symbolon"));
    let mut command = Command::new("sh");
    command.args(["-c", &line.replace("symbolon", &program.display().to_string())]);
    command.env("TERM", "xterm").env("NO_COLOR", "1");
    let mut terminal = spawn_command(command, Some(PATIENCE)).expect("a terminal");
    terminal.exp_eof().expect("it ends")
}

#[cfg(unix)]
#[test]
fn the_terminal_is_as_before_however_it_ends() {
    // The mode of lines is off while a line is edited.
    let after = at_a_shell("symbolon simulate philosophers:3 --timeout 0.5; stty -a");
    assert!(after.contains("unknown: the time limit was reached"), "{after}");
    assert!(after.contains(" icanon") && !after.contains("-icanon"), "{after}");
    // A second Ctrl-C, or a signal, ends the process from another thread.
    let line =
        "(sleep 0.7; kill -INT $$) & trap '' INT; symbolon simulate philosophers:3 --timeout 2; stty -a";
    let after = at_a_shell(line);
    assert!(after.contains(" icanon") && !after.contains("-icanon"), "{after}");
}

#[test]
fn text_is_broken_at_the_width_of_the_terminal() {
    for columns in ["40", "60"] {
        let most: usize = columns.parse().expect("a number");
        let words = "check philosophers:3 AG(Think_1&Think_2->EF(Eat_1|Eat_2)&EF(Eat_3)) EFF(Eat_1)";
        for words in [
            words,
            "states philosophers:3 --variable-order best",
            "models",
            "help draw",
            "info philosophers:3",
        ] {
            let shown =
                Person::start_command(words, |command| command.env("NO_COLOR", "1").env("COLUMNS", columns));
            let mut shown = shown.terminal;
            let text = shown.exp_eof().expect("it ends");
            // A progress line is drawn over itself.
            let lines = text.lines().filter(|line| !line.contains('\u{1b}'));
            for line in lines.filter(|line| line.is_ascii() && line.trim().contains(' ')) {
                let longest = line.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
                assert!(line.chars().count() <= most.max(longest + most / 2), "{words}: {line}");
            }
        }
    }
}

#[test]
fn what_changed_stands_out() {
    let mut person = Person::start_with("philosophers:3", |command| command);
    person.sees("the start", &["0>"]);
    person.types("1", &["Think_2=1", "\u{1b}[1m\u{1b}[33mCatch1_1=1\u{1b}[0m", "1>"]);
    person.types("q", &[]);
    person.leaves(0);
}

#[test]
fn the_end_of_input_and_ctrl_c_end_a_session_and_save_it() {
    for control in ['d', 'c'] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("trace.txt");
        let mut person = Person::start(&format!("philosophers:3 --save {}", file.display()));
        person.sees("the start", &["step 0> "]);
        person.types("1", &["step 1> "]);
        person.terminal.send_control(control).expect("pressed");
        person.sees("control", &["saved 1 step to"]);
        person.leaves(0);
        let saved = std::fs::read_to_string(&file).expect("saved");
        assert_eq!(saved, "# symbolon trace\n# model: philosophers:3\nFF1a_1\n");

        let mut person = Person::start(&format!("philosophers:3 --replay {}", file.display()));
        person.sees("the start", &[" 1  FF1a_1     Think_1 1->0", "enabled  1 FF1a_2", "step 1> "]);
        person.types("quit", &[]);
        person.leaves(0);
    }
}

#[test]
fn ctrl_c_ends_a_walk_and_not_the_session() {
    let mut person = Person::start("kanban:5");
    person.sees("the start", &["step 0> "]);
    person.types("random 30", &[" 10 steps not shown; 't' shows the trace", "step 30> "]);
    person.terminal.send_line("random 1000000000000").expect("typed");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let start = Instant::now();
    person.terminal.send_control('c').expect("pressed");
    person.sees("Ctrl-C", &["stopped after ", " steps\r\n", "marked ", "> "]);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    person.types("reset", &["step 0> "]);
    // A second walk can be stopped as well.
    person.terminal.send_line("r 1000000000000").expect("typed");
    std::thread::sleep(std::time::Duration::from_millis(300));
    person.terminal.send_control('c').expect("pressed");
    person.sees("Ctrl-C", &["stopped after ", "> "]);
    person.terminal.send_control('c').expect("pressed");
    person.leaves(0);
}

#[test]
fn a_trace_that_is_not_possible_leaves_a_person_where_it_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("trace.txt");
    std::fs::write(&file, "FF1a_1\nFF1a_1\n").expect("written");
    let mut person = Person::start(&format!("philosophers:3 --replay {}", file.display()));
    person.sees("the start", &["trace.txt:2: error: step 2: transition 'FF1a_1' is not enabled", "step 1> "]);
    person.types("load nowhere", &["nowhere: error: cannot read this file", "step 1> "]);
    person.types(&format!("load {}", file.display()), &["error: step 2", "step 1> "]);
    person.terminal.send_control('d').expect("pressed");
    person.leaves(0);
}

#[test]
fn a_random_walk_on_the_command_line_asks_nothing() {
    let mut person = Person::start("philosophers:3 --random 4");
    person.sees("the start", &["steps  4 (seed 0)"]);
    assert!(!person.leaves(0).contains("step 4>"));
}

#[test]
fn a_time_limit_holds_at_the_prompt() {
    let mut person = Person::start("philosophers:3 --timeout 0.5");
    person.sees("the start", &["step 0> ", "unknown: the time limit was reached"]);
    person.leaves(3);
}

#[test]
fn the_tour_waits_at_its_stations() {
    let mut person = Person::start_command("demo", |command| command.env("NO_COLOR", "1"));
    person.sees("the start", &["1 of 5", "[consume]", "Enter: go on"]);
    person.types("", &["2 of 5", "states", "12", "Enter: go on"]);
    person.types("", &["3 of 5", "Catch1_3", "Enter: go on"]);
    let rest = {
        person.terminal.send_line("q").expect("typed");
        person.leaves(0)
    };
    assert!(!rest.contains("4 of 5"), "{rest}");

    let mut person = Person::start_command("demo", |command| command.env("NO_COLOR", "1"));
    for station in ["1 of 5", "2 of 5", "3 of 5", "4 of 5", "5 of 5"] {
        person.sees("Enter", &[station, "Enter: go on"]);
        person.terminal.send_line("").expect("typed");
    }
    person.sees("Enter", &["Where to go next"]);
    person.leaves(0);
}

#[test]
fn pictures_of_letters_fit_the_terminal() {
    let draw = |columns: &'static str| {
        Person::start_command("draw philosophers:3 --to text", |command| {
            command.env("NO_COLOR", "1").env("COLUMNS", columns)
        })
        .leaves(0)
    };
    let narrow = draw("40");
    let words: Vec<&str> = narrow.split_whitespace().collect();
    let words = words.join(" ");
    assert!(
        words.contains("wider than 40 columns, so it is listed; '-o FILE.txt' has the picture"),
        "{narrow}"
    );
    // The terminal of these tests gives back what is no ASCII as other characters.
    assert!(narrow.contains("Think_1 (1)"), "{narrow}");
    let wide = draw("200");
    assert!(wide.contains(") Think_1") && !wide.contains("warning"), "{wide}");
}
