//! From bytes to text: byte order marks, the encoding that an XML declaration names, and content
//! that is not text at all.
//!
//! Supported are UTF-8, UTF-16 (recognised by its mark or its zero bytes), ASCII and Latin-1;
//! windows-1252 is read as Latin-1, from which it differs only in typographic marks. Text that
//! claims to be UTF-8 and is not is read as Latin-1 with a warning: such files exist, and only
//! labels suffer.

use crate::findings::{Findings, Step};
use std::borrow::Cow;

/// The text of an XML file.
pub fn decode_xml<'a>(bytes: &'a [u8], findings: &mut Findings) -> Step<Cow<'a, str>> {
    if let Some(text) = decode_utf16(bytes) {
        return text
            .ok_or(())
            .map(Cow::Owned)
            .map_err(|()| findings.fatal(0, "the text is not valid UTF-16"));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    refuse_binary(bytes, findings)?;
    let declared = declared_encoding(bytes);
    match declared.as_deref() {
        Some(
            "iso-8859-1" | "iso8859-1" | "iso_8859-1" | "latin1" | "latin-1" | "l1" | "iso-8859-15"
            | "windows-1252" | "cp1252",
        ) => Ok(decode_latin1(bytes)),
        None | Some("utf-8" | "utf8" | "us-ascii" | "ascii" | "utf-16") => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(error) => {
                let text = decode_latin1(bytes);
                let byte = bytes[error.valid_up_to()];
                // Each byte before the bad one that is not ASCII takes two bytes as decoded text.
                let offset =
                    error.valid_up_to() + bytes[..error.valid_up_to()].iter().filter(|b| **b > 127).count();
                findings.warning(
                    offset,
                    format!("byte 0x{byte:02X} is not valid UTF-8; the file is read as ISO-8859-1"),
                );
                findings.hint("declare encoding=\"ISO-8859-1\" or save the file as UTF-8");
                Ok(text)
            }
        },
        Some(other) => match std::str::from_utf8(bytes) {
            Ok(text) => {
                if !bytes.is_ascii() {
                    findings
                        .warning(0, format!("encoding \"{other}\" is not known; the file is read as UTF-8"));
                }
                Ok(Cow::Borrowed(text))
            }
            Err(_) => Err(findings.fatal_with_hint(
                0,
                format!("encoding \"{other}\" is not supported"),
                "save the file as UTF-8",
            )),
        },
    }
}

/// Each byte is the character of that number.
pub fn decode_latin1(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if bytes.is_ascii() => Cow::Borrowed(text),
        _ => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// Fails with a friendly word on archives, pictures and other content that is not text.
pub fn refuse_binary(bytes: &[u8], findings: &mut Findings) -> Step<()> {
    refuse_binary_for(bytes, "expected a text, such as PNML", findings)
}

/// The same for a text of another kind: `expected` is the hint, unless unpacking may help.
pub fn refuse_binary_for(bytes: &[u8], expected: &str, findings: &mut Findings) -> Step<()> {
    let known: &[(&[u8], &str, &str)] = &[
        (b"\x1F\x8B", "a gzip archive", "unpack it first: gunzip FILE, or tar xzf FILE"),
        (b"PK\x03\x04", "a ZIP archive", "unpack it first: unzip FILE"),
        (b"BZh", "a bzip2 archive", "unpack it first: bunzip2 FILE"),
        (b"\xFD7zXZ\x00", "an xz archive", "unpack it first: unxz FILE"),
        (b"7z\xBC\xAF\x27\x1C", "a 7z archive", "unpack it first"),
        (b"(\xB5/\xFD", "a Zstandard archive", "unpack it first: unzstd FILE"),
        (b"%PDF-", "a PDF document", expected),
        (b"\x7FELF", "a program", expected),
    ];
    for (magic, what, hint) in known {
        if bytes.starts_with(magic) {
            return Err(findings.fatal_with_hint(None, format!("the file is {what}, expected text"), *hint));
        }
    }
    if let Some(offset) = bytes.iter().position(|&byte| byte == 0) {
        let message = format!("the file is binary: byte {} is zero", offset + 1);
        return Err(findings.fatal_with_hint(None, message, expected));
    }
    Ok(())
}

/// `None` if this is not UTF-16, `Some(None)` if it is broken UTF-16.
fn decode_utf16(bytes: &[u8]) -> Option<Option<String>> {
    let (rest, big_endian) = match bytes {
        [0xFE, 0xFF, rest @ ..] => (rest, true),
        [0xFF, 0xFE, rest @ ..] => (rest, false),
        [0, b'<', 0, _, ..] => (bytes, true),
        [b'<', 0, _, 0, ..] => (bytes, false),
        _ => return None,
    };
    let pairs = rest.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return Some(None);
    }
    let units = pairs.map(|pair| {
        let pair = [pair[0], pair[1]];
        if big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
    });
    Some(char::decode_utf16(units).collect::<Result<String, _>>().ok().filter(|text| !text.contains('\0')))
}

/// The encoding named by an XML declaration, in lower case.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(300)];
    if !head.trim_ascii_start().starts_with(b"<?xml") {
        return None;
    }
    let head = String::from_utf8_lossy(head);
    let declaration = head.split_once("?>").map_or(&*head, |(declaration, _)| declaration);
    let (_, rest) = declaration.split_once("encoding")?;
    let rest = rest.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|c| *c == '"' || *c == '\'')?;
    let name = rest[1..].split(quote).next()?;
    Some(name.trim().to_ascii_lowercase())
}
