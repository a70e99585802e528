//! Tests the rate limits with simulated clocks, restarts, a full disk and a real Postgres.
#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod basics;
mod changed;
mod crowd;
mod failing;
mod oracle;
mod random;
mod shared;
mod support;
