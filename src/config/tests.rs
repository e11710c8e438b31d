use super::*;

fn settings(text: &str) -> Settings {
    toml::from_str(text).expect("valid settings")
}

#[test]
fn defaults_are_the_papers() {
    let config = Config::resolve(Settings::default()).unwrap();
    assert_eq!((config.population, config.crossover, config.mutation), (40, 0.75, 0.25));
    assert_eq!((config.limit, config.confirm.limit), (Duration::from_secs(5), Duration::from_secs(20)));
    assert_eq!(config.observe_limit, Duration::from_secs(1));
    assert_eq!(config.confirm.share, 0.25);
}

#[test]
fn the_command_line_wins_over_the_file() {
    let file = settings("population = 60\nlimit = '2s'\n[coverage]\nmode = 'paper'");
    let line = Settings { population: Some(8), ..Settings::default() };
    let config = Config::resolve(line.or(file)).unwrap();
    assert_eq!(config.population, 8);
    assert_eq!(config.limit, Duration::from_secs(2));
    assert_eq!(config.confirm.limit, Duration::from_secs(8), "four times the limit that was chosen");
    assert_eq!(config.coverage_mode, CoverageMode::Paper);
}

#[test]
fn a_resolved_configuration_reads_back() {
    let mut config = Config::resolve(settings("budget = '10m'\nvariant = 'stringfuzz'\nseed = 9")).unwrap();
    config.resolved = Some(Resolved {
        target_dialect: Dialect::SmtLib25,
        reference_dialect: Dialect::SmtLib26,
        logic: "QF_S".into(),
        rejected: vec!["str.rev".into()],
        traceless: true,
    });
    let text = config.to_toml().unwrap();
    assert_eq!(Config::resolve(settings(&text)).unwrap(), config, "{text}");
}

#[test]
fn a_target_without_traces_is_crowded_by_distance() {
    let mut config = Config::resolve(settings("")).unwrap();
    assert_eq!(config.crowding(), Crowding::Trace);
    // Runs that were recorded without this key keep their course.
    let resolved = "[resolved]\ntarget-dialect = 'smtlib-2.5'\nreference-dialect = 'smtlib-2.5'\nlogic = 'QF_S'\n\
                    rejected = []\n";
    config = Config::resolve(settings(resolved)).unwrap();
    assert_eq!(config.crowding(), Crowding::Trace);
    config = Config::resolve(settings(&format!("{resolved}traceless = true\n"))).unwrap();
    assert_eq!(config.crowding(), Crowding::Distance);
}

#[test]
fn unknown_keys_and_bad_ranges_are_refused() {
    assert!(toml::from_str::<Settings>("popsize = 4").unwrap_err().to_string().contains("popsize"));
    assert!(toml::from_str::<Settings>("limit = '5'").unwrap_err().to_string().contains("write a number and a unit"));
    let message = Config::resolve(settings("crossover = 1.5")).unwrap_err().to_string();
    assert_eq!(message, "`crossover` must be from 0 to 1, not 1.5");
    assert!(Config::resolve(settings("population = 0")).is_err());
}

#[test]
fn a_resumed_run_may_change_when_it_stops_and_nothing_else() {
    let run = Config::resolve(settings("budget = '1m'\npopulation = 8")).unwrap();
    let longer = settings("budget = '2m'\npopulation = 8").resuming(&run).unwrap();
    assert_eq!(longer.stop.budget, Some(Duration::from_secs(120)));
    let pinned = Config { target: "z3@5.4.1 a=b".to_owned(), ..run.clone() };
    assert!(settings("target = 'z3 a=b'").resuming(&pinned).is_ok(), "the version that the run began with");
    assert!(settings("target = 'z3@5.4.1 a=b'").resuming(&pinned).is_ok());
    for other in ["z3", "z3@5.4.0 a=b", "cvc5 a=b"] {
        assert!(settings(&format!("target = '{other}'")).resuming(&pinned).is_err(), "{other}");
    }
    let message = settings("population = 9").resuming(&run).unwrap_err().to_string();
    assert!(message.starts_with("`population` decides the course"), "{message}");
}

#[test]
fn paths_in_a_file_are_relative_to_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.toml");
    std::fs::write(&path, "seeds = 'corpus'").unwrap();
    assert_eq!(Settings::read(&path).unwrap().seeds, Some(folder.path().join("corpus")));
}

#[test]
fn a_solver_that_is_named_by_a_relative_path_is_recorded_by_an_absolute_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.toml");
    let beside = folder.path().join("build/mine").display().to_string();
    std::fs::create_dir(folder.path().join("build")).unwrap();
    std::fs::write(&beside, "").unwrap();
    let text = "target = './build/mine@4.8 a=b  c=d'\nreference = './not-there -q'\ninstrumented = 'z3-gcov x=y'";
    std::fs::write(&path, text).unwrap();
    let Settings { target, reference, instrumented, .. } = Settings::read(&path).unwrap();
    assert_eq!(target, Some(format!("{beside}@4.8 a=b  c=d")));
    let here = std::env::current_dir().unwrap().join("not-there").display().to_string();
    assert_eq!((reference, instrumented.as_deref()), (Some(format!("{here} -q")), Some("z3-gcov x=y")));
}

#[test]
fn observed_runs_are_part_of_the_configuration() {
    let toml = "trace = { max-lines = 7 }\nobserve = { runs = \"apart\", soft-limit = 9 }";
    let config = Config::resolve(toml::from_str(toml).expect("settings")).expect("sound");
    assert_eq!((config.trace_max_lines, config.observe_soft_limit), (Some(7), Some(9)));
    let again: Settings = toml::from_str(&config.to_toml().expect("TOML")).expect("settings");
    assert_eq!(Config::resolve(again).expect("sound"), config);
    let other = toml::from_str::<Settings>("observe = { soft-limit = 8 }").expect("settings");
    assert!(matches!(other.resuming(&config), Err(ConfigError::FixedOnResume { key: "observe.soft-limit" })));
    // A trace without lines would end every run at its first.
    let none = Config::resolve(toml::from_str("trace = { max-lines = 0 }").expect("settings"));
    assert!(matches!(none, Err(ConfigError::Range { key: "trace.max-lines", .. })));
}

#[test]
fn only_stringfuzz_times_several_times() {
    let timings = |text: &str| Config::resolve(settings(text)).unwrap().timings;
    assert_eq!([timings("variant = 'stringfuzz'"), timings("variant = 'default'")], [8, 1]);
    let few = |variant: &str| timings(&format!("timings = 3\nvariant = '{variant}'"));
    assert_eq!([few("stringfuzz-runtime-difference"), few("only-time")], [3, 1]);
    let refused = Config::resolve(settings("timings = 0\nvariant = 'stringfuzz'")).unwrap_err();
    assert_eq!(refused.to_string(), "`timings` must be 1 or more, not 0");
}
