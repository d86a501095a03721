//! The way to the corpus of real models, which lies outside the repository.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of the corpus: where `SYMBOLON_CORPUS` points, or `../shared` beside the repository.
///
/// Where there is none, `what` is named in a line that says so, also when tests are run quietly.
pub fn corpus_folder(what: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("SYMBOLON_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    if folder.is_dir() {
        return Some(folder);
    }
    skip(&format!("{what}: no corpus at {}; set SYMBOLON_CORPUS", folder.display()));
    None
}

/// The folder of one instance of the Model Checking Contest, such as `Kanban-PT-00005`.
pub fn contest_instance(instance: &str) -> Option<PathBuf> {
    let folder = corpus_folder(instance)?.join("mcc").join(instance);
    if folder.join("model.pnml").is_file() {
        return Some(folder);
    }
    skip(&format!("{instance}: no model at {}", folder.display()));
    None
}

/// Says that something is not tested. The test harness swallows what the printing macros print in
/// tests that pass, so this writes to the stream itself.
fn skip(what: &str) {
    // Nothing sensible can be done if even this cannot be written.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {what}");
}
