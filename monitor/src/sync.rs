//! Metrics for the outbox, the search index and disk space.

use std::{sync::atomic::AtomicU64, time::UNIX_EPOCH};

use lantern_catalog::consumers::{self, Node};
use lantern_config::{Config, DataDir};
use lantern_errors::ApiResult;
use prometheus_client::{
    metrics::{
        family::Family,
        gauge::{ConstGauge, Gauge},
    },
    registry::Registry,
};
use sqlx::PgPool;

use lantern_media::disk::Disk;

/// Labels of an index: its name and state.
type Consumer = [(&'static str, String); 2];

/// Registers the metrics for the index, the disks and the outbox. Those for the outbox are omitted while Postgres is unavailable.
pub async fn register(config: &Config, pool: &PgPool, registry: &mut Registry) {
    match nodes(pool).await {
        Ok(nodes) => register_outbox(&nodes, registry),
        Err(error) => tracing::warn!(%error, "failed to read the outbox metrics"),
    }
    let data = DataDir::new(&config.data_dir);
    let (count, last) = quarantine(&data);
    let index = registry.sub_registry_with_prefix("index");
    index.register("quarantined", "Damaged search indexes moved to quarantine", ConstGauge::new(count));
    index.register("last_damage_seconds", "Time the last damaged index was found, in Unix time", ConstGauge::new(last));
    let (free, size) = (Family::<[(&str, &str); 1], Gauge>::default(), Family::<_, Gauge>::default());
    for (folder, path) in [("data", data.root().to_owned()), ("index", data.index())] {
        if let Some(disk) = Disk::of(&path) {
            free.get_or_create(&[("folder", folder)]).set(disk.free as i64);
            size.get_or_create(&[("folder", folder)]).set(disk.size as i64);
        }
    }
    let disk = registry.sub_registry_with_prefix("disk");
    disk.register("free_bytes", "Free space on the disk of the folder", free);
    disk.register("size_bytes", "Size of the disk of the folder", size);
}

async fn nodes(pool: &PgPool) -> ApiResult<Vec<Node>> {
    let mut conn = pool.acquire().await?;
    Ok(consumers::list(&mut conn).await?)
}

/// Registers the number of pending changes per index. The label `state` separates stopped indexes, whose queues only grow, from indexes
/// that are being written.
fn register_outbox(nodes: &[Node], registry: &mut Registry) {
    let (waiting, parked) = (Family::<Consumer, Gauge>::default(), Family::<Consumer, Gauge>::default());
    let oldest = Family::<Consumer, Gauge<f64, AtomicU64>>::default();
    for node in nodes {
        let state = if node.is_written { "written" } else { "stopped" };
        let labels = [("consumer", node.name.clone()), ("state", state.to_owned())];
        waiting.get_or_create(&labels).set(node.waiting);
        parked.get_or_create(&labels).set(node.parked);
        oldest.get_or_create(&labels).set(node.oldest.as_secs_f64());
    }
    let outbox = registry.sub_registry_with_prefix("outbox");
    outbox.register("waiting", "Changes waiting to be indexed", waiting);
    outbox.register("oldest_seconds", "Age of the oldest waiting change", oldest);
    outbox.register("parked", "Objects whose document the search engine rejects", parked);
}

/// Returns the number of quarantined indexes and the time when the last one was found, or zero if there was none.
fn quarantine(data: &DataDir) -> (i64, i64) {
    let folders = std::fs::read_dir(data.index().join("quarantine")).into_iter().flatten().flatten();
    let found = folders.filter_map(|folder| {
        let since = folder.metadata().ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(since.as_secs().cast_signed())
    });
    found.fold((0, 0), |(count, last), at| (count + 1, last.max(at)))
}
