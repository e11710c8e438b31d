//! The Pareto front (the paper's Fig. 5): in three dimensions, and its three projections.

use super::{THIRD, WIDE, marker_entry, pooled};
use crate::report::figure::canvas::Drawing;
use crate::report::figure::chart::{Axis, Chart, Entry, Swatch};
use crate::report::figure::palette::{Ink, Shape};
use crate::report::figure::scale::{Scale, short};
use crate::report::figure::space::{self, SpacePoint};
use crate::report::figure::{Data, Figure};
use crate::report::study::{Run, Study};

/// A member of a front, or of a population.
struct Point {
    arm: usize,
    run: String,
    id: u32,
    on_front: bool,
    /// t-score, seconds; lines covered; complexity.
    objectives: [f64; 3],
    result: String,
}

const TITLES: [&str; 3] = ["t-score [s]", "lines covered [lines]", "complexity [nodes and assertions]"];

/// The four figures.
pub(super) fn figures(study: &Study) -> Vec<Figure> {
    let points = points(study);
    let lack = lack(study, &points);
    let drawn = |draw: &dyn Fn() -> Drawing| lack.clone().map_or_else(|| Ok(draw()), Err);
    let data = data(study, &points);
    let figure = |name, title, caption: String, axes: Option<(usize, usize)>| Figure {
        name,
        title,
        caption: if axes.is_none() { format!("{caption} {}", source(study)) } else { caption },
        drawing: drawn(&|| match axes {
            None => in_space(study, &points),
            Some(axes) => projection(study, &points, axes),
        }),
        data: data.clone(),
    };
    let rest = if study.compares() { "" } else { " Small dots are the rest of the population." };
    let flat = |what: &str| {
        format!(
            "{what} Members of the front may look dominated here, where the third objective is not shown.{rest} Quantities as above."
        )
    };
    vec![
        figure(
            "pareto-space",
            "Pareto front in the three objectives",
            format!(
                "Each marker is an instance that no other in its final population beats in all objectives; stems reach \
                 down to the floor. As in the paper's Fig. 5, each objective is normalised to 0 to 1 over all points shown, \
                 and 1 is best: {}. Markers near the far upper corner are good in everything; a wide spread \
                 means diverse instances.",
                ranges(&points)
            ),
            None,
        ),
        figure(
            "pareto-time-lines",
            "Front: time against coverage",
            flat("Upper right is best: slow for the target, and much of its code runs."),
            Some((0, 1)),
        ),
        figure(
            "pareto-time-complexity",
            "Front: time against complexity",
            flat("Lower right is best: slow for the target, and small enough to read."),
            Some((0, 2)),
        ),
        figure(
            "pareto-lines-complexity",
            "Front: coverage against complexity",
            flat(
                "Lower right is best. That the points rise to the right shows the conflict between the two: small instances run less code.",
            ),
            Some((1, 2)),
        ),
    ]
}

fn source(study: &Study) -> String {
    format!(
        "t-score: Eq. 1 at the search limit; lines: lines of the target that ran at least once (comparable between runs, \
         as the coverage score is not); complexity: Eq. 2 without its sign. Fronts of {}.",
        pooled(study)
    )
}

fn lack(study: &Study, points: &[Point]) -> Option<String> {
    if !points.is_empty() {
        return None;
    }
    let counted = study.runs().flat_map(|run| &run.evaluations).any(|row| row.lines_covered.is_some());
    Some(if counted {
        "No population is complete yet: a run writes its first one at the end of generation 0.".into()
    } else {
        "No lines were counted in these runs (no instrumented target), so there is no front in three objectives.".into()
    })
}

fn points(study: &Study) -> Vec<Point> {
    let mut points = Vec::new();
    for (arm, runs) in study.arms.iter().enumerate() {
        for run in &runs.runs {
            let members: Vec<Point> = run.members.iter().filter_map(|id| member(arm, run, *id)).collect();
            let front = front(run, &members);
            let kept = members.into_iter().zip(front).map(|(member, on_front)| Point { on_front, ..member });
            points.extend(kept.filter(|member| member.on_front || !study.compares()));
        }
    }
    points
}

fn member(arm: usize, run: &Run, id: u32) -> Option<Point> {
    let row = run.evaluation(id)?;
    let objectives = [row.t_score, row.lines_covered? as f64, row.complexity as f64];
    let result = row.target_result.clone();
    Some(Point { arm, run: run.label.clone(), id, on_front: false, objectives, result })
}

/// Which members are on the front: as `front.csv` says, or, in a run that is not finished, those that no other
/// dominates in the three objectives that are drawn.
fn front(run: &Run, members: &[Point]) -> Vec<bool> {
    let recorded = |member: &Point| run.front.iter().any(|row| row.id == member.id);
    let dominates = |one: &[f64; 3], other: &[f64; 3]| {
        one[0] >= other[0] && one[1] >= other[1] && one[2] <= other[2] && one != other
    };
    let dominated = |member: &Point| members.iter().any(|other| dominates(&other.objectives, &member.objectives));
    members.iter().map(|member| if run.front.is_empty() { !dominated(member) } else { recorded(member) }).collect()
}

fn extent(points: &[Point], objective: usize) -> (f64, f64) {
    let values = || points.iter().filter(|point| point.on_front).map(|point| point.objectives[objective]);
    (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
}

fn ranges(points: &[Point]) -> String {
    let [time, lines, complexity] = [0, 1, 2].map(|objective| extent(points, objective));
    format!(
        "t-score {} s to {} s, lines {} to {}, complexity {} (worst) to {} (best)",
        short(time.0),
        short(time.1),
        short(lines.0),
        short(lines.1),
        short(complexity.1),
        short(complexity.0)
    )
}

fn tooltip(point: &Point) -> String {
    let [time, lines, complexity] = point.objectives;
    format!(
        "{}, individual {}: t-score {} s ({}), {} lines, complexity {complexity}",
        point.run,
        point.id,
        short(time),
        point.result,
        short(lines)
    )
}

fn legend(study: &Study, with_rest: bool) -> Vec<Entry> {
    if study.compares() {
        return study.arms.iter().enumerate().map(|(number, arm)| marker_entry(number, &arm.name)).collect();
    }
    let mut entries = vec![marker_entry(0, "Pareto front")];
    if with_rest {
        entries.push(Entry { swatch: Swatch::Dot(Ink::Muted), label: "rest of the population".into() });
    }
    entries
}

fn in_space(study: &Study, points: &[Point]) -> Drawing {
    let ranges = [0, 1, 2].map(|objective| extent(points, objective));
    let share = |point: &Point, objective: usize| {
        let (low, high) = ranges[objective];
        let share = if high > low { (point.objectives[objective] - low) / (high - low) } else { 0.5 };
        if objective == 2 { 1.0 - share } else { share }
    };
    let placed = points.iter().filter(|point| point.on_front).map(|point| SpacePoint {
        at: [share(point, 2), share(point, 1), share(point, 0)],
        shape: Shape::of_series(point.arm),
        ink: Ink::Series(point.arm),
        title: tooltip(point),
    });
    let titles = ["simplicity [1 = least complex]", "lines covered [normalised]", "t-score [normalised]"];
    space::draw((WIDE.0, 500.0), titles, placed.collect(), &legend(study, false))
}

fn projection(study: &Study, points: &[Point], (x, y): (usize, usize)) -> Drawing {
    let axis = |objective: usize| {
        Axis::new(TITLES[objective], Scale::linear(points.iter().map(|point| point.objectives[objective])))
    };
    let chart = Chart::new(THIRD, &axis(x), &axis(y), &legend(study, true));
    for point in points.iter().filter(|point| !point.on_front) {
        chart.canvas.dot(chart.at((point.objectives[x], point.objectives[y])), 2.0, Ink::Muted, 0.7);
    }
    for point in points.iter().filter(|point| point.on_front) {
        let at = (point.objectives[x], point.objectives[y]);
        chart.marker(at, Shape::of_series(point.arm), 4.5, Ink::Series(point.arm), &tooltip(point));
    }
    chart.finish()
}

fn data(study: &Study, points: &[Point]) -> Data {
    let mut data =
        Data::new(&["arm", "run", "id", "on_front", "t_score_seconds", "lines_covered", "complexity", "target_result"]);
    for point in points {
        let [time, lines, complexity] = point.objectives.map(|value| value.to_string());
        let arm = study.arms[point.arm].name.clone();
        data.push([
            arm,
            point.run.clone(),
            point.id.to_string(),
            point.on_front.to_string(),
            time,
            lines,
            complexity,
            point.result.clone(),
        ]);
    }
    data
}
