//! Sets of operators, as solver profiles and fragments use them.

use super::signature::{Op, table};

/// A set of operators of the process-wide table: one bit each.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct OperatorSet {
    words: Vec<u64>,
}

/// A name that is neither an operator's spelling nor a theory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is neither an operator nor a theory")]
pub struct UnknownName {
    /// The name.
    pub name: String,
}

impl OperatorSet {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// All operators of the table.
    pub fn all() -> Self {
        table().operators().collect()
    }

    /// The operators that have one of these names: a spelling of an operator in any dialect (all its overloads, or with
    /// `NAME/N` those of N indices, as in `re.loop/1`), or a theory such as `Ints` (all its operators).
    ///
    /// # Errors
    /// The first name that is neither.
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, UnknownName> {
        let table = table();
        let mut set = Self::new();
        for name in names {
            let mut found = table.named(name).to_vec();
            if let Some((name, indices)) = with_indices(name) {
                let named = table.named(name).iter().copied();
                found.extend(named.filter(|op| op.signature().indices.len() == indices));
            }
            found.extend(table.operators().filter(|op| op.signature().theory.as_str() == name));
            if found.is_empty() {
                return Err(UnknownName { name: name.to_owned() });
            }
            set.extend(found);
        }
        Ok(set)
    }

    /// Adds an operator.
    pub fn insert(&mut self, op: Op) {
        let word = op.index() / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (op.index() % 64);
    }

    /// Takes an operator out.
    pub fn remove(&mut self, op: Op) {
        if let Some(word) = self.words.get_mut(op.index() / 64) {
            *word &= !(1 << (op.index() % 64));
        }
        self.trim();
    }

    /// Whether the operator is in the set.
    pub fn contains(&self, op: Op) -> bool {
        self.words.get(op.index() / 64).is_some_and(|word| word & (1 << (op.index() % 64)) != 0)
    }

    /// The operators of both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let words = self.words.iter().zip(&other.words).map(|(a, b)| a & b).collect();
        Self { words }.trimmed()
    }

    /// The operators of this set that are not in `other`.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let of_other = other.words.iter().copied().chain(std::iter::repeat(0));
        let words = self.words.iter().zip(of_other).map(|(a, b)| a & !b).collect();
        Self { words }.trimmed()
    }

    /// How many operators are in the set.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set has no operator.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The operators, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = Op> + '_ {
        table().operators().filter(|&op| self.contains(op))
    }

    // Equal sets have equal words.
    fn trim(&mut self) {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }

    fn trimmed(mut self) -> Self {
        self.trim();
        self
    }
}

/// The parts of `NAME/N`.
fn with_indices(name: &str) -> Option<(&str, usize)> {
    let (name, indices) = name.rsplit_once('/')?;
    Some((name, indices.parse().ok()?))
}

impl Extend<Op> for OperatorSet {
    fn extend<I: IntoIterator<Item = Op>>(&mut self, ops: I) {
        for op in ops {
            self.insert(op);
        }
    }
}

impl FromIterator<Op> for OperatorSet {
    fn from_iter<I: IntoIterator<Item = Op>>(ops: I) -> Self {
        let mut set = Self::new();
        set.extend(ops);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_theories_select_operators() {
        let set = OperatorSet::from_names(["Ints", "str.to.int"]).unwrap();
        let table = table();
        assert!(set.contains(table.canonical("str.to_int").unwrap()));
        assert!(set.contains(table.canonical("div").unwrap()));
        assert!(!set.contains(table.canonical("str.len").unwrap()));
        let loops = |name| OperatorSet::from_names([name]).unwrap();
        assert_eq!((loops("re.loop").len(), loops("re.loop/1").len(), loops("re.loop/2").len()), (2, 1, 1));
        assert_ne!(loops("re.loop/1"), loops("re.loop/2"));
        assert_eq!(OperatorSet::from_names(["re.loop", "re.loop/1"]).unwrap(), loops("re.loop"));
        assert!(OperatorSet::from_names(["re.loop/3"]).is_err());
        assert_eq!(OperatorSet::from_names(["strlen"]), Err(UnknownName { name: "strlen".to_owned() }));
    }

    #[test]
    fn sets_are_equal_whatever_was_in_them_before() {
        let mut set = OperatorSet::all();
        for op in table().operators() {
            set.remove(op);
        }
        assert_eq!(set, OperatorSet::new());
        let strings = OperatorSet::from_names(["Strings"]).unwrap();
        assert_eq!(OperatorSet::all().intersection(&strings), strings);
        assert!(strings.difference(&OperatorSet::all()).is_empty());
    }
}
