//! The modules of one crate, what each refers to, and the cycles between siblings.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::scan::{self, Scanned};

/// A module, as the names from the root of the crate down.
type ModulePath = Vec<String>;

/// The modules of a crate.
pub(super) struct Modules {
    files: BTreeMap<ModulePath, (PathBuf, Scanned)>,
    aliases: BTreeMap<ModulePath, Vec<(String, ModulePath)>>,
}

/// Siblings that depend on each other in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cycle {
    /// The module that holds them; empty for the crate itself.
    pub(super) parent: ModulePath,
    /// The siblings, by name.
    pub(super) members: Vec<String>,
    /// References from one of them to another: from, to, and where.
    pub(super) edges: Vec<(String, String, String)>,
}

impl Modules {
    /// Reads the modules below a `src` folder.
    pub(super) fn read(folder: &Path) -> Result<Modules> {
        let mut texts = Vec::new();
        collect(folder, &mut Vec::new(), &mut texts)?;
        for (_, file, _) in &mut texts {
            if let Ok(inside) = file.strip_prefix(folder) {
                *file = inside.to_path_buf();
            }
        }
        Ok(Modules::of(texts))
    }

    /// The modules of a crate with these files.
    fn of(texts: Vec<(ModulePath, PathBuf, String)>) -> Modules {
        let mut files: BTreeMap<ModulePath, (PathBuf, Scanned)> = BTreeMap::new();
        for (module, file, text) in texts {
            files.insert(module, (file, scan::scan(&text)));
        }
        let tests: Vec<ModulePath> = files
            .iter()
            .flat_map(|(module, (_, scanned))| {
                scanned
                    .test_modules
                    .iter()
                    .map(|name| [module.as_slice(), std::slice::from_ref(name)].concat())
            })
            .collect();
        files.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
        let mut modules = Modules { files, aliases: BTreeMap::new() };
        let mut aliases: BTreeMap<ModulePath, Vec<(String, ModulePath)>> = BTreeMap::new();
        for (module, (_, scanned)) in &modules.files {
            for alias in &scanned.aliases {
                let inside = [module.as_slice(), &alias.within].concat();
                if let Some(path) = modules.absolute(&inside, &alias.path) {
                    aliases.entry(inside).or_default().push((alias.name.clone(), path));
                }
            }
        }
        modules.aliases = aliases;
        modules
    }

    /// The number of modules, the root included.
    pub(super) fn count(&self) -> usize {
        self.files.len()
    }

    /// The path from the root of the crate; `None` for what lies in other crates.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<ModulePath> {
        let mut base = module.to_vec();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => {
                base.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|word| word == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
            }
            first => {
                let child = [module, std::slice::from_ref(&first.to_string())].concat();
                if !self.files.contains_key(&child) {
                    return None;
                }
            }
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    /// The module in which the item at an absolute path is defined, aliases followed.
    fn home(&self, path: &[String], depth: usize) -> ModulePath {
        let mut module: ModulePath = Vec::new();
        for (number, name) in path.iter().enumerate() {
            let child = [module.as_slice(), std::slice::from_ref(name)].concat();
            if self.files.contains_key(&child) {
                module = child;
                continue;
            }
            let aliases = self.aliases.get(&module).map_or(&[][..], Vec::as_slice);
            if let Some((_, target)) = aliases.iter().find(|(alias, _)| alias == name)
                && depth < 8
            {
                return self.home(&[target.as_slice(), &path[number + 1..]].concat(), depth + 1);
            }
            break;
        }
        module
    }

    /// All cycles between siblings, at every level of the tree of modules.
    pub(super) fn cycles(&self) -> Vec<Cycle> {
        let mut edges: BTreeMap<ModulePath, BTreeMap<(String, String), String>> = BTreeMap::new();
        for (module, (file, scanned)) in &self.files {
            for reference in &scanned.references {
                let inside = [module.as_slice(), &reference.within].concat();
                let Some(path) = self.absolute(&inside, &reference.path) else { continue };
                let home = self.home(&path, 0);
                let common = module.iter().zip(&home).take_while(|(a, b)| a == b).count();
                let (Some(from), Some(to)) = (module.get(common), home.get(common)) else { continue };
                let place = format!("{}:{}", file.display(), reference.line);
                let siblings = edges.entry(module[..common].to_vec()).or_default();
                siblings.entry((from.clone(), to.clone())).or_insert(place);
            }
        }
        edges.into_iter().flat_map(|(parent, edges)| cycles_between(&parent, &edges)).collect()
    }
}

/// The cycles of one family of siblings: classes of modules that reach each other.
fn cycles_between(parent: &[String], edges: &BTreeMap<(String, String), String>) -> Vec<Cycle> {
    let names: BTreeSet<&String> = edges.keys().flat_map(|(from, to)| [from, to]).collect();
    let reachable: BTreeMap<&String, BTreeSet<&String>> =
        names.iter().map(|&name| (name, reached_from(name, edges))).collect();
    let mut cycles = Vec::new();
    let mut seen: BTreeSet<&String> = BTreeSet::new();
    for &name in &names {
        if seen.contains(name) || !reachable[name].contains(name) {
            continue;
        }
        let members: Vec<&String> =
            reachable[name].iter().copied().filter(|&other| reachable[other].contains(name)).collect();
        seen.extend(&members);
        let inner = edges.iter().filter(|((from, to), _)| members.contains(&from) && members.contains(&to));
        cycles.push(Cycle {
            parent: parent.to_vec(),
            edges: inner.map(|((from, to), place)| (from.clone(), to.clone(), place.clone())).collect(),
            members: members.into_iter().cloned().collect(),
        });
    }
    cycles
}

/// What is reached by at least one edge.
fn reached_from<'e>(start: &String, edges: &'e BTreeMap<(String, String), String>) -> BTreeSet<&'e String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![start];
    while let Some(name) = open.pop() {
        for (_, to) in edges.keys().filter(|(from, _)| from == name) {
            if reached.insert(to) {
                open.push(to);
            }
        }
    }
    reached
}

/// The source files below a folder, with the modules that they are.
fn collect(
    folder: &Path,
    module: &mut ModulePath,
    texts: &mut Vec<(ModulePath, PathBuf, String)>,
) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            module.push(stem);
            collect(&path, module, texts)?;
            module.pop();
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text =
                fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let is_root = module.is_empty() && matches!(stem.as_str(), "lib" | "main");
            let name = if is_root { Vec::new() } else { [module.as_slice(), &[stem]].concat() };
            texts.push((name, path, text));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modules(files: &[(&str, &str)]) -> Modules {
        Modules::of(
            files
                .iter()
                .map(|(name, text)| {
                    let path = name.split("::").filter(|part| !part.is_empty()).map(str::to_string).collect();
                    (path, PathBuf::from(name), text.to_string())
                })
                .collect(),
        )
    }

    fn members(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        modules(files).cycles().into_iter().map(|cycle| cycle.members).collect()
    }

    #[test]
    fn a_chain_has_no_cycle_and_a_ring_has_one() {
        let chain =
            [("", "mod a; mod b; mod c;"), ("a", "use crate::b::X;"), ("b", "use crate::c::Y;"), ("c", "")];
        assert_eq!(members(&chain), Vec::<Vec<String>>::new());
        let mut ring = chain;
        ring[3].1 = "fn f() { crate::a::g() }";
        assert_eq!(members(&ring), [["a", "b", "c"]]);
    }

    #[test]
    fn names_of_the_root_lead_to_where_they_are_defined() {
        let files = [("", "mod a; mod b; pub use b::X;"), ("a", "use crate::X;"), ("b", "use crate::a::Y;")];
        assert_eq!(members(&files), [["a", "b"]]);
    }

    #[test]
    fn a_module_and_its_children_are_one_unit_from_outside() {
        let inside = [("", "mod a;"), ("a", "mod c; use c::X; pub struct Y;"), ("a::c", "use super::Y;")];
        assert_eq!(members(&inside), Vec::<Vec<String>>::new());
        let outside = [("", ""), ("a", "mod c;"), ("a::c", "use crate::b::X;"), ("b", "use crate::a::Y;")];
        assert_eq!(members(&outside), [["a", "b"]]);
    }

    #[test]
    fn siblings_below_the_root_are_looked_at() {
        let files = [
            ("", ""),
            ("p", "pub(crate) use a::X;"),
            ("p::a", "use super::b::Y;"),
            ("p::b", "use super::X;"),
        ];
        let cycles = modules(&files).cycles();
        assert_eq!((cycles.len(), cycles[0].parent.as_slice()), (1, &["p".to_string()][..]));
    }

    #[test]
    fn modules_of_tests_are_left_out() {
        let files = [
            ("", "#[cfg(test)] mod tests; mod a;"),
            ("tests", "use crate::a::X;"),
            ("a", "use crate::tests::Y;"),
        ];
        assert_eq!(members(&files), Vec::<Vec<String>>::new());
    }
}
