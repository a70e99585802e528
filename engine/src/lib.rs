//! Embedded full-text search: [milli](milli_core) in this process, behind the Meilisearch REST protocol.
//!
//! Open an [`Engine`] on a folder and use it like a Meilisearch server. [`Engine::router`] returns the protocol as an [`axum::Router`] that
//! can be served anywhere, and [`Engine::trusted_router`] returns the same for callers in this process.
//!
//! Every write is a task. It is durable before it is acknowledged, a single writer thread applies it, and it is resumed after a crash.

mod engine;
mod error;
mod http;
mod index;
mod marker;
mod memory;
mod options;
mod quarantine;
mod search;
mod settings;
mod shared;
mod sync;
mod tasks;

pub use engine::Engine;
pub use error::EngineError;
pub use http::Keys;
pub use options::EngineOptions;
pub use quarantine::{Damage, damages};

/// Version of Meilisearch whose protocol the engine implements.
pub const PROTOCOL_VERSION: &str = "1.15.1";

// These crates are named only to pin the versions that milli-core is compiled with.
use {arroy as _, rhai as _};
