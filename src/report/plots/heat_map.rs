//! Instances against solvers, as a heat map.

use crate::matrix::{Matrix, Verdict};
use crate::report::figure::canvas::{Align, Canvas, Drawing};
use crate::report::figure::chart::LETTER;
use crate::report::figure::letters::text_width;
use crate::report::figure::palette::{Ink, Stroke};
use crate::report::figure::{Data, Figure};

/// A cell's width and height, figure units.
const CELL: (f64, f64) = (92.0, 26.0);
/// What takes less CPU time than this looks as if it took none, seconds.
const LEAST_SECONDS: f64 = 0.01;
/// The paleness of the shortest run, and the strength of one at the limit.
const OPACITIES: (f64, f64) = (0.08, 0.85);

/// The figure: the darker a cell, the longer the run, on a logarithmic scale; a run that came to no answer is crossed.
pub(in crate::report) fn heat_map(matrix: &Matrix) -> Figure {
    Figure {
        name: "matrix",
        title: "Instances on solvers",
        caption: format!(
            "CPU time of each solver on each instance, by the cell's strength on a logarithmic scale from {LEAST_SECONDS} s \
             to the limit of {} s. Cells say the time of an answer, and otherwise what is wrong with it or why there is none; \
             `?` stands for a solver that does not take the instance.",
            matrix.limit_seconds
        ),
        drawing: if matrix.rows.is_empty() { Err("There are no instances.".into()) } else { Ok(draw(matrix)) },
        data: data(matrix),
    }
}

fn draw(matrix: &Matrix) -> Drawing {
    let names = matrix.rows.iter().map(|row| text_width(&row.instance, LETTER)).fold(0.0, f64::max) + 16.0;
    let top = 40.0;
    let width = names + CELL.0 * matrix.solvers.len() as f64 + 10.0;
    let canvas = Canvas::new(width, top + CELL.1 * matrix.rows.len() as f64 + 34.0);
    for (column, solver) in matrix.solvers.iter().enumerate() {
        let middle = names + CELL.0 * (column as f64 + 0.5);
        // Two lines: a name of a version is as long as a cell is wide.
        let (name, version) = solver.split_once('@').unwrap_or((solver, ""));
        canvas.text((middle, 16.0), name, LETTER, Align::Middle, Ink::Text);
        canvas.text((middle, 32.0), version, LETTER, Align::Middle, Ink::Text);
    }
    for (number, row) in matrix.rows.iter().enumerate() {
        let y = top + CELL.1 * number as f64;
        canvas.text((names - 8.0, y + CELL.1 / 2.0 + 4.0), row.instance.clone(), LETTER, Align::End, Ink::Text);
        for (column, cell) in row.cells.iter().enumerate() {
            let x = names + CELL.0 * column as f64;
            let (ink, opacity, label) = match cell.verdict {
                Verdict::Answers => {
                    (Ink::Series(0), opacity(cell.seconds, matrix.limit_seconds), format!("{:.2}", cell.seconds))
                }
                Verdict::Slow => (Ink::Series(1), OPACITIES.1, "slow".to_owned()),
                Verdict::Wrong => (Ink::Alarm, OPACITIES.1, format!("wrong {}", cell.result)),
                Verdict::GivesUp | Verdict::Fails => (Ink::Series(2), OPACITIES.1, cell.result.to_owned()),
                Verdict::Unclear => (Ink::Grid, 0.4, "?".to_owned()),
            };
            canvas.bar((x + 1.0, y + 1.0), (x + CELL.0 - 1.0, y + CELL.1 - 1.0), ink, opacity);
            let letters = if opacity > 0.6 { Ink::Paper } else { Ink::Text };
            let at = (x + CELL.0 / 2.0, y + CELL.1 / 2.0 + 4.0);
            canvas.text(at, label, LETTER, Align::Middle, letters);
        }
    }
    let bottom = top + CELL.1 * matrix.rows.len() as f64;
    canvas.path(vec![(names, top), (names, bottom), (width - 10.0, bottom)], Stroke::solid(Ink::Text, 1.0));
    let middle = f64::midpoint(names, width);
    canvas.text((middle, bottom + 24.0), "CPU time [s]", LETTER, Align::Middle, Ink::Text);
    canvas.finish()
}

fn opacity(seconds: f64, limit: f64) -> f64 {
    let share = (seconds.max(LEAST_SECONDS) / LEAST_SECONDS).ln() / (limit / LEAST_SECONDS).ln().max(f64::MIN_POSITIVE);
    OPACITIES.0 + share.clamp(0.0, 1.0) * (OPACITIES.1 - OPACITIES.0)
}

fn data(matrix: &Matrix) -> Data {
    let mut data = Data::new(&["instance", "solver", "result", "seconds", "verdict"]);
    for row in &matrix.rows {
        for (cell, solver) in row.cells.iter().zip(&matrix.solvers) {
            let verdict = serde_json::to_value(cell.verdict).ok().and_then(|value| value.as_str().map(str::to_owned));
            let (result, seconds) = (cell.result.to_owned(), format!("{:.6}", cell.seconds));
            data.push([row.instance.clone(), solver.clone(), result, seconds, verdict.unwrap_or_default()]);
        }
    }
    data
}
