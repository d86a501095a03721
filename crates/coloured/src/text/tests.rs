//! Texts that are read, nets that are printed and read again, and messages.

mod random;

use super::*;
use crate::{Class, ClassId, Domain, Guard, Members, MultisetTerm};
use symbolon_testkit::{RandomNumbers, seeds};

fn net(text: &str) -> Net {
    match read_text(text.as_bytes(), &Budget::unlimited()) {
        Ok(reading) => reading.net,
        Err(failure) => panic!("{failure}\n{text}"),
    }
}

/// Printed and read again, the net is the same.
fn same(net: &Net) {
    let text = print_text(net);
    let read = read_text(text.as_bytes(), &Budget::unlimited());
    let read = read.unwrap_or_else(|failure| panic!("{failure}\n{text}"));
    assert_eq!(read.net, *net, "{text}");
}

const DATABASE: &str = "
net database // as in Jensen's book, with messages by receiver
class Site = cyclic c1..c3
class State = {idle, busy as Busy, \"at rest\"}
class Level = range -1..7
partition halves of Level: low = {-1, 0, 1..3}, high = {4..7}
var x, y: Site; var s: State
var l, m: Level

place sites: Site x State = 2*(c1, idle) + (all, busy) - (c2, busy)
place levels: Level = low
place mutex = 1
place counter = 3
place pairs: Site x Site = all

transition go [x != y & (l in low | halves(l) < halves(m)) -> !(s = idle)]:
  take sites(x, s), mutex, counter(2)
  read pairs(x, y), levels(l++2 + -1)
  inhibit pairs(x++, y--), levels(3*m)
  reset counter, sites(all, busy)
  put pairs(all - (x, x)), levels(low + high), sites((x, idle) + (y, busy))
transition stop [l >= 4 & State.idle = s & Level.3 < Level.4]
";

#[test]
fn a_text_says_what_it_means() {
    let net = net(DATABASE);
    assert_eq!(net.name, "database");
    let names: Vec<&str> = net.classes.iter().map(Class::name).collect();
    assert_eq!(names, ["Site", "State", "Level", "dot"]);
    assert_eq!(net.classes[2].members, Members::Range { first: -1, last: 7 });
    assert_eq!(net.classes[1].constants()[1].name(), "Busy");
    assert_eq!(net.partitions[0].parts[0].members, [0, 1, 2, 3, 4]);
    assert_eq!(net.places[4].initial, MultisetTerm::All(Domain(vec![ClassId(0), ClassId(0)])));
    assert_eq!(net.transitions[0].arcs.len(), 12);
    assert!(matches!(net.transitions[0].guard, Guard::Implies(_)));
    assert_eq!(net.check(), Ok(()));
    same(&net);
    insta::assert_snapshot!(print_text(&net));
}

#[test]
fn random_nets_are_printed_and_read_again() {
    for seed in seeds(600) {
        let net = random::net(seed);
        assert_eq!(net.check(), Ok(()), "seed {seed}: {net:?}");
        same(&net);
    }
}

fn with_wrong_letters(text: &str, random: &mut RandomNumbers) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..random.between(1, 6) {
        let at = random.below(letters.len() as u64) as usize;
        match random.below(3) {
            0 => drop(letters.remove(at)),
            1 => letters.insert(at, *random.one_of(&['(', ')', '{', '"', '-', '+', '.', '9', 'x', ',', ':'])),
            _ => letters.swap(at, 0),
        }
    }
    letters.into_iter().collect()
}

/// Words and signs are left out, written twice, or put where others stand.
fn with_wrong_words(text: &str, random: &mut RandomNumbers) -> String {
    let mut words: Vec<&str> = text.split_inclusive(|c: char| !continues_name(c)).collect();
    for _ in 0..random.between(1, 12) {
        let at = random.below(words.len() as u64) as usize;
        let other = random.below(words.len() as u64) as usize;
        match random.below(3) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[other]),
            _ => words.swap(at, other),
        }
    }
    words.concat()
}

/// Nothing that is written makes the reader panic, and what it reads obeys the invariants.
#[test]
fn broken_texts_are_refused_in_words() {
    for seed in seeds(400) {
        let mut random = RandomNumbers::new(seed);
        let text = if random.percent(50) { DATABASE.to_string() } else { print_text(&random::net(seed)) };
        let text = match random.percent(50) {
            true => with_wrong_letters(&text, &mut random),
            false => with_wrong_words(&text, &mut random),
        };
        match read_text(text.as_bytes(), &Budget::unlimited()) {
            Ok(reading) => same(&reading.net),
            Err(failure) => assert!(!failure.to_string().contains("COL-"), "{failure}\n{text}"),
        }
    }
    let deep = format!("place p: C = {}a{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(read_text(deep.as_bytes(), &Budget::unlimited()).is_err());
    let long = format!("class C = {{a}} place p: C = a{}", " - a".repeat(100_000));
    assert!(read_text(long.as_bytes(), &Budget::unlimited()).is_err());
    let sum = format!("class C = {{a}} place p: C = a{}", " + a".repeat(100_000));
    assert!(read_text(sum.as_bytes(), &Budget::unlimited()).is_ok());
}

#[test]
fn mistakes_are_told_with_hints() {
    let told = |text: &str| match read_text(text.as_bytes(), &Budget::unlimited()) {
        Ok(reading) => panic!("{:?}", reading.net),
        Err(failure) => failure.to_string(),
    };
    let start = "class Client = {c1..c3}\nclass S = cyclic 1..2\nvar x, y: Client\nvar s: S\nplace p: Client x S\nplace q\n";
    let mut all = String::new();
    for text in [
        "place r: Cleint",
        "place r: Client = c4",
        "place r: Client = (c1, c2)",
        "place r: Client x S = c1",
        "place r: Client = x",
        "place p",
        "transition t: take p",
        "transition t: take pp(x, s)",
        "transition t: take p(s, x)",
        "transition t: take p(x++, s)",
        "transition t: take q(2) put q(-1)",
        "transition t [x = s]: take q",
        "transition t [x]: take q",
        "transition t [c1 = c2 & 1 = 2 & 1 = x]: take q",
        "transition t take q",
        "transition t: tale q",
        "transition t: take q(1",
        "trasnition t: take q",
        "class D = range 1..1000000000",
        "class D = range 3..1",
        "class D = 1..3",
        "class D = {a, b, a}",
        "class D = E x Client\nclass E = D x D",
        "class dot = {a, b}\nplace r",
        "class E = black\nclass D = black",
        "partition halves of S: low = {1}",
        "partition halves of S: low = {1, 2}, high = {2}",
        "var z: Client x S",
        "var all: Client",
        "place 3rd: Client",
        "place \"r: Client",
        "place r: Client $",
    ] {
        all.push_str(&format!("── {text}\n{}\n", told(&format!("{start}{text}\n"))));
    }
    all.push_str(&format!("── nothing\n{}\n", told("// nothing")));
    all.push_str(&format!(
        "── several\n{}\n",
        told(&format!("{start}place r: D\nplace s: E\ntransition t: take r(x), u\ntransition v: put w"))
    ));
    insta::assert_snapshot!(all);
}

#[test]
fn texts_are_told_from_guarded_commands() {
    for text in [
        DATABASE,
        "place p\n",
        "// c\n\n  class C = {a}\nplace p: C",
        "var x: C\ntransition \"t\": take p",
        "net n\nplace p",
    ] {
        assert!(guess(text), "{text}");
    }
    for text in [
        "param N = 2\nvar pool: nat = N\nplace: pool >= 1 -> pool' = pool - 1",
        "var place, class: bool\nclass : place -> class' = true",
        "model transition\nvar x: nat",
        "<pnml/>",
        "",
        "places p",
    ] {
        assert!(!guess(text), "{text}");
    }
}
