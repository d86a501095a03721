//! What somebody probably meant.

/// Names that are less alike are no suggestion.
const LEAST_LIKENESS: f64 = 0.85;

/// The known name that is most like `name`, if one is; the first by the alphabet among equals.
pub fn likely<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|known| (strsim::jaro_winkler(known, name), known))
        .filter(|(likeness, _)| *likeness > LEAST_LIKENESS)
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1)))
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions() {
        let check = |name: &str, expected: Option<&str>| {
            assert_eq!(likely(name, ["critical_1", "critical_2", "idle"]), expected, "{name}");
        };
        check("critcal_1", Some("critical_1"));
        check("critical_3", Some("critical_1"));
        check("wait", None);
    }
}
