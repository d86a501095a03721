//! Compressed models: gzip is decompressed while reading; for archives, which may hold many files,
//! the message says what they are, which nets are inside, and how to get at them.
//!
//! The content decides, never the name: a file is what its first bytes say.

use crate::failure::Failure;
use crate::numbers;
use crate::session::Session;
use flate2::bufread::GzDecoder;
use flate2::read::MultiGzDecoder;
use std::io::{self, ErrorKind, Read};
use symbolon_checker::{InputError, Interrupted, Stop};

const GZIP: &[u8] = b"\x1F\x8B";
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
/// Unpacking looks at the limits once a piece.
const PIECE: usize = 1 << 20;
/// The largest number of nets of an archive that a message names.
const NETS_NAMED: usize = 3;
/// An archive is searched for nets up to here.
const MOST_ENTRIES: usize = 10_000;
const MOST_ARCHIVE_BYTES: u64 = 1 << 28;

/// The content of a file, decompressed if it is compressed with gzip. Archives are refused.
pub(crate) fn unpack(session: &Session, bytes: Vec<u8>, name: &str) -> Result<Vec<u8>, Stop> {
    if ZIP.iter().any(|magic| bytes.starts_with(magic)) {
        return Err(archive(name, "a ZIP archive", "unzip", zip_entries(&bytes)).into());
    }
    if is_tar(&bytes) {
        return Err(archive(name, "a tar archive", "tar xf", tar_entries(&bytes[..])).into());
    }
    if !bytes.starts_with(GZIP) {
        return Ok(bytes);
    }
    match gunzip(session, &bytes) {
        Ok((content, trailing)) => {
            if trailing > 0 {
                let message = format!(
                    "{} after the end of the gzip data are ignored",
                    numbers::counted(trailing, "byte")
                );
                session.warn(&[InputError { is_warning: true, ..in_file(name, message) }]);
            }
            session.explain(&format!(
                "unpacked {} of gzip to {}",
                numbers::bytes(bytes.len() as u64),
                numbers::bytes(content.len() as u64)
            ));
            Ok(content)
        }
        Err(Broken::Tar) => {
            let entries = tar_entries(MultiGzDecoder::new(&bytes[..]));
            Err(archive(name, "a tar archive compressed with gzip", "tar xzf", entries).into())
        }
        Err(Broken::Interrupted(why)) => Err(session.interrupted(why).into()),
        Err(Broken::Data(error)) => {
            let message = match error.kind() {
                ErrorKind::UnexpectedEof => "the gzip data is cut off".to_string(),
                _ => format!("the gzip data is damaged: {error}"),
            };
            Err(in_file(name, message).with_hint("is the file complete? try: gzip -t FILE").into())
        }
    }
}

/// Why gzip data could not be unpacked to a model.
enum Broken {
    /// It holds an archive.
    Tar,
    /// A limit would be passed: a small file can hold an endless one.
    Interrupted(Interrupted),
    /// It is not what gzip writes.
    Data(io::Error),
}

/// The content of gzip data, and the number of bytes behind it that belong to nothing. As `gzip`
/// does: several pieces of gzip data are read as one, and zeros that fill a tape are no bytes worth
/// mentioning.
fn gunzip(session: &Session, bytes: &[u8]) -> Result<(Vec<u8>, u64), Broken> {
    let account = session.budget.memory();
    let mut reader = GzDecoder::new(bytes);
    let mut trailing = 0;
    let mut content = Vec::new();
    let mut charged = 0;
    let end = loop {
        // Memory is charged before it is used, so that the limit is not exceeded.
        let may_go_on =
            session.budget.check_room_for(PIECE as u64).and_then(|()| account.charge(PIECE as u64));
        if let Err(why) = may_go_on {
            break Err(Broken::Interrupted(why));
        }
        charged += PIECE as u64;
        match reader.by_ref().take(PIECE as u64).read_to_end(&mut content) {
            Ok(0) => match reader.into_inner() {
                more if more.starts_with(GZIP) => reader = GzDecoder::new(more),
                rest => {
                    trailing = if rest.iter().any(|&byte| byte != 0) { rest.len() as u64 } else { 0 };
                    break Ok(());
                }
            },
            Ok(_) if is_tar(&content) => break Err(Broken::Tar),
            Ok(_) => {}
            Err(error) => break Err(Broken::Data(error)),
        }
    };
    account.release(charged);
    end.map(|()| (content, trailing))
}

/// What is said of an archive.
fn archive(name: &str, kind: &str, command: &str, entries: Option<Vec<String>>) -> Failure {
    let mut message = format!("this is {kind}, expected a net");
    if let Some(entries) = entries {
        let nets: Vec<&String> = entries.iter().filter(|entry| is_net(entry)).collect();
        let named: Vec<String> = nets.iter().take(NETS_NAMED).map(|net| format!("'{net}'")).collect();
        message.push_str("; ");
        message.push_str(&match nets.len() {
            0 => "no .pnml file was found in it".to_string(),
            count if count > NETS_NAMED => {
                format!("it contains {} and {} more .pnml files", named.join(", "), count - NETS_NAMED)
            }
            _ => format!("it contains {}", named.join(", ")),
        });
    }
    let hint = format!("unpack it first: {command} FILE; then give the .pnml file");
    in_file(name, message).with_hint(hint).into()
}

/// Whether an entry of an archive is called like a net. Names that begin with `._` hold what macOS
/// adds to a file.
fn is_net(entry: &str) -> bool {
    let name = entry.rsplit('/').next().unwrap_or(entry);
    name.to_ascii_lowercase().ends_with(".pnml") && !name.starts_with("._")
}

fn in_file(name: &str, message: String) -> InputError {
    let mut error = InputError::plain(message);
    error.file = Some(name.to_string());
    error
}

/// A header of the tar formats that are in use.
fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(257..262) == Some(b"ustar")
}

/// The names of the files in a tar archive, as far as they can be read.
fn tar_entries(reader: impl Read) -> Option<Vec<String>> {
    const BLOCK: u64 = 512;
    let mut reader = reader.take(MOST_ARCHIVE_BYTES);
    let mut names = Vec::new();
    let mut header = [0; BLOCK as usize];
    for _ in 0..MOST_ENTRIES {
        if reader.read_exact(&mut header).is_err() || !is_tar(&header) {
            break;
        }
        let text = |bytes: &[u8]| {
            let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            String::from_utf8_lossy(&bytes[..end]).into_owned()
        };
        let (name, prefix) = (text(&header[..100]), text(&header[345..500]));
        let size = u64::from_str_radix(text(&header[124..136]).trim(), 8).unwrap_or(0);
        // In the older GNU format other things stand where newer ones have the folder.
        let has_prefix = &header[257..263] == b"ustar\0" && !prefix.is_empty();
        // Only plain files count; other entries carry longer names, links and the like.
        let is_file = matches!(header[156], b'0' | 0);
        if is_file {
            names.push(if has_prefix { format!("{prefix}/{name}") } else { name });
        }
        let blocks = size.div_ceil(BLOCK).saturating_mul(BLOCK);
        io::copy(&mut reader.by_ref().take(blocks), &mut io::sink()).ok()?;
    }
    Some(names)
}

/// The names of the files in a ZIP archive, from the directory at its end; nothing if that is not
/// where it should be.
fn zip_entries(bytes: &[u8]) -> Option<Vec<String>> {
    const END: &[u8] = b"PK\x05\x06";
    const END_LENGTH: usize = 22;
    const ENTRY: &[u8] = b"PK\x01\x02";
    const ENTRY_LENGTH: usize = 46;
    let short =
        |at: usize| bytes.get(at..at + 2).map(|two| usize::from(u16::from_le_bytes([two[0], two[1]])));
    // A comment of up to 65535 bytes may follow.
    let first = bytes.len().saturating_sub(END_LENGTH + usize::from(u16::MAX));
    let end = first + bytes[first..].windows(END.len()).rposition(|window| window == END)?;
    let offset = bytes.get(end + 16..end + 20)?;
    let mut at = u32::from_le_bytes([offset[0], offset[1], offset[2], offset[3]]) as usize;
    let mut names = Vec::new();
    for _ in 0..short(end + 10)?.min(MOST_ENTRIES) {
        if bytes.get(at..at + 4)? != ENTRY {
            return None;
        }
        let name_length = short(at + 28)?;
        let name = bytes.get(at + ENTRY_LENGTH..at + ENTRY_LENGTH + name_length)?;
        names.push(String::from_utf8_lossy(name).into_owned());
        at += ENTRY_LENGTH + name_length + short(at + 30)? + short(at + 32)?;
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ZIP archive of empty files, as far as its directory goes.
    fn zip(names: &[&str], comment: &str) -> Vec<u8> {
        let mut bytes = b"PK\x03\x04what the files contain".to_vec();
        let start = bytes.len() as u32;
        for name in names {
            let mut entry = [0; 46];
            entry[..4].copy_from_slice(b"PK\x01\x02");
            entry[28..30].copy_from_slice(&(name.len() as u16).to_le_bytes());
            entry[30] = 3;
            bytes.extend(entry);
            bytes.extend(name.as_bytes());
            bytes.extend(b"xyz");
        }
        let mut end = [0; 22];
        end[..4].copy_from_slice(b"PK\x05\x06");
        end[10..12].copy_from_slice(&(names.len() as u16).to_le_bytes());
        end[16..20].copy_from_slice(&start.to_le_bytes());
        end[20..22].copy_from_slice(&(comment.len() as u16).to_le_bytes());
        bytes.extend(end);
        bytes.extend(comment.as_bytes());
        bytes
    }

    #[test]
    fn the_directory_of_a_zip_archive() {
        let names = ["a/model.pnml", "é.pnml", "read me.txt"];
        for comment in ["", "a comment"] {
            let archive = zip(&names, comment);
            assert_eq!(zip_entries(&archive).as_deref(), Some(&names.map(String::from)[..]));
            // Nothing that is cut off or changed may do harm.
            for cut in 0..archive.len() {
                let _ = zip_entries(&archive[..cut]);
                let mut changed = archive.clone();
                changed[cut] = 0xFF;
                let _ = zip_entries(&changed);
            }
        }
        assert_eq!(zip_entries(&zip(&[], "")), Some(Vec::new()));
        assert_eq!(zip_entries(b"PK\x03\x04"), None);
    }

    #[test]
    fn what_is_said_of_an_archive() {
        let said = |entries: Option<&[&str]>| {
            let entries = entries.map(|names| names.iter().map(|name| name.to_string()).collect());
            archive("f", "a ZIP archive", "unzip", entries).0[0].message.clone()
        };
        assert_eq!(said(None), "this is a ZIP archive, expected a net");
        assert_eq!(
            said(Some(&["x"])),
            "this is a ZIP archive, expected a net; no .pnml file was found in it"
        );
        assert!(
            said(Some(&["x", "a.pnml", "y/._a.pnml", "b.PNML"]))
                .ends_with("; it contains 'a.pnml', 'b.PNML'")
        );
        assert!(
            said(Some(&["1.pnml"; 5]))
                .ends_with("; it contains '1.pnml', '1.pnml', '1.pnml' and 2 more .pnml files")
        );
    }
}
