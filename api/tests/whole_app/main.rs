//! The whole app, in process: catalog, outbox, indexer, engine, api.

mod changes;
mod home;
mod hostile;
mod http;
mod listings;
mod models;
mod pages;
mod random;
mod search;
mod support;
mod videos;
