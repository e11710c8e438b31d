//! Packages of the Python package index: downloaded by `pip`, verified by hash, unpacked into the cache.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::{Cache, ProvisionError, Setup, Step, launcher, record, tool};
use crate::solver::process::Command;
use crate::solver::profile::{Launcher, Profile};

/// The two kinds of package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Built, for this machine.
    Wheel,
    /// As source.
    Source,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Wheel => "wheel",
            Kind::Source => "source",
        }
    }
}

/// A downloaded and verified file.
pub(super) struct Download {
    pub(super) file: PathBuf,
    pub(super) sha256: String,
    /// Removes the file when dropped.
    _folder: tempfile::TempDir,
}

/// Where the wheel of `package` is unpacked.
pub(super) fn place(cache: &Cache, package: &str, release: &str) -> PathBuf {
    cache.folder().join("packages").join(format!("{package}-{release}"))
}

/// Downloads and unpacks the wheel of `package`, unless it is there, makes its launcher if it needs one, and the solver's
/// record.
pub(super) fn provide(
    setup: &Setup<'_>,
    package: &str,
    release: &str,
    launcher: Option<Launcher>,
    profile: &Profile,
) -> Result<(), ProvisionError> {
    let folder = unpacked(setup, package, release)?;
    let _lock = setup.cache.lock(&format!("{package}-{release}"), setup)?;
    if let Some(launcher) = launcher {
        launcher::install(setup, &folder, launcher)?;
    }
    record::make(&folder, profile)
}

/// Downloads and unpacks the wheel of `package`, unless it is there. Returns its folder.
pub(super) fn unpacked(setup: &Setup<'_>, package: &str, release: &str) -> Result<PathBuf, ProvisionError> {
    let folder = place(setup.cache, package, release);
    let _lock = setup.cache.lock(&format!("{package}-{release}"), setup)?;
    if !folder.is_dir() {
        let download = download(setup, package, release, Kind::Wheel)?;
        (setup.progress)(Step::Stage(&format!("unpacking {package} {release}")));
        let unpacked = setup.cache.temporary()?;
        unpack(setup, &download.file, unpacked.path(), Kind::Wheel)?;
        setup.cache.make("packages")?;
        move_into_place(unpacked, &folder)?;
    }
    Ok(folder)
}

/// Renames a finished temporary folder to `place`.
pub(super) fn move_into_place(unpacked: tempfile::TempDir, place: &Path) -> Result<(), ProvisionError> {
    use std::os::unix::fs::PermissionsExt;
    // Temporary folders are private; the cache's are as readable as the user's other files.
    fs::set_permissions(unpacked.path(), fs::Permissions::from_mode(0o755))
        .and_then(|()| fs::rename(unpacked.path(), place))
        .map_err(|source| ProvisionError::files(place, source))?;
    // It is no longer there to be removed.
    let _path = unpacked.keep();
    Ok(())
}

/// Downloads `package`. Its hash must be the pinned one, or else that of the first download on this machine.
pub(super) fn download(
    setup: &Setup<'_>,
    package: &str,
    release: &str,
    kind: Kind,
) -> Result<Download, ProvisionError> {
    let purpose = format!("download {package} {release}");
    let python = tool::find("python3", &purpose)?;
    (setup.progress)(Step::Stage(&format!("downloading {package} {release} ({})", kind.name())));
    let folder = setup.cache.temporary()?;
    let pinned = setup.profiles.pin(package, release, kind.name());
    let requirement = match pinned {
        Some(sha256) => format!("{package}=={release} --hash=sha256:{sha256}\n"),
        None => format!("{package}=={release}\n"),
    };
    let requirements = folder.path().join("requirements.txt");
    fs::write(&requirements, requirement).map_err(|source| ProvisionError::files(&requirements, source))?;
    let files = folder.path().join("files");
    let mut command = Command::new(python)
        .args(["-m", "pip", "--disable-pip-version-check", "--quiet", "download", "--no-deps", "--progress-bar=off"])
        .arg("--dest")
        .arg(&files)
        .arg("--requirement")
        .arg(&requirements)
        .arg(match kind {
            Kind::Wheel => "--only-binary=:all:".to_owned(),
            // Only this package: its build tools may be wheels.
            Kind::Source => format!("--no-binary={package}"),
        });
    if pinned.is_some() {
        command = command.arg("--require-hashes");
    }
    tool::succeed(command, &purpose, setup.interrupt)?;
    let file = record::files(&files).into_iter().next().ok_or_else(|| ProvisionError::ToolFailed {
        purpose,
        exit: "no file came".to_owned(),
        output: String::new(),
    })?;
    let sha256 = hash_file(&file)?;
    let name = file.file_name().unwrap_or_default().display().to_string();
    check_hash(setup, &name, pinned, &sha256)?;
    Ok(Download { file, sha256, _folder: folder })
}

/// Compares a file's hash with the pinned one, or the one that was seen first, which is remembered.
fn check_hash(setup: &Setup<'_>, file: &str, pinned: Option<&str>, actual: &str) -> Result<(), ProvisionError> {
    let store = setup.cache.folder().join("hashes.json");
    let _lock = setup.cache.lock("hashes", setup)?;
    let text = fs::read_to_string(&store).unwrap_or_default();
    let mut seen: BTreeMap<String, String> = serde_json::from_str(&text).unwrap_or_default();
    if let Some(expected) = pinned.or(seen.get(file).map(String::as_str)).filter(|expected| *expected != actual) {
        let (expected, actual) = (expected.to_owned(), actual.to_owned());
        return Err(ProvisionError::WrongHash { file: file.to_owned(), expected, actual });
    }
    if seen.insert(file.to_owned(), actual.to_owned()).is_none() {
        record::write_whole(&store, &serde_json::to_string_pretty(&seen).unwrap_or_default())?;
    }
    Ok(())
}

/// The SHA-256 of a file, in hexadecimal.
pub(super) fn hash_file(path: &Path) -> Result<String, ProvisionError> {
    let files = |source| ProvisionError::files(path, source);
    let mut file = fs::File::open(path).map_err(files)?;
    let mut digest = Sha256::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        match io::Read::read(&mut file, &mut chunk).map_err(files)? {
            0 => return Ok(hexadecimal(&digest.finalize())),
            read => digest.update(&chunk[..read]),
        }
    }
}

/// The SHA-256 of a text, in hexadecimal.
pub(super) fn hash_text(text: &str) -> String {
    hexadecimal(&Sha256::digest(text))
}

fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        write!(text, "{byte:02x}").ok();
        text
    })
}

/// Unpacks a tar archive that holds nothing outside of the folder, neither by a name nor through a link. Python has had that since
/// 3.12, and since some security release of 3.9 to 3.11.
const UNTAR: &str = "\
import sys, tarfile
if not hasattr(tarfile, 'data_filter'):
    sys.exit('this Python cannot unpack archives of others safely: please install Python 3.12 or newer')
with tarfile.open(sys.argv[1]) as archive:
    archive.extractall(sys.argv[2], filter='data')
";

/// Unpacks a wheel or a source distribution into `folder`, and writes nowhere else.
pub(super) fn unpack(setup: &Setup<'_>, file: &Path, folder: &Path, kind: Kind) -> Result<(), ProvisionError> {
    let purpose = format!("unpack {}", file.file_name().unwrap_or_default().display());
    let python = Command::new(tool::find("python3", &purpose)?);
    let command = match kind {
        // It takes what leads out of the folder from names, and makes no links.
        Kind::Wheel => python.args(["-m", "zipfile", "-e"]),
        Kind::Source => python.args(["-c", UNTAR]),
    };
    let command = command.arg(file).arg(folder.as_os_str());
    tool::succeed(command, &purpose, setup.interrupt).map(drop)
}
