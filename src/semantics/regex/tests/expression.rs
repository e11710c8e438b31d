//! Random expressions with the meaning that the standard's definitions give them, word by word.

use proptest::prelude::*;

use super::*;

/// An expression as terms have it.
#[derive(Clone, Debug)]
pub(super) enum Expression {
    None,
    All,
    AllChar,
    Literal(String),
    Range(char, char),
    Concat(Vec<Expression>),
    Union(Vec<Expression>),
    Intersection(Vec<Expression>),
    Difference(Box<Expression>, Box<Expression>),
    Complement(Box<Expression>),
    Star(Box<Expression>),
    Plus(Box<Expression>),
    Option(Box<Expression>),
    Power(Box<Expression>, u32),
    Loop(Box<Expression>, u32, u32),
}

pub(super) fn expression() -> impl Strategy<Value = Expression> {
    let letter = || prop_oneof![Just('a'), Just('b'), Just('c')];
    let leaf = prop_oneof![
        1 => Just(Expression::None),
        1 => Just(Expression::All),
        2 => Just(Expression::AllChar),
        6 => "[abc]{0,2}".prop_map(Expression::Literal),
        2 => (letter(), letter()).prop_map(|(low, high)| Expression::Range(low, high)),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        let several = || proptest::collection::vec(inner.clone(), 2..=3);
        prop_oneof![
            4 => several().prop_map(Expression::Concat),
            3 => several().prop_map(Expression::Union),
            2 => several().prop_map(Expression::Intersection),
            2 => (boxed(), boxed()).prop_map(|(left, right)| Expression::Difference(left, right)),
            2 => boxed().prop_map(Expression::Complement),
            2 => boxed().prop_map(Expression::Star),
            1 => boxed().prop_map(Expression::Plus),
            1 => boxed().prop_map(Expression::Option),
            1 => (boxed(), 0_u32..4).prop_map(|(body, count)| Expression::Power(body, count)),
            2 => (boxed(), 0_u32..4, 0_u32..4).prop_map(|(body, low, high)| Expression::Loop(body, low, high)),
        ]
    })
}

impl Expression {
    /// The expression in a pool.
    pub(super) fn build(&self, pool: &mut Regexes) -> Regex {
        let mut all = |operands: &[Expression]| operands.iter().map(|each| each.build(pool)).collect::<Vec<_>>();
        match self {
            Self::None => Regex::NONE,
            Self::All => Regex::ALL,
            Self::AllChar => Regex::ALLCHAR,
            Self::Literal(text) => pool.literal(&word(text)),
            Self::Range(low, high) => pool.range(&[u32::from(*low)], &[u32::from(*high)]),
            Self::Concat(operands) => {
                let operands = all(operands);
                pool.concat(&operands)
            }
            Self::Union(operands) => {
                let operands = all(operands);
                pool.union(&operands)
            }
            Self::Intersection(operands) => {
                let operands = all(operands);
                pool.intersection(&operands)
            }
            Self::Difference(left, right) => {
                let (left, right) = (left.build(pool), right.build(pool));
                pool.difference(left, right)
            }
            Self::Complement(inner) => {
                let inner = inner.build(pool);
                pool.complement(inner)
            }
            Self::Star(body) => {
                let body = body.build(pool);
                pool.star(body)
            }
            Self::Plus(body) => {
                let body = body.build(pool);
                pool.plus(body)
            }
            Self::Option(body) => {
                let body = body.build(pool);
                pool.optional(body)
            }
            Self::Power(body, count) => {
                let body = body.build(pool);
                pool.power(body, *count)
            }
            Self::Loop(body, low, high) => {
                let body = body.build(pool);
                pool.repeat(body, *low, Some(*high))
            }
        }
    }

    /// Whether a word is in the language, by definition.
    pub(super) fn has(&self, word: &[u32]) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::AllChar => word.len() == 1,
            Self::Literal(text) => word == super::word(text),
            Self::Range(low, high) => matches!(word, [one] if (u32::from(*low)..=u32::from(*high)).contains(one)),
            Self::Concat(operands) => concatenation(operands, word),
            Self::Union(operands) => operands.iter().any(|operand| operand.has(word)),
            Self::Intersection(operands) => operands.iter().all(|operand| operand.has(word)),
            Self::Difference(left, right) => left.has(word) && !right.has(word),
            Self::Complement(inner) => !inner.has(word),
            Self::Star(body) => body.repeated(word, 0, u32::MAX),
            Self::Plus(body) => body.repeated(word, 1, u32::MAX),
            Self::Option(body) => word.is_empty() || body.has(word),
            Self::Power(body, count) => body.repeated(word, *count, *count),
            Self::Loop(body, low, high) => body.repeated(word, *low, *high),
        }
    }

    /// Whether a word is from `low` to `high` words of this language.
    fn repeated(&self, word: &[u32], low: u32, high: u32) -> bool {
        if low > high {
            return false;
        }
        if low == 0 && word.is_empty() {
            return true;
        }
        // An empty first part serves only to reach the lower bound.
        let first = usize::from(low == 0);
        high > 0
            && (first..=word.len())
                .any(|cut| self.has(&word[..cut]) && self.repeated(&word[cut..], low.saturating_sub(1), high - 1))
    }
}

fn concatenation(operands: &[Expression], word: &[u32]) -> bool {
    match operands {
        [] => word.is_empty(),
        [first, rest @ ..] => (0..=word.len()).any(|cut| first.has(&word[..cut]) && concatenation(rest, &word[cut..])),
    }
}

/// All words over `abc` of at most this length.
pub(super) fn words(length: usize) -> Vec<Vec<u32>> {
    let mut words = vec![vec![]];
    let mut first = 0;
    for _ in 0..length {
        let last = words.len();
        for at in first..last {
            for letter in ['a', 'b', 'c'] {
                let mut longer = words[at].clone();
                longer.push(u32::from(letter));
                words.push(longer);
            }
        }
        first = last;
    }
    words
}
