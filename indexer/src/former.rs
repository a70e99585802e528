//! Former consumers of a data folder whose index was removed, replaced or restored from a copy. No process consumes their outbox rows any
//! more, so the rows would accumulate until `sync.consumer_expires` has passed.

use lantern_catalog::consumers;
use sqlx::PgConnection;

use crate::{Error, Indexer};

impl Indexer {
    /// Stores `name` as the consumer of this folder's embedded engine; `None` means that a Meilisearch server is used. If the consumer
    /// stored at the last start was a different one, records that one as former.
    pub(crate) async fn replace_former(&self, conn: &mut PgConnection, name: Option<&String>) -> Result<(), Error> {
        let own = self.checkpoints.own()?;
        if let Some(own) = own.filter(|own| Some(own) != name) {
            self.note_former(conn, &own).await?;
        }
        self.checkpoints.set_own(name.map(String::as_str))
    }

    /// Records a consumer. It is retired once it is certain that no other Lantern uses it.
    pub(crate) async fn note_former(&self, conn: &mut PgConnection, name: &str) -> Result<(), Error> {
        match consumers::heard_at(conn, name).await? {
            Some(heard_at) => self.checkpoints.add_former(name, heard_at),
            None => Ok(()),
        }
    }

    /// Retires former consumers whose leases have expired. Keeps a consumer that has sent a heartbeat since it was recorded, because it is
    /// alive in another folder, of which this one is a copy.
    ///
    /// # Errors
    /// If Postgres is unavailable. The next call retries.
    pub async fn retire_former(&self) -> Result<(), Error> {
        for (name, noted) in self.checkpoints.former()? {
            let mut conn = self.pool.acquire().await?;
            if consumers::heard_at(&mut conn, &name).await? == Some(noted) {
                if !consumers::retire(&mut conn, &name, false).await? {
                    continue;
                }
                tracing::info!(name, "retired a former index of this data folder");
            }
            self.checkpoints.remove_former(&name)?;
        }
        Ok(())
    }
}
