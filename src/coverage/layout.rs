//! Where an instrumented program keeps the counters of each function, as its runtime tells it.

use hashbrown::HashMap;

use super::error::CoverageError;
use super::map::{CoverageMap, Unit};
use super::words::{Malformed, Words};

/// The places of all counters in the image of `.bss`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Ascending by place.
    pub(crate) places: Vec<Place>,
}

/// The place of one function's counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// First byte, from the start of the image.
    pub(crate) start: u32,
    /// One past the last byte.
    pub(crate) end: u32,
    /// The function, in the map's numbering.
    pub(crate) function: u32,
}

const DAMAGED: CoverageError = CoverageError::Damaged("counter layout");

impl From<Malformed> for CoverageError {
    fn from(_: Malformed) -> Self {
        DAMAGED
    }
}

/// Finds the unit of a map that an instrumented program or a data file speaks of.
#[derive(Debug)]
pub(crate) struct UnitIndex<'a> {
    by_stamp: HashMap<u32, Vec<&'a Unit>>,
}

impl<'a> UnitIndex<'a> {
    pub(crate) fn new(map: &'a CoverageMap) -> Self {
        let mut by_stamp: HashMap<u32, Vec<&Unit>> = HashMap::new();
        for unit in map.units() {
            by_stamp.entry(unit.identity.stamp).or_default().push(unit);
        }
        UnitIndex { by_stamp }
    }

    /// The unit with this stamp. Several may have it (`-frandom-seed` takes the stamps' uniqueness away): then
    /// the one whose path agrees longest with the end of `name`, which has no extension.
    pub(crate) fn find(&self, stamp: u32, name: &str) -> Result<&'a Unit, CoverageError> {
        let agreement =
            |unit: &&&Unit| unit.path.bytes().rev().zip(name.bytes().rev()).take_while(|(a, b)| a == b).count();
        let unit = self.by_stamp.get(&stamp).and_then(|units| units.iter().max_by_key(agreement));
        let foreign = || CoverageError::Foreign { unit: name.to_owned(), reason: "no notes have its stamp" };
        unit.copied().ok_or_else(foreign)
    }
}

/// The function of `unit` with this ident; `None` if no lines of it are wanted.
pub(crate) fn find_function(
    map: &CoverageMap,
    unit: &Unit,
    [ident, line_checksum, graph_checksum, counters]: [u32; 4],
) -> Result<Option<u32>, CoverageError> {
    let Some(function) = map.function_of(unit, ident) else { return Ok(None) };
    let identity = map.function_identity(function);
    let same = identity.line_checksum == line_checksum
        && identity.graph_checksum == graph_checksum
        && map.counters_of(function) == counters as usize;
    if same {
        Ok(Some(function))
    } else {
        Err(CoverageError::Foreign { unit: unit.path.clone(), reason: "a function has another flow graph" })
    }
}

/// Reads the table that `gcov-tools/shared_counters.h` writes; `image` is the length of the image in bytes.
pub(crate) fn read(table: &[u8], image: u64, map: &CoverageMap) -> Result<Layout, CoverageError> {
    let index = UnitIndex::new(map);
    let mut words = Words::new(table);
    let mut places = Vec::with_capacity(map.function_count());
    while !words.is_at_end() {
        let stamp = words.word()?;
        words.word()?; // the unit's checksum, which GCC 12 does not write into the notes
        let name_length = words.word()? as usize;
        let functions = words.word()?;
        let name = String::from_utf8_lossy(words.take(name_length)?).into_owned();
        let unit = index.find(stamp, name.strip_suffix(".gcda").unwrap_or(&name))?;
        for _ in 0..functions {
            let identity = [words.word()?, words.word()?, words.word()?, words.word()?];
            let start = words.counter()?;
            let Some(function) = find_function(map, unit, identity)? else { continue };
            let end = start.saturating_add(8 * u64::from(identity[3]));
            if end > image {
                return Err(DAMAGED);
            }
            let small = |offset: u64| u32::try_from(offset).map_err(|_| DAMAGED);
            places.push(Place { start: small(start)?, end: small(end)?, function });
        }
    }
    places.sort_unstable();
    places.dedup();
    let mut functions: Vec<u32> = places.iter().map(|place| place.function).collect();
    functions.sort_unstable();
    let unique = functions.is_sorted_by(|one, next| one < next);
    let aligned = places.iter().all(|place| place.start.is_multiple_of(8));
    if !aligned || !unique || !places.is_sorted_by(|one, next| one.end <= next.start) {
        return Err(DAMAGED);
    }
    Ok(Layout { places })
}
