//! The program from outside: what it prints, how it ends, and how it bears wrong input, limits,
//! signals and closed pipes.

mod agents;
mod answers;
mod automata;
mod bounded;
mod bounds;
mod check;
mod coloured;
mod compare;
mod convert;
mod draw;
mod environment;
mod evidence;
mod failed_replay;
mod fair_strategies;
mod findings;
mod formulas;
mod gcl;
mod hierarchies;
mod info;
mod json;
mod kept_verdicts;
mod large_numbers;
mod limits;
mod mcc;
mod mcmas;
mod nets;
mod packed;
#[cfg(target_os = "linux")]
mod process_limits;
mod program;
mod runs_of_agents;
mod sentential;
mod simulate;
mod streams;
#[cfg(unix)]
mod terminal;
mod usage;
mod wrong_input;
