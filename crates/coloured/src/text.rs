//! Coloured nets as text, for people who do not write XML.
//!
//! ```text
//! class Philo = cyclic 1..5
//! var x: Philo
//!
//! place think: Philo = all
//! place fork: Philo = all
//! place eat: Philo
//!
//! transition start: take think(x), fork(x + x--) put eat(x)
//! transition stop: take eat(x) put think(x), fork(x + x--)
//! ```
//!
//! ```text
//! bytes ──token──▶ words ──parse──▶ Tree (names) ──resolve──▶ Net ──print──▶ text that reads the same
//! ```
//!
//! The whole grammar. Names are words, numbers, or anything in quotes; comments run from `//` or `#` to the
//! end of the line, and line breaks mean nothing. A `;` may stand between declarations. Declarations
//! may come in any order.
//!
//! ```text
//! net           net NAME
//! page          page NAME (in NAME)?
//! class         class NAME = cyclic run | cyclic { entry, … } | { entry, … }
//!                            | range INTEGER .. INTEGER | black | domain
//! partition     partition NAME of NAME : NAME = { entry, … }, …
//! variables     var NAME, … : NAME
//! place         place NAME (: domain)? (= term)?
//! transition    transition NAME ([ guard ])? (: (take | read | inhibit | reset | put) arc, … …)?
//!
//! entry         NAME | run                   run   NAME .. NAME        (1..3, or c1..c3)
//! domain        NAME x …                     arc   NAME ( ( term, … ) )?
//! term          factor ((+ | -) factor)*     factor   (NUMBER *)? primary
//! primary       all ( ( domain ) )? | empty ( ( domain ) )? | ( term, … ) | reference steps
//! reference     NAME | NAME . NAME           steps (++ NUMBER? | -- NUMBER?)*
//! guard         or (-> guard)?               or, and   with | and &; ! binds strongest
//! comparison    side (= | != | < | <= | > | >=) side | side in reference | true | false
//! side          reference steps | NAME ( reference steps )
//! ```
//!
//! Behind the name of anything that is declared, `as NAME` gives it a label; behind that of a place
//! or transition, `on NAME` puts it on a page, and `at (X, Y)` says where it is drawn, in tenths of a
//! point.
//!
//! - A place without domain holds black tokens. Its class, `dot`, is added behind all others unless
//!   one is declared as `black`; a number stands for that many tokens.
//! - An arc to such a place without brackets moves one token. `reset p` empties `p`.
//! - `all` is every colour of the domain in which it stands: that of the place, or of one class
//!   where it is a part of a tuple. `all(C x D)` says it.
//! - A name alone is a variable, if there is one; otherwise a member, or else a part, of the class
//!   that is expected. `C.a` and `P.low` name a class or a partition, too. Digits are never a
//!   variable.
//! - `P(x)` is the part of partition `P` in which `x` lies, and `x in low` is `P(x) = low`.
//!
//! Invariants:
//! - **COL-T1** a net that is printed and read again is equal to itself, unless its terms or guards
//!   are nested deeper than the reader goes.
//! - **COL-T2** no bytes make the reader panic, and it needs no more stack than a fixed depth of
//!   brackets takes.

mod parse;
mod print;
mod resolve;
#[cfg(test)]
mod tests;
mod token;
mod tree;

pub use print::{guard_text, print_text, term_text, write_text};

use crate::Net;
use crate::read::Reading;
use symbolon_budget::{Budget, Meter};
use symbolon_source::{Findings, ReadFailure, Step, Stop, begins_name, continues_name, refuse_binary};

/// Reads a net from text.
pub fn read_text(bytes: &[u8], budget: &Budget) -> Result<Reading, ReadFailure> {
    let mut findings = Findings::default();
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if let Err(stop) = refuse_binary(bytes, &mut findings) {
        return Err(findings.into_failure(stop, ""));
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        let stop = findings.fatal_with_hint(None, "the file is not valid UTF-8", "save it as UTF-8");
        return Err(findings.into_failure(stop, ""));
    };
    match read(text, &mut findings, budget) {
        Ok(net) if !findings.has_errors() => Ok(Reading { net, warnings: findings.into_diagnostics(text) }),
        Ok(_) => Err(findings.into_failure(Stop::Invalid, text)),
        Err(stop) => Err(findings.into_failure(stop, text)),
    }
}

fn read(text: &str, findings: &mut Findings, budget: &Budget) -> Step<Net> {
    let mut meter = Meter::new(budget.clone());
    let tokens = token::tokens(text, findings)?;
    let tree = parse::parse(text, tokens, &mut meter, findings)?;
    if tree.places.is_empty() && tree.transitions.is_empty() && !findings.has_errors() {
        let hint = "expected declarations such as 'place p: C = all'";
        findings.error_with_hint(None, "the file has no places and no transitions", hint)?;
    }
    resolve::resolve(&tree, &mut meter, findings)
}

/// Whether a text looks like a coloured net in this form. Guarded commands never do: a line of
/// theirs that begins with one of these words goes on with a colon.
pub fn guess(text: &str) -> bool {
    let begins_declaration = |line: &str| {
        let line = line.trim_start_matches('\u{FEFF}').trim_start();
        let (word, rest) = line.split_at(line.find(|c| !continues_name(c)).unwrap_or(line.len()));
        let is_separate = rest.starts_with(char::is_whitespace);
        let begins_more = |c: char| begins_name(c) || c.is_ascii_digit() || c == '"';
        ["net", "class", "partition", "place", "transition"].contains(&word)
            && is_separate
            && rest.trim_start().starts_with(begins_more)
    };
    text.lines().any(begins_declaration)
}
