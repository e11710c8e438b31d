//! The file in which a compiled map waits for the next start: the fingerprint and the arrays of the map. A new version of
//! this program writes another magic word.

use std::path::Path;

use super::{CoverageMap, FunctionIdentity, Unit};
use crate::coverage::cache_file::{self, DAMAGED, Parts, push_array, push_texts};
use crate::coverage::compiled::Compiled;
use crate::coverage::error::CoverageError;
use crate::coverage::gcno::Identity;

const MAGIC: u64 = u64::from_le_bytes(*b"msfmap02");

/// Writes the map, replacing an older file in one step.
pub(super) fn save(map: &CoverageMap, path: &Path) -> Result<(), CoverageError> {
    cache_file::save(&encode(map), path)
}

/// Reads a map; `None` if there is no such file. The content must be whole and have this fingerprint.
pub(super) fn load(path: &Path, fingerprint: u64) -> Result<Option<CoverageMap>, CoverageError> {
    cache_file::load(path)?.map(|plain| decode(&plain, fingerprint)).transpose()
}

fn encode(map: &CoverageMap) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(MAGIC.to_le_bytes());
    bytes.extend(map.fingerprint.to_le_bytes());
    push_texts(&mut bytes, std::iter::once(map.root.as_str()));
    push_texts(&mut bytes, map.files.iter().map(String::as_str));
    push_texts(&mut bytes, map.units.iter().map(|unit| unit.path.as_str()));
    let compiled = &map.compiled;
    let numbers: Vec<u32> =
        map.units.iter().flat_map(|unit| [unit.identity.stamp, unit.identity.checksum, unit.functions.end]).collect();
    let identities: Vec<u32> = map
        .functions
        .iter()
        .flat_map(|function| [function.ident, function.line_checksum, function.graph_checksum])
        .collect();
    let arrays = [
        &map.file_of_slot[..],
        &map.line_of_slot,
        &numbers,
        &identities,
        &compiled.counter_start,
        &compiled.row_start,
        &compiled.rows,
        &compiled.loop_start,
        &compiled.loops,
    ];
    for array in arrays {
        push_array(&mut bytes, array);
    }
    bytes
}

fn decode(plain: &[u8], fingerprint: u64) -> Result<CoverageMap, CoverageError> {
    let mut parts = Parts(plain);
    if parts.number()? != MAGIC || parts.number()? != fingerprint {
        return Err(DAMAGED);
    }
    let root = parts.texts()?.pop().ok_or(DAMAGED)?;
    let files = parts.texts()?;
    let paths = parts.texts()?;
    let file_of_slot = parts.array()?;
    let line_of_slot = parts.array()?;
    let (numbers, identities) = (parts.array()?, parts.array()?);
    let compiled = Compiled {
        slots: line_of_slot.len() as u32,
        counter_start: parts.array()?,
        row_start: parts.array()?,
        rows: parts.array()?,
        loop_start: parts.array()?,
        loops: parts.array()?,
    };
    let functions: Vec<FunctionIdentity> = identities
        .as_chunks::<3>()
        .0
        .iter()
        .map(|&[ident, line_checksum, graph_checksum]| FunctionIdentity { ident, line_checksum, graph_checksum })
        .collect();
    let mut start = 0;
    let mut units = Vec::with_capacity(paths.len());
    for (path, &[stamp, checksum, end]) in paths.into_iter().zip(numbers.as_chunks::<3>().0) {
        units.push(Unit { identity: Identity { stamp, checksum }, path, functions: start..end });
        start = end;
    }
    compiled.check()?;
    let sound = parts.0.is_empty()
        && file_of_slot.len() == line_of_slot.len()
        && file_of_slot.iter().all(|&file| (file as usize) < files.len())
        && functions.len() == compiled.functions()
        && start as usize == functions.len()
        && units.iter().all(|unit| unit.functions.start <= unit.functions.end);
    if !sound {
        return Err(DAMAGED);
    }
    let file_of_slot = file_of_slot.into();
    let layouts = std::sync::Mutex::default();
    Ok(CoverageMap { fingerprint, root, files, file_of_slot, line_of_slot, units, functions, compiled, layouts })
}
