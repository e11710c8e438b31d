//! The search's progress (the paper's Fig. 4, and the same against what it cost).

use super::{HALF, WIDE, arm_stroke, line_entry, pooled};
use crate::experiment::Discovery;
use crate::record::format::GenerationRow;
use crate::report::figure::canvas::Drawing;
use crate::report::figure::chart::{Axis, Chart, Entry};
use crate::report::figure::palette::Ink;
use crate::report::figure::scale::Scale;
use crate::report::figure::{Data, Figure};
use crate::report::series::{Band, Trace, band};
use crate::report::study::{Arm, Run, Study};

/// Places of the common grid.
const GRID: u32 = 240;

/// Where the values are.
#[derive(Clone, Copy)]
enum Of {
    /// One at the end of each generation.
    Generation(fn(&GenerationRow) -> f64),
    /// As many as a run has.
    Run(fn(&Run) -> Trace),
}

impl Of {
    /// When a run has a value.
    fn told(self) -> &'static str {
        match self {
            Of::Generation(_) => {
                "A run has a value from the end of each generation to the end of the next; lines are drawn where more than \
                 half of an arm's runs have one, and never beyond a run's last generation."
            }
            Of::Run(_) => "Lines are drawn where more than half of an arm's runs were still going on.",
        }
    }
}

/// A quantity that grows in a search.
struct Quantity {
    name: &'static str,
    title: &'static str,
    axis: &'static str,
    meaning: &'static str,
    of: Of,
    /// Whether it is shown against generations, instead of solver time.
    by_generation: bool,
    /// Whether its axis begins at zero, because zero means something that is near.
    from_zero: bool,
}

const COST: &str = "solver CPU time charged to the search [s]";

const QUANTITIES: [Quantity; 5] = [
    Quantity {
        name: "convergence-t-score",
        title: "Mean t-score of the population",
        axis: "mean t-score [s]",
        meaning: "Eq. 1, mean over the population after selection; its maximum is twice the search limit.",
        of: Of::Generation(|row| row.mean_t_score),
        by_generation: false,
        from_zero: true,
    },
    Quantity {
        name: "convergence-lines",
        title: "Lines of the target covered so far",
        axis: "lines covered by the run [lines]",
        meaning: "Lines of the target that any instance of the run executed.",
        of: Of::Generation(|row| row.total_lines as f64),
        by_generation: false,
        from_zero: false,
    },
    Quantity {
        name: "convergence-hypervolume",
        title: "Hypervolume of the population",
        axis: "hypervolume [1000 lines]",
        meaning: "The volume that the population dominates: t-score over twice the limit, times lines covered in \
                  thousands, times 1 \u{2212} complexity \u{2044} 1000. Larger is a better front.",
        of: Of::Generation(|row| row.hypervolume),
        by_generation: false,
        from_zero: false,
    },
    Quantity {
        name: "convergence-timeouts",
        title: "Timeouts in the population",
        axis: "members that time out [count]",
        meaning: "Members of the population that the target did not answer within the search limit.",
        of: Of::Generation(|row| row.timeouts as f64),
        by_generation: false,
        from_zero: true,
    },
    Quantity {
        name: "convergence-generations",
        title: "Mean t-score against generations",
        axis: "mean t-score [s]",
        meaning: "As in the paper's Fig. 4: Eq. 1, mean over the population after selection. Generations of different \
                  arms do not cost the same.",
        of: Of::Generation(|row| row.mean_t_score),
        by_generation: true,
        from_zero: true,
    },
];

const RATE: Quantity = Quantity {
    name: "evaluations",
    title: "Evaluations against solver time",
    axis: "evaluations [count]",
    meaning: "Instances evaluated so far; the slope is the rate. It falls when the search breeds instances that take \
              the solvers longer, which is its purpose.",
    of: Of::Generation(|row| row.total_evaluations as f64),
    by_generation: false,
    from_zero: true,
};

const DISCOVERY: Quantity = Quantity {
    name: "discovery",
    title: "Distinct confirmed defects",
    axis: "distinct confirmed defects [count]",
    meaning: "Defects that the triage after the search tells apart and confirms. Each counts from the moment on in which the \
              first of its instances was evaluated.",
    of: Of::Run(|run| run.discovery.as_ref().map_or_else(Trace::new, steps_of)),
    by_generation: false,
    from_zero: true,
};

/// One more with each defect, from nothing at the beginning to all at the end.
fn steps_of(discovery: &Discovery) -> Trace {
    let found = discovery.found.iter().enumerate().map(|(index, moment)| (*moment, index as f64 + 1.0));
    let end = (discovery.end, discovery.found.len() as f64);
    std::iter::once((0.0, 0.0)).chain(found).chain([end]).collect()
}

/// How many evaluations the solver time paid for.
pub(super) fn rate_figure(study: &Study) -> Figure {
    figure(study, &RATE)
}

/// The figures.
pub(super) fn figures(study: &Study) -> Vec<Figure> {
    let counts = study.runs().any(|run| run.total_lines().is_some() || run.generations.is_empty());
    // Where nothing counted lines there is nothing to say of them.
    let is_told = |quantity: &&Quantity| counts || !quantity.axis.contains("lines");
    let discovery = study.runs().any(|run| run.discovery.is_some()).then_some(&DISCOVERY);
    QUANTITIES.iter().filter(is_told).chain(discovery).map(|quantity| figure(study, quantity)).collect()
}

fn figure(study: &Study, quantity: &Quantity) -> Figure {
    let repeats = study.arms.iter().map(|arm| arm.runs.len()).max().unwrap_or(0);
    let several = study.arms.iter().any(|arm| (2..4).contains(&arm.runs.len()));
    let what = match (repeats, several) {
        (..2, _) => "One run per line",
        (2..4, _) => "Lines are medians over repeats, bands run from the least to the greatest",
        (_, false) => "Lines are medians over repeats, bands are interquartile ranges",
        (_, true) => {
            "Lines are medians over repeats, bands are interquartile ranges (of four and more runs) or whole ranges"
        }
    };
    let curves = curves(study, quantity);
    let empty = curves.iter().all(Vec::is_empty);
    Figure {
        name: quantity.name,
        title: quantity.title,
        caption: format!("{} {what}. {} {}.", quantity.meaning, quantity.of.told(), pooled(study)),
        drawing: if empty {
            Err("No generation is complete yet: the first is recorded when generation 0 ends.".into())
        } else {
            Ok(draw(study, quantity, &curves))
        },
        data: data(study, &curves),
    }
}

fn traces(arm: &Arm, quantity: &Quantity) -> Vec<Trace> {
    let place = |row: &GenerationRow| {
        if quantity.by_generation { f64::from(row.generation) } else { row.charged_seconds }
    };
    let trace = |run: &Run| match quantity.of {
        Of::Generation(of) => run.generations.iter().map(|row| (place(row), of(row))).collect(),
        Of::Run(of) => of(run),
    };
    arm.runs.iter().map(trace).collect()
}

fn curves(study: &Study, quantity: &Quantity) -> Vec<Vec<Band>> {
    let traces: Vec<Vec<Trace>> = study.arms.iter().map(|arm| traces(arm, quantity)).collect();
    let end = traces.iter().flatten().filter_map(|trace| trace.last()).map(|last| last.0).fold(0.0, f64::max);
    let steps = if quantity.by_generation { end as u32 } else { GRID };
    let mut grid: Vec<f64> = (0..=steps).map(|step| end * f64::from(step) / f64::from(steps.max(1))).collect();
    // A single run's own steps are exact.
    if !quantity.by_generation && traces.iter().all(|arm| arm.len() == 1) {
        grid.extend(traces.iter().flatten().flatten().map(|(place, _)| *place));
        grid.sort_by(f64::total_cmp);
        grid.dedup();
    }
    traces.iter().map(|arm| band(arm, &grid)).collect()
}

fn draw(study: &Study, quantity: &Quantity, curves: &[Vec<Band>]) -> Drawing {
    let all = || curves.iter().flatten();
    let x_title = if quantity.by_generation { "generation [count]" } else { COST };
    let x = Axis::new(x_title, Scale::linear_up_to(all().map(|band| band.place)));
    let values = all().flat_map(|band| [band.low, band.high]);
    let y = Axis::new(
        quantity.axis,
        if quantity.from_zero { Scale::linear_from_zero(values) } else { Scale::linear(values) },
    );
    let legend: Vec<Entry> = study.arms.iter().enumerate().map(|(number, arm)| line_entry(number, &arm.name)).collect();
    let size = if quantity.by_generation { WIDE } else { HALF };
    let chart = Chart::new(size, &x, &y, &legend);
    for (arm, curve) in curves.iter().enumerate().filter(|(arm, _)| study.arms[*arm].runs.len() > 1) {
        let upper = steps(curve, |band| band.high, quantity.by_generation);
        let lower = steps(curve, |band| band.low, quantity.by_generation).into_iter().rev();
        chart.area(&upper.into_iter().chain(lower).collect::<Vec<_>>(), Ink::Series(arm), 0.16);
    }
    for (arm, curve) in curves.iter().enumerate() {
        chart.line(&steps(curve, |band| band.median, quantity.by_generation), arm_stroke(arm));
    }
    chart.finish()
}

/// A curve of steps, or of straight lines between generations.
fn steps(curve: &[Band], of: impl Fn(&Band) -> f64, straight: bool) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    for band in curve {
        let value = of(band);
        if let Some(before) = points.last().map(|last| last.1).filter(|before| !straight && *before != value) {
            points.push((band.place, before));
        }
        points.push((band.place, value));
    }
    points
}

fn data(study: &Study, curves: &[Vec<Band>]) -> Data {
    let mut data = Data::new(&["arm", "place", "runs", "low", "median", "high"]);
    for (arm, curve) in study.arms.iter().zip(curves) {
        for Band { place, low, median, high, runs } in curve {
            let [place, low, median, high] = [place, low, median, high].map(ToString::to_string);
            data.push([arm.name.clone(), place, runs.to_string(), low, median, high]);
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_defect_is_one_step() {
        let discovery = Discovery { found: vec![2.0, 2.0, 5.0], end: 9.0 };
        assert_eq!(steps_of(&discovery), [(0.0, 0.0), (2.0, 1.0), (2.0, 2.0), (5.0, 3.0), (9.0, 3.0)]);
    }
}
