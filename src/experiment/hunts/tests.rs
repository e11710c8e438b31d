//! What a specification of hunts says, and what is wrong with one.

use super::*;
use crate::experiment::spec::plan_beside_a_seed as read;
use crate::experiment::{Compute, Plan, Runs};

const SPEC: &str = "title = 'T'\ncompute = ['iterations', 'sizes']\n[hunt]\ndepth = 7\ninstances = 50\n[grid]\n\
    depth = [4, 8]\nassertions = [16]\n[scale.small]\nrepeats = 2\nhunt = { instances = 5, limit = '1s' }\n\
    [[arm]]\nname = 'both'\nhunt = { minimise = 'both', limit = '2s' }\n\
    [[defect]]\nname = 'd'\nseeds = ['seed.smt2']\nsolver = 'z3seq'\nkind = 'refutation-unsoundness'\n\
    [[defect]]\nname = 'e'\nseeds = ['seed.smt2']\nsolver = 'cvc4@1.8 --strings-exp'\nkind = 'crash'\n";

#[test]
fn a_grid_is_an_arm_for_each_pair_before_the_others() {
    let plan = read(SPEC).unwrap();
    let names: Vec<String> = plan.tasks().map(|task| task.to_string()).collect();
    let first = ["depth-4-assertions-16/d/001", "depth-8-assertions-16/d/001", "both/d/001"];
    assert_eq!(names[..3], first);
    assert_eq!((names[3].as_str(), names[6].as_str()), ("depth-4-assertions-16/e/001", "depth-4-assertions-16/d/002"));
    assert_eq!(names.len(), 12);
    let named = plan.named("both/e/002").unwrap();
    assert_eq!((named.index, named.defect.unwrap().kind), (11, Kind::Crash));
}

#[test]
fn an_arm_wins_over_the_scale_and_the_scale_over_the_experiment() {
    let plan = read(SPEC).unwrap();
    let Runs::Hunts(hunts) = &plan.runs else { panic!("{plan:?}") };
    let config = |arm: usize| hunts.config(&plan.arms[arm]).unwrap();
    let (grid, both) = (config(0), config(2));
    assert_eq!((grid.bounds, both.bounds), (Bounds { depth: 4, assertions: 16 }, Bounds { depth: 7, assertions: 64 }));
    assert_eq!((grid.limit.as_secs(), both.limit.as_secs(), both.instances), (1, 2, 5));
    assert!(hunts.defects[0].seeds[0].is_absolute());
}

#[test]
fn a_plan_is_read_as_it_was_written_and_grows() {
    let plan = read(SPEC).unwrap();
    let again: Plan = toml::from_str(&toml::to_string_pretty(&plan).unwrap()).unwrap();
    assert_eq!(again, plan);
    let mut larger = plan.clone();
    larger.repeats = 3;
    larger.arms.insert(0, Arm::named("another".into()));
    let Runs::Hunts(hunts) = &mut larger.runs else { panic!("{larger:?}") };
    hunts.defects.insert(0, Defect { name: "f".into(), ..hunts.defects[0].clone() });
    assert_eq!(larger.check_continues(&plan), Ok(()));
    assert_eq!(plan.check_continues(&larger), Err("the defect f".into()));
    let mut other = plan.clone();
    other.arms[2].hunt.depth = Some(1);
    assert_eq!(other.check_continues(&plan), Err("the settings of arm both".into()));
    other.seed = 2;
    assert_eq!(other.check_continues(&plan), Err("the seed".into()));
}

#[test]
fn a_command_is_a_text_or_words_and_a_path_starts_at_the_specification() {
    let external = |command: &str| {
        let spec = SPEC.replacen("kind = 'crash'", "kind = 'refutation-unsoundness'", 1);
        let spec = spec.replace("seeds =", "second-solver = 'z3'\nseeds =");
        let plan = read(&spec.replacen("minimise = 'both'", &format!("minimise-with = {command}"), 1)).unwrap();
        let again: Plan = toml::from_str(&toml::to_string_pretty(&plan).unwrap()).unwrap();
        assert_eq!(again, plan);
        let Runs::Hunts(hunts) = &plan.runs else { panic!("{plan:?}") };
        let reducer = hunts.config(&plan.arms[2]).unwrap().reducer;
        let Some(ReducerChoice::Command(words)) = reducer else { panic!("{reducer:?}") };
        words
    };
    assert_eq!(external("' ddsmt  -j 1'"), ["ddsmt", "-j", "1"]);
    assert_eq!(external("['a tool', '--by = x y']"), ["a tool", "--by = x y"]);
    assert_eq!(external("'/opt/reducer x/y'"), ["/opt/reducer", "x/y"]);
    let beside = external("['./my tools/reducer', 'x/y']");
    assert!(beside[0].starts_with('/') && beside[0].ends_with("/my tools/reducer"), "{beside:?}");
    assert!(!beside[0].contains("/./") && beside[1] == "x/y", "{beside:?}");
}

const FRESH: &str = "title = 'T'\ncompute = ['deltas']\n[hunt]\nstrategy = 'fuzzsmt'\ngenerator = 'qf-abv'\n\
    minimise = 'none'\nformulas = { references = 2, max-width = 8 }\n[scale.small]\nrepeats = 1\n\
    [[arm]]\nname = 'ours'\nhunt = { reduce-by = 'delta-smt' }\n\
    [[arm]]\nname = 'theirs'\nhunt = { minimise-with = 'ddsmt' }\n\
    [[defect]]\nname = 'w'\nsolver = 'z3@4.8.7'\nkind = 'solution-unsoundness'\ntrusted = ['yices', 'z3', 'cvc5']\n";

#[test]
fn fresh_formulas_need_no_seeds_and_are_shaped_by_the_plan() {
    let plan = read(FRESH).unwrap();
    let again: Plan = toml::from_str(&toml::to_string_pretty(&plan).unwrap()).unwrap();
    assert_eq!(again, plan);
    let Runs::Hunts(hunts) = &plan.runs else { panic!("{plan:?}") };
    let config = hunts.config(&plan.arms[0]).unwrap();
    assert_eq!((config.preset.name, config.formulas.references, config.formulas.max_width), ("qf-abv", 2, 8));
    assert_eq!(config.reducer, Some(ReducerChoice::Strategy(Strategy::DeltaSmt)));
    assert_eq!(hunts.defects[0].trusted.len(), 3);
    let complaint = |from: &str, to: &str| read(&FRESH.replacen(from, to, 1)).unwrap_err().to_string();
    assert!(complaint("'fuzzsmt'", "'storm'").contains("the defect `w` has no `seeds`"));
    assert!(complaint("'qf-abv'", "'qf-xyz'").contains("`generator` must be one of the logics"));
    assert!(complaint("references", "reference").contains("`reference`"));
    assert!(
        complaint("minimise-with = 'ddsmt'", "minimise-with = 'ddsmt', reduce-by = 'ddmin'").contains("one of them")
    );
    assert!(complaint("trusted = ['yices', 'z3', 'cvc5']\n", "").contains("`reduce-by` needs `trusted` solvers"));
}

#[test]
fn solvers_are_compared_on_fresh_formulas_or_hunt_for_defects() {
    let spec = "title = 'T'\ncompute = ['answers']\n[hunt]\nstrategy = 'fuzzsmt'\nsolvers = ['z3', 'yices']\n\
        [scale.small]\nrepeats = 2\nhunt = { instances = 5 }\n\
        [[arm]]\nname = 'a'\nhunt = { generator = 'qf-abv', formulas = { max-width = 9 } }\n[[arm]]\nname = 'b'\n";
    let plan = read(spec).unwrap();
    let names: Vec<String> = plan.tasks().map(|task| task.to_string()).collect();
    assert_eq!(names, ["a/001", "b/001", "a/002", "b/002"]);
    let Runs::Hunts(hunts) = &plan.runs else { panic!("{plan:?}") };
    let config = |arm: usize| hunts.config(&plan.arms[arm]).unwrap();
    assert_eq!((config(0).preset.name, config(1).preset.name), ("qf-abv", "qf-bv"));
    assert_eq!((config(0).formulas.max_width, config(1).formulas.max_width), (9, 16));
    assert_eq!(config(1).solvers.len(), 2);
    let complaint = |from: &str, to: &str| {
        assert!(spec.contains(from), "{from}");
        read(&spec.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert!(complaint("qf-abv", "qf-what").contains("arm `a`: `generator` must be one of the logics"));
    assert!(complaint("max-width = 9", "max-width = 9, min-width = 10").contains("--min-width is 10"));
    assert!(complaint("'fuzzsmt'", "'typefuzz'").contains("`solvers` are compared on fresh formulas"));
    assert!(complaint("'answers'", "'sizes'").contains("the table `sizes` is not of these hunts, which compare"));
    assert!(complaint("instances = 5", "minimise-with = 'ddsmt'").contains("`minimise-with` needs a [[defect]]"));
    let both = SPEC.replacen("depth = 7", "solvers = ['z3']", 1).replacen("'iterations', 'sizes'", "'answers'", 1);
    assert!(read(&both).unwrap_err().to_string().contains("`solvers` are compared on fresh formulas"));
}

#[test]
fn what_is_wrong_is_named() {
    let complaint = |from: &str, to: &str| {
        assert!(SPEC.contains(from), "{from}");
        read(&SPEC.replacen(from, to, 1)).unwrap_err().to_string()
    };
    let unknown = complaint("minimise = 'both'", "minimize = 'both'");
    assert!(unknown.contains("line 14, column 10") && unknown.contains("`minimize`"), "{unknown}");
    assert!(complaint("'refutation-unsoundness'", "'wrong'").contains("line 19, column 8"));
    assert!(complaint("name = 'e'", "name = 'd'").contains("two defects are called `d`"));
    assert!(complaint("name = 'e'", "name = 'e/f'").contains("`e/f` is no name for a defect"));
    assert!(complaint("'seed.smt2'", "'none.smt2'").contains("the defect `d` has no seed"));
    assert!(complaint("'sizes'", "'results'").contains("the table `results` is of campaigns, and these are hunts"));
    assert!(complaint("repeats = 2", "repeats = 2\nmeasure-limit = '1s'").contains("are for campaigns"));
    assert!(complaint("name = 'both'", "name = 'depth-4-assertions-16'").contains("two arms are called"));
    assert!(complaint("[16]", "[0]").contains("arm `depth-4-assertions-0`: `assertions` must be 1 or more"));
    assert!(complaint("depth = 7", "incremental = 1.5").contains("`incremental` must be from 0 to 1"));
    for nothing in ["' '", "[]", "['', 'x']"] {
        let nothing = complaint("limit = '2s'", &format!("minimise-with = {nothing}"));
        assert!(nothing.contains("arm `both`: `minimise-with` needs a command"), "{nothing}");
    }
    let number = complaint("limit = '2s'", "minimise-with = 7");
    assert!(number.contains("a command is one text or a list of words"), "{number}");
    let alone = complaint("limit = '2s'", "minimise-with = 'ddsmt'");
    assert!(alone.contains("arm `both`: `minimise-with` needs a `second-solver` of the defect `d`"), "{alone}");
    let first_only = SPEC.replacen("limit = '2s'", "minimise-with = 'ddsmt'", 1);
    let first_only = first_only.replacen("seeds =", "second-solver = 'z3'\nseeds =", 1);
    assert!(read(&first_only).is_ok(), "a crash needs no other solver");
    let wrong_model =
        read(&first_only.replacen("kind = 'crash'", "kind = 'invalid-model'", 1)).unwrap_err().to_string();
    assert!(
        wrong_model.contains("`minimise-with` keeps wrong answers and crashes, but `e` is of the kind invalid-model"),
        "{wrong_model}"
    );
    let wrong_sat = read(&first_only.replacen("kind = 'crash'", "kind = 'solution-unsoundness'", 1)).unwrap_err();
    assert!(wrong_sat.to_string().contains("needs `trusted` solvers of the defect `e`"), "{wrong_sat}");
    let none = SPEC.split("[[defect]]").next().unwrap();
    assert!(read(none).unwrap_err().to_string().contains("hunts need a [[defect]]"));
    assert_eq!(read(SPEC).unwrap().compute, [Compute::Iterations, Compute::Sizes]);
}
