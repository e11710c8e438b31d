//! STORM's minimisation (Algorithm 2): binary search for the fewest assertions, then for the least depth.
//!
//! STORM makes new instances within each bound by running its fuzzer on the instance again; here an instance within a
//! bound is a random part of the script: some of its assertions, cut at a depth. Atoms are cut like all terms.

use crate::random::{choose_front, rng_for};
use crate::reduce::edit::{Draft, Edit};
use crate::reduce::search::{Search, Stop};
use crate::reduce::size::depth;
use crate::reduce::terms::{Kind, levels};
use crate::smtlib::script::Script;

/// Instances that are tried within each bound. The paper's NM, of which its algorithm makes so many, is 300 to 1000; a part of a
/// script is found by fewer.
const INSTANCES: u32 = 16;

impl Search<'_> {
    /// Binary search for the least bound on assertions, then for the least bound on depth, within which one of some
    /// random instances has the property. `seed` decides them.
    ///
    /// # Errors
    /// [`Stop`]
    pub(super) fn by_storm(&mut self, seed: u64) -> Result<(), Stop> {
        self.least_bound(seed, |script| script.assertions().count(), some_assertions)?;
        self.least_bound(seed, depth, cut)
    }

    fn least_bound(
        &mut self,
        seed: u64,
        measure: impl Fn(&Script) -> usize,
        within: impl Fn(&Script, usize, u64, u32) -> Script,
    ) -> Result<(), Stop> {
        let mut low = 1;
        let mut high = measure(self.best());
        while low < high {
            let middle = usize::midpoint(low, high);
            let instances: Vec<Script> = (0..INSTANCES).map(|slot| within(self.best(), middle, seed, slot)).collect();
            if self.first(instances)?.is_some() {
                high = measure(self.best()).min(middle);
            } else {
                low = middle + 1;
            }
        }
        Ok(())
    }
}

/// The script with at most `most` of its assertions, drawn at random.
fn some_assertions(script: &Script, most: usize, seed: u64, slot: u32) -> Script {
    let mut indices = crate::operator::declarations::assertion_indices(script);
    let mut rng = rng_for(seed, most as u32, slot);
    choose_front(&mut rng, &mut indices, most);
    let dropped: Vec<Edit> = indices.iter().skip(most).map(|&index| Edit::Drop(index)).collect();
    Draft::new(script).with(&dropped)
}

/// The script with a variable or a constant, drawn at random, in the place of each term that nests deeper than `most`.
fn cut(script: &Script, most: usize, seed: u64, slot: u32) -> Script {
    let mut draft = Draft::new(script);
    let mut rng = rng_for(seed, most as u32, slot);
    let mut edits = Vec::new();
    for term in levels(script).into_iter().nth(most).unwrap_or_default() {
        let mut ways: Vec<Edit> = [Kind::Constant, Kind::Variable, Kind::Fresh]
            .iter()
            .flat_map(|kind| kind.edits(&mut draft, term))
            .collect();
        choose_front(&mut rng, &mut ways, 1);
        edits.extend(ways.into_iter().next());
    }
    draft.with(&edits)
}
