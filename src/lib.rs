//! MulStringFuzz: find the inputs that make an SMT solver slow, or wrong.
//!
//! The modules stand in the order of the flow; a module uses only those above it.

// It panics when standard error is gone; `console::say` does not.
#![warn(clippy::print_stderr)]

pub mod smtlib; // text ⇄ script: lexer, parser, sort checker, printers; knows no other module
pub mod random; // one portable random generator per place of a run
pub mod isolate; // a panic in the work on one instance, as data
pub mod number; // numbers as people read them
pub mod markdown; // texts of others in the Markdown that we write
pub mod shell; // words for the shell, in what we write
pub mod semantics; // values and ground evaluation of terms: the oracle that needs no solver
pub mod generator; // fresh scripts
pub mod operator; // crossover and mutation
pub mod solver; // what a solver is, how it is got, and the only place that runs one
pub mod coverage; // counters of an instrumented run → line counts → reward
pub mod trace; // a solver's trace log → interned lines → similarity
pub mod evaluate; // the objectives of an individual
pub mod oracle; // which evaluated instances are defects, and their confirmation
pub mod reduce; // a large script → a small one that keeps a property
pub mod known; // known defects: where they occur in a script, and the script without them
pub mod matrix; // the same instances on many solvers
pub mod explain; // why a defect is slow: where the time goes, and how it grows
pub mod triage; // many slow instances → few defects, the worst first
pub mod hunt; // wrong answers: instances made of seeds, who is wrong about them, each defect once
pub mod search; // NSGA-II and the single-objective baseline; pure
pub mod config; // everything that decides a run
pub mod record; // the run directory
pub mod campaign; // the loop: ask → evaluate → tell → record
pub mod status; // where runs and hunts stand, also while they go on
pub mod experiment; // many runs: specs, execution, statistics, tables
pub mod report; // runs → one HTML page with plots
pub mod console; // what a user sees while a campaign or a reduction runs
pub mod exit; // exit codes
pub mod job; // what the verbs do: from what is asked for to what came of it
pub mod cmd; // the verbs of the command line
pub mod args; // the command line
