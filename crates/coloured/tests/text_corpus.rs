//! The coloured nets of the contest, and those of the paper, are the same when they are printed as
//! text and read again.

use symbolon_budget::Budget;
use symbolon_coloured::read::read_pnml;
use symbolon_coloured::text::{guess, print_text, read_text};
use symbolon_testkit::corpus_folder;

#[test]
fn all_coloured_nets_of_the_corpus_survive_as_text() {
    let Some(folder) = corpus_folder("coloured nets as text") else { return };
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
        let net =
            read_pnml(&bytes, &budget).unwrap_or_else(|error| panic!("{}: {error}", file.display())).net;
        let text = print_text(&net);
        assert!(guess(&text), "{}", file.display());
        let read = read_text(text.as_bytes(), &budget);
        let read = read.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        // The nets are large, and their difference would fill many screens.
        assert!(read.net == net, "{} is not the same", file.display());
        println!("{}: {} bytes", file.display(), text.len());
    }
}
