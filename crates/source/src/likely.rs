//! "Did you mean": the known names that a name is probably a misspelling of.
//!
//! Every message of the workspace that suggests a name gets it from here, so that one rule decides
//! what counts as a misspelling: at most one slip for three letters written, where a slip is a
//! letter too many, too few, wrong, or swapped with its neighbour, and case does not matter. The
//! beginning of a name counts as one slip, if it has at least four letters. A name of one or two
//! letters is never taken for another one of the same length.

/// Names beyond these are not compared: a net may have millions, and a hint must be quick.
const MOST_COMPARED: usize = 50_000;

/// The longest name, in bytes, that suggestions are made for: a slip in a longer one is not what is
/// wrong.
const LONGEST: usize = 100;

/// The beginning of a name counts as one slip from this many letters on.
const LETTERS_OF_A_BEGINNING: usize = 4;

/// The known name that is most like `written`, if any is; the first by the alphabet among equals.
pub fn likely<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    near_names(written, known).into_iter().next()
}

/// The known names that `written` is probably a misspelling of: nearest first, equals by the
/// alphabet, at most three.
pub fn near_names<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if written.len() > LONGEST {
        return Vec::new();
    }
    let written = written.to_lowercase();
    let letters = written.chars().count();
    let most_slips = (letters / 3).clamp(1, 4);
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .take(MOST_COMPARED)
        .filter_map(|name| Some((slips(&written, letters, name, most_slips)?, name)))
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().map(|(_, name)| name).take(3).collect()
}

/// The known names that look most like `written` where none is probably meant: at most three, of which
/// half of the letters are those that were written.
pub fn resembling_names<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if written.len() > LONGEST {
        return Vec::new();
    }
    let written = written.to_lowercase();
    let letters = written.chars().count();
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .take(MOST_COMPARED)
        .filter(|name| name.chars().count().abs_diff(letters) <= letters / 2)
        .map(|name| (strsim::osa_distance(&written, &name.to_lowercase()), name))
        .filter(|(slips, _)| 2 * slips <= letters)
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().map(|(_, name)| name).take(3).collect()
}

/// `did you mean 'a' or 'b'?`, or nothing if there is no name to offer.
pub fn did_you_mean<N: AsRef<str>>(names: &[N]) -> Option<String> {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{}'", name.as_ref())).collect();
    (!quoted.is_empty()).then(|| format!("did you mean {}?", quoted.join(" or ")))
}

/// The slips that lead from `name` to `written`, which is in lower case, if there are at most
/// `most`.
fn slips(written: &str, letters: usize, name: &str, most: usize) -> Option<usize> {
    let name_letters = name.chars().count();
    let may_be_beginning = letters >= LETTERS_OF_A_BEGINNING && name_letters > letters;
    if name_letters.abs_diff(letters) > most && !may_be_beginning {
        return None;
    }
    let name = name.to_lowercase();
    if may_be_beginning && name.starts_with(written) {
        return Some(1);
    }
    let slips = strsim::osa_distance(written, &name);
    // With one or two letters, another letter makes another name: `x` is not a misspelling of `y`.
    let is_other_name = letters < 3 && letters == name_letters && slips > 0;
    (slips <= most && !is_other_name).then_some(slips)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested() {
        let check = |written: &str, expected: Option<&str>| {
            assert_eq!(likely(written, ["critical_2", "critical_1", "idle"]), expected, "{written}");
        };
        check("critcal_1", Some("critical_1"));
        check("critical_3", Some("critical_1"));
        check("crit", Some("critical_1"));
        check("IDLE", Some("idle"));
        check("wait", None);
        check("cri", None);
        assert_eq!(likely("x", ["y", "x1"]), Some("x1"));
        assert_eq!(likely("al", ["all", "ab"]), Some("all"));
        assert_eq!(likely("X", ["x"]), Some("x"));
    }

    #[test]
    fn names_that_are_merely_alike_are_listed() {
        let names = ["tin4", "tok1", "tout1", "tredo1"];
        assert_eq!(likely("tinn1", names), None);
        assert_eq!(resembling_names("tinn1", names), ["tin4"]);
        assert_eq!(resembling_names("queue", names), [""; 0]);
        assert_eq!(resembling_names("x", names), [""; 0]);
    }

    #[test]
    fn slips_are_found_and_other_words_are_not() {
        let names = ["kanban", "fms", "philosophers", "philosophers-left-right"];
        for (written, expected) in [
            ("kanbam", vec!["kanban"]),
            ("KANBAN", vec!["kanban"]),
            ("philosopher", vec!["philosophers", "philosophers-left-right"]),
            ("fsm", vec!["fms"]),
            ("elephant", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(near_names(written, names), expected, "{written:?}");
        }
    }

    #[test]
    fn suggestions_are_quick_among_very_many_and_very_long_names() {
        let names: Vec<String> = (0..2_000_000_u32).map(|number| format!("place_{number}")).collect();
        assert_eq!(likely("plaec_17", names.iter().map(String::as_str)), Some("place_17"));
        let long = "a".repeat(200);
        assert_eq!(likely(&long, [&*"a".repeat(199)]), None);
    }

    #[test]
    fn the_question_lists_the_names() {
        assert_eq!(did_you_mean::<&str>(&[]), None);
        assert_eq!(did_you_mean(&["a", "b"]).as_deref(), Some("did you mean 'a' or 'b'?"));
    }
}
