//! Guarded commands through the program: questions, mistakes, parameters, conversions.

use crate::json::validated;
use crate::program::line_in;
use std::fs;

const QUEUE: &str = "\
param N = 2
var p: nat = N
var w: nat = 0
var i: nat = 0
arrive: p >= 1 -> p' = p - 1 || w' = w + 1
serve:  i >= 1 -> p' = p + 1 || i' = i - 1
gate:   w >= 1 -> w' = 0 || i' = i + w
property kept: AG (p + w + i = N)
property full: EF (i = N)
";

const LAMP: &str = "\
process lamp[k in 0..1] {
    var shows: {red, green} = red
    turn: shows = red & lamp[1 - k].shows = red -> shows' = green
    back: shows = green -> shows' = red
}
property one: AG !(lamp[0].shows = green & lamp[1].shows = green)
";

#[test]
fn questions_about_commands() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("queue.gcl"), QUEUE).expect("written");
    fs::write(folder.path().join("lamp.gcl"), LAMP).expect("written");
    fs::write(folder.path().join("lamp"), LAMP).expect("written");
    let check = |words: &str, status: i32, out: &str| {
        let run = line_in(folder.path(), words);
        assert_eq!((run.status, run.out.as_str()), (Some(status), out), "{words}: {run:?}");
        validated(&line_in(folder.path(), &format!("{words} --json")));
    };
    check("states queue.gcl -q", 0, "6\n");
    check("states queue.gcl -q --diagram explicit", 0, "6\n");
    check("states queue.gcl -q --diagram set", 0, "6\n");
    check("states queue.gcl -q --diagram ddd", 0, "6\n");
    check("states queue.gcl -q --param N=10", 0, "66\n");
    check("check queue.gcl -q", 0, "kept holds\nfull holds\n");
    check("check queue.gcl -q --param N=5", 0, "kept holds\nfull holds\n");
    check("deadlock queue.gcl -q", 0, "no deadlock\n");
    check("states lamp.gcl -q", 0, "3\n");
    check("states lamp --format gcl -q", 0, "3\n");
    check("check lamp.gcl -q", 0, "holds\n");
    check("check lamp.gcl -q EF(lamp.0.shows=green)", 0, "holds\n");
    check("check lamp.gcl -q AG(lamp.0.shows!=green)", 1, "fails\n");
}

#[test]
fn mistakes_in_commands_are_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |text: &str, words: &str, says: &[&str]| {
        fs::write(folder.path().join("x.gcl"), text).expect("written");
        let run = line_in(folder.path(), words);
        assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{words}: {run:?}");
        says.iter().for_each(|says| assert!(run.err.contains(says), "{words}: no '{says}' in {}", run.err));
        assert!(run.err.lines().count() <= 30, "{}", run.err);
    };
    check("", "states x.gcl", &["no declaration"]);
    let typo = QUEUE.replace("i + w", "i + v");
    check(&typo, "states x.gcl", &["x.gcl:7:", "unknown name 'v'"]);
    check(QUEUE, "states x.gcl --param M=3", &["no parameter 'M'"]);
    check(QUEUE, "states x.gcl --param M", &["expected a name and a number"]);
    check(LAMP, "check x.gcl EF(lamp.0.shows=gren)", &["is not a value of", "did you mean \"green\"?"]);
    check(LAMP, "check x.gcl EF(lamp.0.shows>red)", &["no order"]);
    check(QUEUE, "convert x.gcl --to pnml", &["this is not a net", "gate"]);
    check("nat x = 1", "states x.gcl", &["1:1", "does not begin a declaration", "`var x: nat = 0`"]);
    check(&"(".repeat(1 << 20), "states x.gcl", &["error:"]);
    check(&"a: b -> c' = d\n".repeat(1 << 16), "states x.gcl", &["error:"]);
}

#[test]
fn nets_become_commands_and_nets_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let quiet = |words: &str| {
        let run = line_in(folder.path(), words);
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{words}: {run:?}");
        run.out
    };
    for family in ["kanban:2", "philosophers:3", "traffic-lights:2"] {
        quiet(&format!("convert {family} --to gcl -o net.gcl -q"));
        quiet("convert net.gcl --to pnml -o net.pnml -q");
        let states = quiet(&format!("states {family} -q"));
        assert_eq!(quiet("states net.gcl -q"), states, "{family}");
        assert_eq!(quiet("states net.pnml -q"), states, "{family}");
    }
}

/// Every example in the book's table of declarations is a program, once what it mentions is
/// declared.
#[test]
fn declarations_of_the_book_are_read() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../book/src/reference/guarded-commands.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let table = page.split("## What can be declared").nth(1).expect("the section").split("\n\n").nth(1);
    let rows = table.expect("the table").lines().skip(2);
    let mut tried = 0;
    for row in rows {
        let row = row.replace("\\|", "\u{1}");
        let examples = row.split('|').nth(2).expect("two columns").replace('\u{1}', "|");
        for example in examples.split('`').skip(1).step_by(2) {
            // Pieces of declarations, and names.
            if example.contains('…') || example.starts_with("= ") || !example.contains(' ') {
                continue;
            }
            let mut program = String::new();
            for (mentions, declares, text) in [
                ("N", "param N", "const N = 3\n"),
                ("2 * K", "const K", "const K = 3\n"),
                (": phase", "enum", "enum phase = {idle, busy}\n"),
                ("x[i]", "var", "var x[N]: 0..3 = [2, 3, 1]\n"),
                ("in store", "component store", "var w: nat = 0\ncomponent store: w\n"),
                ("z", "var z", "var z: nat = 0\n"),
                ("x, y", "var", "var x: nat = 0\nvar y: nat = 0\n"),
                ("x + y", "var", "var x: 0..9 = any\nvar y: 0..9 = any\n"),
                ("(x <= 3)", "var", "var x: 0..9 = 0\n"),
            ] {
                if example.contains(mentions) && !example.contains(declares) {
                    program.push_str(text);
                }
            }
            program.push_str(example);
            program.push_str("\nvar other: bool = false\nlast: !other -> other' = true\n");
            let folder = crate::program::folder_with("program.gcl", &program);
            let run =
                crate::program::line_in(folder.path(), "states program.gcl -q --timeout 20 --diagram mdd");
            assert_eq!(run.status, Some(0), "{program}{run:?}");
            tried += 1;
        }
    }
    assert!(tried >= 14, "{tried} examples were found");
}
