//! Where a solver crashed, as far as its message says: whether two crashes are one.

/// The message of a crash without what differs from run to run: digits and addresses. A signal keeps its number.
pub fn place_of_crash(message: &str) -> String {
    if message.starts_with("signal ") {
        return message.to_owned();
    }
    let words = message.split_whitespace().filter(|word| !word.trim_start_matches('(').starts_with("0x"));
    let words: Vec<String> = words.map(|word| word.chars().filter(|each| !each.is_ascii_digit()).collect()).collect();
    words.join(" ")
}

/// Whether both are messages of a crash at one place: the same, digits and addresses aside, but for a signal's number.
pub fn is_same_crash(one: &str, other: &str) -> bool {
    place_of_crash(one) == place_of_crash(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_the_same_wherever_it_is_reported() {
        assert!(is_same_crash("Fatal failure at line 12", "Fatal failure at line 340"));
        assert!(is_same_crash("free(): 0x7ffa10 is wrong", "free(): 0x55b0c4 is wrong"));
        assert!(!is_same_crash("Fatal failure at line 12", "Fatal failure in line 12"));
        assert!(!is_same_crash("signal 11", "signal 6"));
        assert!(!is_same_crash("signal 11", "signal"));
    }
}
