//! Faults in the environment that other tests do not have: files that cannot be written, links that
//! lead nowhere, compressed files with something behind them.

use crate::json::validated;
use crate::nets::ONE_STEP;
use crate::program::{Run, folder_with, line_in};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;

fn wrong(run: &Run, says: &str) {
    assert_eq!(run.status, Some(2), "{run:?}");
    assert!(run.err.contains(says), "{run:?}");
    assert_eq!(run.out, "", "{run:?}");
}

/// Files that cannot be written: one message that names the file, and the exit status for that.
#[cfg(target_os = "linux")]
#[test]
fn files_that_cannot_be_written_are_named() {
    let folder = folder_with("net.pnml", ONE_STEP);
    for (words, file) in [
        ("convert net.pnml --to pnml -o FILE", "/dev/full"),
        ("convert net.pnml --to pnml -o FILE", "/nowhere/at/all"),
        ("convert net.pnml --to pnml -o FILE", "/proc/nothing"),
        ("draw net.pnml --to svg -o FILE", "/dev/full"),
        ("draw net.pnml --to svg -o FILE", "net.pnml/inside.svg"),
        ("simulate net.pnml --random 1 --save FILE", "/dev/full"),
        ("simulate net.pnml --random 1 --save FILE", "/nowhere/at/all"),
    ] {
        let words = words.replace("FILE", file);
        let run = line_in(folder.path(), &words);
        assert_eq!(run.status, Some(2), "{words}: {run:?}");
        assert!(run.err.contains(&format!("cannot write '{file}'")), "{words}: {run:?}");
        let run = line_in(folder.path(), &format!("{words} --json"));
        let report = validated(&run);
        assert_eq!((run.status, &report["status"]), (Some(2), &"error".into()), "{words}: {run:?}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("net.pnml")).expect("still there"), ONE_STEP);
}

/// What is read first may be written over, as nothing is written before all was read.
#[test]
fn an_output_onto_the_input_is_whole() {
    let folder = folder_with("net.pnml", ONE_STEP);
    let states = || line_in(folder.path(), "states net.pnml -q").out;
    let before = states();
    let run = line_in(folder.path(), "convert net.pnml --to pnml -o net.pnml");
    assert_eq!(run.status, Some(0), "{run:?}");
    assert_eq!(states(), before);
    // What is wrong leaves the file as it was.
    fs::write(folder.path().join("broken.pnml"), "<pnml").expect("written");
    wrong(&line_in(folder.path(), "convert broken.pnml --to pnml -o broken.pnml"), "broken.pnml");
    assert_eq!(fs::read_to_string(folder.path().join("broken.pnml")).expect("still there"), "<pnml");
    // A run that is saved onto the file that it was replayed from.
    let run = line_in(folder.path(), "simulate net.pnml --random 1 --save run.txt");
    assert_eq!(run.status, Some(0), "{run:?}");
    let saved = || fs::read_to_string(folder.path().join("run.txt")).expect("a run");
    let before = saved();
    let run = line_in(folder.path(), "simulate net.pnml --replay run.txt --save run.txt");
    assert_eq!((run.status, saved()), (Some(0), before), "{run:?}");
}

#[cfg(unix)]
#[test]
fn a_link_onto_itself_is_said_to_be_one() {
    let folder = folder_with("net.pnml", ONE_STEP);
    let link = |name: &str| std::os::unix::fs::symlink(name, folder.path().join(name)).expect("a link");
    link("round");
    link("round.pnml");
    link("round.xml");
    fs::create_dir(folder.path().join("contest")).expect("a folder");
    std::os::unix::fs::symlink("model.pnml", folder.path().join("contest/model.pnml")).expect("a link");
    for words in [
        "states round",
        "states round.pnml",
        "check net.pnml --formulas round.xml",
        "simulate net.pnml --replay round",
        "mcc StateSpace contest",
    ] {
        let run = line_in(folder.path(), words);
        wrong(&run, "symbolic links");
        assert!(!run.err.contains("family"), "{words}: {run:?}");
    }
    // A link that leads to nothing is no file.
    std::os::unix::fs::symlink("nothing", folder.path().join("dangling.pnml")).expect("a link");
    wrong(&line_in(folder.path(), "states dangling.pnml"), "there is no file 'dangling.pnml'");
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).expect("memory is there");
    encoder.finish().expect("memory is there")
}

/// As with `gzip`: several pieces are one file, zeros behind them mean nothing, other bytes are
/// worth a warning.
#[test]
fn what_follows_gzip_data_is_no_damage() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |pieces: &[&[u8]], expected: Result<&str, &str>| {
        fs::write(folder.path().join("net.gz"), pieces.concat()).expect("written");
        let run = line_in(folder.path(), "states net.gz");
        match expected {
            Ok(warning) => {
                assert_eq!(run.status, Some(0), "{run:?}");
                assert!(run.out.contains("states      2"), "{run:?}");
                assert!(run.err.contains(warning) && run.err.is_empty() == warning.is_empty(), "{run:?}");
            }
            Err(says) => wrong(&run, says),
        }
    };
    let (whole, (first, second)) = (gzip(ONE_STEP), ONE_STEP.split_at(100));
    check(&[&whole], Ok(""));
    check(&[&whole, b"garbage"], Ok("net.gz: warning: 7 bytes after the end of the gzip data are ignored"));
    check(&[&whole, &[0; 512]], Ok(""));
    check(&[&gzip(first), &gzip(second)], Ok(""));
    check(&[&gzip(first), &gzip(second), b"\nend\n"], Ok("5 bytes after the end"));
    check(&[&whole[..whole.len() - 4]], Err("the gzip data is cut off"));
    check(&[&gzip(first), &gzip(second)[..20]], Err("the gzip data is cut off"));
    let mut damaged = whole.clone();
    let checksum = whole.len() - 8;
    damaged[checksum] ^= 1;
    check(&[&damaged], Err("the gzip data is damaged"));
}

/// Oddities of other tools, and of people.
#[test]
fn odd_input_is_read_or_named() {
    let plus = ONE_STEP.replacen("<text>1</text>", "<text>+1</text>", 1);
    assert_ne!(plus, ONE_STEP);
    let folder = folder_with("plus.pnml", &plus);
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write("sign.pnml", &ONE_STEP.replacen("<text>1</text>", "<text>+</text>", 1));
    write(
        "process.pnml",
        "<pnml><net id='n' type='http://www.informatik.hu-berlin.de/top/pntd/ptNetb'>\
         <place id='p'><initialMarking><text>1</text></initialMarking></place><place id='q'/>\
         <transition id='sub'/><arc id='a' source='p' target='sub'/><arc id='b' source='sub' target='q'/>\
         <page id='sub'><net><place id='p'/><transition id='t'/></net></page></net></pnml>",
    );
    let check = |words: &str, status: i32, out: &str, err: &str| {
        let run = line_in(folder.path(), words);
        assert_eq!(run.status, Some(status), "{words}: {run:?}");
        assert!(run.out.contains(out) && run.err.contains(err), "{words}: {run:?}");
    };
    check("states plus.pnml", 0, "states      2", "");
    check("states sign.pnml", 2, "", "initial marking \"+\", expected a whole number of tokens");
    let warning = "the sub-process on page 'sub' is ignored: transition 'sub' is read as a single step";
    check("states process.pnml", 0, "states      2", warning);
    check("states kanban:99999999999999999999", 2, "", "must lie between 1 and ");
    check("states gated-queue:99999999999999999999", 2, "", "99999999999999999999 is too large for N");
    check("states kanban:+", 2, "", "'+' is not a number");
}

/// The JSON of every command that shows runs can be replayed.
#[test]
fn reports_are_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    for (words, steps) in [
        ("deadlock philosophers:3 --json", 3),
        ("check philosophers:3 --json AG(!deadlock)", 3),
        ("check philosophers:3 --json EF(deadlock) AG(!deadlock)", 3),
        ("check philosophers:3 --json AG(true) EF(Eat_1>0)", 2),
        ("simulate philosophers:3 --random 2 --json", 2),
    ] {
        let report = line_in(folder.path(), words);
        fs::write(folder.path().join("report.json"), &report.out).expect("written");
        let run = line_in(folder.path(), "simulate philosophers:3 --replay report.json --json");
        let replayed = validated(&run);
        let found = replayed["witness"]["steps"].as_array().map(Vec::len);
        assert_eq!((run.status, found), (Some(0), Some(steps)), "{words}: {run:?}");
    }
}

/// A net of two states that no structural proof and no walk decides is decided at once.
#[test]
fn small_nets_are_not_walked_for_long() {
    let arcs = [("p", "t"), ("t", "q"), ("q", "u"), ("u", "p"), ("q", "d"), ("p", "d"), ("d", "x")];
    let weight = |source: &str, target: &str| if [source, target].contains(&"d") { 1 } else { 2 };
    let arcs: String = arcs
        .iter()
        .map(|(source, target)| {
            format!(
                "<arc id='{source}{target}' source='{source}' target='{target}'><inscription><text>{}</text>\
                 </inscription></arc>",
                weight(source, target)
            )
        })
        .collect();
    let text = format!(
        "<pnml xmlns='http://www.pnml.org/version-2009/grammar/pnml'>\
         <net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='g'>\
         <place id='p'><initialMarking><text>2</text></initialMarking></place><place id='q'/><place id='x'/>\
         <transition id='t'/><transition id='u'/><transition id='d'/>{arcs}</page></net></pnml>"
    );
    let folder = folder_with("model.pnml", &text);
    for (examination, answer) in
        [("QuasiLiveness", "FALSE"), ("StableMarking", "TRUE"), ("Liveness", "FALSE")]
    {
        let run = line_in(folder.path(), &format!("mcc {examination} ."));
        assert_eq!(run.out, format!("FORMULA {examination} {answer} TECHNIQUES EXPLICIT\n"), "{run:?}");
    }
}
