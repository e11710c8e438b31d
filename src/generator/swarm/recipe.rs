//! Random parameters for `StringFuzz`'s generators, within which a script stays small.

use crate::generator::fuzz_character;
use crate::generator::stringfuzz::{
    Concats, DepthType, Equality, Lengths, LiteralType, Membership, OperatorType, Overlaps, Recipe, Regex,
};
use crate::random::{FuzzRng, below, between, chance, pick};

/// The deepest tree of concatenations: it has 2^depth leaves.
const DEEPEST_BALANCED: u32 = 3;
/// The letters of the operators that nest in regular expressions.
const LETTERS: [char; 5] = ['s', 'p', 'u', 'i', 'c'];

/// One of `StringFuzz`'s generators of constraints of one kind, with random parameters.
pub(super) fn drawn(rng: &mut FuzzRng) -> Box<dyn Recipe> {
    match below(rng, 5) {
        0 => Box::new(concats(rng)),
        1 => Box::new(overlaps(rng)),
        2 => Box::new(equality(rng)),
        3 => Box::new(lengths(rng)),
        _ => Box::new(regex(rng)),
    }
}

fn concats(rng: &mut FuzzRng) -> Concats {
    let depth = between(rng, 1, 6);
    Concats {
        depth,
        depth_type: one_of(rng, &[DepthType::Syntactic, DepthType::Semantic]),
        solution: is_so(rng).then(|| text(rng)),
        extract: between(rng, 0, 3),
        extract_max: between(rng, 0, 10),
        balanced: is_so(rng) && depth <= DEEPEST_BALANCED,
    }
}

fn overlaps(rng: &mut FuzzRng) -> Overlaps {
    Overlaps { variables: between(rng, 1, 4), string_length: between(rng, 1, 10) }
}

fn equality(rng: &mut FuzzRng) -> Equality {
    Equality {
        expressions: between(rng, 1, 4),
        terms: between(rng, 3, 7),
        prefix_len: between(rng, 0, 5),
        suffix_len: between(rng, 0, 5),
        infix_len: between(rng, 1, 5),
        infix_chance: 0.5,
        add_infixes: is_so(rng),
        random_lengths: is_so(rng),
    }
}

fn lengths(rng: &mut FuzzRng) -> Lengths {
    let variables = between(rng, 2, 5);
    Lengths {
        variables,
        min_length: 0,
        max_length: between(rng, 1, 30),
        concats: between(rng, 1, variables / 2),
        random_relations: is_so(rng),
    }
}

fn regex(rng: &mut FuzzRng) -> Regex {
    let lit_min = between(rng, 1, 2);
    let first = below(rng, LETTERS.len());
    let letters: String =
        (0..LETTERS.len()).filter(|&each| each == first || is_so(rng)).map(|each| LETTERS[each]).collect();
    Regex {
        terms: between(rng, 1, 4),
        lit_min,
        lit_max: between(rng, lit_min, 4),
        depth: between(rng, 0, 2),
        regexes: between(rng, 1, 3),
        literal_type: one_of(rng, &[LiteralType::Random, LiteralType::Increasing]),
        membership: one_of(rng, &[Membership::In, Membership::NotIn, Membership::Alternating, Membership::Random]),
        operators: letters.parse().unwrap_or_default(),
        operator_type: one_of(rng, &[OperatorType::Random, OperatorType::Alternating]),
        coincide: is_so(rng),
        var_min: is_so(rng).then(|| between(rng, 1, 15)),
        var_max: is_so(rng).then(|| between(rng, 15, 30)),
    }
}

fn is_so(rng: &mut FuzzRng) -> bool {
    chance(rng, 0.5)
}

/// A short text in characters that all solvers read alike.
fn text(rng: &mut FuzzRng) -> String {
    (0..between(rng, 0, 10)).filter_map(|_| char::from_u32(fuzz_character(rng))).collect()
}

/// One of several choices; the default one of none.
fn one_of<T: Copy + Default>(rng: &mut FuzzRng, choices: &[T]) -> T {
    pick(rng, choices).copied().unwrap_or_default()
}
