//! What the API's document (OpenAPI 3.1, `document.rs`) is made of: the machine form of the contract.
//!
//! [`table`] holds the routes together with what the document says of them, so that neither has a call the other lacks;
//! [`doc`] describes a call, [`params`] its parameters, [`errors`] what it refuses with; each handler has its own description
//! beside it. Schemas are derived from the very types that serde writes ([`schemas`] makes them exact), vocabularies from
//! `config/`.

mod doc;
pub mod errors;
mod params;
pub mod schemas;
mod table;

pub use doc::Doc;
pub use errors::{ErrorBody, FieldCode, Refusal, cross_site, invalid, need_auth, refusal, too_often, unknown_address};
pub use params::{Param, field, header, id_schema, one_of, query, segment};
pub use table::{Calls, address};
