//! One small type for every plot: what it shows, in words, in a drawing and in numbers.

pub mod canvas;
pub mod chart;
pub mod letters;
pub mod palette;
pub mod png;
pub mod scale;
pub mod space;
pub mod svg;

use canvas::Drawing;

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Its name in file names and links: letters, digits and hyphens.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub title: &'static str,
    /// What it shows, how that was computed, and how to read it.
    pub caption: String,
    /// The drawing, or a sentence that says why there is nothing to draw.
    pub drawing: Result<Drawing, String>,
    /// The numbers that were plotted.
    pub data: Data,
}

/// A table of what was plotted.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    /// Names of the columns, with units.
    pub columns: Vec<&'static str>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Data {
    /// A table without rows.
    pub fn new(columns: &[&'static str]) -> Self {
        Data { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push<const N: usize>(&mut self, row: [String; N]) {
        self.rows.push(row.into());
    }

    /// The table as CSV.
    pub fn csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        // Writing into memory cannot fail, and all rows are as long as the header.
        drop(writer.write_record(&self.columns));
        for row in &self.rows {
            drop(writer.write_record(row));
        }
        writer.into_inner().unwrap_or_default()
    }
}
