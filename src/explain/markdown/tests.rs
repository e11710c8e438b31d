//! Tests of the sections: what a reader is told in each case.

use super::*;
use crate::explain::growth::Point;
use crate::explain::rank::{HotLine, Ranking};
use crate::explain::scaling::Dimension;

fn hot(fast: Option<RunTotals>) -> Hot {
    let function = |name: &str, fast, ratio| HotFunction {
        name: name.into(),
        file: "smt/theory_str.cpp".into(),
        line: 12,
        slow: 1_234_567,
        fast,
        ratio,
        share: 0.25,
    };
    let line = HotLine {
        file: "smt/theory_str.cpp".into(),
        line: 14,
        function: "operator|".into(),
        slow: 1000,
        fast: 0,
        ratio: None,
        share: 0.125,
    };
    Hot {
        instrumented: "z3str3-gcov@4.8.10".into(),
        limit_seconds: 5.0,
        slow: RunTotals { cpu_seconds: 5.01, executions: 9_000_000 },
        fast,
        ranking: Ranking {
            functions: vec![function("smt::theory_str::f", 100, Some(12345.67))],
            lines: vec![line],
            generic: vec![function("vector<int>::push_back", 0, None)],
            generic_share: 0.5,
        },
    }
}

#[test]
fn the_place_of_the_time_is_told_in_three_tables() {
    let fast = Some(RunTotals { cpu_seconds: 0.05, executions: 1000 });
    insta::assert_snapshot!(where_time_goes(&WhereTime::Counted(hot(fast))), @r#"
## Where the time goes

z3str3-gcov@4.8.10, 5 s of CPU time each: 9,000,000 line executions in 5.01 s; the fast relative, 1,000 line executions in 0.05 s.
Counts are exact, callees apart; ranked by growth, the count minus that of the fast relative. 50 % of all growth is in generic code, listed last: what stands in a `util` folder, or also runs with nothing asserted.

| Function | defined at | slow | fast | ratio | of growth |
| --- | --- | ---: | ---: | ---: | ---: |
| `smt::theory_str::f` | smt/theory_str.cpp:12 | 1,234,567 | 100 | 12345.7 | 25.0 % |

| Line | in | slow | fast | ratio | of growth |
| --- | --- | ---: | ---: | ---: | ---: |
| smt/theory_str.cpp:14 | `operator\|` | 1,000 | 0 | new | 12.5 % |

| Generic function | defined at | slow | fast | ratio | of growth |
| --- | --- | ---: | ---: | ---: | ---: |
| `vector<int>::push_back` | smt/theory_str.cpp:12 | 1,234,567 | 0 | new | 25.0 % |
"#);
}

#[test]
fn a_reason_stands_in_for_the_tables() {
    let text = where_time_goes(&WhereTime::NotCounted { reason: "No build.".into() });
    assert_eq!(text, "## Where the time goes\n\nNo build.\n");
}

#[test]
fn growth_is_told_by_a_law_and_a_table() {
    let measured =
        |result: &str, seconds, ran_out| Measured { result: result.into(), seconds, ran_out, solved: !ran_out };
    let point = |factor, size, target| Point { factor, size, target, reference: measured("sat", 0.012, false) };
    let fit = Fit {
        form: Form::Exponential,
        rate: 2.5,
        low: 2.0,
        high: 3.125,
        r_squared: 0.9876,
        r_squared_of_other: 0.75,
        points: 4,
        exceeded_at: vec![20.0],
    };
    let along = |law, budget_ended| Along {
        dimension: Dimension::StringLengths,
        points: vec![point(0.25, 3.0, measured("sat", 0.5, false)), point(1.0, 10.0, measured("timeout", 5.003, true))],
        budget_ended,
        law,
    };
    let growth = Growth {
        target: "z3str3@4.8.10".into(),
        reference: "cvc4@1.6".into(),
        limit_seconds: 5.0,
        trivial_seconds: 0.02,
        dimensions: vec![along(Law::Fitted(fit), true), along(Law::TooFewPoints { usable: 1 }, false)],
    };
    insta::assert_snapshot!(how_it_grows(&growth), @r#"
## How it grows

z3str3@4.8.10 and cvc4@1.6 on scaled copies of the instance, 5 s of CPU time each; > marks lower bounds. With nothing asserted z3str3@4.8.10 takes 0.020 s, which laws leave out.

### By characters of string literals

**Exponential** in the number of units (characters of string literals): base per unit 2.50 (95 % confidence: 2.00 to 3.12), R² 0.988 over 4 points; R² of the polynomial law 0.750. Time ran out at 20, where this law predicts less: it grows faster there.

| characters of string literals | factor | target | seconds | reference | seconds |
| ---: | ---: | --- | ---: | --- | ---: |
| 3 | 0.25 | sat | 0.500 | sat | 0.012 |
| 10 | 1 | timeout | > 5.003 | sat | 0.012 |

The budget ended before larger sizes could be measured.

### By characters of string literals

**Too few points** for a law: 1 of the four sizes that it takes have an answer that took 0.05 s or more of work.

| characters of string literals | factor | target | seconds | reference | seconds |
| ---: | ---: | --- | ---: | --- | ---: |
| 3 | 0.25 | sat | 0.500 | sat | 0.012 |
| 10 | 1 | timeout | > 5.003 | sat | 0.012 |
"#);
    let none = Growth { dimensions: Vec::new(), ..growth };
    assert!(how_it_grows(&none).contains("nothing that can be scaled"));
    assert!(law_in_words(&Law::SlowAtEverySize, "assertions", 5.0).contains("Slow at every size"));
}
