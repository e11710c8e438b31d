//! The readers of compiler files never panic, whatever the bytes, and a map made of them counts.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use mulstringfuzz::coverage::{CoverageMap, SourceFilter, gcda, gcno, read_data_folder};
use mulstringfuzz_fuzz::{byte_parts, file, folder};

fuzz_target!(|bytes: &[u8]| {
    let (notes, data) = byte_parts(bytes);
    let path = Path::new("fuzzed");
    if let Ok(data) = gcda::read(data, path) {
        assert_eq!(gcda::read(&gcda::write(&data), path).expect("own bytes"), data);
    }
    let (whole, functions) = (gcno::read(notes, path), gcno::read_functions(notes, path));
    let Ok(whole) = whole else { return };
    let names = |notes: &gcno::Notes| notes.functions.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&whole), names(&functions.expect("a part of what can be read")));
    file("unit.gcno", notes);
    file("unit.gcda", data);
    let cache = folder().join("cache");
    let map = CoverageMap::load_or_build_with(folder(), &cache, SourceFilter::All);
    let cached = CoverageMap::load_or_build_with(folder(), &cache, SourceFilter::All);
    drop(std::fs::remove_dir_all(&cache));
    let Ok(map) = map else { return };
    assert_eq!(map.file_of_slot(), cached.expect("the same map from the cache").file_of_slot());
    let Ok(counters) = read_data_folder(folder(), &map) else { return };
    let lines = map.line_counts(&counters);
    for (slot, count) in lines.iter() {
        assert!(count > 0 && map.location(slot).1 > 0);
    }
    drop(map.function_counts(&counters).collect::<Vec<_>>());
});
