//! The file in which a compiled table of functions and branches waits for the next start. A new version of this program
//! writes another magic word.

use std::path::Path;

use super::{ELSEWHERE, FlowMap};
use crate::coverage::cache_file::{self, DAMAGED, Parts, push_array};
use crate::coverage::compiled::Compiled;
use crate::coverage::error::CoverageError;
use crate::coverage::map::CoverageMap;

/// Changes with the form of the file, and with what the table means.
const MAGIC: u64 = u64::from_le_bytes(*b"msfflw01");

/// Writes the table, replacing an older file in one step.
pub(super) fn save(flow: &FlowMap, path: &Path) -> Result<(), CoverageError> {
    let mut bytes = Vec::new();
    bytes.extend(MAGIC.to_le_bytes());
    bytes.extend(flow.fingerprint.to_le_bytes());
    bytes.extend(u64::from(flow.functions).to_le_bytes());
    let compiled = &flow.compiled;
    for array in [
        &flow.branch_start,
        &flow.number_of_function,
        &compiled.counter_start,
        &compiled.row_start,
        &compiled.rows,
        &compiled.loop_start,
    ] {
        push_array(&mut bytes, array);
    }
    cache_file::save(&bytes, path)
}

/// Reads the table of `map`; `None` if there is no such file. The content must be whole and belong to the map.
pub(super) fn load(path: &Path, map: &CoverageMap) -> Result<Option<FlowMap>, CoverageError> {
    cache_file::load(path)?.map(|plain| decode(&plain, map)).transpose()
}

fn decode(plain: &[u8], map: &CoverageMap) -> Result<FlowMap, CoverageError> {
    let mut parts = Parts(plain);
    if parts.number()? != MAGIC || parts.number()? != map.fingerprint() {
        return Err(DAMAGED);
    }
    let functions = u32::try_from(parts.number()?).map_err(|_| DAMAGED)?;
    let branch_start = parts.array()?;
    let number_of_function = parts.array()?;
    let branches = branch_start.last().copied().ok_or(DAMAGED)?;
    let compiled = Compiled {
        slots: branches.checked_add(functions).ok_or(DAMAGED)?,
        counter_start: parts.array()?,
        row_start: parts.array()?,
        rows: parts.array()?,
        loop_start: parts.array()?,
        loops: Vec::new(),
    };
    compiled.check()?;
    let sound = parts.0.is_empty()
        && branch_start.len() == map.slots() + 1
        && branch_start.is_sorted()
        && number_of_function.len() == map.function_count()
        && number_of_function.iter().all(|&number| number < functions || number == ELSEWHERE)
        && compiled.functions() == map.function_count()
        && (0..).zip(0..compiled.functions()).all(|(index, of)| map.counters_of(index) == compiled.counters_of(of));
    if !sound {
        return Err(DAMAGED);
    }
    Ok(FlowMap { fingerprint: map.fingerprint(), branch_start, number_of_function, functions, compiled })
}
