//! Rate limits that survive a restart: governor's GCRA with its state in sled, or for several nodes in Postgres.
//!
//! An IPv6 address is counted by its /64, and with more room together with those around it, by its /56 and /48.
//!
//! One [`Action`] per thing somebody can do too often, one policy per action from the configuration (`[limits]`), one
//! call to ask: [`Limits::take`], or [`Limits::check`] for reads. A policy is either a plain GCRA (a burst, then a rate)
//! or exact: N cells per key, each good for one attempt per window, so that no window ever holds more than N. The state
//! of a cell is the moment it is due, so a restart forgets nothing and a key at rest needs no storage.

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
