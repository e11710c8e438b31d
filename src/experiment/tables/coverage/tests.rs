//! Tables of coverage that is written down here.

use std::collections::BTreeMap;
use std::fs;

use crate::coverage::Covered;
use crate::experiment::tables::{Format, Tables};
use crate::experiment::{CoverageRun, ExperimentError, ExperimentFolder, Measured, Plan, Progress};

const PLAN: &str = "title = 'T'\nreproduces = ''\ncompute = ['coverage']\nscale = 's'\nseed = 5\nrepeats = 2\n\
    [coverage]\nsolver = 'z3str3-gcov'\nseeds = ['seed.smt2']\n\
    [[arm]]\nname = 'seeds'\nlabel = 'Seeds'\nstrategy = 'none'\npaper = { lines = 17.2, functions = 16.5, branches = 10.6 }\n\
    [[arm]]\nname = 'opfuzz'\nstrategy = 'opfuzz'\n\
    [[arm]]\nname = 'typefuzz'\nstrategy = 'typefuzz'\npaper = { lines = 19.4, functions = 18.7, branches = 11.9 }\n\
    [[arm]]\nname = 'both'\nunion = ['opfuzz', 'typefuzz']\n";

struct Experiment {
    _scratch: tempfile::TempDir,
    folder: ExperimentFolder,
}

impl Experiment {
    fn new() -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let plan: Plan = toml::from_str(PLAN).unwrap();
        let folder = ExperimentFolder::create(&scratch.path().join("e"), plan).unwrap();
        Experiment { _scratch: scratch, folder }
    }

    /// Writes a finished run of a build of this fingerprint that covers the lines that are `#`, the first function, and no
    /// branch.
    fn write(&self, run: &str, fingerprint: u64, lines: &str) {
        let root = self.folder.run(&self.folder.plan().named(run).unwrap());
        fs::create_dir_all(&root).unwrap();
        let lines: Vec<bool> = lines.chars().map(|c| c == '#').collect();
        let covered = Covered::of(fingerprint, &lines, &[true, false], &[false; 4]);
        let answers = BTreeMap::from([("sat".to_owned(), 7), ("error".to_owned(), 2), ("timeout".to_owned(), 1)]);
        let progress = Progress {
            seeds: "s".into(),
            done: 1,
            of: 1,
            scripts: 10,
            answers,
            solver_seconds: 1.5,
            ..Progress::default()
        };
        let measured = Measured { solver: "z3str3-gcov@1".into(), totals: covered.totals(), progress };
        let run = CoverageRun::new(&root);
        run.keep(&measured.progress, &covered).unwrap();
        run.finish(&measured).unwrap();
    }
}

#[test]
fn arms_are_tabulated_from_what_they_covered() {
    let experiment = Experiment::new();
    assert!(matches!(Tables::of(&experiment.folder), Err(ExperimentError::NothingFinished { .. })));
    for (run, lines) in [
        ("seeds/001", "#........."),
        ("seeds/002", "##........"),
        ("opfuzz/001", "#.##......"),
        ("opfuzz/002", "#.#......."),
        ("typefuzz/001", "#...####.."),
    ] {
        experiment.write(run, 7, lines);
    }
    let tables = Tables::of(&experiment.folder).unwrap();
    let names: Vec<&str> = tables.all.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["coverage", "only-here", "gains"]);
    insta::assert_snapshot!(Format::Markdown.document(&tables.all));
    insta::assert_snapshot!("coverage_csv", tables.all.iter().map(|table| Format::Csv.of(table)).collect::<String>());
    tables.write().unwrap();
    let runs = fs::read_to_string(experiment.folder.root().join("tables/runs.csv")).unwrap();
    assert!(runs.contains("\nopfuzz,2,6,2,10,1,2,0,4,1,0,10,0,7,0,0,1,0,2,0,0,0,0,1.5\n"), "{runs}");
}

#[test]
fn what_different_builds_cover_is_not_put_together() {
    let experiment = Experiment::new();
    experiment.write("seeds/001", 7, "#...");
    experiment.write("opfuzz/001", 8, "#...");
    let said = Tables::of(&experiment.folder).unwrap_err().to_string();
    assert!(said.contains("opfuzz/001 is of other seeds, or of another build"), "{said}");
}
