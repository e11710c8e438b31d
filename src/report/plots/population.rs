//! Timeouts and convergence time against population size, relative to the baseline (the paper's Fig. 6). Only where arms
//! differ in their population.

use super::{HALF, pooled};
use crate::experiment::Runs;
use crate::experiment::statistics::{convergence, mean, median};
use crate::report::figure::canvas::Drawing;
use crate::report::figure::chart::{Axis, Chart};
use crate::report::figure::palette::{Ink, Shape, Stroke};
use crate::report::figure::scale::{Scale, short};
use crate::report::figure::{Data, Figure};
use crate::report::study::{Arm, Run, Study};

/// The paper's population, which is the baseline unless the experiment has another.
const PAPER: u32 = 40;

/// What is compared.
struct Quantity {
    name: &'static str,
    title: &'static str,
    axis: &'static str,
    meaning: &'static str,
    of: fn(&Run) -> Option<f64>,
}

const QUANTITIES: [Quantity; 2] = [
    Quantity {
        name: "population-timeouts",
        title: "Timeouts against population size",
        axis: "timeouts, relative [1]",
        meaning: "Members of the result set on which the target ran out of time or memory, at the highest limit at \
                  which they were run.",
        of: |run| Some(run.results().iter().filter(|member| member.target_ran_out()).count() as f64),
    },
    Quantity {
        name: "population-convergence",
        title: "Convergence time against population size",
        axis: "convergence time, relative [1]",
        meaning: "Solver CPU time charged to the search until the mean t-score stayed within 5 % of its final value.",
        of: |run| {
            let points: Vec<_> = run.generations.iter().map(|row| (row.charged_seconds, row.mean_t_score)).collect();
            convergence(&points)
        },
    },
];

/// The values of one population size, relative to the baseline's median.
struct Column {
    population: f64,
    values: Vec<f64>,
}

/// The figures; none where all runs have the same population.
pub(super) fn figures(study: &Study) -> Vec<Figure> {
    if study.distinct(|run| run.config.population).len() < 2 {
        return Vec::new();
    }
    QUANTITIES.iter().map(|quantity| figure(study, quantity)).collect()
}

fn figure(study: &Study, quantity: &Quantity) -> Figure {
    let baseline = baseline(study);
    let unit = baseline.and_then(|arm| median(&values(arm, quantity))).filter(|unit| *unit > 0.0);
    let columns = unit.map(|unit| columns(study, quantity, unit)).unwrap_or_default();
    let name = baseline.map_or("the baseline", |arm| arm.name.as_str());
    Figure {
        name: quantity.name,
        title: quantity.title,
        caption: format!(
            "{} As in the paper's Fig. 6 relative to {name}{}. The line joins medians over repeats; crosses are single \
             runs. {}.",
            quantity.meaning,
            unit.map_or_else(String::new, |unit| format!(", whose median is {}", short(unit))),
            pooled(study)
        ),
        drawing: if columns.is_empty() {
            Err(format!("There is nothing to relate to: {name} has no value above 0 yet."))
        } else {
            Ok(draw(quantity, &columns))
        },
        data: data(&columns),
    }
}

/// The experiment's baseline, or the arm with the paper's population, or the first.
fn baseline(study: &Study) -> Option<&Arm> {
    let planned = study.experiments.first().and_then(|experiment| match &experiment.folder.plan().runs {
        Runs::Campaigns(campaigns) => Some(campaigns.baseline.as_str()),
        Runs::Hunts(_) | Runs::Coverage(_) => None,
    });
    let named = study.arms.iter().find(|arm| Some(arm.name.as_str()) == planned);
    let papers = || study.arms.iter().find(|arm| arm.runs.iter().all(|run| run.config.population == PAPER));
    named.or_else(papers).or(study.arms.first())
}

fn values(arm: &Arm, quantity: &Quantity) -> Vec<f64> {
    arm.runs.iter().filter_map(quantity.of).collect()
}

fn columns(study: &Study, quantity: &Quantity, unit: f64) -> Vec<Column> {
    let column = |arm: &Arm| {
        let populations: Vec<f64> = arm.runs.iter().map(|run| f64::from(run.config.population)).collect();
        let values: Vec<f64> = values(arm, quantity).into_iter().map(|value| value / unit).collect();
        Some(Column { population: mean(&populations)?, values }).filter(|column| !column.values.is_empty())
    };
    let mut columns: Vec<Column> = study.arms.iter().filter_map(column).collect();
    columns.sort_by(|one, other| one.population.total_cmp(&other.population));
    columns
}

fn draw(quantity: &Quantity, columns: &[Column]) -> Drawing {
    let x = Axis::new("population [individuals]", Scale::linear_from_zero(columns.iter().map(|it| it.population)));
    let values = columns.iter().flat_map(|column| column.values.iter().copied());
    let chart = Chart::new(HALF, &x, &Axis::new(quantity.axis, Scale::linear_from_zero(values.chain([1.0]))), &[]);
    chart.horizontal(1.0, "baseline");
    let medians: Vec<(f64, f64)> =
        columns.iter().filter_map(|column| Some((column.population, median(&column.values)?))).collect();
    chart.line(&medians, Stroke::solid(Ink::Series(0), 2.0));
    for column in columns {
        for value in &column.values {
            let (x, y) = chart.at((column.population, *value));
            for (dx, dy) in [(4.0, 4.0), (4.0, -4.0)] {
                chart.canvas.path(vec![(x - dx, y - dy), (x + dx, y + dy)], Stroke::solid(Ink::Muted, 1.2));
            }
        }
    }
    for point in medians {
        let title = format!("population {}: {}", short(point.0), short(point.1));
        chart.marker(point, Shape::Circle, 5.0, Ink::Series(0), &title);
    }
    chart.finish()
}

fn data(columns: &[Column]) -> Data {
    let mut data = Data::new(&["population", "relative"]);
    for column in columns {
        for value in &column.values {
            data.push([column.population.to_string(), value.to_string()]);
        }
    }
    data
}
