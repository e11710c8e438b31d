//! Statistics against what `SciPy` said of the same samples (`statistics/record.py`).

use mulstringfuzz::experiment::statistics::{a12, rank_sum};
use serde::Deserialize;

#[derive(Deserialize)]
struct Recorded {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    x: Vec<f64>,
    y: Vec<f64>,
    u: f64,
    p: f64,
    a12: f64,
}

#[test]
fn u_p_and_a12_agree_with_scipy() {
    let recorded: Recorded = serde_json::from_str(include_str!("statistics/scipy.json")).expect("recorded samples");
    let mut tied = 0;
    for (number, case) in recorded.cases.iter().enumerate() {
        let Case { x, y, u, p, a12: effect } = case;
        let found = rank_sum(x, y).unwrap_or_else(|| panic!("case {number} has a result"));
        assert!((found.u - u).abs() < 1e-9, "case {number}: U {} against {u}", found.u);
        assert!((found.p - p).abs() < 1e-9, "case {number}: p {} against {p}", found.p);
        let found = a12(x, y).unwrap_or_else(|| panic!("case {number} has an effect"));
        assert!((found - effect).abs() < 1e-12, "case {number}: A12 {found} against {effect}");
        let mut all = [x.as_slice(), y].concat();
        all.sort_by(f64::total_cmp);
        tied += usize::from(all.windows(2).any(|pair| pair[0] == pair[1]));
    }
    assert!(recorded.cases.len() >= 40 && tied >= 20, "{tied} of {} with ties", recorded.cases.len());
}
