//! Guesses a script's dialect from its text.

use super::super::dialect::Dialect;
use super::super::lexer::{Lexer, TokenKind};
use super::super::signature::table;
use super::super::symbol::Symbol;

/// The dialect of `text`: what `(set-info :smt-lib-version V)` says; else the dialect of the first operator that only
/// one of them has (`str.to.int` is 2.5, `Concat` 2.0, `str.to_int` 2.6); else 2.6.
pub fn detect(text: &str) -> Dialect {
    let mut lexer = Lexer::new(text, false);
    let mut spelled = None;
    let mut version_follows = false;
    loop {
        let Ok(token) = lexer.next_token() else { continue };
        let word = &text[token.start as usize..token.end as usize];
        match token.kind {
            TokenKind::End => return spelled.unwrap_or_default(),
            TokenKind::Keyword => version_follows = word == ":smt-lib-version",
            TokenKind::Decimal if version_follows => match word {
                "2.0" => return Dialect::SmtLib20,
                "2.5" => return Dialect::SmtLib25,
                "2.6" | "2.7" => return Dialect::SmtLib26,
                _ => version_follows = false,
            },
            TokenKind::Symbol if spelled.is_none() => spelled = dialect_of(word),
            _ => version_follows = false,
        }
    }
}

/// The one dialect in which the word is an operator's spelling.
fn dialect_of(word: &str) -> Option<Dialect> {
    // All such words have a dot or a capital.
    if !word.contains('.') && !word.starts_with(|first: char| first.is_ascii_uppercase()) {
        return None;
    }
    let reading = table().readings(Symbol::new(word)).first()?;
    let signature = reading.op.signature();
    let spelled = |dialect| signature.spelling(dialect).is_some_and(|spelling| spelling.name == word);
    match Dialect::ALL.map(spelled) {
        [true, false, false] => Some(Dialect::SmtLib20),
        [_, true, false] => Some(Dialect::SmtLib25),
        [_, false, true] => Some(Dialect::SmtLib26),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_decides_before_the_spelling() {
        assert_eq!(detect("(set-info :smt-lib-version 2.5)(assert (= (str.to_int x) 1))"), Dialect::SmtLib25);
        assert_eq!(detect("(set-info :status sat)(assert (= (str.to.int x) 1))"), Dialect::SmtLib25);
        assert_eq!(detect("(assert (= (str.to_int x) 1))"), Dialect::SmtLib26);
        assert_eq!(detect("(assert (Contains x \"a\\\"b\"))"), Dialect::SmtLib20);
        assert_eq!(detect("(assert (= (str.len x) 1))"), Dialect::SmtLib26);
        assert_eq!(detect("[["), Dialect::SmtLib26);
    }
}
