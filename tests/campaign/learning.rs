//! What is learned of defects is kept out of what is bred, and is replayed and resumed like everything else.

use super::scripted::{Options, assert_same_results, config, read, replay, resume, run};
use mulstringfuzz::campaign::{Learn, Learned};
use mulstringfuzz::known::{self, Pattern, Trial};
use mulstringfuzz::oracle::OracleError;
use mulstringfuzz::record::names;
use mulstringfuzz::smtlib::script::Script;
use mulstringfuzz::solver::process::Interrupt;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// What scripts are slow for, the first that occurs.
const CULPRITS: [&str; 4] = [
    "(define-fun NAME ((s String) (t String)) Bool (str.prefixof s t))",
    "(define-fun NAME ((s String) (t String)) Bool (str.contains s t))",
    "(define-fun NAME ((s String)) Int (str.len s))",
    "(define-fun NAME ((s String) (n Int)) String (str.at s n))",
];

/// Learns one of the culprits; each lesson costs a second.
#[derive(Default)]
pub(crate) struct Teacher {
    lessons: AtomicU32,
    /// How long a lesson takes.
    pause: Duration,
}

impl Teacher {
    /// One whose lessons take time, in which a process can be killed.
    pub(crate) fn pausing(pause: Duration) -> Self {
        Teacher { pause, ..Teacher::default() }
    }
}

impl Learn for Teacher {
    fn learn(&self, script: &Script, name: &str, known: &[Pattern], _: &Interrupt) -> Result<Learned, OracleError> {
        self.lessons.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(self.pause);
        assert!(known.iter().all(|pattern| !pattern.occurs(script)), "what is known is out of the way");
        let named = |text: &&str| known::read(&text.replace("NAME", name), "culprit").expect("a pattern").remove(0);
        let culprit = CULPRITS.iter().map(named).find(|pattern| pattern.occurs(script));
        let trial = culprit.map(|pattern| Trial { pattern, slow: 10, tried: 12 });
        Ok(Learned { core: Some(script.clone()), trial, solver_seconds: 1.0 })
    }
}

const LEARNING: &str = "population = 12\nlearn = true\nseed = 3\n";

fn patterns(root: &Path) -> Vec<Pattern> {
    let lessons = mulstringfuzz::record::read_lessons(root).expect("lessons");
    lessons
        .iter()
        .filter_map(|lesson| lesson.pattern.as_ref())
        .flat_map(|text| known::read(text, "known").unwrap())
        .collect()
}

#[test]
fn what_is_known_is_taken_out_of_nearly_all_that_is_bred_and_a_replay_knows_it_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let teacher = Teacher::default();
    let options = || Options { learn: Some(&teacher), ..Options::default() };
    let report = run(&path("run"), &config(&format!("{LEARNING}generations = 10")), &options()).unwrap();
    let known = patterns(&path("run"));
    assert!(known.len() >= 2, "{}", read(&path("run"), names::KNOWN));
    assert_eq!(report.summary.learned_patterns, known.len() as u64);
    let evaluations = read(&path("run"), names::EVALUATIONS);
    assert!(evaluations.contains(",neutralise,"), "{evaluations}");
    let lessons = teacher.lessons.load(Ordering::Relaxed);
    for jobs in [1, 2] {
        let out = path(&format!("replay{jobs}"));
        replay(&path("run"), &out, &Options { jobs, ..options() }).unwrap();
        assert_same_results(&path("run"), &out);
    }
    replay(&path("replay1"), &path("again"), &options()).unwrap();
    assert_same_results(&path("run"), &path("again"));
    assert_eq!(teacher.lessons.load(Ordering::Relaxed), lessons, "a replay asks nobody");
}

#[test]
fn a_run_that_is_resumed_goes_on_with_what_it_knows() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let teacher = Teacher::default();
    let options = || Options { learn: Some(&teacher), ..Options::default() };
    run(&path("whole"), &config(&format!("{LEARNING}generations = 8")), &options()).unwrap();
    for (name, with_checkpoint) in [("with", true), ("without", false)] {
        let root = path(name);
        run(&root, &config(&format!("{LEARNING}generations = 4")), &options()).unwrap();
        let before = teacher.lessons.load(Ordering::Relaxed);
        if !with_checkpoint {
            std::fs::remove_file(root.join(names::CHECKPOINT)).unwrap();
        }
        resume(&root, "generations = 4", &options()).unwrap();
        assert_eq!(teacher.lessons.load(Ordering::Relaxed), before, "nothing is learned twice");
        resume(&root, "generations = 8", &options()).unwrap();
        assert_same_results(&path("whole"), &root);
    }
}

#[test]
fn without_learning_nothing_is_learned_and_what_a_user_knows_is_taken_out_from_the_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let teacher = Teacher::default();
    let options = || Options { learn: Some(&teacher), ..Options::default() };
    run(&path("paper"), &config("population = 12\nseed = 3\ngenerations = 3"), &options()).unwrap();
    assert!(!path("paper").join(names::KNOWN).exists() && teacher.lessons.load(Ordering::Relaxed) == 0);
    let known = CULPRITS[2].replace("NAME", "len");
    let told = format!("population = 800\nseed = 3\ngenerations = 0\nknown = ['{known}']");
    run(&path("known"), &config(&told), &options()).unwrap();
    let evaluations = read(&path("known"), names::EVALUATIONS);
    assert!(evaluations.matches(",neutralise,").count() > 2, "{evaluations}");
    let (glances, whole) =
        (evaluations.matches(",timeout,1.25,").count(), evaluations.matches(",timeout,5.003,").count());
    assert!(glances > 0 && glances < whole, "what still holds it is only glanced at: {glances} of {whole}");
}
