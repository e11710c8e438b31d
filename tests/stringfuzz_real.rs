//! What StringFuzz's generators and the swarm make, and what StringFuzz's transformers make of the former, is accepted by the
//! paper's two solvers.

mod installed;

use installed::{fragment, solver, text};
use mulstringfuzz::generator::stringfuzz::{Concats, DepthType, Equality, Lengths, Membership, Recipe, Regex, recipes};
use mulstringfuzz::generator::{Generator, Parameters, StringGenerator, Swarm};
use mulstringfuzz::operator::Context;
use mulstringfuzz::operator::mutation::mutate_once;
use mulstringfuzz::operator::stringfuzz::{Options, transformers};
use mulstringfuzz::random::rng_for;
use mulstringfuzz::smtlib::script::Script;
use mulstringfuzz::solver::answer::Answer;
use mulstringfuzz::solver::installed::Solver;
use mulstringfuzz::solver::process::{Interrupt, Limits};

/// Scripts of each kind.
const SCRIPTS: u32 = 5;

/// Solvers print what they do not accept before they begin to solve, and a timeout is no error.
const CPU_SECONDS: f64 = 0.2;

fn assert_accepted(what: &str, script: &Script, solvers: &[Solver]) {
    for solver in solvers {
        let text = text(script, solver);
        let (answer, run) = solver.solve(&text, &Limits::cpu(CPU_SECONDS), &Interrupt::new()).expect("the solver runs");
        let refused = matches!(answer, Answer::Rejected(_) | Answer::Unsupported(_))
            || run.stdout_text().contains("(error")
            || run.stderr_text().contains("(error");
        assert!(!refused, "{what}: {}: {answer}\n{text}", solver.label());
    }
}

/// Every kind of script, with StringFuzz's parameters and with others.
fn kinds() -> Vec<Box<dyn Recipe>> {
    let mut kinds: Vec<Box<dyn Recipe>> = recipes().into();
    let depth_type = DepthType::Semantic;
    kinds.push(Box::new(Concats { depth_type, extract: 5, solution: Some("a \"b\"\\".into()), ..Concats::default() }));
    kinds.push(Box::new(Concats { depth: 3, balanced: true, ..Concats::default() }));
    kinds.push(Box::new(Lengths { concats: 2, random_relations: true, ..Lengths::default() }));
    kinds.push(Box::new(Equality { add_infixes: true, random_lengths: true, ..Equality::default() }));
    kinds.push(Box::new(Regex {
        depth: 2,
        regexes: 2,
        operators: "spuic".parse().expect("all letters"),
        membership: Membership::Random,
        var_min: Some(1),
        var_max: Some(5),
        ..Regex::default()
    }));
    kinds
}

#[test]
fn both_solvers_accept_what_a_swarm_makes() {
    let solvers = [solver("z3str3"), solver("cvc4")];
    let swarm = Swarm::new(&fragment(&solvers[0], &solvers[1]), 2);
    for slot in 0..40 {
        assert_accepted(&format!("slot {slot}"), &swarm.generate(&mut rng_for(2, 0, slot)), &solvers);
    }
}

#[test]
fn both_solvers_accept_every_kind_and_all_that_transformers_make_of_it() {
    let solvers = [solver("z3str3"), solver("cvc4")];
    let fragment = fragment(&solvers[0], &solvers[1]);
    let generator = StringGenerator::new(Parameters::default(), &fragment);
    let context = Context { fragment: &fragment, grammar: &generator };
    let table = transformers(&Options { integers: true, re_range: true, str_to_re: true, ..Options::default() });
    for kind in kinds() {
        let fresh = kind.prepare(&fragment).expect("parameters that fit together");
        for slot in 0..SCRIPTS {
            let mut script = Script::new();
            fresh.generate_into(&mut script, &mut rng_for(1, 0, slot));
            assert_accepted(kind.name(), &script, &solvers);
            for transformer in &table {
                let mut changed = script.clone();
                let name = mutate_once(&mut changed, &[transformer.as_ref()], &mut rng_for(1, 1, slot), &context);
                if let Some(name) = name {
                    assert_accepted(&format!("{name} of {}", kind.name()), &changed, &solvers);
                }
            }
        }
    }
}
