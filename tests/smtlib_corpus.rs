//! Whole scripts: what is printed is read back as the same script, and what is wrong fails with a place.

use std::path::{Path, PathBuf};

use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse, parse_lenient};
use mulstringfuzz::smtlib::printer::{PrintOptions, print};
use mulstringfuzz::smtlib::script::Script;

/// Files of the shared seeds that must be refused, and why.
const REFUSED: [(&str, &str); 4] = [
    ("004-issue12356.smt2", "(_ char #x10FFFF) is beyond the theory's code points; its index says error"),
    ("005-issue8820-err.smt2", "a bare constructor of a parametric datatype; its index says error"),
    ("007-issue9665.smt2", "(as const …) without an argument; its index says error"),
    ("064-cvc416-cmu-dis-0707-3.smt2", "SMT-LIB 2.0 literals without saying so; its index has --lang=smt2.0"),
];

/// Files whose index says error although the script is well-sorted.
const WELL_SORTED: [(&str, &str); 1] =
    [("023-issue11703-re-uf.smt2", "cvc5 has no functions to RegLan in its theory combination; Z3 reads it")];

fn scripts_under(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "smt2") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn own_corpus() -> Vec<PathBuf> {
    scripts_under(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus"))
}

/// The developers' seeds and cases, beside the repository; a user's clone has none.
fn shared(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?.join("shared").join(name);
    folder.is_dir().then_some(folder)
}

fn read(path: &Path, dialect: Option<Dialect>) -> Result<Script, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    parse(&text, &path.display().to_string(), &ParseOptions { dialect }).map_err(|error| error.to_string())
}

/// Checks parse → print → parse in every dialect that can spell the script, and returns those dialects.
fn round_trips(script: &Script, name: &str) -> Vec<Dialect> {
    let mut spelled = Vec::new();
    for dialect in Dialect::ALL {
        let Ok(text) = print(script, dialect, &PrintOptions::default()) else { continue };
        let again = parse(&text, name, &ParseOptions { dialect: Some(dialect) });
        let again = again.unwrap_or_else(|error| panic!("{dialect}: {error}\n{text}"));
        assert!(again == *script, "{name} changes in {dialect}:\n{text}");
        let twice = print(&again, dialect, &PrintOptions::default());
        assert_eq!(twice.as_deref(), Ok(text.as_str()), "{name} prints differently the second time");
        spelled.push(dialect);
    }
    spelled
}

#[test]
fn our_own_corpus_round_trips_in_every_dialect_that_spells_it() {
    let files = own_corpus();
    assert!(files.len() >= 25, "the corpus is missing");
    for path in files {
        let script = read(&path, None).unwrap_or_else(|error| panic!("{error}"));
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let spelled = round_trips(&script, &name);
        assert!(spelled.contains(&Dialect::SmtLib26), "{name}");
        let only_26 = ["higher_order.smt2", "unicode.smt2"];
        assert_eq!(spelled.contains(&Dialect::SmtLib25), !only_26.contains(&name.as_str()), "{name}");
    }
}

#[test]
fn shared_seeds_and_cases_round_trip() {
    for folder in ["seeds", "cases"].iter().filter_map(|name| shared(name)) {
        for path in scripts_under(&folder) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match (read(&path, None), REFUSED.iter().find(|(file, _)| *file == name)) {
                (Ok(script), None) => {
                    assert!(round_trips(&script, &name).contains(&Dialect::SmtLib26), "{name}");
                }
                (Err(error), None) => panic!("{error}"),
                (Ok(_), Some((_, reason))) => panic!("{name} is read, but should not be: {reason}"),
                (Err(error), Some(_)) => assert!(error.contains(".smt2:"), "no place in {error}"),
            }
        }
    }
}

#[test]
fn the_index_of_the_seeds_and_our_exceptions_agree() {
    let Some(folder) = shared("seeds") else { return };
    let index = std::fs::read_to_string(folder.join("index.tsv")).unwrap_or_default();
    for line in index.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        if let [file, _, _, _, "error", ..] = columns[..] {
            let known = REFUSED.iter().chain(&WELL_SORTED).any(|(name, _)| *name == file);
            assert!(known, "{file} is expected to be an error");
        }
    }
}

#[test]
fn literals_of_smt_lib_2_0_are_read_if_one_says_so() {
    let Some(folder) = shared("seeds") else { return };
    let undeclared = folder.join("064-cvc416-cmu-dis-0707-3.smt2");
    assert!(read(&undeclared, Some(Dialect::SmtLib20)).is_ok());
    let escaped = folder.join("054-cvc416-escchar.smt2");
    assert!(read(&escaped, None).is_ok(), "its set-info says 2.0");
    assert!(read(&escaped, Some(Dialect::SmtLib25)).is_err());
}

#[test]
fn dialects_translate_operators_forms_and_literals() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/strings_2_5.smt2");
    let script = read(&path, None).unwrap_or_else(|error| panic!("{error}"));
    let printed = print(&script, Dialect::SmtLib26, &PrintOptions::default()).unwrap_or_default();
    insta::assert_snapshot!(printed, @r#"
    (set-info :smt-lib-version 2.5)
    (set-logic QF_S)
    (declare-fun x () String)
    (declare-fun i () Int)
    (assert (= (str.to_int x) i))
    (assert (= (str.from_int i) x))
    (assert (str.in_re x (re.++ (str.to_re "a") re.none)))
    (assert (str.in_re x ((_ re.loop 1 3) (str.to_re "a"))))
    (assert (str.in_re x ((_ re.loop 2) (str.to_re "a"))))
    (assert (= x "A\u{a}\u{9}\u{5c}Aq"))
    (assert (= (str.indexof x "b" 0) 1))
    (check-sat)
    "#);
}

#[test]
fn lenient_reading_keeps_what_it_does_not_know() {
    let text = "(declare-fun x () Foo)(assert (bar x (str.to.int (baz 1)) ((_ qux a 2) |y z|)))";
    let script = parse_lenient(text, "t", &ParseOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let printed = print(&script, Dialect::SmtLib26, &PrintOptions::default()).unwrap_or_default();
    insta::assert_snapshot!(printed, @r"
    (declare-fun x () Foo)
    (assert (bar x (str.to_int (baz 1)) ((_ qux a 2) |y z|)))
    ");
}
