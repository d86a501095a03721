//! Nets for the tests: in a short notation, as built-in families, and all tiny ones.
//!
//! ```text
//! a=2 b                       places with their tokens
//! t: a*2 ?b !c*3 ~d -> b d*2  takes, reads, is inhibited from 3 on, resets; puts
//! ```

use crate::ask::load;
use symbolon_budget::Budget;
use symbolon_checker::{Loaded, Source};
use symbolon_petri::analysis::{AnalysisOptions, PumpLimits, analyse};
use symbolon_petri::{Arc, Net, Place, PlaceId, Transition, lower_with};

/// Nets with something about each of them, by name.
pub(crate) const HAND_MADE: [(&str, &str); 19] = [
    ("nothing happens", "a=1 b"),
    ("no place", "\nt: ->"),
    ("one step into a deadlock", "a=1 b\nt: a -> b"),
    ("a cycle", "a=1 b\nt: a -> b\nu: b -> a"),
    ("a cycle with two tokens", "a=2 b\nt: a -> b\nu: b -> a"),
    ("an idle place beside a cycle", "a=1 b c=3\nt: a -> b\nu: b -> a"),
    ("a place that is only read", "a=1 b c=1\nt: a ?c -> b\nu: b -> a"),
    ("a transition that never fires", "a=1 b c\nt: a -> b\nu: b -> a\nv: c -> a"),
    ("a transition that needs two tokens of a safe place", "a=1 b\nt: a -> b\nu: b -> a\nv: b*2 -> a*2"),
    ("a transition in its own way", "a=1 b c=1 d\nt: a -> b\nu: b -> a\nv: a !a c -> d"),
    ("weights", "a=6 b\nt: a*2 -> b*3\nu: b*3 -> a*2\nv: b*9 -> b*9"),
    ("an inhibitor stops at its weight", "a=5 b\nt: a !b*3 -> b"),
    ("an inhibitor and its own output", "a=1 b\nt: a !b*2 -> a b"),
    ("a read arc keeps its tokens", "a=3 b=2\nt: a ?b*2 -> b\nu: b*3 -> a"),
    ("a reset puts afterwards", "a=3 b=2\nt: a ~b -> b\nu: b ~a -> a*2"),
    ("a reset empties", "a=2 b=2 c\nt: a ~b -> c\nu: c !b -> b"),
    ("two processes and a lock", "i=1 c j=1 d l=1\nt: i l -> c\nu: c -> i l\nv: j l -> d\nw: d -> j l"),
    (
        "two locks in both orders",
        "i=1 k c j=1 m d l=1 r=1\nt: i l -> k\nu: k r -> c\nv: c -> i l r\nw: j r -> m\nx: m l -> d\ny: d -> j l r",
    ),
    ("choice without return", "a=1 b c d\nt: a -> b\nu: a -> c\nv: b -> d\nw: d -> d"),
];

/// Nets that are not bounded.
pub(crate) const UNBOUNDED: [(&str, &str); 4] = [
    ("a source", "a\nt: -> a"),
    ("a cycle that leaks", "a=1 b c\nt: a -> b\nu: b -> a c"),
    ("a source that can be stopped", "a b=1 c\nt: b -> b a\nu: b -> c"),
    ("a source past an inhibitor", "a b=1 c\nt: !c -> a\nu: b -> c"),
];

/// The net of a text; see above.
pub(crate) fn net(text: &str) -> Net {
    let mut lines = text.lines();
    let mut net = Net { name: "test".into(), ..Net::default() };
    for word in lines.next().unwrap_or_default().split_whitespace() {
        let (id, tokens) = word.split_once('=').unwrap_or((word, "0"));
        let initial = tokens.parse().expect("a number of tokens");
        net.places.push(Place { id: id.into(), label: None, initial });
    }
    for line in lines {
        let (id, arcs) = line.split_once(':').expect("a transition has a name");
        let (before, after) = arcs.split_once("->").expect("a transition has an arrow");
        let arc = |word: &str| {
            let (id, weight) = word.split_once('*').unwrap_or((word, "1"));
            let place = net.places.iter().position(|place| place.id == id).expect("a place");
            (PlaceId(place as u32), weight.parse::<u64>().expect("a weight"))
        };
        let mut arcs = Vec::new();
        for word in before.split_whitespace() {
            let (kind, rest) = match word.split_at(1) {
                (kind @ ("?" | "!" | "~"), rest) => (kind, rest),
                _ => ("", word),
            };
            let (place, weight) = arc(rest);
            arcs.push(match kind {
                "?" => Arc::Read { place, weight },
                "!" => Arc::Inhibitor { place, weight },
                "~" => Arc::Reset { place },
                _ => Arc::Input { place, weight },
            });
        }
        for word in after.split_whitespace() {
            arcs.push(match word.strip_prefix('~') {
                Some(rest) => Arc::Reset { place: arc(rest).0 },
                None => {
                    let (place, weight) = arc(word);
                    Arc::Output { place, weight }
                }
            });
        }
        let transition = Transition::new(id, arcs);
        net.transitions.push(transition);
    }
    net
}

/// A net, ready for questions.
pub(crate) fn loaded(net: Net) -> Loaded {
    // Nets as small as these show in few steps that they are not bounded.
    let pump = PumpLimits { steps: 20_000, ..PumpLimits::default() };
    let options = AnalysisOptions { pump, ..AnalysisOptions::default() };
    let analysis = analyse(&net, &options, &Budget::unlimited()).expect("nothing stops it");
    let model = lower_with(&net, &analysis);
    Loaded::of_net(net.name.clone(), net, analysis, model)
}

/// A built-in family, ready for questions.
pub(crate) fn family(call: &str) -> Loaded {
    match load(Source::Family(call.into()), &Budget::unlimited()) {
        Ok(loaded) => loaded,
        other => panic!("{call}: {other:?}"),
    }
}

/// All nets with two places and two transitions in which each transition has one of eight relations
/// to each place, and each place holds up to two tokens: 36 864 nets, by number.
pub(crate) fn tiny_net(number: usize) -> Net {
    let mut rest = number;
    let mut digit = |base: usize| {
        let digit = rest % base;
        rest /= base;
        digit
    };
    let places = ["a", "b"].map(|id| Place { id: id.into(), label: None, initial: digit(3) as u64 });
    let transitions = ["t", "u"].map(|id| {
        let mut transition = Transition { id: id.into(), ..Transition::default() };
        for place in [PlaceId(0), PlaceId(1)] {
            match digit(8) {
                0 => {}
                1 => transition.add(Arc::Input { place, weight: 1 }),
                2 => transition.add(Arc::Output { place, weight: 1 }),
                3 => {
                    transition.add(Arc::Input { place, weight: 2 });
                    transition.add(Arc::Output { place, weight: 1 });
                }
                4 => transition.add(Arc::Read { place, weight: 1 }),
                5 => transition.add(Arc::Inhibitor { place, weight: 1 }),
                6 => {
                    transition.add(Arc::Inhibitor { place, weight: 2 });
                    transition.add(Arc::Output { place, weight: 1 });
                }
                _ => transition.add(Arc::Reset { place }),
            }
        }
        transition
    });
    Net {
        name: format!("tiny net {number}"),
        places: places.into(),
        transitions: transitions.into(),
        ..Net::default()
    }
}

/// The number of nets that [`tiny_net`] knows.
pub(crate) const TINY_NETS: usize = 9 * 8 * 8 * 8 * 8;
