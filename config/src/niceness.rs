//! Niceness of threads that stand back for others, 0 to 19 as in nice(1).

use thread_priority::{ThreadPriority, ThreadPriorityValue, set_current_thread_priority};

use super::{ConfigError, refuse};

/// The highest: a thread that gets what nobody else wants.
pub const MOST: u8 = 19;

pub(crate) fn check(key: &'static str, niceness: u8) -> Result<(), ConfigError> {
    if niceness > MOST {
        return refuse(key, format!("is {niceness}, must be at most {MOST}"));
    }
    Ok(())
}

/// A niceness as the crate `thread-priority` counts, for every system alike.
#[must_use]
pub fn priority(niceness: u8) -> u8 {
    // The crate counts from 99 at niceness -20 down to 0 at 19, in floating point: a little less is never one too many.
    let value = (99 * u16::from(MOST.saturating_sub(niceness))).saturating_sub(1) / 39;
    u8::try_from(value).unwrap_or(u8::MAX)
}

/// Gives this thread a niceness, which stays with it: only root may take it back.
///
/// # Errors
/// Says why the system refuses.
pub fn stand_back(niceness: u8) -> Result<(), String> {
    let value = ThreadPriorityValue::try_from(priority(niceness))?;
    set_current_thread_priority(ThreadPriority::Crossplatform(value)).map_err(|error| format!("{error:?}"))
}
