//! Our values of random ground terms, over all operators of each theory, against Z3, cvc5 and CVC4.
//!
//! A term's value counts as confirmed when two solvers say that the term may equal it and cannot differ from it. Without
//! more ado, 600 terms of each domain are asked about; `MULSTRINGFUZZ_GROUND_TERMS=20000` asks about so many (some five
//! minutes of CPU in all), and `--nocapture` shows the tables. `MULSTRINGFUZZ_GROUND_SAMPLE=tests/data/ground_terms` records
//! confirmed terms anew: the sample that is checked without a solver.

#[path = "ground_terms/faults.rs"]
mod faults;
mod installed;
#[path = "ground_terms/questions.rs"]
mod questions;
#[path = "ground_terms/tally.rs"]
mod tally;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use installed::solver;
use mulstringfuzz::generator::ground::{DOMAINS, Domain, GroundTerms};
use mulstringfuzz::random::rng_for;
use mulstringfuzz::semantics::evaluate::{Evaluator, Open, Outcome};
use mulstringfuzz::semantics::interpretation::Interpretation;
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::operator_set::OperatorSet;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse};
use mulstringfuzz::smtlib::printer::print_term;
use mulstringfuzz::smtlib::script::Script;
use mulstringfuzz::smtlib::signature::{Op, table};
use mulstringfuzz::smtlib::term::{Head, TermId, Terms};
use mulstringfuzz::solver::installed::Solver;
use questions::{Opinion, opinions};
use tally::{Contradiction, Tally};

/// The solvers: the name in the tables, and what is run.
const SOLVERS: [(&str, &str); 3] =
    [("z3", "z3@5.4.1"), ("cvc5", "cvc5@1.0.3 --incremental"), ("cvc4", "cvc4@1.8 --incremental")];

/// The operators that only one of the solvers reads, which must then confirm our values alone.
const ONE_SOLVER: [&str; 10] = [
    "bvnego",
    "sbv_to_int",
    "re.loop/1",
    "seq.last_indexof",
    "seq.rev",
    "seq.update",
    "str.indexof_re",
    "str.to_lower",
    "str.to_upper",
    "str.update",
];

/// Terms of each domain, unless the environment says otherwise.
const TERMS: usize = 600;

/// Terms in one run of a solver.
const BATCH: usize = 100;

/// Recorded terms about each operator, and how long they are at most.
const RECORDED: usize = 6;
const LONGEST_RECORDED: usize = 160;

/// One drawn term.
struct Drawn {
    about: Op,
    operators: Vec<Op>,
    /// The term's equation with its value.
    equation: Result<String, Open>,
}

/// Terms about each operator in turn, from number `first` on.
fn drawn(domain: &Domain, generator: &GroundTerms, first: usize, count: usize) -> Vec<Drawn> {
    let mut script = Script::new();
    let operators = generator.operators();
    let place = DOMAINS.iter().position(|each| each.name == domain.name).expect("one of the table") as u32;
    let roots: Vec<(Op, TermId)> = (first..first + count)
        .map(|number| {
            let about = number % operators.len();
            let term = generator.draw(about, &mut script.terms, &mut rng_for(6, place, number as u32));
            (operators[about], term.expect("every operator can be drawn"))
        })
        .collect();
    let interpretation = Interpretation::new();
    let mut evaluator = Evaluator::new(&script, &interpretation);
    let outcomes: Vec<Outcome> = roots.iter().map(|&(_, root)| evaluator.value(root)).collect();
    drop(evaluator);
    let printed = |script: &Script, term| print_term(&script.terms, term, Dialect::SmtLib26).expect("the standard's");
    let mut all = Vec::new();
    for ((about, root), outcome) in roots.into_iter().zip(outcomes) {
        let operators = operators_of(&script.terms, root);
        let equation = outcome.map(|value| {
            let value = value.term(&mut script.terms);
            format!("(= {} {})", printed(&script, root), printed(&script, value))
        });
        all.push(Drawn { about, operators, equation });
    }
    all
}

/// The operators of a term, in the order of the table.
fn operators_of(terms: &Terms, root: TermId) -> Vec<Op> {
    let (mut seen, mut stack) = (BTreeSet::new(), vec![root]);
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            stack.extend(terms.arguments(term));
        }
    }
    let operator = |term| if let Head::Operator(op) = terms.head(term) { Some(op) } else { None };
    seen.into_iter().filter_map(operator).collect::<BTreeSet<Op>>().into_iter().collect()
}

/// What a solver's profile says that it does not read, or gets wrong.
fn rejected(solver: &Solver) -> OperatorSet {
    let names = solver.profile.rejects.values().flatten().map(String::as_str);
    OperatorSet::from_names(names.filter(|name| OperatorSet::from_names([*name]).is_ok())).expect("known names")
}

/// A solver, with the operators that it is not asked about.
struct Asked {
    name: &'static str,
    solver: Solver,
    rejected: OperatorSet,
}

/// An operator as the tables name it: overloads by their indices.
fn shown(op: Op) -> String {
    let indices = op.signature().indices.len();
    let overloaded = op.name() == "re.loop";
    let unary = op.name() == "-" && op.signature().parameters.len() == 1 && op.signature().associativity.is_none();
    match (overloaded, unary) {
        (true, _) => format!("{}/{indices}", op.name()),
        (_, true) => "- (unary)".to_owned(),
        _ => op.name().to_owned(),
    }
}

/// Asks all solvers about `count` terms of a domain.
fn compared(domain: &Domain, count: usize) -> (Tally, BTreeMap<String, Vec<String>>) {
    let asked = SOLVERS.map(|(name, spec)| {
        let solver = solver(spec);
        Asked { name, rejected: rejected(&solver), solver }
    });
    let read = |op: &Op| asked.iter().filter(|solver| !solver.rejected.contains(*op)).count();
    let generator = GroundTerms::new(domain, &table().operators().filter(|op| read(op) >= 2).collect());
    let (mut tally, mut sample) = (Tally::default(), BTreeMap::<String, Vec<String>>::new());
    for first in (0..count).step_by(BATCH) {
        let terms = drawn(domain, &generator, first, BATCH.min(count - first));
        let mut thought: Vec<Vec<(&'static str, Opinion)>> = terms.iter().map(|_| Vec::new()).collect();
        for Asked { name, solver, rejected } in &asked {
            let readable = |term: &Drawn| !term.operators.iter().any(|&op| rejected.contains(op));
            let (places, equations): (Vec<usize>, Vec<&str>) = terms
                .iter()
                .enumerate()
                .filter(|(_, term)| readable(term))
                .filter_map(|(place, term)| Some((place, term.equation.as_deref().ok()?)))
                .unzip();
            for (place, opinion) in places.into_iter().zip(opinions(solver, &equations)) {
                thought[place].push((name, opinion));
            }
        }
        for (term, opinions) in terms.iter().zip(thought) {
            if count_opinions(&mut tally, domain, term, opinions) {
                let kept = sample.entry(shown(term.about)).or_default();
                let equation = term.equation.clone().unwrap_or_default();
                if kept.len() < RECORDED && equation.len() <= LONGEST_RECORDED && !kept.contains(&equation) {
                    kept.push(equation);
                }
            }
        }
    }
    (tally, sample)
}

/// Counts what the solvers think of a term; whether two confirm its value and none contradicts it.
fn count_opinions(tally: &mut Tally, domain: &Domain, term: &Drawn, opinions: Vec<(&'static str, Opinion)>) -> bool {
    let own = |op: &&Op| domain.theories.contains(&op.signature().theory.as_str());
    for &op in term.operators.iter().filter(own) {
        tally.operators.entry(shown(op)).or_default().occurs += 1;
    }
    let counts = tally.operators.entry(shown(term.about)).or_default();
    counts.drawn += 1;
    let equation = match &term.equation {
        Ok(equation) => equation,
        Err(Open::Free) => {
            counts.free += 1;
            return false;
        }
        Err(_) => {
            counts.gave_up += 1;
            return false;
        }
    };
    let fails = opinions.iter().any(|(_, opinion)| *opinion == Opinion::Fails);
    let confirming = opinions.iter().filter(|(_, opinion)| *opinion == Opinion::Holds).count();
    if fails {
        counts.contradicted += 1;
    } else {
        counts.confirmed[confirming] += 1;
    }
    for (solver, opinion) in opinions {
        match opinion {
            Opinion::Holds => {}
            Opinion::Fails => {
                let fault = faults::explained(solver, equation);
                tally.contradictions.push(Contradiction { solver, equation: equation.clone(), fault });
            }
            Opinion::Unsure(why) => {
                let entry = tally.unsure.entry((solver, why)).or_insert_with(|| (0, equation.clone()));
                entry.0 += 1;
            }
        }
    }
    !fails && confirming >= 2
}

/// Checks a domain.
fn check(name: &str) {
    let domain = DOMAINS.iter().find(|domain| domain.name == name).expect("one of the table");
    let count = std::env::var("MULSTRINGFUZZ_GROUND_TERMS").map_or(TERMS, |text| text.parse().expect("a number"));
    let (tally, sample) = compared(domain, count);
    println!("{}", tally.shown(name));
    if let Some(folder) = std::env::var_os("MULSTRINGFUZZ_GROUND_SAMPLE") {
        let lines = sample.iter().flat_map(|(operator, equations)| {
            std::iter::once(format!("; {operator}\n")).chain(equations.iter().map(|each| format!("(assert {each})\n")))
        });
        let text = format!(
            "; Ground terms of {name} with their values, each confirmed by two solvers.\n{}",
            lines.collect::<String>()
        );
        std::fs::write(PathBuf::from(folder).join(format!("{name}.smt2")), text).expect("a file");
    }
    for op in GroundTerms::new(domain, &OperatorSet::new()).operators() {
        let counts = &tally.operators[&shown(*op)];
        let confirmed =
            if ONE_SOLVER.contains(&shown(*op).as_str()) { &counts.confirmed[1..] } else { &counts.confirmed[2..] };
        assert!(confirmed.iter().sum::<usize>() > 0, "{}: nothing is confirmed\n{}", shown(*op), tally.shown(name));
    }
    let unexplained = tally.contradictions.iter().filter(|each| each.fault.is_none()).count();
    assert_eq!(unexplained, 0, "{}", tally.shown(name));
}

#[test]
fn core() {
    check("Core");
}

#[test]
fn integers() {
    check("Ints");
}

#[test]
fn reals() {
    check("Reals_Ints");
}

#[test]
fn strings() {
    check("Strings");
}

#[test]
fn sequences() {
    check("Sequences");
}

#[test]
fn bit_vectors() {
    check("BitVectors");
}

#[test]
fn arrays() {
    check("ArraysEx");
}

#[test]
fn recorded_terms_have_the_values_that_solvers_confirmed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/ground_terms");
    for domain in &DOMAINS {
        let text = std::fs::read_to_string(folder.join(format!("{}.smt2", domain.name))).expect("a recorded sample");
        let script = parse(&text, domain.name, &ParseOptions { dialect: Some(Dialect::SmtLib26) }).expect("a script");
        let interpretation = Interpretation::new();
        let mut evaluator = Evaluator::new(&script, &interpretation);
        for assertion in script.assertions() {
            let holds = evaluator.value(assertion).is_ok_and(|value| value.is_bool(true));
            assert!(holds, "{}", print_term(&script.terms, assertion, Dialect::SmtLib26).expect("the standard's"));
        }
        let two_solvers = |op: &&Op| !ONE_SOLVER.contains(&shown(**op).as_str());
        for op in GroundTerms::new(domain, &OperatorSet::new()).operators().iter().filter(two_solvers) {
            assert!(text.contains(&format!("; {}\n", shown(*op))), "{}: nothing about {}", domain.name, shown(*op));
        }
    }
}
