//! The file in which a compiled map waits for the next start.
//!
//! One zstd frame with a content checksum; within it, after a magic word, the fingerprint and the arrays of the map,
//! each as its length (64 bits) and its little-endian elements. A new version of this program writes another magic.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use super::{CoverageMap, FunctionIdentity, Unit};
use crate::coverage::compiled::Compiled;
use crate::coverage::error::CoverageError;
use crate::coverage::gcno::Identity;

const MAGIC: u64 = u64::from_le_bytes(*b"msfmap02");
/// Fast to write and to read; the file is some megabytes.
const COMPRESSION_LEVEL: i32 = 1;
const DAMAGED: CoverageError = CoverageError::Damaged("coverage map");

/// Writes the map, replacing an older file in one step.
pub(super) fn save(map: &CoverageMap, path: &Path) -> Result<(), CoverageError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(CoverageError::io("create", folder))?;
    let write = || -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        let mut encoder = zstd::Encoder::new(file.as_file_mut(), COMPRESSION_LEVEL)?;
        encoder.include_checksum(true)?;
        encoder.write_all(&encode(map))?;
        encoder.finish()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(CoverageError::io("write", path))
}

/// Reads a map; `None` if there is no such file. The content must be whole and have this fingerprint.
pub(super) fn load(path: &Path, fingerprint: u64) -> Result<Option<CoverageMap>, CoverageError> {
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(CoverageError::io("open", path)(error)),
    };
    let mut plain = Vec::new();
    let decoded = zstd::Decoder::new(file).and_then(|mut decoder| decoder.read_to_end(&mut plain));
    decoded.map_err(CoverageError::io("decompress", path))?;
    decode(&plain, fingerprint).map(Some)
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
        bytes.extend((array.len() as u64).to_le_bytes());
        bytes.extend(array.iter().flat_map(|number| number.to_le_bytes()));
    }
    bytes
}

fn push_texts<'a>(bytes: &mut Vec<u8>, texts: impl Iterator<Item = &'a str>) {
    let joined: Vec<u8> = texts.flat_map(|text| text.bytes().chain([0])).collect();
    bytes.extend((joined.len() as u64).to_le_bytes());
    bytes.extend(joined);
}

/// Takes parts off the front of a decoded file.
struct Parts<'a>(&'a [u8]);

impl<'a> Parts<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], CoverageError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(DAMAGED)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u64, CoverageError> {
        self.take(8)?.try_into().map(u64::from_le_bytes).map_err(|_| DAMAGED)
    }

    fn length(&mut self) -> Result<usize, CoverageError> {
        usize::try_from(self.number()?).map_err(|_| DAMAGED)
    }

    fn array(&mut self) -> Result<Vec<u32>, CoverageError> {
        let length = self.length()?.checked_mul(4).ok_or(DAMAGED)?;
        let (words, _) = self.take(length)?.as_chunks::<4>();
        Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    fn texts(&mut self) -> Result<Vec<String>, CoverageError> {
        let length = self.length()?;
        let joined = self.take(length)?;
        let mut texts: Vec<String> =
            joined.split(|&byte| byte == 0).map(|text| String::from_utf8_lossy(text).into_owned()).collect();
        texts.pop();
        Ok(texts)
    }
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
