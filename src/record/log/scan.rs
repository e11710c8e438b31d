//! Finding the frames of a log, also those behind damage.

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::super::error::RecordError;
use super::super::file::AppendFile;
use super::super::frame;

/// How much is looked through at a time for the mark of a frame.
const STRETCH: usize = 1 << 20;

/// What a log holds besides sound frames.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// Bytes that are no frame, with sound frames behind them: something has changed the file after it was written.
    pub gaps: Vec<Range<u64>>,
    /// What was cut off behind the last sound frame, and where it is kept now: a process was killed while it wrote, or
    /// the last frame is damaged; the two cannot be told apart.
    pub cut: Option<(u64, PathBuf)>,
}

impl Damage {
    /// What to tell the user about it, a sentence each.
    pub(super) fn notes(&self, path: &Path) -> Vec<String> {
        let path = path.display();
        let gap = |gap: &Range<u64>| {
            format!(
                "{path} is damaged from byte {} to byte {}: what stood there is lost, everything before and behind it is \
                 used, and nothing was changed",
                gap.start, gap.end
            )
        };
        let cut = self.cut.iter().map(|(length, kept)| {
            format!(
                "the last {length} bytes of {path} were no whole record; they are kept at the end of {}",
                kept.display()
            )
        });
        self.gaps.iter().map(gap).chain(cut).collect()
    }
}

/// The bytes of the sound frame at an offset; `None` if there is none.
pub(super) fn frame_at(file: &AppendFile, offset: u64) -> Result<Option<Vec<u8>>, RecordError> {
    let left = file.length().saturating_sub(offset);
    if left < frame::PREFIX as u64 {
        return Ok(None);
    }
    let length = frame::length(&file.read_at(offset, frame::PREFIX)?);
    if length as u64 > left {
        return Ok(None);
    }
    let bytes = file.read_at(offset, length)?;
    Ok(frame::decode(&bytes).is_some().then_some(bytes))
}

/// Where the next sound frame begins, from an offset on.
pub(super) fn next_frame(file: &AppendFile, from: u64) -> Result<Option<u64>, RecordError> {
    let mut start = from;
    while start < file.length() {
        // Stretches overlap by less than a mark, so that none is missed or found twice.
        let most = (STRETCH + frame::MARK.len() - 1) as u64;
        let length = usize::try_from(most.min(file.length() - start)).unwrap_or(STRETCH);
        let bytes = file.read_at(start, length)?;
        for place in memchr::memmem::find_iter(&bytes, &frame::MARK) {
            let offset = start + place as u64;
            if frame_at(file, offset)?.is_some() {
                return Ok(Some(offset));
            }
        }
        start += STRETCH as u64;
    }
    Ok(None)
}

/// Cuts off what stands behind the last frame, and keeps it in a file beside the log.
pub(super) fn cut(file: &mut AppendFile, end: u64) -> Result<Option<(u64, PathBuf)>, RecordError> {
    let length = file.length().saturating_sub(end);
    if length == 0 {
        return Ok(None);
    }
    let bytes = file.read_at(end, usize::try_from(length).unwrap_or(usize::MAX))?;
    let kept = file.path().with_extension("damaged");
    let append = || {
        let mut copy = std::fs::OpenOptions::new().create(true).append(true).open(&kept)?;
        copy.write_all(&bytes)?;
        copy.sync_all()
    };
    append().map_err(RecordError::write(&kept))?;
    file.truncate(end)?;
    Ok(Some((length, kept)))
}
