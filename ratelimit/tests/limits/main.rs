//! The limits against simulated clocks, restarts, a full disk and a real Postgres.
#![expect(clippy::unwrap_used, reason = "a test that can't go on should stop")]

mod basics;
mod crowd;
mod failing;
mod oracle;
mod random;
mod shared;
mod support;
