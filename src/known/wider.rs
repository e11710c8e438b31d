//! The same pattern at larger widths of bit-vectors: what is slow at 64 bits mostly is at 65, and would be learned again and
//! again.

use super::pattern::Pattern;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, Parts, TermId, Terms};

/// Operators whose indices may differ where widths do: they say how much is added, not what is taken.
const EXTENSIONS: [&str; 2] = ["sign_extend", "zero_extend"];

/// Whether both are sorts of bit-vectors, and `given` has at least the width of `wanted`.
pub(super) fn is_wider(wanted: Sort, given: Sort) -> bool {
    wanted.width().zip(given.width()).is_some_and(|(wanted, given)| given >= wanted)
}

/// Whether the indices at this head may differ where widths do.
pub(super) fn is_extension(head: Head) -> bool {
    matches!(head, Head::Operator(op) if EXTENSIONS.contains(&op.name()))
}

/// The pattern with places that are wider by so many bits; `None` if it has no bit-vector among its places, or needs just
/// their widths, as one with literals beside them does.
pub(super) fn widened(pattern: &Pattern, bits: u32) -> Option<Pattern> {
    let ours = &pattern.terms;
    let mut terms = Terms::new();
    let mut made: Vec<TermId> = Vec::with_capacity(ours.len());
    let mut is_wider = false;
    // Arguments precede their terms in an arena.
    for term in (0..ours.len() as u32).map(TermId) {
        let parts = ours.parts(term);
        let arguments: Vec<TermId> = parts.arguments.iter().map(|argument| made[argument.0 as usize]).collect();
        let sort = match (parts.head, parts.sort.width()) {
            (Head::Bound(_), Some(width)) => {
                is_wider = true;
                Sort::bit_vec(width.checked_add(bits)?)
            }
            (Head::Operator(op), _) => {
                let sorts: Vec<Sort> = arguments.iter().map(|&argument| terms.sort(argument)).collect();
                op.signature().apply(parts.words, &sorts)?
            }
            _ => parts.sort,
        };
        made.push(terms.intern(Parts { sort, arguments: &arguments, ..parts }));
    }
    let root = *made.get(pattern.root.0 as usize)?;
    is_wider.then(|| Pattern { terms, root, ..pattern.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known::text::read_one as pattern;
    use crate::smtlib::dialect::Dialect;
    use crate::smtlib::parser::{ParseOptions, parse};
    use crate::smtlib::script::Script;

    fn script(width: u32, assertion: &str) -> Script {
        let text = format!(
            "(declare-const v (_ BitVec {width}))(declare-const w (_ BitVec 4))(assert {assertion})(check-sat)"
        );
        parse(&text, "test", &ParseOptions { dialect: Some(Dialect::SmtLib26) }).expect("a sound script")
    }

    const REMAINDER: &str = "(define-fun remainder ((x (_ BitVec 8)) (y (_ BitVec 4))) (_ BitVec 8) \
        (! (bvsmod x ((_ sign_extend 4) (! y :not-literal))) :or-wider))";

    #[test]
    fn a_pattern_that_says_so_occurs_at_larger_widths_and_whatever_the_extension_is() {
        let remainder = pattern(REMAINDER);
        let at = |width: u32| script(width, &format!("(= v (bvsmod v ((_ sign_extend {}) w)))", width - 4));
        assert!(remainder.occurs(&at(8)) && remainder.occurs(&at(20)));
        assert!(!remainder.occurs(&at(7)), "narrower");
        assert!(!remainder.occurs(&script(8, "(= v (bvsmod v ((_ zero_extend 4) w)))")), "another operator");
        let exact = pattern(&REMAINDER.replace(":or-wider", ":named x"));
        assert!(!exact.occurs(&at(20)));
    }

    #[test]
    fn it_is_printed_as_it_is_read() {
        let text = pattern(REMAINDER).to_string();
        assert!(text.ends_with("(! (bvsmod x ((_ sign_extend 4) (! y :not-literal))) :or-wider))"), "{text}");
        assert_eq!(pattern(&text).to_string(), text);
    }

    #[test]
    fn places_grow_and_what_needs_a_width_does_not() {
        let wide = widened(&pattern(REMAINDER), 3).expect("it may be wider");
        assert!(wide.to_string().contains("((x (_ BitVec 11)) (y (_ BitVec 7)))"), "{wide}");
        let literal = pattern("(define-fun f ((x (_ BitVec 8))) Bool (= (bvmul x x) #x04))");
        assert!(widened(&literal, 1).is_none());
        assert!(widened(&pattern("(define-fun f ((s String)) String (str.at s 1))"), 1).is_none());
    }
}
