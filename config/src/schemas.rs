//! OpenAPI schemas that are written by hand.

/// Returns the schema for a text that is one of `words`. `about` is its description.
pub fn words<const N: usize>(about: &str, words: [&str; N]) -> utoipa::openapi::Schema {
    let of_words = utoipa::openapi::ObjectBuilder::new().schema_type(utoipa::openapi::Type::String);
    of_words.enum_values(Some(words)).description(Some(about)).into()
}
