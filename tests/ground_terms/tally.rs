//! What came of the terms of one domain, by operator.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Counts for one operator, of the terms about it.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// Terms drawn.
    pub(crate) drawn: usize,
    /// Terms in which it occurs, about whatever.
    pub(crate) occurs: usize,
    /// Terms whose value the standard leaves free.
    pub(crate) free: usize,
    /// Terms on which our evaluator gave up.
    pub(crate) gave_up: usize,
    /// Terms by how many solvers confirm our value, and none contradicts it.
    pub(crate) confirmed: [usize; 4],
    /// Terms on which some solver contradicts us.
    pub(crate) contradicted: usize,
}

/// A solver that contradicts us.
#[derive(Debug)]
pub(crate) struct Contradiction {
    pub(crate) solver: &'static str,
    pub(crate) equation: String,
    /// What the table of faults says.
    pub(crate) fault: Option<&'static str>,
}

/// The results of a domain.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) operators: BTreeMap<String, Counts>,
    pub(crate) contradictions: Vec<Contradiction>,
    /// Why solvers were unsure, with how often and the first equation.
    pub(crate) unsure: BTreeMap<(&'static str, String), (usize, String)>,
}

impl Tally {
    /// The table, and below it what needs an explanation.
    pub(crate) fn shown(&self, domain: &str) -> String {
        let mut text = format!("{domain}\n");
        text += "operator            drawn occurs free gave-up 3 of 3 2 of 3 1 of 3 none contradicted\n";
        let mut all = Counts::default();
        let line = |text: &mut String, name: &str, counts: &Counts| {
            let Counts { drawn, occurs, free, gave_up, confirmed: [none, one, two, three], contradicted } = counts;
            writeln!(
                text,
                "{name:<19} {drawn:>5} {occurs:>6} {free:>4} {gave_up:>7} {three:>6} {two:>6} {one:>6} {none:>4} {contradicted:>12}"
            )
            .expect("a text");
        };
        for (name, counts) in &self.operators {
            line(&mut text, name, counts);
            all.drawn += counts.drawn;
            all.occurs += counts.occurs;
            all.free += counts.free;
            all.gave_up += counts.gave_up;
            for (sum, more) in all.confirmed.iter_mut().zip(counts.confirmed) {
                *sum += more;
            }
            all.contradicted += counts.contradicted;
        }
        line(&mut text, "all", &all);
        for Contradiction { solver, equation, fault } in &self.contradictions {
            writeln!(text, "{solver} contradicts {equation}: {}", fault.unwrap_or("NOT EXPLAINED")).expect("a text");
        }
        for ((solver, why), (count, example)) in &self.unsure {
            writeln!(text, "{solver} is unsure {count} times: {why}: {example}").expect("a text");
        }
        text
    }
}
