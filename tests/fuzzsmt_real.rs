//! Formulas in layers, shown to the real solvers: all that is made is read, and what an old solver gets wrong is found
//! without seeds.

mod installed;

use std::time::Duration;

use installed::solver;
use mulstringfuzz::evaluate::written::text_for;
use mulstringfuzz::generator::layered::parameters::{Division, Parameters};
use mulstringfuzz::generator::{Generator, Layered, PRESETS, Preset};
use mulstringfuzz::hunt::fresh::Fresh;
use mulstringfuzz::hunt::{Found, Keeper, Kept, Plan, State, hunt};
use mulstringfuzz::oracle::OracleError;
use mulstringfuzz::oracle::correctness::Kind;
use mulstringfuzz::oracle::prover::{InstalledProver, Prover, Question};
use mulstringfuzz::random::rng_for;
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::fragment::Fragment;
use mulstringfuzz::smtlib::operator_set::OperatorSet;
use mulstringfuzz::smtlib::script::{Command, Script};
use mulstringfuzz::solver::process::{Exit, Interrupt, Limits};

/// Formulas of each logic.
const FORMULAS: u32 = 40;

fn prover(name: &str) -> InstalledProver {
    InstalledProver::new(solver(name))
}

/// Three solvers that know the logic, of strings and floating-point numbers two.
fn solvers_of(preset: &Preset) -> &'static [&'static str] {
    match preset.name {
        "qf-bv" | "qf-abv" | "qf-ufbv" | "qf-aufbv" => &["z3", "cvc5", "yices", "bitwuzla"],
        "qf-slia" => &["z3", "cvc5"],
        "qf-fp" => &["z3", "cvc5", "bitwuzla"],
        _ => &["z3", "cvc5", "yices"],
    }
}

/// What all of them read of a logic, by their profiles.
fn read_by(provers: &[InstalledProver], logic: &str) -> Fragment {
    let unread = provers.iter().flat_map(|prover| prover.solver().profile.unread());
    let known = unread.filter(|name| OperatorSet::from_names([*name]).is_ok());
    Fragment::for_pair(known, &[Dialect::SmtLib26], logic).expect("only names of the table are left")
}

#[test]
fn every_solver_of_a_logic_reads_all_of_its_formulas() {
    let interrupt = Interrupt::new();
    for preset in PRESETS {
        let provers: Vec<InstalledProver> = solvers_of(preset).iter().map(|name| prover(name)).collect();
        let fragment = read_by(&provers, preset.logic);
        let parameters = Parameters {
            max_array_equalities: 2,
            max_functions: Some(1),
            max_predicates: Some(1),
            written_out: 30,
            ..Parameters::default()
        };
        let generator = Layered::new(preset, parameters, &fragment).expect("sound parameters");
        for prover in &provers {
            // Nothing is asked: reading is what matters here, and takes no time.
            let mut text = String::new();
            for slot in 0..FORMULAS {
                let mut script = generator.generate(&mut rng_for(8, 0, slot));
                script.commands.retain(|command| *command != Command::CheckSat);
                text += &text_for(&script, prover.solver()).expect("the dialect spells it");
                text += "(reset)\n";
            }
            let (_, run) = prover.solver().solve(&text, &Limits::cpu(60.0), &interrupt).expect("the solver runs");
            let said = run.stdout_text() + &run.stderr_text();
            assert!(!said.contains("error"), "{} on {}: {said}", prover.name(), preset.name);
            assert!(matches!(run.exit, Exit::Code(_)), "{} on {}: {:?}", prover.name(), preset.name, run.exit);
        }
    }
}

#[test]
fn answers_of_one_process_are_those_of_a_process_each() {
    let preset = Preset::named("qf-bv").expect("a preset");
    let generator = Layered::new(preset, Parameters::small(), &Fragment::standard()).expect("sound parameters");
    let scripts: Vec<Script> = (0..30).map(|slot| generator.generate(&mut rng_for(9, 0, slot))).collect();
    let (all, limit, interrupt) = (scripts.iter().collect::<Vec<_>>(), Duration::from_secs(20), Interrupt::new());
    // Boolector takes no (reset).
    for name in ["z3", "cvc4", "cvc5", "yices", "boolector"] {
        let prover = prover(name);
        let together = prover.ask_together(&all, limit, &interrupt).expect("the solver runs");
        let mut answered = 0;
        for (script, together) in scripts.iter().zip(&together.answers) {
            let question = Question { script, seed: None, limit, check_model: false };
            let alone = prover.ask(&question, &interrupt).expect("the solver runs").timed.answer;
            if let Some(together) = together {
                assert_eq!(together.name(), alone.name(), "{name}");
                answered += 1;
            }
        }
        assert!(answered > 20, "{name} answered {answered} of 30");
    }
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

/// Z3 4.8.7 replaces terms that its tactic takes for invertible: <https://github.com/Z3Prover/z3/issues/4428>.
#[test]
fn what_an_old_tactic_gets_wrong_is_found_without_seeds() {
    let old = prover("z3@4.8.7 'tactic.default_tactic=(then simplify reduce-invertible smt)'");
    let yices = prover("yices");
    let parameters = Parameters {
        max_width: 8,
        max_constants: 1,
        max_assertions: 4,
        compact: true,
        division: Division::Guarded,
        ..Parameters::default()
    };
    let preset = Preset::named("qf-bv").expect("a preset");
    let generator = Layered::new(preset, parameters, &Fragment::standard()).expect("sound parameters");
    let source = Fresh::new(generator, preset.name, 40, 11);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    let plan = Plan { instances: 80, ..Plan::new(Duration::from_secs(10), &pool) };
    let (mut list, mut state) = (List::default(), State::default());
    let provers: [&dyn Prover; 2] = [&old, &yices];
    hunt(&source, &provers, &plan, &mut list, &mut state, &Interrupt::new()).expect("the solvers run");
    let found: Vec<(Kind, &str)> = list.0.iter().map(|found| (found.finding.kind, found.case.seed.as_str())).collect();
    assert_eq!(found, [(Kind::RefutationUnsoundness, "qf-bv 46")]);
    assert_eq!(state.tally.instances, 80);
}
