//! `cargo xtask corpus --twins`: coloured nets compared with their place/transition twins.
//!
//! The contest has many models in both forms: `X-COL-n` and `X-PT-n` with the same parameter are the
//! same system. What their answers have to do with each other is the contest's semantics:
//!
//! | question | coloured and plain |
//! | --- | --- |
//! | markings, edges, deadlock | equal |
//! | largest numbers of tokens | equal, unless one of the two nets leaves constant places out |
//! | `OneSafe` | true of the coloured net implies true of the plain one: it counts all colours |
//! | `QuasiLiveness`, `Liveness` | true of the plain net implies true of the coloured one: some binding is enough |
//! | `StableMarking` | neither implies the other: a total may be constant while its colours are not |
//! | formulas | equal where both files have the same formula under the same number |
//!
//! Where two figures differ that should be equal, but each is the answer that the oracle of its own
//! net gives, the twins are different nets, and that is no mistake.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::answers::same;
use super::instance::Instance;
use super::oracle::{EXAMINATIONS, Oracle};
use super::store::Store;
use crate::table::{Table, To};

/// A coloured net and its twin.
pub(crate) struct Pair<'a> {
    coloured: &'a (Instance, Oracle),
    plain: &'a (Instance, Oracle),
    /// By examination, the numbers of formulas that both files have: their ids without the name of
    /// the net.
    common: BTreeMap<&'static str, Vec<String>>,
}

/// What two answers have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Equal,
    ColouredImpliesPlain,
    PlainImpliesColoured,
    None,
}

/// What came out for one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Agree,
    /// The answers differ, as they may.
    Allowed,
    Differ,
    /// One of the two is not known.
    Open,
}

/// The pairs among these instances.
pub(crate) fn pairs(instances: &[(Instance, Oracle)]) -> Vec<Pair<'_>> {
    let find = |name: &str| instances.iter().find(|(instance, _)| instance.name == name);
    let mut pairs = Vec::new();
    for coloured in instances.iter().filter(|(instance, _)| instance.name.contains("-COL-")) {
        if let Some(plain) = find(&coloured.0.name.replacen("-COL-", "-PT-", 1)) {
            let common = common_formulas(&coloured.0, &plain.0);
            pairs.push(Pair { coloured, plain, common });
        }
    }
    pairs
}

impl Pair<'_> {
    /// Whether an examination of one of the twins is of use.
    pub(crate) fn wants(&self, instance: &str, examination: &str) -> bool {
        let is_member = [self.coloured, self.plain].iter().any(|(member, _)| member.name == instance);
        let is_general = examination == "StateSpace" || relation(examination).is_some();
        is_member && (is_general || self.common.contains_key(examination))
    }

    /// The questions of an examination: as it is called, and its name in both nets.
    fn questions(&self, examination: &str) -> Vec<(Relation, String, String)> {
        if examination == "StateSpace" {
            let figures = super::oracle::STATE_SPACE.iter();
            return figures.map(|(name, _)| (Relation::Equal, name.to_string(), name.to_string())).collect();
        }
        if let Some(relation) = relation(examination) {
            return vec![(relation, examination.to_string(), examination.to_string())];
        }
        let ids = self.common.get(examination).into_iter().flatten();
        ids.map(|id| {
            let of = |instance: &Instance| format!("{}{id}", instance.name);
            (Relation::Equal, of(&self.coloured.0), of(&self.plain.0))
        })
        .collect()
    }
}

/// What the answers to an examination without formulas have to do with each other.
fn relation(examination: &str) -> Option<Relation> {
    match examination {
        "ReachabilityDeadlock" => Some(Relation::Equal),
        "OneSafe" => Some(Relation::ColouredImpliesPlain),
        "QuasiLiveness" | "Liveness" => Some(Relation::PlainImpliesColoured),
        "StableMarking" => Some(Relation::None),
        _ => None,
    }
}

/// The table, and how many answers differ that must not.
pub(crate) fn report(pairs: &[Pair], examinations: &[String], store: &Store, to: To) -> (String, usize) {
    let mut table = Table::new(1, &["examination", "agree", "may differ", "differ", "open"]);
    let mut findings = String::new();
    let mut wrong = 0;
    for examination in examinations {
        let mut counts: BTreeMap<Outcome, usize> = BTreeMap::new();
        for pair in pairs {
            for (relation, coloured, plain) in pair.questions(examination) {
                let answers = [(pair.coloured, &coloured), (pair.plain, &plain)].map(
                    |((instance, oracle), question)| {
                        let record = store.get(&instance.name, examination);
                        let answers = record.into_iter().flat_map(|record| &record.answers);
                        let given =
                            answers.filter(|(name, _)| name == question).map(|(_, value)| value).next();
                        let known = oracle.questions(examination).into_iter();
                        let known =
                            known.filter(|known| known.name == *question).find_map(|known| known.answer);
                        (given, known)
                    },
                );
                let [(Some(ours), known), (Some(theirs), known_of_plain)] = answers else {
                    *counts.entry(Outcome::Open).or_default() += 1;
                    continue;
                };
                let is_known =
                    |given: &str, known: Option<String>| known.is_some_and(|known| same(given, &known));
                let are_known = is_known(ours, known) && is_known(theirs, known_of_plain);
                let outcome = judge(relation, ours, theirs, are_known);
                *counts.entry(outcome).or_default() += 1;
                if outcome == Outcome::Differ {
                    wrong += 1;
                    let (name, twin) = (&pair.coloured.0.name, &pair.plain.0.name);
                    findings.push_str(&format!("{name} {coloured}: {ours}, but {twin} {plain}: {theirs}\n"));
                }
            }
        }
        let count = |outcome| counts.get(&outcome).copied().unwrap_or(0).to_string();
        table.push(vec![
            examination.clone(),
            count(Outcome::Agree),
            count(Outcome::Allowed),
            count(Outcome::Differ),
            count(Outcome::Open),
        ]);
    }
    (format!("{}\n{findings}", table.render(to)), wrong)
}

fn judge(relation: Relation, coloured: &str, plain: &str, are_known: bool) -> Outcome {
    if same(coloured, plain) {
        return Outcome::Agree;
    }
    let may_differ = match relation {
        Relation::Equal => are_known,
        Relation::ColouredImpliesPlain => coloured == "FALSE",
        Relation::PlainImpliesColoured => plain == "FALSE",
        Relation::None => true,
    };
    if may_differ { Outcome::Allowed } else { Outcome::Differ }
}

/// By examination, which formulas both files have under the same number.
fn common_formulas(coloured: &Instance, plain: &Instance) -> BTreeMap<&'static str, Vec<String>> {
    let mut common = BTreeMap::new();
    for examination in EXAMINATIONS {
        let read = |instance: &Instance| {
            let text = fs::read_to_string(instance.folder.join(format!("{examination}.xml")));
            formulas(&text.unwrap_or_default(), &instance.name)
        };
        if !Path::new(&coloured.folder).join(format!("{examination}.xml")).is_file() {
            continue;
        }
        let (ours, theirs) = (read(coloured), read(plain));
        let ids: Vec<String> = ours
            .into_iter()
            .filter(|(id, formula)| theirs.get(id) == Some(formula))
            .map(|(id, _)| id)
            .collect();
        if !ids.is_empty() {
            common.insert(examination, ids);
        }
    }
    common
}

/// The formulas of a file, without blanks, by their ids without the name of the net.
fn formulas(text: &str, instance: &str) -> BTreeMap<String, String> {
    let between = |text: &str, begin: &str, end: &str| {
        let rest = &text[text.find(begin)? + begin.len()..];
        Some(rest[..rest.find(end)?].to_string())
    };
    let mut found = BTreeMap::new();
    for property in text.split("<property>").skip(1) {
        let id = between(property, "<id>", "</id>");
        let formula = between(property, "<formula>", "</formula>");
        if let (Some(id), Some(formula)) = (id, formula)
            && let Some(id) = id.trim().strip_prefix(instance)
        {
            found.insert(id.to_string(), formula.split_whitespace().collect());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn implications_have_a_direction() {
        for (relation, coloured, plain, expected) in [
            (Relation::Equal, "7", "07", Outcome::Agree),
            (Relation::Equal, "7", "8", Outcome::Differ),
            (Relation::ColouredImpliesPlain, "FALSE", "TRUE", Outcome::Allowed),
            (Relation::ColouredImpliesPlain, "TRUE", "FALSE", Outcome::Differ),
            (Relation::PlainImpliesColoured, "TRUE", "FALSE", Outcome::Allowed),
            (Relation::PlainImpliesColoured, "FALSE", "TRUE", Outcome::Differ),
            (Relation::None, "FALSE", "TRUE", Outcome::Allowed),
        ] {
            assert_eq!(judge(relation, coloured, plain, false), expected, "{relation:?} {coloured} {plain}");
        }
        assert_eq!(judge(Relation::Equal, "7", "8", true), Outcome::Allowed);
        assert_eq!(judge(Relation::ColouredImpliesPlain, "TRUE", "FALSE", true), Outcome::Differ);
    }

    #[test]
    fn formulas_are_compared_without_blanks() {
        let text = "<property> <id>X-COL-1-B-00</id> <formula>\n <a> p </a> </formula></property>
            <property><id>X-COL-1-B-01</id><formula><b/></formula></property>";
        let found = formulas(text, "X-COL-1");
        let expected = [("-B-00", "<a>p</a>"), ("-B-01", "<b/>")];
        assert_eq!(found, expected.map(|(id, text)| (id.to_string(), text.to_string())).into());
        assert_eq!(formulas(text, "Y-COL-1"), BTreeMap::new());
    }

    #[test]
    fn twins_have_the_same_parameter() {
        let instance =
            |name: &str| (Instance { name: name.to_string(), folder: "/nowhere".into() }, Oracle::default());
        let instances = ["A-COL-1", "A-COL-2", "A-PT-1", "B-PT-2"].map(instance);
        let pairs = pairs(&instances);
        assert_eq!(pairs.len(), 1);
        assert!(pairs[0].wants("A-COL-1", "Liveness") && pairs[0].wants("A-PT-1", "StateSpace"));
        assert!(!pairs[0].wants("A-COL-2", "Liveness") && !pairs[0].wants("A-PT-1", "UpperBounds"));
    }
}
