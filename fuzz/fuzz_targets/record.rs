//! A damaged observation log, checkpoint, line table or archive is an error, never a panic or a huge allocation; what
//! can be read of them is written and read as the same. The frames here have right checksums: the fuzzer would not
//! find one. An input is a JSON head and a body, which is tried as it is and compressed.
#![no_main]

use std::fs;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use mulstringfuzz::coverage::{Archive, Covered, LineCounts, LineSlot};
use mulstringfuzz::record::format::{CheckpointRecord, Summary};
use mulstringfuzz::record::{ObservationLog, names, read_lines, read_members, read_summary};
use mulstringfuzz_fuzz::{byte_parts, file, folder};
use sha2::{Digest, Sha256};

/// A frame, as `src/record/frame.rs` describes it.
fn frame(head: &[u8], body: &[u8]) -> Vec<u8> {
    let checksum = Sha256::new().chain_update(head).chain_update(body).finalize();
    let lengths = [head.len() as u32, body.len() as u32].map(u32::to_le_bytes).concat();
    [b"msf1", lengths.as_slice(), &checksum[..8], head, body].concat()
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, 1).expect("compressible")
}

fn log(bytes: &[u8]) {
    let Ok(log) = ObservationLog::read(&file("log", bytes)) else { return };
    for fingerprint in log.fingerprints_before(u32::MAX) {
        drop(log.find(fingerprint));
    }
    let _ = (log.similarity(1, 0), log.spent(), log.last_generation());
}

fn counts(bytes: &[u8]) {
    let slots: std::sync::Arc<[u32]> = [0, 0, 1, 2, 4].into();
    if let Ok(counts) = LineCounts::decode(bytes) {
        assert_eq!(LineCounts::decode(&counts.encode()).expect("own bytes"), counts);
    }
    if let Ok(covered) = Covered::decode(bytes) {
        assert_eq!(Covered::decode(&covered.encode()).expect("own bytes"), covered);
    }
    if let Ok(archive) = Archive::decode(bytes, slots.clone()) {
        assert_eq!(Archive::decode(&archive.encode(), slots).expect("own bytes"), archive);
    }
}

fn lines(root: &Path, json: &[u8]) {
    fs::create_dir_all(root.join(names::OBSERVATIONS)).expect("a folder");
    fs::write(root.join(names::OBSERVATIONS).join("lines"), compressed(json)).expect("a file");
    let Ok(table) = read_lines(root) else { return };
    let mut archive = Archive::new(table.file_of_slot.clone());
    archive.merge(&(0..8).map(|slot| (LineSlot::new(slot), 1)).collect());
    for (slot, _) in archive.iter() {
        assert!(table.location(slot).is_some(), "a line without a place");
    }
}

fuzz_target!(|bytes: &[u8]| {
    let root = folder();
    let (head, body) = byte_parts(bytes);
    let packed = compressed(body);
    log(bytes);
    for body in [body, &packed] {
        counts(body);
        let frame = frame(head, body);
        // A second frame that a kill left unfinished.
        log(&[frame.as_slice(), &frame[..frame.len() / 2]].concat());
        file(names::CHECKPOINT, &frame);
        drop(read_members(root, false));
    }
    if let Ok(record) = serde_json::from_slice::<CheckpointRecord>(head) {
        let json = serde_json::to_vec(&record).expect("writable");
        assert_eq!(serde_json::from_slice::<CheckpointRecord>(&json).expect("own JSON"), record);
    }
    file(names::SUMMARY, head);
    if let Ok(Some(summary)) = read_summary(root) {
        let json = serde_json::to_vec(&summary).expect("writable");
        assert_eq!(serde_json::from_slice::<Summary>(&json).expect("own JSON"), summary);
    }
    lines(root, head);
});
