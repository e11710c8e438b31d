//! Builds a Z3 instrumented for coverage from its source distribution, once per machine.
//!
//! Three stages, each of which is skipped when it is done: *configure* (download, unpack, `mk_make.py` or `CMake`, whichever
//! the release has), *compile* (`make`, which continues where it was interrupted; about ten minutes on two cores), and *link*, which is ours, so
//! that a runtime of our own can take the place of the compiler's; linking again when that runtime has changed takes
//! seconds.
//!
//! The recipe keeps what decides line counts (`-O1 --coverage`) and saves time elsewhere: a precompiled header of the
//! standard library (a fifth of the CPU time; the `.gcno` files stay the same), no position-independent code (5%, and
//! a faster start), no debug information.

mod cmake;
mod makefile;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::c_source::{CSource, RUNTIME};
use super::pypi::{self, Kind, hash_text};
use super::record::{self, Installed};
use super::{Cache, ProvisionError, Setup, Step, tool};
use crate::solver::process::{Command, Scratch};
use crate::solver::profile::{CounterSource, Profile};

/// Changes whenever the recipe does, so that old builds are made anew.
const RECIPE: &str = "1: -O1 --coverage -g0, precompiled standard headers, -no-pie";
/// The standard headers that most of Z3's sources include.
const STANDARD_HEADERS: &str = "#include <algorithm>
#include <atomic>
#include <climits>
#include <cstring>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
";
/// What `scripts/mk_util.py` wants of a module that Python 3.12 dropped.
const DISTUTILS: &str = "import sysconfig, platform
def get_python_lib(plat_specific=0, standard_lib=0, prefix=None): return sysconfig.get_path('purelib')
def get_python_version(): return '.'.join(platform.python_version_tuple()[:2])
";
/// Object files this much older than the newest were complete when a build was killed.
const UNSURE: Duration = Duration::from_secs(10);

/// What makes Z3's makefiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Generator {
    /// `scripts/mk_make.py`, in older releases.
    #[default]
    MkMake,
    /// `CMakeLists.txt`, in newer ones.
    CMake,
}

impl Generator {
    /// The one that the source in the folder `core` is configured by; the older if it has both.
    fn of(core: &Path) -> Option<Self> {
        let is_there = |file: &str| core.join(file).is_file();
        match () {
            () if is_there("scripts/mk_make.py") => Some(Generator::MkMake),
            () if is_there("CMakeLists.txt") => Some(Generator::CMake),
            () => None,
        }
    }

    /// The object or source that make says is being compiled, in a line that it prints.
    fn compiled(self, line: &str) -> Option<&str> {
        match self {
            Generator::MkMake => line.starts_with("src/").then_some(line),
            Generator::CMake => cmake::compiled(line),
        }
    }
}

/// What a build was made of and how far it has come; a build of something else is made anew.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    recipe: String,
    compiler: String,
    package_sha256: String,
    #[serde(default)]
    generator: Generator,
    compiled: bool,
    /// The hash of the runtime that was linked; empty before the first link.
    linked: String,
}

/// A build's folders.
struct Build {
    folder: PathBuf,
    state: State,
}

fn place(cache: &Cache, package: &str, release: &str) -> PathBuf {
    cache.folder().join("builds").join(format!("{package}-{release}"))
}

/// The finished build, whatever was linked into it.
pub(super) fn find(cache: &Cache, package: &str, release: &str, profile: &Profile) -> Option<Installed> {
    record::load(&place(cache, package, release), profile)
}

/// Builds, or does what is left of it.
pub(super) fn provide(
    setup: &Setup<'_>,
    package: &str,
    release: &str,
    profile: &Profile,
) -> Result<(), ProvisionError> {
    let purpose = format!("build {package} {release} with coverage");
    let compiler = compiler(setup, &purpose)?;
    for program in ["make", "ar", "python3"] {
        tool::find(program, &purpose)?;
    }
    let folder = place(setup.cache, package, release);
    let _lock = setup.cache.lock(&format!("{package}-{release}-build"), setup)?;
    let mut build = match Build::load(&folder) {
        Some(build) if build.state.recipe == RECIPE && build.state.compiler == compiler => build,
        _ => Build::configure(setup, package, release, &folder, compiler)?,
    };
    if !build.state.compiled {
        build.compile(setup, &purpose)?;
        build.state.compiled = true;
        build.save()?;
        build.clean()?;
    }
    let is_there = find(setup.cache, package, release, profile).is_some();
    let shares = profile.instrumented.as_ref().is_none_or(|it| it.counters == CounterSource::SharedMemory);
    if !shares {
        // With the compiler's own runtime there is nothing of ours in it that could be outdated.
        return if is_there { Ok(()) } else { build.link(setup, &purpose, None, profile) };
    }
    let wanted = hash_text(&RUNTIME.whole_text());
    if build.state.linked != wanted || !is_there {
        build.link(setup, &purpose, Some(RUNTIME), profile)?;
        build.state.linked = wanted;
        build.save()?;
    }
    Ok(())
}

/// The compiler's first line about itself.
fn compiler(setup: &Setup<'_>, purpose: &str) -> Result<String, ProvisionError> {
    let run = tool::succeed(Command::new(tool::find("g++", purpose)?).arg("--version"), purpose, setup.interrupt)?;
    Ok(run.stdout_text().lines().next().unwrap_or_default().to_owned())
}

impl Build {
    fn load(folder: &Path) -> Option<Self> {
        let state = serde_json::from_str(&fs::read_to_string(folder.join("state.json")).ok()?).ok()?;
        Some(Build { folder: folder.to_owned(), state })
    }

    fn save(&self) -> Result<(), ProvisionError> {
        let text = serde_json::to_string_pretty(&self.state).unwrap_or_default();
        record::write_whole(&self.folder.join("state.json"), &text)
    }

    /// The folder in which Z3's makefile works. It must stay where it was when compiling began: the objects name it.
    fn work(&self) -> PathBuf {
        self.folder.join("core/build")
    }

    /// Downloads, unpacks and configures; replaces what was in `folder`.
    fn configure(
        setup: &Setup<'_>,
        package: &str,
        release: &str,
        folder: &Path,
        compiler: String,
    ) -> Result<Self, ProvisionError> {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(|source| ProvisionError::files(folder, source))?;
        }
        let download = pypi::download(setup, package, release, Kind::Source)?;
        (setup.progress)(Step::Stage(&format!("unpacking and configuring {package} {release}")));
        let unpacked = setup.cache.temporary()?;
        pypi::unpack(setup, &download.file, unpacked.path(), Kind::Source)?;
        // The archive holds one folder, named after the package.
        let inner = fs::read_dir(unpacked.path())
            .ok()
            .and_then(|mut entries| entries.find_map(Result::ok))
            .map(|entry| entry.path());
        let found = inner.and_then(|inner| Generator::of(&inner.join("core")).map(|generator| (inner, generator)));
        let (inner, generator) = found.ok_or_else(|| ProvisionError::NoExecutable {
            package: format!("{package} {release}"),
            executable: "core/scripts/mk_make.py and no core/CMakeLists.txt".to_owned(),
        })?;
        // Z3's Python package, which stands where the executable is to come.
        let python = inner.join("z3");
        if python.is_dir() {
            fs::remove_dir_all(&python).map_err(|source| ProvisionError::files(&python, source))?;
        }
        setup.cache.make("builds")?;
        fs::rename(&inner, folder).map_err(|source| ProvisionError::files(folder, source))?;
        let state = State {
            recipe: RECIPE.to_owned(),
            compiler,
            package_sha256: download.sha256.clone(),
            generator,
            compiled: false,
            linked: String::new(),
        };
        let build = Build { folder: folder.to_owned(), state };
        match generator {
            Generator::MkMake => build.make_makefile(setup)?,
            Generator::CMake => {
                fs::create_dir_all(build.work()).map_err(|source| ProvisionError::files(&build.work(), source))?;
                build.write_header()?;
                cmake::configure(setup, &build.folder.join("core"), &build.work(), &build.header())?;
            }
        }
        build.save()?;
        Ok(build)
    }

    /// Runs Z3's own configuration and adapts its flags.
    fn make_makefile(&self, setup: &Setup<'_>) -> Result<(), ProvisionError> {
        let compat = self.folder.join("compat/distutils");
        let write =
            |path: PathBuf, text: &str| fs::write(&path, text).map_err(|source| ProvisionError::files(&path, source));
        fs::create_dir_all(&compat).map_err(|source| ProvisionError::files(&compat, source))?;
        write(compat.join("__init__.py"), "")?;
        write(compat.join("sysconfig.py"), DISTUTILS)?;
        let command = Command::new(tool::find("python3", "configure Z3")?)
            .arg("scripts/mk_make.py")
            .in_folder(self.folder.join("core"))
            .env("PYTHONPATH", self.folder.join("compat"))
            .env("CXXFLAGS", "--coverage -g0")
            .env("LDFLAGS", "--coverage");
        tool::succeed(command, "configure Z3", setup.interrupt)?;
        self.write_header()?;
        let path = self.work().join("config.mk");
        let config = fs::read_to_string(&path).map_err(|source| ProvisionError::files(&path, source))?;
        write(path, &makefile::adapt(&config, &self.header()))
    }

    fn header(&self) -> PathBuf {
        self.work().join("standard.h")
    }

    fn write_header(&self) -> Result<(), ProvisionError> {
        fs::write(self.header(), STANDARD_HEADERS).map_err(|source| ProvisionError::files(&self.header(), source))
    }

    /// Compiles all objects that are not there yet.
    fn compile(&self, setup: &Setup<'_>, purpose: &str) -> Result<(), ProvisionError> {
        self.drop_unsure();
        let make = tool::find("make", purpose)?;
        self.precompile(setup, purpose)?;
        let inputs = self.link_inputs()?;
        let generator = self.state.generator;
        let targets = match generator {
            Generator::MkMake => inputs.clone(),
            Generator::CMake => vec![cmake::TARGET.to_owned()],
        };
        let command = || Command::new(&make).args(targets.iter().map(String::as_str)).in_folder(self.work());
        let planned = match generator {
            Generator::MkMake => {
                // What make would do: one line to echo per source.
                let plan = tool::succeed(command().arg("--dry-run"), purpose, setup.interrupt)?;
                String::from_utf8_lossy(&plan.stdout).lines().filter(|line| line.starts_with("echo src/")).count()
            }
            Generator::CMake => inputs.iter().filter(|input| !self.work().join(input).exists()).count(),
        };
        (setup.progress)(Step::Stage(&format!("compiling {planned} objects with {} compilers at once", setup.jobs)));
        let progress = Arc::clone(&setup.progress);
        let (mut line, mut done) = (Vec::new(), 0);
        let mut building = command().arg(format!("--jobs={}", setup.jobs));
        building.observer = Some(Box::new(move |bytes| {
            for &byte in bytes {
                if byte != b'\n' {
                    line.push(byte);
                    continue;
                }
                let text = String::from_utf8_lossy(&line);
                if let Some(name) = generator.compiled(&text) {
                    done += 1;
                    progress(Step::Object { done, total: planned.max(done), name });
                }
                line.clear();
            }
        }));
        tool::succeed(building, purpose, setup.interrupt).map(drop)
    }

    /// Compiles the standard headers once, with the flags of all objects.
    fn precompile(&self, setup: &Setup<'_>, purpose: &str) -> Result<(), ProvisionError> {
        let target = self.header().with_extension("h.gch");
        if target.exists() {
            return Ok(());
        }
        let flags = match self.state.generator {
            Generator::MkMake => self.config("CXXFLAGS")?,
            Generator::CMake => cmake::flags(&self.work())?,
        };
        // Without the `-include` of the header itself.
        let own = self.header().display().to_string();
        let flags = flags.split_whitespace().filter(|flag| !["-c", "-include", &own].contains(flag)).map(str::to_owned);
        let new = self.work().join("standard.new");
        let command = Command::new(tool::find("g++", purpose)?)
            .args(flags)
            .args(["-x", "c++-header"])
            .arg(self.header())
            .arg("-o")
            .arg(&new)
            .in_folder(self.work());
        tool::succeed(command, purpose, setup.interrupt)?;
        fs::rename(&new, &target).map_err(|source| ProvisionError::files(&target, source))
    }

    /// The value of a variable of `config.mk`.
    fn config(&self, variable: &str) -> Result<String, ProvisionError> {
        let path = self.work().join("config.mk");
        let text = fs::read_to_string(&path).map_err(|source| ProvisionError::files(&path, source))?;
        Ok(makefile::variable(&text, variable).to_owned())
    }

    /// The objects and archives of the `z3` executable, in the order in which they are linked.
    fn link_inputs(&self) -> Result<Vec<String>, ProvisionError> {
        if self.state.generator == Generator::CMake {
            return cmake::link_inputs(&self.work());
        }
        let path = self.work().join("Makefile");
        let text = fs::read_to_string(&path).map_err(|source| ProvisionError::files(&path, source))?;
        let inputs = makefile::link_inputs(&text);
        if inputs.is_empty() {
            let source = std::io::Error::new(std::io::ErrorKind::InvalidData, "no rule for the z3 executable");
            return Err(ProvisionError::files(&path, source));
        }
        Ok(inputs)
    }

    /// Removes objects and archives that a killed compiler may have left incomplete: those written last.
    fn drop_unsure(&self) {
        let modified = |file: &PathBuf| file.metadata().and_then(|data| data.modified()).ok();
        let objects: Vec<_> =
            record::files(&self.work()).into_iter().filter(|file| has_extension(file, &["o", "a"])).collect();
        let Some(newest) = objects.iter().filter_map(modified).max() else { return };
        for file in &objects {
            if modified(file).is_some_and(|time| newest.duration_since(time).unwrap_or_default() < UNSURE) {
                fs::remove_file(file).ok();
            }
        }
    }

    /// Removes what neither linking nor coverage needs: objects that are in archives, make's stamps, the header.
    fn clean(&self) -> Result<(), ProvisionError> {
        let inputs: Vec<_> = self.link_inputs()?.into_iter().map(|input| self.work().join(input)).collect();
        for file in record::files(&self.work()) {
            let stamp = has_extension(&file, &["node", "gch"]) || file.to_string_lossy().ends_with("-pch.gcno");
            // What CMake's makefiles linked with the compiler's own runtime would be taken for ours.
            let linked = file == self.work().join("z3");
            if stamp || linked || (has_extension(&file, &["o"]) && !inputs.contains(&file)) {
                fs::remove_file(&file).map_err(|source| ProvisionError::files(&file, source))?;
            }
        }
        Ok(())
    }

    /// Links the profile's executable with `runtime` before the compiler's coverage runtime, lays the `.gcno` files
    /// where the profile says they are, and records the result.
    fn link(
        &self,
        setup: &Setup<'_>,
        purpose: &str,
        runtime: Option<CSource<'_>>,
        profile: &Profile,
    ) -> Result<(), ProvisionError> {
        (setup.progress)(Step::Stage("linking"));
        let compiler = tool::find("g++", purpose)?;
        let scratch = Scratch::new()?;
        let mut extra = None;
        if let Some(source) = runtime {
            let target = scratch.path().join(source.name).with_extension("o");
            source.compile(&compiler, &["-fno-pie", "-c"], &target, setup.interrupt)?;
            extra = Some(target);
        }
        let executable = self.folder.join(&profile.executable);
        let new = executable.with_added_extension("new");
        let command = Command::new(&compiler)
            .args(["-no-pie", "-o"])
            .arg(&new)
            .args(self.link_inputs()?)
            .args(extra)
            .args(["-lpthread", "--coverage"])
            .in_folder(self.work());
        tool::succeed(command, "link the instrumented Z3", setup.interrupt)?;
        let notes = self.folder.join("notes");
        fs::set_permissions(&new, fs::Permissions::from_mode(0o755))
            .and_then(|()| fs::rename(&new, &executable))
            .and_then(|()| if notes.is_symlink() { Ok(()) } else { std::os::unix::fs::symlink("core/build", &notes) })
            .map_err(|source| ProvisionError::files(&self.folder, source))?;
        record::make(&self.folder, profile)
    }
}

fn has_extension(file: &Path, extensions: &[&str]) -> bool {
    file.extension().is_some_and(|extension| extensions.iter().any(|wanted| extension == *wanted))
}
