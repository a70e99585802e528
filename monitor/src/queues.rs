//! Metrics of the queue.

use lantern_catalog::queue::{self, QueueSize};
use prometheus_client::{
    metrics::{family::Family, gauge::Gauge},
    registry::Registry,
};
use sqlx::PgPool;

/// Registers the sizes of the queues of all kinds and returns that of `kind`. Omitted while Postgres is unavailable.
pub async fn register(pool: &PgPool, kind: &str, registry: &mut Registry) -> Option<QueueSize> {
    let mut sizes = match queue::sizes(pool).await {
        Ok(sizes) => sizes,
        Err(error) => {
            tracing::warn!(%error, "failed to read the metrics of the queue");
            return None;
        }
    };
    for known in queue::KINDS {
        if sizes.iter().all(|size| size.kind != known) {
            sizes.push(QueueSize { kind: known.to_owned(), ..QueueSize::default() });
        }
    }
    let [waiting, oldest, failed] = [(); 3].map(|()| Family::<[(&str, String); 1], Gauge>::default());
    for size in &sizes {
        let label = [("kind", size.kind.clone())];
        waiting.get_or_create(&label).set(size.waiting);
        oldest.get_or_create(&label).set(size.oldest);
        failed.get_or_create(&label).set(size.failed);
    }
    let queue = registry.sub_registry_with_prefix("queue");
    queue.register("waiting", "Queued and running jobs", waiting);
    queue.register("oldest_seconds", "Age of the oldest queued or running job", oldest);
    queue.register("failed", "Jobs that failed for good and are still stored", failed);
    sizes.into_iter().find(|size| size.kind == kind)
}
