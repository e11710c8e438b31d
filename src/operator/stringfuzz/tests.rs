//! What each transformer does to a script.

use super::*;
use crate::generator::{Parameters, StringGenerator};
use crate::operator::Context;
use crate::operator::mutation::{MutationResult, mutate_once};
use crate::random::rng_for;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::printer::{PrintOptions, print};
use crate::smtlib::script::Script;
use crate::smtlib::term::{Head, LiteralKind, TermId};

/// A script over an integer `n`, a truth value `p` and strings `s` and `t`.
fn asserting(assertion: &str) -> Script {
    let text = format!(
        "(set-logic QF_S)\n(declare-fun n () Int)\n(declare-fun p () Bool)\n(declare-fun s () String)\n\
         (declare-fun t () String)\n(assert {assertion})\n(check-sat)\n"
    );
    parse(&text, "test", &ParseOptions { dialect: Some(Dialect::SmtLib25) }).expect("a well-sorted script")
}

/// The text of the last assertion, without `(assert ` and its parenthesis.
fn assertion(script: &Script) -> String {
    let text = print(script, Dialect::SmtLib25, &PrintOptions::default()).expect("the dialect spells it");
    let line = text.lines().rev().find_map(|line| line.strip_prefix("(assert ")?.strip_suffix(')'));
    line.expect("an assertion").to_owned()
}

fn with_context<T>(run: impl FnOnce(&Context<'_>) -> T) -> T {
    let fragment = Fragment::paper();
    let generator = StringGenerator::new(Parameters::default(), &fragment);
    run(&Context { fragment: &fragment, grammar: &generator })
}

/// What a transformer makes of an assertion, with the random choices of this slot.
fn transformed(transformer: &dyn Mutator, text: &str, slot: u32) -> String {
    let mut script = asserting(text);
    with_context(|context| transformer.mutate(&mut script, &mut rng_for(1, 0, slot), context));
    assertion(&script)
}

/// All that a transformer makes of an assertion in some hundred tries.
fn reachable(transformer: &dyn Mutator, text: &str) -> std::collections::BTreeSet<String> {
    (0..300).map(|slot| transformed(transformer, text, slot)).collect()
}

#[test]
fn what_would_grow_beyond_the_bound_stays() {
    let multiply = Multiply { factor: 2, most: 4 };
    let before = r#"(str.in.re (str.++ "ab" "abc") (re.loop (re.loop (str.to.re s) 1 3) 1 2))"#;
    let after = r#"(str.in.re (str.++ "aabb" "abc") (re.loop (re.loop (str.to.re s) 1 3) 2 4))"#;
    assert_eq!(transformed(&multiply, before, 0), after);
}

#[test]
fn the_table_has_the_names() {
    let table = transformers(&Options::default());
    assert_eq!(table.each_ref().map(|each| each.name()), NAMES);
}

#[test]
fn strings_and_concatenations_are_reversed() {
    let before = r#"(str.in.re (str.++ "ab" s "") (re.++ (str.to.re "cd") (re.++ (re.range "a" "b") re.allchar)))"#;
    let after = r#"(str.in.re (str.++ "" s "ba") (re.++ (re.++ re.allchar (re.range "a" "b")) (str.to.re "dc")))"#;
    assert_eq!(transformed(&Reverse, before, 0), after);
    assert_eq!(transformed(&Reverse, after, 0), before);
}

#[test]
fn numerals_and_strings_are_multiplied() {
    let before = r#"(and (= n 12 0 99999999999999999999) (= s "abc") (str.in.re t (re.loop (re.range "a" "b") 1 3)))"#;
    let after =
        r#"(and (= n 36 0 299999999999999999997) (= s "aaabbbccc") (str.in.re t (re.loop (re.range "a" "b") 3 9)))"#;
    assert_eq!(transformed(&Multiply { factor: 3, most: u32::MAX }, before, 0), after);
    assert_eq!(transformed(&Multiply { factor: 1, most: u32::MAX }, before, 0), before);
    let nothing = r#"(and (= n 0 0 0) (= s "") (str.in.re t (re.loop (re.range "a" "b") 0 0)))"#;
    assert_eq!(transformed(&Multiply { factor: 0, most: u32::MAX }, before, 0), nothing);
}

#[test]
fn arguments_go_round() {
    let cases = [
        (r#"(= t (str.++ s (str.replace t "b" "c")))"#, r#"(= t (str.++ t (str.replace "b" "c" s)))"#),
        (r#"(= t (str.++ (str.replace t "b" "c") s))"#, r#"(= t (str.++ (str.replace "b" "c" s) t))"#),
        (
            r#"(str.in.re s (re.union (re.* re.allchar) (re.range "a" "b")))"#,
            r#"(str.in.re s (re.union (re.* (re.range "a" "b")) re.allchar))"#,
        ),
        // Integers among the arguments, and arguments of other sorts, keep their places.
        (r"(= 1 (str.indexof (str.++ s t) s n))", r"(= 1 (str.indexof (str.++ s t) s n))"),
        (r"(= (str.++ s t) (str.at s 1))", r"(= (str.++ s t) (str.at s 1))"),
    ];
    for (before, after) in cases {
        assert_eq!(transformed(&Rotate, before, 0), after);
    }
}

#[test]
fn literals_and_operators_become_similar_ones() {
    let found = reachable(&Fuzz { re_range: false }, "(str.prefixof s t)");
    let expected = ["(str.contains s t)", "(str.prefixof s t)", "(str.suffixof s t)"];
    assert!(found.iter().eq(expected), "{found:?}");
    let found = reachable(&Fuzz { re_range: false }, "(= (str.len s) 2)");
    assert_eq!(found.len(), 10, "{found:?}");
    assert!(found.contains("(= (str.len s) 0)") && found.contains("(= (str.to.int s) 4)"));
    assert!(reachable(&Fuzz { re_range: false }, "(= n 0)").iter().eq(["(= n 0)"]));
    let found = reachable(&Fuzz { re_range: false }, r#"(str.in.re s (re.loop (re.* (re.range "a" "b")) 1 2))"#);
    assert!(found.iter().all(|each| each.contains(r#"(re.range "a" "b")"#)), "{found:?}");
    assert!(found.iter().any(|each| each.contains("(re.+ ") && each.ends_with(" 0 4))")), "{found:?}");
    let found = reachable(&Fuzz { re_range: true }, r#"(str.in.re s (re.range "a" "b"))"#);
    assert!(found.len() > 100);
}

#[test]
fn equal_literals_change_apart() {
    let found = reachable(&Fuzz { re_range: false }, "(= n (+ 5 5))");
    assert!(found.contains("(= n (+ 0 9))"), "{found:?}");
}

#[test]
fn a_subtree_and_a_leaf_change_places() {
    let found = reachable(&Graft { str_to_re: false }, r#"(= (str.++ s "a") (str.at "b" 1))"#);
    assert!(found.contains(r#"(= "b" (str.at (str.++ s "a") 1))"#), "{found:?}");
    assert!(found.contains(r#"(= (str.++ s (str.at "b" 1)) "a")"#), "{found:?}");
    let found = reachable(&Graft { str_to_re: false }, "(and p (< (str.len s) n))");
    assert!(found.contains("(and (< n (str.len s)) p)"), "{found:?}");
    let languages = r#"(str.in.re s (re.++ (re.* re.allchar) (str.to.re "a")))"#;
    let found = reachable(&Graft { str_to_re: false }, languages);
    assert!(found.contains(r#"(str.in.re s (re.++ (str.to.re "a") (re.* re.allchar)))"#), "{found:?}");
}

#[test]
fn strings_stay_languages_unless_they_are_let_out() {
    let text = r#"(str.in.re (str.at s 1) (str.to.re "a"))"#;
    let out = r#"(str.in.re "a" (str.to.re (str.at s 1)))"#;
    assert!(!reachable(&Graft { str_to_re: false }, text).contains(out));
    assert!(reachable(&Graft { str_to_re: true }, text).contains(out));
}

#[test]
fn a_tree_without_another_leaf_is_not_grafted() {
    let mut script = asserting("(str.prefixof s s)");
    let result = with_context(|context| Graft { str_to_re: true }.mutate(&mut script, &mut rng_for(1, 0, 0), context));
    assert_eq!(result, MutationResult::Skipped);
}

/// The characters of all string literals of an assertion, in order.
fn characters(text: &str) -> Vec<u32> {
    let script = asserting(text).compacted();
    let is_string = |&index: &u32| script.terms.head(TermId(index)) == Head::Literal(LiteralKind::String);
    (0..script.terms.len() as u32)
        .filter(is_string)
        .flat_map(|index| script.terms.text(TermId(index)).to_vec())
        .collect()
}

#[test]
fn unprintable_characters_stand_each_for_one() {
    let all: String = (' '..='~').filter(|each| !['"', '\\'].contains(each)).collect();
    let before = format!(r#"(= s "{all}\x09\x0b\xff" (str.++ "aa" t))"#);
    for slot in 0..20 {
        let after = characters(&transformed(&Unprintable, &before, slot));
        let before = characters(&before);
        assert_eq!(after.len(), before.len());
        let pairs: std::collections::BTreeSet<(u32, u32)> = before.iter().copied().zip(after.iter().copied()).collect();
        let distinct = |side: fn(&(u32, u32)) -> u32| pairs.iter().map(side).collect::<std::collections::BTreeSet<_>>();
        assert_eq!(distinct(|pair| pair.0).len(), pairs.len());
        assert_eq!(distinct(|pair| pair.1).len(), pairs.len());
        assert!(pairs.iter().all(|&(_, each)| !(0x20..=0x7E).contains(&each) && ![0, 9, 10].contains(&each)));
        assert!(pairs.contains(&(0xFF, 0xFF)));
    }
    let few = characters(&transformed(&Unprintable, r#"(= s "abc")"#, 0));
    assert!(few.iter().all(|&each| each < 0x20), "{few:?}");
}

#[test]
fn bounds_of_ranges_stay_characters_in_order() {
    let text = r#"(str.in.re (str.++ s "0b") (re.range "a" "c"))"#;
    let keeping: [&dyn Mutator; 2] =
        [&Translate { integers: false, re_range: false }, &Multiply { factor: 2, most: u32::MAX }];
    for transformer in keeping {
        assert!(transformed(transformer, text, 0).contains(r#"(re.range "a" "c")"#));
    }
    let changing: [&dyn Mutator; 3] =
        [&Translate { integers: true, re_range: true }, &Unprintable, &Fuzz { re_range: true }];
    for transformer in changing {
        for slot in 0..50 {
            let script = asserting(&transformed(transformer, text, slot));
            assert_eq!(Fragment::paper().admits(&script), Ok(()));
        }
    }
}

#[test]
fn a_literal_is_translated_alike_everywhere() {
    let after = transformed(&Translate { integers: false, re_range: false }, r#"(= "ab1" (str.++ s "ba2"))"#, 3);
    let characters = characters(&after);
    assert_eq!((characters[0], characters[1]), (characters[4], characters[3]));
    assert_eq!((characters[2], characters[5]), (u32::from('1'), u32::from('2')));
}

#[test]
fn only_a_transformer_that_changes_something_is_drawn() {
    let table = transformers(&Options::default());
    let all: Vec<&dyn Mutator> = table.iter().map(Box::as_ref).collect();
    with_context(|context| {
        for slot in 0..50 {
            let mut script = asserting(r#"(= s (str.++ t "a"))"#);
            let name = mutate_once(&mut script, &all, &mut rng_for(1, 0, slot), context);
            assert_ne!(script, asserting(r#"(= s (str.++ t "a"))"#));
            assert!(name.is_some_and(|name| name != "rotate"));
        }
        let mut script = asserting("(= s t)");
        assert_eq!(mutate_once(&mut script, &all, &mut rng_for(1, 0, 0), context), None);
    });
}
