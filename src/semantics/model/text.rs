//! A text in which things are blanked and inserted, and which still knows the original places.

/// A text that is rewritten from left to right.
#[derive(Debug)]
pub(super) struct Rewritten<'a> {
    original: &'a str,
    /// How much of the original is done.
    done: usize,
    out: String,
    /// Where in `out` something was inserted, and how much.
    insertions: Vec<(usize, usize)>,
}

impl<'a> Rewritten<'a> {
    pub(super) fn of(original: &'a str) -> Self {
        Rewritten { original, done: 0, out: String::with_capacity(original.len() + 64), insertions: Vec::new() }
    }

    /// Takes the original over up to an offset, as it is.
    pub(super) fn keep_to(&mut self, offset: usize) {
        if offset > self.done {
            self.out.push_str(&self.original[self.done..offset]);
            self.done = offset;
        }
    }

    /// Makes the original blank up to an offset; lines stay lines.
    pub(super) fn blank_to(&mut self, offset: usize) {
        if offset > self.done {
            let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
            self.out.extend(self.original[self.done..offset].bytes().map(blank));
            self.done = offset;
        }
    }

    /// Inserts a text here.
    pub(super) fn insert(&mut self, text: &str) {
        self.insertions.push((self.out.len(), text.len()));
        self.out.push_str(text);
    }

    /// The text so far.
    pub(super) fn text(&self) -> &str {
        &self.out
    }

    /// The offset in the original of an offset in the text.
    pub(super) fn original_offset(&self, offset: usize) -> usize {
        let inserted = self.insertions.iter().take_while(|(at, _)| *at < offset);
        offset - inserted.map(|&(at, length)| length.min(offset - at)).sum::<usize>()
    }
}
