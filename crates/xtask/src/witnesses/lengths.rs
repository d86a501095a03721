//! `--lengths`: how long runs to states are, compared with the shortest ones.
//!
//! The nets are taken by size, the smallest first: there all states can be listed, so the shortest run is
//! known. Elsewhere it is known only where the program has proved its run to be shortest.

use std::fs;

use anyhow::{Context, Result};
use serde_json::Value;
use symbolon_petri::lower;

use super::judge::Judge;
use super::{Options, check, explored, net_of};
use crate::corpus::Instance;
use crate::project::Binary;
use crate::table::Table;

/// The examinations whose formulas are about one state.
const EXAMINATIONS: [&str; 2] = ["ReachabilityCardinality", "ReachabilityFireability"];

/// One run.
struct Length {
    formula: String,
    steps: usize,
    /// The fewest steps, where that is known.
    shortest: Option<usize>,
    techniques: String,
}

impl Length {
    /// How many times as long as the shortest one; a run without steps is the shortest.
    fn ratio(&self) -> Option<f64> {
        let shortest = self.shortest?;
        Some(if self.steps == shortest { 1.0 } else { self.steps as f64 / shortest.max(1) as f64 })
    }
}

/// Runs everything and prints the tables. False if something was wrong.
pub(super) fn run(
    mut instances: Vec<Instance>,
    binary: &Binary,
    options: &Options,
    most: usize,
) -> Result<bool> {
    instances.sort_by_key(|instance| {
        let size = fs::metadata(instance.folder.join("model.pnml")).map_or(u64::MAX, |file| file.len());
        (size, instance.name.clone())
    });
    let mut rows: Vec<(String, Vec<Length>)> = Vec::new();
    let mut complaints = Vec::new();
    let mut cpu_seconds = 0.0;
    for instance in &instances {
        if rows.len() >= options.nets {
            break;
        }
        let context = || instance.name.clone();
        let (lengths, seconds) =
            lengths(instance, binary, options, most, &mut complaints).with_context(context)?;
        cpu_seconds += seconds;
        eprintln!("{:<40} {:>3} runs {seconds:>7.2} s", instance.name, lengths.len());
        if !lengths.is_empty() {
            rows.push((instance.name.clone(), lengths));
        }
    }
    println!(
        "lengths of runs: {} nets, {} s a file, {cpu_seconds:.0} CPU s in all, sources {}\n",
        rows.len(),
        options.timeout,
        binary.label
    );
    println!("{}", per_net(&rows).render(options.to));
    let all: Vec<&Length> = rows.iter().flat_map(|(_, lengths)| lengths).collect();
    println!("{}", summary(&all));
    println!("{}", long(&rows).render(options.to));
    complaints.iter().for_each(|complaint| println!("WRONG: {complaint}"));
    Ok(complaints.is_empty())
}

/// The runs of one net, and the CPU seconds they took.
fn lengths(
    instance: &Instance,
    binary: &Binary,
    options: &Options,
    most: usize,
    complaints: &mut Vec<String>,
) -> Result<(Vec<Length>, f64)> {
    let model = lower(&net_of(instance)?);
    let mut judge = Judge::new(&model, explored(&model, options));
    let (mut lengths, mut seconds) = (Vec::new(), 0.0);
    for examination in EXAMINATIONS {
        let formulas = instance.folder.join(format!("{examination}.xml"));
        if lengths.len() >= most || !formulas.is_file() {
            continue;
        }
        let ran = check(instance, &formulas, &binary.path, options)?;
        seconds += ran.cpu_seconds;
        let Ok(report) = serde_json::from_str::<Value>(&ran.stdout) else {
            complaints.push(format!("{} {examination}: no JSON, ended by {:?}", instance.name, ran.ending));
            continue;
        };
        for property in report["properties"].as_array().into_iter().flatten() {
            let name = property["name"].as_str().unwrap_or_default();
            let judgement = judge.judge(property);
            complaints.extend(judgement.complaints.iter().map(|complaint| format!("{name}: {complaint}")));
            let Some((steps, nearest)) = judgement.steps.filter(|_| lengths.len() < most) else { continue };
            let is_proved = property["witness"]["shortest"] == true;
            let techniques = property["techniques"].as_array().into_iter().flatten();
            lengths.push(Length {
                formula: name.to_string(),
                steps,
                shortest: nearest.or(is_proved.then_some(steps)),
                techniques: techniques
                    .filter_map(Value::as_str)
                    .collect::<Vec<_>>()
                    .join(", ")
                    .to_lowercase(),
            });
        }
    }
    Ok((lengths, seconds))
}

/// The number in the middle; of two, the larger one.
fn median<T: Copy>(mut numbers: Vec<T>, order: impl Fn(&T, &T) -> std::cmp::Ordering) -> Option<T> {
    numbers.sort_by(order);
    numbers.get(numbers.len() / 2).copied()
}

fn per_net(rows: &[(String, Vec<Length>)]) -> Table {
    let mut table = Table::new(1, &["net", "runs", "longest", "shortest known", "median", "worst"]);
    for (name, lengths) in rows {
        let ratios: Vec<f64> = lengths.iter().filter_map(Length::ratio).collect();
        let worst = ratios.iter().copied().max_by(f64::total_cmp);
        let shown = |ratio: Option<f64>| ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        table.push(vec![
            name.clone(),
            lengths.len().to_string(),
            lengths.iter().map(|length| length.steps).max().unwrap_or(0).to_string(),
            ratios.len().to_string(),
            shown(median(ratios, f64::total_cmp)),
            shown(worst),
        ]);
    }
    table
}

fn summary(all: &[&Length]) -> String {
    let ratios: Vec<f64> = all.iter().filter_map(|length| length.ratio()).collect();
    let steps: Vec<usize> = all.iter().map(|length| length.steps).collect();
    let over = |bound: f64| ratios.iter().filter(|&&ratio| ratio > bound).count();
    format!(
        "{} runs, median length {}; shortest known for {}, of these median {:.2} times the shortest, {} over 1.2, {} over 3\n",
        all.len(),
        median(steps, usize::cmp).unwrap_or(0),
        ratios.len(),
        median(ratios.clone(), f64::total_cmp).unwrap_or(0.0),
        over(1.2),
        over(3.0)
    )
}

/// The runs that are longer than they need be, the worst first.
fn long(rows: &[(String, Vec<Length>)]) -> Table {
    let mut long: Vec<(f64, &Length)> = rows
        .iter()
        .flat_map(|(_, lengths)| lengths)
        .filter_map(|length| Some((length.ratio().filter(|&ratio| ratio > 1.0)?, length)))
        .collect();
    long.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let mut table = Table::new(1, &["formula", "steps", "shortest", "times", "found by"]);
    for (ratio, length) in long {
        table.push(vec![
            length.formula.clone(),
            length.steps.to_string(),
            length.shortest.unwrap_or(0).to_string(),
            format!("{ratio:.2}"),
            length.techniques.clone(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(steps: usize, shortest: Option<usize>) -> Length {
        Length { formula: "f".into(), steps, shortest, techniques: "random_walk".into() }
    }

    #[test]
    fn lengths_are_compared_with_the_shortest_ones() {
        assert_eq!(length(0, Some(0)).ratio(), Some(1.0));
        assert_eq!(length(4, Some(0)).ratio(), Some(4.0));
        assert_eq!(length(6, Some(4)).ratio(), Some(1.5));
        assert_eq!(length(6, None).ratio(), None);
        let rows = vec![("n".to_string(), vec![length(6, Some(4)), length(4, Some(4)), length(9, None)])];
        let all: Vec<&Length> = rows[0].1.iter().collect();
        assert!(summary(&all).starts_with(
            "3 runs, median length 6; shortest known for 2, of these median 1.50 times the shortest, 1 over 1.2, 0 over 3"
        ));
        let text = per_net(&rows).render(crate::table::To::Markdown);
        assert!(text.contains("|    3 |       9 |              2 |   1.50 |  1.50 |"), "{text}");
        assert_eq!(long(&rows).render(crate::table::To::Text).lines().count(), 2);
    }
}
