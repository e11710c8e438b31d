//! `coverage.info`: coverage as LCOV's tools and editors read it.

use std::fmt::Write;

use super::LineTable;
use crate::coverage::{Archive, LineSlot};

/// The tracefile of an archive: per file, ascending, each line of `lines` with the most that any run executed it (0 if none
/// did), then how many lines there are (`LF`) and how many ran (`LH`). A line that several functions share counts once.
pub fn tracefile(lines: &LineTable, archive: &Archive) -> String {
    let mut text = String::new();
    let mut ran = archive.iter().peekable();
    let slots = (0..lines.line_of_slot.len() as u32).map(|index| {
        let slot = LineSlot::new(index);
        let count = ran.next_if(|(covered, _)| *covered == slot).map_or(0, |(_, count)| count);
        (lines.file_of_slot[slot.index()], lines.line_of_slot[slot.index()], count)
    });
    let slots: Vec<(u32, u32, u64)> = slots.collect();
    for file in slots.chunk_by(|(left, ..), (right, ..)| left == right) {
        let _ = writeln!(text, "TN:\nSF:{}", lines.files[file[0].0 as usize]);
        for (_, line, count) in file {
            let _ = writeln!(text, "DA:{line},{count}");
        }
        let ran = file.iter().filter(|(.., count)| *count > 0).count();
        let _ = writeln!(text, "LF:{}\nLH:{ran}\nend_of_record", file.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::LineCounts;

    #[test]
    fn a_tracefile_has_all_lines_of_each_file_and_those_that_ran() {
        let lines = LineTable {
            fingerprint: 1,
            files: vec!["src/a.cpp".into(), "src/b.h".into()],
            file_of_slot: [0, 0, 1].into(),
            line_of_slot: vec![3, 7, 1],
        };
        let mut archive = Archive::new(lines.file_of_slot.clone());
        archive.merge(&[(LineSlot::new(1), 12), (LineSlot::new(2), 1)].into_iter().collect::<LineCounts>());
        insta::assert_snapshot!(tracefile(&lines, &archive), @r"
        TN:
        SF:src/a.cpp
        DA:3,0
        DA:7,12
        LF:2
        LH:1
        end_of_record
        TN:
        SF:src/b.h
        DA:1,1
        LF:1
        LH:1
        end_of_record
        ");
    }
}
