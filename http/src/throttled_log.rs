//! Throttles repeated warnings. The first one is logged at once. Further ones with the same cause are counted and logged as one line per
//! minute. A full queue rejects thousands of requests per second, and a line for each would fill the disk and hide everything else.

use std::{
    collections::BTreeMap,
    sync::{LazyLock, Mutex, PoisonError},
    time::Duration,
};

/// Time between two log lines with the same cause.
const PERIOD: Duration = Duration::from_secs(60);
/// Maximum number of causes that are counted separately. All others are counted together.
const MAX_CAUSES: usize = 64;
/// Number of characters by which causes are distinguished.
const MAX_CAUSE_LENGTH: usize = 200;

static COUNTS: LazyLock<Counts> = LazyLock::new(Counts::default);

/// Number of suppressed warnings since the last log line, by cause.
#[derive(Debug, Default)]
struct Counts(Mutex<BTreeMap<String, u64>>);

/// Treatment of a warning.
#[derive(Debug, PartialEq, Eq)]
enum Decision {
    /// Log it, and log the count for this cause after [`PERIOD`].
    Log(String),
    /// Suppress it, because it has been counted.
    Suppress,
}

/// Calls `log` unless a warning with this cause was logged within the last minute. Otherwise, counts the warning so that the count is
/// logged later. Requires a tokio runtime.
pub fn warn(cause: &dyn std::fmt::Display, log: impl FnOnce()) {
    if let Decision::Log(kind) = COUNTS.note(&cause.to_string()) {
        log();
        tokio::spawn(log_counts(kind));
    }
}

/// Logs the number of suppressed warnings every minute, until there are none.
async fn log_counts(kind: String) {
    loop {
        tokio::time::sleep(PERIOD).await;
        match COUNTS.take(&kind) {
            0 => return,
            count => tracing::warn!(count, cause = kind, "more requests failed for the same cause in the last minute"),
        }
    }
}

impl Counts {
    fn note(&self, cause: &str) -> Decision {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kind: String = cause.chars().take(MAX_CAUSE_LENGTH).collect();
        if counts.len() >= MAX_CAUSES && !counts.contains_key(&kind) {
            kind = "various causes".to_owned();
        }
        match counts.get_mut(&kind) {
            Some(suppressed) => {
                *suppressed += 1;
                Decision::Suppress
            }
            None => {
                counts.insert(kind.clone(), 0);
                Decision::Log(kind)
            }
        }
    }

    /// Returns and resets the count since the last log line. If the count is zero, the next warning is again logged at once.
    fn take(&self, kind: &str) -> u64 {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(suppressed) = counts.get_mut(kind) else { return 0 };
        match std::mem::take(suppressed) {
            0 => {
                counts.remove(kind);
                0
            }
            suppressed => suppressed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_warnings_are_logged_once_and_counted() {
        let counts = Counts::default();
        assert_eq!(counts.note("full"), Decision::Log("full".to_owned()));
        for _ in 0..2293 {
            assert_eq!(counts.note("full"), Decision::Suppress);
        }
        assert_eq!(counts.note("Postgres is unavailable"), Decision::Log("Postgres is unavailable".to_owned()));
        assert_eq!(counts.take("full"), 2293);
        assert_eq!(counts.note("full"), Decision::Suppress);
        assert_eq!(counts.take("full"), 1);
        assert_eq!(counts.take("full"), 0);
        assert_eq!(counts.note("full"), Decision::Log("full".to_owned()));
    }

    #[test]
    fn causes_beyond_the_limit_are_counted_together() {
        let counts = Counts::default();
        let lines = (0..1000).filter(|n| matches!(counts.note(&format!("cause {n}")), Decision::Log(_))).count();
        assert_eq!(lines, MAX_CAUSES + 1);
    }
}
