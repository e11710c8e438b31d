use super::*;

fn resolved(name: &str, indices: &[u32], sorts: &[Sort]) -> Result<String, String> {
    table()
        .resolve(name, indices, sorts)
        .map(|(op, sort)| format!("{} → {sort}", op.name()))
        .map_err(|error| error.to_string())
}

#[test]
fn every_spelling_leads_to_the_canonical_operator() {
    let strings = [Sort::STRING, Sort::STRING];
    for name in ["str.++", "Concat", "seq.++"] {
        assert_eq!(resolved(name, &[], &strings), Ok("str.++ → String".to_owned()), "{name}");
    }
    for name in ["str.to_int", "str.to.int", "str.to-int"] {
        assert_eq!(resolved(name, &[], &[Sort::STRING]), Ok("str.to_int → Int".to_owned()), "{name}");
    }
    for name in ["re.none", "re.nostr", "re.empty"] {
        assert_eq!(resolved(name, &[], &[]), Ok("re.none → RegLan".to_owned()), "{name}");
    }
}

#[test]
fn overloads_are_chosen_by_sort() {
    assert_eq!(resolved("-", &[], &[Sort::INT]), Ok("- → Int".to_owned()));
    assert_eq!(resolved("+", &[], &[Sort::REAL; 3]), Ok("+ → Real".to_owned()));
    let sequence = Sort::new(Symbol::new("Seq"), &[], &[Sort::INT]);
    assert_eq!(resolved("str.len", &[], &[sequence]), Ok("seq.len → Int".to_owned()));
    assert_eq!(resolved("=", &[], &[Sort::INT, Sort::INT, Sort::INT]), Ok("= → Bool".to_owned()));
    let array = Sort::array(Sort::INT, Sort::BOOL);
    assert_eq!(resolved("select", &[], &[array, Sort::INT]), Ok("select → Bool".to_owned()));
}

#[test]
fn bit_vector_widths_are_computed() {
    let (eight, four) = (Sort::bit_vec(8), Sort::bit_vec(4));
    assert_eq!(resolved("concat", &[], &[eight, four, four]), Ok("concat → (_ BitVec 16)".to_owned()));
    assert_eq!(resolved("extract", &[5, 2], &[eight]), Ok("extract → (_ BitVec 4)".to_owned()));
    assert_eq!(resolved("repeat", &[3], &[four]), Ok("repeat → (_ BitVec 12)".to_owned()));
    assert!(resolved("extract", &[8, 0], &[eight]).is_err());
    assert!(resolved("bvadd", &[], &[eight, four]).is_err());
    let bits = [Sort::bit_vec(1), Sort::bit_vec(8), Sort::bit_vec(23)];
    assert_eq!(resolved("fp", &[], &bits), Ok("fp → (_ FloatingPoint 8 24)".to_owned()));
    assert_eq!(resolved("to_fp", &[8, 24], &[Sort::bit_vec(32)]), Ok("to_fp → (_ FloatingPoint 8 24)".to_owned()));
    assert!(resolved("to_fp", &[8, 24], &[Sort::bit_vec(31)]).is_err());
}

#[test]
fn errors_say_what_the_operator_takes() {
    insta::assert_snapshot!(resolved("str.len", &[], &[Sort::INT]).unwrap_err(),
        @"str.len does not take Int; it takes (String) or ((Seq A))");
    insta::assert_snapshot!(resolved("str.foo", &[], &[]).unwrap_err(), @"unknown operator str.foo");
    insta::assert_snapshot!(resolved("extract", &[9, 0], &[Sort::bit_vec(8)]).unwrap_err(),
        @"extract does not take indices 9 0 and (_ BitVec 8); it takes ((_ BitVec m))");
}

#[test]
fn every_operator_is_spelled_in_2_6_and_read_back() {
    for op in table().operators() {
        for dialect in Dialect::ALL {
            if let Some(spelling) = op.signature().spelling(dialect) {
                assert!(table().named(&spelling.name).contains(&op), "{}", spelling.name);
            }
        }
        assert!(op.signature().spelling(Dialect::SmtLib26).is_some(), "{}", op.name());
    }
}

#[test]
fn older_dialects_have_their_own_forms() {
    let spelled = |name: &str, dialect| table().canonical(name).unwrap().signature().spelling(dialect).cloned();
    let starts_with = Some(Spelling { name: "StartsWith".to_owned(), form: Form::Swapped });
    assert_eq!(spelled("str.prefixof", Dialect::SmtLib20), starts_with);
    let looped = Some(Spelling { name: "re.loop".to_owned(), form: Form::TrailingIndices });
    assert_eq!(spelled("re.loop", Dialect::SmtLib25), looped);
    assert_eq!(spelled("str.<", Dialect::SmtLib20), None);
}

#[test]
fn instances_cover_the_operators_of_a_result_sort() {
    let sorts = [Sort::BOOL, Sort::INT, Sort::STRING];
    let instances = table().instances(Sort::STRING, &sorts);
    let names: Vec<&str> = instances.iter().map(|instance| instance.op.name()).collect();
    assert!(names.contains(&"str.++") && names.contains(&"ite") && !names.contains(&"str.len"));
    let equal = table().canonical("=").unwrap();
    assert_eq!(table().instances(Sort::BOOL, &sorts).iter().filter(|each| each.op == equal).count(), 3);
    let looped = table().instances(Sort::REGLAN, &[Sort::REGLAN]);
    let looped = looped.iter().find(|each| each.op == table().canonical("re.loop").unwrap()).unwrap();
    assert_eq!(looped.indices.len(), 36);
}

#[test]
fn instances_of_bit_vectors_keep_to_the_given_widths() {
    let sorts = [Sort::bit_vec(8), Sort::bit_vec(4)];
    let instances = table().instances(Sort::bit_vec(4), &sorts);
    for instance in &instances {
        for indices in &instance.indices {
            let result = instance.op.signature().apply(indices, &instance.parameters);
            assert_eq!(result, Some(Sort::bit_vec(4)), "{} {indices:?}", instance.op.name());
        }
    }
    let extract = table().canonical("extract").unwrap();
    let from_eight = instances.iter().find(|each| each.op == extract && each.parameters == [Sort::bit_vec(8)]);
    assert_eq!(from_eight.unwrap().indices.len(), 5);
}

#[test]
fn instances_at_sorts_of_any_width_are_few() {
    let sorts = [Sort::bit_vec(u32::MAX), Sort::bit_vec(8)];
    let instances = table().instances(Sort::bit_vec(8), &sorts);
    let extract = table().canonical("extract").unwrap();
    let from_wide = instances.iter().find(|each| each.op == extract && each.parameters == [sorts[0]]).unwrap();
    assert_eq!(from_wide.indices.len(), 1024 - 6);
}

#[test]
fn groups_exchange_operators_of_the_same_signature() {
    let names = |name: &str, sorts: &[Sort]| {
        let op = table().resolve(name, &[], sorts).unwrap().0;
        table().exchangeable(op, &[], sorts).iter().map(|op| op.name()).collect::<Vec<_>>()
    };
    assert_eq!(names("str.contains", &[Sort::STRING; 2]), ["str.prefixof", "str.suffixof"]);
    assert_eq!(names("<", &[Sort::INT; 2]), ["<=", ">=", ">"]);
    assert_eq!(names("and", &[Sort::BOOL; 3]), ["or"]);
    assert_eq!(names("str.at", &[Sort::STRING, Sort::INT]), [] as [&str; 0]);
}

#[test]
fn a_broken_theory_file_is_refused_with_its_place() {
    let broken = |text: &str| {
        let mut table = read_all(&[]).unwrap();
        reader::read(&mut table, text, "mine.smt2").unwrap_err().to_string()
    };
    insta::assert_snapshot!(broken("(f Int\n  Nat)"), @"mine.smt2:2:3: unknown sort Nat");
    insta::assert_snapshot!(broken("(f Int Int :assoc x)"), @"mine.smt2:1:12: unknown attribute :assoc");
    insta::assert_snapshot!(broken("(f Int"), @"mine.smt2:1:1: this '(' is never closed");
    let deep = format!("(f {}", "(Seq ".repeat(100_000));
    insta::assert_snapshot!(broken(&deep), @"mine.smt2:1:499: lists nest deeper than 100");
    insta::assert_snapshot!(broken("(f Int :chainable)"), @"mine.smt2:1:1: an associative, chainable or pairwise operator has two parameters");
}
