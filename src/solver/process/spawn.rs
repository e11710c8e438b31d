//! Starts a child process: `clone` that shares our memory until `exec`, as `posix_spawn` does, but with the process
//! group, death signal, limits and descriptors that a run needs.
//!
//! `fork` would copy our page tables for every run (milliseconds for a campaign's heap); `posix_spawn` cannot set
//! limits or a death signal. Between `clone` and `exec` the child runs on a stack of its own and only makes system
//! calls on data prepared beforehand: no allocation, no lock.

use std::ffi::{CString, OsStr, OsString, c_char, c_int, c_void};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::signal::{SigSet, SigmaskHow, pthread_sigmask};
use nix::unistd::{Pid, pipe2};

use super::brand::Brand;
use super::{Command, Limits, Observer, ProcessError};

/// Bytes of the child's stack until `exec`: it makes a few dozen system calls and holds small arrays only.
const STACK_BYTES: usize = 64 << 10;
/// Seconds beyond the limit at which the kernel stops a process by itself: a backstop, since `RLIMIT_CPU` counts whole
/// seconds and fires early.
const CPU_BACKSTOP_SECONDS: f64 = 2.0;

/// How often, and at what distance, a busy executable is tried.
const BUSY_ATTEMPTS: u32 = 50;
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// The kernel's limits on a child.
type Rlimits = [(libc::__rlimit_resource_t, libc::rlimit); 6];

/// A started process, not yet reaped.
pub(super) struct Child {
    pub(super) pid: Pid,
    /// Readable once the child has ended.
    pub(super) pidfd: OwnedFd,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
    pub(super) observer: Option<Observer>,
}

/// All that the child needs, as plain pointers and numbers into memory that outlives `exec`.
struct Plan {
    program: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
    folder: *const c_char,
    descriptors: *mut (RawFd, RawFd),
    descriptor_count: usize,
    /// The first number above every target, where sources are moved to so that no target overwrites one.
    first_free: RawFd,
    rlimits: Rlimits,
    parent: libc::pid_t,
    /// The error number of what failed; 0 while nothing has. Shared with us, who read it when `clone` returns.
    failure: AtomicI32,
}

/// How often, and after what pause first, a start is tried that fails for want of something that others give back: each
/// pause is twice the one before, 13 s in all.
const WANT_ATTEMPTS: u32 = 8;
const WANT_PAUSE: Duration = Duration::from_millis(100);

/// Whether an error is one of want: of processes, memory, descriptors.
fn is_want(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EAGAIN | libc::ENOMEM | libc::EMFILE | libc::ENFILE))
}

/// Does what may fail for want of something, until it succeeds or has been tried long enough.
fn patiently<T>(mut start: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let mut pause = WANT_PAUSE;
    for _ in 1..WANT_ATTEMPTS {
        match start() {
            Err(error) if is_want(&error) => {
                tracing::warn!(%error, "a process cannot be started now: it is tried again");
                std::thread::sleep(pause);
                pause *= 2;
            }
            done => return done,
        }
    }
    start()
}

/// Starts `command` in a new process group, and has it bear `brand`.
///
/// # Errors
/// When it cannot be started; `exec` failures are reported here, not by the child.
pub(super) fn spawn(command: Command, limits: &Limits, brand: Option<Brand>) -> Result<Child, ProcessError> {
    let program = command.program.clone();
    let invalid = |reason: String| ProcessError::Invalid { program: program.clone(), reason };
    let failed = |source: io::Error| ProcessError::Start { program: program.clone(), source };

    if let Some((number, _)) = command.inherited.iter().find(|(number, _)| *number < 3) {
        return Err(invalid(format!("descriptor {number} is reserved")));
    }
    let texts = Texts::new(&command).map_err(&invalid)?;
    let (null, [(stdout, stdout_child), (stderr, stderr_child)]) = patiently(streams).map_err(failed)?;
    let mut descriptors = vec![(null.as_raw_fd(), 0), (stdout_child.as_raw_fd(), 1), (stderr_child.as_raw_fd(), 2)];
    descriptors.extend(command.inherited.iter().map(|(number, descriptor)| (descriptor.as_raw_fd(), *number)));
    let rlimits = rlimits(limits, brand);
    for attempt in 1.. {
        match start(&texts, descriptors.clone(), rlimits) {
            Ok((pid, pidfd)) => return Ok(Child { pid, pidfd, stdout, stderr, observer: command.observer }),
            // The executable has just been written, and a child that another thread is starting still holds it open.
            Err(error) if error.raw_os_error() == Some(libc::ETXTBSY) && attempt < BUSY_ATTEMPTS => {
                std::thread::sleep(BUSY_PAUSE);
            }
            Err(error) => return Err(failed(error)),
        }
    }
    unreachable!("the last attempt returns")
}

/// What standard input reads, and for each output the end that we read, without waiting, and the child's.
fn streams() -> io::Result<(std::fs::File, [(OwnedFd, OwnedFd); 2])> {
    let pipe = || -> io::Result<(OwnedFd, OwnedFd)> {
        let (ours, theirs) = pipe2(OFlag::O_CLOEXEC)?;
        fcntl(&ours, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        Ok((ours, theirs))
    };
    Ok((std::fs::File::open("/dev/null")?, [pipe()?, pipe()?]))
}

/// Starts the program once. `descriptors` are pairs of ours and the number in the child.
fn start(texts: &Texts, mut descriptors: Vec<(RawFd, RawFd)>, rlimits: Rlimits) -> io::Result<(Pid, OwnedFd)> {
    let plan = Plan {
        program: texts.program.as_ptr(),
        arguments: texts.argument_pointers.as_ptr(),
        environment: texts.environment_pointers.as_ptr(),
        folder: texts.folder.as_ref().map_or(ptr::null(), |folder| folder.as_ptr()),
        first_free: descriptors.iter().map(|(_, target)| target + 1).max().unwrap_or(3),
        descriptor_count: descriptors.len(),
        descriptors: descriptors.as_mut_ptr(),
        rlimits,
        parent: libc::pid_t::try_from(std::process::id()).unwrap_or(0),
        failure: AtomicI32::new(0),
    };
    let (pid, pidfd) = patiently(|| clone_into(&plan))?;
    match plan.failure.load(Ordering::Acquire) {
        0 => Ok((pid, pidfd)),
        errno => {
            // The child has exited; only its entry is left.
            nix::sys::wait::waitpid(pid, None)?;
            Err(io::Error::from_raw_os_error(errno))
        }
    }
}

/// The command's strings as `exec` takes them.
struct Texts {
    program: CString,
    folder: Option<CString>,
    argument_pointers: Vec<*const c_char>,
    environment_pointers: Vec<*const c_char>,
    /// What the pointers point into.
    _owned: Vec<CString>,
}

impl Texts {
    fn new(command: &Command) -> Result<Self, String> {
        let text =
            |text: &OsStr| CString::new(text.as_bytes()).map_err(|_| format!("{} holds a NUL byte", text.display()));
        let program = text(command.program.as_os_str())?;
        let folder = command.folder.as_deref().map(Path::as_os_str).map(text).transpose()?;
        let mut owned = vec![program.clone()];
        for argument in &command.arguments {
            owned.push(text(argument)?);
        }
        let argument_count = owned.len();
        for (name, value) in environment(command) {
            let mut pair = name;
            pair.push("=");
            pair.push(value);
            owned.push(text(&pair)?);
        }
        let pointers = |texts: &[CString]| -> Vec<*const c_char> {
            texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect()
        };
        Ok(Texts {
            program,
            folder,
            argument_pointers: pointers(&owned[..argument_count]),
            environment_pointers: pointers(&owned[argument_count..]),
            _owned: owned,
        })
    }
}

/// The child's variables: ours, unless cleared, with the command's over them. Each once, since most programs take the
/// first of several of one name: a later setting replaces an earlier one.
fn environment(command: &Command) -> Vec<(OsString, OsString)> {
    let set = &command.environment;
    let overridden = |name: &OsStr, settings: &[(OsString, OsString)]| settings.iter().any(|(other, _)| other == name);
    let inherited = std::env::vars_os().filter(|(name, _)| !command.clear_environment && !overridden(name, set));
    let last = set.iter().enumerate().filter(|(index, (name, _))| !overridden(name, &set[index + 1..]));
    inherited.chain(last.map(|(_, pair)| pair.clone())).collect()
}

/// The kernel's limits for `limits`, each with a hard limit, so that the process cannot raise it. None is set on the number of
/// processes: the kernel counts all those of the user.
fn rlimits(limits: &Limits, brand: Option<Brand>) -> Rlimits {
    let same = |value: u64| {
        let value = if value == u64::MAX { libc::RLIM_INFINITY } else { value };
        libc::rlimit { rlim_cur: value, rlim_max: value }
    };
    let cpu = if limits.cpu_seconds.is_finite() {
        let soft = (limits.cpu_seconds.ceil() + CPU_BACKSTOP_SECONDS) as u64;
        // The hard limit, a second later, is SIGKILL: for those that handle SIGXCPU.
        libc::rlimit { rlim_cur: soft, rlim_max: soft + 1 }
    } else {
        same(u64::MAX)
    };
    [
        (libc::RLIMIT_CPU, cpu),
        (libc::RLIMIT_AS, same(limits.memory_bytes)),
        (libc::RLIMIT_FSIZE, same(limits.file_bytes)),
        (libc::RLIMIT_CORE, same(0)),
        // What Linux gives every process; ours may have been raised, and some programs loop over all of them.
        (libc::RLIMIT_NOFILE, same(1024)),
        (libc::RLIMIT_RTTIME, same(brand.map_or(u64::MAX, Brand::limit))),
    ]
}

/// Makes the child. When this returns, the child has either begun the new program or failed and exited.
#[expect(
    unsafe_code,
    reason = "clone has no safe interface; nothing else starts a process without copying our memory map"
)]
fn clone_into(plan: &Plan) -> io::Result<(Pid, OwnedFd)> {
    let mut stack = vec![0u8; STACK_BYTES];
    let mut pidfd: c_int = -1;
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
    // No signal handler of ours may run in the child while it shares our memory.
    let mut before = SigSet::empty();
    pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::all()), Some(&mut before))?;
    // SAFETY: the stack is writable, lives until after the call and grows down from its 16-byte aligned end; `plan` and
    // all that it points to live on too. CLONE_VFORK suspends this thread until the child has called exec or exited,
    // so the child is the only one to use them meanwhile. `child` never returns or unwinds.
    let pid = unsafe {
        let end = stack.as_mut_ptr().add(STACK_BYTES);
        let top = end.sub(end as usize % 16);
        libc::clone(child, top.cast(), flags, ptr::from_ref(plan).cast_mut().cast(), &raw mut pidfd)
    };
    let error = io::Error::last_os_error();
    pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&before), None)?;
    if pid < 0 {
        return Err(error);
    }
    // SAFETY: clone succeeded, so the kernel has stored a new descriptor, which nobody else owns.
    let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
    Ok((Pid::from_raw(pid), pidfd))
}

/// The child's side: prepares the process, then becomes the program. Exits with the error number stored on failure.
#[expect(unsafe_code, reason = "runs between clone and exec, where only raw system calls are allowed")]
extern "C" fn child(plan: *mut c_void) -> c_int {
    // SAFETY: `clone_into` passes a pointer to a `Plan` that outlives the child's use of it.
    let plan = unsafe { &*plan.cast::<Plan>() };
    // SAFETY: async-signal-safe calls only, on pointers that the plan keeps valid.
    unsafe {
        prepare(plan);
        libc::execve(plan.program, plan.arguments, plan.environment);
        fail(plan)
    }
}

/// Stores what went wrong and ends the child.
#[expect(unsafe_code, reason = "runs between clone and exec, where only raw system calls are allowed")]
unsafe fn fail(plan: &Plan) -> ! {
    // SAFETY: errno is the calling thread's; `_exit` runs none of our process's exit handlers.
    unsafe {
        // Never 0, which would mean success.
        plan.failure.store((*libc::__errno_location()).max(1), Ordering::Release);
        libc::_exit(127)
    }
}

/// Sets the child's group, death signal, terminal, limits, folder, descriptors and signals.
#[expect(unsafe_code, reason = "runs between clone and exec, where only raw system calls are allowed")]
unsafe fn prepare(plan: &Plan) {
    // SAFETY: only async-signal-safe system calls, on the plan's memory, which is valid and ours alone meanwhile.
    unsafe {
        let check = |result: c_int| {
            if result < 0 {
                fail(plan)
            }
        };
        check(libc::setpgid(0, 0));
        check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL));
        // We may have died before the death signal was set.
        if libc::getppid() != plan.parent {
            libc::_exit(127);
        }
        // A solver that reads from the terminal would wait for the user, or be stopped for being in the background.
        let terminal = libc::open(c"/dev/tty".as_ptr(), libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC);
        if terminal >= 0 {
            libc::ioctl(terminal, libc::TIOCNOTTY);
            libc::close(terminal);
        }
        for (resource, limit) in &plan.rlimits {
            lower(*resource, *limit);
        }
        if !plan.folder.is_null() {
            check(libc::chdir(plan.folder));
        }
        let descriptors = std::slice::from_raw_parts_mut(plan.descriptors, plan.descriptor_count);
        for (source, _) in &mut *descriptors {
            *source = libc::fcntl(*source, libc::F_DUPFD_CLOEXEC, plan.first_free);
            check(*source);
        }
        // Descriptors of other libraries too. Kernels before 5.11 do not know the call, and need it for those only.
        libc::syscall(libc::SYS_close_range, 3, c_int::MAX, libc::CLOSE_RANGE_CLOEXEC);
        for (source, target) in &*descriptors {
            check(libc::dup2(*source, *target));
        }
        // Ours would be inherited where ignored (SIGPIPE, by Rust's runtime) or run on shared memory once unblocked.
        for signal in 1..=libc::SIGRTMAX() {
            libc::signal(signal, libc::SIG_DFL);
        }
        let mut none = std::mem::zeroed::<libc::sigset_t>();
        libc::sigemptyset(&raw mut none);
        check(libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut()));
    }
}

/// Lowers a limit as far as wanted; one that is lower already, on a constrained machine, stays.
#[expect(unsafe_code, reason = "runs between clone and exec, where only raw system calls are allowed")]
unsafe fn lower(resource: libc::__rlimit_resource_t, wanted: libc::rlimit) {
    // SAFETY: system calls on two local structures.
    unsafe {
        let mut limit = std::mem::zeroed::<libc::rlimit>();
        if libc::getrlimit(resource, &raw mut limit) == 0 {
            limit.rlim_max = limit.rlim_max.min(wanted.rlim_max);
            limit.rlim_cur = wanted.rlim_cur.min(limit.rlim_max);
            libc::setrlimit(resource, &raw const limit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_that_fails_for_want_of_something_is_tried_again_and_another_one_is_not() {
        let mut tries = 0;
        let mut failing = |errno, until| {
            tries = 0;
            let result = patiently(|| {
                tries += 1;
                if tries < until { Err(io::Error::from_raw_os_error(errno)) } else { Ok(()) }
            });
            (result.is_ok(), tries)
        };
        assert_eq!(failing(libc::EAGAIN, 3), (true, 3));
        assert_eq!(failing(libc::ENOENT, 3), (false, 1));
    }
}
