//! Which lines, functions and branches of a build ran: a set that can be written down, and compared without the build.

use super::cache_file::Parts;
use super::counts::{compress, decompress};
use super::error::CoverageError;
use super::totals::{CoverageTotals, Share};

/// Changes with the form of the encoding.
const MAGIC: u64 = u64::from_le_bytes(*b"msfcov01");
/// What is wrong with bytes that cannot be taken apart.
const DAMAGED: CoverageError = CoverageError::Damaged("covered set");

/// What a set of runs covers, of the build of one [`CoverageMap`](super::CoverageMap).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covered {
    /// That of the map.
    fingerprint: u64,
    pub(super) lines: Vec<bool>,
    pub(super) functions: Vec<bool>,
    pub(super) branches: Vec<bool>,
}

impl Covered {
    /// Nothing of a build with so many lines, functions and branches.
    pub(crate) fn nothing(fingerprint: u64, [lines, functions, branches]: [usize; 3]) -> Self {
        let none = |count| vec![false; count];
        Covered { fingerprint, lines: none(lines), functions: none(functions), branches: none(branches) }
    }

    /// A set that is written down, for tests of those who compare some.
    #[cfg(test)]
    pub(crate) fn of(fingerprint: u64, lines: &[bool], functions: &[bool], branches: &[bool]) -> Self {
        let [lines, functions, branches] = [lines, functions, branches].map(<[bool]>::to_vec);
        Covered { fingerprint, lines, functions, branches }
    }

    /// The fingerprint of the map whose build this is about.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// How much is covered.
    pub fn totals(&self) -> CoverageTotals {
        self.shares(|covered, _| covered, self)
    }

    /// Adds what `other` covers.
    ///
    /// # Errors
    /// [`CoverageError::OtherBuild`] if `other` is of another map; nothing is added then.
    pub fn merge(&mut self, other: &Covered) -> Result<(), CoverageError> {
        self.check_same(other)?;
        let all = [&mut self.lines, &mut self.functions, &mut self.branches];
        for (own, others) in all.into_iter().zip(other.parts()) {
            own.iter_mut().zip(others).for_each(|(own, &other)| *own |= other);
        }
        Ok(())
    }

    /// How much of the build this covers that `other` does not.
    ///
    /// # Errors
    /// [`CoverageError::OtherBuild`] if `other` is of another map.
    pub fn beyond(&self, other: &Covered) -> Result<CoverageTotals, CoverageError> {
        self.check_same(other)?;
        Ok(self.shares(|own, other| own && !other, other))
    }

    fn check_same(&self, other: &Covered) -> Result<(), CoverageError> {
        let sizes = |covered: &Covered| covered.parts().map(<[bool]>::len);
        let same = self.fingerprint == other.fingerprint && sizes(self) == sizes(other);
        if same { Ok(()) } else { Err(CoverageError::OtherBuild) }
    }

    fn parts(&self) -> [&[bool]; 3] {
        [&self.lines, &self.functions, &self.branches]
    }

    /// How many lines, functions and branches fulfil `counts`, which is told whether this and `other` cover each.
    fn shares(&self, counts: impl Fn(bool, bool) -> bool, other: &Covered) -> CoverageTotals {
        let share = |own: &[bool], other: &[bool]| Share {
            covered: own.iter().zip(other).filter(|&(&own, &other)| counts(own, other)).count(),
            total: own.len(),
        };
        CoverageTotals {
            lines: share(&self.lines, &other.lines),
            functions: share(&self.functions, &other.functions),
            branches: share(&self.branches, &other.branches),
        }
    }

    /// The set in few bytes: compressed bits, with the map's fingerprint.
    pub fn encode(&self) -> Vec<u8> {
        let mut plain = Vec::new();
        plain.extend(MAGIC.to_le_bytes());
        plain.extend(self.fingerprint.to_le_bytes());
        for part in self.parts() {
            plain.extend((part.len() as u64).to_le_bytes());
            plain.extend(
                part.chunks(8).map(|bits| (0..).zip(bits).fold(0, |byte, (at, &bit)| byte | u8::from(bit) << at)),
            );
        }
        compress(&plain)
    }

    /// The inverse of [`Covered::encode`].
    ///
    /// # Errors
    /// [`CoverageError::Damaged`] when the bytes are anything else.
    pub fn decode(bytes: &[u8]) -> Result<Self, CoverageError> {
        let plain = decompress(bytes).ok_or(DAMAGED)?;
        let mut parts = Parts(&plain);
        if parts.number().map_err(|_| DAMAGED)? != MAGIC {
            return Err(DAMAGED);
        }
        let fingerprint = parts.number().map_err(|_| DAMAGED)?;
        let [lines, functions, branches] = [bits(&mut parts)?, bits(&mut parts)?, bits(&mut parts)?];
        let covered = Covered { fingerprint, lines, functions, branches };
        if parts.0.is_empty() { Ok(covered) } else { Err(DAMAGED) }
    }
}

/// One part of an encoded set: how many bits, and the bits, the unused ones of the last byte zero.
fn bits(parts: &mut Parts<'_>) -> Result<Vec<bool>, CoverageError> {
    let count = parts.number().ok().and_then(|count| usize::try_from(count).ok()).ok_or(DAMAGED)?;
    let (bytes, rest) = parts.0.split_at_checked(count.div_ceil(8)).ok_or(DAMAGED)?;
    parts.0 = rest;
    let bit = |at: usize| bytes[at / 8] >> (at % 8) & 1 == 1;
    if (count..bytes.len() * 8).any(bit) {
        return Err(DAMAGED);
    }
    Ok((0..count).map(bit).collect())
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Two sets of one build.
    fn pair() -> impl Strategy<Value = [Covered; 2]> {
        (any::<u64>(), [0..40usize, 0..20usize, 0..40usize]).prop_flat_map(|(fingerprint, sizes)| {
            let one = move || {
                sizes.map(|size| vec(any::<bool>(), size)).prop_map(move |[lines, functions, branches]| Covered {
                    fingerprint,
                    lines,
                    functions,
                    branches,
                })
            };
            [one(), one()]
        })
    }

    proptest! {
        #[test]
        fn encoding_is_lossless([covered, _] in pair()) {
            prop_assert_eq!(Covered::decode(&covered.encode()).expect("own bytes"), covered);
        }

        #[test]
        fn garbage_is_refused_quietly(bytes in vec(any::<u8>(), 0..200)) {
            drop(Covered::decode(&bytes));
            let mut plain = MAGIC.to_le_bytes().to_vec();
            plain.extend(bytes);
            drop(Covered::decode(&compress(&plain)));
        }

        #[test]
        fn a_union_covers_the_one_and_what_the_other_has_beyond_it([one, other] in pair()) {
            let mut both = one.clone();
            both.merge(&other).expect("one build");
            let (first, more) = (one.totals(), other.beyond(&one).expect("one build"));
            prop_assert_eq!(both.totals().lines.covered, first.lines.covered + more.lines.covered);
            prop_assert_eq!(both.totals().functions.covered, first.functions.covered + more.functions.covered);
            prop_assert_eq!(both.totals().branches.covered, first.branches.covered + more.branches.covered);
            let mut reversed = other.clone();
            reversed.merge(&one).expect("one build");
            prop_assert_eq!(reversed, both);
        }
    }

    #[test]
    fn sets_of_different_builds_are_not_mixed() {
        let mut one = Covered::nothing(1, [3, 1, 2]);
        for other in [Covered::nothing(2, [3, 1, 2]), Covered::nothing(1, [4, 1, 2])] {
            assert!(matches!(one.merge(&other), Err(CoverageError::OtherBuild)));
            assert!(matches!(one.beyond(&other), Err(CoverageError::OtherBuild)));
        }
    }
}
