//! A property of scripts in which nothing known occurs: what is reduced to it is a defect of its own.

use super::pattern::{Neutralised, Numbers, Pattern};
use crate::oracle::OracleError;
use crate::reduce::property::{Judgement, Property, Rigour};
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;

/// A property that counts only where none of the patterns occurs. Without it a reduction of two defects always ends at the
/// simpler one.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "a property has none")]
pub struct Modulo<'a> {
    /// The property.
    pub property: &'a dyn Property,
    /// What is known.
    pub known: &'a [Pattern],
}

impl Property for Modulo<'_> {
    fn judge(&self, script: &Script, rigour: Rigour, interrupt: &Interrupt) -> Result<Judgement, OracleError> {
        if self.known.iter().any(|pattern| pattern.occurs(script)) {
            return Ok(Judgement::Fails);
        }
        self.property.judge(script, rigour, interrupt)
    }

    fn is_provisional(&self) -> bool {
        self.property.is_provisional()
    }

    fn distrust(&self) {
        self.property.distrust();
    }
}

/// The script without any of the patterns, up to their numbers if those are free, and how many terms of it each replaced;
/// `None` if none fits.
pub fn neutralised<'p>(
    script: &Script,
    known: &'p [Pattern],
    numbers: Numbers,
) -> Option<(Script, Vec<(&'p Pattern, usize)>)> {
    let mut without: Option<Script> = None;
    let mut replaced: Vec<(&Pattern, usize)> = Vec::new();
    // A variable in the place of one pattern can make another occur. Each replacement takes an application away, so this
    // ends.
    let next = |script: &Script| known.iter().find_map(|each| Some((each, each.neutralised(script, numbers)?)));
    while let Some((pattern, next)) = next(without.as_ref().unwrap_or(script)) {
        let Neutralised { script, replaced: terms } = next;
        without = Some(script);
        match replaced.iter_mut().find(|(earlier, _)| earlier.name == pattern.name) {
            Some((_, count)) => *count += terms,
            None => replaced.push((pattern, terms)),
        }
    }
    Some((without?, replaced))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known::read;
    use crate::smtlib::dialect::Dialect;
    use crate::smtlib::parser::{ParseOptions, parse};

    const KNOWN: &str = "(define-fun at ((s String) (n Int)) String (str.at s (! n :not-literal)))\
        (define-fun long ((s String)) Bool (< 9 (str.len s)))";

    #[derive(Debug)]
    struct Always;

    impl Property for Always {
        fn judge(&self, _: &Script, _: Rigour, _: &Interrupt) -> Result<Judgement, OracleError> {
            Ok(Judgement::Holds)
        }
    }

    #[test]
    fn all_that_is_known_is_taken_out_and_what_holds_it_does_not_count() {
        let options = ParseOptions { dialect: Some(Dialect::SmtLib26) };
        let text = "(declare-const a String)(declare-const i Int)(assert (= (str.at a i) (str.at a (+ i 1))))\
            (assert (< 9 (str.len (str.at a i))))(check-sat)";
        let script = parse(text, "test", &options).expect("a sound script");
        let known = read(KNOWN, "known").expect("patterns");
        let judge = |script: &Script| {
            Modulo { property: &Always, known: &known }
                .judge(script, Rigour::Look, &Interrupt::new())
                .expect("no solver")
        };
        assert_eq!(judge(&script), Judgement::Fails);
        let (without, replaced) = neutralised(&script, &known, Numbers::Same).expect("both occur");
        assert_eq!(judge(&without), Judgement::Holds);
        let counts: Vec<_> = replaced.iter().map(|(pattern, count)| (pattern.name.as_str(), *count)).collect();
        assert_eq!(counts, [("at", 2), ("long", 1)]);
        assert!(neutralised(&without, &known, Numbers::Same).is_none());
    }
}
