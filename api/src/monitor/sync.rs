//! Figures about the way of changes into the index, and the room they need.

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

use crate::monitor::disk::Disk;

/// An index, and whether a process writes it.
type Consumer = [(&'static str, String); 2];

/// Figures of the outbox, missing while Postgres is away, and of the disks.
pub async fn register(config: &Config, pool: &PgPool, registry: &mut Registry) {
    match nodes(pool).await {
        Ok(nodes) => register_outbox(&nodes, registry),
        Err(error) => tracing::warn!(%error, "the outbox can't be measured"),
    }
    let data = DataDir::new(&config.data_dir);
    let (aside, last) = quarantine(&data);
    let index = registry.sub_registry_with_prefix("index");
    index.register("quarantined", "Damaged search indexes whose files are kept aside", ConstGauge::new(aside));
    index.register("last_damage_seconds", "When the last of them was found, in unix time", ConstGauge::new(last));
    let (free, size) = (Family::<[(&str, &str); 1], Gauge>::default(), Family::<_, Gauge>::default());
    for (folder, path) in [("data", data.root().to_owned()), ("index", data.index())] {
        if let Some(disk) = Disk::of(&path) {
            free.get_or_create(&[("folder", folder)]).set(disk.free as i64);
            size.get_or_create(&[("folder", folder)]).set(disk.size as i64);
        }
    }
    let disk = registry.sub_registry_with_prefix("disk");
    disk.register("free_bytes", "Room on the disk that holds the folder", free);
    disk.register("size_bytes", "Size of the disk that holds the folder", size);
}

async fn nodes(pool: &PgPool) -> ApiResult<Vec<Node>> {
    let mut conn = pool.acquire().await?;
    Ok(consumers::list(&mut conn).await?)
}

/// What waits for each index. Nobody empties the queue of a stopped one, which is no reason to worry about those that are written.
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
    outbox.register("waiting", "Changes on their way into the index", waiting);
    outbox.register("oldest_seconds", "How long the oldest of them has waited", oldest);
    outbox.register("parked", "Objects whose document the search engine refuses", parked);
}

/// How many damaged indexes are aside, and when the last one was found; zero for never.
fn quarantine(data: &DataDir) -> (i64, i64) {
    let folders = std::fs::read_dir(data.index().join("quarantine")).into_iter().flatten().flatten();
    let found = folders.filter_map(|folder| {
        let since = folder.metadata().ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(since.as_secs().cast_signed())
    });
    found.fold((0, 0), |(count, last), at| (count + 1, last.max(at)))
}
