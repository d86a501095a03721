//! The families of programs: their texts are read, and have as many states as is known of them.

use symbolon_budget::Budget;
use symbolon_explicit::{Options, explore};
use symbolon_gcl::families::{FamilyError, families};
use symbolon_gcl::load;

fn states(name: &str, numbers: &str) -> u64 {
    let family = families().iter().find(|family| family.name == name).expect("a family");
    let text = family.generate(numbers).expect("numbers in range");
    let loaded = load(text.as_bytes(), &[], &Budget::unlimited()).expect("a program");
    let explored = explore(&loaded.model, &Options::default(), &Budget::unlimited());
    explored.expect("no limit").state_count() as u64
}

#[test]
fn channels_are_all_proper_colourings() {
    for (height, channels) in [(1, 3), (2, 3), (2, 5), (3, 3), (3, 4)] {
        let stations = (1_u32 << height) - 1;
        let expected = channels * (channels - 1_u64).pow(stations - 1);
        assert_eq!(states("tree-channels", &format!("{height},{channels}")), expected);
    }
    // With two channels nobody can move.
    assert_eq!(states("tree-channels", "3,2"), 1);
}

/// What a subtree of sensors can hold, given what the node above holds, by the handshake alone.
fn sensors(height: u32, largest: u64) -> u64 {
    // (report of the root, of the children) of a tree of height 2, by a search written for it.
    assert_eq!(height, 2);
    let mut met = std::collections::BTreeSet::from([(0, 0, 0)]);
    let mut open = vec![(0, 0, 0)];
    while let Some((root, left, right)) = open.pop() {
        let mut next = Vec::new();
        for reading in 1..=largest {
            if root == 0 && left == 0 {
                next.push((root, reading, right));
            }
            if root == 0 && right == 0 {
                next.push((root, left, reading));
            }
        }
        if root == 0 && left > 0 && right > 0 {
            next.push((left.max(right), left, right));
        }
        if root > 0 {
            next.extend([(root, 0, right), (root, left, 0)]);
        }
        if root > 0 && left == 0 && right == 0 {
            next.push((0, 0, 0));
        }
        open.extend(next.into_iter().filter(|state| met.insert(*state)));
    }
    met.len() as u64
}

#[test]
fn sensors_follow_the_handshake() {
    for largest in 1..=4 {
        assert_eq!(states("sensor-tree", &format!("2,{largest}")), sensors(2, largest));
    }
    assert_eq!(states("sensor-tree", "1,3"), 4);
}

#[test]
fn one_token_moves_in_the_tree() {
    // One node: it is out, waits, or is inside.
    assert_eq!(states("token-tree", "1"), 3);
    assert_eq!(states("token-tree", "2"), 87);
}

#[test]
fn numbers_are_checked() {
    let family = families().iter().find(|family| family.name == "tree-channels").expect("a family");
    assert!(matches!(family.generate("1,2,3"), Err(FamilyError::TooMany { most: 2, found: 3, .. })));
    assert!(matches!(family.generate("x"), Err(FamilyError::NoNumber { parameter: "H", .. })));
    assert!(matches!(family.generate("99"), Err(FamilyError::OutOfRange { found: 99, .. })));
    assert_eq!(family.generate(""), family.generate("3,4"), "defaults");
    for family in families() {
        assert!(family.generate("").is_ok() && family.example().starts_with(family.name));
    }
}
