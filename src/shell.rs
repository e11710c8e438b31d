//! Words as a POSIX shell reads them: for the scripts and commands that we write, and the names of solvers that we read.

/// The word, in single quotes unless the shell takes it as it is.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@+,%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The words of a text, separated by blanks. What stands in quotes, or behind a backslash, is as it is; nothing is expanded.
/// `None` if a quote is not closed.
pub fn words(text: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        inside => word.push(inside),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '"' => break,
                        '\\' => match characters.next()? {
                            escaped @ ('"' | '\\' | '$' | '`') => word.push(escaped),
                            other => word.extend(['\\', other]),
                        },
                        inside => word.push(inside),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(characters.next()?),
            c if c.is_whitespace() => found.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    found.extend(word);
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(["/a/b-1.toml", "a=b/c.smt2"].map(quote), ["/a/b-1.toml", "a=b/c.smt2"]);
        assert_eq!(["a b", "it's", "$(x)", ""].map(quote), ["'a b'", r"'it'\''s'", "'$(x)'", "''"]);
    }

    #[test]
    fn words_are_read_as_the_shell_reads_them() {
        let read = |text: &str| words(text).unwrap_or_default();
        assert_eq!(read(" a  'b c' d\\ e \"f \\\" \\n\"g '' "), ["a", "b c", "d e", "f \" \\ng", ""]);
        assert_eq!(["'a", "\"a", "a\\"].map(words), [None, None, None]);
        for word in ["a b", "it's", "$(x)", "", "\t", "a\\b", "\"", "ü"] {
            assert_eq!(read(&format!("x {} y", quote(word))), ["x", word, "y"]);
        }
    }
}
