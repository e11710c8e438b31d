//! The files in which what was compiled from a build's notes waits for the next start.
//!
//! One zstd frame with a content checksum; within it words and arrays, little-endian, each array after its length (64
//! bits). The first word is magic: it names what follows, and the version of its form.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use super::error::CoverageError;

/// Fast to write and to read; the files are some megabytes.
const COMPRESSION_LEVEL: i32 = 1;
/// What is wrong with a file that cannot be taken apart.
pub(crate) const DAMAGED: CoverageError = CoverageError::Damaged("coverage map");

/// Writes `plain`, replacing an older file in one step.
pub(crate) fn save(plain: &[u8], path: &Path) -> Result<(), CoverageError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(CoverageError::io("create", folder))?;
    let write = || -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        let mut encoder = zstd::Encoder::new(file.as_file_mut(), COMPRESSION_LEVEL)?;
        encoder.include_checksum(true)?;
        encoder.write_all(plain)?;
        encoder.finish()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(CoverageError::io("write", path))
}

/// What [`save`] wrote; `None` if there is no such file.
pub(crate) fn load(path: &Path) -> Result<Option<Vec<u8>>, CoverageError> {
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(CoverageError::io("open", path)(error)),
    };
    let mut plain = Vec::new();
    let decoded = zstd::Decoder::new(file).and_then(|mut decoder| decoder.read_to_end(&mut plain));
    decoded.map_err(CoverageError::io("decompress", path))?;
    Ok(Some(plain))
}

/// Appends an array.
pub(crate) fn push_array(bytes: &mut Vec<u8>, array: &[u32]) {
    bytes.extend((array.len() as u64).to_le_bytes());
    bytes.extend(array.iter().flat_map(|number| number.to_le_bytes()));
}

/// Appends texts, none of which contains a zero byte.
pub(crate) fn push_texts<'a>(bytes: &mut Vec<u8>, texts: impl Iterator<Item = &'a str>) {
    let joined: Vec<u8> = texts.flat_map(|text| text.bytes().chain([0])).collect();
    bytes.extend((joined.len() as u64).to_le_bytes());
    bytes.extend(joined);
}

/// Takes parts off the front of a decoded file.
pub(crate) struct Parts<'a>(pub(crate) &'a [u8]);

impl<'a> Parts<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], CoverageError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(DAMAGED)?;
        self.0 = rest;
        Ok(taken)
    }

    /// A word of 64 bits.
    pub(crate) fn number(&mut self) -> Result<u64, CoverageError> {
        self.take(8)?.try_into().map(u64::from_le_bytes).map_err(|_| DAMAGED)
    }

    fn length(&mut self) -> Result<usize, CoverageError> {
        usize::try_from(self.number()?).map_err(|_| DAMAGED)
    }

    /// What [`push_array`] appended.
    pub(crate) fn array(&mut self) -> Result<Vec<u32>, CoverageError> {
        let length = self.length()?.checked_mul(4).ok_or(DAMAGED)?;
        let (words, _) = self.take(length)?.as_chunks::<4>();
        Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    /// What [`push_texts`] appended.
    pub(crate) fn texts(&mut self) -> Result<Vec<String>, CoverageError> {
        let length = self.length()?;
        let joined = self.take(length)?;
        let mut texts: Vec<String> =
            joined.split(|&byte| byte == 0).map(|text| String::from_utf8_lossy(text).into_owned()).collect();
        texts.pop();
        Ok(texts)
    }
}
