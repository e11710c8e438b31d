//! What damage to the record costs: what was damaged is made again, and everything else is used.

use super::scripted::{Options, assert_same_results, config, read, replay, resume, resume_counting, run};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

const BEGUN: &str = "population = 8\ngenerations = 3\nseed = 7";
const WHOLE: &str = "population = 8\ngenerations = 6\nseed = 7";
const ON: &str = "generations = 6";

/// A run that was never stopped, one that stopped early, and room for copies of that one.
struct Runs {
    folder: tempfile::TempDir,
    whole: PathBuf,
    begun: PathBuf,
    /// Evaluations that the second half of the run takes.
    second_half: u32,
}

impl Runs {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (whole, begun) = (folder.path().join("whole"), folder.path().join("begun"));
        let all = run(&whole, &config(WHOLE), &Options::default()).unwrap().summary.evaluations;
        let first = run(&begun, &config(BEGUN), &Options::default()).unwrap().summary.evaluations;
        Runs { folder, whole, begun, second_half: (all - first) as u32 }
    }

    /// A copy of the run that stopped early; without its checkpoint if that is wanted.
    fn copy(&self, name: &str, checkpoint: bool) -> PathBuf {
        let root = self.folder.path().join(name);
        copy(&self.begun, &root);
        if !checkpoint {
            fs::remove_file(root.join("checkpoint")).unwrap();
        }
        root
    }

    /// A frame of the log that was written while this individual was evaluated.
    fn frame_of(&self, id: u32) -> Range<usize> {
        let wanted = format!("\"observation\":{{\"id\":{id},");
        frames(&self.begun).into_iter().find(|(_, text)| text.contains(&wanted)).expect("a frame").0
    }

    /// The frame that ends this generation.
    fn end_of(&self, generation: u32) -> Range<usize> {
        let is_end = |text: &str| {
            text.contains("\"kind\":\"generation\"") && text.contains(&format!("\"generation\":{generation},"))
        };
        frames(&self.begun).into_iter().find(|(_, text)| is_end(text)).expect("a frame").0
    }

    /// The individuals that are alive where the run stopped.
    fn living(&self) -> Vec<u32> {
        let files = fs::read_dir(self.begun.join("population")).unwrap();
        let id = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().parse().unwrap();
        let mut living: Vec<u32> = files.map(|entry| id(entry.unwrap().path())).collect();
        living.sort_unstable();
        living
    }

    /// The individuals that are dead by then.
    fn dead(&self) -> Vec<u32> {
        let living = self.living();
        (0..20).filter(|id| !living.contains(id)).collect()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

fn log(root: &Path) -> PathBuf {
    root.join("observations/log")
}

/// Where each frame of the log is, and its head.
fn frames(root: &Path) -> Vec<(Range<usize>, String)> {
    let bytes = fs::read(log(root)).unwrap();
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let mut frames = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let (head, body) = (number(at + 4), number(at + 8));
        let text = String::from_utf8(bytes[at + 20..at + 20 + head].to_vec()).unwrap();
        frames.push((at..at + 20 + head + body, text));
        at += 20 + head + body;
    }
    frames
}

fn flip(root: &Path, place: usize) -> Vec<u8> {
    let mut bytes = fs::read(log(root)).unwrap();
    bytes[place] ^= 1;
    fs::write(log(root), &bytes).unwrap();
    bytes
}

#[test]
fn a_changed_byte_in_the_log_costs_no_more_than_its_frame() {
    let runs = Runs::new();
    let (living, dead) = (runs.living(), runs.dead());
    let frames = [
        ("of the dead", runs.frame_of(dead[1])),
        ("of the living", runs.frame_of(living[2])),
        ("end of a generation", runs.end_of(1)),
        ("end of the generation before the last", runs.end_of(2)),
    ];
    for (what, frame) in &frames {
        for (part, place) in [("mark", frame.start), ("length", frame.start + 5), ("body", frame.end - 1)] {
            for checkpoint in [true, false] {
                let name = format!("{what}, {part}, {checkpoint}");
                let root = runs.copy(&name, checkpoint);
                let damaged = flip(&root, place);
                let (_, made) =
                    resume_counting(&root, ON, &Options::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_same_results(&runs.whole, &root);
                // With the checkpoint, the dead are of no use any more. Without, who lost a similarity is traced again.
                let most = match (*what, checkpoint) {
                    ("of the dead", true) => 0,
                    ("of the living" | "of the dead", _) => 1,
                    (_, true) => 0,
                    (_, false) => 16,
                };
                assert!(made <= runs.second_half + most, "{name}: {made} evaluations");
                let after = fs::read(log(&root)).unwrap();
                assert!(after.starts_with(&damaged), "{name}: what was in the file stays");
            }
        }
    }
}

#[test]
fn a_changed_byte_anywhere_leaves_a_run_that_can_be_resumed() {
    let runs = Runs::new();
    let length = fs::metadata(log(&runs.begun)).unwrap().len() as usize;
    for (number, place) in (1..length).step_by(length / 12).enumerate() {
        let root = runs.copy(&format!("{number}"), number % 2 == 0);
        flip(&root, place);
        resume(&root, ON, &Options::default()).unwrap_or_else(|error| panic!("byte {place}: {error}"));
        assert_same_results(&runs.whole, &root);
        // And once more, with the damage still in the file.
        resume(&root, ON, &Options::default()).unwrap_or_else(|error| panic!("byte {place} again: {error}"));
        assert_same_results(&runs.whole, &root);
    }
}

#[test]
fn what_is_cut_off_the_end_of_the_log_is_kept() {
    let runs = Runs::new();
    let root = runs.copy("end", true);
    let bytes = flip(&root, fs::metadata(log(&root)).unwrap().len() as usize - 1);
    resume(&root, ON, &Options::default()).unwrap();
    assert_same_results(&runs.whole, &root);
    let kept = fs::read(root.join("observations/log.damaged")).unwrap();
    assert!(bytes.ends_with(&kept) && !kept.is_empty());
}

#[test]
fn lost_traces_are_made_again() {
    let runs = Runs::new();
    let living = runs.living();
    for (what, checkpoint) in [
        ("empty", true),
        ("empty", false),
        ("missing", true),
        ("missing", false),
        ("torn", true),
        ("swapped", true),
        ("all", true),
        ("all", false),
    ] {
        let root = runs.copy(&format!("{what} {checkpoint}"), checkpoint);
        let trace = |id: u32| root.join(format!("observations/traces/{id}"));
        assert!(trace(living[0]).is_file() && trace(living[3]).is_file());
        match what {
            "empty" => fs::write(trace(living[0]), []).unwrap(),
            "missing" => fs::remove_file(trace(living[0])).unwrap(),
            "torn" => {
                let bytes = fs::read(trace(living[0])).unwrap();
                fs::write(trace(living[0]), &bytes[..bytes.len() / 2]).unwrap();
            }
            "swapped" => fs::write(trace(living[0]), zstd::encode_all([0; 4096].as_slice(), 3).unwrap()).unwrap(),
            _ => {
                fs::remove_dir_all(root.join("observations/traces")).unwrap();
            }
        }
        let (_, made) =
            resume_counting(&root, ON, &Options::default()).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_same_results(&runs.whole, &root);
        let most = if what == "all" { 2 * living.len() as u32 } else { 1 };
        assert!(what != "all" || made > runs.second_half, "{made} evaluations");
        assert!(made <= runs.second_half + most, "{what}, {checkpoint}: {made} evaluations");
    }
}

#[test]
fn a_checkpoint_that_does_not_fit_the_log_is_made_up_for_by_the_log() {
    let runs = Runs::new();
    let root = runs.copy("other", true);
    // Whole and readable, but a member has lost an assertion.
    let bytes = fs::read(root.join("checkpoint")).unwrap();
    fs::write(root.join("checkpoint"), with_another_script(&bytes)).unwrap();
    let (_, made) = resume_counting(&root, ON, &Options::default()).unwrap();
    assert_eq!(made, runs.second_half);
    assert_same_results(&runs.whole, &root);
}

/// A checkpoint whose first script is another one, with a right checksum.
fn with_another_script(bytes: &[u8]) -> Vec<u8> {
    use sha2::Digest;
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (head, body) = bytes[20..].split_at(number(4));
    let head = String::from_utf8(head.to_vec()).unwrap().replacen("(assert", "(asserted", 1).into_bytes();
    let checksum = sha2::Sha256::new().chain_update(&head).chain_update(body).finalize();
    let lengths = [head.len() as u32, body.len() as u32].map(u32::to_le_bytes).concat();
    [b"msf1", lengths.as_slice(), &checksum[..8], &head, body].concat()
}

#[test]
fn a_lost_evaluation_that_shows_something_else_makes_another_run_which_is_sound() {
    let runs = Runs::new();
    let unsteady = Options { unsteady: true, ..Options::default() };
    let mut others = 0;
    for id in [0, 1, 3, 5, 6, 9] {
        let root = runs.copy(&format!("individual {id}"), false);
        flip(&root, runs.frame_of(id).end - 1);
        resume(&root, ON, &unsteady).unwrap();
        others += u32::from(read(&root, "generations.csv") != read(&runs.whole, "generations.csv"));
        // What is recorded of it is enough to make it again, and to go on with it from its log alone.
        let replayed = runs.folder.path().join(format!("replay {id}"));
        replay(&root, &replayed, &Options::default()).unwrap_or_else(|error| panic!("individual {id}: {error}"));
        assert_same_results(&root, &replayed);
        fs::remove_file(root.join("checkpoint")).unwrap();
        let (_, made) = resume_counting(&root, ON, &Options::default()).unwrap();
        assert_eq!(made, 0, "individual {id}");
        assert_same_results(&root, &replayed);
    }
    assert!(others > 0, "no run became another one");
}

#[test]
fn a_living_individual_whose_lost_evaluation_shows_something_else_goes_on_as_it_is_now() {
    let runs = Runs::new();
    for id in runs.living().into_iter().take(5) {
        let root = runs.copy(&format!("individual {id}"), true);
        flip(&root, runs.frame_of(id).end - 1);
        let rows = read(&root, "evaluations.csv");
        resume(&root, ON, &Options { unsteady: true, ..Options::default() }).unwrap();
        assert!(read(&root, "evaluations.csv").starts_with(&rows), "what was over by then stays");
        // Without the checkpoint, the run is one in which it always showed what it shows now.
        fs::remove_file(root.join("checkpoint")).unwrap();
        resume(&root, ON, &Options::default()).unwrap_or_else(|error| panic!("individual {id}: {error}"));
        let replayed = runs.folder.path().join(format!("replay {id}"));
        replay(&root, &replayed, &Options::default()).unwrap_or_else(|error| panic!("individual {id}: {error}"));
        assert_same_results(&root, &replayed);
    }
}

#[test]
fn a_replay_of_a_log_that_has_lost_something_says_so() {
    let runs = Runs::new();
    for (name, frame) in [("evaluation", runs.frame_of(4)), ("generation", runs.end_of(1))] {
        let root = runs.copy(name, true);
        flip(&root, frame.end - 1);
        let error = replay(&root, &runs.folder.path().join(format!("{name} again")), &Options::default()).unwrap_err();
        assert!(error.to_string().contains("a replay cannot run solvers"), "{name}: {error}");
    }
}
