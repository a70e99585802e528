//! Embedded full-text search: [milli](milli_core) in this process, behind the Meilisearch REST protocol.
//!
//! Open an [`Engine`] on a folder, take a [`SearchClient`] from it, and talk to it with `meilisearch-sdk` exactly as to a
//! server: [`Engine::client`] calls the router directly, [`Transport::http`] goes over a socket to this engine or to a
//! real Meilisearch. [`Engine::router`] is the same protocol as an [`axum::Router`] to be served anywhere.
//!
//! Every write is a task: durable before it is acknowledged, applied by one writer thread, resumed after a crash.

mod engine;
mod error;
pub mod filter;
mod http;
mod index;
mod options;
mod search;
mod settings;
mod sync;
mod tasks;
mod transport;

pub use engine::Engine;
pub use error::EngineError;
pub use filter::{Filter, Value as FilterValue};
pub use http::Keys;
pub use options::EngineOptions;
pub use transport::{SearchClient, Transport};

/// The Meilisearch version whose protocol is followed.
pub const PROTOCOL_VERSION: &str = "1.15.1";

// Named only to pin the versions milli-core compiles with.
use {arroy as _, rhai as _};
