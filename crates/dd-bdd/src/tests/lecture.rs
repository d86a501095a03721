//! The worked example of the lecture: (a ⇔ b) ∧ (c ⇔ d).

use super::*;
use crate::{Drawing, Operator};

fn example(bdd: &mut Bdd) -> Root {
    bdd.build(&variables(4), |v| v[0] == v[1] && v[2] == v[3]).expect("no limit")
}

#[test]
fn it_has_six_inner_nodes_and_five_with_signs() {
    let mut bdd = bdd(4, Limits::default());
    let built = example(&mut bdd);
    let [a, b, c, d] = [0, 1, 2, 3].map(|v| bdd.variable(Variable(v)).expect("no limit"));
    let left = bdd.apply(Operator::Iff, &a, &b).expect("no limit");
    let right = bdd.apply(Operator::Iff, &c, &d).expect("no limit");
    let applied = bdd.apply(Operator::And, &left, &right).expect("no limit");
    assert_eq!(built, applied);
    assert_eq!(bdd.plain_node_count([&built]), 6);
    // Rows 2 and 3 of the table are one node.
    assert_eq!(bdd.node_count([&built]), 5);
    // Under (a, c, b, d) the first two have to be remembered: nine nodes.
    bdd.set_order(&[0, 2, 1, 3].map(Variable)).expect("no limit");
    assert_eq!(bdd.plain_node_count([&built]), 9);
    bdd.set_order(&variables(4)).expect("no limit");
    assert_eq!(bdd.plain_node_count([&built]), 6);
    bdd.validate().expect("valid");
}

#[test]
fn binding_two_variables_leaves_the_other_half() {
    let mut bdd = bdd(4, Limits::default());
    let f = example(&mut bdd);
    let half = bdd.restrict(&f, &[(Variable(0), true), (Variable(1), true)]).expect("no limit");
    let right = bdd.build(&[Variable(2), Variable(3)], |v| v[0] == v[1]).expect("no limit");
    assert_eq!(half, right);
    let none = bdd.restrict(&f, &[(Variable(0), true), (Variable(1), false)]).expect("no limit");
    assert!(none.node().is_empty());
}

#[test]
fn its_picture() {
    let mut bdd = bdd(4, Limits::default());
    let f = example(&mut bdd);
    let name = |variable: Variable| ["a", "b", "c", "\"d\""][variable.index()].to_string();
    let plain = bdd.to_dot(&[("f", &f)], name, Drawing::Plain);
    assert_eq!(
        plain,
        r#"digraph bdd {
  node [shape=circle];
  f0 [shape=plaintext, label="f"];
  f0 -> n0 [style=solid];
  n0 [label="a"];
  n0 -> n1 [style=dashed];
  n0 -> n5 [style=solid];
  n1 [label="b"];
  n1 -> n2 [style=dashed];
  n1 -> false [style=solid];
  n2 [label="c"];
  n2 -> n3 [style=dashed];
  n2 -> n4 [style=solid];
  n3 [label="\"d\""];
  n3 -> true [style=dashed];
  n3 -> false [style=solid];
  n4 [label="\"d\""];
  n4 -> false [style=dashed];
  n4 -> true [style=solid];
  n5 [label="b"];
  n5 -> false [style=dashed];
  n5 -> n2 [style=solid];
  false [shape=box, label="0"];
  true [shape=box, label="1"];
  { rank=same; n0; }
  { rank=same; n1; n5; }
  { rank=same; n2; }
  { rank=same; n3; n4; }
}
"#
    );
    let signed = bdd.to_dot(&[("f", &f)], name, Drawing::Signed);
    assert_eq!(signed.matches("[label=").count(), 5, "{signed}");
    assert!(signed.contains("arrowhead=odot") && !signed.contains("true"), "{signed}");
    let constant = bdd.constant(true);
    let picture = bdd.to_dot(&[("1", &constant)], name, Drawing::Signed);
    assert!(picture.contains("f0 -> false [style=solid, arrowhead=odot];"), "{picture}");
}
