//! `cargo xtask deny`: licences, duplicate versions and sources of third-party packages.
//!
//! The rules are in `deny.toml`. Where `cargo deny` is installed it does the work, offline; it also knows
//! advisories, as of the last time that its database was fetched. Otherwise this file checks what can be
//! checked with `cargo metadata` alone: every package has a licence that is allowed, no package of the
//! product occurs in two versions, and every package comes from the registry.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::project;

/// The part of `deny.toml` that is checked here.
#[derive(Deserialize)]
struct Rules {
    licenses: Licences,
    bans: Bans,
}

#[derive(Deserialize)]
struct Licences {
    allow: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Bans {
    /// Names of packages that may occur in several versions.
    skip: BTreeSet<String>,
}

/// The part of `cargo metadata` that matters.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_members: Vec<String>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    /// Absent for packages of the workspace.
    source: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    /// `dev`, `build`, or nothing for an ordinary one.
    kind: Option<String>,
}

/// Checks all rules. False if one is broken.
pub(crate) fn run() -> Result<bool> {
    let tool = Command::new(project::cargo()).args(["deny", "--version"]).output();
    if tool.is_ok_and(|output| output.status.success()) {
        let arguments = ["deny", "--offline", "check"];
        let status = Command::new(project::cargo()).args(arguments).current_dir(project::root()).status();
        return Ok(status.context("cannot start cargo deny")?.success());
    }
    println!("cargo deny is not installed: advisories are not checked");
    let rules = fs::read_to_string(project::root().join("deny.toml")).context("cannot read deny.toml")?;
    let rules: Rules = toml::from_str(&rules).context("deny.toml")?;
    let output = Command::new(project::cargo())
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(project::root())
        .output()
        .context("cannot start cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    }
    let metadata: Metadata = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    let problems = problems(&rules, &metadata);
    problems.iter().for_each(|problem| println!("{problem}"));
    println!("{} packages, {} problems", metadata.packages.len(), problems.len());
    Ok(problems.is_empty())
}

fn problems(rules: &Rules, metadata: &Metadata) -> Vec<String> {
    let mut problems = Vec::new();
    for package in metadata.packages.iter().filter(|package| package.source.is_some()) {
        let name = format!("{} {}", package.name, package.version);
        match &package.license {
            None => problems.push(format!("{name} states no licence")),
            Some(licence) if !is_allowed(licence, &rules.licenses.allow) => {
                problems.push(format!("{name} has the licence '{licence}', which deny.toml does not allow"));
            }
            Some(_) => {}
        }
        let is_registry = |source: &String| source.starts_with("registry+");
        if !package.source.as_ref().is_some_and(is_registry) {
            problems.push(format!("{name} does not come from a registry"));
        }
    }
    let shipped = shipped(metadata);
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in metadata.packages.iter().filter(|package| shipped.contains(package.id.as_str())) {
        versions.entry(&package.name).or_default().insert(&package.version);
    }
    for (name, versions) in versions {
        if versions.len() > 1 && !rules.bans.skip.contains(name) {
            let list: Vec<&str> = versions.into_iter().collect();
            problems.push(format!("{name} occurs in versions {}", list.join(", ")));
        }
    }
    problems
}

/// The packages that the product, its build scripts and the chores need, tests aside.
fn shipped(metadata: &Metadata) -> BTreeSet<&str> {
    let nodes: BTreeMap<&str, &Node> =
        metadata.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
    let mut found = BTreeSet::new();
    let mut waiting: Vec<&str> = metadata.workspace_members.iter().map(String::as_str).collect();
    while let Some(id) = waiting.pop() {
        if !found.insert(id) {
            continue;
        }
        for dependency in nodes.get(id).iter().flat_map(|node| &node.deps) {
            let is_test = |kind: &DependencyKind| kind.kind.as_deref() == Some("dev");
            if !dependency.dep_kinds.iter().all(is_test) {
                waiting.push(&dependency.pkg);
            }
        }
    }
    found
}

/// Whether a licence expression (SPDX, or the older `A/B`) can be fulfilled by licences that are allowed.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = &words[..];
    let answer = any_of(&mut rest, allowed);
    answer && rest.is_empty()
}

fn any_of(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    let mut answer = all_of(words, allowed);
    while words.first() == Some(&"OR") {
        *words = &words[1..];
        answer |= all_of(words, allowed);
    }
    answer
}

fn all_of(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    let mut answer = one(words, allowed);
    while words.first() == Some(&"AND") {
        *words = &words[1..];
        answer &= one(words, allowed);
    }
    answer
}

/// A licence, one with an exception (which only allows more), or an expression in parentheses.
fn one(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    let Some((first, rest)) = words.split_first() else { return false };
    *words = rest;
    if *first == "(" {
        let answer = any_of(words, allowed);
        let is_closed = words.first() == Some(&")");
        *words = words.get(1..).unwrap_or_default();
        return answer && is_closed;
    }
    if words.first() == Some(&"WITH") {
        *words = words.get(2..).unwrap_or_default();
    }
    allowed.contains(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Rules {
        Rules {
            licenses: Licences { allow: ["MIT", "Zlib"].map(String::from).into() },
            bans: Bans { skip: ["twice".to_string()].into() },
        }
    }

    #[test]
    fn licence_expressions() {
        for (expression, expected) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("GPL-3.0 OR MIT", true),
            ("MIT/Apache-2.0", true),
            ("MIT AND GPL-3.0", false),
            ("(MIT OR GPL-3.0) AND Zlib", true),
            ("(GPL-3.0 OR AGPL-3.0) AND Zlib", false),
            ("Apache-2.0 WITH LLVM-exception OR MIT", true),
            ("MIT WITH some-exception", true),
            ("(MIT", false),
            ("MIT )", false),
            ("", false),
        ] {
            assert_eq!(is_allowed(expression, &rules().licenses.allow), expected, "{expression}");
        }
    }

    /// Two versions of `name`, of which one is needed by tests alone or not.
    fn metadata(name: &str, kind: Option<&str>) -> Metadata {
        let package = |id: &str, name: &str, version: &str, source: Option<&str>| Package {
            id: id.into(),
            name: name.into(),
            version: version.into(),
            license: Some("MIT".into()),
            source: source.map(String::from),
        };
        let registry = Some("registry+somewhere");
        let needs = |pkg: &str, kind: Option<&str>| Dependency {
            pkg: pkg.into(),
            dep_kinds: vec![DependencyKind { kind: kind.map(String::from) }],
        };
        Metadata {
            packages: vec![
                package("us", "us", "0", None),
                package("one", name, "1", registry),
                package("two", name, "2", registry),
            ],
            workspace_members: vec!["us".into()],
            resolve: Resolve {
                nodes: vec![Node { id: "us".into(), deps: vec![needs("one", None), needs("two", kind)] }],
            },
        }
    }

    #[test]
    fn duplicates_of_the_product_are_found() {
        let check = |name: &str, kind, expected: &[&str]| {
            assert_eq!(problems(&rules(), &metadata(name, kind)), expected, "{name} {kind:?}");
        };
        check("once", None, &["once occurs in versions 1, 2"]);
        check("once", Some("build"), &["once occurs in versions 1, 2"]);
        check("once", Some("dev"), &[]);
        check("twice", None, &[]);
    }

    #[test]
    fn licences_and_sources_are_checked() {
        let mut metadata = metadata("once", Some("dev"));
        metadata.packages[1].license = None;
        metadata.packages[2].license = Some("GPL-3.0".into());
        metadata.packages[2].source = Some("git+somewhere".into());
        let expected = [
            "once 1 states no licence",
            "once 2 has the licence 'GPL-3.0', which deny.toml does not allow",
            "once 2 does not come from a registry",
        ];
        assert_eq!(problems(&rules(), &metadata), expected);
    }
}
