//! Vtrees and diagrams as text, and pictures.

use super::*;
use crate::{TextError, VtreeError};
use symbolon_testkit::seeds;

#[test]
fn vtrees_are_read_back() {
    for seed in seeds(50) {
        let mut numbers = RandomNumbers::new(seed);
        let count = 1 + numbers.below(12) as u32;
        let vtree = random_vtree(count, &mut numbers);
        let again = Vtree::from_text(&vtree.to_text()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(again.to_text(), vtree.to_text(), "seed {seed}");
        assert_eq!(again.variables(), vtree.variables(), "seed {seed}");
    }
}

#[test]
fn shapes_are_what_they_are_called() {
    let shape = |vtree: Vtree| {
        fn text(vtree: &Vtree, node: crate::VtreeNode) -> String {
            match vtree.children(node) {
                Some((left, right)) => format!("({}{})", text(vtree, left), text(vtree, right)),
                None => vtree.variable(node).expect("a leaf").0.to_string(),
            }
        }
        text(&vtree, vtree.root())
    };
    let order = variables(5);
    assert_eq!(shape(Vtree::right_linear(&order)), "(0(1(2(34))))");
    assert_eq!(shape(Vtree::left_linear(&order)), "((((01)2)3)4)");
    assert_eq!(shape(Vtree::balanced(&order)), "((01)(2(34)))");
    assert_eq!(shape(Vtree::vertical(&order)), "(0((1(23))4))");
    assert_eq!(Vtree::right_linear(&order).height(), 5);
    assert_eq!(Vtree::balanced(&order).height(), 4);
}

#[test]
fn a_vtree_of_the_other_package_is_read() {
    let text = "c ids of nodes\nvtree 5\nL 0 2\nL 2 1\nI 1 0 2\nL 4 3\nI 3 1 4\n";
    let vtree = Vtree::from_text(text).expect("a tree");
    assert_eq!(vtree.variables(), [1, 0, 2].map(Variable));
    assert_eq!(vtree.to_text(), "vtree 5\nL 0 2\nL 2 1\nI 1 0 2\nL 4 3\nI 3 1 4\n");
}

#[test]
fn wrong_vtrees_are_refused() {
    let check = |text: &str, error: VtreeError| assert_eq!(Vtree::from_text(text), Err(error), "{text}");
    check("", VtreeError::Empty);
    check("vtree 1\n", VtreeError::Text(1, "1 nodes announced, but 0 follow".into()));
    check("L 0 1\nL 1 1\nI 2 0 1", VtreeError::Twice(Variable(0)));
    check("L 0 1\nL 1 3\nI 2 0 1", VtreeError::Missing(Variable(1), 2));
    check("L 0 1\nL 1 2", VtreeError::NotATree);
    check("L 0 1\nL 1 2\nI 2 0 0", VtreeError::NotATree);
    check("L 0 1\nI 2 0 7", VtreeError::Text(2, "no node 7 stands above".into()));
    check("L 0 1\nL 0 2", VtreeError::Text(2, "node 0 stands above already".into()));
    check("L 0 x", VtreeError::Text(1, "expected a number, found 'x'".into()));
    let expected = "expected 'vtree COUNT', 'L NODE VARIABLE' or 'I NODE LEFT RIGHT', found 'L 0 0'";
    check("L 0 0", VtreeError::Text(1, expected.into()));
}

#[test]
fn diagrams_are_written_as_the_other_package_writes_them() {
    let mut sdd = sdd(Vtree::balanced(&variables(4)), Limits::default());
    let f = sdd.build(&variables(4), |v| v[0] && v[1] || v[2] && v[3]).expect("no limit");
    let text = sdd.to_text(&f);
    assert!(text.starts_with("sdd "), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with('D')).count(), sdd.signed_size([&f]).0);
    assert_eq!(sdd.from_text(&text), Ok(f));
    let wrong = |sdd: &mut Sdd, text: &str| match sdd.from_text(text) {
        Err(TextError::Line(line, _)) => Some(line),
        _ => None,
    };
    assert_eq!(wrong(&mut sdd, "sdd 1\nL 0 0 9"), Some(2));
    assert_eq!(wrong(&mut sdd, "T 0\nD 1 3 1 0 5"), Some(2));
    assert_eq!(wrong(&mut sdd, "T 0\nD 1 3 2 0 0"), Some(2));
    assert_eq!(wrong(&mut sdd, "T 0\nT 0"), Some(2));
    assert_eq!(wrong(&mut sdd, "T -1"), Some(1));
    assert_eq!(sdd.from_text(""), Err(TextError::Empty));
}

#[test]
fn pictures_have_a_pair_of_boxes_for_each_element() {
    let mut sdd = sdd(Vtree::balanced(&variables(4)), Limits::default());
    let f = sdd.build(&variables(4), |v| v[0] && v[1] || v[2] && v[3]).expect("no limit");
    let picture = sdd.to_dot(&[("f", &f)], |v| format!("x{}", v.0));
    assert_eq!(picture.matches("<p>").count(), sdd.element_count([&f]));
    assert_eq!(picture.matches("shape=circle").count(), sdd.node_count([&f]));
    assert!(picture.contains("x3"), "{picture}");
}
