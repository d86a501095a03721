//! The coloured nets of the contest, and those of the paper, are read.

use symbolon_budget::Budget;
use symbolon_coloured::read::{is_coloured_pnml, read_pnml};
use symbolon_testkit::corpus_folder;

#[test]
fn all_coloured_nets_of_the_corpus_are_read() {
    let Some(folder) = corpus_folder("coloured nets") else { return };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder.join("mcc")).expect("the contest's nets are there").flatten() {
        if entry.file_name().to_string_lossy().contains("-COL-") {
            files.push(entry.path().join("model.pnml"));
        }
    }
    assert_eq!(files.len(), 55);
    for entry in std::fs::read_dir(folder.join("symmetric")).expect("the paper's nets are there").flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "pnml") {
            files.push(entry.path());
        }
    }
    let budget = Budget::unlimited();
    for file in files {
        let bytes = std::fs::read(&file).expect("the file can be read");
        assert!(is_coloured_pnml(&bytes, &budget), "{}", file.display());
        let reading =
            read_pnml(&bytes, &budget).unwrap_or_else(|error| panic!("{}: {error:?}", file.display()));
        assert_eq!(reading.warnings, [], "{}", file.display());
        assert_eq!(reading.net.check(), Ok(()), "{}", file.display());
    }
}
