//! The readers of compiler files never panic, whatever the bytes.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use mulstringfuzz::coverage::{gcda, gcno};

fuzz_target!(|bytes: &[u8]| {
    drop(gcno::read(bytes, Path::new("fuzzed.gcno")));
    drop(gcda::read(bytes, Path::new("fuzzed.gcda")));
});
