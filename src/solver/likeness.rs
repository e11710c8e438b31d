//! Which known solver an executable of the user's is like, as an option of it: `./build/mine like=z3@5.4.1`.

/// What an option begins with that names a known solver, and is no argument of the program.
const OPTION: &str = "like=";

/// Whether an option says what its solver is like.
pub fn is_likeness(option: &str) -> bool {
    option.starts_with(OPTION)
}

/// The option that says that a solver is like `known`, a `NAME[@VERSION]`.
pub fn option(known: &str) -> String {
    format!("{OPTION}{known}")
}

/// The known solver's name among the options of a solver, if there is one; the last one counts.
pub fn of(options: &[String]) -> Option<&str> {
    options.iter().rev().find_map(|option| option.strip_prefix(OPTION))
}
