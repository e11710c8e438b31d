//! Tables that a reader can sort.

use std::fmt::Write;

use crate::report::escape::escape;

/// A cell: what it says, and what it is sorted by.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    html: String,
    key: Option<f64>,
    tight: bool,
}

impl Cell {
    /// Text, sorted as text.
    pub(super) fn text(text: &str) -> Self {
        Cell::html(escape(text).into_owned())
    }

    /// Text that stays on one line.
    pub(super) fn tight(text: &str) -> Self {
        Cell { tight: true, ..Cell::text(text) }
    }

    /// Text, sorted by a number.
    pub(super) fn number(text: &str, key: f64) -> Self {
        Cell { key: Some(key), ..Cell::text(text) }
    }

    /// A number with what is said of it on the line below; nothing if that is empty.
    pub(super) fn noted(text: &str, note: &str, key: f64) -> Self {
        let note = if note.is_empty() { String::new() } else { format!("<small>{}</small>", escape(note)) };
        Cell { key: Some(key), ..Cell::html(format!("{}{note}", escape(text))) }
    }

    /// A whole number.
    pub(super) fn count(count: u64) -> Self {
        Cell::number(&crate::report::figure::scale::grouped(count as f64, 0), count as f64)
    }

    /// What is HTML already.
    pub(super) fn html(html: String) -> Self {
        Cell { html, key: None, tight: false }
    }
}

/// A table. Each row is a body of its own, so that what `below` says of it moves with it.
pub(super) fn table(out: &mut String, headings: &[&str], rows: impl Iterator<Item = (Vec<Cell>, Option<String>)>) {
    let mut rows = rows.peekable();
    let is_number = |column: usize, first: Option<&(Vec<Cell>, Option<String>)>| {
        first.and_then(|(cells, _)| cells.get(column)).is_some_and(|cell| cell.key.is_some())
    };
    out.push_str("<div class=\"wide\"><table class=\"sortable\"><thead><tr>");
    for (column, heading) in headings.iter().enumerate() {
        let class = if is_number(column, rows.peek()) { " class=\"n\"" } else { "" };
        // A string cannot fail to be written to; so below.
        let _ = write!(out, "<th scope=\"col\"{class}>{}</th>", escape(heading));
    }
    out.push_str("</tr></thead>");
    for (cells, below) in rows {
        out.push_str("<tbody><tr>");
        for cell in cells {
            let _ = match cell.key {
                Some(key) => write!(out, "<td class=\"n\" data-key=\"{key}\">{}</td>", cell.html),
                None if cell.tight => write!(out, "<td class=\"tight\">{}</td>", cell.html),
                None => write!(out, "<td>{}</td>", cell.html),
            };
        }
        out.push_str("</tr>");
        if let Some(below) = below {
            let _ = write!(out, "<tr class=\"below\"><td colspan=\"{}\">{below}</td></tr>", headings.len());
        }
        out.push_str("</tbody>\n");
    }
    out.push_str("</table></div>\n");
}
