//! The table in its file while cells are still being run: it has a row for each cell that is done,
//! so that a lost connection or a killed process costs nothing that was measured.
//!
//! The file is written anew each time, in one step, and is always whole. If cells are so quick that
//! writing would be most of the work, some rows wait for the next one.

use super::comparison::Comparison;
use super::{Look, tables};
use crate::failure::Failure;
use crate::output_file::write_file;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Writing may take this part of the time.
const PART: u32 = 10;

/// Writes what there is so far.
pub(super) struct SoFar {
    file: PathBuf,
    look: Look,
    start: Instant,
    /// The time that writing took, and whether a later write failed.
    spent: Mutex<(Duration, bool)>,
}

impl SoFar {
    /// Writes the table without rows, so that a file that cannot be written is known before anything
    /// is measured. None for what is not an ordinary file, which is written once, at the end.
    pub(super) fn begin(file: &Path, look: Look, nothing: &Comparison) -> Result<Option<SoFar>, Failure> {
        if std::fs::metadata(file).is_ok_and(|known| !known.is_file() && !known.is_dir()) {
            return Ok(None);
        }
        let start = Instant::now();
        write_file(file, &text(nothing, look))?;
        let spent = Mutex::new((start.elapsed(), false));
        Ok(Some(SoFar { file: file.to_path_buf(), look, start, spent }))
    }

    /// Writes the rows that there are. Errors are left to the last write, which reports them.
    pub(super) fn write(&self, comparison: impl FnOnce() -> Comparison) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        if spent.1 || spent.0 * PART > self.start.elapsed() {
            return;
        }
        let begin = Instant::now();
        // Under the lock, so that an older table never replaces a newer one.
        spent.1 = write_file(&self.file, &text(&comparison(), self.look)).is_err();
        spent.0 += begin.elapsed();
    }
}

/// The table as it stands in a file.
pub(super) fn text(comparison: &Comparison, look: Look) -> String {
    let table = tables::table(comparison, look.format, look.rows, look.limits, tables::Room::default());
    anstream::adapter::strip_str(&table).to_string()
}
