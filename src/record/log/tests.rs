//! What stays readable whatever byte is changed.

use super::*;

/// A log of four generations, each with a similarity, and where their frames begin and the last one ends.
fn written(path: &Path) -> Vec<u64> {
    let mut log = ObservationLog::open(path).unwrap();
    let mut places = vec![0];
    for generation in 0..4 {
        let similarities = Similarities::from([((generation, generation + 1), 0.5)]);
        log.append_generation(generation, 10 + generation, &similarities, Spent::default()).unwrap();
        places.push(log.file.length());
    }
    places
}

#[test]
fn whichever_byte_is_changed_all_other_frames_are_used_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let places = written(&path);
    let whole = std::fs::read(&path).unwrap();
    for place in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x20;
        std::fs::write(&path, &bytes).unwrap();
        let log = ObservationLog::open(&path).unwrap();
        let hit = places.iter().rposition(|&begin| begin <= place as u64).unwrap() as u32;
        let found: Vec<u32> = (0..4).filter(|&generation| log.offspring(generation).is_some()).collect();
        assert_eq!(found, (0..4).filter(|&generation| generation != hit).collect::<Vec<_>>(), "byte {place}");
        assert!((0..4).all(|each| log.similarity(each, each + 1).is_some() == (each != hit)), "byte {place}");
        let (begin, end) = (places[hit as usize], places[hit as usize + 1]);
        if hit < 3 {
            let gap = begin..end;
            assert_eq!(log.damage(), &Damage { gaps: vec![gap], cut: None });
            assert_eq!(std::fs::read(&path).unwrap(), bytes, "the file stays as it is");
            assert!(log.notes()[0].contains(&format!("from byte {begin} to byte {end}")), "{:?}", log.notes());
        } else {
            let kept = folder.path().join("log.damaged");
            assert_eq!(log.damage(), &Damage { gaps: vec![], cut: Some((end - begin, kept.clone())) });
            assert_eq!(std::fs::read(&path).unwrap(), bytes[..begin as usize]);
            assert_eq!(std::fs::read(&kept).unwrap(), bytes[begin as usize..]);
            std::fs::remove_file(kept).unwrap();
        }
    }
}

#[test]
fn what_is_appended_after_damage_is_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let places = written(&path);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[places[1] as usize + 30] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let mut log = ObservationLog::open(&path).unwrap();
    log.append_generation(1, 11, &Similarities::new(), Spent::default()).unwrap();
    drop(log);
    let log = ObservationLog::read(&path).unwrap();
    assert_eq!(
        (0..5).map(|generation| log.offspring(generation)).collect::<Vec<_>>(),
        [10, 11, 12, 13].map(Some).into_iter().chain([None]).collect::<Vec<_>>()
    );
    assert_eq!(log.damage().gaps.len(), 1);
}

#[test]
fn many_marks_and_a_frame_across_stretches_are_looked_through() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    written(&path);
    let frames = std::fs::read(&path).unwrap();
    // So much that the mark of the first frame lies across the end of the first stretch.
    let mut bytes = b"msf1".repeat((1 << 18) - 1);
    bytes.extend(b"xxx");
    bytes.extend(&frames);
    std::fs::write(&path, &bytes).unwrap();
    let log = ObservationLog::open(&path).unwrap();
    assert_eq!(log.last_generation(), Some(3));
    let gap = 0..(bytes.len() - frames.len()) as u64;
    assert_eq!(log.damage().gaps, vec![gap]);
}

#[test]
fn what_was_recorded_by_numbers_is_forgotten_where_the_run_becomes_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    written(&path);
    let mut log = ObservationLog::open(&path).unwrap();
    log.append_rebred(2, 2, Spent::default()).unwrap();
    drop(log);
    let log = ObservationLog::read(&path).unwrap();
    assert_eq!(log.last_generation(), Some(1));
    assert_eq!((log.similarity(0, 1), log.similarity(1, 2), log.similarity(2, 3)), (Some(0.5), None, None));
}
