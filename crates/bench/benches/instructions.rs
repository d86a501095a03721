//! Instructions of every operation on every input, counted by callgrind; see the crate's essay.
//!
//! The bench calls itself under valgrind, once for each row, with collection switched on for the
//! measured work alone.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs};
use symbolon_bench::{Input, MODELS, Operation, Ready};

/// Instructions by operation and model.
type Counts = BTreeMap<(String, String), u64>;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [flag, operation, model] = arguments.as_slice()
        && flag == "--measured"
    {
        let operation = Operation::ALL.into_iter().find(|known| known.name() == operation);
        return work(operation.expect("a known operation"), model);
    }
    // `cargo test --all-targets` calls benches too, without this flag: counting takes too long for
    // it.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    let wanted: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("instructions.txt");
    let known = fs::read_to_string(&path).map(|text| read(&text)).unwrap_or_default();
    let mut counts = Counts::new();
    for operation in Operation::ALL {
        if !wanted.is_empty() && !wanted.iter().any(|name| *name == operation.name()) {
            continue;
        }
        for model in MODELS {
            match count(operation, model) {
                Ok(instructions) => {
                    let row = (operation.name().to_string(), model.to_string());
                    println!(
                        "{:<14} {model:<20} {instructions:>14} {}",
                        operation.name(),
                        change(&known, &row, instructions)
                    );
                    counts.insert(row, instructions);
                }
                Err(reason) => {
                    eprintln!("SKIPPED: no instructions are counted: {reason}");
                    return;
                }
            }
        }
    }
    if arguments.iter().any(|argument| argument == "--save") {
        let mut all = known;
        all.extend(counts);
        match fs::write(&path, written(&all)) {
            Ok(()) => println!("saved as {}", path.display()),
            Err(error) => eprintln!("{}: {error}", path.display()),
        }
    }
}

/// Makes the input ready and does the work, once.
fn work(operation: Operation, model: &str) {
    let mut ready = Input::new(model).ready(operation);
    std::hint::black_box(measured_work(operation, &mut ready));
}

/// Callgrind knows this function by its name.
#[inline(never)]
fn measured_work(operation: Operation, ready: &mut Ready) -> usize {
    operation.run(ready)
}

/// Runs one row under callgrind.
fn count(operation: Operation, model: &str) -> Result<u64, String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(["--collect-atstart=no", "--toggle-collect=*measured_work*"])
        .arg(program)
        .args(["--measured", operation.name(), model])
        .output()
        .map_err(|error| format!("valgrind cannot be started: {error}"))?;
    let output_text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{} on {model} failed:\n{output_text}", operation.name()));
    }
    let line = output_text.lines().find_map(|line| line.split_once("Collected :"));
    let number = line.and_then(|(_, number)| number.trim().parse::<u64>().ok());
    number.filter(|&count| count > 0).ok_or_else(|| format!("valgrind reported no count:\n{output_text}"))
}

fn change(known: &Counts, row: &(String, String), now: u64) -> String {
    match known.get(row) {
        Some(&before) => format!("{:+.2} %", 100.0 * (now as f64 - before as f64) / before as f64),
        None => "new".into(),
    }
}

fn written(counts: &Counts) -> String {
    let mut text =
        String::from("# Instructions, by callgrind; written by the bench `instructions` with --save.\n");
    for ((operation, model), count) in counts {
        writeln!(text, "{operation:<14} {model:<20} {count:>14}").expect("text grows");
    }
    text
}

fn read(text: &str) -> Counts {
    let row = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [operation, model, count] => {
                Some((((*operation).to_string(), (*model).to_string()), count.parse().ok()?))
            }
            _ => None,
        }
    };
    text.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
}
