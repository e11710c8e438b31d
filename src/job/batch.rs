//! Making many scripts on several threads, in an order that does not depend on them.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Context;
use rayon::prelude::*;

use super::destination::Destination;

/// How many scripts a thread makes at a time.
const CHUNK: usize = 1024;

/// How many scripts are to be made, and where they go.
#[derive(Clone, Debug)]
pub struct Batch {
    /// How many scripts.
    pub count: NonZeroUsize,
    /// An empty or new folder for the scripts; standard output without one, with (reset) between them.
    pub out: Option<PathBuf>,
    /// The seed: equal seeds give equal scripts, whatever `jobs` is.
    pub seed: u64,
    /// Threads.
    pub jobs: NonZeroUsize,
}

impl Batch {
    /// Makes the scripts with `make`, which appends the text of the script with a number, from 1, and writes them where the user
    /// wants them. `workspace` gives working memory, which serves several scripts of one thread.
    ///
    /// # Errors
    /// Those of `make`, a folder that is not empty, and of writing.
    pub fn write<W>(
        &self,
        workspace: impl Fn() -> W + Sync,
        make: impl Fn(&mut W, usize, &mut String) -> anyhow::Result<()> + Sync,
    ) -> anyhow::Result<()> {
        self.write_only(self.count.get(), workspace, make)
    }

    /// As [`Self::write`], but `count` scripts.
    ///
    /// # Errors
    /// Those of [`Self::write`].
    pub fn write_only<W>(
        &self,
        count: usize,
        workspace: impl Fn() -> W + Sync,
        make: impl Fn(&mut W, usize, &mut String) -> anyhow::Result<()> + Sync,
    ) -> anyhow::Result<()> {
        let destination = Destination::open(self.out.as_deref(), count)?;
        write_scripts(count, self.jobs.get(), &destination, workspace, make)
    }
}

/// Makes scripts 1 to `count` with `make`, which appends the text of the script with that number, on `jobs` threads,
/// and writes them to `destination`. `workspace` gives each chunk its working memory.
///
/// # Errors
/// Those of `make`, and of writing.
fn write_scripts<W>(
    count: usize,
    jobs: usize,
    destination: &Destination,
    workspace: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, usize, &mut String) -> anyhow::Result<()> + Sync,
) -> anyhow::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().context("starting threads")?;
    // A round holds one chunk per thread in memory, and is written in order.
    for round in (1..=count).step_by(CHUNK * jobs) {
        let starts: Vec<usize> = (0..jobs).map(|job| round + job * CHUNK).filter(|&start| start <= count).collect();
        let chunk = |&start: &usize| -> anyhow::Result<String> {
            let mut space = workspace();
            let mut text = String::new();
            for number in start..(start + CHUNK).min(count + 1) {
                if !destination.is_stream() {
                    text.clear();
                } else if number > 1 {
                    text.push_str(Destination::SEPARATOR);
                }
                make(&mut space, number, &mut text)?;
                if !destination.is_stream() {
                    destination.write_file(number, &text)?;
                }
            }
            Ok(text)
        };
        let texts: Vec<String> = pool.install(|| starts.par_iter().map(chunk).collect::<anyhow::Result<_>>())?;
        if destination.is_stream() {
            for text in &texts {
                destination.write_stream(text)?;
            }
        }
    }
    Ok(())
}
