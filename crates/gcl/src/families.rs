//! Built-in families of programs: texts that are written for a size, such as `tree-channels:8,4`.
//!
//! The systems here have the shape of a tree, which no order of variables follows and a vtree does.
//! Their variables and commands come in an order that tells nothing: what the shape is must be found
//! in the commands.

mod sensor_tree;
mod token_tree;
mod tree_channels;

/// A program for every size.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The name, which is how users call it.
    pub name: &'static str,
    /// What is modelled, in one line.
    pub summary: &'static str,
    /// What is modelled, and what is known of it.
    pub description: &'static str,
    /// Where the model comes from.
    pub origin: &'static str,
    /// The numbers behind the name.
    pub parameters: &'static [Parameter],
    write: fn(&[u64]) -> String,
}

/// A number that chooses a member of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// A short name for it.
    pub name: &'static str,
    /// What it counts.
    pub meaning: &'static str,
    /// The smallest value for which the system makes sense.
    pub smallest: u64,
    /// The largest value for which the text is written.
    pub largest: u64,
    /// What it is where nothing is written.
    pub default: u64,
}

/// Why there is no such program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FamilyError {
    /// There are more numbers than parameters.
    #[error("'{family}' takes {most} numbers, but {found} were given")]
    TooMany {
        /// The family.
        family: &'static str,
        /// How many it takes.
        most: usize,
        /// How many there are.
        found: usize,
    },
    /// Something else stands where a number belongs.
    #[error("found '{found}', expected a number for {parameter}")]
    NoNumber {
        /// What stands there.
        found: String,
        /// The name of the parameter.
        parameter: &'static str,
    },
    /// A number is too small or too large.
    #[error("{parameter} of '{family}' must lie between {smallest} and {largest}, found {found}")]
    OutOfRange {
        /// The family.
        family: &'static str,
        /// The name of the parameter.
        parameter: &'static str,
        /// Its smallest value.
        smallest: u64,
        /// Its largest value.
        largest: u64,
        /// What was given.
        found: u64,
    },
}

/// All families, in alphabetical order.
pub fn families() -> &'static [Family] {
    const ALL: &[Family] = &[sensor_tree::FAMILY, token_tree::FAMILY, tree_channels::FAMILY];
    ALL
}

impl Family {
    /// How the member with the default numbers is called.
    pub fn example(&self) -> String {
        let numbers: Vec<String> =
            self.parameters.iter().map(|parameter| parameter.default.to_string()).collect();
        format!("{}:{}", self.name, numbers.join(","))
    }

    /// The text for the numbers behind the name; those that are not written have their default.
    pub fn generate(&self, numbers: &str) -> Result<String, FamilyError> {
        let words: Vec<&str> = numbers.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
        let family = self.name;
        if words.len() > self.parameters.len() {
            let (most, found) = (self.parameters.len(), words.len());
            return Err(FamilyError::TooMany { family, most, found });
        }
        let mut values = Vec::with_capacity(self.parameters.len());
        for (place, parameter) in self.parameters.iter().enumerate() {
            let Parameter { name: parameter, smallest, largest, default, .. } = *parameter;
            let value = match words.get(place) {
                None => default,
                Some(word) => word
                    .parse()
                    .map_err(|_| FamilyError::NoNumber { found: (*word).to_string(), parameter })?,
            };
            if !(smallest..=largest).contains(&value) {
                return Err(FamilyError::OutOfRange { family, parameter, smallest, largest, found: value });
            }
            values.push(value);
        }
        Ok((self.write)(&values))
    }
}

/// A complete binary tree: node 1 is the root, nodes 2k and 2k + 1 hang below node k.
#[derive(Clone, Copy)]
struct Tree {
    count: u64,
}

impl Tree {
    fn of_height(height: u64) -> Tree {
        Tree { count: (1 << height) - 1 }
    }

    fn parent(node: u64) -> Option<u64> {
        (node > 1).then_some(node / 2)
    }

    fn children(self, node: u64) -> Option<[u64; 2]> {
        (2 * node < self.count).then_some([2 * node, 2 * node + 1])
    }

    /// How many nodes lie above.
    fn depth(node: u64) -> u32 {
        node.ilog2()
    }

    /// All nodes in an order that tells nothing about the tree; always the same.
    fn shuffled(self) -> Vec<u64> {
        let mut nodes: Vec<u64> = (1..=self.count).collect();
        let mut state = self.count;
        for end in (1..nodes.len()).rev() {
            // The linear congruential generator of Knuth's MMIX; its upper bits are the good ones.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            nodes.swap(end, (state >> 33) as usize % (end + 1));
        }
        nodes
    }
}
