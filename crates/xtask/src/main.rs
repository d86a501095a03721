//! The project's chores, run as `cargo xtask CHORE`.
//!
//! | chore | does |
//! | --- | --- |
//! | `attack` | random models and questions, compared with an interpreter that shares no code with the product |
//! | `ci` | what the server runs on every commit: format, lints, tests, documentation |
//! | `corpus` | the contest's models with known answers, counted right / wrong / unknown / timed out |
//! | `cycles` | cycles between the modules of each crate |
//! | `deny` | licences, duplicate versions and sources of third-party packages |
//! | `mutants` | seeds faults into a copy of the tree and demands that the tests notice each |
//! | `witnesses` | the runs that `check` shows for the contest's formulas, walked again and judged |
//! | `speed` | the rows of the speed comparison, the rival run alternately where it is at hand |
//!
//! Nothing here is published, and nothing in the product depends on it. The chores run the product
//! only as a user would: through its command line. What they take from its libraries is the nets of
//! `speed --shuffled`, which they permute and write as files, and what `witnesses` judges with: readers and `explicit`.

mod attack;
mod child;
mod ci;
mod corpus;
mod cycles;
mod deny;
mod mutants;
mod project;
mod speed;
mod table;
mod witnesses;

use std::process::ExitCode;

use clap::Parser;

/// The project's chores
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Chore {
    /// Random models and questions, compared with the referee
    Attack(attack::Options),
    /// Format, lints, tests and documentation, as the server checks them
    Ci,
    /// Run the contest's models and compare with their known answers
    Corpus(corpus::Options),
    /// Report cycles between the modules of each crate
    Cycles(cycles::Options),
    /// Check licences, duplicate versions and sources of third-party packages
    Deny,
    /// Seed faults into a copy of the tree; each must make a test fail
    Mutants(mutants::Options),
    /// Replay the runs that `check` shows for the contest's formulas
    Witnesses(witnesses::Options),
    /// Time the speed rows, beside the rival where it is at hand
    Speed(speed::Options),
}

fn main() -> ExitCode {
    let outcome = match Chore::parse() {
        Chore::Attack(options) => attack::run(&options),
        Chore::Ci => ci::run(),
        Chore::Corpus(options) => corpus::run(&options),
        Chore::Cycles(options) => cycles::run(&options),
        Chore::Deny => deny::run(),
        Chore::Mutants(options) => mutants::run(&options),
        Chore::Witnesses(options) => witnesses::run(&options),
        Chore::Speed(options) => speed::run(&options),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
