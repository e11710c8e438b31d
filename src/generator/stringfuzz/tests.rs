//! What each kind of script looks like, and that the parameters do what they say.

use super::*;
use crate::random::rng_for;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::printer::{PrintOptions, print};
use crate::smtlib::script::Script;

fn printed(recipe: &dyn Recipe, slot: u32) -> String {
    let fragment = Fragment::paper();
    let mut script = Script::new();
    let generator = recipe.prepare(&fragment).expect("parameters that fit together");
    generator.generate_into(&mut script, &mut rng_for(1, 0, slot));
    print(&script, Dialect::SmtLib25, &PrintOptions::default()).expect("the dialect spells it")
}

/// The assertions of a script, without `(assert ` and its parenthesis.
fn assertions(recipe: &dyn Recipe) -> Vec<String> {
    let text = printed(recipe, 0);
    let inner = |line: &str| Some(line.strip_prefix("(assert ")?.strip_suffix(')')?.to_owned());
    text.lines().filter_map(inner).collect()
}

/// The text with every literal replaced by `"…"`.
fn without_literals(text: &str) -> String {
    let joined = text.replace("\"\"", "");
    joined.split('"').enumerate().map(|(part, piece)| if part % 2 == 0 { piece } else { "\"…\"" }).collect()
}

#[test]
fn every_kind_is_sound_and_the_same_for_the_same_seed() {
    for fragment in [Fragment::paper(), Fragment::standard()] {
        for recipe in recipes() {
            let generator = recipe.prepare(&fragment).expect("StringFuzz's parameters");
            let (mut script, mut again) = (Script::new(), Script::new());
            for slot in 0..50 {
                generator.generate_into(&mut script, &mut rng_for(1, 0, slot));
                generator.generate_into(&mut again, &mut rng_for(1, 0, slot));
                assert_eq!(script, again);
                assert_eq!(fragment.admits(&script), Ok(()), "{}", recipe.name());
                assert_eq!(script.logic(), Some(fragment.logic));
                let dialect = fragment.dialects[0];
                let text = print(&script, dialect, &PrintOptions::default()).expect("the dialect spells it");
                let read = parse(&text, recipe.name(), &ParseOptions { dialect: Some(dialect) });
                assert_eq!(read.expect("a well-sorted script"), script);
            }
        }
    }
}

#[test]
fn each_kind_looks_like_this() {
    let samples: Vec<String> =
        recipes().iter().map(|recipe| format!("; {}\n{}", recipe.name(), printed(recipe.as_ref(), 0))).collect();
    insta::assert_snapshot!(samples.concat());
}

#[test]
fn concatenations_nest_in_terms_or_in_definitions() {
    let syntactic = Concats { depth: 2, ..Concats::default() };
    assert_eq!(assertions(&syntactic), ["(= var0 (str.++ var1 (str.++ var2 var3)))"]);
    let semantic = Concats { depth_type: DepthType::Semantic, ..syntactic.clone() };
    assert_eq!(assertions(&semantic), ["(= var0 (str.++ var1 var2))", "(= var2 (str.++ var3 var4))"]);
    let balanced = Concats { balanced: true, ..syntactic };
    assert_eq!(assertions(&balanced), ["(= var0 (str.++ (str.++ var1 var2) (str.++ var3 var4)))"]);
    let both = Concats { balanced: true, ..semantic };
    let expected = ["(= var0 (str.++ var1 var2))", "(= var1 (str.++ var3 var4))", "(= var2 (str.++ var5 var6))"];
    assert_eq!(assertions(&both), expected);
}

#[test]
fn a_solution_and_characters_are_asserted() {
    let all = Concats { depth: 1, solution: Some("a\\b".to_owned()), extract: 6, extract_max: 1, ..Concats::default() };
    let found = assertions(&all);
    assert_eq!(found[1], r#"(= var0 "a\x5cb")"#);
    let mut extracted: Vec<&str> = found[2..].iter().map(|each| &each[each.find("(str.at").expect("one")..]).collect();
    extracted.sort_unstable();
    let expected: Vec<String> =
        (0..3).flat_map(|variable| (0..2).map(move |index| format!("(str.at var{variable} {index}))"))).collect();
    assert_eq!(extracted, expected);
    let too_many = Concats { extract: 7, ..all };
    assert!(too_many.prepare(&Fragment::paper()).is_err());
    let too_deep = Concats { depth: 17, balanced: true, ..Concats::default() };
    assert!(too_deep.prepare(&Fragment::paper()).is_err());
}

#[test]
fn lengths_add_up() {
    let lengths = Lengths { variables: 2, min_length: 3, max_length: 3, concats: 1, random_relations: false };
    let found = assertions(&lengths);
    assert_eq!(found[..2], ["(= 3 (str.len var0))", "(= 3 (str.len var1))"]);
    assert!(found[2].starts_with("(= 6 (str.len (str.++ var"), "{found:?}");
    assert!(Lengths { concats: 2, ..lengths.clone() }.prepare(&Fragment::paper()).is_err());
    assert!(Lengths { min_length: 4, ..lengths.clone() }.prepare(&Fragment::paper()).is_err());
    let related = Lengths { variables: 50, random_relations: true, ..lengths };
    let relations: std::collections::BTreeSet<char> =
        assertions(&related).iter().filter_map(|each| each.chars().nth(1)).collect();
    assert_eq!(relations.into_iter().collect::<String>(), "<=>");
}

#[test]
fn overlapping_strings_share_their_variables() {
    let found = assertions(&Overlaps { variables: 2, string_length: 5 });
    let expected = r#"(= (str.++ "…" (str.++ var0 var1)) (str.++ (str.++ var0 var1) "…"))"#;
    assert_eq!(without_literals(&found[0]), expected);
}

#[test]
fn equal_concatenations_have_variables_of_their_own() {
    let plain = Equality { terms: 4, suffix_len: 2, ..Equality::default() };
    let found: Vec<String> = assertions(&plain).iter().map(|each| without_literals(each)).collect();
    let expected = [
        r#"(= var0 (str.++ "…" (str.++ var1 (str.++ var2 "…"))))"#,
        r#"(= var0 (str.++ "…" (str.++ var3 (str.++ var4 "…"))))"#,
    ];
    assert_eq!(found, expected);
    let infixes = Equality { add_infixes: true, infix_chance: 1.0, expressions: 1, ..plain };
    let found = without_literals(&assertions(&infixes)[0]);
    assert_eq!(found, r#"(= var0 (str.++ "…" (str.++ "…" (str.++ "…" "…"))))"#);
}

#[test]
fn regular_expressions_follow_their_parameters() {
    let increasing = Regex {
        terms: 2,
        lit_min: 2,
        lit_max: 2,
        depth: 2,
        regexes: 2,
        literal_type: LiteralType::Increasing,
        membership: Membership::Alternating,
        operators: "us".parse().expect("two letters"),
        operator_type: OperatorType::Alternating,
        coincide: true,
        var_min: Some(1),
        var_max: Some(9),
    };
    let term = |one, other| format!(r#"(re.union (re.* (str.to.re "{one}")) (re.* (str.to.re "{other}")))"#);
    let member = format!("(str.in.re var0 (re.++ {} {}))", term("00", "11"), term("22", "33"));
    let expected = [
        member.clone(),
        format!("(not {member})"),
        "(<= 1 (str.len var0))".to_owned(),
        "(<= (str.len var0) 9)".to_owned(),
    ];
    assert_eq!(assertions(&increasing), expected);
    let continued = assertions(&Regex { coincide: false, ..increasing.clone() });
    assert!(continued[1].contains("\"44\"") && continued[1].contains("\"77\""), "{continued:?}");
    assert!(Regex { lit_min: 3, ..increasing }.prepare(&Fragment::paper()).is_err());
}

#[test]
fn operators_are_letters() {
    assert_eq!(Operators::default().to_string(), "spu");
    assert_eq!("ccs".parse::<Operators>().expect("letters").to_string(), "cs");
    assert!("".parse::<Operators>().is_err());
    assert!("x".parse::<Operators>().is_err());
}

#[test]
fn random_terms_have_operators_of_many_arguments_only_if_they_may() {
    let drawn = |max_terms| {
        let recipe = RandomAst { max_terms, assertions: 3000, ..RandomAst::default() };
        without_literals(&printed(&recipe, 0))
    };
    let (few, many) = (drawn(1), drawn(5));
    for name in ["(str.++ ", "(and ", "(or ", "(= ", "(re.union ", "(re.inter ", "(str.to.re ", "(re.range "] {
        assert!(!few.contains(name) && many.contains(name), "{name}");
    }
    for name in ["(not ", "(str.replace ", "(re.* ", "re.allchar"] {
        assert!(few.contains(name) && many.contains(name), "{name}");
    }
    for name in ["(str.to.int ", "(=> ", "(ite ", "(str.< ", "(+ "] {
        assert!(!few.contains(name) && !many.contains(name), "{name}");
    }
}

#[test]
fn a_text_has_the_length_that_it_should() {
    let mut text = String::new();
    RandomText { length: 2000 }.generate_into(&mut text, &mut rng_for(1, 0, 0));
    assert_eq!(text.len(), 2000);
    for character in ['\\', '"', '(', '\t', '\n', ' '] {
        assert!(text.contains(character), "{character:?}");
    }
}
