//! Names of places and transitions beside their identifiers.
//!
//! Editors of nets write cryptic identifiers and show the `<name>`, the label, in pictures. A label
//! stands for the identifier wherever only one place, or one transition, has it. Identifiers come first.

use crate::colours::Colours;
use crate::loaded::Loaded;
use rustc_hash::FxHashMap;

/// The labels of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    places: FxHashMap<String, Vec<String>>,
    transitions: FxHashMap<String, Vec<String>>,
}

/// What a name is the label of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Labelled {
    /// Of nothing.
    Nothing,
    /// Of this identifier alone, here with the colours that the name has.
    One(String),
    /// Of several identifiers.
    Several(Vec<String>),
}

impl Labels {
    /// The labels of a net; other models have none.
    pub(crate) fn of(loaded: &Loaded) -> Labels {
        let mut labels = Labels::default();
        if let Some(net) = loaded.colours.as_deref().map(Colours::net) {
            let places = net.places.iter().map(|place| (&place.label, &place.id));
            places.for_each(|(label, id)| note(&mut labels.places, label.as_deref(), id));
            let transitions = net.transitions.iter().map(|transition| (&transition.label, &transition.id));
            transitions.for_each(|(label, id)| note(&mut labels.transitions, label.as_deref(), id));
        } else if loaded.has_net() {
            let net = loaded.net();
            let places = net.places.iter().map(|place| (&place.label, &place.id));
            places.for_each(|(label, id)| note(&mut labels.places, label.as_deref(), id));
            let transitions = net.transitions.iter().map(|transition| (&transition.label, &transition.id));
            transitions.for_each(|(label, id)| note(&mut labels.transitions, label.as_deref(), id));
        }
        labels
    }

    /// The place that a name, with a colour in square brackets or without, is the label of.
    pub(crate) fn place(&self, name: &str) -> Labelled {
        meant(&self.places, name, '[')
    }

    /// The transition that a name, with a binding in brackets or without, is the label of.
    pub(crate) fn transition(&self, name: &str) -> Labelled {
        meant(&self.transitions, name, '(')
    }

    /// All labels of places, for suggestions.
    pub(crate) fn of_places(&self) -> impl Iterator<Item = &str> + Clone {
        self.places.keys().map(String::as_str)
    }

    /// All labels of transitions, for suggestions.
    pub(crate) fn of_transitions(&self) -> impl Iterator<Item = &str> + Clone {
        self.transitions.keys().map(String::as_str)
    }
}

fn note(labels: &mut FxHashMap<String, Vec<String>>, label: Option<&str>, id: &str) {
    if let Some(label) = label {
        labels.entry(label.to_string()).or_default().push(id.to_string());
    }
}

fn meant(labels: &FxHashMap<String, Vec<String>>, name: &str, bracket: char) -> Labelled {
    let of = |base: &str, rest: &str| match labels.get(base).map(Vec::as_slice) {
        None | Some([]) => Labelled::Nothing,
        Some([id]) => Labelled::One(format!("{id}{rest}")),
        Some(several) => Labelled::Several(several.to_vec()),
    };
    match (of(name, ""), name.rsplit_once(bracket)) {
        (Labelled::Nothing, Some((base, _))) => of(base, &name[base.len()..]),
        (found, _) => found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_means_its_only_owner_with_colours_or_without() {
        let mut labels = Labels::default();
        note(&mut labels.places, Some("semaphore"), "s");
        note(&mut labels.places, Some("idle"), "i1");
        note(&mut labels.places, Some("idle"), "i2");
        note(&mut labels.places, None, "x");
        assert_eq!(labels.place("semaphore"), Labelled::One("s".into()));
        assert_eq!(labels.place("semaphore[c1]"), Labelled::One("s[c1]".into()));
        assert_eq!(labels.place("idle"), Labelled::Several(vec!["i1".into(), "i2".into()]));
        assert_eq!(labels.place("x"), Labelled::Nothing);
        assert_eq!(labels.transition("semaphore"), Labelled::Nothing);
    }
}
