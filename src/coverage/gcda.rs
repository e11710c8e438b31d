//! The format of `.gcda` data files, which hold the counters of one translation unit.

use std::path::Path;

use super::error::CoverageError;
use super::words::{Malformed, Words, compiler_version, is_gcc_12};

const MAGIC: u32 = u32::from_be_bytes(*b"gcda");
const TAG_FUNCTION: u32 = 0x0100_0000;
const TAG_ARC_COUNTERS: u32 = 0x01a1_0000;
const TAG_OBJECT_SUMMARY: u32 = 0xa100_0000;
/// The version stamp of files that we write: GCC 12.2.
const WRITTEN_VERSION: u32 = u32::from_be_bytes(*b"B22*");

/// A function of a data file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionData {
    /// Identifies the function within its unit.
    pub ident: u32,
    /// Checksum of the function's name and line.
    pub line_checksum: u32,
    /// Checksum of its flow graph.
    pub graph_checksum: u32,
    /// Its counters.
    pub counters: Vec<u64>,
}

/// A data file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Data {
    /// Whose data this is: the unit's stamp.
    pub stamp: u32,
    /// The functions that have counters here, in file order.
    pub functions: Vec<FunctionData>,
}

/// Reads a data file; `path` only serves messages. Never panics, whatever the bytes.
///
/// # Errors
/// [`CoverageError::Corrupt`] for anything but a data file, [`CoverageError::Version`] for another
/// compiler than GCC 12.
pub fn read(bytes: &[u8], path: &Path) -> Result<Data, CoverageError> {
    let mut words = Words::new(bytes);
    let corrupt = |error: Malformed| {
        let path = path.to_path_buf();
        CoverageError::Corrupt { path, kind: "gcda", reason: error.reason, offset: error.offset }
    };
    let magic = words.word().map_err(corrupt)?;
    if magic != MAGIC {
        return Err(corrupt(Malformed { reason: "the magic word is missing", offset: 0 }));
    }
    let version = words.word().map_err(corrupt)?;
    if !is_gcc_12(version) {
        return Err(CoverageError::Version { path: path.to_path_buf(), version: compiler_version(version) });
    }
    records(&mut words).map_err(corrupt)
}

fn records(words: &mut Words<'_>) -> Result<Data, Malformed> {
    let stamp = words.word()?;
    words.word()?; // the unit's checksum, which GCC 12 does not write into the notes
    let mut functions: Vec<FunctionData> = Vec::new();
    let mut in_function = false;
    while !words.is_at_end() {
        let tag = words.word()?;
        if tag == 0 {
            break;
        }
        let length = words.word()?.cast_signed();
        // All-zero counters are written as their length, negated, and nothing else.
        let mut body = words.body(length.max(0) as usize)?;
        match tag {
            TAG_FUNCTION => {
                in_function = length > 0; // an empty record stands for a function kept in another unit
                if in_function {
                    let [ident, line_checksum, graph_checksum] = [body.word()?, body.word()?, body.word()?];
                    functions.push(FunctionData { ident, line_checksum, graph_checksum, counters: Vec::new() });
                }
            }
            TAG_ARC_COUNTERS if in_function && length > 0 => {
                let Some(function) = functions.last_mut() else { continue };
                for _ in 0..length / 8 {
                    function.counters.push(body.counter()?);
                }
            }
            _ => {} // the summary, and counters of other kinds
        }
    }
    functions.retain(|function| !function.counters.is_empty());
    Ok(Data { stamp, functions })
}

/// A data file with these contents, of one run. The compiler's own tools read it.
pub fn write(data: &Data) -> Vec<u8> {
    let length = |words: usize| (4 * words) as u32;
    let mut words = vec![MAGIC, WRITTEN_VERSION, data.stamp, 0];
    words.extend([TAG_OBJECT_SUMMARY, length(2), 1, 0]);
    for function in &data.functions {
        words.extend([TAG_FUNCTION, length(3), function.ident, function.line_checksum, function.graph_checksum]);
        words.extend([TAG_ARC_COUNTERS, length(2 * function.counters.len())]);
        words.extend(function.counters.iter().flat_map(|&counter| [counter as u32, (counter >> 32) as u32]));
    }
    words.push(0);
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn file(records: &[u32]) -> Vec<u8> {
        let header = [MAGIC, u32::from_be_bytes(*b"B22*"), 7, 8];
        header.iter().chain(records).flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn zero_counters_are_abbreviated() {
        let all_zero = [TAG_FUNCTION, 12, 1, 2, 3, TAG_ARC_COUNTERS, -16i32 as u32];
        let one = [TAG_FUNCTION, 12, 4, 5, 6, TAG_ARC_COUNTERS, 8, 9, 1];
        let data = read(&file(&[&all_zero[..], &one].concat()), Path::new("x.gcda")).expect("sound");
        assert_eq!(data.stamp, 7);
        let [function] = &data.functions[..] else { panic!("one function ran") };
        assert_eq!((function.ident, &function.counters[..]), (4, &[(1 << 32) + 9][..]));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            stamp in any::<u32>(),
            functions in proptest::collection::vec((any::<[u32; 3]>(), proptest::collection::vec(any::<u64>(), 1..9)), 0..5)
        ) {
            let functions = functions.into_iter().map(|([ident, line_checksum, graph_checksum], counters)| {
                FunctionData { ident, line_checksum, graph_checksum, counters }
            });
            let data = Data { stamp, functions: functions.collect() };
            prop_assert_eq!(read(&write(&data), Path::new("x.gcda")).expect("sound"), data);
        }

        #[test]
        fn garbage_never_panics(tail in proptest::collection::vec(0u32..14, 0..80)) {
            let words: Vec<u32> =
                tail.into_iter().map(|word| if word == 13 { TAG_ARC_COUNTERS } else if word == 12 { TAG_FUNCTION } else { word }).collect();
            drop(read(&file(&words), Path::new("x.gcda")));
        }
    }
}
