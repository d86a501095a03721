//! Mutual exclusion by a token that moves along the edges of a tree.

use super::{Family, Parameter, Tree};
use std::fmt::Write;

pub(super) const FAMILY: Family = Family {
    name: "token-tree",
    summary: "mutual exclusion: requests go towards a token, which moves along a tree",
    description: "One token moves along the edges of a complete binary tree. Every node knows in which direction it is, \
        and passes requests on that way, its own and those of neighbours. Who has the token may be inside.",
    origin: "K. Raymond, A tree-based algorithm for distributed mutual exclusion (ACM TOCS 1989); with sets of requests \
        instead of queues",
    parameters: &[Parameter {
        name: "H",
        meaning: "height of the tree of 2^H - 1 nodes",
        smallest: 1,
        largest: 12,
        default: 3,
    }],
    write,
};

fn write(values: &[u64]) -> String {
    let tree = Tree::of_height(values[0]);
    let nodes = tree.shuffled();
    let mut text = format!(
        "// {} nodes in a complete binary tree: node 1 is the root, nodes 2k and 2k + 1 hang below node k. Each knows\n\
         // in which direction the token is, and asks there if it wants the token or was asked for it itself.\n\
         // Who has the token may be inside, or pass it to a neighbour that asks. After K. Raymond, A tree-based\n\
         // algorithm for distributed mutual exclusion (1989), with sets of requests instead of queues.\n\
         model token_tree\n\n\
         enum direction = {{here, up, left, right}}\n",
        tree.count
    );
    for &node in &nodes {
        let direction = if node == 1 { "here" } else { "up" };
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "var token_{node}: direction = {direction}\nvar user_{node}: {{out, waiting, inside}} = out\nvar asked_{node}: bool = false"
        );
    }
    text.push('\n');
    for &node in &nodes {
        // The neighbours: where each lies from here, and where this node lies from there.
        let mut neighbours: Vec<(u64, &str, &str)> = Vec::new();
        if let Some(parent) = Tree::parent(node) {
            neighbours.push((parent, "up", if node % 2 == 0 { "left" } else { "right" }));
        }
        if let Some([left, right]) = tree.children(node) {
            neighbours.extend([(left, "left", "up"), (right, "right", "up")]);
        }
        let mut wanted = format!("user_{node} = waiting");
        for (neighbour, _, back) in &neighbours {
            let _ = write!(wanted, " | asked_{neighbour} & token_{neighbour} = {back}");
        }
        let _ = writeln!(text, "want_{node}: user_{node} = out -> user_{node}' = waiting");
        let _ = writeln!(
            text,
            "enter_{node}: user_{node} = waiting & token_{node} = here -> user_{node}' = inside"
        );
        let _ = writeln!(text, "leave_{node}: user_{node} = inside -> user_{node}' = out");
        if !neighbours.is_empty() {
            let _ = writeln!(
                text,
                "ask_{node}: token_{node} != here & !asked_{node} & ({wanted}) -> asked_{node}' = true"
            );
        }
        for (neighbour, there, back) in &neighbours {
            let _ = writeln!(
                text,
                "pass_{node}_to_{neighbour}: token_{node} = here & user_{node} != inside & asked_{neighbour} & \
                 token_{neighbour} = {back} -> token_{node}' = {there} || token_{neighbour}' = here || asked_{neighbour}' = false"
            );
        }
    }
    if let Some([left, right]) = tree.children(1) {
        let _ = writeln!(
            text,
            "\nproperty never_both_inside: AG !(user_{left} = inside & user_{right} = inside)\n\
             property each_can_enter: AG EF (user_{right} = inside)"
        );
    }
    text
}
