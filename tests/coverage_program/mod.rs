//! Building and running the test program.

pub(crate) mod solver;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::gcov::compiler;

const SHAPES_H: &str = include_str!("shapes.h");
const MAIN_CPP: &str = include_str!("main.cpp");
const OTHER_CPP: &str = include_str!("other.cpp");
const POINT_C: &str = include_str!("point.c");

/// A built program: its folder has `stock`, `stock-no-pie`, `stock-stripped` and `stock-static` (the ordinary gcov
/// runtime), `shared` and `shared-pie` (ours).
pub(crate) struct Program {
    pub(crate) folder: tempfile::TempDir,
}

impl Program {
    /// `None`, with a notice, when there is no GCC 12 to build it with.
    pub(crate) fn build(optimisation: &str) -> Option<Program> {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let compiler = compiler()?;
        for (name, text) in
            [("shapes.h", SHAPES_H), ("main.cpp", MAIN_CPP), ("other.cpp", OTHER_CPP), ("point.c", POINT_C)]
        {
            fs::write(folder.path().join(name), text).expect("a source file");
        }
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("gcov-tools/runtime.c");
        let program = Program { folder };
        let flags = ["-g0", optimisation];
        program.run(&compiler, &[&flags[..], &["--coverage", "-c", "main.cpp"]].concat());
        program.run(&compiler, &[&flags[..], &["--coverage", "-c", "other.cpp"]].concat());
        program.run(&compiler, &["-x", "c", "-c", "point.c"]);
        let runtime = runtime.to_str().expect("a UTF-8 path");
        program.run(&compiler, &["-x", "c", "-O2", "-Wall", "-Wextra", "-Werror", "-c", runtime]);
        let objects = ["main.o", "other.o", "point.o"];
        for (name, flag) in [("", "-pie"), ("-no-pie", "-no-pie"), ("-stripped", "-s"), ("-static", "-static")] {
            program.run(&compiler, &[&objects[..], &["--coverage", flag, "-o", &format!("stock{name}")]].concat());
        }
        program.run(&compiler, &[&objects[..], &["runtime.o", "--coverage", "-no-pie", "-o", "shared"]].concat());
        program.run(&compiler, &[&objects[..], &["runtime.o", "--coverage", "-pie", "-o", "shared-pie"]].concat());
        Some(program)
    }

    pub(crate) fn run(&self, command: &str, arguments: &[&str]) {
        let status = Command::new(command).args(arguments).current_dir(self.path()).status();
        assert!(status.expect("the compiler starts").success(), "{command} {arguments:?}");
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A program of which one unit is in a shared library; its name.
    pub(crate) fn link_with_library(&self) -> &'static str {
        let compiler = compiler().expect("it was there before");
        self.run(&compiler, &["-g0", "-fPIC", "--coverage", "-shared", "other.cpp", "-o", "libother.so"]);
        let objects = ["main.o", "point.o", "libother.so", "-Wl,-rpath,$ORIGIN"];
        self.run(&compiler, &[&objects[..], &["--coverage", "-o", "with-library"]].concat());
        "with-library"
    }

    /// Runs the program with the ordinary runtime; its data files are in the folder that is returned.
    pub(crate) fn stock_run(&self, point: Option<&str>) -> tempfile::TempDir {
        let data = tempfile::tempdir().expect("a scratch folder");
        let mut command = Command::new(self.path().join("stock"));
        command.env("GCOV_PREFIX", data.path()).env_remove("POINT");
        if let Some(point) = point {
            command.env("POINT", point);
        }
        let code = command.stdout(Stdio::null()).status().expect("the program starts").code();
        assert_eq!(code, Some(if point == Some("exit") { 42 } else { 0 }));
        data
    }
}
