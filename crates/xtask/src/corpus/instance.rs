//! The instances of the corpus: folders with a `model.pnml`, and which of them are wanted.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;

/// One model of the corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instance {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
}

/// Which kind of nets is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Place/transition nets
    Pt,
    /// Coloured nets
    Col,
    /// Both
    All,
}

/// Which instances are wanted.
#[derive(Clone, Debug)]
pub(crate) struct Selection<'a> {
    pub(crate) kind: Kind,
    /// Only every third instance of that kind, always the same ones.
    pub(crate) third: bool,
    /// Part of the name, or a pattern if it has `*` or `?`.
    pub(crate) filter: Option<&'a str>,
}

/// The wanted instances in a folder, by name.
pub(crate) fn find(folder: &Path, selection: &Selection) -> Result<Vec<Instance>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        if entry.path().join("model.pnml").is_file() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    let names = select(names, selection).into_iter();
    Ok(names.map(|name| Instance { folder: folder.join(&name), name }).collect())
}

fn select(sorted: Vec<String>, selection: &Selection) -> Vec<String> {
    let of_kind = |name: &String| match selection.kind {
        Kind::Pt => name.contains("-PT-"),
        Kind::Col => name.contains("-COL-"),
        Kind::All => true,
    };
    let names = sorted.into_iter().filter(of_kind).enumerate();
    // The third is taken before the filter, so that it is the same third under every filter.
    let names = names.filter(|(index, _)| !selection.third || index % 3 == 0).map(|(_, name)| name);
    names.filter(|name| selection.filter.is_none_or(|filter| matches(filter, name))).collect()
}

/// Whether a name has the wanted part, or matches the pattern as a whole.
pub(crate) fn matches(filter: &str, name: &str) -> bool {
    if !filter.contains(['*', '?']) {
        return name.contains(filter);
    }
    let (pattern, name): (Vec<char>, Vec<char>) = (filter.chars().collect(), name.chars().collect());
    // reach[i]: the pattern so far matches the first i letters of the name.
    let mut reach = vec![false; name.len() + 1];
    reach[0] = true;
    for letter in pattern {
        let mut next = vec![false; name.len() + 1];
        for at in 0..=name.len() {
            next[at] = match letter {
                '*' => reach[at] || (at > 0 && next[at - 1]),
                '?' => at > 0 && reach[at - 1],
                _ => at > 0 && reach[at - 1] && name[at - 1] == letter,
            };
        }
        reach = next;
    }
    reach[name.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_patterns() {
        for (filter, name, expected) in [
            ("Kanban", "Kanban-PT-00050", true),
            ("00050", "Kanban-PT-00050", true),
            ("kanban", "Kanban-PT-00050", false),
            ("Kanban*", "Kanban-PT-00050", true),
            ("*-PT-*5?", "Kanban-PT-00050", true),
            ("PT*", "Kanban-PT-00050", false),
            ("*", "", true),
            ("?", "", false),
            ("a*b*c", "aXbbYc", true),
            ("a*b*c", "acb", false),
        ] {
            assert_eq!(matches(filter, name), expected, "{filter} on {name}");
        }
    }

    fn check(kind: Kind, third: bool, filter: Option<&str>, expected: &[&str]) {
        let names = ["A-COL-1", "A-PT-1", "B-PT-1", "B-PT-2", "C-COL-1", "C-PT-1", "C-PT-2"];
        let names = names.iter().map(|name| name.to_string()).collect();
        let selection = Selection { kind, third, filter };
        assert_eq!(select(names, &selection), expected, "{selection:?}");
    }

    #[test]
    fn a_third_is_the_same_under_every_filter() {
        check(Kind::Pt, false, None, &["A-PT-1", "B-PT-1", "B-PT-2", "C-PT-1", "C-PT-2"]);
        check(Kind::Pt, true, None, &["A-PT-1", "C-PT-1"]);
        check(Kind::Pt, true, Some("C-"), &["C-PT-1"]);
        check(Kind::Col, false, Some("*-1"), &["A-COL-1", "C-COL-1"]);
        check(Kind::All, true, None, &["A-COL-1", "B-PT-2", "C-PT-2"]);
    }

    #[test]
    fn only_folders_with_a_model_count() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["Z-PT-1", "A-PT-1", "big"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        for name in ["Z-PT-1/model.pnml", "A-PT-1/model.pnml", "INDEX.csv"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let selection = Selection { kind: Kind::All, third: false, filter: None };
        let names: Vec<String> =
            find(folder.path(), &selection).unwrap().into_iter().map(|instance| instance.name).collect();
        assert_eq!(names, ["A-PT-1", "Z-PT-1"]);
    }
}
