//! The plots of a report, one file each: numbers of a [`Study`] → [`Figure`].

mod convergence;
mod cost;
pub(super) mod growth;
pub(super) mod heat_map;
pub(super) mod operators;
mod pareto;
mod population;
pub(super) mod releases;
pub(super) mod scatter;
mod solved;

use super::figure::Figure;
use super::figure::chart::{Entry, Swatch};
use super::figure::palette::{Ink, Shape, Stroke, dash};
use super::figure::scale::short;
use super::study::Study;

/// Size of a plot over the page's whole width, figure units.
const WIDE: (f64, f64) = (760.0, 430.0);
/// Size of one of two plots beside each other, figure units.
const HALF: (f64, f64) = (560.0, 380.0);
/// Size of one of three plots beside each other, figure units.
const THIRD: (f64, f64) = (430.0, 350.0);
/// Times below this are drawn at it, CPU seconds: the clock does not tell them apart.
const LEAST: f64 = 0.001;

/// All plots, in the order of the page.
#[derive(Debug)]
pub(super) struct Plots {
    /// The Pareto front in space, and its projections.
    pub(super) pareto: Vec<Figure>,
    /// Distribution of solving times, and the cactus plot.
    pub(super) solved: Vec<Figure>,
    /// The search's progress.
    pub(super) convergence: Vec<Figure>,
    /// What population sizes change.
    pub(super) population: Vec<Figure>,
    /// Target against reference.
    pub(super) scatter: Vec<Figure>,
    /// What operators came to.
    pub(super) operators: Vec<Figure>,
    /// Where solver time went.
    pub(super) cost: Vec<Figure>,
}

impl Plots {
    /// Draws them.
    pub(super) fn of(study: &Study) -> Self {
        Plots {
            pareto: pareto::figures(study),
            solved: vec![solved::cdf_figure(study), solved::cactus_figure(study)],
            convergence: convergence::figures(study),
            population: population::figures(study),
            scatter: vec![scatter::figure(study)],
            operators: vec![operators::figure(study)],
            cost: vec![cost::time_figure(study), convergence::rate_figure(study)],
        }
    }

    /// All of them, in order.
    pub(super) fn all(&self) -> impl Iterator<Item = &Figure> {
        let Plots { pareto, solved, convergence, population, scatter, operators, cost } = self;
        [pareto, solved, convergence, population, scatter, operators, cost].into_iter().flatten()
    }
}

/// The legend of an arm's line.
fn line_entry(arm: usize, name: &str) -> Entry {
    Entry { swatch: Swatch::Line(arm_stroke(arm)), label: name.to_owned() }
}

/// The legend of an arm's marker.
fn marker_entry(arm: usize, name: &str) -> Entry {
    Entry { swatch: Swatch::Marker(Shape::of_series(arm), Ink::Series(arm)), label: name.to_owned() }
}

fn arm_stroke(arm: usize) -> Stroke {
    Stroke::solid(Ink::Series(arm), 2.0).dashed(dash(arm))
}

/// `3 runs of default and 3 of stringfuzz`; the sentence that captions end with.
fn pooled(study: &Study) -> String {
    let arms: Vec<String> =
        study.arms.iter().map(|arm| format!("{} of {}", count(arm.runs.len(), "run"), arm.name)).collect();
    arms.join(", ")
}

/// `1 run`, `2 runs`.
pub(super) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// `1 s and 5 s`.
fn seconds_list(mut seconds: Vec<f64>) -> String {
    seconds.sort_by(f64::total_cmp);
    seconds.dedup();
    seconds.iter().map(|seconds| format!("{} s", short(*seconds))).collect::<Vec<_>>().join(" and ")
}
