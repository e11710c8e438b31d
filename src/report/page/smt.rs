//! Scripts for readers: laid out in lines that fit, with colours.

use crate::report::escape::escape;
use crate::smtlib::lexer::{Lexer, TokenKind};

/// Letters that fit into a line.
const WIDTH: usize = 96;
/// Nesting beyond this is not laid out.
const DEEPEST: usize = 200;

/// An expression: a token, or a list of them.
enum Expression<'a> {
    Atom(TokenKind, &'a str),
    List(Vec<Expression<'a>>, usize),
}

/// The script as HTML for a `<pre>`: each command on a line of its own, long ones broken and indented, words marked up
/// by what they are. Text that is no script is only escaped.
pub(super) fn highlight(text: &str) -> String {
    let Some(commands) = parse(text) else { return escape(text).into_owned() };
    let mut out = String::with_capacity(3 * text.len());
    for command in &commands {
        write(&mut out, command, 0, true);
        out.push('\n');
    }
    out
}

/// How many assertions a script has; those of text that is no script do not count.
pub(super) fn assertions(text: &str) -> usize {
    let is_assertion = |command: &&Expression<'_>| matches!(command, Expression::List(parts, _) if matches!(parts.first(), Some(Expression::Atom(_, "assert"))));
    parse(text).map_or(0, |commands| commands.iter().filter(is_assertion).count())
}

fn parse(text: &str) -> Option<Vec<Expression<'_>>> {
    let mut lexer = Lexer::new(text, false);
    let mut open: Vec<Vec<Expression<'_>>> = vec![Vec::new()];
    loop {
        let token = lexer.next_token().ok()?;
        let word = &text[token.start as usize..token.end as usize];
        match token.kind {
            TokenKind::LeftParenthesis if open.len() > DEEPEST => return None,
            TokenKind::LeftParenthesis => open.push(Vec::new()),
            TokenKind::RightParenthesis => {
                let parts = open.pop()?;
                let width = 1 + parts.iter().map(|part| width(part) + 1).sum::<usize>().max(1);
                open.last_mut()?.push(Expression::List(parts, width));
            }
            TokenKind::End => return if open.len() == 1 { open.pop() } else { None },
            kind => open.last_mut()?.push(Expression::Atom(kind, word)),
        }
    }
}

/// Letters of an expression on one line.
fn width(expression: &Expression<'_>) -> usize {
    match expression {
        Expression::Atom(_, word) => word.chars().count(),
        Expression::List(_, width) => *width,
    }
}

fn write(out: &mut String, expression: &Expression<'_>, indent: usize, is_command: bool) {
    let parts = match expression {
        Expression::Atom(kind, word) => return write_word(out, *kind, word, false, is_command),
        Expression::List(parts, _) => parts,
    };
    let fits = indent + width(expression) <= WIDTH;
    out.push('(');
    for (number, part) in parts.iter().enumerate() {
        match (number, part) {
            (0, Expression::Atom(kind, word)) => write_word(out, *kind, word, true, is_command),
            (0, list) => write(out, list, indent + 1, false),
            (_, part) if fits => {
                out.push(' ');
                write(out, part, 0, false);
            }
            (_, part) => {
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', indent + 2));
                write(out, part, indent + 2, false);
            }
        }
    }
    out.push(')');
}

fn write_word(out: &mut String, kind: TokenKind, word: &str, is_head: bool, is_command: bool) {
    let class = match kind {
        TokenKind::String => "y-string",
        TokenKind::Numeral | TokenKind::Decimal | TokenKind::Rational | TokenKind::Hexadecimal | TokenKind::Binary => {
            "y-number"
        }
        TokenKind::Symbol if is_command => "y-command",
        TokenKind::Symbol if is_head => "y-operator",
        TokenKind::Keyword => "y-command",
        _ => return out.push_str(&escape(word)),
    };
    out.extend(["<span class=\"", class, "\">", &escape(word), "</span>"]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a reader copies.
    fn text_of(html: &str) -> String {
        let mut text = String::new();
        for part in html.split('<') {
            text.push_str(part.split_once('>').map_or(part, |(_, after)| after));
        }
        text.replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&amp;", "&")
    }

    #[test]
    fn long_commands_are_broken_and_nothing_but_blanks_changes() {
        let long = format!(
            "(assert (= (str.++ {0} {0}) \"<b> & \"\"x\"\"\"))",
            "\"abcdefghijklmnopqrstuvwxyz0123456789abcdef\""
        );
        let script = format!("(declare-fun x () String)\n{long}\n(check-sat)\n");
        let shown = text_of(&highlight(&script));
        assert!(shown.lines().all(|line| line.chars().count() <= WIDTH), "{shown}");
        assert!(shown.starts_with("(declare-fun x () String)\n(assert\n  (=\n    (str.++"), "{shown}");
        let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(squeeze(&shown), squeeze(&script));
        assert_eq!(assertions(&script), 1);
    }

    #[test]
    fn hostile_text_stays_text() {
        assert_eq!(highlight("</pre><b>x"), "<span class=\"y-command\">&lt;/pre&gt;&lt;b&gt;x</span>\n");
        let unfinished = "(assert \"<img>";
        assert_eq!(highlight(unfinished), escape(unfinished));
        let quoted = highlight("(assert |<img src=x onerror=y>|)");
        assert!(!quoted.contains("<img"), "{quoted}");
        let deep = "(".repeat(100_000);
        assert_eq!(highlight(&deep), deep);
        assert_eq!(assertions("no script ("), 0);
    }
}
