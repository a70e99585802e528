//! Health of the process, apart from its dependencies: whether it starts or stops, and how often its roles were restarted.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use lantern_config::Supervision;
use prometheus_client::{
    metrics::{counter::Counter, family::Family},
    registry::Registry,
};
use tokio_util::sync::CancellationToken;

use crate::job_figures::JobFigures;

/// Restarts remembered per role; a higher `supervision.restarts` has no effect.
const MAX_REMEMBERED: usize = 1000;

/// Health of the process itself, apart from its dependencies.
#[derive(Default)]
pub struct Health {
    starting: AtomicBool,
    draining: CancellationToken,
    roles: Mutex<BTreeMap<&'static str, Restarts>>,
    /// Metrics of recurring jobs.
    pub jobs: JobFigures,
}

/// Restarts of one role.
#[derive(Default)]
struct Restarts {
    total: u64,
    /// Times of the latest restarts, oldest first.
    latest: VecDeque<Instant>,
}

impl Health {
    /// Creates the health of a process that isn't ready before [`Health::serves`].
    #[must_use]
    pub fn starting() -> Self {
        Self { starting: true.into(), ..Self::default() }
    }

    /// Returns whether the site isn't served yet.
    #[must_use]
    pub fn is_starting(&self) -> bool {
        self.starting.load(Ordering::Relaxed)
    }

    /// Marks the site as being served.
    pub fn serves(&self) {
        self.starting.store(false, Ordering::Relaxed);
    }

    /// Returns a token that is cancelled before the process stops: responses close their connections, and `/health/ready` fails.
    #[must_use]
    pub fn draining(&self) -> CancellationToken {
        self.draining.clone()
    }

    /// Records the first start of a role, so that its metric exists from the start.
    pub fn started(&self, role: &'static str) {
        self.roles().entry(role).or_default();
    }

    /// Records that a role ended at `now` and is restarted.
    pub fn restarted(&self, role: &'static str, now: Instant) {
        let mut roles = self.roles();
        let restarts = roles.entry(role).or_default();
        restarts.total += 1;
        restarts.latest.push_back(now);
        let surplus = restarts.latest.len().saturating_sub(MAX_REMEMBERED);
        restarts.latest.drain(..surplus);
    }

    /// Returns the roles restarted too often within the window ending at `now`.
    #[must_use]
    pub fn failing(&self, bounds: &Supervision, now: Instant) -> Vec<&'static str> {
        let recent = |at: &Instant| now.saturating_duration_since(*at) < bounds.window();
        let roles = self.roles();
        let failing =
            roles.iter().filter(|(_, of)| of.latest.iter().filter(|at| recent(at)).count() >= bounds.restarts);
        failing.map(|(role, _)| *role).collect()
    }

    /// Registers the restarts per role since the start, and the metrics of jobs.
    pub fn register(&self, registry: &mut Registry) {
        self.jobs.register(registry);
        let restarts = Family::<[(&str, &str); 1], Counter>::default();
        for (role, of) in self.roles().iter() {
            restarts.get_or_create(&[("role", *role)]).inc_by(of.total);
        }
        registry.register("role_restarts", "Restarts of roles that panicked or ended early", restarts);
    }

    fn roles(&self) -> MutexGuard<'_, BTreeMap<&'static str, Restarts>> {
        self.roles.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use lantern_config::Config;

    use super::*;

    #[test]
    fn role_fails_until_its_restarts_leave_the_window() {
        let (health, bounds, start) = (Health::default(), Config::default().supervision, Instant::now());
        health.started("indexer");
        for restart in 0..bounds.restarts {
            assert!(health.failing(&bounds, start).is_empty(), "after {restart}");
            health.restarted("indexer", start);
        }
        health.restarted("worker", start);
        assert_eq!(health.failing(&bounds, start), ["indexer"]);
        let later = start + bounds.window() - Duration::from_millis(1);
        assert_eq!(health.failing(&bounds, later), ["indexer"]);
        assert!(health.failing(&bounds, start + bounds.window()).is_empty());
    }
}
