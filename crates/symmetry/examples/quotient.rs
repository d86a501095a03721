//! Explores a coloured net up to its symmetry and prints what was found, and the time it took:
//!
//! ```text
//! cargo run --release -p symbolon-symmetry --example quotient -- client-server:9,9
//! cargo run --release -p symbolon-symmetry --example quotient -- model.pnml
//! cargo run --release -p symbolon-symmetry --example quotient -- --diagram cs-wave:300
//! cargo run --release -p symbolon-symmetry --example quotient -- --spelled distributed-db:200
//! ```

use std::time::Instant;
use symbolon_budget::Budget;
use symbolon_coloured::Net;
use symbolon_coloured::families::generate;
use symbolon_coloured::read::read_pnml;
use symbolon_symmetry::{Kind, Symmetry, explore, explore_in_diagrams, find_symmetry};

fn load(argument: &str, budget: &Budget) -> Result<Net, String> {
    match std::fs::read(argument) {
        Ok(bytes) => match read_pnml(&bytes, budget) {
            Ok(reading) => Ok(reading.net),
            Err(error) => Err(format!("{error:?}")),
        },
        Err(_) => generate(argument, budget).map_err(|error| error.to_string()),
    }
}

/// A number in full, or its beginning and length.
fn short(number: &impl ToString) -> String {
    let text = number.to_string();
    if text.len() <= 30 { text } else { format!("{}… ({} digits)", &text[..8], text.len()) }
}

/// Explores with diagrams, and prints the columns of the paper's table.
fn print_diagram(
    net: &Net,
    symmetry: &Symmetry,
    is_spelled: bool,
    budget: &Budget,
) -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let mut found = explore_in_diagrams(net, symmetry, budget)?;
    let explored = start.elapsed().as_secs_f64();
    let (symbolic, markings) = (found.symbolic_count()?, found.marking_count()?);
    println!(
        "{symbolic} symbolic markings, {} markings, {} nodes, {} arcs, {} rounds; {explored:.2} s to explore",
        short(&markings),
        found.node_count(),
        found.arc_count(),
        found.rounds(),
    );
    if is_spelled {
        let spelled = found.spelled()?;
        println!(
            "  {} nodes spelled out, share {:.1} %, length {:.0}",
            spelled.nodes,
            100.0 * spelled.share,
            spelled.average_length,
        );
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let budget = Budget::unlimited();
    let (options, models): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let is_spelled = options.iter().any(|option| option == "--spelled");
    for argument in models {
        let net = load(&argument, &budget)?;
        let start = Instant::now();
        let symmetry = find_symmetry(&net, &[], &budget)?;
        for (class, found) in net.classes.iter().zip(&symmetry.classes).filter(|(class, _)| class.size() > 1)
        {
            let kind = match &found.kind {
                Kind::Free(subclasses) => format!("free, {} static subclasses", subclasses.len()),
                Kind::Rotating => "rotating".to_string(),
                Kind::Fixed => "fixed".to_string(),
            };
            let reasons: Vec<String> = found.reasons.iter().map(|reason| reason.text(&net)).collect();
            println!("class {}: {kind}; {}", class.name(), reasons.join("; "));
        }
        if !options.is_empty() {
            print!("{argument}: ");
            print_diagram(&net, &symmetry, is_spelled, &budget)?;
            continue;
        }
        let quotient = explore(&net, &symmetry, &budget)?;
        let figures = quotient.figures();
        println!(
            "{argument}: {} symbolic markings, {} markings, {} edges, {} steps, {:.2} s",
            quotient.symbolic_count(),
            short(&figures.markings),
            short(&figures.edges),
            quotient.step_count(),
            start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
