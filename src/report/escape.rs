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

/// A sentence for people, escaped, with what stands between two backticks as code; a backtick without a second one stays.
pub(super) fn prose(text: &str) -> String {
    let escaped = escape(text);
    let mut parts: Vec<&str> = escaped.split('`').collect();
    let rest = if parts.len().is_multiple_of(2) { parts.pop() } else { None };
    let mut prose = String::with_capacity(escaped.len() + 16);
    for (position, part) in parts.into_iter().enumerate() {
        if position % 2 == 1 {
            prose.extend(["<code>", part, "</code>"]);
        } else {
            prose.push_str(part);
        }
    }
    prose.extend(rest.into_iter().flat_map(|rest| ["`", rest]));
    prose
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
    fn what_stands_between_backticks_is_code() {
        assert_eq!(prose("the same `str.<`, `<b>`"), "the same <code>str.&lt;</code>, <code>&lt;b&gt;</code>");
        assert_eq!((prose("a `b` c ` d").as_str(), prose("plain").as_str()), ("a <code>b</code> c ` d", "plain"));
    }

    #[test]
    fn a_link_cannot_name_a_scheme() {
        assert_eq!(link("../a b/javascript:x?#%.csv"), "../a%20b/javascript%3Ax%3F%23%25.csv");
    }
}
