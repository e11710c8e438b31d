//! The lexical layer that `.gcno` and `.gcda` files share: 32-bit words, strings, and the compiler's stamp.

/// Why a read failed: the file ended, or a string is not closed. Carries the offset in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed {
    pub(crate) reason: &'static str,
    pub(crate) offset: usize,
}

/// A cursor over the bytes of a file. Every read is checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Words { bytes, at: 0 }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    pub(crate) fn fail<T>(&self, reason: &'static str) -> Result<T, Malformed> {
        Err(Malformed { reason, offset: self.at })
    }

    /// The next `length` bytes.
    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        let end = self.at.checked_add(length).filter(|&end| end <= self.bytes.len());
        match end {
            Some(end) => {
                let taken = &self.bytes[self.at..end];
                self.at = end;
                Ok(taken)
            }
            None => self.fail("the file ends too early"),
        }
    }

    /// The next `length` bytes as a cursor of their own: the body of a record.
    pub(crate) fn body(&mut self, length: usize) -> Result<Words<'a>, Malformed> {
        let start = self.at;
        self.take(length)?;
        Ok(Words { bytes: &self.bytes[..self.at], at: start })
    }

    pub(crate) fn word(&mut self) -> Result<u32, Malformed> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// A 64-bit counter: two words, the lower one first.
    pub(crate) fn counter(&mut self) -> Result<u64, Malformed> {
        let low = self.word()?;
        Ok(u64::from(low) | u64::from(self.word()?) << 32)
    }

    /// A string: its length in bytes with the closing NUL, then the bytes. `None` for length 0.
    pub(crate) fn string(&mut self) -> Result<Option<String>, Malformed> {
        let length = self.word()? as usize;
        if length == 0 {
            return Ok(None);
        }
        let bytes = self.take(length)?;
        let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
        Ok(Some(String::from_utf8_lossy(text).into_owned()))
    }
}

/// The version that a stamp such as `B22*` (GCC 12.2) tells: the first letter and digit are the major
/// version in base ten with `A` for zero, then the minor version.
pub(crate) fn compiler_version(stamp: u32) -> String {
    let [letter, digit, minor, _] = stamp.to_be_bytes();
    let sound = letter.is_ascii_uppercase() && digit.is_ascii_digit() && minor.is_ascii_digit();
    if sound {
        let major = u32::from(letter - b'A') * 10 + u32::from(digit - b'0');
        format!("{major}.{}", minor - b'0')
    } else {
        format!("(unknown version stamp {stamp:#010x})")
    }
}

/// Whether a stamp is one of GCC 12's (any minor version, released or not).
pub(crate) fn is_gcc_12(stamp: u32) -> bool {
    stamp >> 16 == u32::from(u16::from_be_bytes(*b"B2"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_tell_the_compiler() {
        assert_eq!(compiler_version(u32::from_be_bytes(*b"B22*")), "12.2");
        assert_eq!(compiler_version(u32::from_be_bytes(*b"A94*")), "9.4");
        assert!(is_gcc_12(u32::from_be_bytes(*b"B22*")) && !is_gcc_12(u32::from_be_bytes(*b"B33*")));
        assert!(compiler_version(7).contains("0x00000007"));
    }

    #[test]
    fn reads_are_checked() {
        let mut words = Words::new(&[3, 0, 0, 0, b'a', b'b', 0, 9]);
        assert_eq!(words.string(), Ok(Some("ab".to_owned())));
        assert_eq!(words.word(), Err(Malformed { reason: "the file ends too early", offset: 7 }));
    }
}
