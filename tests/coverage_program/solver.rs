//! A small instrumented program that passes for a solver, and the fuzzer's observed runs of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use mulstringfuzz::evaluate::{EvaluateError, Fusion, Instrumented, Observe, Observed};
use mulstringfuzz::smtlib::parser::{ParseOptions, parse};
use mulstringfuzz::solver::process::Interrupt;
use mulstringfuzz::solver::profile::Profiles;
use mulstringfuzz::solver::provision::{Cache, find};

use super::compiler;

const SOLVER_CPP: &str = include_str!("solver.cpp");

/// A built solver: its folder has `stock` (the ordinary gcov runtime) and `shared` (ours), and
/// `missing-units`, which is not instrumented.
pub(crate) struct TestSolver {
    folder: tempfile::TempDir,
}

impl TestSolver {
    /// `None`, with a notice, when there is no GCC 12 to build it with.
    pub(crate) fn build() -> Option<TestSolver> {
        let compiler = compiler()?;
        let folder = tempfile::tempdir().expect("a scratch folder");
        let run = |arguments: &[&str]| {
            let status = Command::new(&compiler).args(arguments).current_dir(folder.path()).status();
            assert!(status.expect("the compiler starts").success(), "{arguments:?}");
        };
        fs::write(folder.path().join("solver.cpp"), SOLVER_CPP).expect("a source file");
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("gcov-tools/runtime.c");
        run(&["-g0", "--coverage", "-c", "solver.cpp"]);
        run(&["-x", "c", "-O2", "-c", runtime.to_str().expect("a UTF-8 path")]);
        run(&["solver.o", "--coverage", "-o", "stock"]);
        run(&["solver.o", "runtime.o", "--coverage", "-o", "shared"]);
        run(&["solver.cpp", "-o", "missing-units"]);
        Some(TestSolver { folder })
    }

    /// Opens the executable as an instrumented target whose counters come by way of `counters`; `options` are the
    /// solver's.
    pub(crate) fn open(&self, executable: &str, counters: &str, options: &str) -> Result<Instrumented, EvaluateError> {
        let folder = self.folder.path();
        let file = folder.join("profiles.toml");
        let text = format!(
            "[[solver]]\nname = \"mine\"\nversion = \"1.2\"\nprobe = [\"--version\"]\ndialect = \"smtlib-2.6\"\n\
             source = {{ kind = \"path\", path = \"{}\" }}\ninstrumented = {{ notes = \".\", counters = {counters:?} }}\n",
            folder.join(executable).display()
        );
        fs::write(&file, text).expect("a profile");
        let mut profiles = Profiles::built_in();
        profiles.add_file(&file).expect("a sound profile");
        let cache = folder.join("cache");
        let spec = format!("mine {options}").parse().expect("a solver's name");
        let solver = find(&spec, &profiles, &Cache::at(&cache)).expect("it tells its version");
        Instrumented::open(solver, &cache, &Interrupt::new())
    }

    /// The data files that lie among the objects, where a stock program writes them unless it is told otherwise.
    pub(crate) fn data_files(&self) -> Vec<PathBuf> {
        crate::gcov::files(self.folder.path(), "gcda")
    }
}

/// What a run on the script with these commands shows.
pub(crate) fn observe(instrumented: &Instrumented, commands: &str) -> Observed {
    let script = parse(commands, "test", &ParseOptions::default()).expect("a sound script");
    let observe = Observe {
        instrumented: Some(instrumented.clone()),
        trace: None,
        fusion: Fusion::Fused,
        limit: Duration::from_millis(200),
        soft_limit: None,
        max_trace_lines: None,
    };
    observe.run(&script, &instrumented.solver, &Interrupt::new()).expect("the solver runs")
}
