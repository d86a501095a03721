//! Invariants have unique codes: each is stated once in the workspace.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The code that a comment line states: `- **MDD-S1 …` or `**O1** …` at its beginning.
fn stated_code(line: &str) -> Option<&str> {
    let text = line.trim_start().trim_start_matches(['/', '!']).trim_start();
    let text = text.strip_prefix("- ").unwrap_or(text).strip_prefix("**")?;
    let end = text.find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-'))?;
    let code = &text[..end];
    let is_code =
        code.starts_with(|c: char| c.is_ascii_uppercase()) && code.ends_with(|c: char| c.is_ascii_digit());
    is_code.then_some(code)
}

fn collect(folder: &Path, stated: &mut BTreeMap<String, Vec<String>>) {
    let mut entries: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, stated);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("text");
            for (number, line) in
                text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("//"))
            {
                if let Some(code) = stated_code(line) {
                    let place = format!("{}:{}", path.display(), number + 1);
                    stated.entry(code.to_string()).or_default().push(place);
                }
            }
        }
    }
}

#[test]
fn every_invariant_is_stated_once() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut stated = BTreeMap::new();
    for entry in fs::read_dir(crates).expect("the crates") {
        let source = entry.expect("a crate").path().join("src");
        if source.is_dir() {
            collect(&source, &mut stated);
        }
    }
    assert!(stated.len() > 50, "codes are found: {stated:?}");
    let repeated: Vec<_> = stated.iter().filter(|(_, places)| places.len() > 1).collect();
    assert!(repeated.is_empty(), "codes that are stated more than once: {repeated:#?}");
}

#[test]
fn codes_are_recognised() {
    assert_eq!(stated_code("//! - **MDD-S1 saturated** – a node"), Some("MDD-S1"));
    assert_eq!(stated_code("//! **O1** in every layer"), Some("O1"));
    assert_eq!(stated_code("/// - **Input** is wrong"), None);
    assert_eq!(stated_code("/// relies on **K1**"), None);
}
