//! Figures about the way of changes into the index, and the room they need.

use lantern_catalog::outbox::{self, Lag};
use lantern_config::{Config, DataDir};
use prometheus_client::{
    metrics::{
        family::Family,
        gauge::{ConstGauge, Gauge},
    },
    registry::Registry,
};
use sqlx::PgPool;

use crate::{http::ApiResult, monitor::disk::Disk};

/// Figures of the outbox, missing while Postgres is away, and of the disks.
pub async fn register(config: &Config, pool: &PgPool, registry: &mut Registry) {
    match lag(pool).await {
        Ok(Lag { waiting, oldest, parked }) => {
            let outbox = registry.sub_registry_with_prefix("outbox");
            outbox.register("waiting", "Changes on their way into the index", ConstGauge::new(waiting));
            outbox.register(
                "oldest_seconds",
                "How long the oldest of them has waited",
                ConstGauge::new(oldest.as_secs_f64()),
            );
            outbox.register("parked", "Objects whose document the search engine refuses", ConstGauge::new(parked));
        }
        Err(error) => tracing::warn!(%error, "the outbox can't be measured"),
    }
    let data = DataDir::new(&config.data_dir);
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

async fn lag(pool: &PgPool) -> ApiResult<Lag> {
    let mut conn = pool.acquire().await?;
    Ok(outbox::lag(&mut conn).await?)
}
