//! Reads what `symbolon mcc` printed: the contest's answer lines among whatever else is there.
//!
//! A line counts only if it is whole, that is if `TECHNIQUES` follows the value: a run that was
//! killed in the middle of a number must not be taken for a wrong answer.

/// The answers of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answers {
    /// Question and value, as printed; the questions of `STATE_SPACE` lines are `STATES` and so on.
    pub(crate) given: Vec<(String, String)>,
    /// `CANNOT_COMPUTE` or `DO_NOT_COMPETE`, if that was printed.
    pub(crate) refusal: Option<String>,
    /// Lines that begin like an answer but are none.
    pub(crate) malformed: Vec<String>,
}

/// Picks the answer lines out of a run's standard output.
pub(crate) fn parse(stdout: &str) -> Answers {
    let mut answers = Answers::default();
    for line in stdout.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["CANNOT_COMPUTE" | "DO_NOT_COMPETE", ..] => answers.refusal = Some(words[0].to_string()),
            ["FORMULA", _, "CANNOT_COMPUTE" | "DO_NOT_COMPETE", ..] => {
                answers.refusal = Some(words[2].to_string());
            }
            ["FORMULA" | "STATE_SPACE", question, value, "TECHNIQUES", ..] if is_value(value) => {
                answers.given.push((question.to_string(), value.to_string()));
            }
            ["FORMULA" | "STATE_SPACE", ..] => answers.malformed.push(shorten(line)),
            _ => {}
        }
    }
    answers
}

/// Whether a word is one of the values that the contest knows.
fn is_value(word: &str) -> bool {
    matches!(word, "TRUE" | "FALSE" | "+inf" | "inf") || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether two values are the same; numbers may differ in leading zeros, and the oracle has two words for
/// no bound.
pub(crate) fn same(one: &str, other: &str) -> bool {
    fn bare(value: &str) -> &str {
        let digits = value.trim_start_matches(['0', '+']);
        if digits.is_empty() { "0" } else { digits }
    }
    one == other || (is_value(one) && is_value(other) && bare(one) == bare(other))
}

/// A value for people: long numbers by their ends and their length.
pub(crate) fn shorten(value: &str) -> String {
    let letters: Vec<char> = value.chars().collect();
    if letters.len() <= 60 {
        return value.to_string();
    }
    let ends = |range: &[char]| range.iter().collect::<String>();
    format!("{}…{} ({} digits)", ends(&letters[..12]), ends(&letters[letters.len() - 12..]), letters.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(stdout: &str, given: &[(&str, &str)], refusal: Option<&str>, malformed: usize) {
        let answers = parse(stdout);
        let expected: Vec<(String, String)> =
            given.iter().map(|(q, v)| (q.to_string(), v.to_string())).collect();
        assert_eq!(answers.given, expected, "of {stdout:?}");
        assert_eq!(answers.refusal.as_deref(), refusal, "of {stdout:?}");
        assert_eq!(answers.malformed.len(), malformed, "of {stdout:?}: {:?}", answers.malformed);
    }

    #[test]
    fn answer_lines_are_found_among_chatter() {
        check("", &[], None, 0);
        check(
            "symbolon 0.1\nSTATE_SPACE STATES 42 TECHNIQUES DECISION_DIAGRAMS\nthe FORMULA f TRUE TECHNIQUES X\n\
             STATE_SPACE TRANSITIONS +inf TECHNIQUES A B\r\n  STATE_SPACE MAX_TOKEN_IN_PLACE 1 TECHNIQUES\nbye",
            &[("STATES", "42"), ("TRANSITIONS", "+inf"), ("MAX_TOKEN_IN_PLACE", "1")],
            None,
            0,
        );
        check(
            "FORMULA OneSafe TRUE TECHNIQUES SAT\nFORMULA N-PT-05-UpperBounds-00 17 TECHNIQUES LP\n",
            &[("OneSafe", "TRUE"), ("N-PT-05-UpperBounds-00", "17")],
            None,
            0,
        );
    }

    #[test]
    fn refusals_are_told_from_silence() {
        check("CANNOT_COMPUTE\n", &[], Some("CANNOT_COMPUTE"), 0);
        check("DO_NOT_COMPETE", &[], Some("DO_NOT_COMPETE"), 0);
        check("FORMULA f CANNOT_COMPUTE\n", &[], Some("CANNOT_COMPUTE"), 0);
        check("thread 'main' panicked at src/lib.rs:1\n", &[], None, 0);
    }

    #[test]
    fn torn_and_odd_lines_are_no_answers() {
        check("STATE_SPACE STATES 123", &[], None, 1);
        check("STATE_SPACE STATES 123 TECHN", &[], None, 1);
        check("STATE_SPACE\nFORMULA\nFORMULA f\nFORMULA f TRUE\n", &[], None, 4);
        check("STATE_SPACE STATES 1.2E+10 TECHNIQUES X\nFORMULA f true TECHNIQUES X", &[], None, 2);
        check("FORMULA f -1 TECHNIQUES X", &[], None, 1);
    }

    #[test]
    fn long_numbers_survive() {
        let number = "7".repeat(4000);
        let text = format!("STATE_SPACE STATES {number} TECHNIQUES DECISION_DIAGRAMS\n");
        check(&text, &[("STATES", &number)], None, 0);
        assert_eq!(shorten(&number), "777777777777…777777777777 (4000 digits)");
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        for (one, other, expected) in [
            ("007", "7", true),
            ("0", "000", true),
            ("70", "7", false),
            ("TRUE", "TRUE", true),
            ("TRUE", "FALSE", false),
            ("+inf", "+inf", true),
            ("+inf", "inf", true),
            ("+inf", "0", false),
            ("TRUE", "1", false),
        ] {
            assert_eq!(same(one, other), expected, "{one} and {other}");
        }
    }
}
