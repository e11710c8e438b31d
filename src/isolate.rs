//! Work on one instance whose panic must not end the work on the others.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::{Mutex, Once, PoisonError};

/// The most panics of other threads that are remembered.
const MOST_REMEMBERED: usize = 64;

thread_local! {
    /// How many calls of [`isolated`] this thread is in.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// The last panic of this thread within one of them.
    static LAST: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

/// Panics of threads that are in no call of [`isolated`] themselves, but may work for one.
static ELSEWHERE: Mutex<Vec<Panic>> = Mutex::new(Vec::new());

/// What a panic says, and where it was.
struct Panic {
    message: String,
    place: Option<String>,
}

impl Panic {
    fn of(info: &PanicHookInfo<'_>) -> Panic {
        let place = info.location().map(|place| format!("{}:{}", place.file(), place.line()));
        Panic { message: message_of(info.payload()), place }
    }

    fn told(self) -> String {
        match self.place {
            Some(place) => format!("{} ({place})", self.message),
            None => self.message,
        }
    }
}

/// Does `work`; a panic becomes an `Err` that says what the panic said and where it was: `index out of bounds: …
/// (src/x.rs:12)`. Nothing is printed of it, unless another thread panicked that worked for this one.
///
/// What `work` had begun to change is left as it was at that moment: it should change only what is its own.
///
/// # Errors
/// The message and the place of the panic.
pub fn isolated<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    install_hook();
    DEPTH.set(DEPTH.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    result.map_err(|payload| {
        let message = message_of(payload.as_ref());
        let own = LAST.take().filter(|own| own.message == message);
        own.or_else(|| elsewhere(&message)).unwrap_or(Panic { message, place: None }).told()
    })
}

/// The panic of another thread that said this, the last one.
fn elsewhere(message: &str) -> Option<Panic> {
    let mut panics = ELSEWHERE.lock().unwrap_or_else(PoisonError::into_inner);
    let index = panics.iter().rposition(|panic| panic.message == message)?;
    Some(panics.remove(index))
}

/// Has panics remembered; those in no isolated work are printed as ever.
fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            if DEPTH.get() > 0 {
                LAST.set(Some(Panic::of(info)));
                return;
            }
            let mut panics = ELSEWHERE.lock().unwrap_or_else(PoisonError::into_inner);
            if panics.len() == MOST_REMEMBERED {
                panics.remove(0);
            }
            panics.push(Panic::of(info));
            drop(panics);
            before(info);
        }));
    });
}

fn message_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_ends_well_gives_its_result() {
        assert_eq!(isolated(|| 1 + 1), Ok(2));
    }

    #[test]
    fn a_panic_becomes_what_it_says_and_where_it_was() {
        let number = 7;
        let said = isolated(|| assert!(number == 8, "number {number} is not 8")).unwrap_err();
        assert!(said.starts_with("number 7 is not 8 (src/isolate.rs:"), "{said}");
        let inner = isolated(|| isolated(|| panic!("inside"))).expect("the outer work ends well");
        assert!(inner.unwrap_err().starts_with("inside ("));
    }

    #[test]
    fn a_panic_of_a_thread_that_works_for_us_has_its_place_too() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
        let said = isolated(|| pool.install(|| panic!("in a pool"))).unwrap_err();
        assert!(said.starts_with("in a pool (src/isolate.rs:"), "{said}");
        assert_eq!(isolated(|| pool.install(|| 3)), Ok(3));
    }
}
