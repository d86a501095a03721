//! A run that did not replay is a bug of this program: it is saved where the user can send it.

use crate::answer::Answer;
use crate::session::Session;
use std::path::PathBuf;
use std::{env, fs, process};
use symbolon_checker::InputError;
use symbolon_report::Status;

/// Saves the run that did not replay, if that is why an answer is unknown, and warns of it.
pub(crate) fn save(session: &Session, answer: &dyn Answer) {
    let Status::Unknown(unknown) = answer.status() else { return };
    let Some(run) = &unknown.failed_run else { return };
    let command: Vec<String> = env::args().collect();
    let text = format!("# symbolon {}\n# {}\n{run}", env!("CARGO_PKG_VERSION"), command.join(" "));
    let message = match write(&text) {
        Some(file) => format!(
            "a run that symbolon found does not replay; please report this bug, with the model and the file '{}'",
            file.display()
        ),
        None => {
            "a run that symbolon found does not replay; please report this bug, with the model".to_string()
        }
    };
    session.warn(&[InputError { is_warning: true, ..InputError::plain(message) }]);
}

/// Writes the file into the current folder, or else into the one for temporary files.
fn write(text: &str) -> Option<PathBuf> {
    let name = format!("symbolon-failed-run-{}.txt", process::id());
    [PathBuf::new(), env::temp_dir()]
        .into_iter()
        .map(|folder| folder.join(&name))
        .find(|file| fs::write(file, text).is_ok())
}
