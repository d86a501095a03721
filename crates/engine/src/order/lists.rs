//! Many short lists in two allocations.

/// A list of lists, of numbers if nothing else is said, stored one behind the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lists<T = u32> {
    /// Where each list starts in `items`, and one more: where the last one ends.
    starts: Vec<usize>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    /// No list at all.
    pub(super) fn new() -> Self {
        Lists { starts: vec![0], items: Vec::new() }
    }

    /// No list at all, with room for `count` short ones.
    pub(super) fn with_capacity(list_count: usize) -> Self {
        let mut starts = Vec::with_capacity(list_count + 1);
        starts.push(0);
        Lists { starts, items: Vec::with_capacity(2 * list_count) }
    }

    /// Lists built from pairs `(list, item)`; each list keeps the order of the pairs.
    pub(super) fn from_pairs(list_count: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut starts = vec![0_usize; list_count + 1];
        for (list, _) in pairs.clone() {
            starts[list as usize + 1] += 1;
        }
        for list in 0..list_count {
            starts[list + 1] += starts[list];
        }
        let mut next = starts.clone();
        let mut items: Vec<T> = pairs.clone().map(|(_, item)| item).collect();
        for (list, item) in pairs {
            items[next[list as usize]] = item;
            next[list as usize] += 1;
        }
        Lists { starts, items }
    }

    /// Adds a list at the end.
    pub(super) fn push(&mut self, list: &[T]) {
        self.items.extend_from_slice(list);
        self.starts.push(self.items.len());
    }

    /// The number of lists.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of items in all lists together.
    pub(super) fn item_count(&self) -> usize {
        self.items.len()
    }

    /// One list.
    pub(super) fn get(&self, list: u32) -> &[T] {
        let list = list as usize;
        &self.items[self.starts[list]..self.starts[list + 1]]
    }

    /// One list, to be put into another order.
    pub(super) fn get_mut(&mut self, list: u32) -> &mut [T] {
        let list = list as usize;
        &mut self.items[self.starts[list]..self.starts[list + 1]]
    }

    /// All lists in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[T]> + Clone {
        self.starts.windows(2).map(|ends| &self.items[ends[0]..ends[1]])
    }
}

impl Lists {
    /// For each item below `item_count` the lists that hold it, ascending.
    pub(super) fn transposed(&self, item_count: usize) -> Self {
        let pairs = self.iter().zip(0_u32..).flat_map(|(list, index)| list.iter().map(move |&i| (i, index)));
        Lists::from_pairs(item_count, pairs)
    }
}
