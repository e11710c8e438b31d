//! A table of texts, and how it is written: Markdown for people, LaTeX for papers, CSV for scripts.

use std::fmt::Write;

use crate::markdown::plain_cell;
use crate::number;

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name in files.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What the reader must know to read it, in Markdown.
    pub note: String,
    /// The headings, the first of the row's name.
    pub headings: Vec<String>,
    /// The rows as people read them: as many texts as headings.
    pub rows: Vec<Vec<String>>,
    /// The columns of the CSV file.
    pub columns: Vec<&'static str>,
    /// The rows of the CSV file: numbers are not rounded.
    pub records: Vec<Vec<String>>,
}

impl Table {
    /// A table of all runs, one record each, for those who compute on: it is written as CSV alone.
    pub(super) fn of_runs(columns: Vec<&'static str>, records: Vec<Vec<String>>) -> Table {
        let (title, note) = (String::new(), String::new());
        Table { name: "runs".into(), title, note, headings: Vec::new(), rows: Vec::new(), columns, records }
    }

    /// The table as JSON: its title and note, and one object a row, with the columns of the CSV file as keys; numbers are
    /// numbers, and what is not there is null.
    pub fn json(&self) -> serde_json::Value {
        let value = |text: &String| match text.parse::<f64>() {
            _ if text.is_empty() => serde_json::Value::Null,
            Ok(number) => serde_json::json!(number),
            Err(_) => serde_json::json!(text),
        };
        // The first column is a name, whatever it looks like.
        let cell = |(column, (key, text)): (usize, (&&'static str, &String))| {
            let value = if column == 0 { serde_json::json!(text) } else { value(text) };
            ((*key).to_owned(), value)
        };
        let row = |record: &Vec<String>| -> serde_json::Map<String, serde_json::Value> {
            self.columns.iter().zip(record).enumerate().map(cell).collect()
        };
        let rows: Vec<_> = self.records.iter().map(row).collect();
        serde_json::json!({ "name": self.name, "title": self.title, "note": self.note, "rows": rows })
    }
}

/// How to write a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A Markdown table with title and note.
    #[default]
    Markdown,
    /// Comma-separated values, unrounded.
    Csv,
    /// A LaTeX `tabular` (needs `booktabs`).
    Latex,
}

impl Format {
    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Markdown => "md",
            Format::Csv => "csv",
            Format::Latex => "tex",
        }
    }

    /// One table.
    pub fn of(self, table: &Table) -> String {
        match self {
            Format::Markdown => markdown(table),
            Format::Csv => csv(table),
            Format::Latex => latex(table),
        }
    }

    /// All tables, one after the other.
    pub fn document(self, tables: &[Table]) -> String {
        tables.iter().map(|table| self.of(table)).collect::<Vec<_>>().join("\n")
    }
}

/// A number with its thousands grouped: `12,345.6`.
pub(super) fn grouped(value: f64, digits: usize) -> String {
    number::grouped(&format!("{value:.digits$}"), ',')
}

/// A median of counts: whole, or a half.
pub(super) fn halves(value: f64) -> String {
    grouped(value, usize::from(value.fract() > 0.0))
}

/// Writes into a string, which cannot fail.
macro_rules! add {
    ($text:expr, $($arguments:tt)*) => { { let _ = writeln!($text, $($arguments)*); } };
}

fn markdown(table: &Table) -> String {
    let escape = |text: &String| plain_cell(text);
    let all: Vec<Vec<String>> =
        [&table.headings].into_iter().chain(&table.rows).map(|row| row.iter().map(escape).collect()).collect();
    let width = |column: usize| all.iter().map(|row| row[column].chars().count()).max().unwrap_or(0).max(3);
    let widths: Vec<usize> = (0..table.headings.len()).map(width).collect();
    let mut text = String::new();
    add!(text, "### {}\n", table.title);
    if !table.note.is_empty() {
        add!(text, "{}\n", table.note);
    }
    for (index, row) in all.iter().enumerate() {
        let cell = |(column, cell): (usize, &String)| {
            let width = widths[column];
            // The first column is text, the others are numbers.
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        };
        add!(text, "| {} |", row.iter().enumerate().map(cell).collect::<Vec<_>>().join(" | "));
        if index == 0 {
            let rule = |(column, &width): (usize, &usize)| match column {
                0 => "-".repeat(width),
                _ => "-".repeat(width - 1) + ":",
            };
            add!(text, "| {} |", widths.iter().enumerate().map(rule).collect::<Vec<_>>().join(" | "));
        }
    }
    text
}

fn csv(table: &Table) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing into memory cannot fail, and all rows have the columns of the first.
    drop(writer.write_record(&table.columns));
    for record in &table.records {
        drop(writer.write_record(record));
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

fn latex(table: &Table) -> String {
    let line = |row: &Vec<String>| row.iter().map(|cell| in_latex(cell)).collect::<Vec<_>>().join(" & ");
    let mut text = String::new();
    add!(text, "% {}", table.title.replace('\n', " "));
    add!(text, "\\begin{{tabular}}{{l{}}}", "r".repeat(table.headings.len().saturating_sub(1)));
    add!(text, "\\toprule\n{} \\\\\n\\midrule", line(&table.headings));
    for row in &table.rows {
        add!(text, "{} \\\\", line(row));
    }
    add!(text, "\\bottomrule\n\\end{{tabular}}");
    text
}

fn in_latex(text: &str) -> String {
    text.chars().fold(String::new(), |mut latex, c| {
        match c {
            '\\' => latex.push_str("\\textbackslash{}"),
            '~' => latex.push_str("\\textasciitilde{}"),
            '^' => latex.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                latex.push('\\');
                latex.push(c);
            }
            '–' => latex.push_str("--"),
            '×' => latex.push_str("$\\times$"),
            '<' => latex.push_str("$<$"),
            c => latex.push(c),
        }
        latex
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table {
            name: "t".into(),
            title: "A title".into(),
            note: "A note.".into(),
            headings: vec!["Method".into(), "Tot_lines".into()],
            rows: vec![vec!["a|b & c".into(), "1,234.5".into()]],
            columns: vec!["arm", "total_lines"],
            records: vec![vec!["a|b, c".into(), "1234.5".into()]],
        }
    }

    #[test]
    fn each_format_escapes_what_it_must() {
        assert_eq!(
            Format::Markdown.of(&table()),
            "### A title\n\nA note.\n\n| Method   | Tot_lines |\n| -------- | --------: |\n| a\\|b & c |   1,234.5 |\n"
        );
        assert_eq!(Format::Csv.of(&table()), "arm,total_lines\n\"a|b, c\",1234.5\n");
        assert_eq!(
            Format::Latex.of(&table()),
            "% A title\n\\begin{tabular}{lr}\n\\toprule\nMethod & Tot\\_lines \\\\\n\\midrule\na|b \\& c & 1,234.5 \\\\\n\
             \\bottomrule\n\\end{tabular}\n"
        );
    }

    #[test]
    fn thousands_are_grouped() {
        let cases = [(0.0, 0, "0"), (999.96, 1, "1,000.0"), (1_234_567.0, 0, "1,234,567"), (-1234.5, 1, "-1,234.5")];
        for (value, digits, text) in cases {
            assert_eq!(grouped(value, digits), text);
        }
    }
}
