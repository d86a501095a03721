//! "Did you mean": the names nearest to what was written.

use strsim::damerau_levenshtein;

/// The candidates that `written` is probably a slip of, nearest first, at most three.
pub(crate) fn near_names(written: &str, candidates: impl IntoIterator<Item = String>) -> Vec<String> {
    let lower = written.to_lowercase();
    // One slip in three letters is a slip; more is another word.
    let tolerance = (written.chars().count() / 3).clamp(1, 4);
    let mut near: Vec<(usize, String)> = candidates
        .into_iter()
        .map(|candidate| (distance(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= tolerance)
        .collect();
    near.sort();
    near.dedup();
    near.into_iter().map(|(_, name)| name).take(3).collect()
}

/// Slips from `written` to `candidate`; a beginning of at least four letters counts as one slip.
fn distance(written: &str, candidate: &str) -> usize {
    if written.chars().count() >= 4 && candidate.starts_with(written) {
        return 1;
    }
    damerau_levenshtein(written, candidate)
}

/// `did you mean 'a' or 'b'?`, or nothing if there is no name to offer.
pub(crate) fn did_you_mean(names: &[String]) -> Option<String> {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    (!quoted.is_empty()).then(|| format!("did you mean {}?", quoted.join(" or ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_other_words_are_not() {
        let names = ["kanban", "fms", "philosophers", "philosophers-left-right"].map(String::from);
        for (written, expected) in [
            ("kanbam", vec!["kanban"]),
            ("KANBAN", vec!["kanban"]),
            ("philosopher", vec!["philosophers", "philosophers-left-right"]),
            ("fsm", vec!["fms"]),
            ("elephant", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(near_names(written, names.clone()), expected, "{written:?}");
        }
        assert_eq!(did_you_mean(&[]), None);
        assert_eq!(did_you_mean(&["a".into(), "b".into()]).as_deref(), Some("did you mean 'a' or 'b'?"));
    }
}
