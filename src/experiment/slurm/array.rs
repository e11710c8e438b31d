//! Numbers of tasks as Slurm writes them: `0,2-5,9`.

use std::fmt::Write as _;

/// Ascending numbers, runs of them as ranges.
pub(super) fn compress(indices: &[usize]) -> String {
    let mut text = String::new();
    let mut rest = indices;
    while let Some((&first, _)) = rest.split_first() {
        let run = rest.iter().zip(first..).take_while(|(index, expected)| **index == *expected).count();
        let comma = if text.is_empty() { "" } else { "," };
        // Writing into a string cannot fail.
        let _ = match run {
            1 => write!(text, "{comma}{first}"),
            run => write!(text, "{comma}{first}-{}", rest[run - 1]),
        };
        rest = &rest[run..];
    }
    text
}

/// The numbers of `0,2-5,9-13:2%100`; what is no number is left out.
pub(super) fn expand(text: &str) -> Vec<usize> {
    let list = text.split('%').next().unwrap_or_default();
    let mut indices = Vec::new();
    for part in list.split(',') {
        let (range, step) = part.split_once(':').unwrap_or((part, "1"));
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        if let (Ok(first), Ok(last), Ok(step)) = (first.parse::<usize>(), last.parse(), step.parse::<usize>()) {
            indices.extend((first..=last).step_by(step.max(1)));
        }
    }
    indices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_numbers_become_ranges() {
        assert_eq!(compress(&[0, 2, 3, 4, 5, 9]), "0,2-5,9");
        assert_eq!(compress(&[]), "");
        assert_eq!(compress(&[7]), "7");
        assert_eq!(compress(&[3, 4]), "3-4");
    }

    #[test]
    fn what_slurm_writes_is_read() {
        assert_eq!(expand("0,2-5,9%100"), [0, 2, 3, 4, 5, 9]);
        assert_eq!(expand("1-7:3"), [1, 4, 7]);
        assert_eq!(expand("12"), [12]);
        assert_eq!(expand("N/A"), [0; 0]);
        let some: Vec<usize> = (0..40).filter(|index| index % 3 != 1).collect();
        assert_eq!(expand(&compress(&some)), some);
    }
}
