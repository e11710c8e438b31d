//! Sets of code points.

use crate::smtlib::literal::LARGEST_CODE_POINT;

/// A set of code points as intervals with inclusive bounds: sorted, disjoint, not adjacent, so that equal sets are
/// equal values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Class {
    intervals: Vec<(u32, u32)>,
}

impl Class {
    /// The code points from `low` to `high`; none if `low` is above `high`.
    pub(super) fn range(low: u32, high: u32) -> Self {
        let high = high.min(LARGEST_CODE_POINT);
        Self { intervals: if low <= high { vec![(low, high)] } else { Vec::new() } }
    }

    /// All code points.
    pub(super) fn full() -> Self {
        Self::range(0, LARGEST_CODE_POINT)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    pub(super) fn contains(&self, character: u32) -> bool {
        match self.intervals.as_slice() {
            [(low, high)] => (*low..=*high).contains(&character),
            intervals => {
                let after = intervals.partition_point(|&(low, _)| low <= character);
                after > 0 && character <= intervals[after - 1].1
            }
        }
    }

    /// What is in one of the sets.
    pub(super) fn union(sets: &[&Class]) -> Self {
        let mut all: Vec<(u32, u32)> = sets.iter().flat_map(|set| set.intervals.iter().copied()).collect();
        all.sort_unstable();
        let mut intervals: Vec<(u32, u32)> = Vec::with_capacity(all.len());
        for (low, high) in all {
            match intervals.last_mut() {
                // Adjacent intervals are one.
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => intervals.push((low, high)),
            }
        }
        Self { intervals }
    }

    /// What is in both sets.
    pub(super) fn intersection(&self, other: &Class) -> Self {
        let mut intervals = Vec::new();
        let (mut own, mut others) = (self.intervals.iter().peekable(), other.intervals.iter().peekable());
        while let (Some(&&(low, high)), Some(&&(other_low, other_high))) = (own.peek(), others.peek()) {
            if low.max(other_low) <= high.min(other_high) {
                intervals.push((low.max(other_low), high.min(other_high)));
            }
            if high <= other_high {
                own.next();
            } else {
                others.next();
            }
        }
        Self { intervals }
    }

    /// The code points at which membership changes, but for the first one of all.
    pub(super) fn boundaries(&self) -> impl Iterator<Item = u32> {
        self.intervals.iter().flat_map(|&(low, high)| [low, high + 1]).filter(|&at| at > 0 && at <= LARGEST_CODE_POINT)
    }

    /// A member, one that people can read if there is one.
    pub(super) fn sample(&self) -> Option<u32> {
        let samples = self.intervals.iter().map(|&(low, high)| legible(low, high));
        samples.min_by_key(|&sample| (!is_legible(sample), sample))
    }
}

/// A code point from `low` to `high`: a letter or a digit, or else a visible one, or else the first.
pub(super) fn legible(low: u32, high: u32) -> u32 {
    let wanted = ['a', 'A', '0', '!'].map(u32::from);
    let found = wanted.into_iter().find(|character| (low..=high).contains(character));
    found.unwrap_or(low)
}

fn is_legible(character: u32) -> bool {
    char::from_u32(character).is_some_and(|character| character.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_are_equal_values() {
        let letters = Class::union(&[&Class::range(0x6E, 0x7A), &Class::range(0x61, 0x6D)]);
        assert_eq!(letters, Class::range(0x61, 0x7A));
        assert!(Class::range(5, 4).is_empty());
        assert_eq!(Class::union(&[&Class::range(0, 9), &Class::range(3, LARGEST_CODE_POINT)]), Class::full());
    }

    #[test]
    fn an_intersection_has_what_both_sets_have() {
        let left = Class::union(&[&Class::range(0, 3), &Class::range(10, 20), &Class::range(30, 30)]);
        let right = Class::union(&[&Class::range(2, 12), &Class::range(18, 40)]);
        let both = left.intersection(&right);
        for character in 0..50 {
            assert_eq!(both.contains(character), left.contains(character) && right.contains(character), "{character}");
        }
    }

    #[test]
    fn a_sample_is_legible_where_one_can_be() {
        assert_eq!(Class::full().sample(), Some(u32::from('a')));
        assert_eq!(Class::union(&[&Class::range(0, 1), &Class::range(0x7A, 0x7A)]).sample(), Some(0x7A));
        assert_eq!(Class::range(0, 1).sample(), Some(0));
        assert_eq!(Class::range(1, 0).sample(), None);
    }
}
