//! Texts of others in the Markdown that we write: scripts, names and messages of solvers, which may hold anything.

/// A block of code in this language. Its fence is longer than any run of backticks inside, which a symbol or a string may hold.
/// Ends with a line break.
pub fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|each| each != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let text = text.trim_end_matches('\n');
    format!("{fence}{language}\n{text}\n{fence}\n")
}

/// Text on one line, in which nothing is a tag or a link.
pub fn plain(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line.replace('<', "&lt;").replace("](", "]\\(")
}

/// A span of code.
pub fn code(text: &str) -> String {
    let longest = text.split(|each| each != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if longest > 0 { format!("{fence} {text} {fence}") } else { format!("{fence}{text}{fence}") }
}

/// A name in a cell of a table: on one line, and nothing in it is a tag, a link or another cell.
pub fn plain_cell(text: &str) -> String {
    plain(&cell(text))
}

/// Text that may stand in a cell of a table, in a span of code too.
pub fn cell(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_what_is_inside() {
        assert_eq!(fenced("smt2", "(check-sat)\n"), "```smt2\n(check-sat)\n```\n");
        assert_eq!(fenced("", "a\n````\n# b"), "`````\na\n````\n# b\n`````\n");
        assert_eq!(fenced("", ""), "```\n\n```\n");
    }

    #[test]
    fn no_text_is_markup_or_another_row() {
        assert_eq!(plain("a <img src=x>\n# b [c](d)"), "a &lt;img src=x> # b [c]\\(d)");
        assert_eq!(cell("a|b\r\nc"), "a\\|b  c");
        assert_eq!(plain_cell("a|<b>"), "a\\|&lt;b>");
        assert_eq!((code("a"), code("|`|")), ("`a`".to_owned(), "`` |`| ``".to_owned()));
    }
}
