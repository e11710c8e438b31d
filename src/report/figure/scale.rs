//! Axes: values → places, and where the ticks stand.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use crate::number;

/// How values are laid out on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Equal differences are equally long.
    Linear,
    /// Equal ratios are equally long.
    Logarithmic,
}

/// An axis's range and layout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The layout.
    pub layout: Layout,
    /// The least value.
    pub low: f64,
    /// The greatest value; greater than `low`.
    pub high: f64,
}

/// A tick of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where it stands.
    pub value: f64,
    /// What is written at it; empty for a small tick.
    pub label: String,
}

impl Scale {
    /// A linear axis that holds all finite `values`, from a round number to a round number.
    pub fn linear(values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = extent(values).unwrap_or((0.0, 1.0));
        let (low, high) = if low < high { (low, high) } else { (low.min(0.0), low.max(0.0).max(low + 1.0)) };
        let step = step(high - low, 5.0);
        Scale { layout: Layout::Linear, low: (low / step).floor() * step, high: (high / step).ceil() * step }
    }

    /// The same, from 0.
    pub fn linear_from_zero(values: impl IntoIterator<Item = f64>) -> Self {
        Self::linear(values.into_iter().chain([0.0]))
    }

    /// A linear axis from 0 to a little beyond the greatest of `values`.
    pub fn linear_up_to(values: impl IntoIterator<Item = f64>) -> Self {
        let high = extent(values).map_or(1.0, |(_, high)| high);
        Scale { layout: Layout::Linear, low: 0.0, high: if high > 0.0 { high * 1.03 } else { 1.0 } }
    }

    /// A logarithmic axis that holds all positive `values`, with a little room at both ends.
    pub fn logarithmic(values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = extent(values.into_iter().filter(|value| *value > 0.0)).unwrap_or((0.1, 1.0));
        let (low, high) = if high / low < 4.0 { (low / 2.0, high * 2.0) } else { (low / 1.3, high * 1.3) };
        Scale { layout: Layout::Logarithmic, low, high }
    }

    /// The share of the axis (0 to 1) that lies below a value.
    pub fn share(self, value: f64) -> f64 {
        match self.layout {
            Layout::Linear => (value - self.low) / (self.high - self.low),
            Layout::Logarithmic => (value.max(self.low / 10.0) / self.low).ln() / (self.high / self.low).ln(),
        }
    }

    /// The ticks within the range; some `count` with labels on a linear axis, one per power of ten on a logarithmic one.
    pub fn ticks(self, count: usize) -> Vec<Tick> {
        match self.layout {
            Layout::Linear => {
                let step = step(self.high - self.low, count.max(1) as f64);
                let first = (self.low / step - 1e-9).ceil();
                let last = (self.high / step + 1e-9).floor();
                let places = (-step.log10() - 1e-9).ceil().max(0.0) as usize;
                (0..=(last - first) as u32)
                    .map(|number| (first + f64::from(number)) * step)
                    .map(|value| Tick { value, label: grouped(value, places) })
                    .collect()
            }
            Layout::Logarithmic => self.logarithmic_ticks(),
        }
    }

    /// What is written at a value, if there are some `count` labels.
    pub fn labels(self, count: usize) -> impl Fn(&f64) -> String {
        let ticks = self.ticks(count);
        move |value| {
            let nearest =
                ticks.iter().min_by(|one, other| (one.value - value).abs().total_cmp(&(other.value - value).abs()));
            nearest.map(|tick| tick.label.clone()).unwrap_or_default()
        }
    }

    fn logarithmic_ticks(self) -> Vec<Tick> {
        let decades = (self.high / self.low).log10();
        let labelled: &[u32] = if decades < 2.2 { &[1, 2, 5] } else { &[1] };
        let first = self.low.log10().floor() as i32;
        let last = self.high.log10().ceil() as i32;
        let mut ticks = Vec::new();
        for power in first..=last {
            for digit in 1..10_u32 {
                let value = f64::from(digit) * 10_f64.powi(power);
                if (self.low * 0.999..=self.high * 1.001).contains(&value) {
                    let label = if labelled.contains(&digit) { short(value) } else { String::new() };
                    ticks.push(Tick { value, label });
                }
            }
        }
        ticks
    }
}

/// How `plotters` lays out an axis: marked places are bold, small ticks are light.
impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (low, high): (i32, i32)) -> i32 {
        low + (self.share(*value) * f64::from(high - low)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let light = hint.weight().allow_light_points();
        let ticks = self.ticks(hint.bold_points()).into_iter();
        ticks.filter(|tick| tick.label.is_empty() == light).map(|tick| tick.value).collect()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Scale {}

/// The least and the greatest finite value.
fn extent(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    values.into_iter().filter(|value| value.is_finite()).fold(None, |extent, value| match extent {
        None => Some((value, value)),
        Some((low, high)) => Some((low.min(value), high.max(value))),
    })
}

/// A round step (1, 2 or 5 times a power of ten) that divides a range into some `count` parts.
fn step(range: f64, count: f64) -> f64 {
    let rough = range / count;
    let power = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| rough <= factor * power * 1.0001).unwrap_or(10.0);
    factor * power
}

/// A number with so many decimal places and no-break spaces between groups of three digits, if there are five or more.
pub fn grouped(value: f64, places: usize) -> String {
    let text = format!("{:.places$}", value.abs());
    let is_zero = text.chars().all(|c| matches!(c, '0' | '.'));
    let sign = if value < 0.0 && !is_zero { "\u{2212}" } else { "" };
    let is_long = text.find('.').unwrap_or(text.len()) > 4;
    sign.to_owned() + &if is_long { number::grouped(&text, '\u{a0}') } else { text }
}

/// A number with as many digits as it needs, and at most three that count.
pub fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let places = (2 - value.abs().log10().floor() as i32).max(0) as usize;
    let text = grouped(value, places);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale) -> Vec<String> {
        scale.ticks(5).into_iter().map(|tick| tick.label).filter(|label| !label.is_empty()).collect()
    }

    #[test]
    fn linear_axes_end_at_round_numbers() {
        let scale = Scale::linear([0.3, 9.2]);
        assert_eq!((scale.low, scale.high), (0.0, 10.0));
        assert_eq!(labels(scale), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(Scale::linear([0.0, 0.9])), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(Scale::linear([21_000.0, 28_300.0]))[0], "20\u{a0}000");
        assert_eq!(Scale::linear([3.0]).share(3.0), 0.75);
    }

    #[test]
    fn logarithmic_axes_have_a_label_at_each_power_of_ten() {
        let scale = Scale::logarithmic([0.004, 5.0, 0.0]);
        assert_eq!(labels(scale), ["0.01", "0.1", "1"]);
        assert!((scale.share(5.0 * 1.3) - 1.0).abs() < 1e-12);
        assert_eq!(labels(Scale::logarithmic([1.0, 2.0])), ["0.5", "1", "2"]);
        assert!(scale.share(0.0) < 0.0, "what has no place on the axis lies before it");
    }

    #[test]
    fn numbers_are_short_and_grouped() {
        assert_eq!([short(0.004_436), short(12.345), short(28_315.2)], ["0.00444", "12.3", "28\u{a0}315"]);
        assert_eq!([grouped(-1234.5, 1), grouped(-0.01, 1)], ["\u{2212}1234.5", "0.0"]);
    }
}
