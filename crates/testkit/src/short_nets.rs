//! Nets written in short, for tables of small ones.

use symbolon_petri::{Arc, Net, Place, PlaceId, Transition};

/// A net in short: markings of places 0, 1, …; then one text per transition, such as
/// `0 1*2 ?3 !4 ~5 > 6 7*3`: inputs with weights, `?` read, `!` inhibitor, `~` reset, then outputs.
pub fn net_in_short(initial: &[u64], transitions: &[&str]) -> Net {
    let places = initial.iter().enumerate();
    let places = places.map(|(index, &initial)| Place { id: format!("p{index}"), label: None, initial });
    let transition = |(index, text): (usize, &&str)| {
        let (left, right) = text.split_once('>').expect("a transition has a >");
        let weighted = |word: &str| {
            let (place, weight) = word.split_once('*').unwrap_or((word, "1"));
            (PlaceId(place.parse().expect("a place")), weight.parse().expect("a weight"))
        };
        let before = |word: &str| match word.split_at(1) {
            ("?", word) => {
                let (place, weight) = weighted(word);
                Arc::Read { place, weight }
            }
            ("!", word) => {
                let (place, weight) = weighted(word);
                Arc::Inhibitor { place, weight }
            }
            ("~", word) => Arc::Reset { place: weighted(word).0 },
            _ => {
                let (place, weight) = weighted(word);
                Arc::Input { place, weight }
            }
        };
        let after = |word: &str| {
            let (place, weight) = weighted(word);
            Arc::Output { place, weight }
        };
        let arcs = left.split_whitespace().map(before).chain(right.split_whitespace().map(after));
        Transition::new(format!("t{index}"), arcs.collect())
    };
    Net {
        places: places.collect(),
        transitions: transitions.iter().enumerate().map(transition).collect(),
        ..Net::default()
    }
}
