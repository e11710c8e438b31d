//! Regular languages as expressions that own all their parts: what values hold.
//!
//! A [`Language`] means the same to everybody, however it came to them: it refers to no pool. Making one costs a digest
//! of its parts' digests, whatever their size; parts are shared, and nothing here recurses.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use sha2::{Digest, Sha256};

/// What an expression does with its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// `re.none`
    None,
    /// `re.all`
    All,
    /// `re.allchar`
    AllChar,
    /// `str.to_re`: this word alone.
    Word(Arc<[u32]>),
    /// `re.range`: the words of one character from the first to the second.
    Range(u32, u32),
    /// `re.++`
    Concat,
    /// `re.union`
    Union,
    /// `re.inter`
    Intersection,
    /// `re.diff`: the words of the first operand that are in no other.
    Difference,
    /// `re.comp`
    Complement,
    /// `re.*`
    Star,
    /// `re.+`
    Plus,
    /// `re.opt`
    Optional,
    /// `(_ re.^ n)`
    Power(u32),
    /// `(_ re.loop low high)`; without `high`, any number from `low` on.
    Loop(u32, Option<u32>),
}

/// A regular language, as an expression that describes it. Equal expressions are equal; different ones may still be one
/// language, which [`Languages::equivalent`](super::Languages::equivalent) decides.
#[derive(Clone)]
pub struct Language(Arc<Node>);

struct Node {
    form: Form,
    operands: Vec<Language>,
    digest: u128,
}

impl Language {
    /// The language that a form makes of its operands.
    pub fn new(form: Form, operands: Vec<Language>) -> Language {
        let digest = digest(&form, &operands);
        Language(Arc::new(Node { form, operands, digest }))
    }

    /// `str.to_re`: the language of this word alone.
    pub fn word(text: &str) -> Language {
        Language::new(Form::Word(text.chars().map(u32::from).collect()), Vec::new())
    }

    /// What is done with the operands.
    pub fn form(&self) -> &Form {
        &self.0.form
    }

    /// The operands in order.
    pub fn operands(&self) -> &[Language] {
        &self.0.operands
    }

    /// A number that different expressions do not share: the first half of a SHA-256.
    pub fn digest(&self) -> u128 {
        self.0.digest
    }

    /// Makes something of every expression in this one, operands first and equal ones once; what was made of the whole.
    pub fn fold<T: Clone>(
        &self,
        known: &mut rustc_hash::FxHashMap<u128, T>,
        mut make: impl FnMut(&Form, &[T]) -> T,
    ) -> T {
        let mut pending = vec![self];
        while let Some(&top) = pending.last() {
            let before = pending.len();
            if !known.contains_key(&top.digest()) {
                pending.extend(top.operands().iter().rev().filter(|operand| !known.contains_key(&operand.digest())));
            }
            if pending.len() == before {
                pending.pop();
                if !known.contains_key(&top.digest()) {
                    let operands: Vec<T> =
                        top.operands().iter().filter_map(|operand| known.get(&operand.digest())).cloned().collect();
                    known.insert(top.digest(), make(top.form(), &operands));
                }
            }
        }
        known[&self.digest()].clone()
    }
}

fn digest(form: &Form, operands: &[Language]) -> u128 {
    let (tag, numbers): (u8, &[u32]) = match form {
        Form::None => (0, &[]),
        Form::All => (1, &[]),
        Form::AllChar => (2, &[]),
        Form::Word(word) => (3, word),
        Form::Range(low, high) => (4, &[*low, *high]),
        Form::Concat => (5, &[]),
        Form::Union => (6, &[]),
        Form::Intersection => (7, &[]),
        Form::Difference => (8, &[]),
        Form::Complement => (9, &[]),
        Form::Star => (10, &[]),
        Form::Plus => (11, &[]),
        Form::Optional => (12, &[]),
        Form::Power(count) => (13, &[*count]),
        Form::Loop(low, None) => (14, &[*low]),
        Form::Loop(low, Some(high)) => (15, &[*low, *high]),
    };
    let mut hasher = Sha256::new().chain_update([tag]).chain_update((numbers.len() as u64).to_le_bytes());
    for number in numbers {
        hasher.update(number.to_le_bytes());
    }
    for operand in operands {
        hasher.update(operand.digest().to_le_bytes());
    }
    let bytes = hasher.finalize();
    u128::from_le_bytes(std::array::from_fn(|place| bytes[place]))
}

/// Without recursion: an expression may be nested deeper than a thread's stack.
impl Drop for Node {
    fn drop(&mut self) {
        let mut pending = std::mem::take(&mut self.operands);
        while let Some(Language(node)) = pending.pop() {
            if let Some(mut node) = Arc::into_inner(node) {
                pending.append(&mut node.operands);
            }
        }
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.digest() == other.digest()
    }
}

impl Eq for Language {}

impl Hash for Language {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest().hash(state);
    }
}

impl PartialOrd for Language {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// An order without meaning, the same on every machine.
impl Ord for Language {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.digest().cmp(&other.digest())
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({:?} of {} operands, {:032x})", self.form(), self.operands().len(), self.digest())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deeper than any thread's stack.
    const DEPTH: usize = 200_000;

    fn nested() -> Language {
        let letter = Language::word("a");
        (0..DEPTH).fold(Language::word("b"), |inside, level| match level % 3 {
            0 => Language::new(Form::Concat, vec![letter.clone(), inside]),
            1 => Language::new(Form::Star, vec![inside]),
            _ => Language::new(Form::Complement, vec![inside]),
        })
    }

    #[test]
    fn equal_expressions_are_equal_and_others_are_not() {
        let (a, b) = (Language::word("a"), Language::word("b"));
        let union = |operands: [&Language; 2]| Language::new(Form::Union, operands.map(Clone::clone).to_vec());
        assert_eq!(union([&a, &b]), union([&Language::word("a"), &b]));
        assert_ne!(union([&a, &b]), union([&b, &a]));
        assert_ne!(Language::word("ab"), Language::new(Form::Range(97, 98), Vec::new()));
        assert_ne!(Language::new(Form::Loop(1, None), vec![a.clone()]), Language::new(Form::Loop(1, Some(1)), vec![a]));
    }

    #[test]
    fn deep_expressions_are_compared_folded_shown_and_dropped_without_recursion() {
        let (one, other) = (nested(), nested());
        assert_eq!(one, other);
        let mut known = rustc_hash::FxHashMap::default();
        let depth = one.fold(&mut known, |_, operands: &[usize]| 1 + operands.iter().copied().max().unwrap_or(0));
        assert_eq!(depth, DEPTH + 1);
        assert!(format!("{one:?}").len() < 100);
        drop(one);
        // What is shared outlives those that share it.
        let inside = other.operands()[0].clone();
        drop(other);
        assert_eq!(inside.fold(&mut known, |_, _| 0), DEPTH);
    }
}
