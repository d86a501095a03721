use super::*;
use symbolon_model::{Change, Component, ComponentId, Event, Part, Variable, VariableId};

fn model(names: &[&str]) -> Model {
    Model {
        variables: names.iter().map(|name| Variable { name: (*name).to_string() }).collect(),
        initial: vec![vec![0; names.len()].into()],
        ..Model::default()
    }
}

/// A tree as text: `0 (1 2) 3`.
fn show(items: &[Item]) -> String {
    let show = |item: &Item| match item {
        Item::Block(block) => block.to_string(),
        Item::Group(items) => format!("({})", show(items)),
    };
    items.iter().map(show).collect::<Vec<_>>().join(" ")
}

#[test]
fn trees_by_name() {
    let mut model = model(&["a_1", "b_1", "a_2", "b_2", "x", "a_3", "b_3"]);
    let component = |parent, variables: &[u32]| Component {
        name: String::new(),
        parent,
        variables: variables.iter().copied().map(VariableId).collect(),
    };
    let root = Some(ComponentId(0));
    model.components = vec![
        component(None, &[4]),
        component(root, &[2, 3]),
        component(root, &[0, 1, 5]),
        component(root, &[6]),
    ];
    let blocks = Blocks::single(&model);
    let order = Order::as_given(7);
    let check = |name: &str, expected: &str| {
        let parsed: HierarchyName = name.parse().expect(name);
        assert_eq!(parsed.to_string(), name);
        let tree = compute(&model, &blocks, &order, parsed).expect(name);
        assert_eq!(show(&tree.items), expected, "{name}");
        assert!(tree.order().is_permutation(7), "{name}");
    };
    check("flat", "0 1 2 3 4 5 6");
    check("groups:3", "(0 1 2) (3 4 5) 6");
    check("groups:1", "0 1 2 3 4 5 6");
    check("groups:9", "0 1 2 3 4 5 6");
    check("recursive", "(0 1 2) (3 4 5 6)");
    check("recursive:1", "(0 (1 2)) ((3 4) (5 6))");
    check("indexed", "4 (0 1) (2 3) (5 6)");
    check("indexed-recursive", "4 (0 1) ((2 3) (5 6))");
    check("nupn", "(0 1 5) (2 3) 4 6");
    for wrong in ["", "groups", "groups:0", "groups:x", "flat:1", "recursive:"] {
        assert_eq!(wrong.parse::<HierarchyName>(), Err(UnknownHierarchy), "{wrong}");
    }
}

/// A ring of cells with two variables each, numbered by `number`.
fn ring(cells: usize, number: impl Fn(usize) -> usize) -> Model {
    let mut ring = model(&vec!["x"; 2 * cells]);
    let part = |variable: usize, change| Part::Local {
        variable: VariableId(number(variable % (2 * cells)) as u32),
        at_least: u64::from(change < 0),
        at_most: u64::MAX,
        change: Change::Add(change),
    };
    for variable in 0..2 * cells {
        let parts = vec![part(variable, -1), part(variable + 1, 1)];
        ring.events.push(Event { name: format!("e{variable}"), parts });
    }
    ring
}

#[test]
fn what_repeats_itself_is_found_whatever_its_numbers() {
    let size = |number: &dyn Fn(usize) -> usize, cells: usize| {
        let model = ring(cells, number);
        let blocks = Blocks::single(&model);
        let tree = compute(&model, &blocks, &Order::as_given(blocks.len()), HierarchyName::Repeated)?;
        assert!(tree.order().is_permutation(2 * cells));
        Some(tree.size())
    };
    let plain = size(&|variable| variable, 100).expect("it repeats itself");
    assert!(plain.0 > 80 && plain.1 >= 6, "{plain:?}");
    // 27 has no factor in common with 200.
    assert_eq!(size(&|variable| variable * 27 % 200, 100), Some(plain));
    assert_eq!(size(&|variable| variable, 5), None, "too few parts");
}

#[test]
fn nothing_to_stand_on() {
    let model = model(&["a", "b"]);
    let blocks = Blocks::single(&model);
    for name in [HierarchyName::Nupn, HierarchyName::Indexed, HierarchyName::IndexedRecursive] {
        assert_eq!(compute(&model, &blocks, &Order::as_given(2), name), None, "{name}");
    }
}

#[test]
fn texts_come_back() {
    let model = model(&["a", "{", "b c", "d", "#"]);
    let blocks = Blocks::single(&model);
    let tree = Tree::new(vec![
        Item::Group(vec![Item::Block(3), Item::Group(vec![Item::Block(1), Item::Block(0)])]),
        Item::Group(vec![Item::Block(2), Item::Block(4)]),
    ]);
    let text = save(&model, &blocks, &tree);
    let found = load(&model, &text).expect(&text);
    assert_eq!((found.blocks, found.tree), (blocks, tree), "{text}");
}

#[test]
fn wrong_texts_say_where() {
    let model = model(&["a", "b"]);
    let check = |text: &str, expected: HierarchyFileProblem| {
        assert_eq!(load(&model, text), Err(expected), "{text}");
    };
    check("a\n}\nb\n", HierarchyFileProblem::NothingToClose(2));
    check("a\n{\nb\n", HierarchyFileProblem::NeverClosed(2));
    check(&format!("a\nb\n{}", "{\n".repeat(201)), HierarchyFileProblem::TooDeep(203));
    let unknown = load(&model, "# comment\n{\n a\n c\n}\n").expect_err("no such variable").to_string();
    assert!(unknown.contains("`c`"), "{unknown}");
}
