//! Z3's build by CMake, which its source distributions have instead of a makefile generator of their own since 4.15.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::super::pypi;
use super::super::{ProvisionError, Setup, record, tool};
use crate::solver::process::Command;

/// The release of CMake's Python package that configures; it is fetched so that nothing need be installed.
const CMAKE_RELEASE: &str = "4.4.5";
/// The target that is the command `z3`, and the folder of its objects in the build.
pub(super) const TARGET: &str = "shell";
const SHELL: &str = "src/shell";

/// The folder, in the build, of what the compiler's library may lack.
const COMPAT: &str = "compat";
/// `<format>` where there is none (GCC before 13), as far as Z3 uses it: each `{}` is the next argument.
const FORMAT: &str = "#pragma once
#if __has_include_next(<format>)
#include_next <format>
#else
#include <sstream>
#include <string>
#include <string_view>
namespace std {
namespace compat {
inline void fill(ostream &out, string_view pattern) { out << pattern; }
template <class First, class... Rest>
void fill(ostream &out, string_view pattern, const First &first, const Rest &...rest) {
  auto place = pattern.find(\"{}\");
  if (place == string_view::npos) return fill(out, pattern);
  out << pattern.substr(0, place) << first;
  fill(out, pattern.substr(place + 2), rest...);
}
}
template <class... Arguments> string format(string_view pattern, const Arguments &...arguments) {
  ostringstream out;
  compat::fill(out, pattern, arguments...);
  return out.str();
}
}
#endif
";

/// Configures the source in `core` to be built in `work`, without position-independent code and with `header` included
/// first in every source.
pub(super) fn configure(setup: &Setup<'_>, core: &Path, work: &Path, header: &Path) -> Result<(), ProvisionError> {
    let purpose = "configure Z3";
    let cmake = pypi::unpacked(setup, "cmake", CMAKE_RELEASE)?.join("cmake/data/bin/cmake");
    // Python's archives come without the right to execute.
    fs::set_permissions(&cmake, fs::Permissions::from_mode(0o755))
        .map_err(|source| ProvisionError::files(&cmake, source))?;
    let compat = work.join(COMPAT);
    fs::create_dir_all(&compat)
        .and_then(|()| fs::write(compat.join("format"), FORMAT))
        .map_err(|source| ProvisionError::files(&compat, source))?;
    let flags = format!("--coverage -g0 -fno-pie -isystem {} -include {}", compat.display(), header.display());
    let define = |name: &str, value: &dyn std::fmt::Display| format!("-D{name}={value}");
    let mut command = Command::new(cmake)
        .arg("-S")
        .arg(core)
        .arg("-B")
        .arg(work)
        .args(["-G", "Unix Makefiles"])
        .arg(define("CMAKE_MAKE_PROGRAM", &tool::find("make", purpose)?.display()))
        .arg(define("CMAKE_CXX_COMPILER", &tool::find("g++", purpose)?.display()))
        .arg(define("CMAKE_CXX_FLAGS", &flags))
        .args([
            "-DCMAKE_BUILD_TYPE=Release",
            "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG",
            "-DCMAKE_EXE_LINKER_FLAGS=-no-pie",
        ]);
    for off in [
        "BUILD_SHARED_LIBS",
        "Z3_BUILD_TEST_EXECUTABLES",
        "Z3_ENABLE_EXAMPLE_TARGETS",
        "Z3_INCLUDE_GIT_DESCRIBE",
        "Z3_INCLUDE_GIT_HASH",
    ] {
        command = command.arg(define(off, &"OFF"));
    }
    tool::succeed(command, purpose, setup.interrupt)?;
    for file in flag_files(work) {
        let text = fs::read_to_string(&file).map_err(|source| ProvisionError::files(&file, source))?;
        fs::write(&file, adapt(&text)).map_err(|source| ProvisionError::files(&file, source))?;
    }
    Ok(())
}

/// The files in which CMake's makefiles keep the flags of their objects.
fn flag_files(work: &Path) -> impl Iterator<Item = PathBuf> {
    record::files(&work.join("src"))
        .into_iter()
        .filter(|file| file.file_name().is_some_and(|name| name == "flags.make"))
}

/// A file of flags without position-independent code, which Z3's targets ask for whatever the options say.
fn adapt(flags: &str) -> String {
    let kept =
        |line: &str| line.split(' ').filter(|flag| !matches!(*flag, "-fPIC" | "-fPIE")).collect::<Vec<_>>().join(" ");
    flags.lines().map(|line| kept(line) + "\n").collect()
}

/// What the compiler is called with for the sources of `z3`.
pub(super) fn flags(work: &Path) -> Result<String, ProvisionError> {
    let path = work.join(SHELL).join("CMakeFiles/shell.dir/flags.make");
    let text = fs::read_to_string(&path).map_err(|source| ProvisionError::files(&path, source))?;
    let values = text.lines().filter_map(|line| line.strip_prefix("CXX_")?.split_once(" = "));
    Ok(values.map(|(_, value)| value).collect::<Vec<_>>().join(" "))
}

/// The objects of `z3`, relative to the build's folder, in the order in which they are linked.
pub(super) fn link_inputs(work: &Path) -> Result<Vec<String>, ProvisionError> {
    let path = work.join(SHELL).join("CMakeFiles/shell.dir/objects1.rsp");
    let text = fs::read_to_string(&path).map_err(|source| ProvisionError::files(&path, source))?;
    Ok(inputs(&text))
}

/// The objects and archives that a response file names as seen from [`SHELL`].
fn inputs(response: &str) -> Vec<String> {
    let files = response.split_whitespace().filter(|word| word.ends_with(".o") || word.ends_with(".a"));
    files.map(|file| format!("{SHELL}/{file}")).collect()
}

/// The source that a line of CMake's makefiles says is being compiled.
pub(super) fn compiled(line: &str) -> Option<&str> {
    line.split_once("Building CXX object ").map(|(_, name)| name.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_lose_position_independence_alone() {
        let text = "# made\nCXX_DEFINES = -D_A\n\nCXX_FLAGS = -O1 -std=gnu++20 -fPIC -Wall\n";
        assert_eq!(adapt(text), "# made\nCXX_DEFINES = -D_A\n\nCXX_FLAGS = -O1 -std=gnu++20 -Wall\n");
    }

    #[test]
    fn what_is_linked_and_what_is_compiled_is_read_from_cmakes_files() {
        let response = "CMakeFiles/shell.dir/main.cpp.o ../util/CMakeFiles/util.dir/mpf.cpp.o -lpthread\n";
        assert_eq!(
            inputs(response),
            ["src/shell/CMakeFiles/shell.dir/main.cpp.o", "src/shell/../util/CMakeFiles/util.dir/mpf.cpp.o"]
        );
        let line = "[  3%] Building CXX object src/util/CMakeFiles/util.dir/mpf.cpp.o";
        assert_eq!(compiled(line), Some("src/util/CMakeFiles/util.dir/mpf.cpp.o"));
        assert_eq!(compiled("[100%] Built target util"), None);
    }
}
