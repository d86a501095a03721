//! The command line of `mcmas`, whose options have one dash and mean other things than ours.

use super::Arguments;
use clap::CommandFactory;
use std::ffi::{OsStr, OsString};

/// What a command line says to us, and what it says to `mcmas`: there, everything after that word
/// but our long options. Of other commands nothing is split off.
pub(crate) fn split_mcmas(words: &[OsString]) -> (Vec<OsString>, Vec<OsString>) {
    const NAME: &str = "mcmas";
    if !words.iter().any(|word| word == NAME) {
        return (words.to_vec(), Vec::new());
    }
    let command = Arguments::command();
    let takes_value = |word: &OsStr| {
        let option = word.to_str().and_then(|word| word.strip_prefix("--"));
        let declared = option.and_then(|name| command.get_arguments().find(|a| a.get_long() == Some(name)));
        declared.is_some_and(|argument| argument.get_action().takes_values())
    };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut has_name = false;
    let mut rest = words.iter();
    ours.extend(rest.next().cloned());
    while let Some(word) = rest.next() {
        let is_option = word.as_encoded_bytes().starts_with(b"-");
        if !has_name && !is_option && word != NAME {
            // Another command, which may have a file of that name.
            return (words.to_vec(), Vec::new());
        }
        if has_name && !word.as_encoded_bytes().starts_with(b"--") {
            theirs.push(word.clone());
            continue;
        }
        has_name |= word == NAME;
        ours.push(word.clone());
        if takes_value(word) {
            ours.extend(rest.next().cloned());
        }
    }
    (ours, theirs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_go_to_whom_they_are_meant_for() {
        let check = |line: &str, ours: &str, theirs: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let joined = |words: Vec<OsString>| words.join(OsStr::new(" ")).to_string_lossy().into_owned();
            let (first, second) = split_mcmas(&words);
            assert_eq!((joined(first), joined(second)), (ours.to_string(), theirs.to_string()), "{line}");
        };
        check("symbolon mcmas -v 3 -k a.ispl", "symbolon mcmas", "-v 3 -k a.ispl");
        check("symbolon --json mcmas -q a.ispl", "symbolon --json mcmas", "-q a.ispl");
        check("symbolon --timeout 5 mcmas a --memory 1G", "symbolon --timeout 5 mcmas --memory 1G", "a");
        check("symbolon mcmas --timeout=5 -o 2 a", "symbolon mcmas --timeout=5", "-o 2 a");
        check("symbolon states mcmas -v", "symbolon states mcmas -v", "");
        check("symbolon states -v net.pnml", "symbolon states -v net.pnml", "");
    }
}
