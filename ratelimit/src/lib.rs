//! Rate limits that survive restarts: governor's GCRA with its state in sled or, shared by several nodes, in Postgres.
//!
//! Each rate-limited operation is an [`Action`] with one policy from the configuration (`[limits]`). [`Limits::take`] counts an
//! attempt, [`Limits::check`] a read. A policy is either a plain GCRA (a burst, then a rate) or exact: N cells per key, each usable
//! once per window, so that no window ever holds more than N attempts. The state of a cell is the timestamp at which it becomes
//! free, so restarts lose nothing and idle keys need no storage.
//!
//! IPv6 addresses are counted by their /64 and additionally, with larger allowances, by their /56 and /48.

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
