//! Log lines about the same trouble: the first at once, the others counted, one line a minute. A full queue refuses thousands of
//! requests a second, and a line for each would fill the disk and hide everything else.

use std::{
    collections::BTreeMap,
    sync::{LazyLock, Mutex, PoisonError},
    time::Duration,
};

/// Between two lines about the same trouble.
const PERIOD: Duration = Duration::from_secs(60);
/// Different troubles that are counted apart; what comes beyond them is counted together.
const MOST: usize = 64;
/// Characters of a cause that tell one from another.
const TOLD_APART: usize = 200;

static REPEATS: LazyLock<Repeats> = LazyLock::new(Repeats::default);

/// What was said of late, and how often it was not said again.
#[derive(Debug, Default)]
struct Repeats(Mutex<BTreeMap<String, u64>>);

/// What to do about one more.
#[derive(Debug, PartialEq, Eq)]
enum Turn {
    /// Log it; the others are to be looked for after [`PERIOD`].
    First(String),
    /// It is counted.
    Counted,
}

/// Logs by `say` what failed for this cause, unless that was done within the last minute; then it is counted, and the count is a line
/// of its own.
pub fn warn(cause: &dyn std::fmt::Display, say: impl FnOnce()) {
    if let Turn::First(kind) = REPEATS.note(&cause.to_string()) {
        say();
        tokio::spawn(count(kind));
    }
}

/// Logs every minute how many more there were, until there were none.
async fn count(kind: String) {
    loop {
        tokio::time::sleep(PERIOD).await;
        match REPEATS.take(&kind) {
            0 => return,
            count => tracing::warn!(count, cause = kind, "as many requests more failed for the same cause in a minute"),
        }
    }
}

impl Repeats {
    fn note(&self, cause: &str) -> Turn {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kind: String = cause.chars().take(TOLD_APART).collect();
        if said.len() >= MOST && !said.contains_key(&kind) {
            kind = "various causes".to_owned();
        }
        match said.get_mut(&kind) {
            Some(unsaid) => {
                *unsaid += 1;
                Turn::Counted
            }
            None => {
                said.insert(kind.clone(), 0);
                Turn::First(kind)
            }
        }
    }

    /// How many were counted since the last line; with none, the next one is a first one again.
    fn take(&self, kind: &str) -> u64 {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(unsaid) = all.get_mut(kind) else { return 0 };
        match std::mem::take(unsaid) {
            0 => {
                all.remove(kind);
                0
            }
            unsaid => unsaid,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_one_line_and_a_count() {
        let repeats = Repeats::default();
        assert_eq!(repeats.note("full"), Turn::First("full".to_owned()));
        for _ in 0..2293 {
            assert_eq!(repeats.note("full"), Turn::Counted);
        }
        assert_eq!(repeats.note("Postgres is away"), Turn::First("Postgres is away".to_owned()));
        assert_eq!(repeats.take("full"), 2293);
        assert_eq!(repeats.note("full"), Turn::Counted);
        assert_eq!(repeats.take("full"), 1);
        assert_eq!(repeats.take("full"), 0);
        assert_eq!(repeats.note("full"), Turn::First("full".to_owned()));
    }

    #[test]
    fn causes_without_end_are_counted_together() {
        let repeats = Repeats::default();
        let lines = (0..1000).filter(|n| matches!(repeats.note(&format!("cause {n}")), Turn::First(_))).count();
        assert_eq!(lines, MOST + 1);
    }
}
