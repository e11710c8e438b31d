//! Durations as users write them: `10m`, `5s`, `1h30m`, `500ms`.

use std::time::Duration;

/// A text that is no duration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no duration; write a number and a unit: 500ms, 5s, 10m, 24h, 1h30m")]
pub struct DurationError(pub String);

/// The units, in milliseconds, the longest first.
const UNITS: [(&str, u64); 5] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)];

/// The longest duration in milliseconds, some 270 years: sums and multiples of durations must not overflow.
const LONGEST: f64 = 1e5 * 86_400_000.0;

/// Reads `5s`, `1.5s`, `10m`, `1h30m`, `500ms`, `2d`. A number without a unit is refused: it would be a guess.
///
/// # Errors
/// [`DurationError`] holds the text.
pub fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    let bad = || DurationError(text.to_owned());
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(bad());
    }
    let mut milliseconds = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(bad)?;
        let (number, after) = rest.split_at(digits);
        let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(letters);
        let (_, factor) = UNITS.into_iter().find(|(name, _)| *name == unit).ok_or_else(bad)?;
        milliseconds += number.parse::<f64>().map_err(|_| bad())? * factor as f64;
        rest = after;
    }
    if milliseconds > LONGEST {
        return Err(bad());
    }
    Duration::try_from_secs_f64((milliseconds * 1e3).round() / 1e6).map_err(|_| bad())
}

/// Writes a duration so that [`parse_duration`] reads it back, to the microsecond: `1h30m`, `5s`, `0.5ms`.
pub fn format_duration(duration: Duration) -> String {
    let microseconds = duration.as_micros() as u64;
    let (mut rest, below) = (microseconds / 1000, microseconds % 1000);
    let mut text = String::new();
    for (name, factor) in UNITS {
        let count = rest / factor;
        rest %= factor;
        if name == "ms" && below > 0 {
            text += format!("{count}.{below:03}").trim_end_matches('0');
            text += name;
        } else if count > 0 {
            text += &count.to_string();
            text += name;
        }
    }
    if text.is_empty() { "0s".to_owned() } else { text }
}

/// Serde for a `Duration` as such a text.
pub mod required {
    use super::{Duration, format_duration, parse_duration};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    /// Writes the text.
    ///
    /// # Errors
    /// The serialiser's.
    pub fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format_duration(*duration))
    }

    /// Reads the text.
    ///
    /// # Errors
    /// A text that is no duration.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        parse_duration(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Serde for `Option<Duration>` as such a text.
pub(crate) mod optional {
    use super::{Duration, format_duration, parse_duration};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(clippy::ref_option, reason = "serde's `with` passes a reference to the field")]
    pub(crate) fn serialize<S: Serializer>(duration: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
        match duration {
            Some(duration) => serializer.serialize_str(&format_duration(*duration)),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| parse_duration(&text).map_err(D::Error::custom)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_what_people_write() {
        for (text, seconds) in
            [("5s", 5.0), ("10m", 600.0), ("1h30m", 5400.0), ("500ms", 0.5), ("1.5s", 1.5), ("2d", 172_800.0)]
        {
            assert_eq!(parse_duration(text).map(|duration| duration.as_secs_f64()), Ok(seconds), "{text}");
        }
        for text in ["", "5", "s", "5 s", "5x", "-5s", "5s5", "1..2s", "9999999999d"] {
            assert_eq!(parse_duration(text), Err(DurationError(text.into())), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(microseconds in 0_u64..1_000_000_000_000) {
            let duration = Duration::from_micros(microseconds);
            prop_assert_eq!(parse_duration(&format_duration(duration)), Ok(duration));
        }
    }
}
