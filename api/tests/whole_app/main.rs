//! The whole app, in process: catalog, outbox, indexer, engine, api.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod cache;
mod changes;
mod home;
mod hostile;
mod http;
mod judged;
mod listings;
mod models;
mod pages;
mod random;
mod search;
mod server;
mod support;
mod videos;
