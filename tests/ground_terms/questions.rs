//! What a solver thinks of equations between ground terms: many in one script, two questions each.

use mulstringfuzz::solver::answer::{Answer, check_sat_answers};
use mulstringfuzz::solver::installed::Solver;
use mulstringfuzz::solver::process::{Interrupt, Limits, Run};

/// CPU seconds for one script. A solver that is stuck is asked about the remaining equations again.
const CPU_SECONDS: f64 = 4.0;

/// What a solver thinks of an equation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Opinion {
    /// The equation is satisfiable, and its negation is not.
    Holds,
    /// The equation is unsatisfiable, or its negation is not.
    Fails,
    /// It did not decide, or does not read it; why.
    Unsure(String),
}

/// The solver's opinions of equations, in order.
pub(crate) fn opinions(solver: &Solver, equations: &[&str]) -> Vec<Opinion> {
    let mut opinions = Vec::with_capacity(equations.len());
    while opinions.len() < equations.len() {
        let first = opinions.len();
        let text = script(&equations[first..]);
        let (answer, run) = solver.solve(&text, &Limits::cpu(CPU_SECONDS), &Interrupt::new()).expect("the solver runs");
        // The part before the first mark is about options.
        let sections: Vec<String> = run.stdout_text().split("@equation").skip(1).map(str::to_owned).collect();
        for section in &sections {
            opinions.push(opinion(&run, section, &answer));
        }
        if sections.is_empty() {
            opinions.push(Opinion::Unsure(answer.to_string()));
        }
    }
    opinions.truncate(equations.len());
    opinions
}

/// One equation after the other, each and its negation in a scope of its own.
fn script(equations: &[&str]) -> String {
    let mut text = "(set-logic ALL)\n".to_owned();
    for equation in equations {
        text += "(echo \"@equation\")\n";
        for question in [(*equation).to_owned(), format!("(not {equation})")] {
            text.extend(["(push 1)\n(assert ", &question, ")\n(check-sat)\n(pop 1)\n"]);
        }
    }
    text
}

/// What the lines that were printed about one equation say.
fn opinion(run: &Run, section: &str, whole: &Answer) -> Opinion {
    // Z3 goes on after an error, without the rejected assertion.
    if let Some(error) = section.lines().find(|line| line.contains("(error")) {
        return Opinion::Unsure(without_places(error));
    }
    let answers = check_sat_answers(&Run { stdout: section.as_bytes().to_vec(), ..run.clone() });
    match answers.as_slice() {
        [Answer::Unsat, ..] | [_, Answer::Sat, ..] => Opinion::Fails,
        [Answer::Sat, Answer::Unsat, ..] => Opinion::Holds,
        [_, _, ..] => Opinion::Unsure("unknown".to_owned()),
        // It ended here.
        _ => Opinion::Unsure(whole.name().to_owned()),
    }
}

/// A message without the numbers in it, so that those of one kind are equal.
fn without_places(message: &str) -> String {
    let mut text = String::new();
    for character in message.chars() {
        match character {
            '0'..='9' if text.ends_with('#') => {}
            '0'..='9' => text.push('#'),
            other => text.push(other),
        }
    }
    text
}
