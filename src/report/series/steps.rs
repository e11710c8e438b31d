//! Growth curves of several runs: step functions, resampled on one grid, and what is in the middle of them.

use crate::experiment::statistics::quantile;

/// One run's curve: (place, value), places ascending. It has each value from its place on, up to the last place; before
/// the first and after the last it has none.
pub type Trace = Vec<(f64, f64)>;

/// The middle of several runs at one place.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Band {
    pub place: f64,
    pub low: f64,
    pub median: f64,
    pub high: f64,
    /// Runs that have a value here.
    pub runs: usize,
}

/// From so many runs on, the band is the interquartile range; with fewer it is the whole range.
const QUARTILES_FROM: usize = 4;

/// The median of the traces at each place of the grid, with a band: minimum to maximum of up to three traces, the
/// quartiles of four and more. Only where more than half of the traces have a value.
pub fn band(traces: &[Trace], grid: &[f64]) -> Vec<Band> {
    let at = |place: f64| {
        let values: Vec<f64> = traces.iter().filter_map(|trace| value_at(trace, place)).collect();
        let tail = if traces.len() >= QUARTILES_FROM { 0.25 } else { 0.0 };
        let part = |share| quantile(&values, share);
        let band = Band { place, low: part(tail)?, median: part(0.5)?, high: part(1.0 - tail)?, runs: values.len() };
        (2 * values.len() > traces.len()).then_some(band)
    };
    grid.iter().filter_map(|place| at(*place)).collect()
}

/// The value of a step function, without going beyond its ends.
fn value_at(trace: &Trace, place: f64) -> Option<f64> {
    if place > trace.last()?.0 {
        return None;
    }
    let after = trace.partition_point(|(start, _)| *start <= place);
    after.checked_sub(1).map(|index| trace[index].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_function_keeps_its_value_and_has_ends() {
        let trace = vec![(1.0, 10.0), (3.0, 20.0)];
        assert_eq!(
            [0.9, 1.0, 2.9, 3.0, 3.1].map(|place| value_at(&trace, place)),
            [None, Some(10.0), Some(10.0), Some(20.0), None]
        );
        assert_eq!(value_at(&Vec::new(), 1.0), None);
    }

    #[test]
    fn the_band_of_three_runs_is_their_range_where_most_of_them_are() {
        let traces = [vec![(0.0, 1.0), (4.0, 3.0)], vec![(0.0, 2.0), (2.0, 8.0)], vec![(1.0, 5.0), (4.0, 6.0)]];
        let bands = band(&traces, &[0.0, 1.0, 2.0, 3.0, 4.0]);
        let rows: Vec<_> = bands.iter().map(|band| (band.place, band.low, band.median, band.high, band.runs)).collect();
        assert_eq!(
            rows,
            [
                (0.0, 1.0, 1.5, 2.0, 2),
                (1.0, 1.0, 2.0, 5.0, 3),
                (2.0, 1.0, 5.0, 8.0, 3),
                (3.0, 1.0, 3.0, 5.0, 2),
                (4.0, 3.0, 4.5, 6.0, 2)
            ]
        );
    }

    #[test]
    fn the_band_of_four_runs_is_between_the_quartiles() {
        let traces: Vec<Trace> = [1.0, 2.0, 4.0, 8.0].map(|value| vec![(0.0, value)]).into();
        let bands = band(&traces, &[0.0, 1.0]);
        assert_eq!(bands, [Band { place: 0.0, low: 1.75, median: 3.0, high: 5.0, runs: 4 }]);
    }
}
