//! Rate limits that survive restarts. They use governor's GCRA, with its state in sled or, if several nodes share it, in Postgres.
//!
//! Each rate-limited operation is an [`Action`] with one policy from the configuration (`[limits]`). [`Limits::take`] counts an attempt,
//! and [`Limits::check`] counts a read. A policy is either a plain GCRA (a burst, then a rate) or exact. An exact policy has N cells per
//! key, each of which can be used once per window, so that no window ever holds more than N attempts. The state of a cell is the timestamp
//! at which it becomes free, so restarts lose nothing and idle keys need no storage.
//!
//! IPv6 addresses are counted by their /64. They are also counted by their /56 and /48, with larger allowances.

mod action;
mod cells;
mod clock;
mod commit;
mod gate;
mod gates;
mod key;
mod limits;
mod local;
mod refusal;
mod rule;
mod shared;
mod store;

pub use action::Action;
pub use clock::{AnchoredClock, TimeSource, system_clock};
pub use gates::Figures;
pub use key::{ClientKey, Key};
pub use limits::{Attempt, Limits};
pub use refusal::{LimitRefusal, RetryAfter, StoreError};
pub use store::OpenError;
