//! The attributes of an annotation `(! t …)`, which are kept as text.

use super::lexer::{Lexer, TokenKind};
use super::symbol::Symbol;

/// The name after `:named` in the text of an annotation's attributes.
pub fn name_in(attributes: &str) -> Option<Symbol> {
    let mut lexer = Lexer::new(attributes, false);
    let (mut follows, mut depth) = (false, 0_u32);
    loop {
        let token = lexer.next_token().ok()?;
        let text = &attributes[token.start as usize..token.end as usize];
        match token.kind {
            TokenKind::End => return None,
            TokenKind::LeftParenthesis => depth += 1,
            TokenKind::RightParenthesis => depth = depth.saturating_sub(1),
            TokenKind::Symbol if follows && depth == 0 => return Some(Symbol::new(text)),
            TokenKind::QuotedSymbol if follows && depth == 0 => return Some(Symbol::new(&text[1..text.len() - 1])),
            _ => {}
        }
        follows = token.kind == TokenKind::Keyword && text == ":named";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_among_other_attributes() {
        let name = |text: &str| name_in(text).map(|name| name.to_string());
        assert_eq!(name(":pattern ((f :named)) :named n :weight 1").as_deref(), Some("n"));
        assert_eq!(name(":named |a b|").as_deref(), Some("a b"));
        assert_eq!(name(":pattern ((f x))"), None);
    }
}
