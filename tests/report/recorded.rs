//! Run directories to report on, made with the scripted evaluator.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use mulstringfuzz::record::names;
use mulstringfuzz::report::{self, Written};

use super::scripted::{Options, config, read, run};

/// The limit at which result sets were measured again, CPU seconds.
const RESULT_LIMIT: f64 = 10.0;

/// A plan whose arms are not in the order of their names, and whose title is no HTML.
const PLAN: &str = "title = '<b>two arms</b>'\nreproduces = ''\nbaseline = 'default'\n\
    compute = ['results', 'comparison']\nscale = 'test'\nseed = 1\nrepeats = 2\nmeasure-limit = '10s'\n\
    [settings]\npopulation = 12\ngenerations = 5\n\
    [[arm]]\nname = 'stringfuzz'\nlabel = 'StringFuzz'\nsettings = { variant = 'stringfuzz' }\n\
    [[arm]]\nname = 'default'\n";

/// Makes a finished run.
pub(crate) fn make_run(root: &Path, variant: &str, seed: u64) {
    let settings =
        format!("population = 12\ngenerations = 5\nseed = {seed}\nvariant = \"{variant}\"\nlimit = \"5s\"\n");
    run(root, &config(&settings), &Options::default()).expect("a run");
}

/// Makes a finished run of the default variant with a population of this size.
pub(crate) fn make_sized_run(root: &Path, population: u32, seed: u64) {
    let settings = format!("population = {population}\ngenerations = 4\nseed = {seed}\nlimit = \"5s\"\n");
    run(root, &config(&settings), &Options::default()).expect("a run");
}

/// An experiment of two arms with two repeats each, in the layout of an experiment's directory.
pub(crate) fn experiment() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    fs::write(folder.path().join("experiment.toml"), PLAN).expect("a plan");
    for (arm, variant) in [("default", "default"), ("stringfuzz", "stringfuzz")] {
        for repeat in 1..=2 {
            let arm = folder.path().join("runs").join(arm);
            fs::create_dir_all(&arm).expect("the arm's folder");
            let root = arm.join(format!("{repeat:03}"));
            make_run(&root, variant, repeat);
            measure_result_set(&root);
        }
    }
    folder
}

/// Adds the table of a result set measured at a higher limit: every third member is solved after twice its number in
/// hundredths of a second.
pub(crate) fn measure_result_set(root: &Path) {
    let header = "id,limit_seconds,target_result,target_seconds,target_memory_bytes,reference_result,\
                  reference_seconds,reference_memory_bytes\n";
    let mut table = header.to_owned();
    for entry in fs::read_dir(root.join(names::POPULATION)).expect("the population") {
        let path = entry.expect("an entry").path();
        let id: u32 =
            path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse().ok()).expect("a number");
        let (answer, seconds) =
            if id.is_multiple_of(3) { ("sat", f64::from(id + 1) / 50.0) } else { ("timeout", RESULT_LIMIT) };
        writeln!(table, "{id},{RESULT_LIMIT},{answer},{seconds},1,sat,0.05,1").expect("writing into memory");
    }
    fs::write(root.join(names::RESULT_SET), table).expect("a table");
}

/// Makes a run look as it did while it was worked on.
pub(crate) fn unfinish(root: &Path) {
    for file in [names::SUMMARY, names::FRONT, names::COVERAGE] {
        fs::remove_file(root.join(file)).expect("a result");
    }
    for entry in fs::read_dir(root.join(names::POPULATION)).expect("the population") {
        fs::remove_file(entry.expect("an entry").path()).expect("a script");
    }
    let rows = read(root, names::EVALUATIONS);
    fs::write(root.join(names::EVALUATIONS), rows + "99999,7,1,muta").expect("a torn row");
}

/// Reports on folders; the result and the page.
pub(crate) fn report(folders: &[&Path], out: &Path) -> (Written, String) {
    let folders: Vec<_> = folders.iter().map(|folder| (*folder).to_owned()).collect();
    let written = report::write(&folders, out).expect("a report");
    let page = fs::read_to_string(&written.page).expect("the page");
    (written, page)
}
