//! Tests of scaling: worked examples, and that every copy of every generated script is well-sorted.

use proptest::prelude::*;

use super::*;
use crate::generator::{Generator, Parameters, StringGenerator};
use crate::random::rng_for;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::printer::{PrintOptions, print};

fn parsed(text: &str, dialect: Dialect) -> Script {
    parse(text, "test", &ParseOptions { dialect: Some(dialect) }).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn asserting(assertions: &str) -> Script {
    let declarations = "(declare-fun n () Int)\n(declare-fun s () String)\n(declare-fun n_2 () Int)\n";
    let text = format!("(set-logic QF_S)\n(set-info :status sat)\n{declarations}(assert {assertions})\n(check-sat)\n");
    parsed(&text, Dialect::SmtLib25)
}

/// The assertions of the copies, each with its size.
fn copies(assertions: &str, dimension: Dimension) -> Vec<(f64, String)> {
    let shown = |copy: &Scaled| {
        let text = print(&copy.script, Dialect::SmtLib25, &PrintOptions::default()).expect("printable");
        let lines = text.lines().filter_map(|line| line.strip_prefix("(assert ")?.strip_suffix(')'));
        (copy.size, lines.collect::<Vec<_>>().join(" "))
    };
    scaled(&asserting(assertions), dimension).iter().map(shown).collect()
}

#[test]
fn strings_become_their_beginnings_and_repetitions() {
    let found = copies("(= s (str.++ \"abcd\" \"\"))", Dimension::StringLengths);
    let sizes: Vec<f64> = found.iter().map(|copy| copy.0).collect();
    assert_eq!(sizes, [0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0]);
    assert_eq!(found[1].1, "(= s (str.++ \"a\" \"\"))");
    assert_eq!(found[5].1, "(= s (str.++ \"abcdab\" \"\"))");
}

#[test]
fn bounds_of_ranges_stay_characters() {
    let found = copies("(str.in.re s (re.++ (re.range \"a\" \"b\") (str.to.re \"ab\")))", Dimension::StringLengths);
    assert!(found.iter().all(|(_, text)| text.contains("(re.range \"a\" \"b\")")), "{found:?}");
    assert_eq!(found.last().map(|copy| copy.0), Some(16.0));
    assert!(copies("(str.in.re s (re.range \"a\" \"b\"))", Dimension::StringLengths).is_empty());
}

#[test]
fn integers_of_the_same_size_are_asked_once() {
    let found = copies("(< (str.len s) 2)", Dimension::Integers);
    let sizes: Vec<f64> = found.iter().map(|copy| copy.0).collect();
    assert_eq!(sizes, [0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0]);
    assert!(copies("(< (str.len s) 0)", Dimension::Integers).is_empty(), "nothing to scale");
}

#[test]
fn copies_of_assertions_have_variables_of_their_own() {
    let found = copies("(= (str.len s) n)", Dimension::Assertions);
    assert_eq!(found.iter().map(|copy| copy.0).collect::<Vec<_>>(), [1.0, 2.0, 3.0, 4.0, 6.0, 8.0]);
    assert_eq!(found[1].1, "(= (str.len s) n) (= (str.len s_2) n_2_)");
    assert!(copies("(= 1 1)", Dimension::Assertions).is_empty());
}

#[test]
fn arguments_are_repeated_or_left_out_but_not_of_connectives() {
    let found = copies("(or (= s (str.++ s \"a\" \"b\" s)) (< n (- n 1)))", Dimension::Arguments);
    assert_eq!(found.iter().map(|copy| copy.0).collect::<Vec<_>>(), [1.0, 2.0, 4.0, 8.0, 12.0, 16.0, 24.0, 32.0]);
    assert_eq!(found[0].1, "(or (= s s) (< n (- n 1)))");
    assert_eq!(found[1].1, "(or (= s (str.++ s \"a\")) (< n (- n 1)))");
    assert!(copies("(< n (- n (* 2 n)))", Dimension::Arguments).is_empty());
}

#[test]
fn what_a_script_says_of_its_status_goes() {
    let all = scaled(&asserting("(= s \"ab\")"), Dimension::StringLengths);
    assert!(all.iter().all(|copy| !copy.script.commands.iter().any(|command| matches!(command, Command::Other(_)))));
    let empty = without_assertions(&asserting("(= s \"ab\")"));
    assert_eq!((empty.assertions().count(), empty.declarations().count()), (0, 3));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn every_copy_is_well_sorted_and_the_script_is_among_them(slot in any::<u32>(), paper in any::<bool>()) {
        let (fragment, dialect) =
            if paper { (Fragment::paper(), Dialect::SmtLib25) } else { (Fragment::standard(), Dialect::SmtLib26) };
        let script =
            StringGenerator::new(Parameters::default(), &fragment).generate(&mut rng_for(1, 0, slot));
        for dimension in Dimension::ALL {
            let copies = scaled(&script, dimension);
            prop_assert!(copies.is_sorted_by(|one, other| one.size < other.size));
            let original = copies.iter().find(|copy| copy.factor == 1.0);
            prop_assert!(copies.is_empty() || original.is_some_and(|copy| copy.script == script));
            for copy in copies {
                let text = print(&copy.script, dialect, &PrintOptions::default()).expect("printable");
                prop_assert_eq!(&parsed(&text, dialect), &copy.script, "{}", text);
            }
        }
    }
}
