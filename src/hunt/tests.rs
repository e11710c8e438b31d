//! Hunts with solvers made up of rules.

use std::sync::LazyLock;

use super::minimise::{by_bounds, shrunk};
use super::source::{Storm, StormSettings, Themselves};
use super::*;
use crate::evaluate::individual::Timed;
use crate::hunt::kept::KeptFinding;
use crate::oracle::prover::{Question, Reply};
use crate::oracle::scripted::Scripted;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::printer::{PrintOptions, print};
use crate::smtlib::script::{Command, Script};
use crate::solver::answer::Answer;

/// Says `unsat` to every script with this word, and `sat` without a model to all others.
#[derive(Debug)]
struct Allergic(&'static str, &'static str);

impl Prover for Allergic {
    fn name(&self) -> &str {
        self.0
    }

    fn version(&self) -> &'static str {
        "1"
    }

    fn dialect(&self) -> Dialect {
        Dialect::SmtLib26
    }

    fn ask(&self, question: &Question<'_>, _: &Interrupt) -> Result<Reply, OracleError> {
        let text = print(question.script, Dialect::SmtLib26, &PrintOptions::default()).expect("it prints");
        let answer = if text.contains(self.1) { Answer::Unsat } else { Answer::Unknown(String::new()) };
        let output = format!("{}\n", answer.name());
        let timed = Timed { answer, cpu_seconds: 0.5, wall_seconds: 0.5, peak_memory_bytes: 0 };
        Ok(Reply { timed, command: self.0.to_owned(), output })
    }
}

fn parsed(text: &str) -> Vec<(String, Script)> {
    vec![("seed".to_owned(), parse(text, "seed", &ParseOptions { dialect: None }).expect("a script"))]
}

fn seeds() -> Vec<(String, Script)> {
    let text = "(declare-fun a () String)\n(declare-fun x () Int)\n(assert (or (= x 4) (str.contains a \"needle\")))\n\
        (assert (not (= (str.len a) (+ x 1))))\n(assert (= (str.replace a \"b\" \"c\") a))\n(check-sat)\n";
    vec![("seed".to_owned(), parse(text, "seed", &ParseOptions { dialect: None }).expect("a script"))]
}

fn run(source: &dyn Source, provers: &[&dyn Prover], instances: u64, jobs: usize) -> (Tally, Vec<Found>) {
    run_within(None, source, provers, instances, jobs)
}

fn run_within(
    budget: Option<Duration>,
    source: &dyn Source,
    provers: &[&dyn Prover],
    instances: u64,
    jobs: usize,
) -> (Tally, Vec<Found>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().expect("threads");
    let plan = Plan { instances, budget, ..Plan::new(Duration::from_secs(1), &pool) };
    let (mut list, mut state) = (List::default(), State::default());
    hunt(source, provers, &plan, &mut list, &mut state, &Interrupt::new()).expect("no solver runs");
    (state.tally, list.kept)
}

/// Keeps findings as they are, each for a second, and knows which are counted.
#[derive(Default)]
struct List {
    kept: Vec<Found>,
    counted: usize,
    /// After so many findings somebody interrupts.
    stop: Option<(usize, Interrupt)>,
}

impl Keeper<OracleError> for List {
    fn keep(&mut self, found: Found, _: Option<Duration>) -> Result<Kept, OracleError> {
        self.kept.push(found);
        if let Some((_, interrupt)) = self.stop.as_ref().filter(|(after, _)| self.kept.len() >= *after) {
            interrupt.set();
        }
        Ok(Kept { seconds: 1.0, internal_error: None })
    }

    fn settle(&mut self, _: &State) -> Result<(), OracleError> {
        self.counted = self.kept.len();
        Ok(())
    }
}

fn storm(seed: u64) -> Storm<'static> {
    static SEEDS: LazyLock<Vec<(String, Script)>> = LazyLock::new(seeds);
    let settings =
        StormSettings { bounds: crate::operator::storm::Bounds::default(), incremental: 0.5, instances: None, seed };
    Storm::new(&*SEEDS, settings)
}

#[test]
fn every_instance_of_storm_is_satisfied_and_a_wrong_unsat_is_found() {
    let allergic = Allergic("allergic", "str.replace");
    let (tally, found) = run(&storm(1), &[&allergic], 100, 2);
    assert_eq!((tally.instances, tally.unsatisfied, tally.barren_seeds), (100, 0, 0));
    assert!(!found.is_empty());
    assert!(found.iter().all(|each| each.finding.kind == Kind::RefutationUnsoundness));
    assert_eq!(tally.findings[&Kind::RefutationUnsoundness], found.len() as u64);
    assert_eq!(tally.answers["allergic"]["unsat"], found.len() as u64);
}

#[test]
fn a_budget_binds_asking_and_minimising() {
    // Half a second an answer: eight answers are four seconds, and no group of instances is asked about beyond them.
    let quiet = Allergic("quiet", "nothing at all");
    let (tally, _) = run_within(Some(Duration::from_secs(4)), &storm(1), &[&quiet], 100, 1);
    assert_eq!((tally.instances, tally.solver_seconds), (8, 4.0));
    // Each finding takes a second more.
    let allergic = Allergic("allergic", "(");
    let (tally, found) = run_within(Some(Duration::from_secs(4)), &storm(1), &[&allergic], 100, 1);
    assert_eq!((tally.minimising_seconds, found.len()), (8.0, 8), "what was asked about is kept");
    assert_eq!(tally.instances, 8);
}

#[test]
fn minimising_gets_what_is_left_and_waits_little_longer_than_for_the_finding() {
    let allergic = Allergic("allergic", "str.contains");
    let (_, found) = run(&storm(5), &[&allergic], 60, 1);
    let first = found.first().expect("a finding");
    let kept = |limit, left| KeptFinding::of(first, &[&allergic], limit, left).expect("it can be kept");
    let nothing = kept(Duration::from_secs(1), Some(Duration::ZERO));
    assert!(nothing.is_spent());
    let small = shrunk(&first.case.script, &nothing, Dialect::SmtLib26, &Interrupt::new()).expect("no solver runs");
    assert!(nothing.spent() <= 1.0, "hardly anybody is asked");
    assert!(small.is_none_or(|small| small.script.tokens() > 5));
    // It was answered in half a second.
    assert_eq!(kept(Duration::from_secs(10), None).limit(), Duration::from_millis(2500));
    assert_eq!(kept(Duration::from_secs(1), None).limit(), Duration::from_secs(1));
}

#[test]
fn a_hunt_does_not_depend_on_the_number_of_threads() {
    let allergic = Allergic("allergic", "str.contains");
    let texts = |jobs| {
        let (_, found) = run(&storm(3), &[&allergic], 60, jobs);
        found
            .iter()
            .map(|each| print(&each.case.script, Dialect::SmtLib26, &PrintOptions::default()))
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(1), texts(4));
}

#[test]
fn a_finding_shrinks_under_its_truth() {
    let allergic = Allergic("allergic", "str.contains");
    let (_, found) = run(&storm(5), &[&allergic], 60, 1);
    let first = found.first().expect("a finding");
    let kept = KeptFinding::of(first, &[&allergic], Duration::from_secs(1), None).expect("it can be kept");
    let reduction = shrunk(&first.case.script, &kept, Dialect::SmtLib26, &Interrupt::new()).expect("no solver runs");
    let script = reduction.expect("the instance shows it").script;
    assert_eq!(script.assertions().count(), 1);
    assert!(script.commands.contains(&Command::CheckSat), "the instance asks by itself");
    assert!(script.tokens() <= 5, "str.contains of two leaves, negated perhaps");
    let witness = kept.witness_of(&script).expect("it is satisfied still");
    assert!(witness.model().starts_with("(\n"));
}

#[test]
fn a_storm_ends_when_its_seeds_have_had_their_instances() {
    let (tally, _) = run(&storm(7), &[&Allergic("quiet", "nothing at all")], 100_000, 2);
    assert_eq!(tally.instances, 300, "NM of a small pool");
}

#[test]
fn seeds_themselves_are_asked_about_once() {
    let (one, other) = (Allergic("one", "str.contains"), Allergic("other", "nothing"));
    let (tally, found) = run(&Themselves::new(&seeds()), &[&one, &other], 100, 1);
    assert_eq!((tally.instances, found.len()), (1, 0), "unsat against unknown is no contradiction");
}

/// A bit-vector script with these own words before the question.
fn bit_vectors(option: &str, question: &str) -> Vec<(String, Script)> {
    let script = "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n(assert (bvult x #x07))\n";
    parsed(&format!("{option}{script}{question}\n"))
}

#[test]
fn nobody_is_accused_of_giving_up_as_the_script_itself_told_it_to() {
    let gives_up = |text: &str| {
        let is_told = ["(set-option :smt.relevancy", "check-sat-using"].iter().any(|own| text.contains(own));
        if is_told { Answer::Unknown(String::new()) } else { Answer::Sat }
    };
    let solver = Scripted::new("obedient", gives_up);
    for (option, question) in [("(set-option :smt.relevancy 0)\n", "(check-sat)"), ("", "(check-sat-using skip)")] {
        let (tally, found) = run(&Themselves::new(&bit_vectors(option, question)), &[&solver], 10, 1);
        assert!(found.is_empty(), "{question}: {:?}", found[0].finding);
        assert_eq!((tally.instances, tally.excused), (1, 1));
        assert_eq!(tally.answers["obedient"].get("unknown"), Some(&1), "it was asked as the script is");
    }
    // These are nobody's business from the start.
    for option in [":rlimit 10", ":smt.max_conflicts 1", ":tlimit 5", ":smt.string_solver none", ":smt.arith.solver 0"]
    {
        let seeds = bit_vectors(&format!("(set-option {option})\n"), "(check-sat)");
        let never = Scripted::new("never", |text| {
            if text.contains("set-option :r") || text.contains("set-option :smt") || text.contains(":tlimit") {
                Answer::Unknown(String::new())
            } else {
                Answer::Sat
            }
        });
        let (tally, found) = run(&Themselves::new(&seeds), &[&never], 10, 1);
        assert_eq!((found.len(), tally.answers["never"].get("sat")), (0, Some(&1)), "{option}");
    }
}

#[test]
fn a_defect_that_persists_without_own_options_is_reported_without_them() {
    let stubborn = Scripted::new("stubborn", |_| Answer::Unknown(String::new()));
    let seeds = bit_vectors("(set-option :smt.relevancy 0)\n", "(check-sat-using smt)");
    let (tally, found) = run(&Themselves::new(&seeds), &[&stubborn], 10, 1);
    assert_eq!((found.len(), tally.excused), (1, 0));
    assert_eq!(found[0].finding.kind, Kind::Incompleteness);
    let text = print(&found[0].case.script, Dialect::SmtLib26, &PrintOptions::default()).expect("it prints");
    assert!(text.contains("(check-sat)") && !text.contains("using") && !text.contains("relevancy"), "{text}");
}

#[test]
fn a_crash_keeps_the_options_under_which_it_was_seen() {
    let fragile = Scripted::new("fragile", |text| {
        if text.contains("relevancy") { Answer::Crash("signal 11".to_owned()) } else { Answer::Sat }
    });
    let seeds = bit_vectors("(set-option :smt.relevancy 0)\n", "(check-sat)");
    let (_, found) = run(&Themselves::new(&seeds), &[&fragile], 10, 1);
    assert_eq!(found.len(), 1);
    let text = print(&found[0].case.script, Dialect::SmtLib26, &PrintOptions::default()).expect("it prints");
    assert!(text.contains("relevancy"), "{text}");
}

#[test]
fn an_answer_against_the_status_of_a_seed_is_mentioned_and_accuses_nobody() {
    let seeds = bit_vectors("(set-info :status sat)\n", "(check-sat)");
    let (agrees, differs) = (Scripted::new("agrees", |_| Answer::Unsat), Scripted::new("differs", |_| Answer::Unsat));
    let (tally, found) = run(&Themselves::new(&seeds), &[&agrees, &differs], 10, 1);
    assert!(found.is_empty());
    let line = |solver: &str| format!("{solver} answers unsat to seed, which says :status sat");
    assert_eq!(tally.against_status, [line("agrees"), line("differs")]);
    let outcome = outcome::Outcome { complete: true, tally, ..Default::default() };
    assert!(outcome.text().contains(&format!("note: {}\n", line("agrees"))), "{}", outcome.text());
    let (yes, no) = (Scripted::new("yes", |_| Answer::Sat), Scripted::new("no", |_| Answer::Unsat));
    let (_, found) = run(&Themselves::new(&seeds), &[&yes, &no], 10, 1);
    assert_eq!(found[0].finding.kind, Kind::Disagreement);
    let texts = report::Texts {
        instance: "",
        assignment: "",
        finding: &found[0].finding,
        dialect: Dialect::SmtLib26,
        testimonies: &found[0].testimonies,
        seen: None,
        size_note: None,
    };
    let page = report::markdown(&found[0], &texts);
    assert!(page.contains("no answers unsat to seed, which says :status sat.\n"), "{page}");
}

#[test]
fn a_hunt_that_is_stopped_at_any_finding_goes_on_as_if_it_had_not_been() {
    let allergic = Allergic("allergic", "str.contains");
    let (whole, found) = run(&storm(3), &[&allergic], 60, 3);
    let text =
        |found: &Found| print(&found.case.script, Dialect::SmtLib26, &PrintOptions::default()).expect("it prints");
    let texts = |found: &[Found]| found.iter().map(text).collect::<Vec<_>>();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
    let plan = Plan { instances: 60, ..Plan::new(Duration::from_secs(1), &pool) };
    let (mut state, mut counted, mut stops) = (State::default(), Vec::new(), 0);
    loop {
        let interrupt = Interrupt::new();
        // Once at each finding, then after two, so that it gets on.
        let stop = Some((1 + stops % 2, interrupt.clone()));
        let mut list = List { stop, ..List::default() };
        let ended = hunt(&storm(3), &[&allergic], &plan, &mut list, &mut state, &interrupt).expect("no solver runs");
        list.kept.truncate(list.counted);
        counted.append(&mut list.kept);
        if ended != Ended::Interrupted {
            break;
        }
        stops += 1;
    }
    assert!(stops > found.len(), "{stops} stops");
    assert_eq!((state.tally, texts(&counted)), (whole, texts(&found)));
}

#[test]
fn a_seed_that_cannot_be_read_is_counted_and_the_others_have_their_turns() {
    #[derive(Debug)]
    struct OneInTwo(Vec<(String, Script)>);
    impl seeds::Seeds for OneInTwo {
        fn count(&self) -> usize {
            20
        }

        fn name(&self, seed: usize) -> String {
            format!("{seed}.smt2")
        }

        fn read(&self, seed: usize) -> Result<Script, seeds::Unusable> {
            let broken = || seeds::Unusable::Unreadable(format!("{seed}.smt2: the file is empty"));
            (seed % 2 == 1).then(|| self.0[0].1.clone()).ok_or_else(broken)
        }
    }
    let seeds = OneInTwo(bit_vectors("", "(check-sat)"));
    let says_sat = Scripted::new("says sat", |_| Answer::Sat);
    let (tally, _) = run(&Themselves::new(&seeds), &[&says_sat], 100, 2);
    assert_eq!((tally.instances, tally.unreadable_seeds, tally.barren_seeds), (10, 10, 0));
    assert_eq!((tally.left_out.len(), tally.left_out[1].as_str()), (8, "2.smt2: the file is empty"));
    assert!(tally.reasons().ends_with("  and 2 more\n"), "{}", tally.reasons());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads");
    let order: Vec<usize> = (0..20).rev().collect();
    let plan = Plan { instances: 1, order: Some(&order), by_seed: true, ..Plan::new(Duration::from_secs(1), &pool) };
    let (mut list, mut state) = (List::default(), State::default());
    hunt(&Themselves::new(&seeds), &[&says_sat], &plan, &mut list, &mut state, &Interrupt::new())
        .expect("no solver runs");
    assert_eq!(state.tally.asked.keys().collect::<Vec<_>>(), ["19.smt2"]);
}

/// A finding of STORM's, of which this part of the instances asks several times.
fn first_found(solver: &dyn Prover, incremental: f64, shows: impl Fn(&Script) -> bool) -> Found {
    let bounds = crate::operator::storm::Bounds::default();
    let settings = StormSettings { bounds, incremental, instances: None, seed: 5 };
    let (_, found) = run(&Storm::new(&seeds(), settings), &[solver], 60, 1);
    found.into_iter().find(|found| shows(&found.case.script)).expect("a finding")
}

fn least_by_bounds(found: &Found, solver: &dyn Prover) -> Script {
    let kept = KeptFinding::of(found, &[solver], Duration::from_secs(1), None).expect("it can be kept");
    let bounds = crate::operator::storm::Bounds::default();
    by_bounds(&found.case, bounds, &kept, 3, &Interrupt::new()).expect("no solver runs")
}

#[test]
fn the_least_bounds_that_show_a_defect_are_those_of_what_shows_it() {
    let allergic = Allergic("allergic", "str.contains");
    let found = first_found(&allergic, 0.0, |script| script.assertions().count() > 5);
    let least = least_by_bounds(&found, &allergic);
    assert_eq!(least.assertions().count(), 1);
    assert!(crate::operator::storm::depth(&least) <= 1, "an atom, or its negation");
    assert!(print(&least, Dialect::SmtLib26, &PrintOptions::default()).expect("it prints").contains("str.contains"));
}

#[test]
fn a_defect_of_incremental_mode_stays_one_within_its_bounds() {
    let allergic = Allergic("allergic", "(push");
    let found = first_found(&allergic, 1.0, |script| script.is_incremental() && script.assertions().count() > 5);
    let least = least_by_bounds(&found, &allergic);
    assert!(least.is_incremental());
    assert_eq!(least.assertions().count(), 2, "one before the first question, and one after it");
    // The assignment satisfies one assertion as it is, or its negation.
    assert!(crate::operator::storm::depth(&least) <= 1);
}
