//! The search for a sequence in another, in linear time: the algorithm of Knuth, Morris and Pratt.

/// From this length on a needle is worth its failure table; a shorter one is compared at every position.
const LONG_NEEDLE: usize = 8;

/// A needle that is made ready for searches.
pub(super) struct Finder<'a, T> {
    needle: &'a [T],
    /// For each proper prefix but the first, the length of its longest border (both a proper prefix and a suffix of
    /// it); empty for a short needle.
    borders: Vec<usize>,
}

impl<'a, T: PartialEq> Finder<'a, T> {
    pub(super) fn new(needle: &'a [T]) -> Self {
        let mut borders = Vec::new();
        if needle.len() >= LONG_NEEDLE {
            borders.reserve_exact(needle.len());
            borders.push(0);
            let mut border = 0;
            for element in &needle[1..] {
                border = extend(needle, &borders, border, element);
                borders.push(border);
            }
        }
        Self { needle, borders }
    }

    /// Where the needle occurs first.
    pub(super) fn find(&self, haystack: &[T]) -> Option<usize> {
        let needle = self.needle;
        if needle.is_empty() {
            return Some(0);
        }
        if self.borders.is_empty() {
            return haystack.windows(needle.len()).position(|window| window == needle);
        }
        let mut matched = 0;
        for (place, element) in haystack.iter().enumerate() {
            matched = extend(needle, &self.borders, matched, element);
            if matched == needle.len() {
                return Some(place + 1 - matched);
            }
        }
        None
    }
}

/// The length of the longest prefix of the needle that ends with `element`, where the first `matched` elements of the
/// needle stand before it.
fn extend<T: PartialEq>(needle: &[T], borders: &[usize], mut matched: usize, element: &T) -> usize {
    loop {
        if needle[matched] == *element {
            return matched + 1;
        }
        if matched == 0 {
            return 0;
        }
        matched = borders[matched - 1];
    }
}
