//! Reader of `.gcno` notes files, in the format of GCC 12: the flow graph and lines of each function of a unit.

use std::path::Path;

use super::error::CoverageError;
use super::words::{Malformed, Words, compiler_version, is_gcc_12};

/// The magic word of a notes file.
const MAGIC: u32 = u32::from_be_bytes(*b"gcno");
const TAG_FUNCTION: u32 = 0x0100_0000;
const TAG_BLOCKS: u32 = 0x0141_0000;
const TAG_ARCS: u32 = 0x0143_0000;
const TAG_LINES: u32 = 0x0145_0000;
/// Arc flag: the arc is on the spanning tree, so it has no counter and must be solved for.
const ARC_ON_TREE: u32 = 1;
/// Arc flag: control does not pass here by itself: a call that does not return, or a return into a `setjmp`.
const ARC_FAKE: u32 = 2;

/// A translation unit's notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notes {
    /// Chosen by the compiler for this compilation; the program carries the same.
    pub stamp: u32,
    /// Checksum field; GCC 12 leaves it 0 in notes.
    pub checksum: u32,
    /// The folder in which the compiler ran: relative source names start there.
    pub working_folder: String,
    /// Names of source files as the compiler spelled them, each once; [`Function::source`] and
    /// [`Location::source`] are indices into this.
    pub sources: Vec<String>,
    /// The functions, in file order.
    pub functions: Vec<Function>,
}

/// A function of a translation unit.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Function {
    /// Identifies the function within its unit.
    pub ident: u32,
    /// Checksum of the function's name and line.
    pub line_checksum: u32,
    /// Checksum of its flow graph.
    pub graph_checksum: u32,
    /// Its name as the linker knows it: mangled in C++.
    pub name: String,
    /// Made by the compiler, without a place in a source file.
    pub artificial: bool,
    /// Index of its source file.
    pub source: u32,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Number of basic blocks; block 0 is the entry, block 1 the exit.
    pub blocks: u32,
    /// The arcs between blocks, ascending by `from`, otherwise in file order.
    pub arcs: Vec<Arc>,
    /// The source lines of blocks, in file order.
    pub locations: Vec<Location>,
}

/// An arc of a flow graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// Source block.
    pub from: u32,
    /// Destination block.
    pub to: u32,
    /// On the spanning tree: has no counter.
    pub on_tree: bool,
    /// From a call that may not return to the exit, or from the entry to where a `setjmp` returns.
    pub fake: bool,
}

/// Lines of one source file that belong to a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The block.
    pub block: u32,
    /// Index of the source file.
    pub source: u32,
    /// The lines, in file order; a line may occur more than once.
    pub lines: Vec<u32>,
}

/// The identity of a notes file: what its first sixteen bytes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    /// See [`Notes::stamp`].
    pub stamp: u32,
    /// See [`Notes::checksum`].
    pub checksum: u32,
}

/// Number of bytes that [`read_identity`] needs.
pub const IDENTITY_LENGTH: usize = 16;

/// Reads the first bytes of a notes file; `path` only serves messages.
///
/// # Errors
/// [`CoverageError::Corrupt`] for anything but a notes file, [`CoverageError::Version`] for another
/// compiler than GCC 12.
pub fn read_identity(bytes: &[u8], path: &Path) -> Result<Identity, CoverageError> {
    identity(&mut Words::new(bytes), path)
}

/// Reads a whole notes file; `path` only serves messages. Never panics, whatever the bytes.
///
/// # Errors
/// As for [`read_identity`].
pub fn read(bytes: &[u8], path: &Path) -> Result<Notes, CoverageError> {
    read_as(bytes, path, true)
}

/// Reads what a notes file says of its functions, without their flow graphs and lines: far quicker than [`read`].
///
/// # Errors
/// As for [`read_identity`].
pub fn read_functions(bytes: &[u8], path: &Path) -> Result<Notes, CoverageError> {
    read_as(bytes, path, false)
}

fn read_as(bytes: &[u8], path: &Path, with_parts: bool) -> Result<Notes, CoverageError> {
    let mut words = Words::new(bytes);
    let Identity { stamp, checksum } = identity(&mut words, path)?;
    let mut reader =
        Reader { sources: Sources::default(), functions: Vec::new(), blocks_left: bytes.len(), with_parts };
    let working_folder = reader.records(&mut words).map_err(|error| corrupt(path, error))?;
    let functions = reader.functions;
    Ok(Notes { stamp, checksum, working_folder, sources: reader.sources.names, functions })
}

fn corrupt(path: &Path, error: Malformed) -> CoverageError {
    CoverageError::Corrupt { path: path.to_path_buf(), kind: "gcno", reason: error.reason, offset: error.offset }
}

fn identity(words: &mut Words<'_>, path: &Path) -> Result<Identity, CoverageError> {
    let magic = words.word().map_err(|error| corrupt(path, error))?;
    if magic != MAGIC {
        return Err(corrupt(path, Malformed { reason: "the magic word is missing", offset: 0 }));
    }
    let version = words.word().map_err(|error| corrupt(path, error))?;
    if !is_gcc_12(version) {
        return Err(CoverageError::Version { path: path.to_path_buf(), version: compiler_version(version) });
    }
    let stamp = words.word().map_err(|error| corrupt(path, error))?;
    let checksum = words.word().map_err(|error| corrupt(path, error))?;
    Ok(Identity { stamp, checksum })
}

/// The names of source files met so far.
#[derive(Default)]
struct Sources {
    names: Vec<String>,
    index: hashbrown::HashMap<String, u32>,
}

impl Sources {
    fn intern(&mut self, name: String) -> u32 {
        if let Some(&known) = self.index.get(&name) {
            return known;
        }
        let new = self.names.len() as u32;
        self.names.push(name.clone());
        self.index.insert(name, new);
        new
    }
}

struct Reader {
    sources: Sources,
    functions: Vec<Function>,
    /// How many blocks can still be described: at first the file's bytes, since no block is described by fewer.
    blocks_left: usize,
    /// Whether flow graphs and lines are read.
    with_parts: bool,
}

impl Reader {
    /// Reads everything after the identity; returns the working folder.
    fn records(&mut self, words: &mut Words<'_>) -> Result<String, Malformed> {
        let working_folder = words.string()?.unwrap_or_default();
        words.word()?; // whether unexecuted blocks are supported: only for gcov's own listing
        while !words.is_at_end() {
            let tag = words.word()?;
            if tag == 0 {
                break;
            }
            let length = words.word()? as usize;
            let mut body = words.body(length)?;
            match tag {
                TAG_FUNCTION => self.function(&mut body)?,
                TAG_BLOCKS | TAG_ARCS | TAG_LINES if self.with_parts => self.part(tag, length, &mut body)?,
                _ => {} // what is not wanted, and records of later minor versions
            }
        }
        for function in &mut self.functions {
            function.arcs.sort_by_key(|arc| arc.from); // stable: counters are numbered in this order
        }
        Ok(working_folder)
    }

    fn function(&mut self, body: &mut Words<'_>) -> Result<(), Malformed> {
        let ident = body.word()?;
        let line_checksum = body.word()?;
        let graph_checksum = body.word()?;
        let name = body.string()?.unwrap_or_default();
        let artificial = body.word()? != 0;
        let source = self.sources.intern(body.string()?.unwrap_or_else(unknown));
        let start_line = body.word()?;
        body.word()?; // start column
        let end_line = body.word()?;
        self.functions.push(Function {
            ident,
            line_checksum,
            graph_checksum,
            name,
            artificial,
            source,
            start_line,
            end_line,
            ..Function::default()
        });
        Ok(())
    }

    /// A record that belongs to the function before it.
    fn part(&mut self, tag: u32, length: usize, body: &mut Words<'_>) -> Result<(), Malformed> {
        let Some(function) = self.functions.last_mut() else {
            return body.fail("a part of a function stands before any function");
        };
        let first = body.word()?;
        if tag == TAG_BLOCKS {
            let Some(left) = self.blocks_left.checked_sub(first as usize) else {
                return body.fail("more blocks than the file can describe");
            };
            self.blocks_left = left;
            if function.blocks != 0 {
                return body.fail("a function says twice how many blocks it has");
            }
            function.blocks = first;
            return Ok(());
        }
        if first >= function.blocks {
            return body.fail("a block number is out of range");
        }
        if tag == TAG_ARCS {
            return arcs(function, first, length, body);
        }
        loop {
            let line = body.word()?;
            if line != 0 {
                match function.locations.last_mut().filter(|location| location.block == first) {
                    Some(location) => location.lines.push(line),
                    None => return body.fail("a line stands before any file name"),
                }
            } else if let Some(name) = body.string()? {
                let source = self.sources.intern(name);
                function.locations.push(Location { block: first, source, lines: Vec::new() });
            } else {
                return Ok(());
            }
        }
    }
}

fn arcs(function: &mut Function, from: u32, length: usize, body: &mut Words<'_>) -> Result<(), Malformed> {
    for _ in 0..length.saturating_sub(4) / 8 {
        let to = body.word()?;
        let flags = body.word()?;
        if to >= function.blocks {
            return body.fail("an arc's destination is out of range");
        }
        function.arcs.push(Arc { from, to, on_tree: flags & ARC_ON_TREE != 0, fake: flags & ARC_FAKE != 0 });
    }
    Ok(())
}

/// gcov's name for a source file without one.
fn unknown() -> String {
    "<unknown>".to_owned()
}

impl Function {
    /// Number of counters: one per arc that is not on the spanning tree.
    pub fn counters(&self) -> usize {
        self.arcs.iter().filter(|arc| !arc.on_tree).count()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(values: &[u32]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    fn header() -> Vec<u8> {
        words(&[MAGIC, u32::from_be_bytes(*b"B22*"), 7, 8, 0, 1])
    }

    #[test]
    fn another_compiler_is_named() {
        let bytes = words(&[MAGIC, u32::from_be_bytes(*b"A94*"), 7, 8]);
        let error = read(&bytes, Path::new("x.gcno")).expect_err("GCC 9");
        assert!(error.to_string().contains("GCC 9.4"), "{error}");
    }

    #[test]
    fn a_part_without_function_is_refused() {
        let mut bytes = header();
        bytes.extend(words(&[TAG_BLOCKS, 4, 3]));
        assert!(matches!(read(&bytes, Path::new("x.gcno")), Err(CoverageError::Corrupt { .. })));
    }

    #[test]
    fn functions_have_no_more_blocks_together_than_the_file_has_bytes() {
        let function = words(&[TAG_FUNCTION, 36, 1, 2, 3, 0, 0, 0, 5, 0, 9, TAG_BLOCKS, 4, 100]);
        let one = [header(), function.clone()].concat();
        assert!(one.len() < 200 && read(&one, Path::new("x.gcno")).is_err());
        let bytes = [header(), function.clone(), function.clone(), function.clone(), function].concat();
        assert!(read(&bytes, Path::new("x.gcno")).is_err());
    }

    #[test]
    fn a_function_that_loses_blocks_is_refused() {
        let mut bytes = header();
        bytes.extend(words(&[TAG_FUNCTION, 36, 1, 2, 3, 0, 0, 0, 5, 0, 9]));
        bytes.extend(words(&[TAG_BLOCKS, 4, 9, TAG_ARCS, 12, 0, 8, 0]));
        assert!(read(&bytes, Path::new("x.gcno")).is_ok());
        bytes.extend(words(&[TAG_BLOCKS, 4, 2]));
        assert!(matches!(read(&bytes, Path::new("x.gcno")), Err(CoverageError::Corrupt { .. })));
    }

    proptest! {
        #[test]
        fn garbage_never_panics(tail in proptest::collection::vec(any::<u8>(), 0..400)) {
            let mut bytes = header();
            bytes.extend(tail);
            drop(read(&bytes, Path::new("x.gcno")));
        }

        #[test]
        fn garbage_records_never_panic(records in proptest::collection::vec(
            (prop::sample::select(vec![TAG_FUNCTION, TAG_BLOCKS, TAG_ARCS, TAG_LINES, 0x0200_0000]),
             proptest::collection::vec(0u32..12, 0..14)), 0..12)) {
            let mut bytes = header();
            for (tag, body) in records {
                bytes.extend(words(&[tag, body.len() as u32 * 4]));
                bytes.extend(words(&body));
            }
            drop(read(&bytes, Path::new("x.gcno")));
        }
    }
}
