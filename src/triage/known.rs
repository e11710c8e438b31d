//! What is known of a defect: found out now, or as an earlier triage has recorded it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Something that is known of a defect. What an earlier triage found out is taken over as it is written.
#[derive(Clone, PartialEq, Debug)]
pub enum Known<T> {
    /// It was found out by this triage.
    Now(T),
    /// It was found out by an earlier triage: its JSON.
    Earlier(serde_json::Value),
}

impl<T> Known<T> {
    /// What this triage found out.
    pub fn now(&self) -> Option<&T> {
        match self {
            Known::Now(known) => Some(known),
            Known::Earlier(_) => None,
        }
    }
}

impl<T: Serialize> Serialize for Known<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Known::Now(known) => known.serialize(serializer),
            Known::Earlier(json) => json.serialize(serializer),
        }
    }
}

impl<'de, T> Deserialize<'de> for Known<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde_json::Value::deserialize(deserializer).map(Known::Earlier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_known_before_is_written_as_it_was() {
        let known: Option<Known<Vec<u8>>> = serde_json::from_str("{\"answer\":\"sat\"}").expect("JSON");
        assert_eq!(serde_json::to_string(&known).expect("JSON"), "{\"answer\":\"sat\"}");
        assert!(known.is_some_and(|known| known.now().is_none()));
        assert_eq!(serde_json::from_str::<Option<Known<u8>>>("null").expect("JSON"), None);
        assert_eq!(serde_json::to_string(&Known::Now(7)).expect("JSON"), "7");
    }
}
