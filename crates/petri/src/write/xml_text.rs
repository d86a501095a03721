//! Text and ids in XML, for the writers of all net types.

use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// Text for an attribute or an element.
pub fn escape(text: &str) -> Cow<'_, str> {
    let special = |c: char| matches!(c, '&' | '<' | '>' | '"') || c.is_control();
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 10);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push_str(&format!("&#{};", c as u32)),
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

/// Whether a text can be an id in XML; of letters only the plain ones are let through.
pub fn is_xml_name(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && text.chars().all(is_part)
}

/// The ids of transitions, changed where a place has the same: in PNML, both are ids of nodes.
pub fn transition_ids<'i>(places: &[&str], transitions: impl Iterator<Item = &'i str>) -> Vec<Cow<'i, str>> {
    let places: FxHashSet<&str> = places.iter().copied().collect();
    let mut ids: Vec<Cow<'i, str>> = transitions.map(Cow::Borrowed).collect();
    let alike: Vec<usize> = (0..ids.len()).filter(|index| places.contains(&*ids[*index])).collect();
    if alike.is_empty() {
        return ids;
    }
    let mut taken: FxHashSet<String> = ids.iter().map(|id| id.to_string()).collect();
    for index in alike {
        let mut id = format!("{}_t", ids[index]);
        while places.contains(id.as_str()) || !taken.insert(id.clone()) {
            id.push('_');
        }
        ids[index] = Cow::Owned(id);
    }
    ids
}

/// A prefix that no id begins with, for the ids that a writer makes up.
pub fn fresh_prefix<'i>(ids: impl Iterator<Item = &'i str> + Clone) -> String {
    let mut prefix = "a".to_string();
    while ids.clone().any(|id| id.starts_with(&prefix)) {
        prefix.push('_');
    }
    prefix
}
