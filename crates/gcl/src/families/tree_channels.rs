//! Stations in a tree that change their channels.

use super::{Family, Parameter, Tree};
use std::fmt::Write;

pub(super) const FAMILY: Family = Family {
    name: "tree-channels",
    summary: "stations in a tree change their channels, neighbours never use the same",
    description: "Stations form a complete binary tree, and each may move to any channel that neither the one above nor \
        those below use. All assignments of channels in which neighbours differ are reached: D (D - 1)^(n - 1) for n \
        stations. A vtree that follows the tree keeps sentential diagrams linear in n; orders of variables do not.",
    origin: "assignment of channels in radio networks (W. K. Hale, 1980), the colouring of a tree; written here",
    parameters: &[
        Parameter {
            name: "H",
            meaning: "height of the tree of 2^H - 1 stations",
            smallest: 1,
            largest: 13,
            default: 3,
        },
        Parameter { name: "D", meaning: "channels", smallest: 2, largest: 16, default: 4 },
    ],
    write,
};

fn write(values: &[u64]) -> String {
    let (height, channels) = (values[0], values[1]);
    let tree = Tree::of_height(height);
    let nodes = tree.shuffled();
    let mut text = format!(
        "// {} stations in a complete binary tree: station 1 is the root, stations 2k and 2k + 1 hang below\n\
         // station k. A station may move to any channel that none of its neighbours uses. With {channels} channels\n\
         // there are {channels} * {}^{} states.\n\
         model tree_channels\n\n",
        tree.count,
        channels - 1,
        tree.count - 1,
    );
    let last = channels - 1;
    for &node in &nodes {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "var station_{node}: 0..{last} = {}", Tree::depth(node) % 2);
    }
    text.push('\n');
    for &node in &nodes {
        let neighbours: Vec<u64> =
            Tree::parent(node).into_iter().chain(tree.children(node).into_iter().flatten()).collect();
        for channel in 0..channels {
            let mut guard = format!("station_{node} != {channel}");
            for neighbour in &neighbours {
                let _ = write!(guard, " & station_{neighbour} != {channel}");
            }
            let _ = writeln!(text, "move_{node}_to_{channel}: {guard} -> station_{node}' = {channel}");
        }
    }
    if let Some([left, right]) = tree.children(1) {
        let _ = writeln!(
            text,
            "\nproperty neighbours_of_the_root_differ: AG (station_{left} != station_1 & station_{right} != station_1)"
        );
    }
    text
}
