use num_bigint::BigInt;

use super::*;

mod deep;
mod expression;
mod laws;

fn word(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

/// A pool, with a budget for each question.
#[derive(Default)]
struct Bench {
    pool: Regexes,
}

impl Bench {
    fn literal(&mut self, text: &str) -> Regex {
        self.pool.literal(&word(text))
    }

    fn range(&mut self, low: &str, high: &str) -> Regex {
        self.pool.range(&word(low), &word(high))
    }

    fn matches(&mut self, text: &str, regex: Regex) -> bool {
        self.pool.matches(&word(text), regex, &mut Budget::default()).expect("a small question")
    }

    fn replace(&mut self, text: &str, regex: Regex, by: &str) -> String {
        shown(&self.pool.replace(&word(text), regex, &word(by), &mut Budget::default()).expect("a small question"))
    }

    fn replace_all(&mut self, text: &str, regex: Regex, by: &str) -> String {
        shown(&self.pool.replace_all(&word(text), regex, &word(by), &mut Budget::default()).expect("a small question"))
    }

    fn index_of(&mut self, text: &str, regex: Regex, start: i64) -> BigInt {
        self.pool.index_of(&word(text), regex, &BigInt::from(start), &mut Budget::default()).expect("a small question")
    }

    fn is_empty(&mut self, regex: Regex) -> bool {
        self.pool.is_empty(regex, &mut Budget::default()).expect("a small question")
    }

    fn witness(&mut self, regex: Regex) -> Option<String> {
        let witness = self.pool.witness(regex, &mut Budget::default()).expect("a small question");
        witness.map(|witness| shown(&witness))
    }

    fn equivalent(&mut self, left: Regex, right: Regex) -> bool {
        self.pool.equivalent(left, right, &mut Budget::default()).expect("a small question")
    }
}

fn shown(word: &[u32]) -> String {
    word.iter().filter_map(|&character| char::from_u32(character)).collect()
}

#[test]
fn a_range_is_of_single_characters_in_order() {
    let mut bench = Bench::default();
    let range = bench.range("a", "c");
    for (text, expected) in [("a", true), ("b", true), ("c", true), ("d", false), ("", false), ("ab", false)] {
        assert_eq!(bench.matches(text, range), expected, "{text}");
    }
    assert_eq!(bench.range("c", "a"), Regex::NONE);
    assert_eq!(bench.range("ab", "c"), Regex::NONE);
    assert_eq!(bench.range("", "c"), Regex::NONE);
    assert_eq!(bench.pool.range(&[0], &[0x2_FFFF]), Regex::ALLCHAR);
}

#[test]
fn a_loop_counts_and_an_upside_down_one_is_empty() {
    let mut bench = Bench::default();
    let ab = bench.literal("ab");
    let looped = bench.pool.repeat(ab, 1, Some(3));
    for (text, expected) in [("", false), ("ab", true), ("ababab", true), ("abababab", false), ("aba", false)] {
        assert_eq!(bench.matches(text, looped), expected, "{text}");
    }
    assert_eq!(bench.pool.repeat(ab, 3, Some(1)), Regex::NONE);
    assert_eq!(bench.pool.power(ab, 0), Regex::EPSILON);
    assert_eq!(bench.pool.power(Regex::NONE, 0), Regex::EPSILON);
    assert_eq!(bench.pool.repeat(Regex::NONE, 1, None), Regex::NONE);
    let at_least_two = bench.pool.repeat(ab, 2, None);
    assert!(!bench.matches("ab", at_least_two) && bench.matches("abababab", at_least_two));
}

#[test]
fn a_loop_of_a_million_is_not_written_out() {
    let mut bench = Bench::default();
    let a = bench.literal("a");
    let option = bench.pool.union(&[a, Regex::EPSILON]);
    let double = bench.literal("aa");
    let both = bench.pool.union(&[a, double]);
    for body in [a, option, both, Regex::ALLCHAR] {
        let looped = bench.pool.repeat(body, 0, Some(1_000_000));
        assert!(bench.matches(&"a".repeat(300), looped));
        assert!(!bench.matches(&"a".repeat(2_000_001), looped));
    }
    let exactly = bench.pool.power(a, 1_000_000);
    let more = bench.pool.power(a, 1_000_001);
    assert!(!bench.matches("aaaa", exactly));
    assert!(!bench.equivalent(exactly, more));
    assert_eq!(bench.witness(exactly).map(|witness| witness.len()), Some(1_000_000));
}

#[test]
fn a_complement_is_about_all_words() {
    let mut bench = Bench::default();
    let a = bench.literal("a");
    let not_a = bench.pool.complement(a);
    for (text, expected) in [("", true), ("a", false), ("aa", true), ("b", true)] {
        assert_eq!(bench.matches(text, not_a), expected, "{text}");
    }
    assert_eq!(bench.pool.complement(Regex::NONE), Regex::ALL);
    assert_eq!(bench.pool.union(&[a, not_a]), Regex::ALL);
    assert_eq!(bench.pool.intersection(&[a, not_a]), Regex::NONE);
    assert_eq!(bench.pool.difference(Regex::ALL, a), not_a);
}

#[test]
fn the_leftmost_match_is_replaced_and_of_those_the_shortest() {
    let mut bench = Bench::default();
    let a = bench.literal("a");
    let some = bench.pool.plus(a);
    let any = bench.pool.star(a);
    assert_eq!(bench.replace("baac", some, "x"), "bxac");
    assert_eq!(bench.replace_all("baac", some, "x"), "bxxc");
    // With the empty word in the language, the first match is the empty one before everything.
    assert_eq!(bench.replace("baac", any, "x"), "xbaac");
    assert_eq!(bench.replace("", any, "x"), "x");
    assert_eq!(bench.replace_all("baac", any, "x"), "bxxc");
    assert_eq!(bench.replace_all("", any, "x"), "");
    assert_eq!(bench.replace("baac", Regex::NONE, "x"), "baac");
    // The match that begins first, not the one that ends first.
    let (abc, b) = (bench.literal("abc"), bench.literal("b"));
    let either = bench.pool.union(&[abc, b]);
    assert_eq!(bench.replace("abcb", either, "-"), "-b");
    assert_eq!(bench.replace_all("abcb", either, "-"), "--");
}

#[test]
fn an_index_is_that_of_a_match_from_the_start_on() {
    let mut bench = Bench::default();
    let digit = bench.range("0", "9");
    for (start, expected) in [(0, 1), (1, 1), (2, 3), (4, -1), (5, -1), (-1, -1)] {
        assert_eq!(bench.index_of("a1b2", digit, start), BigInt::from(expected), "{start}");
    }
    let digits = bench.pool.star(digit);
    for (start, expected) in [(0, 0), (4, 4), (5, -1), (-1, -1)] {
        assert_eq!(bench.index_of("a1b2", digits, start), BigInt::from(expected), "{start}");
    }
}

#[test]
fn a_replacement_that_would_be_too_long_is_refused() {
    let mut bench = Bench::default();
    let by = vec![0x61; sequence_limit()];
    let refused = bench.pool.replace_all(&word("ab"), Regex::ALLCHAR, &by, &mut Budget::default());
    assert!(matches!(refused, Err(ReplaceError::TooLong(_))), "{refused:?}");
}

fn sequence_limit() -> usize {
    crate::semantics::sequence::MAX_LENGTH
}

#[test]
fn emptiness_and_witnesses_see_through_intersections_and_complements() {
    let mut bench = Bench::default();
    let (a, b) = (bench.literal("a"), bench.literal("b"));
    let (some_a, some_b) = (bench.pool.plus(a), bench.pool.plus(b));
    let both = bench.pool.intersection(&[some_a, some_b]);
    assert!(bench.is_empty(both));
    assert_eq!(bench.witness(both), None);
    let (threes, fives) = (bench.pool.power(a, 3), bench.pool.power(a, 5));
    let (threes, fives) = (bench.pool.plus(threes), bench.pool.plus(fives));
    let common = bench.pool.intersection(&[threes, fives]);
    assert_eq!(bench.witness(common), Some("a".repeat(15)));
    // Before and after something else.
    let framed = bench.pool.concat(&[some_b, common, b]);
    assert_eq!(bench.witness(framed), Some(format!("b{}b", "a".repeat(15))));
    let never = bench.pool.concat(&[some_b, both, b]);
    assert!(bench.is_empty(never));
    let either = bench.pool.union(&[never, framed]);
    assert!(!bench.is_empty(either));
    let twice = bench.pool.power(common, 2);
    assert_eq!(bench.witness(twice), Some("a".repeat(30)));
    let other = bench.pool.complement(Regex::EPSILON);
    assert_eq!(bench.witness(other), Some("a".to_owned()));
    let any = bench.pool.complement(other);
    assert_eq!(bench.witness(any), Some(String::new()));
}

#[test]
fn a_budget_that_is_used_up_is_no_answer() {
    let mut bench = Bench::default();
    let (a, b) = (bench.literal("a"), bench.literal("b"));
    let letters = bench.pool.union(&[a, b]);
    let letters = bench.pool.star(letters);
    // The automaton of "an `a`, then exactly 40 letters" has 2⁴⁰ states.
    let tail = bench.pool.power(Regex::ALLCHAR, 40);
    let left = bench.pool.concat(&[letters, a, tail]);
    let right = bench.pool.concat(&[letters, b, tail]);
    let both = bench.pool.intersection(&[left, right]);
    assert_eq!(bench.pool.is_empty(both, &mut Budget::new(1000)), Err(GaveUp));
    assert_eq!(bench.pool.equivalent(both, Regex::NONE, &mut Budget::new(1000)), Err(GaveUp));
    // A pool that gave up still answers.
    assert!(bench.matches(&"ab".repeat(41), letters));
}
