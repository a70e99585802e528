//! Tests of the catalog against a real Postgres, in which each test has its own database.
#![expect(clippy::unwrap_used, reason = "a failing call should abort the test")]

mod actions;
mod changes;
mod cluster;
mod fingerprints;
mod names;
mod outbox;
mod pages;
mod queue;
mod schema;
mod seed;
mod speed;
mod statuses;
mod triggers;
mod views;
