//! The lexer: text → tokens, in the words of the standard (section 3.1 of SMT-LIB 2.6).

/// The kinds of token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// `(`
    LeftParenthesis,
    /// `)`
    RightParenthesis,
    /// `42`
    Numeral,
    /// `2.50`
    Decimal,
    /// `3/8`, which cvc5 reads as a real number.
    Rational,
    /// `#xAF`
    Hexadecimal,
    /// `#b01`
    Binary,
    /// `"…"`, with `""` for a quote (and `\"` where the lexer was told so).
    String,
    /// A simple symbol; reserved words are symbols too.
    Symbol,
    /// `|…|`
    QuotedSymbol,
    /// `:name`
    Keyword,
    /// The end of the text.
    End,
}

impl TokenKind {
    /// What a message calls a token of this kind.
    pub fn description(self) -> &'static str {
        match self {
            TokenKind::LeftParenthesis => "'('",
            TokenKind::RightParenthesis => "')'",
            TokenKind::Numeral => "numeral",
            TokenKind::Decimal => "decimal",
            TokenKind::Rational => "rational",
            TokenKind::Hexadecimal => "hexadecimal",
            TokenKind::Binary => "binary",
            TokenKind::String => "string literal",
            TokenKind::Symbol | TokenKind::QuotedSymbol => "symbol",
            TokenKind::Keyword => "keyword",
            TokenKind::End => "the end of the file",
        }
    }
}

/// A token: its kind and where it stands, as byte offsets into the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

/// What is wrong with the text at one place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LexicalError {
    /// Offset of the offending byte.
    pub start: usize,
    /// What was found there.
    pub found: String,
    /// What the grammar wants.
    pub expected: &'static str,
}

const SYMBOL: u8 = 1;
const DIGIT: u8 = 2;
const SPACE: u8 = 4;
const HEX: u8 = 8;

/// The classes of every byte.
static CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let character = byte as u8;
        class[byte] = match character {
            b'0'..=b'9' => SYMBOL | DIGIT | HEX,
            b'a'..=b'f' | b'A'..=b'F' => SYMBOL | HEX,
            b'a'..=b'z' | b'A'..=b'Z' => SYMBOL,
            b' ' | b'\t' | b'\n' | b'\r' => SPACE,
            _ => 0,
        };
        byte += 1;
    }
    let punctuation = b"~!@$%^&*_-+=<>.?/";
    let mut index = 0;
    while index < punctuation.len() {
        class[punctuation[index] as usize] = SYMBOL;
        index += 1;
    }
    class
}

/// Whether a byte may stand in a simple symbol.
pub fn is_symbol_byte(byte: u8) -> bool {
    CLASS[byte as usize] & SYMBOL != 0
}

/// Reads tokens one after the other; never allocates.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    text: &'a str,
    position: usize,
    backslash_quotes: bool,
    /// Why the last scan found no token.
    error: Option<Box<LexicalError>>,
}

impl<'a> Lexer<'a> {
    /// A lexer at the start of `text`. With `backslash_quotes` (SMT-LIB 2.0), a backslash in a string literal makes
    /// the next character part of it, even a quote.
    pub fn new(text: &'a str, backslash_quotes: bool) -> Self {
        Lexer { text, position: 0, backslash_quotes, error: None }
    }

    /// The byte offset after the last token.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Moves to a byte offset, which must be a character boundary.
    pub fn seek(&mut self, position: usize) {
        self.position = position;
    }

    /// The next token; [`TokenKind::End`] at the end, again and again.
    ///
    /// # Errors
    /// A byte that can start no token, or a literal, quoted symbol or keyword that is not finished.
    #[inline]
    pub fn next_token(&mut self) -> Result<Token, Box<LexicalError>> {
        // A token alone travels in registers, which a result with an error would not.
        match self.scan() {
            Some(token) => Ok(token),
            None => Err(self.error.take().unwrap_or_default()),
        }
    }

    /// The next token, or none after noting the error.
    fn scan(&mut self) -> Option<Token> {
        let bytes = self.text.as_bytes();
        let mut position = self.position;
        let byte = loop {
            match bytes.get(position) {
                None => return Some(self.token(TokenKind::End, position, position)),
                Some(&byte) if CLASS[byte as usize] & SPACE != 0 => position += 1,
                Some(b';') => position += bytes[position..].iter().take_while(|&&byte| byte != b'\n').count(),
                Some(&byte) => break byte,
            }
        };
        match byte {
            b'(' => Some(self.token(TokenKind::LeftParenthesis, position, position + 1)),
            b')' => Some(self.token(TokenKind::RightParenthesis, position, position + 1)),
            b'0'..=b'9' => self.number(position),
            b'"' => self.string(position),
            b'|' => self.quoted(position),
            b':' => self.keyword(position),
            b'#' => self.bits(position),
            _ if is_symbol_byte(byte) => {
                let end = self.skip(position, SYMBOL);
                Some(self.token(TokenKind::Symbol, position, end))
            }
            _ => self.unexpected(position, "a token of SMT-LIB (other characters need |bars|)"),
        }
    }

    #[inline]
    fn token(&mut self, kind: TokenKind, start: usize, end: usize) -> Token {
        self.position = end;
        Token { kind, start: start as u32, end: end as u32 }
    }

    #[inline]
    fn skip(&self, mut position: usize, class: u8) -> usize {
        let bytes = self.text.as_bytes();
        while position < bytes.len() && CLASS[bytes[position] as usize] & class != 0 {
            position += 1;
        }
        position
    }

    #[cold]
    fn unexpected(&mut self, position: usize, expected: &'static str) -> Option<Token> {
        let found = match self.text.get(position..).and_then(|rest| rest.chars().next()) {
            Some(character) => format!("{character:?}"),
            None => TokenKind::End.description().to_owned(),
        };
        // Past the offending character, so that a caller who goes on does not meet it again.
        self.position = position + self.text.get(position..).and_then(|t| t.chars().next()).map_or(0, char::len_utf8);
        self.error = Some(Box::new(LexicalError { start: position, found, expected }));
        None
    }

    #[cold]
    fn unfinished(&mut self, start: usize, expected: &'static str) -> Option<Token> {
        self.position = self.text.len();
        let found = TokenKind::End.description().to_owned();
        self.error = Some(Box::new(LexicalError { start, found, expected }));
        None
    }

    fn number(&mut self, start: usize) -> Option<Token> {
        let mut end = self.skip(start, DIGIT);
        let mut kind = TokenKind::Numeral;
        let bytes = self.text.as_bytes();
        if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
            end = self.skip(end + 1, DIGIT);
            kind = TokenKind::Decimal;
        } else if bytes.get(end) == Some(&b'/') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
            end = self.skip(end + 1, DIGIT);
            kind = TokenKind::Rational;
        }
        if bytes.get(end).is_some_and(|&byte| is_symbol_byte(byte)) {
            return self.unexpected(end, "a blank or a parenthesis after a number");
        }
        Some(self.token(kind, start, end))
    }

    fn string(&mut self, start: usize) -> Option<Token> {
        let bytes = self.text.as_bytes();
        let mut position = start + 1;
        loop {
            match bytes.get(position) {
                Some(b'"') if bytes.get(position + 1) == Some(&b'"') => position += 2,
                Some(b'"') => return Some(self.token(TokenKind::String, start, position + 1)),
                Some(b'\\') if self.backslash_quotes && position + 1 < bytes.len() => {
                    position += 2;
                    // The next character may be longer than a byte.
                    position += bytes[position..].iter().take_while(|&&byte| byte & 0xC0 == 0x80).count();
                }
                Some(_) => position += 1,
                None => return self.unfinished(start, "a '\"' that ends the string literal"),
            }
        }
    }

    fn quoted(&mut self, start: usize) -> Option<Token> {
        match self.text.as_bytes()[start + 1..].iter().position(|&byte| byte == b'|') {
            Some(length) => Some(self.token(TokenKind::QuotedSymbol, start, start + length + 2)),
            None => self.unfinished(start, "a '|' that ends the quoted symbol"),
        }
    }

    fn keyword(&mut self, start: usize) -> Option<Token> {
        let end = self.skip(start + 1, SYMBOL);
        if end == start + 1 {
            return self.unexpected(start, "a keyword such as :named");
        }
        Some(self.token(TokenKind::Keyword, start, end))
    }

    fn bits(&mut self, start: usize) -> Option<Token> {
        let (kind, end) = match self.text.as_bytes().get(start + 1) {
            Some(b'x') => (TokenKind::Hexadecimal, self.skip(start + 2, HEX)),
            Some(b'b') => {
                let digits = &self.text.as_bytes()[start + 2..];
                let count = digits.iter().take_while(|&&byte| matches!(byte, b'0' | b'1')).count();
                (TokenKind::Binary, start + 2 + count)
            }
            _ => return self.unexpected(start, "#x or #b and digits"),
        };
        let next = self.text.as_bytes().get(end);
        if end == start + 2 || next.is_some_and(|&byte| is_symbol_byte(byte)) {
            return self.unexpected(end, "a digit of the hexadecimal or binary literal");
        }
        Some(self.token(kind, start, end))
    }
}

/// Line and column of a byte offset, both from 1; columns count characters.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.bytes().filter(|&byte| byte == b'\n').count() + 1, before[line_start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
        let mut lexer = Lexer::new(text, false);
        let mut tokens = Vec::new();
        loop {
            let token = lexer.next_token().unwrap();
            if token.kind == TokenKind::End {
                return tokens;
            }
            tokens.push((token.kind, &text[token.start as usize..token.end as usize]));
        }
    }

    #[test]
    fn every_kind_of_token_is_read() {
        use TokenKind::*;
        let text = "(a 1 2.50 3/8 #xAf #b01 \"x\"\"y\" |a b| || :named -5)\r\n; comment";
        let expected = [
            (LeftParenthesis, "("),
            (Symbol, "a"),
            (Numeral, "1"),
            (Decimal, "2.50"),
            (Rational, "3/8"),
            (Hexadecimal, "#xAf"),
            (Binary, "#b01"),
            (String, "\"x\"\"y\""),
            (QuotedSymbol, "|a b|"),
            (QuotedSymbol, "||"),
            (Keyword, ":named"),
            (Symbol, "-5"),
            (RightParenthesis, ")"),
        ];
        assert_eq!(kinds(text), expected);
    }

    #[test]
    fn literals_may_hold_raw_newlines_and_a_lone_backslash() {
        assert_eq!(kinds("\"a\nb\" \"\\\""), [(TokenKind::String, "\"a\nb\""), (TokenKind::String, "\"\\\"")]);
    }

    #[test]
    fn a_backslash_hides_a_quote_in_smt_lib_2_0_only() {
        let text = "\"a\\\"b\"";
        let mut lexer = Lexer::new(text, true);
        assert_eq!(lexer.next_token().unwrap().end as usize, text.len());
        assert!(Lexer::new(text, false).next_token().is_ok_and(|token| token.end == 4));
    }

    #[test]
    fn unfinished_and_foreign_text_is_an_error_once() {
        for text in ["\"abc", "|abc", "[", "#q", "#x", "12ab", "1/", "1/2/3", ":", "é"] {
            let mut lexer = Lexer::new(text, false);
            assert!(lexer.next_token().is_err(), "{text}");
            while lexer.next_token().is_ok_and(|token| token.kind != TokenKind::End) {}
        }
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(line_and_column("é\nab", 0), (1, 1));
        assert_eq!(line_and_column("é\nab", 4), (2, 2));
        assert_eq!(line_and_column("é", 2), (1, 2));
    }
}
