//! What a triage spends on solvers, by what for: where it could be cheaper, and where a budget went.

use std::fmt;

use serde::Serialize;

use crate::reduce::property::{Meter, Spent};

/// What solvers are run for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Whether an instance is slow at all.
    FirstLooks,
    /// Cores.
    Reductions,
    /// Patterns of cores, and their trials.
    Patterns,
    /// Which instances a pattern explains.
    Attribution,
    /// Beginnings of traces, which hint at what is the same.
    Traces,
    /// Whether a defect is one.
    Confirmation,
    /// What else its report says.
    Explanation,
}

impl Purpose {
    /// All, in the order in which a triage comes to them.
    const ALL: [Purpose; 7] = [
        Purpose::FirstLooks,
        Purpose::Reductions,
        Purpose::Patterns,
        Purpose::Attribution,
        Purpose::Traces,
        Purpose::Confirmation,
        Purpose::Explanation,
    ];
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Purpose::FirstLooks => "first looks",
            Purpose::Reductions => "reductions",
            Purpose::Patterns => "patterns",
            Purpose::Attribution => "attribution",
            Purpose::Traces => "traces",
            Purpose::Confirmation => "confirmation",
            Purpose::Explanation => "explanation",
        })
    }
}

/// A meter for each purpose.
#[derive(Debug, Default)]
pub struct Expenses([Meter; Purpose::ALL.len()]);

/// What was spent for one purpose.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Expense {
    /// What for.
    pub purpose: Purpose,
    /// How much.
    #[serde(flatten)]
    pub spent: Spent,
}

impl Expenses {
    /// Where runs for this purpose are counted.
    pub fn meter(&self, purpose: Purpose) -> &Meter {
        &self.0[purpose as usize]
    }

    /// CPU seconds of all runs together.
    pub fn solver_seconds(&self) -> f64 {
        self.0.iter().map(|meter| meter.spent().solver_seconds).sum()
    }

    /// What was spent for what, where anything was.
    pub fn listed(&self) -> Vec<Expense> {
        let of = |purpose| Expense { purpose, spent: self.meter(purpose).spent() };
        Purpose::ALL.map(of).into_iter().filter(|expense| expense.spent.solver_calls > 0).collect()
    }
}

/// `Solvers took 812 s of CPU time: first looks 20 s, reductions 300 s…`; nothing if none ran.
pub fn told(expenses: &[Expense]) -> Option<String> {
    if expenses.is_empty() {
        return None;
    }
    let seconds = |expense: &Expense| expense.spent.solver_seconds;
    let each: Vec<String> =
        expenses.iter().map(|expense| format!("{} {:.0} s", expense.purpose, seconds(expense))).collect();
    Some(format!("Solvers took {:.0} s of CPU time: {}.", expenses.iter().map(seconds).sum::<f64>(), each.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_purpose_is_counted_by_itself_and_all_together() {
        let expenses = Expenses::default();
        assert_eq!(told(&expenses.listed()), None);
        expenses.meter(Purpose::Confirmation).charge(40.25);
        expenses.meter(Purpose::FirstLooks).charge(1.5);
        expenses.meter(Purpose::FirstLooks).charge(0.5);
        assert_eq!(expenses.solver_seconds(), 42.25);
        let text = told(&expenses.listed()).expect("something was spent");
        assert_eq!(text, "Solvers took 42 s of CPU time: first looks 2 s, confirmation 40 s.");
        let json = serde_json::to_value(expenses.listed()).expect("JSON");
        assert_eq!((&json[0]["purpose"], &json[0]["solver_calls"]), (&"first-looks".into(), &2.into()));
    }
}
