//! Building blocks of the API document (OpenAPI 3.1, `document.rs`), the machine-readable contract.
//!
//! [`table`] registers each route together with its documentation, so that no call lacks either. [`doc`] documents a call, [`params`] its
//! parameters, and [`errors`] its errors. The documentation of each handler is next to it. Schemas are derived from the types that serde
//! serializes ([`schemas`] makes them exact), and vocabularies come from `config/`.

mod doc;
pub mod errors;
mod params;
pub mod schemas;
mod table;
mod variants;

pub use doc::Doc;
pub use errors::{ErrorBody, FieldCode, Refusal, cross_site, invalid, need_auth, refusal, too_often, unknown_address};
pub use params::{Param, field, header, id_schema, one_of, query, segment, text};
pub use table::{Calls, address};

/// Returns the schema of a string that is one of `words`. `about` is its description, because the doc comment of a member with an
/// explicit schema is not used.
pub fn words<const N: usize>(about: &str, words: [&str; N]) -> utoipa::openapi::Schema {
    let of_words = utoipa::openapi::ObjectBuilder::new().schema_type(utoipa::openapi::Type::String);
    of_words.enum_values(Some(words)).description(Some(about)).into()
}
