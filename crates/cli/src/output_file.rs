//! Writing an answer to a file: all of it, or the file stays as it was.
//!
//! The text first goes to a file of another name in the same folder, which then takes the place of
//! the wanted one in a single step. So a half-written file is never visible, and a full disk does
//! not destroy an older version.

use crate::failure::Failure;
use std::ffi::OsString;
use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, IntoInnerError, Write};
use std::path::{Path, PathBuf};

/// Writes `content` to the file at `path`, which may exist. What is displayed piece by piece is
/// written so.
pub(crate) fn write_file(path: &Path, content: &dyn Display) -> Result<(), Failure> {
    let refused = |why: &str| Failure::plain(format!("cannot write '{}': {why}", path.display()));
    if path.as_os_str().is_empty() {
        return Err(refused("the name is empty"));
    }
    let written = match fs::metadata(path) {
        Ok(known) if known.is_dir() => return Err(refused("this is a folder, expected a file")),
        Ok(known) if !known.is_file() => write_in_place(path, content),
        Ok(known) if known.permissions().readonly() => return Err(refused("the file is write-protected")),
        // What a link leads to is replaced, not the link.
        Ok(known) => {
            fs::canonicalize(path).and_then(|path| replace(&path, content, Some(known.permissions())))
        }
        Err(_) => replace(path, content, None),
    };
    written.map_err(|error| match error.kind() {
        ErrorKind::PermissionDenied => refused("permission denied"),
        ErrorKind::NotFound => refused("there is no such folder"),
        _ => refused(&error.to_string()),
    })
}

/// Devices and pipes (`/dev/stdout`) cannot be replaced; there a closed pipe is not an error.
fn write_in_place(path: &Path, content: &dyn Display) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    match write_all(file, content) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.map(drop),
    }
}

fn write_all(file: File, content: &dyn Display) -> io::Result<File> {
    let mut out = BufWriter::new(file);
    write!(out, "{content}")?;
    out.into_inner().map_err(IntoInnerError::into_error)
}

fn replace(path: &Path, content: &dyn Display, permissions: Option<fs::Permissions>) -> io::Result<()> {
    let (beside, file) = create_beside(path)?;
    let written = write_all(file, content)
        .and_then(|file| {
            permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions))?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The first error is the one to report; a file that cannot be removed adds nothing to it.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A fresh file in the folder of `path`.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    const MOST_TRIES: u32 = 100;
    let name = path.file_name().ok_or_else(|| io::Error::other("this is not the name of a file"))?;
    let mut last = io::Error::other("no free name for a temporary file");
    for number in 0..MOST_TRIES {
        let mut beside = OsString::from(".");
        beside.push(name);
        beside.push(format!(".{}-{number}.tmp", std::process::id()));
        let beside = path.with_file_name(beside);
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Ok(file) => return Ok((beside, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &Path, says: &str) {
        let failure = write_file(path, &"text").expect_err(says);
        assert!(failure.0[0].message.contains(says), "{failure:?}");
    }

    #[test]
    fn files_are_written_and_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ein Netz é.pnml");
        for text in ["one", "a longer two", "3"] {
            write_file(&path, &text).expect("written");
            assert_eq!(fs::read_to_string(&path).ok().as_deref(), Some(text));
        }
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }

    #[test]
    fn what_cannot_be_written_is_explained() {
        let folder = tempfile::tempdir().expect("a folder");
        check(folder.path(), "this is a folder");
        check(&folder.path().join("no/such/file"), "no such folder");
        check(Path::new(""), "empty");
        let locked = folder.path().join("locked");
        fs::write(&locked, "old").expect("written");
        let mut permissions = fs::metadata(&locked).expect("there").permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&locked, permissions).expect("set");
        check(&locked, "write-protected");
        assert_eq!(fs::read_to_string(&locked).ok().as_deref(), Some("old"));
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_devices_stay_devices() {
        let folder = tempfile::tempdir().expect("a folder");
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "old").expect("written");
        std::os::unix::fs::symlink(&target, &link).expect("linked");
        write_file(&link, &"new").expect("written");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(fs::read_to_string(&target).ok().as_deref(), Some("new"));
        write_file(Path::new("/dev/null"), &"new").expect("written");
    }
}
