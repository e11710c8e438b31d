//! How large an instance is, in the measures of STORM's Table 4.

use crate::operator::storm::depth;
use crate::smtlib::parser::{ParseOptions, parse};

/// The size of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstanceSize {
    /// Bytes of its text.
    pub bytes: usize,
    /// Assertions.
    pub assertions: usize,
    /// The deepest nesting of connectives in an assertion; predicates have depth 0.
    pub depth: u32,
}

impl InstanceSize {
    /// The size of the script with this text; `None` if it is no script.
    pub fn of(text: &str) -> Option<InstanceSize> {
        let script = parse(text, "instance", &ParseOptions::default()).ok()?;
        Some(InstanceSize { bytes: text.len(), assertions: script.assertions().count(), depth: depth(&script) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_have_no_depth() {
        let text =
            "(declare-fun x () Int)\n(assert (= (+ x 1) 2))\n(assert (not (and (= x 1) (or (= x 2) (= x 3)))))\n";
        assert_eq!(InstanceSize::of(text), Some(InstanceSize { bytes: text.len(), assertions: 2, depth: 3 }));
        assert_eq!(InstanceSize::of("(assert"), None);
    }
}
