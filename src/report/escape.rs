//! Text from files and solvers, made safe for HTML, SVG and links.

use std::borrow::Cow;

/// The text with everything replaced that HTML and XML give a meaning to, and what XML forbids, so that it can stand
/// between tags and in quoted attributes.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    let special = |c: char| matches!(c, '<' | '>' | '&' | '"' | '\'') || is_forbidden(c);
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            forbidden if is_forbidden(forbidden) => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    Cow::Owned(escaped)
}

fn is_forbidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// A relative path as a link: everything but unreserved characters and slashes is percent-encoded.
pub(super) fn link(path: &str) -> String {
    path.bytes().fold(String::with_capacity(path.len()), |link, byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            link + &char::from(byte).to_string()
        }
        other => link + &format!("%{other:02X}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_taken_for_markup() {
        assert_eq!(escape("<script>'\"&\u{0}\n"), "&lt;script&gt;&#39;&quot;&amp;\u{fffd}\n");
        assert!(matches!(escape("plain"), Cow::Borrowed("plain")));
    }

    #[test]
    fn a_link_cannot_name_a_scheme() {
        assert_eq!(link("../a b/javascript:x?#%.csv"), "../a%20b/javascript%3Ax%3F%23%25.csv");
    }
}
