//! Interned names: a [`Symbol`] is a pointer-sized, copyable handle on a string that lives for the whole process.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::printer::is_simple;

/// A name (SMT-LIB: *symbol*), interned: two symbols with the same text are the same pointer.
///
/// The text is held without the bars of a quoted symbol: `|a b|` is the symbol `a b`, and the printer adds bars where
/// the text needs them. Symbols order by text, so that sorted output never depends on interning order.
#[derive(Clone, Copy)]
pub struct Symbol(&'static Text);

/// One interned text. A wrapper, so that [`Symbol`] is a thin pointer.
struct Text {
    text: Box<str>,
    /// Whether it can be printed without bars: asked at every occurrence, so found out once.
    simple: bool,
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Text {}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl std::borrow::Borrow<str> for Text {
    fn borrow(&self) -> &str {
        &self.text
    }
}

/// The process-wide table. Texts are leaked: campaigns use few distinct names, and a handle without a lifetime keeps
/// terms copyable.
static INTERNED: LazyLock<Mutex<HashSet<&'static Text>>> = LazyLock::new(|| Mutex::new(HashSet::new()));

thread_local! {
    static SEEN: RefCell<FxHashSet<&'static Text>> = RefCell::new(FxHashSet::default());
}

impl std::borrow::Borrow<str> for &'static Text {
    fn borrow(&self) -> &str {
        &self.text
    }
}

impl Symbol {
    /// Interns `text`.
    pub fn new(text: &str) -> Self {
        // Most names were met by this thread before: no lock then.
        SEEN.with_borrow_mut(|seen| {
            if let Some(found) = seen.get(text) {
                return Symbol(found);
            }
            let symbol = Self::intern(text);
            seen.insert(symbol.0);
            symbol
        })
    }

    fn intern(text: &str) -> Self {
        let mut interned = INTERNED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(found) = interned.get(text) {
            return Symbol(found);
        }
        let leaked: &'static Text = Box::leak(Box::new(Text { text: text.into(), simple: is_simple(text) }));
        interned.insert(leaked);
        Symbol(leaked)
    }

    /// The symbol's text, without bars.
    pub fn as_str(self) -> &'static str {
        &self.0.text
    }

    /// Whether the symbol can be printed without bars.
    pub(super) fn is_simple(self) -> bool {
        self.0.simple
    }
}

impl PartialEq for Symbol {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Symbol {}

impl Hash for Symbol {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (std::ptr::from_ref(self.0) as usize).hash(state);
    }
}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Symbol {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Symbol {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Symbol {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Symbol::new(&String::deserialize(deserializer)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_intern_to_the_same_symbol() {
        assert_eq!(Symbol::new("var0"), Symbol::new("var0"));
        assert_ne!(Symbol::new("var0"), Symbol::new("var1"));
        assert_eq!(Symbol::new("").as_str(), "");
    }

    #[test]
    fn symbols_order_by_text_whatever_the_order_of_interning() {
        let (later, earlier) = (Symbol::new("zz-order"), Symbol::new("aa-order"));
        assert!(earlier < later);
    }
}
