use proptest::prelude::*;

use super::*;

fn int(value: i64) -> BigInt {
    BigInt::from(value)
}

/// A number that is no index on any machine.
fn huge() -> BigInt {
    BigInt::from(10).pow(40)
}

#[test]
fn an_element_outside_is_the_empty_sequence_and_nth_leaves_it_free() {
    assert_eq!(at(b"abc", &int(2)), b"c");
    for outside in [int(3), int(-1), huge(), -huge()] {
        assert_eq!(at(b"abc", &outside), b"");
        assert_eq!(nth(b"abc", &outside), None);
    }
    assert_eq!(nth(b"abc", &int(0)), Some(&b'a'));
}

#[test]
fn a_substring_is_cut_at_the_end_and_empty_outside() {
    assert_eq!(substring(b"abcde", &int(1), &int(3)), b"bcd");
    assert_eq!(substring(b"abcde", &int(3), &int(100)), b"de");
    assert_eq!(substring(b"abcde", &int(3), &huge()), b"de");
    for (start, count) in [(5, 1), (6, 1), (-1, 3), (2, 0), (2, -1)] {
        assert_eq!(substring(b"abcde", &int(start), &int(count)), b"", "{start} {count}");
    }
    assert_eq!(substring(b"abcde", &int(2), &-huge()), b"");
    assert_eq!(substring(b"abcde", &huge(), &int(1)), b"");
}

#[test]
fn the_empty_sequence_occurs_at_every_position_up_to_the_length() {
    for start in 0..=3 {
        assert_eq!(index_of(b"abc", b"", &int(start)), int(start));
    }
    for start in [int(4), int(-1), huge()] {
        assert_eq!(index_of(b"abc", b"", &start), int(-1));
    }
    assert_eq!(index_of(b"", b"", &int(0)), int(0));
    assert_eq!(last_index_of(b"abc", b""), int(3));
    assert!(contains(b"", b""));
    assert!(is_prefix(b"", b"a") && is_suffix(b"", b"a"));
}

#[test]
fn an_index_is_that_of_the_first_occurrence_from_the_start_on() {
    assert_eq!(index_of(b"abcabc", b"bc", &int(0)), int(1));
    assert_eq!(index_of(b"abcabc", b"bc", &int(2)), int(4));
    assert_eq!(index_of(b"abcabc", b"bc", &int(5)), int(-1));
    assert_eq!(last_index_of(b"abcabc", b"bc"), int(4));
    assert_eq!(last_index_of(b"aaa", b"aa"), int(1));
    assert_eq!(last_index_of(b"a", b"aa"), int(-1));
}

#[test]
fn the_empty_pattern_prepends_once_and_changes_nothing_everywhere() {
    assert_eq!(replace(b"abc", b"", b"x"), Ok(b"xabc".to_vec()));
    assert_eq!(replace(b"", b"", b"x"), Ok(b"x".to_vec()));
    assert_eq!(replace_all(b"abc", b"", b"x"), Ok(b"abc".to_vec()));
    assert_eq!(replace_all(b"", b"", b"x"), Ok(b"".to_vec()));
}

#[test]
fn replacing_takes_the_first_occurrence_or_all_that_do_not_overlap() {
    assert_eq!(replace(b"abab", b"ab", b"x"), Ok(b"xab".to_vec()));
    assert_eq!(replace(b"abab", b"c", b"x"), Ok(b"abab".to_vec()));
    assert_eq!(replace_all(b"aaa", b"aa", b"b"), Ok(b"ba".to_vec()));
    assert_eq!(replace_all(b"abab", b"b", b""), Ok(b"aa".to_vec()));
    // What a replacement makes is not searched again.
    assert_eq!(replace_all(b"aa", b"a", b"aa"), Ok(b"aaaa".to_vec()));
}

#[test]
fn an_update_overwrites_within_the_sequence() {
    assert_eq!(update(b"abcd", &int(1), b"xy"), b"axyd");
    assert_eq!(update(b"abcd", &int(3), b"xy"), b"abcx");
    for outside in [int(4), int(-1), huge()] {
        assert_eq!(update(b"abcd", &outside, b"xy"), b"abcd");
    }
}

#[test]
fn a_value_that_would_be_too_long_is_refused() {
    let long = vec![b'a'; MAX_LENGTH];
    assert_eq!(concat(&[&long, b"a"]), Err(TooLong));
    assert_eq!(replace(&long, b"", b"a"), Err(TooLong));
    assert_eq!(replace_all(&long[..=MAX_LENGTH / 2], b"a", b"bb"), Err(TooLong));
    assert_eq!(replace_all(&long, b"a", b"b").map(|result| result.len()), Ok(MAX_LENGTH));
}

#[test]
fn a_long_needle_is_found_in_linear_time() {
    let haystack = vec![b'a'; MAX_LENGTH];
    let mut needle = vec![b'a'; MAX_LENGTH / 2];
    needle.push(b'b');
    assert!(!contains(&haystack, &needle));
    assert_eq!(last_index_of(&haystack, &needle), int(-1));
}

/// Every position at which the needle stands, by definition.
fn occurrences(haystack: &[u8], needle: &[u8]) -> Vec<usize> {
    (0..=haystack.len()).filter(|&start| haystack[start..].starts_with(needle)).collect()
}

fn word(length: usize) -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(0_u8..2, 0..=length)
}

proptest! {
    #[test]
    fn searches_agree_with_the_definition(haystack in word(60), needle in word(12), start in -2_i64..62) {
        let all = occurrences(&haystack, &needle);
        prop_assert_eq!(contains(&haystack, &needle), !all.is_empty());
        let place = |found: Option<&usize>| found.map_or(int(-1), |&place| BigInt::from(place));
        let first = all.iter().find(|&&place| usize::try_from(start).is_ok_and(|start| place >= start));
        prop_assert_eq!(index_of(&haystack, &needle, &int(start)), place(first));
        prop_assert_eq!(last_index_of(&haystack, &needle), place(all.last()));
    }

    #[test]
    fn replacing_all_is_replacing_the_first_again_and_again(text in word(40), pattern in word(3), by in word(3)) {
        let mut expected = Vec::new();
        let mut rest = text.as_slice();
        while let Some(&place) = occurrences(rest, &pattern).first() && !pattern.is_empty() {
            expected.extend_from_slice(&rest[..place]);
            expected.extend_from_slice(&by);
            rest = &rest[place + pattern.len()..];
        }
        expected.extend_from_slice(rest);
        prop_assert_eq!(replace_all(&text, &pattern, &by), Ok(expected));
    }
}
