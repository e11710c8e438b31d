//! Hunts with the real solvers: a wrong `unsat` under STORM's truth, a wrong model, silence where nobody is wrong, and
//! wrong answers to type-aware mutants of harmless seeds.

mod installed;

use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use installed::solver;
use mulstringfuzz::hunt::chains::{ChainSettings, Chains};
use mulstringfuzz::hunt::source::{Source, Storm, StormSettings, Themselves};
use mulstringfuzz::hunt::{Found, Keeper, Kept, Plan, State, Tally, hunt};
use mulstringfuzz::operator::storm::Bounds;
use mulstringfuzz::operator::type_aware::{Settings, Way};
use mulstringfuzz::oracle::OracleError;
use mulstringfuzz::oracle::correctness::Kind;
use mulstringfuzz::oracle::prover::{InstalledProver, Prover};
use mulstringfuzz::smtlib::fragment::Fragment;
use mulstringfuzz::smtlib::operator_set::OperatorSet;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse};
use mulstringfuzz::smtlib::script::Script;
use mulstringfuzz::solver::process::Interrupt;
use tempfile::TempDir;

/// Z3 4.8.10 rewrites the second disjunct wrongly, to false.
const REPLACED: &str = "(declare-fun a () String)\n(declare-fun x () Int)\n\
    (assert (or (= x 7) (= \"qqqq\" (str.replace_all \"qq\" \"q\" \"qq\"))))\n\
    (assert (not (and (= (str.len a) x) (str.prefixof \"zz\" a))))\n(check-sat)\n";

fn seed(text: &str) -> Vec<(String, Script)> {
    vec![("seed".to_owned(), parse(text, "seed", &ParseOptions::default()).expect("a script"))]
}

fn run(source: &dyn Source, names: &[&str], instances: u64) -> (Tally, Vec<Found>) {
    let provers: Vec<InstalledProver> = names.iter().map(|name| InstalledProver::new(solver(name))).collect();
    let provers: Vec<&dyn Prover> = provers.iter().map(|prover| prover as &dyn Prover).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    let plan = Plan { instances, ..Plan::new(Duration::from_secs(2), &pool) };
    let (mut list, mut state) = (List::default(), State::default());
    hunt(source, &provers, &plan, &mut list, &mut state, &Interrupt::new()).expect("the solvers run");
    (state.tally, list.0)
}

/// Keeps findings as they are.
#[derive(Default)]
struct List(Vec<Found>);

impl Keeper<OracleError> for List {
    fn keep(&mut self, found: Found, _: Option<Duration>) -> Result<Kept, OracleError> {
        self.0.push(found);
        Ok(Kept::default())
    }

    fn settle(&mut self, _: &State) -> Result<(), OracleError> {
        Ok(())
    }
}

#[test]
fn storm_finds_a_wrong_unsat_without_asking_for_the_truth() {
    let settings = StormSettings { bounds: Bounds::default(), incremental: 0.3, instances: None, seed: 1 };
    let (tally, found) = run(&Storm::new(&seed(REPLACED), settings), &["z3seq"], 30);
    assert_eq!((tally.instances, tally.unsatisfied), (30, 0));
    let wrong = found.iter().filter(|each| each.finding.kind == Kind::RefutationUnsoundness).count();
    assert!(wrong >= 10, "{wrong} of 30 instances assert what Z3 refutes wrongly");
}

#[test]
fn the_solver_with_the_wrong_model_is_named_and_nobody_else() {
    let text = "(declare-fun x () String)\n(assert (str.< x \"\"))\n(assert (= (str.len x) 1))\n(check-sat)\n";
    let (_, found) = run(&Themselves::new(&seed(text)), &["z3str3", "cvc4", "z3"], 10);
    let findings: Vec<(Kind, String)> =
        found.iter().map(|each| (each.finding.kind, each.finding.solvers.join(" "))).collect();
    assert_eq!(findings, [(Kind::SolutionUnsoundness, "z3str3@4.8.10".to_owned())]);
    assert!(found[0].finding.evidence[0].starts_with("(str.< x \"\") is false"), "{:?}", found[0].finding.evidence);
}

#[test]
fn nobody_is_accused_of_escapes_that_old_and_new_solvers_spell_differently() {
    let text = "(declare-fun x () String)\n(assert (= x \"\\u{41}\\\\n\"))\n(assert (= (str.len x) 4))\n(check-sat)\n";
    let (tally, found) = run(&Themselves::new(&seed(text)), &["z3seq", "cvc4", "z3"], 10);
    assert!(found.is_empty(), "{:?}", found.iter().map(|each| &each.finding).collect::<Vec<_>>());
    assert!(tally.answers.values().all(|answers| answers.len() == 1 && answers.contains_key("sat")), "{tally:?}");
}

#[test]
fn a_model_that_names_a_regular_language_is_checked_and_not_mistaken_for_another() {
    let text = "(declare-const shape RegLan)\n(declare-const x String)\n\
        (assert (= shape (re.+ (re.union (str.to_re \"p\") (re.++ (str.to_re \"q\") (str.to_re \"r\"))))))\n\
        (assert (str.in_re x shape))\n(assert (not (str.in_re \"q\" shape)))\n(check-sat)\n";
    let (tally, found) = run(&Themselves::new(&seed(text)), &["z3seq", "z3", "cvc4"], 10);
    assert!(found.is_empty(), "{:?}", found.iter().map(|each| &each.finding).collect::<Vec<_>>());
    assert_eq!(tally.instances, 1);
}

/// What the verb prints of a seed with this text, and the folder that it writes `out` in.
fn hunted(text: &str, options: &[&str]) -> (Output, TempDir) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("seed.smt2");
    fs::write(&file, text).expect("a file");
    let mut command = assert_cmd::Command::cargo_bin("mulstringfuzz").expect("the program is built with its tests");
    command.arg("hunt").arg("--seeds").arg(&file).arg("--out").arg(folder.path().join("out")).args(options);
    (command.output().expect("the program starts"), folder)
}

#[test]
fn the_folder_of_a_hunt_has_a_page_and_a_small_instance_with_its_assignment() {
    let (output, folder) = hunted(REPLACED, &["--solver", "z3seq", "-n", "20", "--seed", "3", "--fail-on-defect"]);
    let out = folder.path().join("out");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let reduced = read("findings/001/reduced.smt2");
    assert!(reduced.contains("str.replace_all") && reduced.lines().count() <= 3, "{reduced}");
    assert!(read("findings/001/finding.md").contains("answers unsat, but the assignment"));
    let json: serde_json::Value = serde_json::from_str(&read("hunt.json")).expect("JSON");
    assert_eq!((&json["instances"], &json["unsatisfied"]), (&20.into(), &0.into()));
    assert_eq!(json["defects"][0]["kind"], "refutation-unsoundness");
    assert!(Path::new(&out.join("findings/001/instance.smt2")).is_file());
}

#[test]
fn a_finding_by_a_tactic_is_reduced_and_written_with_it() {
    let by_tactic = "z3seq 'check-sat-using=(then simplify smt)'";
    let options = ["--solver", by_tactic, "-n", "20", "--seed", "3", "--fail-on-defect"];
    let (output, folder) = hunted(REPLACED, &options);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let finding = folder.path().join("out/findings/001");
    let read = |name: &str| fs::read_to_string(finding.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let reduced = read("reduced.smt2");
    assert!(reduced.contains("(check-sat-using (then simplify smt))") && reduced.lines().count() <= 3, "{reduced}");
    assert!(read("instance.smt2").contains("(check-sat-using (then simplify smt))"));
    let page = read("finding.md");
    assert!(page.contains("\nz3 smt.string_solver=seq instance.smt2\n"), "the tactic is in the file: {page}");
}

#[test]
fn a_solvers_model_of_the_seed_serves_as_an_assignment_whose_truth_is_computed() {
    // No assignment of ours is likely to satisfy this; the solver's does.
    let text = "(set-logic SLIA)\n(declare-sort A 0)\n(declare-fun e () A)\n(declare-fun x () Int)\n\
        (assert (or (= (* 7 x) 91) (not (= e e))))\n(check-sat)\n";
    let options = ["--solver", "z3", "--models-from", "z3seq", "-n", "10", "--incremental", "0", "--json"];
    let (output, _folder) = hunted(text, &options);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&json["instances"], &json["unsatisfied"]), (&10.into(), &0.into()));
    assert_eq!(json["answers"]["z3@5.4.1"]["sat"], 10, "{json}");
}

#[test]
fn solvers_that_refuse_what_is_added_to_a_script_still_answer_it() {
    let declared = "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n";
    let scripts = [
        ("sat", format!("{declared}(assert (bvult #x10 x))\n(check-sat)\n")),
        ("unsat", format!("{declared}(assert (bvult x x))\n(check-sat)\n(get-model)\n")),
        ("option", format!("(set-option :nosuch.option true)\n{declared}(assert (= x #x07))\n(check-sat)\n")),
        ("tactic", format!("{declared}(assert (distinct x #x07))\n(check-sat-using (then simplify smt))\n")),
    ];
    let read = |(name, text): &(&str, String)| {
        ((*name).to_owned(), parse(text, name, &ParseOptions::default()).expect("a script"))
    };
    let seeds: Vec<(String, Script)> = scripts.iter().map(read).collect();
    let solvers = ["z3", "cvc5", "cvc5@1.4.2", "yices", "boolector@1.5", "boolector", "bitwuzla"];
    let (tally, found) = run(&Themselves::new(&seeds), &solvers, 10);
    let findings: Vec<&str> = found.iter().map(|each| each.finding.because.as_str()).collect();
    assert!(findings.is_empty(), "nobody is wrong: {findings:?}");
    assert_eq!(tally.answers.len(), solvers.len());
    for (solver, answers) in &tally.answers {
        let counts = (answers.get("sat").copied(), answers.get("unsat").copied());
        assert_eq!(counts, (Some(3), Some(1)), "{solver}: {answers:?}");
    }
}

#[test]
fn a_page_says_how_the_wrong_model_is_seen_by_whom() {
    let text = "(declare-fun x () String)\n(assert (str.< x \"\"))\n(assert (= (str.len x) 1))\n(check-sat)\n";
    let (output, folder) = hunted(text, &["--strategy", "none", "--solver", "z3str3"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(folder.path().join("out/findings/001/finding.md")).expect("a page");
    assert!(page.contains("With z3str3@4.8.10, version 4.8.10:\n\n```sh\nz3 "), "{page}");
    let commands = page.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("commands");
    let lines: Vec<&str> = commands.lines().collect();
    assert!(lines[0].ends_with(" instance.smt2 > model.txt"), "{commands}");
    assert_eq!(lines[1], "mulstringfuzz eval instance.smt2 --model model.txt --dialect smtlib-2.5 -v");
    assert!(lines.len() < 3 || lines[2].contains("model_validate=true instance.smt2"), "{commands}");
}

#[test]
fn one_program_under_two_names_is_asked_once() {
    let text = "(declare-const p Bool)\n(assert p)\n(check-sat)\n";
    let path = solver("z3").executable.display().to_string();
    let (output, _folder) = hunted(text, &["--strategy", "none", "--solver", "z3", "--solver", &path, "--json"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("is the same program with the same options as z3@5.4.1"), "{told}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["answers"].as_object().map(serde_json::Map::len), Some(1), "{json}");
}

/// All mutants that are one step from a seed in this way, of these operators alone if there are any.
fn one_step(way: Way, only: &[&str]) -> ChainSettings {
    let mut mutation = Settings::new(way);
    mutation.operators = (!only.is_empty()).then(|| OperatorSet::from_names(only.iter().copied()).expect("operators"));
    ChainSettings { mutation, steps: 1, exhaustive: true, seed: 0 }
}

/// The mutant of `seed` on which the first of two solvers is wrong in this way first, and the refusals of both.
fn first(text: &str, settings: ChainSettings, names: [&str; 2], kind: Kind, most: u64) -> (Option<u32>, Tally) {
    let provers = names.map(|name| InstalledProver::new(solver(name)));
    let unread: Vec<&str> = provers.iter().flat_map(|prover| prover.solver().profile.unread()).collect();
    let known = unread.into_iter().filter(|name| OperatorSet::from_names([*name]).is_ok());
    let dialects: Vec<_> = provers.iter().map(Prover::dialect).collect();
    let fragment = Fragment::for_pair(known, &dialects, "ALL").expect("known names");
    let provers: Vec<&dyn Prover> = provers.iter().map(|prover| prover as &dyn Prover).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    let plan = Plan { instances: most, until: Some(kind), ..Plan::new(Duration::from_secs(2), &pool) };
    let (mut list, mut state) = (List::default(), State::default());
    let seeds = seed(text);
    let chains = Chains::new(&seeds, fragment, settings);
    hunt(&chains, &provers, &plan, &mut list, &mut state, &Interrupt::new()).expect("the solvers run");
    let is_sought = |each: &&Found| each.finding.kind == kind && each.finding.solvers == [provers[0].name()];
    (list.0.iter().find(is_sought).map(|each| each.case.number), state.tally)
}

/// Of Figure 8c of the paper, with the other replacement.
#[test]
fn opfuzz_finds_a_wrong_model_next_to_its_seed() {
    let seed = "(declare-fun p () Bool)(declare-fun k () Int)(declare-fun t () String)(declare-fun u () String)\
        (assert (= t (str.++ (str.replace_all u (str.substr (ite p t u) 0 k) t) u)))(check-sat)";
    let (number, tally) = first(seed, one_step(Way::Opfuzz, &[]), ["z3seq", "z3"], Kind::InvalidModel, 10);
    assert!(number.is_some_and(|number| number <= 4), "{number:?} {tally:?}");
    assert!(tally.refusals.is_empty(), "{tally:?}");
}

/// Z3 4.8.10 folds `str.replace_all` of literals wrongly.
#[test]
fn opfuzz_finds_a_wrong_unsat_next_to_its_seed() {
    let seed = "(declare-fun k () Int)(assert (= \"mnmnmnmn\" (str.replace \"mnmn\" \"mn\" \"mnmn\")))(assert (< 0 k))(check-sat)";
    let (number, tally) = first(seed, one_step(Way::Opfuzz, &[]), ["z3seq", "z3"], Kind::RefutationUnsoundness, 20);
    assert!(number.is_some(), "{tally:?}");
}

#[test]
fn fuzzchick_and_typefuzz_find_wrong_answers_a_step_away() {
    let taken_twice = "(declare-fun n () Int)(declare-fun w () String)\
        (assert (= (str.++ (str.substr \"A\" 0 n) \"B\" w) \"B\"))(check-sat)";
    let settings = one_step(Way::Fuzzchick, &[]);
    let (number, tally) = first(taken_twice, settings, ["cvc4@1.8", "z3"], Kind::RefutationUnsoundness, 60);
    assert!(number.is_some(), "{tally:?}");
    // An operator that is not in the seed.
    let replaced =
        "(declare-fun k () Int)(assert (= \"mnmnmnmn\" (str.++ \"mn\" \"mnmn\")))(assert (< 0 k))(check-sat)";
    let settings = one_step(Way::Typefuzz, &["str.replace_all"]);
    let (number, tally) = first(replaced, settings, ["z3seq", "z3"], Kind::RefutationUnsoundness, 400);
    assert!(number.is_some(), "{tally:?}");
}
