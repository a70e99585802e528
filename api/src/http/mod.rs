//! What every request passes: from the connection to the values a handler takes, and from its answer to the client.
//!
//! What most handlers name is at this level: errors, values of requests, and who asks.

pub mod compression;
pub mod connections;
pub mod cookies;
pub mod cost;
pub mod crawlers;
pub mod envelope;
pub mod error;
pub mod extract;
pub mod file_forms;
pub mod hidden;
pub mod host;
mod linger;
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
pub mod site;
pub mod totals;

pub use error::{ApiError, ApiResult, FieldError};
pub use extract::*;
pub use hidden::{AccessCheck, Requester};
pub use private::Done;
pub use totals::{Totals, pages};
