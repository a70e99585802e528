//! Metrics of recurring jobs.

use std::time::Duration;

use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::Registry,
};

type Job = [(&'static str, &'static str); 1];

/// Counts per job since startup.
#[derive(Default)]
pub struct JobFigures {
    runs: Family<Job, Counter>,
    failures: Family<Job, Counter>,
    busy: Family<Job, Counter<f64, std::sync::atomic::AtomicU64>>,
    last: Family<Job, Gauge>,
}

impl JobFigures {
    /// Records a run that ended at `now` (Unix seconds) and took `time`.
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
        jobs.register("runs", "Finished runs", self.runs.clone());
        jobs.register("failures", "Failed runs", self.failures.clone());
        jobs.register("seconds", "Total time of all runs", self.busy.clone());
        jobs.register("last_success_seconds", "Time of the last successful run, in Unix time", self.last.clone());
    }
}
