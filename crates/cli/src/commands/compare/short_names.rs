//! What models are called in tables for people and in plots: the shortest end of their path that
//! distinguishes them.
//!
//! `…/nets/dac_15.pnml` is `dac_15`; the nets of the contest, which are all called `model.pnml`, are
//! `Raft-PT-02/model`. Built-in families are what they are. Files for programs have the whole path.

use std::collections::BTreeMap;

/// What the end of a model's file says of its language, which no name needs.
const ENDINGS: [&str; 10] =
    [".gz", ".xz", ".zst", ".bz2", ".pnml", ".xml", ".ll_net", ".gcl", ".ispl", ".cnet"];
/// Files of this name are distinguished by their folder.
const ANY_MODEL: &str = "model";

/// The short name of each model.
#[derive(Clone, Debug, Default)]
pub(super) struct ShortNames(BTreeMap<String, String>);

impl ShortNames {
    /// The short names of these models. Each model counts once.
    pub(super) fn of(models: impl Iterator<Item = String>) -> ShortNames {
        let mut models: Vec<String> = models.collect();
        models.sort();
        models.dedup();
        let paths: Vec<Vec<&str>> = models.iter().map(|model| components(model)).collect();
        let least = |path: &Vec<&str>| if path.last() == Some(&ANY_MODEL) { 2 } else { 1 };
        let mut lengths: Vec<usize> = paths.iter().map(|path| least(path).min(path.len())).collect();
        let name = |index: usize, length: usize| paths[index][paths[index].len() - length..].join("/");
        loop {
            let mut count: BTreeMap<String, usize> = BTreeMap::new();
            for (index, &length) in lengths.iter().enumerate() {
                *count.entry(name(index, length)).or_default() += 1;
            }
            let mut grows = false;
            for (index, length) in lengths.iter_mut().enumerate() {
                if count[&name(index, *length)] > 1 && *length < paths[index].len() {
                    *length += 1;
                    grows = true;
                }
            }
            if !grows {
                let short = |(index, model): (usize, &String)| {
                    let name = name(index, lengths[index]);
                    // Names that differ in their endings alone keep them.
                    let name = if count[&name] > 1 { model.clone() } else { name };
                    (model.clone(), name)
                };
                return ShortNames(models.iter().enumerate().map(short).collect());
            }
        }
    }

    /// What this model is called.
    pub(super) fn get(&self, model: &str) -> String {
        self.0.get(model).cloned().unwrap_or_else(|| model.to_string())
    }
}

/// The parts of a path, the last one without its endings.
fn components(model: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = model.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    if let Some(last) = parts.last_mut() {
        while let Some(stem) =
            ENDINGS.iter().find_map(|ending| last.strip_suffix(ending)).filter(|stem| !stem.is_empty())
        {
            *last = stem;
        }
    }
    if parts.is_empty() { vec![model] } else { parts }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(models: &[&str], expected: &[&str]) {
        let names = ShortNames::of(models.iter().map(ToString::to_string));
        let found: Vec<String> = models.iter().map(|model| names.get(model)).collect();
        assert_eq!(found, expected);
        let distinct: std::collections::BTreeSet<&&str> = models.iter().collect();
        let short: std::collections::BTreeSet<&String> = found.iter().collect();
        assert_eq!(distinct.len(), short.len(), "distinct models have distinct names");
    }

    #[test]
    fn names_are_short_and_distinct() {
        check(&["/work/shared/nets/dac_15.pnml", "nets/hs_75.pnml.gz"], &["dac_15", "hs_75"]);
        check(&["mcc/Raft-PT-02/model.pnml"], &["Raft-PT-02/model"]);
        check(
            &["mcc/Raft-PT-02/model.pnml", "mcc/Kanban-PT-00005/model.pnml", "kanban:5"],
            &["Raft-PT-02/model", "Kanban-PT-00005/model", "kanban:5"],
        );
        check(&["a/x/net.pnml", "b/x/net.pnml", "b/other.pnml"], &["a/x/net", "b/x/net", "other"]);
        check(&["x/net.pnml", "net.pnml"], &["x/net", "net"]);
        check(&["net.pnml", "net.gcl"], &["net.pnml", "net.gcl"]);
        check(&["a", "a"], &["a", "a"]);
        check(&["model.pnml", ".pnml", "", "/"], &["model", ".pnml", "", "/"]);
    }
}
