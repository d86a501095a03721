//! The known answers of an instance, from the `oracle.json` beside its model.
//!
//! An answer of `?` means that it is not known; a verdict that only an earlier year's contest
//! reached (`known_from_earlier_years`) fills such a gap.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

/// The examinations of the contest that `symbolon mcc` knows by name.
pub(crate) const EXAMINATIONS: [&str; 13] = [
    "StateSpace",
    "ReachabilityDeadlock",
    "ReachabilityCardinality",
    "ReachabilityFireability",
    "CTLCardinality",
    "CTLFireability",
    "LTLCardinality",
    "LTLFireability",
    "UpperBounds",
    "OneSafe",
    "StableMarking",
    "QuasiLiveness",
    "Liveness",
];

/// The questions of the StateSpace examination, and what the oracle calls them.
pub(crate) const STATE_SPACE: [(&str, &str); 4] = [
    ("STATES", "states"),
    ("TRANSITIONS", "transitions"),
    ("MAX_TOKEN_PER_MARKING", "max_token_per_marking"),
    ("MAX_TOKEN_IN_PLACE", "max_token_in_place"),
];

/// A question, and its answer if it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) name: String,
    pub(crate) answer: Option<String>,
}

/// What is known about one instance.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Oracle {
    state_space: BTreeMap<String, String>,
    global_properties: BTreeMap<String, String>,
    #[serde(rename = "known_from_earlier_years")]
    known_from_earlier_years: BTreeMap<String, Earlier>,
    formulas: BTreeMap<String, BTreeMap<String, String>>,
}

#[derive(Clone, Debug, Deserialize)]
struct Earlier {
    verdict: String,
}

impl Oracle {
    /// Reads `oracle.json` in an instance's folder. Examinations whose file of formulas is not there have no questions.
    pub(crate) fn read(folder: &Path) -> Result<Oracle> {
        let path = folder.join("oracle.json");
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut oracle =
            Oracle::parse(&text).with_context(|| format!("cannot understand {}", path.display()))?;
        for (examination, formulas) in &mut oracle.formulas {
            if !folder.join(format!("{examination}.xml")).is_file() {
                formulas.clear();
            }
        }
        Ok(oracle)
    }

    fn parse(text: &str) -> Result<Oracle> {
        Ok(serde_json::from_str(text)?)
    }

    /// The questions of an examination, in a fixed order.
    pub(crate) fn questions(&self, examination: &str) -> Vec<Question> {
        let question = |name: &str, answer: Option<&String>| Question {
            name: name.to_string(),
            answer: answer.filter(|answer| *answer != "?").cloned(),
        };
        if examination == "StateSpace" {
            return STATE_SPACE
                .iter()
                .map(|(name, key)| question(name, self.state_space.get(*key)))
                .collect();
        }
        if let Some(formulas) = self.formulas.get(examination) {
            return formulas.iter().map(|(name, answer)| question(name, Some(answer))).collect();
        }
        let now = question(examination, self.global_properties.get(examination));
        let earlier = self.known_from_earlier_years.get(examination).map(|earlier| &earlier.verdict);
        vec![if now.answer.is_some() { now } else { question(examination, earlier) }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{
        "model": "Made-PT-up", "source": "nowhere", "unknown_marker": "?",
        "StateSpace": {"states": "12", "transitions": "+inf", "max_token_in_place": "?", "by": "nobody"},
        "GlobalProperties": {"OneSafe": "TRUE", "Liveness": "?", "QuasiLiveness": "?"},
        "known_from_earlier_years": {"Liveness": {"verdict": "FALSE", "years": {"2021": "FALSE"}}},
        "Formulas": {"UpperBounds": {"Made-PT-up-UpperBounds-00": "3", "Made-PT-up-UpperBounds-01": "?"}}
    }"#;

    fn check(text: &str, examination: &str, expected: &[(&str, Option<&str>)]) {
        let questions = Oracle::parse(text).unwrap().questions(examination);
        let found: Vec<(&str, Option<&str>)> =
            questions.iter().map(|question| (question.name.as_str(), question.answer.as_deref())).collect();
        assert_eq!(found, expected, "{examination}");
    }

    #[test]
    fn questions_and_answers() {
        check(
            TEXT,
            "StateSpace",
            &[
                ("STATES", Some("12")),
                ("TRANSITIONS", Some("+inf")),
                ("MAX_TOKEN_PER_MARKING", None),
                ("MAX_TOKEN_IN_PLACE", None),
            ],
        );
        check(TEXT, "OneSafe", &[("OneSafe", Some("TRUE"))]);
        check(TEXT, "QuasiLiveness", &[("QuasiLiveness", None)]);
        check(TEXT, "StableMarking", &[("StableMarking", None)]);
        check(TEXT, "Liveness", &[("Liveness", Some("FALSE"))]);
        check(
            TEXT,
            "UpperBounds",
            &[("Made-PT-up-UpperBounds-00", Some("3")), ("Made-PT-up-UpperBounds-01", None)],
        );
    }

    #[test]
    fn missing_parts_are_unknown() {
        check("{}", "OneSafe", &[("OneSafe", None)]);
        let none: Vec<(&str, Option<&str>)> = STATE_SPACE.iter().map(|(name, _)| (*name, None)).collect();
        check("{}", "StateSpace", &none);
        assert!(Oracle::parse("{").is_err());
    }
}
