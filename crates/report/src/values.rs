//! Numbers, values of variables and ordered objects as JSON.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use symbolon_checker::ShownValue;

/// An integer that becomes a string above 2^53, where other readers of JSON would round it.
#[derive(Clone, Copy)]
pub struct Integer(pub u64);

impl Serialize for Integer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 <= 1 << 53 {
            serializer.serialize_u64(self.0)
        } else {
            serializer.serialize_str(&self.0.to_string())
        }
    }
}

/// A value of a variable: a number, a truth, or the word for it.
pub(crate) struct Shown(pub(crate) ShownValue);

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            ShownValue::Number(number) => match i64::try_from(*number) {
                Ok(small) if small.unsigned_abs() <= 1 << 53 => serializer.serialize_i64(small),
                _ => serializer.serialize_str(&number.to_string()),
            },
            ShownValue::Truth(truth) => serializer.serialize_bool(*truth),
            ShownValue::Word(word) => serializer.serialize_str(word),
        }
    }
}

/// An object whose keys keep their order.
pub(crate) struct Pairs<V>(pub(crate) Vec<(String, V)>);

impl<V> Pairs<V> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<V: Serialize> Serialize for Pairs<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_above_2_to_the_53_are_strings() {
        for (number, text) in [
            (0, "0"),
            (9_007_199_254_740_992, "9007199254740992"),
            (9_007_199_254_740_993, "\"9007199254740993\""),
            (u64::MAX, "\"18446744073709551615\""),
        ] {
            assert_eq!(serde_json::to_string(&Integer(number)).ok().as_deref(), Some(text));
        }
    }
}
