//! How often the kernel has killed for lack of memory in our control group.

use std::fs;
use std::sync::OnceLock;

/// The kills so far by the kernel's out-of-memory killer in our control group and those below it; `None` if the kernel
/// does not say, which is usual for a process that is in no group of its own.
pub(super) fn oom_kills() -> Option<u64> {
    // Asked around every run of a solver; which file it is does not change.
    static FILE: OnceLock<Option<String>> = OnceLock::new();
    let counted = |file: &String| oom_kills_in(&fs::read_to_string(file).ok()?);
    let file = FILE.get_or_init(|| {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        counter_files(&groups).into_iter().find(|file| counted(file).is_some())
    });
    file.as_ref().and_then(counted)
}

/// The files that may have the counter, by `/proc/self/cgroup`: of version 2 of control groups, and of version 1. In a
/// container the path is often that outside of it, and the group is the root inside.
fn counter_files(groups: &str) -> Vec<String> {
    let mut files = Vec::new();
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let path = path.trim_end_matches('/');
        let (folder, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.events"),
            _ if controllers.split(',').any(|each| each == "memory") => ("/sys/fs/cgroup/memory", "memory.oom_control"),
            _ => continue,
        };
        files.extend([format!("{folder}{path}/{file}"), format!("{folder}/{file}")]);
    }
    files
}

/// The counter in the text of such a file.
fn oom_kills_in(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counter_of_either_version_is_found() {
        let groups = "4:cpu,cpuacct:/a\n3:memory:/jobs/7\n0::/user.slice/run:1.scope\n";
        assert_eq!(
            counter_files(groups),
            [
                "/sys/fs/cgroup/memory/jobs/7/memory.oom_control",
                "/sys/fs/cgroup/memory/memory.oom_control",
                "/sys/fs/cgroup/user.slice/run:1.scope/memory.events",
                "/sys/fs/cgroup/memory.events",
            ]
        );
        assert_eq!(counter_files("0::/\n")[0], "/sys/fs/cgroup/memory.events");
        assert_eq!(oom_kills_in("low 0\noom 3\noom_kill 2\noom_group_kill 0\n"), Some(2));
        assert_eq!(oom_kills_in("oom_kill_disable 0\nunder_oom 0\n"), None);
    }
}
