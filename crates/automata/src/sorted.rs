//! Small sets of numbers, as sorted slices: labels, marks, obligations and promises are all such
//! sets.

/// The numbers that lie in one of the two.
pub(crate) fn union<T: Copy + Ord>(a: &[T], b: &[T]) -> Box<[T]> {
    if b.is_empty() {
        return a.into();
    }
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let least = a[i].min(b[j]);
        i += usize::from(a[i] == least);
        j += usize::from(b[j] == least);
        all.push(least);
    }
    all.extend_from_slice(&a[i..]);
    all.extend_from_slice(&b[j..]);
    all.into()
}

/// Whether every number of `a` lies in `b`.
pub(crate) fn is_subset<T: Copy + Ord>(a: &[T], b: &[T]) -> bool {
    if a.len() > b.len() {
        return false;
    }
    let mut rest = b.iter();
    a.iter().all(|x| rest.by_ref().find(|&y| y >= x) == Some(x))
}

/// Sorted, each once.
pub(crate) fn sorted<T: Copy + Ord>(numbers: impl IntoIterator<Item = T>) -> Box<[T]> {
    let mut numbers: Vec<T> = numbers.into_iter().collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sets_over_four_numbers() {
        let set = |mask: u32| -> Vec<u32> { (0..4).filter(|bit| mask >> bit & 1 == 1).collect() };
        for (a, b) in (0..16).flat_map(|a| (0..16).map(move |b| (a, b))) {
            assert_eq!(*union(&set(a), &set(b)), set(a | b));
            assert_eq!(is_subset(&set(a), &set(b)), a & !b == 0, "{:?} {:?}", set(a), set(b));
        }
        assert_eq!(*sorted([3, 1, 3, 2]), [1, 2, 3]);
    }
}
