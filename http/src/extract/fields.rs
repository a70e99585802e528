//! Deserializes form fields into a struct, or into an enum whose variant a field selects. Errors name the field.

use std::{fmt, slice};

use serde::{
    Deserializer,
    de::{
        self, DeserializeOwned, DeserializeSeed, EnumAccess, MapAccess, VariantAccess, Visitor, value::StrDeserializer,
    },
    forward_to_deserialize_any,
};
use serde_json::{Map, Value};

use lantern_errors::ApiError;

/// Deserializes the fields of `T` and ignores all others. Fails with 422 `required` or `invalid` for the first field that is missing or
/// malformed. If `pairs` are the members of a JSON `object`, a string is not accepted as a number or boolean, nor the reverse.
///
/// `T` may be an enum that is named like a field (`#[serde(rename = "act")]`): the field's value selects the variant, which has the other
/// fields and may itself be such an enum.
pub fn read<T: DeserializeOwned>(
    pairs: &[(String, String)],
    object: Option<&Map<String, Value>>,
) -> Result<T, ApiError> {
    T::deserialize(Pairs { pairs, object }).map_err(|refused| match refused {
        ReadError::Missing(field) => ApiError::required(field),
        ReadError::Invalid(field) => ApiError::invalid(field),
        ReadError::Other(text) => ApiError::internal(text),
    })
}

/// Deserialization error.
#[derive(Debug)]
enum ReadError {
    Missing(&'static str),
    Invalid(&'static str),
    Other(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for ReadError {}

impl de::Error for ReadError {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Self::Other(text.to_string())
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Missing(field)
    }
}

#[derive(Clone, Copy)]
struct Pairs<'a> {
    pairs: &'a [(String, String)],
    object: Option<&'a Map<String, Value>>,
}

impl<'a> Pairs<'a> {
    /// Returns the value of a field unless it is absent or empty.
    fn value(self, field: &str) -> Option<&'a str> {
        let (_, value) = self.pairs.iter().find(|(name, _)| name == field)?;
        (!value.is_empty()).then_some(value)
    }
}

impl<'de> Deserializer<'de> for Pairs<'_> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, ReadError> {
        Err(de::Error::custom("a form can only be deserialized into a struct or an enum"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        visitor.visit_map(FieldAccess { form: self, names: fields.iter(), value: None })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        tag: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        let word = self.value(tag).ok_or(ReadError::Missing(tag))?;
        visitor.visit_enum(Tagged { form: self, tag, word })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map identifier ignored_any
    }
}

/// A form whose field `tag` selects a variant.
struct Tagged<'a> {
    form: Pairs<'a>,
    tag: &'static str,
    word: &'a str,
}

impl<'de, 'a> EnumAccess<'de> for Tagged<'a> {
    type Error = ReadError;
    type Variant = Pairs<'a>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Pairs<'a>), ReadError> {
        let variant = seed.deserialize(StrDeserializer::<ReadError>::new(self.word));
        variant.map(|variant| (variant, self.form)).map_err(|_| ReadError::Invalid(self.tag))
    }
}

impl<'de> VariantAccess<'de> for Pairs<'_> {
    type Error = ReadError;

    fn unit_variant(self) -> Result<(), ReadError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, ReadError> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_struct("", fields, visitor)
    }
}

/// Iterates over the fields of the struct, in its order, that the form contains.
struct FieldAccess<'a> {
    form: Pairs<'a>,
    names: slice::Iter<'static, &'static str>,
    value: Option<(&'static str, &'a str)>,
}

impl<'de> MapAccess<'de> for FieldAccess<'_> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ReadError> {
        for name in self.names.by_ref() {
            if let Some(value) = self.form.value(name) {
                self.value = Some((name, value));
                return seed.deserialize(StrDeserializer::new(name)).map(Some);
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ReadError> {
        let (field, text) = self.value.take().ok_or_else(|| de::Error::custom("next_value called before next_key"))?;
        let is_text = self.form.object.and_then(|object| object.get(field)).map(Value::is_string);
        seed.deserialize(FieldText { text, is_text }).map_err(|_| ReadError::Invalid(field))
    }
}

struct FieldText<'a> {
    text: &'a str,
    /// Whether the JSON value is a string. `None` for other forms, which contain only strings.
    is_text: Option<bool>,
}

impl FieldText<'_> {
    fn parse<T: std::str::FromStr>(&self) -> Result<T, ReadError> {
        let text = if self.is_text == Some(true) { Err(ReadError::Invalid("")) } else { Ok(self.text) };
        text?.parse().map_err(|_| ReadError::Invalid(""))
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident),+) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
            visitor.$visit(self.parse()?)
        })+
    };
}

impl<'de> Deserializer<'de> for FieldText<'_> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        if self.is_text == Some(false) { Err(ReadError::Invalid("")) } else { visitor.visit_str(self.text) }
    }

    /// Accepts the values that browsers (`on`) and programs send.
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.text {
            _ if self.is_text == Some(true) => Err(ReadError::Invalid("")),
            "1" | "true" | "on" => visitor.visit_bool(true),
            "0" | "false" | "off" => visitor.visit_bool(false),
            _ => Err(ReadError::Invalid("")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        visitor.visit_enum(StrDeserializer::new(self.text))
    }

    numbers! {
        deserialize_i8 visit_i8, deserialize_i16 visit_i16, deserialize_i32 visit_i32, deserialize_i64 visit_i64,
        deserialize_u8 visit_u8, deserialize_u16 visit_u16, deserialize_u32 visit_u32, deserialize_u64 visit_u64,
        deserialize_f32 visit_f32, deserialize_f64 visit_f64
    }

    forward_to_deserialize_any! {
        i128 u128 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Op {
        Add,
        Rem,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Sent {
        act: Op,
        vote: i8,
        #[serde(rename = "object_id")]
        id: Option<i64>,
        #[serde(default)]
        msg: String,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename = "act", rename_all = "lowercase")]
    enum Act {
        Vote(Cast),
        List(Change),
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Cast {
        vote: i8,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename = "section", rename_all = "lowercase")]
    enum Change {
        Add { id: u8 },
        Clear,
    }

    fn sent<T: DeserializeOwned>(pairs: &[(&str, &str)]) -> Result<T, (u16, &'static str, Option<&'static str>)> {
        let pairs: Vec<_> = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        read(&pairs, None).map_err(|error: ApiError| {
            let field = if let ApiError::Field { field, .. } = &error { Some(*field) } else { None };
            (error.status().as_u16(), error.code(), field)
        })
    }

    #[test]
    fn fields_are_parsed_as_their_types() {
        let read: Sent = sent(&[("act", "rem"), ("vote", "-1"), ("object_id", "7"), ("msg", ""), ("x", "1")]).unwrap();
        assert_eq!(read, Sent { act: Op::Rem, vote: -1, id: Some(7), msg: String::new() });
    }

    #[test]
    fn errors_name_the_field() {
        let sent = sent::<Sent>;
        assert_eq!(sent(&[("vote", "1")]), Err((422, "required", Some("act"))));
        assert_eq!(sent(&[("act", "new"), ("vote", "1")]), Err((422, "invalid", Some("act"))));
        assert_eq!(sent(&[("act", "add"), ("vote", "200")]), Err((422, "invalid", Some("vote"))));
        assert_eq!(
            sent(&[("act", "add"), ("vote", "1"), ("object_id", "1.5")]),
            Err((422, "invalid", Some("object_id")))
        );
    }

    #[test]
    fn fields_select_nested_variants() {
        let sent = sent::<Act>;
        assert_eq!(sent(&[("vote", "1"), ("act", "vote"), ("id", "x")]), Ok(Act::Vote(Cast { vote: 1 })));
        assert_eq!(sent(&[("act", "list"), ("section", "add"), ("id", "7")]), Ok(Act::List(Change::Add { id: 7 })));
        assert_eq!(sent(&[("act", "list"), ("section", "clear"), ("vote", "x")]), Ok(Act::List(Change::Clear)));
        for (pairs, code, field) in [
            (&[("section", "add")][..], "required", "act"),
            (&[("act", ""), ("section", "add")], "required", "act"),
            (&[("act", "Vote")], "invalid", "act"),
            (&[("act", "vote"), ("vote", "x")], "invalid", "vote"),
            (&[("act", "list")], "required", "section"),
            (&[("act", "list"), ("section", "vote")], "invalid", "section"),
            (&[("act", "list"), ("section", "add")], "required", "id"),
        ] {
            assert_eq!(sent(pairs), Err((422, code, Some(field))), "{pairs:?}");
        }
    }
}
