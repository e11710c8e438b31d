//! The terminal on standard error, as the live status needs it.

use std::io;

use console::Term;
use indicatif::TermLike;

/// A terminal whose cursor rests at the beginning of the last line of what was drawn.
///
/// The library leaves it behind the last column. What is echoed there, the `^C` of an interrupt, goes to the next line,
/// so that the following clearing misses the first line of the status, which stays and looks alive.
#[derive(Debug)]
pub(super) struct Terminal(Term);

impl Terminal {
    pub(super) fn new() -> Self {
        Terminal(Term::buffered_stderr())
    }
}

impl TermLike for Terminal {
    fn width(&self) -> u16 {
        self.0.size().1
    }

    fn height(&self) -> u16 {
        self.0.size().0
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_up(lines)
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_down(lines)
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_right(columns)
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_left(columns)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.0.write_line(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.write_str("\r")?;
        self.0.flush()
    }
}
