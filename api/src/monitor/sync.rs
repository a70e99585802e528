//! Figures about the way of changes into the index, and the room they need.

use lantern_catalog::outbox::{self, Lag};
use lantern_config::{Config, DataDir};
use sqlx::PgPool;

use crate::{http::error::ApiResult, monitor::disk::Disk};

/// Lines of the outbox, missing while Postgres is away, and of the disks.
pub async fn text(config: &Config, pool: &PgPool) -> String {
    let mut text = String::new();
    match lag(pool).await {
        Ok(lag) => {
            gauge(&mut text, "lantern_outbox_waiting", "Changes on their way into the index.");
            text.push_str(&format!("lantern_outbox_waiting {}\n", lag.waiting));
            gauge(&mut text, "lantern_outbox_oldest_seconds", "How long the oldest of them has waited.");
            text.push_str(&format!("lantern_outbox_oldest_seconds {}\n", lag.oldest.as_secs_f64()));
            gauge(&mut text, "lantern_outbox_parked", "Objects whose document the search engine refuses.");
            text.push_str(&format!("lantern_outbox_parked {}\n", lag.parked));
        }
        Err(error) => tracing::warn!(%error, "the outbox can't be measured"),
    }
    let data = DataDir::new(&config.data_dir);
    let folders = [("data", data.root().to_owned()), ("index", data.index())];
    let disks: Vec<(&str, Disk)> = folders.iter().filter_map(|(name, path)| Some((*name, Disk::of(path)?))).collect();
    gauge(&mut text, "lantern_disk_free_bytes", "Room on the disk that holds the folder.");
    disks.iter().for_each(|(name, disk)| {
        text.push_str(&format!("lantern_disk_free_bytes{{folder=\"{name}\"}} {}\n", disk.free));
    });
    gauge(&mut text, "lantern_disk_size_bytes", "Size of the disk that holds the folder.");
    disks.iter().for_each(|(name, disk)| {
        text.push_str(&format!("lantern_disk_size_bytes{{folder=\"{name}\"}} {}\n", disk.size));
    });
    text
}

async fn lag(pool: &PgPool) -> ApiResult<Lag> {
    let mut conn = pool.acquire().await?;
    Ok(outbox::lag(&mut conn).await?)
}

fn gauge(text: &mut String, name: &str, help: &str) {
    text.push_str(&format!("# HELP {name} {help}\n# TYPE {name} gauge\n"));
}
