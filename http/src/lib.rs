//! HTTP layer: everything between a connection and the arguments of a handler, and between the result of a handler and the client. It
//! does not depend on the objects of the site.
//!
//! Reading order: [`server`] (connections), [`envelope`] (request id, timeout, error body), [`extract`] (arguments of handlers),
//! [`cache`] (response cache), [`openapi`] (documentation of calls).

pub mod cache;
pub mod compression;
pub mod connections;
pub mod cookies;
pub mod cost;
pub mod crawlers;
pub mod envelope;
pub mod extract;
pub mod file_forms;
pub mod health;
pub mod host;
pub mod job_figures;
mod linger;
pub mod openapi;
pub mod own_path;
pub mod per_client;
pub mod preparing;
pub mod private;
pub mod proxies;
pub mod request_id;
pub mod same_origin;
pub mod security;
pub mod server;
pub mod throttled_log;
mod times;
pub mod totals;

pub use extract::*;
pub use private::Done;
pub use times::rfc3339;
pub use totals::{Totals, pages};
