//! What a solver's run says, as data: its output, exit and limits read as one [`Answer`].

pub mod crash;

use serde::{Deserialize, Serialize};

use super::process::{Exit, Run, Stopped};
use crate::smtlib::expression::own_words;

/// A solver's answer to a script. A failure of the solver is an answer too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "result", content = "detail", rename_all = "kebab-case")]
pub enum Answer {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// The solver gave up by itself; its reason, empty if it named none.
    Unknown(String),
    /// The CPU or elapsed time was used up.
    Timeout,
    /// The memory was used up.
    #[serde(rename = "memout")]
    MemoryOut,
    /// The solver rejected the script or our options; its first message. What it answered after that counts for
    /// nothing: Z3 goes on after an error, with the rejected assertion missing. Or it was asked, and printed nothing at all.
    #[serde(rename = "error")]
    Rejected(String),
    /// The solver gave up at once because it does not support an operator; its message.
    Unsupported(String),
    /// The solver found that its own model does not satisfy the script; its message.
    InvalidModel(String),
    /// The solver crashed or found an internal error; its message, or the signal.
    Crash(String),
    /// Somebody else killed the solver, or told it to end, which says nothing about it: a person, the machine, a limit of the
    /// session, a watchdog of its memory.
    Killed,
    /// The output contains this text, which the user wants to be ignored.
    Ignored(String),
    /// The user stopped us.
    Interrupted,
}

/// Messages of failed internal checks and of crash handlers, of Z3, CVC4, cvc5, Yices, Boolector and C++ itself.
const CRASH_MESSAGES: &[&str] = &[
    "ASSERTION VIOLATION",
    "UNEXPECTED CODE WAS REACHED",
    "Fatal failure",
    "Internal error",
    "internal error",
    "suffered a segfault",
    "Segmentation fault",
    "terminate called",
    "was terminated by the C++ runtime",
    "AddressSanitizer",
    "UndefinedBehaviorSanitizer",
];

/// Exit codes by which a shell, or a wrapper, passes on that its program ended by a signal that is a crash: 128 and the number
/// of SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV.
const CRASH_CODES: [i32; 6] = [132, 133, 134, 135, 136, 139];
/// Signals that come from somebody else: no program sends them to itself because it is wrong. Those of our own limits are told
/// by what the run was stopped for, before this is looked at.
const SIGNALS_OF_OTHERS: [i32; 4] = [libc::SIGKILL, libc::SIGTERM, libc::SIGINT, libc::SIGHUP];
/// What a program in Rust prints when it panics, and the exit code that goes with it.
const PANIC: (&str, i32) = ("panicked at", 101);

/// Messages of failed allocations.
const MEMORY_MESSAGES: &[&str] =
    &["out of memory", "Out of memory", "std::bad_alloc", "OutOfMemoryException", "MemoryError", "memout"];

/// Messages of failed model checks (Z3 `model_validate=true`, CVC4 and cvc5 `--check-models`).
const MODEL_MESSAGES: &[&str] =
    &["an invalid model was generated", "ERRORS SATISFYING ASSERTIONS WITH MODEL", "Satisfiable model check failed"];

/// Beginnings of the lines by which a solver rejects a script, or options.
const REJECTIONS: &[&str] = &["(error", "CVC4 Error:", "cvc5 Error:", "cvc5: error:", "Parse Error:", "ERROR:"];

/// Whether an error is about a place or a name in the script, whatever words of the script it quotes.
fn names_a_symbol(line: &str) -> bool {
    ["unknown constant", "unknown function", "not declared", "Parse Error", "(error \"line "]
        .iter()
        .any(|words| line.contains(words))
}

/// The message of an answer that is not there.
const MUTE: &str = "printed no answer";

/// Bytes of a message that are kept.
const MESSAGE_BYTES: usize = 300;

impl Answer {
    /// What a line of output contains that is the message of a crash, of whichever solver. A signal is a crash without one.
    pub fn crash_messages() -> &'static [&'static str] {
        CRASH_MESSAGES
    }

    /// Reads `run` as an answer. The last check-sat counts ([`check_sat_answers`] lists all).
    ///
    /// A script that asks nothing is none of it ([`Self::to_no_question`]). The rules, first match first: an interrupt; a message of a failed model check; a rejection, unless it is a message of
    /// memory or of a crash in the words of an error; memory; a message of a crash; time; a kill, or a signal to end, that is not ours; too much output, or too many processes; a
    /// signal; the last answer printed. What stands in literals and names that the solver prints, of a model, is no message. Rejection
    /// precedes memory and time because a rejected script must never pass for a slow one, and an output that was not kept
    /// whole is no answer, because an error may be in what was dropped.
    pub fn of(run: &Run) -> Answer {
        Self::with_crashes(run, &[])
    }

    /// The same, where these messages are those of a crash too.
    pub fn with_crashes(run: &Run, crashes: &[String]) -> Answer {
        let (stdout, stderr) = (own_words(&run.stdout_text()), run.stderr_text());
        let lines = || stdout.lines().chain(stderr.lines()).map(str::trim);
        let containing = |messages: &[&str]| lines().find(|line| messages.iter().any(|message| line.contains(message)));
        let crashes: Vec<&str> = crashes.iter().map(String::as_str).chain(CRASH_MESSAGES.iter().copied()).collect();
        if run.stopped == Some(Stopped::Interrupted) {
            return Answer::Interrupted;
        }
        if let Some(line) = containing(MODEL_MESSAGES) {
            return Answer::InvalidModel(message(line));
        }
        let rejection = lines().find(|line| {
            let rejects = REJECTIONS.iter().any(|beginning| line.starts_with(beginning));
            // Z3 and CVC4 tell of their own failures in the words of an error, too.
            let fails = |messages: &[&str]| messages.iter().any(|message| line.contains(message));
            rejects && (names_a_symbol(line) || !(fails(MEMORY_MESSAGES) || fails(&crashes)))
        });
        if let Some(line) = rejection {
            // CVC4 and cvc5 put what is wrong on the line below.
            let reason = lines().skip_while(|other| *other != line).nth(1).filter(|_| line.ends_with("Error:"));
            return Answer::Rejected(message(&[line].into_iter().chain(reason).collect::<Vec<_>>().join(" ")));
        }
        if run.stopped == Some(Stopped::Memory) || containing(MEMORY_MESSAGES).is_some() {
            return Answer::MemoryOut;
        }
        if let Some(line) = containing(&crashes) {
            return Answer::Crash(message(line));
        }
        match (run.stopped, run.exit) {
            (Some(Stopped::Cpu | Stopped::Wall), _) => Answer::Timeout,
            (Some(Stopped::Killed), _) => Answer::Killed,
            (None, Exit::Signal(signal)) if SIGNALS_OF_OTHERS.contains(&signal) => Answer::Killed,
            (Some(Stopped::Output), _) => Answer::Unknown("too much output".to_owned()),
            (Some(Stopped::Threads), _) => Answer::Unknown("too many processes".to_owned()),
            _ if run.truncated => Answer::Unknown("too much output to read whole".to_owned()),
            (_, Exit::Signal(signal)) => Answer::Crash(format!("signal {signal}")),
            (_, Exit::Code(code)) => match check_sat_answers(run).pop() {
                Some(answer) => answer,
                None if code == 0 && stdout.trim().is_empty() => Answer::Rejected(mute(&stderr)),
                None if code == 0 => Answer::Unknown("no answer".to_owned()),
                None if SIGNALS_OF_OTHERS.contains(&(code - 128)) => Answer::Killed,
                None if CRASH_CODES.contains(&code) => Answer::Crash(format!("signal {}", code - 128)),
                None if code == PANIC.1 && stderr.contains(PANIC.0) => {
                    Answer::Crash(stderr.lines().find(|line| line.contains(PANIC.0)).map_or_else(String::new, message))
                }
                // Options or commands that it does not know, as often as not: an exit code alone proves no crash.
                None => Answer::Rejected(
                    lines().find(|line| !line.is_empty()).map_or_else(|| format!("exit code {code}"), message),
                ),
            },
        }
    }

    /// The same for a script that asks nothing: who prints nothing then refuses nothing.
    #[must_use]
    pub fn to_no_question(self) -> Answer {
        match self {
            Answer::Rejected(message) if message.starts_with(MUTE) => Answer::Unknown("no answer".to_owned()),
            other => other,
        }
    }

    /// The answer to a script's only question if all that the solver refuses was printed after it, so that it refuses only
    /// what follows the question: a `(get-model)` after `unsat`. `None` if it printed no answer, or refused something
    /// before; what an error on standard error is about, nobody can tell.
    pub fn before_refusal(run: &Run, crashes: &[String]) -> Option<(Answer, String)> {
        let printed = run.stdout_text();
        let mut end = 0;
        let answered = printed.split_inclusive('\n').any(|line| {
            end += line.len();
            ["sat", "unsat", "unknown"].contains(&line.trim())
        });
        let beginning = printed[..end].to_owned();
        let cut = Run { stdout: beginning.clone().into_bytes(), ..run.clone() };
        let answer = Self::with_crashes(&cut, crashes);
        (answered && !answer.is_refusal()).then_some((answer, beginning))
    }

    /// The answer that a line of output is: `sat`, `unsat` or `unknown`; `None` of any other line.
    pub fn said(line: &str) -> Option<Answer> {
        match line.trim() {
            "sat" => Some(Answer::Sat),
            "unsat" => Some(Answer::Unsat),
            "unknown" => Some(Answer::Unknown(String::new())),
            _ => None,
        }
    }

    /// Whether this is `sat` or `unsat`.
    pub fn is_solved(&self) -> bool {
        matches!(self, Answer::Sat | Answer::Unsat)
    }

    /// Whether the solver does not take the script at all, so that its time means nothing.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Answer::Rejected(_) | Answer::Unsupported(_))
    }

    /// The name in tables: `sat`, `unsat`, `unknown`, `timeout`, `memout`, `error`, `unsupported`, `invalid-model`,
    /// `crash`, `killed`, `ignored` or `interrupted`.
    pub fn name(&self) -> &'static str {
        match self {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "unknown",
            Answer::Timeout => "timeout",
            Answer::MemoryOut => "memout",
            Answer::Rejected(_) => "error",
            Answer::Unsupported(_) => "unsupported",
            Answer::InvalidModel(_) => "invalid-model",
            Answer::Crash(_) => "crash",
            Answer::Killed => "killed",
            Answer::Ignored(_) => "ignored",
            Answer::Interrupted => "interrupted",
        }
    }

    /// The solver's message or reason; empty if there is none.
    pub fn detail(&self) -> &str {
        match self {
            Answer::Unknown(text)
            | Answer::Rejected(text)
            | Answer::Unsupported(text)
            | Answer::InvalidModel(text)
            | Answer::Ignored(text)
            | Answer::Crash(text) => text,
            Answer::Sat
            | Answer::Unsat
            | Answer::Timeout
            | Answer::MemoryOut
            | Answer::Killed
            | Answer::Interrupted => "",
        }
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.detail() {
            "" => f.write_str(self.name()),
            detail => write!(f, "{} ({detail})", self.name()),
        }
    }
}

/// The answers to each `check-sat` of a run, in order, whatever else it printed: `sat`, `unsat`, or `unknown` with the
/// reason that follows it, where that says more (an unsupported operator, a limit of the solver's own).
pub fn check_sat_answers(run: &Run) -> Vec<Answer> {
    let mut answers = Vec::new();
    for line in run.stdout_text().lines().map(str::trim) {
        if let Some(answer) = Answer::said(line) {
            answers.push(answer);
            continue;
        }
        match line {
            // Z3's `-T:` and cvc5's `--tlimit`.
            "timeout" | "cvc5 interrupted by timeout." => answers.push(Answer::Timeout),
            _ => {
                if let (Some(reason), Some(last @ Answer::Unknown(_))) = (reason_unknown(line), answers.last_mut()) {
                    *last = unknown_because(reason);
                }
            }
        }
    }
    answers
}

/// The reason in a response to `(get-info :reason-unknown)`.
fn reason_unknown(line: &str) -> Option<&str> {
    let reason = line.strip_prefix("(:reason-unknown")?.strip_suffix(')')?;
    Some(reason.trim().trim_matches('"'))
}

/// What an `unknown` with this reason amounts to.
fn unknown_because(reason: &str) -> Answer {
    let lower = reason.to_lowercase();
    if lower.contains("unsupported operator") || lower.contains("not supported") {
        Answer::Unsupported(message(reason))
    } else if lower == "timeout" {
        Answer::Timeout
    } else if lower.contains("memout") || lower.contains("memory") {
        Answer::MemoryOut
    } else {
        Answer::Unknown(message(reason))
    }
}

/// What is said of a solver that ended as if all were well, and printed nothing: not even that it gave up, so that it is no
/// `unknown`. Its words on standard error, if there are any, say why.
fn mute(stderr: &str) -> String {
    let words = stderr.lines().map(str::trim).find(|line| !line.is_empty());
    words.map_or_else(|| MUTE.to_owned(), |words| format!("{MUTE}: {}", message(words)))
}

/// The beginning of a message.
fn message(line: &str) -> String {
    line[..line.floor_char_boundary(MESSAGE_BYTES)].to_owned()
}

#[cfg(test)]
mod tests;
