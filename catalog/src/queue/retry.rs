//! When failed jobs are retried, and when they are given up.

use std::time::Duration;

use super::Job;

/// Rules for retrying the jobs of a kind. By default they are retried at once, without limit.
#[derive(Debug, Clone, Default)]
pub struct RetryPolicy {
    /// Pauses after each failed attempt. The last one repeats.
    pub pauses: Vec<Duration>,
    /// Maximum number of attempts.
    pub attempts: Option<u32>,
    /// Number of lost holders after which a job is given up.
    pub losses: Option<u32>,
    /// Maximum age at the next attempt, and the setting that defines it.
    pub max_age: Option<(Duration, &'static str)>,
    /// Pause during an outage, in which attempts don't count. If it is `None`, they count like others.
    pub outage_pause: Option<Duration>,
}

impl RetryPolicy {
    /// Returns why a job is given up instead of being attempted: no previous attempt has recorded an outcome. Each of
    /// them crashed its worker or outlived its lease.
    pub(super) fn spent(&self, job: &Job) -> Option<String> {
        let is_spent = self.attempts.is_some_and(|most| count(job.attempts) > most)
            || self.losses.is_some_and(|most| count(job.lost) >= most);
        is_spent.then(|| {
            let last = job.last_error.as_ref().map(|error| format!("; last error: {error}"));
            format!("no worker completed it{}", last.unwrap_or_default())
        })
    }

    /// Returns the pause before the next attempt and whether the failed one counts, or why there is no next attempt.
    pub(super) fn next(&self, job: &Job, why: &str, is_outage: bool) -> Result<(Duration, bool), String> {
        let tries = count(job.attempts);
        let (pause, counts) = match self.outage_pause {
            Some(pause) if is_outage => (pause, false),
            _ => (*self.pauses.get(tries.max(1) as usize - 1).or(self.pauses.last()).unwrap_or(&Duration::ZERO), true),
        };
        if counts && self.attempts.is_some_and(|most| tries >= most) {
            return Err(why.to_owned());
        }
        match self.max_age {
            Some((most, setting)) if Duration::from_secs(job.age.unsigned_abs()) + pause >= most => {
                Err(format!("it is older than {setting}; {why}"))
            }
            _ => Ok((pause, counts)),
        }
    }
}

fn count(number: i32) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(attempts: i32, lost: i32, age: i64) -> Job {
        let (payload, state) = (serde_json::Value::Null, "running".to_owned());
        Job { id: 1, payload, state, attempts, lost, last_error: None, age }
    }

    fn seconds(pauses: &[u64]) -> Vec<Duration> {
        pauses.iter().copied().map(Duration::from_secs).collect()
    }

    #[test]
    fn last_pause_repeats_until_attempts_are_spent() {
        let policy = RetryPolicy { pauses: seconds(&[1, 5]), attempts: Some(4), ..RetryPolicy::default() };
        let next = |attempts| policy.next(&job(attempts, 0, 0), "it broke", false);
        let paused = |pause| Ok((Duration::from_secs(pause), true));
        assert_eq!([1, 2, 3, 4].map(next), [paused(1), paused(5), paused(5), Err("it broke".to_owned())]);
        assert_eq!(RetryPolicy::default().next(&job(999, 0, 0), "", false), paused(0));
    }

    #[test]
    fn job_that_would_be_too_old_is_given_up() {
        let max_age = Some((Duration::from_secs(60), "mail.expire_hours"));
        let policy = RetryPolicy { pauses: seconds(&[10]), max_age, ..RetryPolicy::default() };
        assert!(policy.next(&job(1, 0, 49), "", false).is_ok());
        assert_eq!(
            policy.next(&job(1, 0, 50), "it broke", false),
            Err("it is older than mail.expire_hours; it broke".to_owned())
        );
    }

    #[test]
    fn attempts_in_an_outage_count_only_without_a_pause_for_it() {
        let outage_pause = Some(Duration::from_secs(7));
        let policy = RetryPolicy { attempts: Some(1), outage_pause, ..RetryPolicy::default() };
        assert_eq!(policy.next(&job(1, 0, 0), "", true), Ok((Duration::from_secs(7), false)));
        assert!(policy.next(&job(1, 0, 0), "", false).is_err());
        assert!(RetryPolicy { outage_pause: None, ..policy }.next(&job(1, 0, 0), "", true).is_err());
    }

    #[test]
    fn job_that_loses_its_holders_is_spent() {
        let policy = RetryPolicy { attempts: Some(3), losses: Some(2), ..RetryPolicy::default() };
        assert_eq!(
            [(3, 1), (4, 0), (2, 2)].map(|(n, lost)| policy.spent(&job(n, lost, 0)).is_some()),
            [false, true, true]
        );
    }
}
