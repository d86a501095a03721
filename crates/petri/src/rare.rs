//! Lists that nearly always are empty.

use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

/// A slice that can grow, and takes the room of one pointer while it is empty: for what few of millions have.
#[derive(Clone, Debug)]
// A box of a vector is what makes it small; the second step on the way to its items is taken seldom.
#[expect(clippy::box_collection)]
pub struct Rare<T>(Option<Box<Vec<T>>>);

impl<T> Rare<T> {
    /// The items as a vector, which is made if there is none.
    pub fn edit(&mut self) -> &mut Vec<T> {
        self.0.get_or_insert_default()
    }

    /// Appends an item.
    pub fn push(&mut self, item: T) {
        self.edit().push(item);
    }
}

impl<T> Default for Rare<T> {
    fn default() -> Self {
        Rare(None)
    }
}

impl<T> Deref for Rare<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl<T> DerefMut for Rare<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.0.as_deref_mut().map_or(&mut [], Vec::as_mut_slice)
    }
}

impl<T: PartialEq> PartialEq for Rare<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for Rare<T> {}

impl<T: Hash> Hash for Rare<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T> From<Vec<T>> for Rare<T> {
    fn from(items: Vec<T>) -> Self {
        Rare((!items.is_empty()).then(|| Box::new(items)))
    }
}

impl<T> FromIterator<T> for Rare<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Vec::from_iter(items).into()
    }
}

impl<'a, T> IntoIterator for &'a Rare<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_list_is_one_pointer_and_equals_one_that_was_emptied() {
        assert_eq!(size_of::<Rare<u64>>(), size_of::<usize>());
        let mut list = Rare::default();
        assert_eq!(list.len(), 0);
        list.push(7);
        assert_eq!((&list[..], &list), (&[7][..], &Rare::from(vec![7])));
        list.edit().clear();
        assert_eq!(list, Rare::default());
        assert_eq!([1, 2].into_iter().collect::<Rare<_>>().iter().sum::<u64>(), 3);
    }
}
