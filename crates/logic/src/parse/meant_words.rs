//! Words that people write for operators: what they may have meant.

/// What to write instead of this word before a formula, where an operator is expected.
pub(super) fn meant_before_formula(word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    let upper = word.to_uppercase();
    Some(match &*lower {
        "always" | "globally" | "invariant" | "invariantly" | "henceforth" => {
            format!("for \"{lower}\" write AG p, or G in a formula about one path: A (G F p)")
        }
        "eventually" | "finally" | "inevitably" | "sometime" | "future" => {
            format!("for \"{lower}\" write AF p if it is so on every path, EF p if on some path")
        }
        "possibly" | "reachable" | "potentially" => format!("for \"{lower}\" write EF p"),
        "never" | "impossible" => format!("for \"{lower}\" write AG !p"),
        "next" | "nexttime" => {
            format!("for \"{lower}\" write AX p if it is so for every step, EX p if for some")
        }
        "not" => "for \"not\" write ! or not".to_string(),
        "forall" | "all" => format!("for \"{lower}\" write A, as in A (G F p)"),
        "exists" | "some" => format!("for \"{lower}\" write E, as in E (G F p)"),
        "ag" | "ef" | "ax" | "ex" | "af" | "eg" | "g" | "f" | "x" | "a" | "e" if word != upper => {
            format!("operators are written in capitals: {upper}")
        }
        _ => return None,
    })
}

/// The operator that is probably meant by this word between two formulas.
pub(super) fn meant_between_formulas(word: &str) -> Option<&'static str> {
    Some(match &*word.to_lowercase() {
        "and" => "&",
        "or" => "|",
        "until" | "u" => "U",
        "implies" | "imply" => "->",
        "iff" | "equivalent" => "<->",
        "release" | "releases" | "r" => "R",
        "unless" | "w" => "W",
        _ => return None,
    })
}

/// What is probably meant by a word that is read as a name, and is not a name of the model: an
/// operator alone, or a constant in capitals.
pub fn meant_by_name(word: &str) -> Option<String> {
    if let Some(prefix) = super::operators::Prefix::of(word) {
        let hint = match prefix.takes_square_brackets() {
            true => format!("if it is an operator, a formula must follow, as in {word} (G F p)"),
            false => format!("if it is an operator, a formula must follow, as in {word} p"),
        };
        return Some(hint);
    }
    let lower = word.to_lowercase();
    matches!(&*lower, "true" | "false" | "deadlock" | "fireable").then(|| format!("did you mean {lower}?"))
}
