//! A tiny package with a test that notices one fault and not another.

use super::*;

const LIBRARY: &str = "\
pub fn add(a: u8, b: u8) -> u8 { a + b }
pub fn unused() -> u8 { 7 }
#[test]
fn adds() { assert_eq!(add(2, 3), 5); }
";

fn mutant(name: &str, find: &str, replace: &str, test: &str) -> Mutant {
    Mutant {
        name: name.into(),
        file: "src/lib.rs".into(),
        find: find.into(),
        replace: replace.into(),
        test: test.into(),
    }
}

#[test]
fn faults_are_caught_survive_or_prove_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/lib.rs"), LIBRARY).unwrap();
    fs::write(
        folder.path().join("Cargo.toml"),
        "[package]\nname = \"tiny\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n",
    )
    .unwrap();
    let limits = Limits { wall: Duration::from_secs(60), resident_bytes: 4 << 30 };
    let bench = Bench { tree: folder.path().into(), target: folder.path().join("target"), limits };
    let void = |reason: &str| Fate::Void(reason.to_string());
    let all = "cargo test --offline --lib";
    let cases = [
        (mutant("minus", "a + b", "a.wrapping_sub(b)", all), Fate::Caught),
        (mutant("unused", "{ 7 }", "{ 8 }", all), Fate::Survived),
        (mutant("no Rust", "a + b", "a +", all), void("it does not compile")),
        (mutant("absent", "a * b", "a + b", all), void("its text is not in the file")),
        (mutant("twice", "u8", "u16", all), void("its text is in the file 4 times")),
        (mutant("same", "a + b", "a + b", all), void("it changes nothing")),
        (
            mutant("no test", "a + b", "a - b", "cargo test --offline --test none"),
            void("the tests do not build without the fault"),
        ),
    ];
    let mutants: Vec<Mutant> = cases.iter().map(|(mutant, _)| mutant.clone()).collect();
    let fates = bench.try_all(&mutants).unwrap();
    for ((mutant, expected), fate) in cases.iter().zip(&fates) {
        assert_eq!(fate, expected, "{}", mutant.name);
    }
    assert_eq!(fs::read_to_string(folder.path().join("src/lib.rs")).unwrap(), LIBRARY);
}

/// Every entry of the list still fits the sources: found out here, not after an hour of builds.
#[test]
fn the_list_fits_the_sources() {
    let text = fs::read_to_string(project::root().join("crates/xtask/mutants.toml")).unwrap();
    let list: List = toml::from_str(&text).unwrap();
    assert!(!list.mutant.is_empty());
    for mutant in &list.mutant {
        let source = fs::read_to_string(project::root().join(&mutant.file))
            .unwrap_or_else(|error| panic!("{}: {}: {error}", mutant.name, mutant.file.display()));
        if let Err(reason) = seed(&source, &mutant.find, &mutant.replace) {
            panic!("{}: {reason} ({})", mutant.name, mutant.file.display());
        }
        assert!(mutant.test.starts_with("cargo test"), "{}: {}", mutant.name, mutant.test);
    }
}
