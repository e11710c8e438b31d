//! Faults of solvers that these terms show: each contradiction of our evaluator must be one of them.

/// A fault.
struct Fault {
    solver: &'static str,
    /// Whether an equation has what the solver gets wrong.
    shown_by: fn(&str) -> bool,
    why: &'static str,
}

/// The known faults.
const FAULTS: &[Fault] = &[
    Fault {
        solver: "cvc5",
        shown_by: |equation| has_no_repetition(equation) && has_star(equation),
        why: "no repetition of (re.* r), or of re.all, is taken for the language itself; it is the empty string",
    },
    Fault {
        solver: "cvc5",
        shown_by: |equation| {
            let excludes =
                equation.contains("re.diff") || (equation.contains("re.inter") && equation.contains("re.comp"));
            excludes && equation.contains("re.range")
        },
        why: "a range without the characters of another range is taken for empty",
    },
    Fault {
        solver: "cvc4",
        shown_by: |equation| (has_no_repetition(equation) || has_inverted_loop(equation)) && has_star(equation),
        why: "any repetition of (re.* r), or of re.all, is taken for the language itself; none is the empty string, and a \
              loop from more to less is empty",
    },
    Fault {
        solver: "cvc4",
        // `(= (/ 3.0 (to_real (mod 9 (mod 6 7)))) 1.0)`
        shown_by: |equation| ["(/ ", "(to_real ", "(mod "].iter().all(|part| equation.contains(part)),
        why: "a quotient by a remainder of integers, whose divisor is computed too, may be anything",
    },
    Fault {
        solver: "cvc4",
        shown_by: has_long_difference,
        why: "re.diff of more than two languages is not left-associative",
    },
];

fn has_no_repetition(equation: &str) -> bool {
    ["(_ re.^ 0)", "(_ re.loop 0 0)"].iter().any(|part| equation.contains(part))
}

/// Whether there is a language that is repeated without bounds already: `re.all` is one, too.
fn has_star(equation: &str) -> bool {
    equation.replace("re.allchar", "").contains("re.all") || equation.contains("(re.* ")
}

/// Whether there is a `(_ re.loop i j)` with i above j.
fn has_inverted_loop(equation: &str) -> bool {
    equation.split("(_ re.loop ").skip(1).any(|rest| {
        let mut bounds = rest.split(')').next().unwrap_or_default().split(' ').map(str::parse::<u32>);
        matches!((bounds.next(), bounds.next()), (Some(Ok(low)), Some(Ok(high))) if low > high)
    })
}

/// Whether there is a `re.diff` of more than two languages.
fn has_long_difference(equation: &str) -> bool {
    equation.split("(re.diff ").skip(1).any(|rest| arguments(rest) > 2)
}

/// How many arguments stand before the parenthesis that closes them.
fn arguments(text: &str) -> usize {
    let (mut depth, mut count, mut quoted, mut between) = (0, 0, false, true);
    for character in text.chars() {
        match character {
            '"' => quoted = !quoted,
            _ if quoted => continue,
            ')' if depth == 0 => break,
            ')' => depth -= 1,
            _ => {}
        }
        let space = character == ' ' && !quoted;
        if depth == 0 && between && !space && character != ')' {
            count += 1;
        }
        if character == '(' && !quoted {
            depth += 1;
        }
        between = space;
    }
    count
}

/// The fault that explains why the solver contradicts our value in this equation.
pub(crate) fn explained(solver: &str, equation: &str) -> Option<&'static str> {
    FAULTS.iter().find(|fault| fault.solver == solver && (fault.shown_by)(equation)).map(|fault| fault.why)
}

#[test]
fn faults_are_told_by_what_equations_have() {
    assert_eq!(arguments("(re.++ a b) re.all (str.to_re \"( \"\" )\")) b)"), 3);
    assert_eq!(arguments("re.all (re.diff a b))"), 2);
    assert!(explained("cvc4", "(= (str.in_re \"\" (re.diff re.all re.all re.all)) false)").is_some());
    assert!(explained("cvc4", "(= (str.in_re \"\" (re.diff re.all re.all)) false)").is_none());
    assert!(explained("cvc4", "(= (str.in_re \"\" ((_ re.loop 2 1) re.all)) false)").is_some());
    assert!(explained("cvc5", "(= (str.in_re \"\" ((_ re.^ 0) re.allchar)) true)").is_none());
}
