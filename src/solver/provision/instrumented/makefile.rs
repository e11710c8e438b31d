//! Z3's generated makefile and its configuration, as far as our build reads and changes them.

use std::path::Path;

/// Z3's `config.mk` with our flags: optimised as little as the counts allow, not position-independent, with the
/// standard headers included first.
pub(super) fn adapt(config: &str, header: &Path) -> String {
    let adapted = config.lines().map(|line| {
        if line.starts_with("CXXFLAGS=") || line.starts_with("CFLAGS=") {
            let flags: Vec<_> = line
                .split(' ')
                .filter(|flag| *flag != "-fPIC")
                .map(|flag| if matches!(flag, "-O2" | "-O3") { "-O1" } else { flag })
                .collect();
            let flags = flags.join(" ");
            // The C flags serve nothing that we build.
            if line.starts_with("CXX") {
                format!("{flags} -fno-pie -include {}\n", header.display())
            } else {
                format!("{flags}\n")
            }
        } else {
            format!("{line}\n")
        }
    });
    adapted.collect()
}

/// The prerequisites of the `z3` rule in Z3's makefile.
pub(super) fn link_inputs(makefile: &str) -> Vec<String> {
    let rule = makefile.lines().find_map(|line| line.strip_prefix("z3$(EXE_EXT):"));
    let inputs = rule.unwrap_or_default().split_whitespace();
    inputs.map(|input| input.replace("$(OBJ_EXT)", ".o").replace("$(LIB_EXT)", ".a")).collect()
}

/// The value of a variable; empty if it is not set.
pub(super) fn variable<'a>(config: &'a str, name: &str) -> &'a str {
    let value = config.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    value.unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_of_z3s_configuration_are_adapted() {
        let config = "CXX=g++\nCXXFLAGS= -DNDEBUG --coverage -g0 -c -O3 -D_LINUX_ -fPIC\nAR=ar\n";
        let expected =
            "CXX=g++\nCXXFLAGS= -DNDEBUG --coverage -g0 -c -O1 -D_LINUX_ -fno-pie -include /b/standard.h\nAR=ar\n";
        assert_eq!(adapt(config, Path::new("/b/standard.h")), expected);
    }

    #[test]
    fn a_variable_is_found_by_its_whole_name() {
        assert_eq!(variable("CXX=g++\nCXXFLAGS= -c -O1 \n", "CXXFLAGS"), "-c -O1");
        assert_eq!(variable("CXX=g++\n", "CX"), "");
    }

    #[test]
    fn the_inputs_of_the_link_come_from_the_makefiles_rule() {
        let makefile =
            "all: x\nz3$(EXE_EXT): shell/main$(OBJ_EXT) api/api$(LIB_EXT)\n\t@$(LINK)\nz3_tptp$(EXE_EXT): y\n";
        assert_eq!(link_inputs(makefile), ["shell/main.o", "api/api.a"]);
        assert!(link_inputs("").is_empty());
    }
}
