//! Tests of setup that need no network.

use super::*;

fn setup<'a>(profiles: &'a Profiles, cache: &'a Cache, interrupt: &'a Interrupt) -> Setup<'a> {
    Setup { profiles, cache, progress: Arc::new(|_| {}), interrupt, jobs: 1 }
}

/// An executable in `folder` that is this shell script.
fn executable(folder: &Path, name: &str, script: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let program = folder.join(name);
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("write");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("executable");
    program
}

/// Profiles with one solver, `mine`, that is a shell script in `folder` which prints `answer` to satisfiable scripts.
fn scripted(folder: &Path, answer: &str) -> Profiles {
    let script = format!(
        "if [ \"$1\" = --version ]; then echo Mine 1.2.3\n\
        elif [ ! -f \"$1\" ]; then echo \"(error \\\"unknown option $1\\\")\"\nelif grep -q distinct \"$1\"; then echo unsat; else {answer}; fi"
    );
    let program = executable(folder, "mine", &script);
    let file = folder.join("profiles.toml");
    let text = format!(
        "[[solver]]\nname = \"mine\"\nversion = \"1.2\"\nsource = {{ kind = \"path\", path = {program:?} }}\n\
         probe = [\"--version\"]\ndialect = \"smtlib-2.6\"\n"
    );
    fs::write(&file, text).expect("write");
    let mut profiles = Profiles::built_in();
    profiles.add_file(&file).expect("profiles");
    profiles
}

#[test]
fn a_users_solver_is_probed_and_tested() {
    let folder = tempfile::tempdir().expect("folder");
    let (cache, interrupt) = (Cache::at(folder.path().join("cache")), Interrupt::new());
    let profiles = scripted(folder.path(), "echo sat");
    let solver = provide(&"mine".parse().expect("spec"), &setup(&profiles, &cache, &interrupt)).expect("healthy");
    assert_eq!(solver.label(), "mine@1.2.3");
    let wrong = provide(&"mine@2.0".parse().expect("spec"), &setup(&profiles, &cache, &interrupt));
    assert!(matches!(wrong, Err(ProvisionError::WrongVersion { .. })), "{wrong:?}");
    let profiles = scripted(folder.path(), "echo unsat");
    let broken = provide(&"mine".parse().expect("spec"), &setup(&profiles, &cache, &interrupt));
    assert!(matches!(broken, Err(ProvisionError::Unhealthy { .. })), "{broken:?}");
}

#[test]
fn a_probe_finds_what_a_profile_promises_and_the_solver_refuses() {
    let folder = tempfile::tempdir().expect("folder");
    let (cache, interrupt) = (Cache::at(folder.path().join("cache")), Interrupt::new());
    let healthy = "echo sat; if grep -q get-model \"$1\"; then echo '((define-fun x () String \"a\"))'; fi";
    let found = |answer: &str| find(&"mine".parse().expect("spec"), &scripted(folder.path(), answer), &cache);
    assert!(probe(&found(healthy).expect("installed"), &interrupt).is_ok());
    let silent = probe(&found("echo sat").expect("installed"), &interrupt).expect_err("it prints no model").to_string();
    let expected = "mine does not work: it answers sat to a satisfiable script that asks for a model; if it prints no models, \
        say so in its profile: model = { command = \"\" } (in a file that --profiles names)";
    assert_eq!(silent, expected);
    let mut seeded = found(healthy).expect("installed");
    seeded.profile.seed = vec!["--seed={seed}".to_owned()];
    // The script is not its first argument then, so that it finds none.
    let refused = probe(&seeded, &interrupt).expect_err("it takes no seed").to_string();
    assert!(refused.contains("with the `seed` of its profile") && !refused.contains("model ="), "{refused}");
    interrupt.set();
    let stopped = probe(&seeded, &interrupt).expect_err("the user interrupts").to_string();
    assert_eq!(stopped, "interrupted", "nothing is being set up");
}

#[test]
fn an_executable_is_the_solver_that_it_says_it_is() {
    let folder = tempfile::tempdir().expect("folder");
    let cache = Cache::at(folder.path().join("cache"));
    let found = |name: &str, printed: &str| {
        let program = executable(folder.path(), name, &format!("echo '{printed}'"));
        let spec: SolverSpec = format!("{} smt.arith.solver=2", program.display()).parse().expect("a path");
        find(&spec, &Profiles::built_in(), &cache)
    };
    let z3 = found("solver", "Z3 version 4.8.7 - 64 bit").expect("known");
    assert_eq!(z3.profile.dialect.name(), "smtlib-2.5", "as z3@4.8.7 is");
    assert!(z3.label().ends_with("/solver@4.8.7 smt.arith.solver=2"), "{}", z3.label());
    assert_eq!(found("my-boolector", "3.2.4").expect("known").version.as_str(), "3.2.4");
    let unknown = found("true", "true (GNU coreutils) 9.1").expect_err("no solver").to_string();
    assert!(unknown.contains("--profiles") && unknown.contains("coreutils"), "{unknown}");
    assert!(unknown.contains("like=NAME"), "{unknown}");
}

#[test]
fn an_executable_that_does_not_say_so_is_like_what_the_user_says() {
    let folder = tempfile::tempdir().expect("folder");
    let cache = Cache::at(folder.path().join("cache"));
    let found = |printed: &str, as_named: &str| {
        let program = executable(folder.path(), "mine", &format!("echo '{printed}'"));
        let spec: SolverSpec = format!("{}{as_named}", program.display()).parse().expect("a path");
        find(&spec, &Profiles::built_in(), &cache)
    };
    let mine =
        found("my solver, of today", " like=z3@4.8.7 smt.arith.solver=2").expect("the user says what it is like");
    assert_eq!(mine.profile.dialect.name(), "smtlib-2.5", "as z3@4.8.7 is");
    assert_eq!(mine.version.as_str(), "4.8.7", "it has no number of its own");
    assert_eq!(mine.spec.arguments().collect::<Vec<_>>(), ["smt.arith.solver=2"]);
    let label: SolverSpec = mine.label().parse().expect("a record names it");
    assert_eq!(find(&label, &Profiles::built_in(), &cache).expect("from a record").version, mine.version);
    let cvc5 = found("mine 0.3", " like=cvc5 --x").expect("known");
    assert_eq!(cvc5.version.as_str(), "0.3");
    let (_, newest) = Profiles::built_in().get(&"cvc5".parse().expect("a name")).expect("known");
    assert!(cvc5.label().ends_with(&format!("/mine@0.3 like=cvc5@{newest} --x")), "{}", cvc5.label());
    let wrong = found("mine 0.3", "@0.4 like=cvc5").expect_err("it is 0.3").to_string();
    assert!(wrong.ends_with("says it is 0.3 instead of version 0.4"), "{wrong}");
    let nobody = found("mine 0.3", " like=nobody").expect_err("no such solver").to_string();
    assert!(nobody.contains("no solver named nobody"), "{nobody}");
    let known = "z3 like=cvc5".parse::<SolverSpec>().expect_err("z3 is known").to_string();
    assert_eq!(known, "z3 is a solver that we know: `like=` is for one that is named by its path");
}

#[test]
fn what_is_not_installed_says_how_to_install_it() {
    let folder = tempfile::tempdir().expect("folder");
    let error = find(&"z3@4.8.10 a=b".parse().expect("spec"), &Profiles::built_in(), &Cache::at(folder.path()));
    let text = error.expect_err("nothing is installed").to_string();
    assert!(text.contains("mulstringfuzz setup \"z3@4.8.10 a=b\""), "{text}");
}

#[test]
fn a_package_release_follows_its_version() {
    let version = |text: &str| text.parse::<Version>().expect("version");
    assert_eq!(fill("{version}.0", &version("4.8.10")), "4.8.10.0");
    assert_eq!(fill("{version}.0", &version("4.5.1.0.post2")), "4.5.1.0.post2");
    assert_eq!(fill("{version}", &version("1.6")), "1.6");
}

#[test]
fn a_locked_item_waits_until_the_user_interrupts() {
    let folder = tempfile::tempdir().expect("folder");
    let (cache, interrupt, profiles) = (Cache::at(folder.path()), Interrupt::new(), Profiles::built_in());
    let setup = setup(&profiles, &cache, &interrupt);
    let held = cache.lock("item", &setup).expect("first lock");
    interrupt.set();
    assert!(matches!(cache.lock("item", &setup), Err(ProvisionError::Interrupted)));
    drop(held);
    assert!(cache.lock("item", &setup).is_ok());
}

#[test]
fn a_missing_tool_is_named_with_its_packages() {
    let error = tool::find("no-such-compiler", "build Z3").expect_err("missing").to_string();
    assert_eq!(error, "no-such-compiler is needed to build Z3; on Debian: apt-get install no-such-compiler");
    let failed = tool::succeed(
        super::super::process::Command::new("/bin/sh").args(["-c", "echo why >&2; exit 3"]),
        "try",
        &Interrupt::new(),
    );
    assert_eq!(failed.expect_err("fails").to_string(), "try failed (exit code 3): why");
}

/// Writes an archive by Python: `members` are its lines, in which `add(name, text)` adds a file.
fn archive(folder: &Path, name: &str, begin: &str, members: &str) -> PathBuf {
    let path = folder.join(name);
    let script = format!("import io, sys, tarfile, zipfile\n{begin}\n{members}\narchive.close()\n");
    let made = std::process::Command::new("python3").args(["-c", &script]).arg(&path).status();
    assert!(made.expect("python3").success());
    path
}

#[test]
fn archives_write_nothing_outside_of_their_folder() {
    let scratch = tempfile::tempdir().expect("a folder");
    let (cache, interrupt) = (Cache::at(scratch.path().join("cache")), Interrupt::new());
    let profiles = Profiles::built_in();
    let setup = setup(&profiles, &cache, &interrupt);
    let home = scratch.path().join("home");
    let files = |folder: &Path| -> Vec<String> {
        let mut names: Vec<String> = record::files(folder)
            .iter()
            .map(|file| file.strip_prefix(folder).expect("inside").display().to_string())
            .collect();
        names.sort();
        names
    };
    let zip = "archive = zipfile.ZipFile(sys.argv[1], 'w')\nadd = archive.writestr";
    let tar = "archive = tarfile.open(sys.argv[1], 'w:gz')\ndef add(name, text):\n  info = tarfile.TarInfo(name)\n  \
               info.size = len(text)\n  archive.addfile(info, io.BytesIO(text.encode()))\ndef link(name, target):\n  \
               info = tarfile.TarInfo(name)\n  info.type = tarfile.SYMTYPE\n  info.linkname = target\n  archive.addfile(info)";
    let absolute = scratch.path().join("absolute");
    let wheel = archive(
        scratch.path(),
        "wheel.whl",
        zip,
        &format!("add('good', 'x')\nadd('../escaped', 'x')\nadd('{}', 'x')", absolute.display()),
    );
    fs::create_dir(&home).expect("a folder");
    let before = files(scratch.path());
    pypi::unpack(&setup, &wheel, &home, pypi::Kind::Wheel).expect("what is outside is put inside");
    let outside =
        |names: Vec<String>| -> Vec<String> { names.into_iter().filter(|name| !name.starts_with("home/")).collect() };
    assert_eq!(outside(files(scratch.path())), before);
    assert!(home.join("good").is_file());
    for (name, members) in [
        ("parent.tar.gz", "add('good', 'x')\nadd('../escaped', 'x')".to_owned()),
        ("link.tar.gz", format!("link('way', '{}')\nadd('way/escaped', 'x')", scratch.path().display())),
        ("up.tar.gz", "link('way', '..')\nadd('way/escaped', 'x')".to_owned()),
    ] {
        let file = archive(scratch.path(), name, tar, &members);
        let before = files(scratch.path());
        let refused = pypi::unpack(&setup, &file, &home, pypi::Kind::Source);
        assert!(matches!(refused, Err(ProvisionError::ToolFailed { .. })), "{name}: {refused:?}");
        assert_eq!(outside(files(scratch.path())), outside(before), "{name}");
    }
    let good = archive(scratch.path(), "good.tar.gz", tar, "add('package/file', 'x')");
    pypi::unpack(&setup, &good, &home, pypi::Kind::Source).expect("it is sound");
    assert!(home.join("package/file").is_file());
}
