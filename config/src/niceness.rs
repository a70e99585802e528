//! Niceness of low-priority threads, 0 to 19 as in nice(1).

use thread_priority::{ThreadPriority, ThreadPriorityValue, set_current_thread_priority};

use super::{ConfigError, reject};

/// Highest niceness, at which a thread only runs when the processor is otherwise idle.
pub const MOST: u8 = 19;

pub(crate) fn check(key: &'static str, niceness: u8) -> Result<(), ConfigError> {
    if niceness > MOST {
        return reject(key, format!("is {niceness}, must be at most {MOST}"));
    }
    Ok(())
}

/// Converts a niceness to the cross-platform priority of the crate `thread-priority`.
#[must_use]
pub fn priority(niceness: u8) -> u8 {
    // The crate maps niceness -20 to 99 and 19 to 0, in floating point. Rounding down avoids a niceness that is off by one.
    let value = (99 * u16::from(MOST.saturating_sub(niceness))).saturating_sub(1) / 39;
    u8::try_from(value).unwrap_or(u8::MAX)
}

/// Sets the niceness of this thread. This is permanent, because only root may lower it again.
///
/// # Errors
/// Returns the system's reason if it refuses.
pub fn stand_back(niceness: u8) -> Result<(), String> {
    let value = ThreadPriorityValue::try_from(priority(niceness))?;
    set_current_thread_priority(ThreadPriority::Crossplatform(value)).map_err(|error| format!("{error:?}"))
}
