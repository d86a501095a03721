//! Models as they come: compressed with gzip, with the line ends and marks of other systems, under
//! odd names; and what is said of archives.

use crate::json::validated;
use crate::nets::ONE_STEP;
use crate::program::{line_in, line_with_input, symbolon};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;

/// One step from `p` to `q`, as an `.ll_net` file.
const LL_NET: &str = "PEP\nPTNet\nFORMAT_N\nPL\n1\"p\"M1\n2\"q\"\nTR\n1\"t\"\nTP\n1<2\nPT\n1>1\n";

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).expect("packed");
    encoder.finish().expect("packed")
}

/// A tar archive of files with a name and a content.
fn tar(files: &[(&str, &str)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, content) in files {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[156] = b'0';
        header[257..265].copy_from_slice(b"ustar\x0000");
        bytes.extend(header);
        bytes.extend(content.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

/// A ZIP archive of files that are not packed.
fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let start = bytes.len() as u32;
        let mut local = [0; 30];
        local[..4].copy_from_slice(b"PK\x03\x04");
        local[18..22].copy_from_slice(&(content.len() as u32).to_le_bytes());
        local[26..28].copy_from_slice(&(name.len() as u16).to_le_bytes());
        bytes.extend(local);
        bytes.extend(name.as_bytes());
        bytes.extend(content.as_bytes());
        let mut entry = [0; 46];
        entry[..4].copy_from_slice(b"PK\x01\x02");
        entry[28..30].copy_from_slice(&(name.len() as u16).to_le_bytes());
        entry[42..46].copy_from_slice(&start.to_le_bytes());
        directory.extend(entry);
        directory.extend(name.as_bytes());
    }
    let mut end = [0; 22];
    end[..4].copy_from_slice(b"PK\x05\x06");
    end[10..12].copy_from_slice(&(files.len() as u16).to_le_bytes());
    end[16..20].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
    bytes.extend(directory);
    bytes.extend(end);
    bytes
}

#[test]
fn packed_and_foreign_files_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        fs::write(&path, content).expect("written");
        let run = symbolon(&["states".as_ref(), path.as_os_str(), "-q".as_ref()]);
        assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (Some(0), "2\n", ""), "{name}");
    };
    check("net.pnml.gz", &gzip(ONE_STEP.as_bytes()));
    check("net.ll_net.gz", &gzip(LL_NET.as_bytes()));
    check("no extension", &gzip(ONE_STEP.as_bytes()));
    check("misnamed.pnml", &gzip(ONE_STEP.as_bytes()));
    let (head, tail) = ONE_STEP.split_at(300);
    check("in two parts.pnml.gz", &[gzip(head.as_bytes()), gzip(tail.as_bytes())].concat());
    let crlf = |text: &str| text.replace('\n', "\r\n");
    check("crlf.pnml", crlf(ONE_STEP).as_bytes());
    check("crlf.ll_net", crlf(LL_NET).as_bytes());
    check("lf.ll_net", LL_NET.as_bytes());
    check("marked.pnml", format!("\u{feff}{ONE_STEP}").as_bytes());
    check("marked crlf.pnml.gz", &gzip(format!("\u{feff}{}", crlf(ONE_STEP)).as_bytes()));
    check("a folder with spaces/my net.pnml", ONE_STEP.as_bytes());
    check("Übung/réseau → 网.pnml", ONE_STEP.as_bytes());
    check("Übung/réseau → 网.pnml.gz", &gzip(ONE_STEP.as_bytes()));

    let run = line_with_input("states - -q", &gzip(ONE_STEP.as_bytes()));
    assert_eq!((run.status, run.out.as_str()), (Some(0), "2\n"), "{run:?}");
    let run = line_with_input("states - -q", crlf(LL_NET).as_bytes());
    assert_eq!((run.status, run.out.as_str()), (Some(0), "2\n"), "{run:?}");
    let run = line_in(folder.path(), "states net.pnml.gz -v");
    assert!(run.err.starts_with("unpacked "), "{run:?}");
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |name: &str, content: &[u8], says: &str, hint: &str| {
        fs::write(folder.path().join(name), content).expect("written");
        let run = line_in(folder.path(), &format!("states {name}"));
        let expected = format!("{name}: error: {says}");
        assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{name}: {run:?}");
        assert!(run.err.starts_with(&expected), "{name}: expected '{expected}' in front of\n{}", run.err);
        assert!(run.err.contains(hint), "{name}: no '{hint}' in\n{}", run.err);
        let report = validated(&line_in(folder.path(), &format!("states {name} --json")));
        assert_eq!(report["status"], "error", "{name}");
        // The same from standard input.
        let run = line_with_input("states -", content);
        assert!(run.err.starts_with(&format!("<stdin>: error: {says}")), "{name}: {}", run.err);
    };
    let whole = gzip(ONE_STEP.as_bytes());
    check("cut.pnml.gz", &whole[..whole.len() / 2], "the gzip data is cut off", "gzip -t FILE");
    check("short.gz", b"\x1F\x8B", "the gzip data is cut off", "gzip -t FILE");
    let mut damaged = whole.clone();
    let last = damaged.len() - 5;
    damaged[last] ^= 0x55;
    check("damaged.pnml.gz", &damaged, "the gzip data is damaged: ", "gzip -t FILE");
    check("empty.pnml.gz", &gzip(b""), "the file is empty", "");
    check("twice.pnml.gz", &gzip(&whole), "the file is a gzip archive, expected text", "gunzip");

    let files = [("INSTANCE/readme.txt", "text"), ("INSTANCE/model.pnml", ONE_STEP)];
    let found = |kind: &str| format!("this is {kind}, expected a net; it contains 'INSTANCE/model.pnml'\n");
    check(
        "net.zip",
        &zip(&files),
        &found("a ZIP archive"),
        "hint: unpack it first: unzip FILE; then give the .pnml file",
    );
    check("net.tar", &tar(&files), &found("a tar archive"), "hint: unpack it first: tar xf FILE;");
    check(
        "net.tgz",
        &gzip(&tar(&files)),
        &found("a tar archive compressed with gzip"),
        "hint: unpack it first: tar xzf FILE;",
    );
    let other = "this is a ZIP archive, expected a net; no .pnml file was found in it\n";
    check("other.zip", &zip(&files[..1]), other, "");
    check("cut.zip", &zip(&files)[..60], "this is a ZIP archive, expected a net\n", "unzip");
    check("net.pnml.bz2", b"BZh91AY&SY\x00\x01\x02", "the file is a bzip2 archive, expected text", "bunzip2");
    check("net.pnml.xz", b"\xFD7zXZ\x00\x00\x04\xE6", "the file is an xz archive, expected text", "unxz");
}

/// A file of a few megabytes that holds gigabytes.
#[test]
fn unpacking_stops_at_the_memory_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let part = gzip(&vec![b' '; 16 << 20]);
    fs::write(folder.path().join("bomb.pnml.gz"), part.repeat(256)).expect("written");
    let run = line_in(folder.path(), "states bomb.pnml.gz --memory 100M --timeout 100 --json");
    let report = validated(&run);
    assert_eq!((run.status, &report["reason"]), (Some(3), &"memory".into()), "{report:#}");
    let peak = report["peak_bytes"].as_u64().expect("Linux tells");
    // The kernel counts pages in batches of each core.
    assert!(peak <= 105 << 20, "{peak} bytes");
}
