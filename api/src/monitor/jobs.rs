//! What recurring work did.

use std::time::Duration;

use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::Registry,
};

type Job = [(&'static str, &'static str); 1];

/// Counts since the start, by job.
#[derive(Default)]
pub struct JobFigures {
    runs: Family<Job, Counter>,
    failures: Family<Job, Counter>,
    busy: Family<Job, Counter<f64, std::sync::atomic::AtomicU64>>,
    last: Family<Job, Gauge>,
}

impl JobFigures {
    /// A run ended at `now` (unix seconds) after `time`.
    pub fn record(&self, job: &'static str, time: Duration, succeeded: bool, now: i64) {
        let job = [("job", job)];
        self.runs.get_or_create(&job).inc();
        self.busy.get_or_create(&job).inc_by(time.as_secs_f64());
        let failures = self.failures.get_or_create(&job);
        if succeeded {
            self.last.get_or_create(&job).set(now);
        } else {
            failures.inc();
        }
    }

    pub(crate) fn register(&self, registry: &mut Registry) {
        let jobs = registry.sub_registry_with_prefix("job");
        jobs.register("runs", "Runs that ended", self.runs.clone());
        jobs.register("failures", "Runs that failed", self.failures.clone());
        jobs.register("seconds", "Time of all runs", self.busy.clone());
        jobs.register("last_success_seconds", "When a run last succeeded, in unix time", self.last.clone());
    }
}
