//! Lists of numbers, one for each key, one after the other in one array: nets have many small
//! lists.

/// For each key from 0 on, its members in the order in which they were given.
#[derive(Debug)]
pub(super) struct Lists {
    starts: Vec<usize>,
    members: Vec<u32>,
}

impl Lists {
    /// The lists of the pairs (key, member) that `visit_all` shows. It is called twice, to count
    /// and to fill, and must show the same pairs both times.
    pub(super) fn new(key_count: usize, visit_all: impl Fn(&mut dyn FnMut(usize, u32))) -> Self {
        let mut starts = vec![0_usize; key_count + 1];
        visit_all(&mut |key, _| starts[key + 1] += 1);
        for key in 0..key_count {
            starts[key + 1] += starts[key];
        }
        let mut next = starts.clone();
        let mut members = vec![0; starts[key_count]];
        visit_all(&mut |key, member| {
            members[next[key]] = member;
            next[key] += 1;
        });
        Lists { starts, members }
    }

    /// The members of a key.
    pub(super) fn of(&self, key: usize) -> &[u32] {
        &self.members[self.starts[key]..self.starts[key + 1]]
    }
}
