//! Names of source files: spelled by the compiler, relative to its working folder, and as shown to people.

/// Folders whose files belong to the system, not to the target.
const SYSTEM_FOLDERS: [&str; 7] =
    ["/usr/include/", "/usr/lib/", "/usr/lib64/", "/usr/local/include/", "/usr/local/lib/", "/lib/", "/opt/"];

/// `name` without `.` steps and with `folder/..` steps taken back, by spelling alone.
pub(crate) fn lexical(name: &str) -> String {
    let absolute = name.starts_with('/');
    let mut steps: Vec<&str> = Vec::new();
    for step in name.split('/') {
        match step {
            "" | "." => {}
            ".." if steps.last().is_some_and(|&last| last != "..") => {
                steps.pop();
            }
            ".." if absolute => {}
            _ => steps.push(step),
        }
    }
    let joined = steps.join("/");
    if absolute { format!("/{joined}") } else { joined }
}

/// The full name of a source file that was compiled in `working_folder`.
pub(crate) fn absolute(working_folder: &str, name: &str) -> String {
    if name.starts_with('/') { lexical(name) } else { lexical(&format!("{working_folder}/{name}")) }
}

/// Whether a file, by its full name, belongs to the system.
pub(crate) fn is_system(full: &str) -> bool {
    SYSTEM_FOLDERS.iter().any(|folder| full.starts_with(folder)) || full.ends_with('>')
}

/// The deepest folder, with a closing `/`, that holds all of these files.
pub(crate) fn common_folder<'a>(files: impl IntoIterator<Item = &'a str>) -> String {
    let mut files = files.into_iter();
    let Some(first) = files.next() else { return String::new() };
    let mut common = first[..first.rfind('/').map_or(0, |slash| slash + 1)].to_owned();
    for file in files {
        while !file.starts_with(common.as_str()) {
            let parent = common[..common.len() - 1].rfind('/').map_or(0, |slash| slash + 1);
            common.truncate(parent);
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_taken_back() {
        assert_eq!(lexical("../src/./util/../ast/a.h"), "../src/ast/a.h");
        assert_eq!(lexical("/a/../../b"), "/b");
        assert_eq!(absolute("/z3/build", "../src/a.cpp"), "/z3/src/a.cpp");
    }

    #[test]
    fn the_common_folder_is_a_folder() {
        assert_eq!(common_folder(["/z/src/a.cpp", "/z/srcs/b.cpp"]), "/z/");
        assert_eq!(common_folder(["/z/src/a.cpp"]), "/z/src/");
        assert_eq!(common_folder(["a.cpp", "b.cpp"]), "");
        assert_eq!(common_folder([]), "");
    }

    #[test]
    fn system_files() {
        assert!(is_system("/usr/include/c++/12/vector") && !is_system("/home/me/z3/src/a.cpp"));
    }
}
