//! `by-index`: sorted by the numbers in names, so that `x_1`, `y_1`, `z_1` come together.
//!
//! Families of nets number their parts. Sorting by those numbers first and by the rest of the name
//! second undoes any shuffling of a file. What has no number stands on top.

use super::{Blocks, Interaction, Order};
use symbolon_model::Model;

/// A name taken apart: its numbers first, then the rest of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    numbers: Vec<u64>,
    stem: String,
}

impl Key {
    /// Pieces between signs that are numbers count as indices; where there are none, the digits at
    /// the end of the name do.
    fn of(name: &str) -> Self {
        let mut key = Key { numbers: Vec::new(), stem: String::new() };
        for piece in name.split(|c: char| !c.is_alphanumeric()) {
            match piece.parse() {
                Ok(number) => key.numbers.push(number),
                Err(_) => {
                    key.stem.push_str(piece);
                    key.stem.push('_');
                }
            }
        }
        if key.numbers.is_empty() {
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
            key.numbers.extend(name[stem.len()..].parse::<u64>().ok());
            key.stem = stem.to_owned();
        }
        key
    }
}

/// The key of each block: that of its first variable.
fn keys(model: &Model, blocks: &Blocks) -> Vec<Key> {
    let names = blocks.iter().map(|variables| {
        let first = variables.first().map(|variable| &*model.variables[variable.index()].name);
        Key::of(first.unwrap_or_default())
    });
    names.collect()
}

/// Whether numbers in names say anything: some number occurs with two stems.
fn is_indexed(sorted: &[(Key, u32)]) -> bool {
    sorted.windows(2).any(|pair| {
        !pair[0].0.numbers.is_empty()
            && pair[0].0.numbers.first() == pair[1].0.numbers.first()
            && pair[0].0.stem != pair[1].0.stem
    })
}

fn sorted_keys(model: &Model, blocks: &Blocks) -> Option<Vec<(Key, u32)>> {
    let mut sorted: Vec<(Key, u32)> = keys(model, blocks).into_iter().zip(0..).collect();
    sorted.sort_unstable();
    is_indexed(&sorted).then_some(sorted)
}

/// The order by index, or `None` where names have no common indices.
pub(super) fn by_index(interaction: &Interaction) -> Option<Order> {
    let sorted = sorted_keys(interaction.model, interaction.blocks)?;
    Some(Order { blocks: sorted.into_iter().map(|(_, block)| block).collect() })
}

/// Groups of blocks with the same first number; empty where names have no common indices.
pub(crate) fn index_groups(model: &Model, blocks: &Blocks) -> Vec<Vec<u32>> {
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut last = None;
    for (key, block) in sorted_keys(model, blocks).unwrap_or_default() {
        let Some(&number) = key.numbers.first() else { continue };
        if last != Some(number) {
            groups.push(Vec::new());
            last = Some(number);
        }
        if let Some(group) = groups.last_mut() {
            group.push(block);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        let check = |name: &str, numbers: &[u64], stem: &str| {
            assert_eq!(Key::of(name), Key { numbers: numbers.to_vec(), stem: stem.to_owned() }, "{name}");
        };
        check("Pback3", &[3], "Pback");
        check("Catch1_12", &[12], "Catch1_");
        check("Ask_0_7", &[0, 7], "Ask_");
        check("idle", &[], "idle");
        check("", &[], "");
        check("12", &[12], "");
        check("x99999999999999999999999", &[], "x");
    }
}
