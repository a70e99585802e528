//! The HTTP layer of the site: everything between a connection and a handler's arguments, and between a handler's result and the
//! client. It knows no object of the site.
//!
//! Reading order: [`server`] (connections), [`envelope`] (request id, time limit, error body), [`extract`] (arguments of handlers),
//! [`cache`] (finished responses), [`openapi`] (what the API document says of a call).

pub mod cache;
pub mod compression;
pub mod connections;
pub mod cookies;
pub mod cost;
pub mod crawlers;
pub mod envelope;
pub mod extract;
pub mod file_forms;
pub mod host;
mod linger;
pub mod openapi;
pub mod own_path;
pub mod per_client;
pub mod preparing;
pub mod private;
pub mod proxies;
pub mod repeats;
pub mod request_id;
pub mod same_origin;
pub mod security;
pub mod server;
pub mod totals;

pub use extract::*;
pub use private::Done;
pub use totals::{Totals, pages};
