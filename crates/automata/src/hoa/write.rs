//! HOA text written.

use std::fmt::Write;

use crate::automaton::Automaton;

/// The automaton as HOA text; proposition `i` is called `propositions[i]`.
///
/// # Panics
/// If there are fewer names than propositions.
pub fn write_hoa(automaton: &Automaton, propositions: &[&str]) -> String {
    assert!(propositions.len() >= automaton.proposition_count() as usize, "every proposition has a name");
    let mut lines = vec!["HOA: v1".to_string(), format!("States: {}", automaton.state_count())];
    lines.extend(automaton.initial().iter().map(|state| format!("Start: {state}")));
    let mut names = format!("AP: {}", propositions.len());
    for name in propositions {
        names += &format!(" \"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
    }
    lines.push(names);
    let mark_count = automaton.mark_count();
    lines.push(match mark_count {
        0 => "acc-name: all".to_string(),
        1 => "acc-name: Buchi".to_string(),
        _ => format!("acc-name: generalized-Buchi {mark_count}"),
    });
    let conditions: Vec<String> = (0..mark_count).map(|mark| format!("Inf({mark})")).collect();
    let condition = if conditions.is_empty() { "t".to_string() } else { conditions.join("&") };
    lines.push(format!("Acceptance: {mark_count} {condition}"));
    lines.push("properties: trans-labels explicit-labels trans-acc".to_string());
    lines.push("--BODY--".to_string());
    for state in 0..automaton.state_count() {
        lines.push(format!("State: {state}"));
        for edge in automaton.edges_from(state) {
            let mut line = format!("[{}] {}", edge.label, edge.to);
            if !edge.marks.is_empty() {
                let marks: Vec<String> = edge.marks.iter().map(|mark| mark.to_string()).collect();
                let _never_fails = write!(line, " {{{}}}", marks.join(" "));
            }
            lines.push(line);
        }
    }
    lines.push("--END--\n".to_string());
    lines.join("\n")
}
