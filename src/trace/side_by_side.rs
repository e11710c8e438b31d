//! Two traces side by side, their common lines marked (the `MulStringFuzz` paper's Fig. 2).

use std::fmt::Write;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{LineTexts, Trace};
use crate::number::counted;

/// Common lines that are shown before and after a difference.
const CONTEXT: usize = 3;
/// Rows of a difference that are shown at its beginning and at its end; what is between them is counted.
const ENDS: usize = 10;
/// The fewest columns of a side's text.
const NARROWEST: usize = 8;

/// Two traces side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    /// The rows, each ended by a line feed.
    pub text: String,
    /// Lines that are marked as common. Of long traces that differ much it may be fewer than
    /// [`common_lines`](super::common_lines), which is exact: finding a longest alignment would take hours.
    pub common: u64,
}

/// Lays out `first` and `second` side by side in `width` columns: numbers and texts of the lines, and between them `=`
/// where the line is common to both, `|` where both have another one, `<` or `>` where only one has a line. Common lines
/// far from a difference, and the middles of long differences, are left out and counted.
pub fn side_by_side(first: &Trace, second: &Trace, texts: &LineTexts, width: usize) -> Marked {
    let (first, second) = (first.line_hashes().collect::<Vec<_>>(), second.line_hashes().collect::<Vec<_>>());
    let digits = first.len().max(second.len()).to_string().len();
    // A space before the mark and one behind it, and one behind each number.
    let column = (width.saturating_sub(2 * digits + 5) / 2).max(NARROWEST);
    let mut layout = Layout { first: &first, second: &second, texts, digits, column, text: String::new() };
    let pieces = capture_diff_slices(Algorithm::Myers, &first, &second);
    let mut common = 0;
    for (number, piece) in pieces.iter().enumerate() {
        if let DiffOp::Equal { len, .. } = piece {
            common += *len as u64;
            layout.common(piece, number > 0, number + 1 < pieces.len());
        } else {
            layout.difference(&piece.old_range(), &piece.new_range());
        }
    }
    Marked { text: layout.text, common }
}

struct Layout<'a> {
    first: &'a [u64],
    second: &'a [u64],
    texts: &'a LineTexts,
    /// Columns of a line's number.
    digits: usize,
    /// Columns of a side's text.
    column: usize,
    text: String,
}

impl Layout<'_> {
    /// Common lines, `after` a difference, `before` one, or both.
    fn common(&mut self, piece: &DiffOp, after: bool, before: bool) {
        let (old, new, lines) = (piece.old_range().start, piece.new_range().start, piece.old_range().len());
        let (head, tail) = (if after { CONTEXT } else { 0 }, if before { CONTEXT } else { 0 });
        // Leaving out a single line saves nothing.
        let elided = lines.saturating_sub(head + tail);
        let shown = |row: usize| elided < 2 || row < head || row >= head + elided;
        for row in 0..lines {
            if shown(row) {
                self.row(Some(old + row), '=', Some(new + row));
            } else if row == head {
                self.elided(&format!("{elided} common lines"));
            }
        }
    }

    /// Lines that the two do not share, beside each other.
    fn difference(&mut self, old: &Range<usize>, new: &Range<usize>) {
        let rows = old.len().max(new.len());
        let elided = rows.saturating_sub(2 * ENDS);
        let left_out = |side: &Range<usize>| side.len().min(ENDS + elided).saturating_sub(ENDS);
        for row in 0..rows {
            if elided < 2 || row < ENDS || row >= ENDS + elided {
                let (one, other) = (old.clone().nth(row), new.clone().nth(row));
                let mark = match (one, other) {
                    (Some(_), Some(_)) => '|',
                    (Some(_), None) => '<',
                    _ => '>',
                };
                self.row(one, mark, other);
            } else if row == ENDS {
                self.elided(&match (left_out(old), left_out(new)) {
                    (one, 0) => format!("{} more of the first", counted(one, "line")),
                    (0, other) => format!("{} more of the second", counted(other, "line")),
                    (one, other) => format!("{} more of the first, {other} of the second", counted(one, "line")),
                });
            }
        }
    }

    fn row(&mut self, one: Option<usize>, mark: char, other: Option<usize>) {
        let (digits, column) = (self.digits, self.column);
        let side = |line: Option<usize>, of: &[u64]| match line {
            Some(line) => (format!("{}", line + 1), fitted(self.texts.of(of[line]), column)),
            None => (String::new(), String::new()),
        };
        let ((left_number, left), (right_number, right)) = (side(one, self.first), side(other, self.second));
        let row = format!("{left_number:>digits$} {left:<column$} {mark} {right_number:>digits$} {right}");
        // A string cannot fail to be written to; so below.
        let _ = writeln!(self.text, "{}", row.trim_end());
    }

    fn elided(&mut self, what: &str) {
        let _ = writeln!(self.text, "{:>digits$} ({what})", "\u{22ee}", digits = self.digits);
    }
}

/// The text in so many columns: a longer one ends with `…`; control characters are blanks.
fn fitted(text: &str, column: usize) -> String {
    let mut letters = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    let mut kept: String = letters.by_ref().take(column).collect();
    if letters.next().is_some() {
        kept.pop();
        kept.push('\u{2026}');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{TraceLines, common_lines, read_trace_and_texts};

    fn laid_out(first: &str, second: &str, width: usize) -> Marked {
        let mut texts = LineTexts::default();
        let mut read = |text: &str| {
            read_trace_and_texts(text.as_bytes(), TraceLines::Raw, None, Some(&mut texts)).expect("reading from memory")
        };
        let (first, second) = (read(first), read(second));
        let marked = side_by_side(&first, &second, &texts, width);
        assert_eq!(marked.common, common_lines(&first, &second));
        assert!(marked.text.lines().all(|line| line.chars().count() <= width), "{}", marked.text);
        marked
    }

    #[test]
    fn common_lines_stand_beside_each_other() {
        let first = "[mk-app] #1 x\n[mk-app] #2 str.++ #1 #1\n[assign] #2\n[push] 1\n";
        let second = "[mk-app] #1 x\n[mk-app] #2 str.len #1\n[mk-app] #3 + #2 #2\n[assign] #2\n";
        insta::assert_snapshot!(laid_out(first, second, 60).text, @r"
        1 [mk-app] #1 x              = 1 [mk-app] #1 x
        2 [mk-app] #2 str.++ #1 #1   | 2 [mk-app] #2 str.len #1
                                     > 3 [mk-app] #3 + #2 #2
        3 [assign] #2                = 4 [assign] #2
        4 [push] 1                   <
        ");
    }

    #[test]
    fn a_narrow_terminal_cuts_long_lines() {
        let marked = laid_out("[mk-app] #17 str.replace_all #14 #15\n", "[mk-app] #18 str\tx\n", 40);
        insta::assert_snapshot!(marked.text, @r"
        1 [mk-app] #17 st… | 1 [mk-app] #18 st…
        ");
    }

    #[test]
    fn long_runs_are_counted() {
        let numbered =
            |range: Range<u32>, word: &str| range.map(|n| word.to_owned() + &n.to_string() + "\n").collect::<String>();
        let first = numbered(0..12, "same ") + "here\n" + &numbered(12..16, "same ") + &numbered(0..30, "only ");
        let second = numbered(0..12, "same ") + "there\n" + &numbered(12..16, "same ");
        insta::assert_snapshot!(laid_out(&first, &second, 40).text, @r"
         ⋮ (9 common lines)
        10 same 9           = 10 same 9
        11 same 10          = 11 same 10
        12 same 11          = 12 same 11
        13 here             | 13 there
        14 same 12          = 14 same 12
        15 same 13          = 15 same 13
        16 same 14          = 16 same 14
        17 same 15          = 17 same 15
        18 only 0           <
        19 only 1           <
        20 only 2           <
        21 only 3           <
        22 only 4           <
        23 only 5           <
        24 only 6           <
        25 only 7           <
        26 only 8           <
        27 only 9           <
         ⋮ (10 lines more of the first)
        38 only 20          <
        39 only 21          <
        40 only 22          <
        41 only 23          <
        42 only 24          <
        43 only 25          <
        44 only 26          <
        45 only 27          <
        46 only 28          <
        47 only 29          <
        ");
        let nothing = laid_out("a\n", "a\n", 80);
        assert_eq!((nothing.text.as_str(), nothing.common), ("1 a                                    = 1 a\n", 1));
        assert_eq!(laid_out("a\nb\n", "a\nb\n", 80).text, "⋮ (2 common lines)\n");
    }
}
