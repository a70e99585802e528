//! Rate limits that survive a restart: governor's GCRA with its state in sled.
//!
//! One [`Action`] per thing a client can do too often, one policy per action from the
//! configuration, one call to ask: [`Limits::check`]. The state of a key is the moment its
//! next cell is due, so a restart forgets nothing and a key at rest needs no storage.

mod action;
mod clock;
mod key;
mod limits;
mod store;

pub use action::Action;
pub use clock::{SystemClock, TimeSource};
pub use key::ClientKey;
pub use limits::{Limits, RetryAfter};
pub use store::OpenError;
