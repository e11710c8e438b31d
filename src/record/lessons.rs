//! `known.jsonl`: what a run has learned of its candidates, one JSON object a line, each with the generation before which it was
//! learned: what is bred depends on it, and so it is replayed like evaluations.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::directory::names;
use super::error::RecordError;
use super::file::write_atomically;

/// What was learned of one candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// Before this generation: from it on, the pattern is known.
    pub generation: u32,
    /// The individual.
    pub id: u32,
    /// The reduced script in the target's dialect; none if the candidate was not slow when it was looked at again.
    pub core: Option<String>,
    /// What makes it slow, as patterns are written; none if no pattern proved itself.
    pub pattern: Option<String>,
    /// Of the fresh scripts with it that were tried, those on which the target is slow.
    pub slow: u32,
    /// Fresh scripts with it that were tried.
    pub tried: u32,
    /// CPU seconds of solvers that it took.
    pub solver_seconds: f64,
}

/// All lessons of a run, in the order in which they were learned.
#[derive(Debug)]
pub(super) struct LessonStore {
    path: PathBuf,
    lessons: Vec<Lesson>,
}

impl LessonStore {
    pub(super) fn open(root: &Path) -> Result<Self, RecordError> {
        Ok(LessonStore { path: root.join(names::KNOWN), lessons: read_lessons(root)? })
    }

    pub(super) fn all(&self) -> &[Lesson] {
        &self.lessons
    }

    /// Adds a lesson, unless it is there already.
    pub(super) fn add(&mut self, lesson: &Lesson) -> Result<(), RecordError> {
        if self.lessons.contains(lesson) {
            return Ok(());
        }
        self.lessons.push(lesson.clone());
        self.write()
    }

    /// Forgets what was learned before generations that come after this one: they are bred again, and perhaps otherwise.
    pub(super) fn keep_until(&mut self, generation: Option<u32>) -> Result<(), RecordError> {
        let before = self.lessons.len();
        self.lessons.retain(|lesson| generation.is_some_and(|last| lesson.generation <= last));
        if self.lessons.len() < before { self.write() } else { Ok(()) }
    }

    fn write(&self) -> Result<(), RecordError> {
        let mut text = String::new();
        for lesson in &self.lessons {
            text += &serde_json::to_string(lesson).map_err(|error| RecordError::damaged(&self.path, error))?;
            text.push('\n');
        }
        write_atomically(&self.path, text.as_bytes())
    }
}

/// The lessons of the run in `root`; none of a run that learned nothing.
///
/// # Errors
/// [`RecordError::Read`], [`RecordError::Damaged`].
pub fn read_lessons(root: &Path) -> Result<Vec<Lesson>, RecordError> {
    let path = root.join(names::KNOWN);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(RecordError::read(&path))?,
    };
    text.lines().map(|line| serde_json::from_str(line).map_err(|error| RecordError::damaged(&path, error))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lesson(generation: u32, id: u32) -> Lesson {
        let (core, pattern) = (Some("(check-sat)\n".to_owned()), None);
        Lesson { generation, id, core, pattern, slow: 0, tried: 0, solver_seconds: 1.5 }
    }

    #[test]
    fn lessons_are_kept_once_and_forgotten_where_generations_are_bred_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = LessonStore::open(folder.path()).unwrap();
        for each in [lesson(1, 7), lesson(4, 90), lesson(1, 7)] {
            store.add(&each).unwrap();
        }
        assert_eq!(LessonStore::open(folder.path()).unwrap().all(), [lesson(1, 7), lesson(4, 90)]);
        store.keep_until(Some(3)).unwrap();
        assert_eq!(read_lessons(folder.path()).unwrap(), [lesson(1, 7)]);
        store.keep_until(None).unwrap();
        assert!(read_lessons(folder.path()).unwrap().is_empty());
        fs::write(folder.path().join(names::KNOWN), "{").unwrap();
        assert!(matches!(LessonStore::open(folder.path()), Err(RecordError::Damaged { .. })));
    }
}
