//! Disks that are full, folders that are taken, files that cannot be written.

use super::scripted::{Options, assert_same_results, config, resume, run};
use mulstringfuzz::campaign::CampaignError;
use mulstringfuzz::record::RecordError;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A file system of a few kilobytes, or nothing where we may not mount one.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path, kilobytes: u32) -> Option<Self> {
        mount(at, &format!("size={kilobytes}k")).then(|| SmallDisk(at.to_owned()))
    }

    fn grow(&self, kilobytes: u32) {
        assert!(mount(&self.0, &format!("remount,size={kilobytes}k")));
    }
}

fn mount(at: &Path, options: &str) -> bool {
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(at).stderr(Stdio::null());
    mount.status().is_ok_and(|status| status.success())
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        assert!(Command::new("umount").arg(&self.0).status().is_ok_and(|status| status.success()));
    }
}

#[test]
fn a_full_disk_stops_the_run_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let Some(small) = SmallDisk::mount(&disk, 400) else { return };
    let root = disk.join("run");
    let config = config("population = 10\ngenerations = 30");
    let error = run(&root, &config, &Options::default()).unwrap_err();
    let CampaignError::Record(error) = error else { panic!("{error}") };
    assert!(error.is_write(), "{error}");
    small.grow(40_000);
    resume(&root, "", &Options::default()).unwrap();
    let whole = folder.path().join("whole");
    run(&whole, &config, &Options::default()).unwrap();
    assert_same_results(&whole, &root);
}

#[test]
fn a_folder_that_is_taken_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    let config = config("population = 4\ngenerations = 1");
    run(&root, &config, &Options::default()).unwrap();
    let before = super::scripted::results(&root);
    let error = run(&root, &config, &Options::default()).unwrap_err();
    assert!(matches!(error, CampaignError::Record(RecordError::Exists { .. })), "{error}");
    assert!(error.to_string().contains("--resume"));
    assert_eq!(before, super::scripted::results(&root));
}

#[test]
fn a_file_in_the_way_is_a_write_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    let error = run(&file.join("run"), &config("generations = 1"), &Options::default()).unwrap_err();
    assert!(matches!(&error, CampaignError::Record(error) if error.is_write()), "{error}");
}
