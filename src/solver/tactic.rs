//! Z3's other way to be asked, `(check-sat-using TACTIC)`, as an option of a solver: `check-sat-using=TACTIC`.
//!
//! Scripts stay standard: only the text that such a solver is given has its tactic, so that others can be asked about the
//! same script, and reducers keep the tactic whatever they do.

use std::borrow::Cow;

/// What an option begins with that is a tactic, and no argument of the program.
const OPTION: &str = "check-sat-using=";

/// The question that gives way to one with a tactic: a line of its own, as our printer writes it.
const QUESTION: &str = "(check-sat)";

/// The option that asks with `tactic`.
pub fn option(tactic: &str) -> String {
    format!("{OPTION}{tactic}")
}

/// The tactic among the options of a solver; the last one counts.
pub fn of(options: &[String]) -> Option<&str> {
    options.iter().rev().find_map(|option| option.strip_prefix(OPTION))
}

/// Whether an option is a tactic.
pub fn is_tactic(option: &str) -> bool {
    option.starts_with(OPTION)
}

/// The text of a script with each `(check-sat)` asked by a tactic, if there is one.
pub fn asked<'a>(text: &'a str, tactic: Option<&str>) -> Cow<'a, str> {
    let Some(tactic) = tactic.filter(|_| text.contains(QUESTION)) else { return Cow::Borrowed(text) };
    let question = format!("(check-sat-using {tactic})");
    let line = |line: &str| if line.trim() == QUESTION { line.replace(QUESTION, &question) } else { line.to_owned() };
    Cow::Owned(text.split_inclusive('\n').map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_tactic_among_the_options_counts() {
        let options = ["a=1".to_owned(), option("(then dom-simplify smt)"), "b".to_owned()];
        assert_eq!(of(&options), Some("(then dom-simplify smt)"));
        assert_eq!(options.iter().filter(|option| is_tactic(option)).count(), 1);
        assert_eq!(of(&options[..1]), None);
    }

    #[test]
    fn every_question_of_a_script_is_asked_by_it_and_no_text_is() {
        let text = "(echo \"(check-sat)\")\n(assert true)\n(check-sat)\n(push 1)\n(check-sat)\n(get-model)\n";
        let asked_so = "(echo \"(check-sat)\")\n(assert true)\n(check-sat-using smt)\n(push 1)\n(check-sat-using smt)\n\
            (get-model)\n";
        assert_eq!(asked(text, Some("smt")), asked_so);
        assert_eq!(asked(text, None), text);
    }
}
