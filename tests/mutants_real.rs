//! Type-aware mutants of harmless seeds show wrong answers of real solvers, within a number of mutants.

mod installed;

use std::time::Duration;

use installed::solver;
use mulstringfuzz::hunt::chains::{ChainSettings, Chains};
use mulstringfuzz::hunt::{Found, Plan, Tally, hunt};
use mulstringfuzz::operator::type_aware::{Settings, Way};
use mulstringfuzz::oracle::OracleError;
use mulstringfuzz::oracle::correctness::Kind;
use mulstringfuzz::oracle::prover::{InstalledProver, Prover};
use mulstringfuzz::smtlib::fragment::Fragment;
use mulstringfuzz::smtlib::operator_set::OperatorSet;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse};
use mulstringfuzz::solver::process::Interrupt;

/// All mutants that are one step from a seed in this way, of these operators alone if there are any.
fn one_step(way: Way, only: &[&str]) -> ChainSettings {
    let mut mutation = Settings::new(way);
    mutation.operators = (!only.is_empty()).then(|| OperatorSet::from_names(only.iter().copied()).expect("operators"));
    ChainSettings { mutation, steps: 1, exhaustive: true, seed: 0 }
}

/// The mutant of `seed` on which the first of two solvers is wrong in this way first, and the refusals of both.
fn first(seed: &str, settings: ChainSettings, names: [&str; 2], kind: Kind, most: u64) -> (Option<u32>, Tally) {
    let script = parse(seed, "seed", &ParseOptions::default()).expect("a script");
    let provers = names.map(|name| InstalledProver::new(solver(name)));
    let unread: Vec<&str> = provers.iter().flat_map(|prover| prover.solver().profile.unread()).collect();
    let known = unread.into_iter().filter(|name| OperatorSet::from_names([*name]).is_ok());
    let dialects: Vec<_> = provers.iter().map(|prover| prover.dialect()).collect();
    let fragment = Fragment::for_pair(known, &dialects, "ALL").expect("known names");
    let provers: Vec<&dyn Prover> = provers.iter().map(|prover| prover as &dyn Prover).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    let plan = Plan { instances: most, budget: None, until: Some(kind), limit: Duration::from_secs(2), pool: &pool };
    let mut number = None;
    let mut keep = |each: Found, _: Option<Duration>| -> Result<f64, OracleError> {
        if each.finding.kind == kind && each.finding.solvers == [provers[0].name()] {
            number.get_or_insert(each.case.number);
        }
        Ok(0.0)
    };
    let (chains, _) = Chains::new(&[("seed".to_owned(), script)], &fragment, settings);
    let mut tally = Tally::default();
    hunt(&chains, &provers, &plan, &mut keep, &|_| {}, &mut tally, &Interrupt::new()).expect("the solvers run");
    (number, tally)
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
