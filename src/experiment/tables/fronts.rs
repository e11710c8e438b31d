//! How the Pareto fronts lie in objective space: what the paper's Fig. 5 shows, in numbers.

use super::collect::Collected;
use super::layout::Table;
use super::measure::Measure;
use crate::experiment::ExperimentError;
use crate::experiment::statistics::median;
use crate::record::format::FrontRow;
use crate::record::{names, read_rows};

/// A point in objective space: t-score, lines covered, negative complexity.
type Point = [f64; 3];

/// The table.
///
/// # Errors
/// [`ExperimentError::Record`] if a front cannot be read.
pub(super) fn table(collected: &Collected<'_>) -> Result<Table, ExperimentError> {
    let mut fronts: Vec<Vec<Vec<Point>>> = Vec::new();
    for arm in &collected.arms {
        let read = |root: &std::path::Path| -> Result<Vec<Point>, ExperimentError> {
            let rows: Vec<FrontRow> = read_rows(&root.join(names::FRONT))?;
            Ok(rows.iter().map(point).collect())
        };
        fronts.push(arm.runs.iter().map(|(_, root, _)| read(root)).collect::<Result<_, _>>()?);
    }
    let (low, high) = range(fronts.iter().flatten().flatten());
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for (arm, fronts) in collected.arms.iter().zip(&fronts) {
        let normalised: Vec<Vec<Point>> =
            fronts.iter().map(|front| front.iter().map(|point| scale(point, &low, &high)).collect()).collect();
        let of = |number: fn(&[Point]) -> Option<f64>| {
            median(&normalised.iter().filter_map(|front| number(front)).collect::<Vec<_>>())
        };
        let values = [of(|front| Some(front.len() as f64)), of(distance_between), of(distance_to_nearest)];
        let volume = median(&arm.values(&Measure::HYPERVOLUME));
        let text = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "–".to_owned(), |value| super::layout::grouped(value, digits))
        };
        rows.push(vec![
            arm.arm.label().to_owned(),
            arm.runs.len().to_string(),
            text(values[0], 1),
            text(values[1], 3),
            text(values[2], 3),
            text(volume, 2),
        ]);
        let mut record = vec![arm.arm.name.clone(), arm.runs.len().to_string()];
        record
            .extend(values.into_iter().chain([volume]).map(|value| value.map_or_else(String::new, |v| v.to_string())));
        records.push(record);
    }
    let headings = ["Method", "Runs", "Front size", "Mean distance", "Nearest neighbour", "Hypervolume"];
    Ok(Table {
        name: "fronts".into(),
        title: "How the Pareto fronts lie".into(),
        note: format!(
            "Medians over the runs. Objectives (t-score, lines covered, negative complexity) are normalised to [0, 1] \
             over the fronts of all arms; mean distance between members, and to the nearest other member: the larger, \
             the more scattered. {}.",
            collected.finished()
        ),
        headings: headings.map(str::to_owned).into(),
        rows,
        columns: vec!["arm", "runs", "front_size", "mean_distance", "nearest_distance", "hypervolume"],
        records,
    })
}

fn point(row: &FrontRow) -> Point {
    [row.t_score, row.lines_covered.unwrap_or(0) as f64, -(row.complexity as f64)]
}

fn range<'a>(points: impl Iterator<Item = &'a Point>) -> (Point, Point) {
    points.fold(([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]), |(low, high), point| {
        (
            std::array::from_fn(|axis| low[axis].min(point[axis])),
            std::array::from_fn(|axis| high[axis].max(point[axis])),
        )
    })
}

/// Into the unit cube; an axis on which all agree becomes 0.
fn scale(point: &Point, low: &Point, high: &Point) -> Point {
    std::array::from_fn(|axis| {
        let width = high[axis] - low[axis];
        if width > 0.0 { (point[axis] - low[axis]) / width } else { 0.0 }
    })
}

fn distance(one: &Point, other: &Point) -> f64 {
    one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum::<f64>().sqrt()
}

/// The mean over all pairs; `None` of fewer than two points.
fn distance_between(points: &[Point]) -> Option<f64> {
    let pairs =
        points.iter().enumerate().flat_map(|(index, one)| points[index + 1..].iter().map(move |other| (one, other)));
    let (sum, count) = pairs.fold((0.0, 0), |(sum, count), (one, other)| (sum + distance(one, other), count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// The mean distance to the nearest other point; `None` of fewer than two.
fn distance_to_nearest(points: &[Point]) -> Option<f64> {
    if points.len() < 2 {
        return None;
    }
    let nearest = |index: usize| {
        let others = points.iter().enumerate().filter(|(other, _)| *other != index);
        others.map(|(_, other)| distance(&points[index], other)).fold(f64::INFINITY, f64::min)
    };
    Some((0..points.len()).map(nearest).sum::<f64>() / points.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_a_3_4_5_triangle() {
        let points = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        assert_eq!(distance_between(&points), Some(4.0));
        assert_eq!(distance_to_nearest(&points), Some(10.0 / 3.0));
        assert_eq!(distance_between(&points[..1]), None);
        let (low, high) = range(points.iter());
        assert_eq!(scale(&[1.5, 4.0, 7.0], &low, &high), [0.5, 1.0, 0.0]);
    }
}
