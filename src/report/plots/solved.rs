//! How long the solvers take on the result sets: the distribution of times (the paper's Fig. 3) and the cactus plot.

use super::{LEAST, WIDE, arm_stroke, count, line_entry, pooled, seconds_list};
use crate::report::figure::canvas::Drawing;
use crate::report::figure::chart::{Axis, Chart, Entry, Swatch};
use crate::report::figure::palette::{Ink, Stroke, dash};
use crate::report::figure::scale::{Layout, Scale, short};
use crate::report::figure::{Data, Figure};
use crate::report::series::{cactus, cdf};
use crate::report::study::{Arm, Member, Run, Study};

/// The result sets of an arm's runs, pooled, and the longest limit at which they were measured.
struct Pool {
    members: Vec<Member>,
    limit: f64,
}

impl Pool {
    fn of(arm: &Arm) -> Self {
        // Times at different limits do not pool: what is unsolved at the lower one might be solved at the higher.
        let again = arm.runs.iter().any(|run| !run.result_set.is_empty());
        let runs = arm.runs.iter().filter(|run| !again || !run.result_set.is_empty());
        let members: Vec<Member> = runs.flat_map(Run::results).collect();
        let limit = members.iter().map(|member| member.limit_seconds).fold(LEAST, f64::max);
        Pool { members, limit }
    }

    fn target(&self) -> Vec<f64> {
        let solved = self.members.iter().filter(|member| member.target_solved());
        solved.map(|member| member.target_seconds.max(LEAST)).collect()
    }

    fn reference(&self) -> Vec<f64> {
        let solved = self.members.iter().filter(|member| member.reference_solved());
        solved.map(|member| member.reference_seconds.max(LEAST)).collect()
    }
}

fn pools(study: &Study) -> Vec<Pool> {
    study.arms.iter().map(Pool::of).collect()
}

fn lack(pools: &[Pool]) -> Option<String> {
    let empty = pools.iter().all(|pool| pool.members.is_empty());
    empty.then(|| "No run has a population yet, so there is no result set to time.".into())
}

/// Where the times come from, in words.
fn source(study: &Study, pools: &[Pool]) -> String {
    let measured = study.runs().filter(|run| !run.result_set.is_empty()).count();
    let limits = seconds_list(pools.iter().map(|pool| pool.limit).collect());
    let whence = if measured == 0 {
        "times are those of the search (final populations, or the last recorded ones of unfinished runs)".to_owned()
    } else if measured == study.runs().count() {
        "both solvers ran again on every member of the result sets".to_owned()
    } else {
        format!(
            "both solvers ran again on the result sets of {}; of arms without such a run, times are those of the search, and \
             of arms with one, the other runs are left out",
            count(measured, "run")
        )
    };
    format!("CPU time; {whence}; limit {limits}. Result sets of {}, repeats pooled.", pooled(study))
}

fn reference_stroke(arm: usize) -> Stroke {
    Stroke { opacity: 0.75, ..Stroke::solid(Ink::Series(arm), 1.1).dashed(dash(arm)) }
}

/// The distribution of the target's times.
pub(super) fn cdf_figure(study: &Study) -> Figure {
    let pools = pools(study);
    let (target, _) = study.solvers();
    Figure {
        name: "cdf",
        title: "Distribution of the target's solving times",
        caption: format!(
            "The share of the result set that {target} solves (answers sat or unsat) within a time, as in the paper's Fig. 3. \
             Instances that it does not solve are not dropped: each curve ends below 1, and what is missing there is \
             the share that {target} could not solve within the limit (dashed vertical line). A curve further to the lower right is a \
             harder result set. {}",
            source(study, &pools)
        ),
        drawing: lack(&pools).map_or_else(|| Ok(draw_cdf(study, &pools)), Err),
        data: data(study, &pools),
    }
}

fn draw_cdf(study: &Study, pools: &[Pool]) -> Drawing {
    let times = pools.iter().flat_map(|pool| pool.target().into_iter().chain([pool.limit]));
    let x = Axis::new("CPU time of the target [s]", Scale::logarithmic(times));
    let y = Axis::new("share of the result set solved [1]", Scale { layout: Layout::Linear, low: 0.0, high: 1.0 });
    let legend: Vec<Entry> = study.arms.iter().enumerate().map(|(number, arm)| line_entry(number, &arm.name)).collect();
    let start = x.scale.low;
    let chart = Chart::new(WIDE, &x, &y, &legend);
    for (limit, label) in limits(pools) {
        chart.vertical(limit, &label);
    }
    for (arm, pool) in pools.iter().enumerate().filter(|(_, pool)| !pool.members.is_empty()) {
        let mut line = vec![(start, 0.0)];
        for (time, share) in cdf(&pool.target(), pool.members.len()) {
            let before = line.last().map_or(0.0, |last| last.1);
            line.extend([(time, before), (time, share)]);
        }
        let end = line.last().map_or(0.0, |last| last.1);
        line.push((pool.limit, end));
        chart.line(&line, arm_stroke(arm));
    }
    chart.finish()
}

/// The different limits, each with its label.
fn limits(pools: &[Pool]) -> impl Iterator<Item = (f64, String)> {
    let mut limits: Vec<f64> = pools.iter().map(|pool| pool.limit).collect();
    limits.sort_by(f64::total_cmp);
    limits.dedup();
    limits.into_iter().map(|limit| (limit, format!("limit {} s", short(limit))))
}

/// The cactus plot of both solvers.
pub(super) fn cactus_figure(study: &Study) -> Figure {
    let pools = pools(study);
    let (target, reference) = study.solvers();
    Figure {
        name: "cactus",
        title: "Instances solved by target and reference",
        caption: format!(
            "Cactus (quantile) plot: the n easiest instances for a solver are each solved within the time at n. Thick \
             lines are {target}, thin lines {reference}; solvers sort the instances differently. A line that ends early leaves \
             more unsolved, and the distance between an arm's two lines is how much slower the target is. {}",
            source(study, &pools)
        ),
        drawing: lack(&pools).map_or_else(|| Ok(draw_cactus(study, &pools)), Err),
        data: data(study, &pools),
    }
}

fn draw_cactus(study: &Study, pools: &[Pool]) -> Drawing {
    let times = pools.iter().flat_map(|pool| pool.target().into_iter().chain(pool.reference()).chain([pool.limit]));
    let y = Axis::new("CPU time per instance [s]", Scale::logarithmic(times));
    let counts = pools.iter().map(|pool| pool.members.len() as f64);
    let x = Axis::new("instances solved [count]", Scale::linear_up_to(counts));
    let mut legend = Vec::new();
    for (number, arm) in study.arms.iter().enumerate() {
        let (target, reference) = study.solvers();
        let prefix = if study.compares() { format!("{}: ", arm.name) } else { String::new() };
        legend.push(line_entry(number, &format!("{prefix}{target}")));
        let swatch = Swatch::Line(reference_stroke(number));
        legend.push(Entry { swatch, label: format!("{prefix}{reference}") });
    }
    let chart = Chart::new(WIDE, &x, &y, &legend);
    for (limit, label) in limits(pools) {
        chart.horizontal(limit, &label);
    }
    for (arm, pool) in pools.iter().enumerate() {
        chart.line(&cactus(&pool.reference()), reference_stroke(arm));
        chart.line(&cactus(&pool.target()), arm_stroke(arm));
    }
    chart.finish()
}

fn data(study: &Study, pools: &[Pool]) -> Data {
    let columns =
        ["arm", "id", "limit_seconds", "target_result", "target_seconds", "reference_result", "reference_seconds"];
    let mut data = Data::new(&columns);
    for (arm, pool) in study.arms.iter().zip(pools) {
        for member in &pool.members {
            data.push([
                arm.name.clone(),
                member.id.to_string(),
                member.limit_seconds.to_string(),
                member.target_result.clone(),
                member.target_seconds.to_string(),
                member.reference_result.clone(),
                member.reference_seconds.to_string(),
            ]);
        }
    }
    data
}
