use std::collections::BTreeSet;

use super::*;
use crate::random::rng_for;
use crate::semantics::evaluate::{Evaluator, Open};
use crate::semantics::interpretation::Interpretation;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::printer::print_term;
use crate::smtlib::script::Script;
use crate::smtlib::term::Head;

/// Three terms about each operator of a domain.
fn drawn(domain: &Domain) -> (GroundTerms, Script, Vec<(usize, TermId)>) {
    let generator = GroundTerms::new(domain, &OperatorSet::all());
    let mut script = Script::new();
    let mut roots = Vec::new();
    for about in 0..generator.operators().len() {
        for slot in 0..3 {
            let term = generator.draw(about, &mut script.terms, &mut rng_for(5, about as u32, slot));
            roots.push((about, term.unwrap_or_else(|| panic!("{}", generator.operators()[about].name()))));
        }
    }
    (generator, script, roots)
}

#[test]
fn every_operator_of_every_domain_occurs_in_well_sorted_terms() {
    for domain in &DOMAINS {
        let (generator, script, roots) = drawn(domain);
        assert!(generator.operators().len() >= 2, "{}", domain.name);
        for (about, root) in roots {
            let text = print_term(&script.terms, root, Dialect::SmtLib26).expect("the dialect spells all operators");
            let assertion = format!("(assert (= {text} {text}))");
            parse(&assertion, "test", &ParseOptions::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let mut used = vec![false; script.terms.len()];
            script.terms.mark_used(std::iter::once(root), &mut used);
            let heads = (0..).zip(used).filter(|(_, used)| *used).map(|(id, _)| script.terms.head(TermId(id)));
            let found: BTreeSet<Op> =
                heads.filter_map(|head| if let Head::Operator(op) = head { Some(op) } else { None }).collect();
            assert!(found.contains(&generator.operators()[about]), "{text}");
        }
    }
}

#[test]
fn nearly_all_terms_have_a_value() {
    for domain in &DOMAINS {
        let (_, script, roots) = drawn(domain);
        let interpretation = Interpretation::new();
        let mut evaluator = Evaluator::new(&script, &interpretation);
        let open: Vec<Open> = roots.iter().filter_map(|&(_, root)| evaluator.value(root).err()).collect();
        assert!(open.iter().all(|why| matches!(why, Open::Free | Open::GaveUp(_))), "{}: {open:?}", domain.name);
        assert!(open.len() * 3 <= roots.len(), "{}: {} of {}", domain.name, open.len(), roots.len());
    }
}

#[test]
fn the_same_seed_draws_the_same_terms() {
    let printed = |(_, script, roots): (GroundTerms, Script, Vec<(usize, TermId)>)| -> Vec<String> {
        roots.iter().map(|&(_, root)| print_term(&script.terms, root, Dialect::SmtLib26).unwrap()).collect()
    };
    assert_eq!(printed(drawn(&DOMAINS[3])), printed(drawn(&DOMAINS[3])));
}

#[test]
fn arguments_have_only_the_operators_that_they_may_have() {
    let inner = OperatorSet::from_names(["str.len", "str.++"]).expect("known names");
    let generator = GroundTerms::new(&DOMAINS[3], &inner);
    let (mut terms, about) = (Terms::new(), 0);
    assert_eq!(generator.operators()[about].name(), "str.++");
    for slot in 0..50 {
        let term = generator.draw(about, &mut terms, &mut rng_for(8, 0, slot)).expect("a term");
        let text = print_term(&terms, term, Dialect::SmtLib26).expect("the standard's");
        assert!(!text.contains("(str.replace") && !text.contains("(ite"), "{text}");
    }
}
