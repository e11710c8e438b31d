//! The strip at the top: what the runs came to, what they were run with, and what to mind.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::table::{Cell, table};
use crate::experiment::statistics::median;
use crate::report::defects::of_runs;
use crate::report::escape::escape;
use crate::report::figure::scale::{grouped, short};
use crate::report::study::{Arm, Run, Study};
use crate::solver::answer::Answer;

/// More invalid evaluations than this share are worth a warning.
const MANY_INVALID: f64 = 0.1;
/// A smaller share of the CPU time in the solvers is worth a warning.
const LOW_SOLVER_SHARE: f64 = 0.8;

/// Writes the strip.
pub(super) fn write(out: &mut String, study: &Study) {
    out.push_str("<div class=\"cards\">");
    for (number, label, note) in numbers(study) {
        let _ = write!(
            out,
            "<div class=\"card\"><b>{}</b><span>{}</span><small>{}</small></div>",
            escape(&number),
            escape(&label),
            escape(&note)
        );
    }
    out.push_str("</div>\n<dl class=\"facts\">");
    for (name, values) in facts(study) {
        let values: Vec<String> = values.iter().map(|value| escape(value).into_owned()).collect();
        let _ = write!(out, "<dt>{name}</dt><dd>{}</dd>", values.join("<br>"));
    }
    out.push_str("</dl>\n");
    let warnings = warnings(study);
    if !warnings.is_empty() {
        out.push_str("<ul class=\"warnings\" aria-label=\"Warnings\">");
        for warning in warnings {
            let _ = write!(out, "<li>{}</li>", escape(&warning));
        }
        out.push_str("</ul>\n");
    }
    if study.compares() {
        write_arms(out, study);
    }
}

fn numbers(study: &Study) -> Vec<(String, String, String)> {
    let runs = study.runs().count();
    let unfinished = study.runs().filter(|run| !run.is_finished()).count();
    let evaluations: usize = study.runs().map(|run| run.evaluations.len()).sum();
    let invalid: usize = study.runs().flat_map(|run| &run.evaluations).filter(|row| !row.valid).count();
    let (mut confirmed, mut candidates, mut refuted) = (0, 0, 0);
    for arm in &study.arms {
        let (found, not) = of_runs(&arm.runs);
        refuted += not;
        confirmed += found.iter().filter(|one| one.is_confirmed()).count();
        candidates += found.iter().filter(|one| !one.is_confirmed()).count();
    }
    let results: Vec<_> = study.runs().flat_map(Run::results).collect();
    let timeouts = results.iter().filter(|member| member.target_ran_out()).count();
    let limit = results.iter().map(|member| member.limit_seconds).fold(0.0, f64::max);
    let lines: Vec<u64> = study.runs().filter_map(Run::total_lines).collect();
    let solver: f64 = study.runs().map(Run::all_solver_seconds).sum();
    let charged: f64 = study.runs().map(Run::charged_seconds).sum();
    let whole = |number: usize| grouped(number as f64, 0);
    let mut cards = vec![
        (
            whole(runs),
            plural(runs, "run"),
            if unfinished == 0 { "finished".into() } else { format!("{unfinished} not finished") },
        ),
        (whole(evaluations), plural(evaluations, "evaluation"), format!("{} invalid", whole(invalid))),
    ];
    cards.extend(distinct(study));
    cards.extend([
        (whole(confirmed), plural(confirmed, "confirmed defect"), format!("{} refuted", whole(refuted))),
        (whole(candidates), plural(candidates, "candidate"), "not confirmed".into()),
        (
            format!("{timeouts}/{}", results.len()),
            "timeouts in result sets".into(),
            format!("target, limit {} s", short(limit)),
        ),
    ]);
    if let Some(most) = lines.iter().max() {
        let whose = if runs > 1 { "by the run that covered most" } else { "by the whole run" };
        let label = if *most == 1 { "line of the target covered" } else { "lines of the target covered" };
        cards.push((grouped(*most as f64, 0), label.into(), whose.into()));
    }
    let note = if duration(charged) == duration(solver) {
        "all of it charged to the search".into()
    } else {
        format!("of which {} were charged to the search", duration(charged))
    };
    cards.push((duration(solver), "solver CPU time".into(), note));
    cards
}

/// What the runs' triages came to, if there were any.
fn distinct(study: &Study) -> Option<(String, String, String)> {
    let triaged: Vec<_> = study.runs().filter_map(|run| run.triaged.as_ref()).collect();
    if triaged.is_empty() {
        return None;
    }
    let defects = || triaged.iter().flat_map(|triaged| &triaged.defects);
    let count = defects().count();
    let confirmed = defects().filter(|defect| defect.is_confirmed()).count();
    Some((grouped(count as f64, 0), plural(count, "distinct defect"), format!("{confirmed} confirmed")))
}

fn plural(count: usize, noun: &str) -> String {
    format!("{noun}{}", if count == 1 { "" } else { "s" })
}

/// CPU time in a unit that a reader can grasp.
fn duration(seconds: f64) -> String {
    match seconds {
        ..120.0 => format!("{} s", short(seconds)),
        ..7200.0 => format!("{} min", short(seconds / 60.0)),
        _ => format!("{} h", short(seconds / 3600.0)),
    }
}

fn facts(study: &Study) -> Vec<(&'static str, Vec<String>)> {
    let solver = |role: &str, named: fn(&Run) -> String| -> Vec<String> {
        study.distinct(|run| {
            let environment = run.environment.as_ref();
            let recorded = environment.and_then(|environment| environment.solvers.get(role));
            recorded.map_or_else(
                || named(run),
                |solver| {
                    let arguments = solver.arguments.join(" ");
                    format!("{} {} {arguments}", solver.name, solver.version).trim_end().to_owned()
                },
            )
        })
    };
    let machine = |run: &Run| run.environment.as_ref().map_or("unknown".into(), |known| known.machine.to_string());
    let mut facts = vec![
        ("target", solver("target", |run| run.config.target.clone())),
        ("reference", solver("reference", |run| run.config.reference.clone())),
        ("instrumented", solver("instrumented", |run| run.config.instrumented.clone().unwrap_or("none".into()))),
        ("variants", study.distinct(|run| run.config.variant.name().to_owned())),
        ("search limit", study.distinct(limits)),
        ("machine", study.distinct(machine)),
        (
            "program",
            study.distinct(|run| {
                run.environment.as_ref().map_or("unknown".into(), |known| format!("mulstringfuzz {}", known.version))
            }),
        ),
    ];
    facts.retain(|(_, values)| !values.is_empty());
    facts
}

fn limits(run: &Run) -> String {
    format!("{} s of CPU time, population {}", short(run.limit_seconds()), run.config.population)
}

fn warnings(study: &Study) -> Vec<String> {
    let mut warnings = Vec::new();
    let labels = |runs: Vec<&Run>| runs.iter().map(|run| run.label.as_str()).collect::<Vec<_>>().join(", ");
    let unfinished: Vec<&Run> = study.runs().filter(|run| run.summary.is_none()).collect();
    if !unfinished.is_empty() {
        warnings.push(format!("Not finished; shown as far as recorded: {}.", labels(unfinished)));
    }
    for root in &study.not_begun {
        warnings.push(format!("Nothing was evaluated yet in {}; it is left out.", root.display()));
    }
    let stopped: Vec<&Run> = study.runs().filter(|run| run.summary.is_some() && !run.is_finished()).collect();
    if !stopped.is_empty() {
        warnings.push(format!("Interrupted or failed before their budget was used: {}.", labels(stopped)));
    }
    let measuring: Vec<&Run> = study.runs().filter(|run| !run.result_set.is_empty() && !run.is_measured()).collect();
    if !measuring.is_empty() {
        warnings.push(format!(
            "The result set was not run again to the end, so that its times are those of the search: {}.",
            labels(measuring)
        ));
    }
    for run in study.runs() {
        let killed = Answer::Killed.name();
        let crashed = Answer::Crash(String::new()).name();
        let share = |is_one: &dyn Fn(bool, &str) -> bool| {
            let count = run.evaluations.iter().filter(|row| is_one(row.valid, &row.target_result)).count();
            count as f64 / run.evaluations.len().max(1) as f64
        };
        for (share, what) in [
            (share(&|valid, result| !valid && result != killed), "the target rejected"),
            (share(&|_, result| result == killed), "somebody killed the target in"),
            (share(&|_, result| result == crashed), "the target crashed in"),
        ] {
            if share > MANY_INVALID {
                warnings.push(format!("{}: {what} {} % of the evaluations.", run.label, short(100.0 * share)));
            }
        }
        if let Some(summary) = run.summary.as_ref().filter(|all| all.solver_share < LOW_SOLVER_SHARE) {
            let share = short(100.0 * summary.solver_share);
            warnings.push(format!("{}: only {share} % of the CPU time went into the solvers.", run.label));
        }
    }
    let mut differ = |what: &str, values: Vec<String>| {
        if values.len() > 1 {
            warnings.push(format!("Runs differ in {what}, so that they do not compare: {}.", values.join("; ")));
        }
    };
    differ("the target", study.distinct(|run| run.config.target.clone()));
    differ("the reference", study.distinct(|run| run.config.reference.clone()));
    differ("the limit", study.distinct(|run| format!("{} s", short(run.limit_seconds()))));
    // An experiment may be about populations.
    if study.experiments.is_empty() {
        differ("the population", study.distinct(|run| run.config.population.to_string()));
    }
    differ("the budget", study.distinct(budget));
    differ(
        "the machine",
        study.distinct(|run| run.environment.as_ref().map_or("unknown".into(), |known| known.machine.to_string())),
    );
    let twice = study
        .arms
        .iter()
        .filter(|arm| arm.runs.iter().map(|run| run.config.seed).collect::<BTreeSet<_>>().len() < arm.runs.len());
    for arm in twice {
        warnings
            .push(format!("{}: several runs have the same seed, so that they are no independent repeats.", arm.name));
    }
    warnings
}

fn budget(run: &Run) -> String {
    let stop = &run.config.stop;
    let mut parts = Vec::new();
    parts.extend(stop.solver_budget.map(|budget| format!("{} s of solver CPU time", short(budget.as_secs_f64()))));
    parts.extend(stop.budget.map(|budget| format!("{} s by the clock", short(budget.as_secs_f64()))));
    parts.extend(stop.generations.map(|count| format!("{count} generations")));
    parts.extend(stop.evaluations.map(|count| format!("{count} evaluations")));
    if parts.is_empty() { "none".into() } else { parts.join(", ") }
}

/// What the paper's Table I compares, arm by arm.
fn write_arms(out: &mut String, study: &Study) {
    out.push_str(
        "<h3>Arms compared</h3><p>As in the paper's Table I, over each arm's runs: median, and below it the least and \
         the greatest. Means are over a run's population; timeouts are the target's in the result set.</p>",
    );
    let counts_lines = study.runs().any(|run| run.total_lines().is_some());
    let headings = ["arm", "runs", "evaluations"].into_iter();
    let headings = headings.chain(["lines covered", "mean lines"].into_iter().filter(|_| counts_lines));
    let rest = ["mean t-score [s]", "timeouts", "mean complexity", "hypervolume", "candidates"];
    let headings: Vec<&str> = headings.chain(rest).collect();
    table(out, &headings, study.arms.iter().map(|arm| (arm_cells(arm, counts_lines), None)));
}

fn arm_cells(arm: &Arm, counts_lines: bool) -> Vec<Cell> {
    let spread = |of: &dyn Fn(&Run) -> Option<f64>, places: usize| {
        let mut values: Vec<f64> = arm.runs.iter().filter_map(of).collect();
        values.sort_by(f64::total_cmp);
        let (Some(low), Some(high)) = (values.first(), values.last()) else { return Cell::text("\u{2013}") };
        let Some(median) = median(&values) else { return Cell::text("\u{2013}") };
        let number = |value: f64| grouped(value, places);
        let range = if low < high { format!("{}\u{2013}{}", number(*low), number(*high)) } else { String::new() };
        Cell::noted(&number(median), &range, median)
    };
    let mean = |run: &Run, of: &dyn Fn(&crate::record::format::EvaluationRow) -> Option<f64>| {
        let values: Vec<f64> = run.members.iter().filter_map(|id| of(run.evaluation(*id)?)).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let timeouts = |run: &Run| run.results().iter().filter(|member| member.target_ran_out()).count() as f64;
    let mut cells = vec![
        Cell::text(&arm.name),
        Cell::count(arm.runs.len() as u64),
        spread(&|run| Some(run.evaluations.len() as f64), 0),
    ];
    if counts_lines {
        cells.push(spread(&|run| run.total_lines().map(|lines| lines as f64), 0));
        cells.push(spread(&|run| mean(run, &|row| row.lines_covered.map(|lines| lines as f64)), 0));
    }
    cells.extend([
        spread(&|run| mean(run, &|row| Some(row.t_score)), 3),
        spread(&|run| Some(timeouts(run)), 0),
        spread(&|run| mean(run, &|row| Some(row.complexity as f64)), 1),
        spread(&|run| run.generations.last().map(|row| row.hypervolume), 2),
        spread(&|run| Some(of_runs(std::slice::from_ref(run)).0.len() as f64), 0),
    ]);
    cells
}
