//! Real nets: every file of the shared corpus reads with the counts that its description gives.

use std::path::{Path, PathBuf};
use symbolon_budget::Budget;
use symbolon_petri::read::{Format, guess_format, read_pnml};
use symbolon_petri::write::write_pnml;
use symbolon_petri::{Net, ReadFailure, UnitClaim};

/// The shared corpus, if it is there.
fn corpus(folder: &str) -> Option<PathBuf> {
    let root = std::env::var_os("SYMBOLON_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let path = root.join(folder);
    if !path.is_dir() {
        println!("SKIPPED: there is no corpus at {}", path.display());
        return None;
    }
    Some(path)
}

fn json(path: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads a file and checks what must hold for every net.
fn check(path: &Path) -> Net {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(guess_format(&bytes, None), Some(Format::Pnml), "{}", path.display());
    let reading = read_pnml(&bytes, &Budget::unlimited())
        .unwrap_or_else(|failure| panic!("{}: {failure}", path.display()));
    assert_eq!(reading.warnings, [], "{}", path.display());
    assert_eq!(reading.net.check(), Ok(()), "{}", path.display());
    let text = write_pnml(&reading.net);
    let again = read_pnml(text.as_bytes(), &Budget::unlimited())
        .unwrap_or_else(|failure| panic!("{} after writing: {failure}", path.display()));
    assert!(again.net == reading.net, "{} changes when written and read", path.display());
    assert_eq!(again.warnings, [], "{}", path.display());
    reading.net
}

#[test]
fn contest_nets_have_the_counts_of_their_description() {
    let Some(folder) = corpus("mcc") else { return };
    let (mut plain, mut coloured) = (0, 0);
    for entry in std::fs::read_dir(folder).expect("the corpus can be listed") {
        let folder = entry.expect("the corpus can be listed").path();
        let model = folder.join("model.pnml");
        if !model.is_file() {
            continue;
        }
        let meta = json(&folder.join("meta.json"));
        let name = meta["model"].as_str().expect("a name").to_string();
        if meta["type"] == "COL" {
            coloured += 1;
            let bytes = std::fs::read(&model).expect("readable");
            let Err(ReadFailure::Invalid(error)) = read_pnml(&bytes, &Budget::unlimited()) else {
                panic!("{name}: a coloured net was read")
            };
            let message = &error.first().expect("an error").message;
            assert!(
                message.starts_with("a place/transition net has no colours: found "),
                "{name}: {message}"
            );
            continue;
        }
        plain += 1;
        let net = check(&model);
        let counts = [net.places.len(), net.transitions.len(), net.arc_count()].map(|count| count as u64);
        let expected = ["places", "transitions", "arcs"].map(|key| meta[key].as_u64().expect("a count"));
        assert_eq!(counts, expected, "{name}: places, transitions, arcs");
        let unit_count = meta["nupn_units"].as_u64().unwrap_or(0);
        assert_eq!(net.units.len() as u64, unit_count, "{name}: units");
        let claim = match (unit_count, meta["nupn_safe"].as_str()) {
            (0, _) => UnitClaim::Nothing,
            (_, Some("true")) => UnitClaim::UnitSafe,
            _ => UnitClaim::NestedUnits,
        };
        assert_eq!(net.unit_claim, claim, "{name}: claim");
    }
    println!("{plain} place/transition nets and {coloured} coloured nets");
    assert!(plain >= 130 && coloured >= 50);
}

#[test]
fn nets_of_the_bounded_search_paper_have_the_expected_counts() {
    let Some(folder) = corpus("nets") else { return };
    let expected = json(&folder.join("expected.json"));
    let mut count = 0;
    for (name, facts) in expected.as_object().expect("an object") {
        let (Some(places), Some(transitions)) = (facts["places"].as_u64(), facts["transitions"].as_u64())
        else {
            continue;
        };
        count += 1;
        let net = check(&folder.join(format!("{name}.pnml")));
        assert_eq!(
            (net.places.len() as u64, net.transitions.len() as u64),
            (places, transitions),
            "{name}: places, transitions"
        );
    }
    assert!(count >= 10);
}
