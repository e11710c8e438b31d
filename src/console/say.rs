//! The one way to standard error.

use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// Writes text to standard error, as whole lines. A terminal that was closed, a full disk or a reader that left is no
/// reason to stop: the text is lost then, and the work goes on.
pub fn tell(text: fmt::Arguments<'_>) {
    let mut text = text.to_string();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    // In one piece, so that lines of several threads or processes do not mix.
    std::io::stderr().write_all(text.as_bytes()).ok();
}

/// Says of every panic that it is a fault of ours, and what of the work is safe. The panic then ends the process with
/// exit code 101.
pub fn explain_panics() {
    let place_and_reason = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        place_and_reason(panic);
        tell(format_args!(
            "error: this is a fault of mulstringfuzz itself (exit code 101): please report it with the lines above. What \
             was recorded so far is safe; `fuzz --resume DIR`, `hunt --resume DIR` and `experiment run` go on from there"
        ));
    }));
}

/// Prints a line as `eprintln!` does, which panics where [`tell`] goes on.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::console::tell(format_args!($($text)*))
    };
}
pub(crate) use say;

/// Whether nobody wants to see progress.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Leaves out the lines that only tell how far the work has come, of this process; or lets them through again.
pub(super) fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Whether progress is told.
pub(crate) fn tells_progress() -> bool {
    !QUIET.load(Ordering::Relaxed)
}

/// Prints a line that only tells how far the work has come, unless the user wants none.
macro_rules! progress {
    ($($text:tt)*) => {
        if $crate::console::tells_progress() {
            $crate::console::tell(format_args!($($text)*));
        }
    };
}
pub(crate) use progress;
