//! Sensors at the leaves of a tree, whose largest reading is reported to the root.

use super::{Family, Parameter, Tree};
use std::fmt::Write;

pub(super) const FAMILY: Family = Family {
    name: "sensor-tree",
    summary: "readings of sensors are gathered in a tree, each node reports the largest below it",
    description: "The leaves of a complete binary tree take readings; each node above takes the larger report of its two \
        children once both have one, and is emptied when its own report was taken and its children have emptied theirs. \
        What a node holds depends on its neighbours in the tree alone.",
    origin: "aggregation in sensor networks (S. Madden et al., TAG, OSDI 2002), a handshake of four phases; written here",
    parameters: &[
        Parameter {
            name: "H",
            meaning: "height of the tree of 2^H - 1 nodes",
            smallest: 1,
            largest: 12,
            default: 3,
        },
        Parameter { name: "K", meaning: "largest reading", smallest: 1, largest: 15, default: 3 },
    ],
    write,
};

fn write(values: &[u64]) -> String {
    let (height, largest) = (values[0], values[1]);
    let tree = Tree::of_height(height);
    let nodes = tree.shuffled();
    let mut text = format!(
        "// {} nodes in a complete binary tree: node 1 is the root, nodes 2k and 2k + 1 hang below node k.\n\
         // The leaves are sensors with readings from 1 to {largest}; 0 means that a node has nothing to report. A node\n\
         // takes the larger report of its children once both have one; the children then clear theirs, and\n\
         // when they have, and its own was taken, the node clears its own: a handshake of four phases.\n\
         model sensor_tree\n\n",
        tree.count
    );
    for &node in &nodes {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "var report_{node}: 0..{largest} = 0");
    }
    text.push('\n');
    for &node in &nodes {
        let taken = Tree::parent(node).map(|parent| format!(" & report_{parent} > 0")).unwrap_or_default();
        let asked = Tree::parent(node).map(|parent| format!(" & report_{parent} = 0")).unwrap_or_default();
        match tree.children(node) {
            None => {
                for reading in 1..=largest {
                    let _ = writeln!(
                        text,
                        "read_{node}_{reading}: report_{node} = 0{asked} -> report_{node}' = {reading}"
                    );
                }
                let _ = writeln!(text, "clear_{node}: report_{node} > 0{taken} -> report_{node}' = 0");
            }
            Some([left, right]) => {
                for reading in 1..=largest {
                    let _ = writeln!(
                        text,
                        "take_{node}_{reading}: report_{node} = 0{asked} & report_{left} > 0 & report_{right} > 0 & \
                         report_{left} <= {reading} & report_{right} <= {reading} & \
                         (report_{left} = {reading} | report_{right} = {reading}) -> report_{node}' = {reading}"
                    );
                }
                let _ = writeln!(
                    text,
                    "clear_{node}: report_{node} > 0{taken} & report_{left} = 0 & report_{right} = 0 -> \
                     report_{node}' = 0"
                );
            }
        }
    }
    if let Some([left, right]) = tree.children(1) {
        let _ = writeln!(
            text,
            "\nproperty the_root_has_the_largest: AG (report_1 > 0 -> report_{left} <= report_1 & report_{right} <= report_1)\n\
             property the_largest_can_come: EF (report_1 = {largest})"
        );
    }
    text
}
