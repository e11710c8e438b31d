//! Tests of profiles and of the names of solvers.

use super::*;

fn version(text: &str) -> Version {
    text.parse().expect("a version")
}

#[test]
fn a_spec_is_a_name_a_version_and_options() {
    let spec = SolverSpec::parse("z3@4.8.10 rewriter.flat=false smt.arith.solver=2").expect("spec");
    assert_eq!(spec.name, "z3");
    assert_eq!(spec.version, Some(version("4.8.10")));
    assert_eq!(spec.options, ["rewriter.flat=false", "smt.arith.solver=2"]);
    for text in ["z3str3", "cvc4@1.8", "z3@4.8.10 rewriter.flat=false"] {
        assert_eq!(SolverSpec::parse(text).expect("spec").to_string(), text);
    }
}

#[test]
fn a_spec_is_read_again_as_it_is_written_whatever_is_in_a_path_or_an_option() {
    let written = SolverSpec::parse("'/my solvers/z3' \"--tactic=(then a b)\" x=1").expect("spec");
    assert_eq!(
        (written.name.as_str(), &written.options[..]),
        ("/my solvers/z3", &["--tactic=(then a b)", "x=1"].map(str::to_owned)[..])
    );
    assert_eq!(written.to_string(), "'/my solvers/z3' '--tactic=(then a b)' x=1");
    for name in ["/a b/z3", "/it's/z3", "/\"q\"/z3", "/back\\slash/z3", "/at@1.2/z3", "/tab\there/z3"] {
        for option in ["", "a b", "it's", "\\", "--x=\"y\"", "*"] {
            for version in [None, Some(version("4.8.10"))] {
                let spec = SolverSpec { name: name.to_owned(), version, options: vec![option.to_owned()] };
                assert_eq!(SolverSpec::parse(&spec.to_string()), Ok(spec));
            }
        }
    }
}

#[test]
fn what_is_no_spec_is_refused() {
    assert!(matches!(SolverSpec::parse("'./my z3"), Err(SpecError::OpenQuote(_))));
    assert!(matches!(SolverSpec::parse(" "), Err(SpecError::NoName(_))));
    assert!(matches!(SolverSpec::parse("@1.0"), Err(SpecError::NoName(_))));
    assert!(matches!(SolverSpec::parse("z3@"), Err(SpecError::NotAVersion(_))));
    assert!(matches!(SolverSpec::parse("z3@../../x"), Err(SpecError::NotAVersion(_))));
    assert!(matches!(SolverSpec::parse("z3@1/2"), Err(SpecError::NotAVersion(_))));
}

#[test]
fn versions_compare_by_number_and_are_found_in_what_solvers_print() {
    assert!(version("4.8.9") < version("4.8.10"));
    assert!(version("4.8.10") < version("4.8.10.0"));
    assert!(version("4.8.17") < version("5.4.1"));
    let found = |text| Version::find_in(text).map(String::from);
    assert_eq!(found("Z3 version 4.8.10 - 64 bit\n").as_deref(), Some("4.8.10"));
    assert_eq!(found("This is CVC4 version 1.6\ncompiled with GCC version 5.4.0 20160609").as_deref(), Some("1.6"));
    assert_eq!(found("This is cvc5 version 1.0.3\n").as_deref(), Some("1.0.3"));
    assert_eq!(found("Yices 2.6.5\nCopyright SRI International.").as_deref(), Some("2.6.5"));
    assert_eq!(found("no version"), None);
    assert!(version("1.5").agrees_with(&version("1.5.118.6b56be4.121013")));
    assert!(version("4.8.10.0").agrees_with(&version("4.8.10")));
    assert!(!version("1.5").agrees_with(&version("1.51")));
}

#[test]
fn the_built_in_profiles_parse_and_name_the_papers_solvers() {
    let profiles = Profiles::built_in();
    let names: Vec<_> = profiles.iter().map(|profile| profile.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "bitwuzla",
            "boolector",
            "cvc4",
            "cvc5",
            "yices",
            "z3",
            "z3-gcov",
            "z3seq",
            "z3seq-gcov",
            "z3str3",
            "z3str3-gcov",
            "z3str3-libgcov"
        ]
    );
    let (target, at) = profiles.get(&SolverSpec::parse("z3str3").expect("spec")).expect("profile");
    assert_eq!((at.as_str(), target.dialect), ("4.8.10", Dialect::SmtLib25));
    assert!(target.rejects_operator("str.replace_all") && !target.rejects_operator("str.replace"));
    assert!(profiles.pin("z3-solver", "4.8.10.0", "source").is_some_and(|hash| hash.starts_with("cd022a66")));
    assert_eq!(profiles.pin("z3-solver", "4.8.5.0", "wheel"), None);
}

#[test]
fn a_version_changes_what_its_profile_says() {
    let profiles = Profiles::built_in();
    let get = |text| profiles.get(&SolverSpec::parse(text).expect("spec")).expect("profile").0;
    assert_eq!(get("cvc4").arguments, ["--lang", "smt2.5", "--strings-exp", "--bv-div-zero-const"]);
    let newer = get("cvc4@1.8");
    assert_eq!((newer.dialect, newer.logics["QF_S"].as_str()), (Dialect::SmtLib26, "QF_SLIA"));
    assert!(matches!(newer.source, Source::Debian { .. }));
    assert_eq!(get("z3@4.8.10").dialect, Dialect::SmtLib25);
    assert_eq!(get("z3@4.8.11").dialect, Dialect::SmtLib26);
    for (plain, twin) in [("z3str3", "z3str3-gcov"), ("z3str3@4.8.11", "z3str3-gcov@4.8.11")] {
        let (plain, twin) = (get(plain), get(twin));
        assert_eq!((twin.dialect, twin.rejects, twin.trace), (plain.dialect, plain.rejects, plain.trace));
    }
}

#[test]
fn counters_come_through_shared_memory_unless_the_profile_says_otherwise() {
    let parse = |text: &str| toml::from_str::<Instrumented>(text);
    let counters = |text| parse(text).expect("valid").counters;
    assert_eq!(counters("notes = \"n\""), CounterSource::SharedMemory);
    assert_eq!(counters("notes = \"n\"\ncounters = \"shared-memory\""), CounterSource::SharedMemory);
    assert_eq!(counters("notes = \"n\"\ncounters = \"preload\""), CounterSource::Preload);
    assert_eq!(counters("notes = \"n\"\ncounters = \"data-files\""), CounterSource::DataFiles);
    let error = parse("notes = \"n\"\ncounters = \"gcda\"").expect_err("no such way").to_string();
    assert!(["shared-memory", "preload", "data-files"].iter().all(|way| error.contains(way)), "{error}");
}

#[test]
fn a_users_file_adds_and_replaces_profiles_and_its_errors_are_located() {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("profiles.toml");
    let text = "[[solver]]\nname = \"mine\"\nversion = \"1.0\"\nsource = { kind = \"path\", path = \"/opt/mine\" }\n\
                probe = [\"--version\"]\ndialect = \"smtlib-2.6\"\n";
    std::fs::write(&file, text).expect("write");
    let mut profiles = Profiles::built_in();
    profiles.add_file(&file).expect("profiles");
    assert!(profiles.get(&SolverSpec::parse("mine").expect("spec")).is_ok());
    std::fs::write(&file, text.replace("probe", "prob")).expect("write");
    let error = profiles.add_file(&file).expect_err("unknown field");
    assert!(error.to_string().contains("prob"), "{error}");
    let unknown = profiles.get(&SolverSpec::parse("z4").expect("spec")).expect_err("unknown solver");
    assert!(unknown.to_string().contains("z3str3"), "{unknown}");
}

/// The built-in profiles and those of `text`, in a file of a folder of its own.
fn with_file(text: &str) -> (Result<Profiles, ProfileError>, PathBuf) {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("mine.toml"), text).expect("write");
    let mut profiles = Profiles::built_in();
    let added = profiles.add_file(&folder.path().join("mine.toml"));
    (added.map(|()| profiles), folder.path().to_owned())
}

#[test]
fn a_profile_like_another_at_a_version_has_its_fields_but_those_it_gives() {
    let text = "[[solver]]\nname = \"own\"\nlike = \"cvc4@1.8\"\n\
                source = { kind = \"path\", path = \"build/bin/cvc4\" }\n\
                instrumented = { notes = \"..\" }\n";
    let (profiles, folder) = with_file(text);
    let profiles = profiles.expect("profiles");
    let get = |text| profiles.get(&SolverSpec::parse(text).expect("spec")).expect("profile");
    let ((own, at), (base, _)) = (get("own"), get("cvc4@1.8"));
    assert_eq!(at, version("1.8"));
    let expected = Profile {
        name: "own".to_owned(),
        family: "cvc4".to_owned(),
        version: version("1.8"),
        source: Source::Path { path: folder.join("build/bin/cvc4") },
        instrumented: Some(Instrumented { notes: "..".into(), counters: CounterSource::default() }),
        ..base
    };
    assert_eq!(own, expected);
    // It is like the base at that version; what changed later is not known of it.
    assert_eq!(get("own@1.6").0, expected);
}

#[test]
fn a_profile_like_another_inherits_what_changes_but_for_what_it_gives() {
    let text = "[[solver]]\nname = \"own\"\nlike = \"cvc4\"\nversion = \"1.8\"\narguments = [\"--quiet\"]\n\
                source = { kind = \"path\", path = \"cvc4\" }\n\
                [[solver]]\nname = \"heir\"\nlike = \"own\"\nversion = \"1.6\"\n";
    let profiles = with_file(text).0.expect("profiles");
    let get = |text| profiles.get(&SolverSpec::parse(text).expect("spec")).expect("profile").0;
    let (own, base, heir) = (get("own"), get("cvc4@1.8"), get("heir"));
    assert_eq!((own.dialect, &own.logics, &own.rejects), (Dialect::SmtLib26, &base.logics, &base.rejects));
    assert_eq!(own.arguments, ["--quiet"]);
    // A bare name stays one, to be looked up along PATH.
    assert_eq!(own.source, Source::Path { path: "cvc4".into() });
    assert_eq!((heir.dialect, &heir.source, &heir.arguments), (Dialect::SmtLib25, &own.source, &own.arguments));
}

#[test]
fn what_a_profile_cannot_be_like_is_said_with_file_and_line() {
    let later = "[[solver]]\nname = \"a\"\nlike = \"b\"\n[[solver]]\nname = \"b\"\nlike = \"cvc4\"\n";
    let cases = [
        (later, "no solver of this name stands before it; known there: bitwuzla, boolector, cvc4,"),
        ("[[solver]]\nname = \"a\"\nlike = \"a\"\n", "no solver of this name stands before it"),
        ("[[solver]]\nname = \"a\"\nlike = 4\n", "`like` must be a string"),
        ("[[solver]]\nname = \"a\"\nlike = \"cvc4@new\"\n", "is not a version"),
        ("[[solver]]\nname = \"a\"\nlike = \"cvc4 --quiet\"\n", "options belong into `arguments`"),
        ("[[solver]]\nname = \"a\"\nlike = \"cvc4\"\nargument = []\n", "unknown field `argument`"),
        ("[[solver]]\nname = \"a\"\n", "missing field"),
    ];
    for (text, expected) in cases {
        let error = with_file(&format!("# A comment.\n{text}")).0.expect_err(expected).to_string();
        assert!(error.contains("mine.toml:2: solver a: ") && error.contains(expected), "{error}");
    }
    let nameless = with_file("[[solver]]\nlike = \"cvc4\"\n").0.expect_err("no name").to_string();
    assert!(nameless.ends_with("mine.toml:1: a solver has no `name`"), "{nameless}");
}
