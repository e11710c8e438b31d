//! Tables that a reader can sort.

use std::fmt::Write;

use crate::report::escape::escape;

/// A cell: what it says, and what it is sorted by.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    html: String,
    key: Option<f64>,
}

impl Cell {
    /// Text, sorted as text.
    pub(super) fn text(text: &str) -> Self {
        Cell { html: escape(text).into_owned(), key: None }
    }

    /// Text, sorted by a number.
    pub(super) fn number(text: &str, key: f64) -> Self {
        Cell { key: Some(key), ..Cell::text(text) }
    }

    /// A whole number.
    pub(super) fn count(count: u64) -> Self {
        Cell::number(&crate::report::figure::scale::grouped(count as f64, 0), count as f64)
    }

    /// What is HTML already.
    pub(super) fn html(html: String) -> Self {
        Cell { html, key: None }
    }
}

/// A table. Each row is a body of its own, so that what `below` says of it moves with it.
pub(super) fn table(out: &mut String, headings: &[&str], rows: impl Iterator<Item = (Vec<Cell>, Option<String>)>) {
    out.push_str("<div class=\"wide\"><table class=\"sortable\"><thead><tr>");
    for heading in headings {
        // A string cannot fail to be written to; so below.
        let _ = write!(out, "<th scope=\"col\">{}</th>", escape(heading));
    }
    out.push_str("</tr></thead>");
    for (cells, below) in rows {
        out.push_str("<tbody><tr>");
        for cell in cells {
            let _ = match cell.key {
                Some(key) => write!(out, "<td class=\"n\" data-key=\"{key}\">{}</td>", cell.html),
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
