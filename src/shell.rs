//! A word as a POSIX shell reads it, for the scripts and commands that we write.

/// The word, in single quotes unless the shell takes it as it is.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@+,%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(["/a/b-1.toml", "a=b/c.smt2"].map(quote), ["/a/b-1.toml", "a=b/c.smt2"]);
        assert_eq!(["a b", "it's", "$(x)", ""].map(quote), ["'a b'", r"'it'\''s'", "'$(x)'", "''"]);
    }
}
