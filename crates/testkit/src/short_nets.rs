//! Nets written in short, for tables of small ones.

use symbolon_petri::{Net, Place, PlaceId, Transition};

/// A net in short: markings of places 0, 1, …; then one text a transition, such as
/// `0 1*2 ?3 !4 ~5 > 6 7*3`: inputs with weights, `?` read, `!` inhibitor, `~` reset, then outputs.
pub fn net_in_short(initial: &[u64], transitions: &[&str]) -> Net {
    let places = initial.iter().enumerate();
    let places = places.map(|(index, &initial)| Place { id: format!("p{index}"), label: None, initial });
    let transition = |(index, text): (usize, &&str)| {
        let mut transition = Transition { id: format!("t{index}"), ..Transition::default() };
        let (left, right) = text.split_once('>').expect("a transition has a >");
        let arc = |word: &str| {
            let (place, weight) = word.split_once('*').unwrap_or((word, "1"));
            (PlaceId(place.parse().expect("a place")), weight.parse().expect("a weight"))
        };
        for word in left.split_whitespace() {
            match word.split_at(1) {
                ("?", word) => transition.reads.push(arc(word)),
                ("!", word) => transition.inhibitors.push(arc(word)),
                ("~", word) => transition.resets.push(arc(word).0),
                _ => transition.inputs.push(arc(word)),
            }
        }
        transition.outputs.extend(right.split_whitespace().map(arc));
        transition
    };
    Net {
        places: places.collect(),
        transitions: transitions.iter().enumerate().map(transition).collect(),
        ..Net::default()
    }
}
