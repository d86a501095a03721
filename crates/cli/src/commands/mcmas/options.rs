//! The options of MCMAS, as its users and their wrappers write them.
//!
//! They have one dash, and some take a number or a name as the next word. What is about the inner
//! life of that program ([`Effect::Inner`]) is recognised and has no effect here.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// What was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct McmasOptions {
    /// The file with the system; the last word.
    pub(super) file: PathBuf,
    /// `-q`: verdicts alone.
    pub(super) quiet: bool,
    /// `-v N`: how much is printed, 0 to 5.
    pub(super) detail: u8,
    /// `-k`: look for deadlocks.
    pub(super) deadlocks: bool,
    /// `-a`: look for assignments that leave a range.
    pub(super) overflows: bool,
    /// `-o N`: the static variable order, 1 to 4.
    pub(super) order: Option<u8>,
    /// `-d N`: where dynamic reordering ends; 1 means that there is none.
    pub(super) reordering: Option<u8>,
    /// `-d` without a number: the vtree is changed while sets grow.
    pub(super) dynamic: bool,
    /// `-vtree N`: sentential diagrams under this vtree.
    pub(super) vtree: Option<u8>,
    /// `-atlk N`: what strategies mean; 0 perfect information, 1 the same with fairness, 2 partial
    /// observation.
    pub(super) strategies: Option<u8>,
    /// `-uniform`: uniform strategies.
    pub(super) uniform: bool,
    /// `-ufgroup NAME`: uniform strategies of the members of this group.
    pub(super) uniform_group: Option<String>,
    /// `-c N`: witnesses and counterexamples; 1 printed, 2 written to files, 3 both.
    pub(super) evidence: Option<u8>,
    /// `-p FOLDER`: where files go.
    pub(super) folder: Option<PathBuf>,
    /// `-exportmodel`: write all states and steps to `model.dot` and `model.info`.
    pub(super) export: bool,
    /// `-s`: play the system step by step instead.
    pub(super) interactive: bool,
    /// `-h`: how it is used.
    pub(super) help: bool,
    /// Options that were given and have no effect here, as written.
    pub(super) without_effect: Vec<String>,
}

/// What comes of an option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// What it says.
    Real,
    /// Nothing: it is about how MCMAS works inside.
    Inner,
}
use Effect::{Inner, Real};

/// How an option is followed.
enum Takes {
    Nothing,
    /// A number in this range.
    Number(u8, u8),
    /// A number in this range, or nothing.
    NumberOrNothing(u8, u8),
    Word,
}

/// The options: name, what follows, what comes of them.
const OPTIONS: [(&str, Takes, Effect); 23] = [
    ("-s", Takes::Nothing, Real),
    ("-v", Takes::Number(0, 5), Real),
    ("-q", Takes::Nothing, Real),
    ("-u", Takes::Nothing, Inner),
    ("-e", Takes::Number(1, 3), Inner),
    ("-o", Takes::Number(1, 4), Real),
    ("-g", Takes::Number(1, 3), Inner),
    ("-d", Takes::NumberOrNothing(0, 3), Real),
    ("-vtree", Takes::Number(1, 8), Real),
    ("-nobddcache", Takes::Nothing, Inner),
    ("-k", Takes::Nothing, Real),
    ("-a", Takes::Nothing, Real),
    ("-c", Takes::Number(1, 3), Real),
    ("-p", Takes::Word, Real),
    ("-exportmodel", Takes::Nothing, Real),
    ("-f", Takes::Number(1, 4), Inner),
    ("-l", Takes::Number(1, 2), Inner),
    ("-w", Takes::Nothing, Inner),
    ("-atlk", Takes::Number(0, 2), Real),
    ("-uc", Takes::Number(0, u8::MAX), Inner),
    ("-uniform", Takes::Nothing, Real),
    ("-ufgroup", Takes::Word, Real),
    ("-n", Takes::Nothing, Inner),
];

/// Reads the words after `mcmas`, or says what is wrong with them.
pub(super) fn parse(words: &[OsString]) -> Result<McmasOptions, String> {
    let mut options = McmasOptions::default();
    let mut file: Option<&OsStr> = None;
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.to_string_lossy();
        if text == "-h" {
            options.help = true;
            continue;
        }
        if !text.starts_with('-') || text == "-" {
            if let Some(first) = file.replace(word) {
                let first = first.to_string_lossy();
                return Err(format!(
                    "two files, '{first}' and '{text}': options come before the file, and one file is read"
                ));
            }
            continue;
        }
        let Some((name, takes, effect)) = OPTIONS.iter().find(|(name, _, _)| *name == text) else {
            return Err(format!("no option '{text}'; 'symbolon mcmas -h' lists them"));
        };
        let value = match takes {
            Takes::Nothing => None,
            // The last word is the file.
            Takes::NumberOrNothing(..) => {
                let next = rest.as_slice().first().filter(|_| rest.as_slice().len() > 1);
                let is_number = next
                    .and_then(|word| word.to_str())
                    .is_some_and(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()));
                if is_number { rest.next().map(|word| word.to_string_lossy()) } else { None }
            }
            Takes::Number(..) | Takes::Word => {
                Some(rest.next().ok_or_else(|| format!("'{name}' wants a value"))?.to_string_lossy())
            }
        };
        let number = match (takes, &value) {
            (Takes::Number(least, most) | Takes::NumberOrNothing(least, most), Some(value)) => match value
                .parse::<u8>()
            {
                Ok(number) if (*least..=*most).contains(&number) => number,
                _ => return Err(format!("'{name}' wants a number from {least} to {most}, not '{value}'")),
            },
            _ => 0,
        };
        let shown = || value.as_ref().map_or(name.to_string(), |value| format!("{name} {value}"));
        match effect {
            Real => {}
            Inner => options.without_effect.push(shown()),
        }
        match *name {
            "-s" => options.interactive = true,
            "-v" => options.detail = number,
            "-q" => options.quiet = true,
            "-o" => options.order = Some(number),
            "-d" if value.is_none() => options.dynamic = true,
            "-d" => options.reordering = Some(number),
            "-vtree" => options.vtree = Some(number),
            "-k" => options.deadlocks = true,
            "-a" => options.overflows = true,
            "-atlk" => options.strategies = Some(number),
            "-c" => options.evidence = Some(number),
            "-p" => options.folder = value.as_ref().map(|value| PathBuf::from(value.as_ref())),
            "-exportmodel" => options.export = true,
            "-uniform" => options.uniform = true,
            "-ufgroup" => options.uniform_group = value.as_ref().map(ToString::to_string),
            _ => {}
        }
    }
    match file {
        Some(file) => options.file = PathBuf::from(file),
        None if options.help => {}
        None => return Err("there is no file: the last word names it".to_string()),
    }
    Ok(options)
}

/// How `mcmas` is used.
pub(super) const HELP: &str = "\
Usage: symbolon mcmas [OPTIONS] FILE

Reads a multi-agent system in ISPL and checks its formulae, with the options, the lines and the exit
status of MCMAS.

  -s        play the system step by step, as 'symbolon simulate FILE' does, and check nothing
  -q        print verdicts alone
  -v 1..5   print the depth of the search as well
  -k        say whether there are deadlocks, and show one
  -a        name the evolution lines that can leave a range, with a state; with -c also a path
  -o 1..4   its static variable order, with dynamic reordering; without it, our own order
  -d 0..3   1: no dynamic reordering
  -vtree N  sentential diagrams, as in MCMAS-SDD: 1 right-linear, 2 balanced, 3 left-linear, 4 vertical,
            5 a tree per agent, 6 the same in pieces of bounded size, 7 a right-linear one per agent,
            8 a tree per place of binary numbers; -d without a number changes them while sets grow
  -c 1..3   witnesses and counterexamples: 1 printed, 2 as files formulaN.dot and formulaN.info, 3 both
  -p FOLDER where files go; without it, here
  -exportmodel  all states and steps as files model.dot and model.info
  -atlk 0|1 strategies with full observation; fair ones where the file has fairness
  -atlk 2   uniform strategies: in states that look the same to it, an agent does the same
  -uniform  the same; -ufgroup GROUP for the members of one group alone

Accepted, but about the inner life of MCMAS, and so without effect here (--verbose names those given):
  -u  -e 1..3  -g 1..3  -nobddcache  -f 1..4  -l 1..2  -w  -uc N  -n
The long options of symbolon (--timeout, --memory, --diagram, …) may be given as well.
";

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<McmasOptions, String> {
        parse(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read_as_wrappers_write_them() {
        let options =
            parsed("-v 3 -k -a -c 3 -p out -atlk 2 -o 2 -e 2 -nobddcache models/a.ispl").expect("good");
        let wanted = McmasOptions {
            file: "models/a.ispl".into(),
            detail: 3,
            deadlocks: true,
            overflows: true,
            strategies: Some(2),
            order: Some(2),
            evidence: Some(3),
            folder: Some("out".into()),
            without_effect: vec!["-e 2".into(), "-nobddcache".into()],
            ..McmasOptions::default()
        };
        assert_eq!(options, wanted);
        assert_eq!(parsed("-h").map(|options| options.help), Ok(true));
    }

    #[test]
    fn mistakes_are_named() {
        let check = |line: &str, what: &str| {
            let message = parsed(line).expect_err("a mistake");
            assert!(message.contains(what), "{message}");
        };
        check("-z a.ispl", "no option '-z'");
        check("-v a.ispl", "from 0 to 5");
        check("-v 9 a.ispl", "from 0 to 5");
        check("-k", "there is no file");
        check("a.ispl -c", "wants a value");
        check("a.ispl b.ispl", "two files");
    }
}
