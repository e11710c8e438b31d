//! The real solvers, and scripts for them, as tests and benchmarks need them.

#![allow(dead_code, reason = "each test and benchmark uses its part")]

use std::path::PathBuf;
use std::sync::Arc;

use mulstringfuzz::evaluate::written::text_for;
use mulstringfuzz::generator::{Generator, Parameters, StringGenerator};
use mulstringfuzz::random::rng_for;
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::fragment::Fragment;
use mulstringfuzz::smtlib::operator_set::OperatorSet;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse};
use mulstringfuzz::smtlib::script::Script;
use mulstringfuzz::solver::installed::Solver;
use mulstringfuzz::solver::process::Interrupt;
use mulstringfuzz::solver::profile::Profiles;
use mulstringfuzz::solver::provision::{Cache, Setup, find, provide};

/// The solver `name`, from the user's cache or downloaded into it.
pub(crate) fn solver(name: &str) -> Solver {
    let setup = Setup {
        profiles: &Profiles::built_in(),
        cache: &cache(),
        progress: Arc::new(|_| {}),
        interrupt: &Interrupt::new(),
        jobs: 1,
    };
    provide(&name.parse().expect("a solver's name"), &setup).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A solver that `setup` must have built before: that takes too long for a test.
pub(crate) fn built(name: &str) -> Solver {
    let spec = name.parse().expect("a solver's name");
    find(&spec, &Profiles::built_in(), &cache()).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn cache() -> Cache {
    Cache::locate().expect("a cache folder")
}

/// Where maps of instrumented builds are kept.
pub(crate) fn map_folder() -> PathBuf {
    cache().folder().join("coverage")
}

/// What two solvers both accept.
pub(crate) fn fragment(target: &Solver, reference: &Solver) -> Fragment {
    let rejects = [target, reference].into_iter().flat_map(|solver| solver.profile.rejects.values().flatten());
    let known = rejects.map(String::as_str).filter(|name| OperatorSet::from_names([*name]).is_ok());
    let dialects = [target.profile.dialect, reference.profile.dialect];
    Fragment::for_pair(known, &dialects, "QF_S").expect("known names")
}

/// Random scripts for two solvers, the same in every run.
pub(crate) fn random_scripts(target: &Solver, reference: &Solver) -> impl Iterator<Item = Script> {
    let generator = StringGenerator::new(Parameters::default(), &fragment(target, reference));
    (0..).map(move |slot| generator.generate(&mut rng_for(2022, 0, slot)))
}

/// A script over an integer `n` and strings `s` and `t`.
pub(crate) fn script(assertions: &str) -> Script {
    let text = format!(
        "(set-logic QF_S)\n(declare-fun n () Int)\n(declare-fun s () String)\n(declare-fun t () String)\n{assertions}\n\
         (check-sat)\n"
    );
    parse(&text, "test", &ParseOptions { dialect: Some(Dialect::SmtLib25) }).expect("the script is sound")
}

/// The script in the solver's dialect.
pub(crate) fn text(script: &Script, solver: &Solver) -> String {
    text_for(script, solver).unwrap_or_else(|answer| panic!("{answer}"))
}
