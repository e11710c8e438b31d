//! Every question against its definition, on random expressions.

use proptest::prelude::*;

use super::expression::{Expression, expression, words};
use super::*;

/// The first match by definition: where it begins and ends.
fn first_match(text: &[u32], expression: &Expression, shortest: usize) -> Option<(usize, usize)> {
    let starts = 0..=text.len();
    starts
        .flat_map(|start| (start + shortest..=text.len()).map(move |end| (start, end)))
        .find(|&(start, end)| expression.has(&text[start..end]))
}

fn replaced(text: &[u32], (start, end): (usize, usize), by: &[u32]) -> Vec<u32> {
    [&text[..start], by, &text[end..]].concat()
}

fn text() -> impl Strategy<Value = Vec<u32>> {
    "[abcd]{0,5}".prop_map(|text| word(&text))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn membership_is_as_defined(expression in expression()) {
        let mut pool = Regexes::new();
        let regex = expression.build(&mut pool);
        let mut budget = Budget::default();
        for word in words(4) {
            prop_assert_eq!(pool.matches(&word, regex, &mut budget), Ok(expression.has(&word)), "{:?}", word);
        }
    }

    #[test]
    fn replacements_and_indices_are_as_defined(expression in expression(), text in text(), start in -1_i64..7) {
        let mut pool = Regexes::new();
        let regex = expression.build(&mut pool);
        let (mut budget, by) = (Budget::default(), word("xy"));
        let expected = first_match(&text, &expression, 0).map_or_else(|| text.clone(), |at| replaced(&text, at, &by));
        prop_assert_eq!(pool.replace(&text, regex, &by, &mut budget), Ok(expected));

        let (mut expected, mut rest) = (Vec::new(), text.as_slice());
        while let Some((first, end)) = first_match(rest, &expression, 1) {
            expected.extend_from_slice(&replaced(&rest[..end], (first, end), &by));
            rest = &rest[end..];
        }
        expected.extend_from_slice(rest);
        prop_assert_eq!(pool.replace_all(&text, regex, &by, &mut budget), Ok(expected));

        let found = usize::try_from(start).ok().and_then(|start| {
            let (place, _) = first_match(text.get(start..)?, &expression, 0)?;
            Some(start + place)
        });
        let expected = found.map_or(BigInt::from(-1), BigInt::from);
        prop_assert_eq!(pool.index_of(&text, regex, &BigInt::from(start), &mut budget), Ok(expected));
    }

    #[test]
    fn a_witness_is_a_member_and_an_empty_language_has_none(expression in expression()) {
        let mut pool = Regexes::new();
        let regex = expression.build(&mut pool);
        let witness = pool.witness(regex, &mut Budget::default());
        let Ok(witness) = witness else { return Ok(()) };
        prop_assert_eq!(pool.is_empty(regex, &mut Budget::default()), Ok(witness.is_none()));
        match witness {
            Some(witness) => {
                prop_assert_eq!(pool.matches(&witness, regex, &mut Budget::default()), Ok(true));
                if witness.len() < 7 {
                    prop_assert!(expression.has(&witness), "{:?}", witness);
                }
            }
            None => prop_assert!(words(4).iter().all(|word| !expression.has(word))),
        }
    }

    #[test]
    fn equivalent_languages_have_the_same_words(left in expression(), right in expression()) {
        let mut pool = Regexes::new();
        let (one, other) = (left.build(&mut pool), right.build(&mut pool));
        let Ok(equivalent) = pool.equivalent(one, other, &mut Budget::default()) else { return Ok(()) };
        let differ = words(3).iter().any(|word| left.has(word) != right.has(word));
        prop_assert!(!(equivalent && differ));
        let (less, more) = (pool.difference(one, other), pool.difference(other, one));
        let difference = pool.union(&[less, more]);
        let Ok(empty) = pool.is_empty(difference, &mut Budget::default()) else { return Ok(()) };
        prop_assert_eq!(empty, equivalent);
    }

    #[test]
    fn the_laws_of_regular_languages_hold(a in expression(), b in expression(), c in expression()) {
        let mut pool = Regexes::new();
        let (a, b, c) = (a.build(&mut pool), b.build(&mut pool), c.build(&mut pool));
        let pairs = [
            { let (bc, ab, ac) = (pool.union(&[b, c]), pool.concat(&[a, b]), pool.concat(&[a, c]));
              (pool.concat(&[a, bc]), pool.union(&[ab, ac])) },
            { let (not_a, not_b) = (pool.complement(a), pool.complement(b));
              let both = pool.intersection(&[not_a, not_b]);
              (pool.union(&[a, b]), pool.complement(both)) },
            { let (ab, bc) = (pool.concat(&[a, b]), pool.concat(&[b, c]));
              (pool.concat(&[ab, c]), pool.concat(&[a, bc])) },
            { let (plus, star) = (pool.plus(a), pool.star(a)); (pool.optional(plus), star) },
            { let (plus, star) = (pool.plus(a), pool.star(a)); (plus, pool.concat(&[a, star])) },
            { let (two, three) = (pool.power(a, 2), pool.concat(&[a, a, a]));
              (pool.repeat(a, 2, Some(3)), pool.union(&[two, three])) },
            { let star = pool.star(a); (pool.star(star), star) },
        ];
        for (left, right) in pairs {
            prop_assert_ne!(pool.equivalent(left, right, &mut Budget::new(3000)), Ok(false));
        }
    }
}
