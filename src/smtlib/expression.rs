//! How far an s-expression reaches in a text that need not be a script: what a solver printed.

/// How many bytes the s-expression takes that `text` begins with; `None` if it does not end.
pub fn expression_length(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut bytes = text.bytes().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.checked_sub(1)?,
            // A doubled quote inside a string ends one string and begins the next: no harm for balance.
            b'"' | b'|' => {
                bytes.by_ref().find(|&(_, other)| other == byte)?;
                if byte == b'"' && bytes.peek().is_some_and(|&(_, next)| next == b'"') {
                    continue;
                }
            }
            b';' => {
                bytes.by_ref().find(|&(_, other)| other == b'\n')?;
                continue;
            }
            _ if byte.is_ascii_whitespace() => continue,
            _ => {
                while bytes.next_if(|&(_, next)| !next.is_ascii_whitespace() && !b"()\"|".contains(&next)).is_some() {}
            }
        }
        if depth == 0 {
            return Some(bytes.peek().map_or(text.len(), |&(next, _)| next).max(at + 1));
        }
    }
    None
}

/// The text without what stands between quotes in the expressions that it prints: what a solver says in words of its own, not
/// in those of a script. Errors and `(:keyword …)` are its own words; so is what follows an expression that does not end.
pub fn own_words(text: &str) -> String {
    let mut own = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let start = rest.len() - rest.trim_start().len();
        own.push_str(&rest[..start]);
        rest = &rest[start..];
        let inside = rest.trim_start_matches('(');
        let is_printed = rest.starts_with('(') && !inside.starts_with("error") && !inside.starts_with(':');
        let length = if is_printed { expression_length(rest) } else { None };
        match length {
            Some(length) => unquoted(&rest[..length], &mut own),
            None if is_printed => {
                own.push_str(rest);
                return own;
            }
            None => own.push_str(rest.split_inclusive('\n').next().unwrap_or_default()),
        }
        rest = &rest[length.unwrap_or_else(|| rest.find('\n').map_or(rest.len(), |end| end + 1))..];
    }
    own
}

fn unquoted(expression: &str, own: &mut String) {
    let mut quote = None;
    for letter in expression.chars() {
        match quote {
            None => {
                own.push(letter);
                quote = Some(letter).filter(|letter| "\"|".contains(*letter));
            }
            Some(open) if open == letter => {
                own.push(letter);
                quote = None;
            }
            Some(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_ends_with_its_parenthesis_or_word() {
        assert_eq!(expression_length("(a \")\" |)| (b)) c"), Some(15));
        assert_eq!(expression_length("word) rest"), Some(4));
        assert_eq!(expression_length("(a \"b"), None);
    }

    #[test]
    fn what_is_quoted_in_a_model_is_not_said_by_the_solver() {
        let model = "sat\n(\n  (define-fun s () String \"an internal\nerror\")\n)\n(error \"out of memory\")\n";
        assert_eq!(own_words(model), "sat\n(\n  (define-fun s () String \"\")\n)\n(error \"out of memory\")\n");
        assert_eq!(own_words("((s \"memout\") (|Fatal failure| 1))\nunknown\n"), "((s \"\") (|| 1))\nunknown\n");
        let reason = "unknown\n(:reason-unknown \"memout\")\n";
        assert_eq!(own_words(reason), reason);
        let cut = "sat\n((s \"abc\nFatal failure within x\n";
        assert_eq!(own_words(cut), cut, "a crash while a model is printed is seen");
    }
}
