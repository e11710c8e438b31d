//! Packages of the machine's Debian archive, unpacked into the cache: nothing is installed on the machine.

use std::path::{Path, PathBuf};

use super::pypi::move_into_place;
use super::{Cache, ProvisionError, Setup, Step, record, tool};
use crate::solver::process::{Command, find_program};
use crate::solver::profile::{Profile, Version};

/// Where the packages are unpacked.
pub(super) fn place(cache: &Cache, packages: &[String], version: &Version) -> PathBuf {
    let name = packages.first().map_or("none", String::as_str);
    cache.folder().join("packages").join(format!("{name}-{version}-debian"))
}

/// Takes the command that the machine has, if it has the version asked for, or unpacks the packages privately.
pub(super) fn provide(
    setup: &Setup<'_>,
    packages: &[String],
    version: &Version,
    profile: &Profile,
) -> Result<(), ProvisionError> {
    let folder = place(setup.cache, packages, version);
    let name = folder.file_name().unwrap_or_default().display().to_string();
    let _lock = setup.cache.lock(&name, setup)?;
    if let Some(installed) = machine_wide(profile).filter(|installed| installed.version.agrees_with(version)) {
        std::fs::create_dir_all(&folder).map_err(|source| ProvisionError::files(&folder, source))?;
        return record::store(&folder, profile, &installed);
    }
    if !folder.is_dir() {
        (setup.progress)(Step::Stage(&format!("downloading {}", packages.join(", "))));
        let unpacked = setup.cache.temporary()?;
        download_and_unpack(setup, packages, version, unpacked.path())?;
        setup.cache.make("packages")?;
        move_into_place(unpacked, &folder)?;
    }
    record::make(&folder, profile)
}

/// The command that the machine has, whatever its version.
fn machine_wide(profile: &Profile) -> Option<record::Installed> {
    let name = profile.executable.file_name()?.to_str()?;
    record::probe(profile, &find_program(name).ok()?, Vec::new()).ok()
}

fn download_and_unpack(
    setup: &Setup<'_>,
    packages: &[String],
    version: &Version,
    folder: &Path,
) -> Result<(), ProvisionError> {
    let purpose =
        format!("download {} {version} (if apt-get has no lists of packages yet, run: apt-get update)", packages[0]);
    let apt = tool::find("apt-get", &purpose)?;
    let dpkg = tool::find("dpkg-deb", &purpose)?;
    let downloads = setup.cache.temporary()?;
    let command = Command::new(apt).args(["--quiet", "download"]).args(packages).in_folder(downloads.path());
    tool::succeed(command, &purpose, setup.interrupt)?;
    for file in record::files(downloads.path()) {
        let command = Command::new(&dpkg).arg("-x").arg(&file).arg(folder.as_os_str());
        tool::succeed(command, &format!("unpack {}", file.display()), setup.interrupt)?;
    }
    Ok(())
}
