//! Edges between the same states with the same marks: fewer labels that say the same.

use symbolon_budget::{Interrupted, Meter};

use crate::automaton::{Automaton, Edge};
use crate::label::Label;

/// The same automaton with fewer edges.
pub(crate) fn merge_labels(automaton: &Automaton, meter: &mut Meter) -> Result<Automaton, Interrupted> {
    let mut edges = automaton.edges().to_vec();
    edges.sort_by(|a, b| (a.from, a.to, &a.marks).cmp(&(b.from, b.to, &b.marks)));
    let mut merged = Vec::with_capacity(edges.len());
    for group in edges.chunk_by(|a, b| (a.from, a.to, &a.marks) == (b.from, b.to, &b.marks)) {
        let labels = fewer_labels(group.iter().map(|edge| edge.label.clone()).collect(), meter)?;
        merged.extend(labels.into_iter().map(|label| Edge { label, ..group[0].clone() }));
    }
    Ok(automaton.with_parts(
        automaton.state_count(),
        automaton.mark_count(),
        automaton.initial().to_vec(),
        merged,
    ))
}

/// Labels whose disjunction is the same: those that imply another go, those that differ in one sign
/// become one.
pub(crate) fn fewer_labels(mut labels: Vec<Label>, meter: &mut Meter) -> Result<Vec<Label>, Interrupted> {
    loop {
        labels.sort_unstable_by(|a, b| a.literals().len().cmp(&b.literals().len()).then_with(|| a.cmp(b)));
        labels.dedup();
        let mut kept: Vec<Label> = Vec::with_capacity(labels.len());
        for label in labels {
            meter.step()?;
            if !kept.iter().any(|other| label.implies(other)) {
                kept.push(label);
            }
        }
        let mut resolved = Vec::new();
        for (place, a) in kept.iter().enumerate() {
            for b in &kept[place + 1..] {
                meter.step()?;
                resolved.extend(a.resolve(b));
            }
        }
        if resolved.is_empty() {
            return Ok(kept);
        }
        kept.extend(resolved);
        labels = kept;
    }
}

/// Whether every letter that satisfies the label satisfies one of these.
///
/// Letters are distinguished by at most `splits` propositions; false may also mean that these were
/// too few.
pub(crate) fn is_covered(label: &Label, candidates: &[&Label], splits: usize) -> bool {
    if candidates.iter().any(|candidate| label.implies(candidate)) {
        return true;
    }
    if splits == 0 {
        return false;
    }
    let compatible: Vec<&Label> =
        candidates.iter().copied().filter(|candidate| label.and(candidate).is_some()).collect();
    let Some(first) = compatible.first() else { return false };
    let open = first
        .literals()
        .find(|&(proposition, holds)| !label.implies(&Label::always().with(proposition, holds)));
    let Some((proposition, _)) = open else { return true };
    [true, false].iter().all(|&holds| is_covered(&label.with(proposition, holds), &compatible, splits - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_budget::Budget;

    /// All sets of labels over two propositions, given by the letters that satisfy them.
    #[test]
    fn labels_over_two_propositions() {
        let choices = [None, Some(true), Some(false)];
        let labels: Vec<Label> = choices
            .iter()
            .flat_map(|&p| choices.iter().map(move |&q| (p, q)))
            .map(|(p, q)| {
                Label::new(p.map(|holds| (0, holds)).into_iter().chain(q.map(|holds| (1, holds)))).unwrap()
            })
            .collect();
        let letters = |label: &Label| -> u32 {
            (0..4)
                .filter(|letter| label.is_satisfied(|p| letter >> p & 1 == 1))
                .map(|letter| 1 << letter)
                .sum()
        };
        let all = |labels: &[Label]| labels.iter().fold(0, |sum, label| sum | letters(label));
        for mask in 0..1 << labels.len() {
            let chosen: Vec<Label> = (0..labels.len())
                .filter(|place| mask >> place & 1 == 1)
                .map(|place| labels[place].clone())
                .collect();
            let fewer = fewer_labels(chosen.clone(), &mut Meter::new(Budget::unlimited())).unwrap();
            assert_eq!(all(&fewer), all(&chosen));
            assert!(fewer.len() <= chosen.len(), "{fewer:?} for {chosen:?}");
            let candidates: Vec<&Label> = chosen.iter().collect();
            for label in &labels {
                assert_eq!(is_covered(label, &candidates, 2), letters(label) & !all(&chosen) == 0);
            }
        }
    }
}
