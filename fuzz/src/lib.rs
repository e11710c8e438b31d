//! What the fuzz targets share: files for readers that take a path, and inputs of several parts.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A folder of this process, in the folder for temporary files that `scripts/fuzz.sh` gives it and takes away.
pub fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("mulstringfuzz-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        folder
    })
}

/// A file of this name that holds these bytes.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    std::fs::write(&path, bytes).expect("a temporary file");
    path
}

/// What separates the parts of an input.
pub const SEPARATOR: &str = "\n;;;\n";

/// The two parts of an input; the second is empty where there is no separator.
pub fn parts(text: &str) -> (&str, &str) {
    text.split_once(SEPARATOR).unwrap_or((text, ""))
}

/// The same for bytes.
pub fn byte_parts(bytes: &[u8]) -> (&[u8], &[u8]) {
    let separator = SEPARATOR.as_bytes();
    let place = bytes.windows(separator.len()).position(|window| window == separator);
    place.map_or((bytes, &[]), |place| (&bytes[..place], &bytes[place + separator.len()..]))
}
