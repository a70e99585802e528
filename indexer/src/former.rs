//! The consumers that a data folder had before: its index was removed, replaced, or put back from a copy. Nobody follows the catalog
//! for them any more, and what waits for them would grow for as long as `sync.consumer_expires`.

use lantern_catalog::consumers;
use sqlx::PgConnection;

use crate::{Error, Indexer};

impl Indexer {
    /// Notes the consumer that the embedded engine of this folder had at the last start, if it is another one now, called `name`, or
    /// none at all.
    pub(crate) async fn leave_former(&self, conn: &mut PgConnection, name: Option<&String>) -> Result<(), Error> {
        let own = self.checkpoints.own()?;
        if let Some(own) = own.filter(|own| Some(own) != name) {
            self.note_former(conn, &own).await?;
        }
        self.checkpoints.set_own(name.map(String::as_str))
    }

    /// Remembers a consumer to be retired once it is certain that no other Lantern writes it.
    pub(crate) async fn note_former(&self, conn: &mut PgConnection, name: &str) -> Result<(), Error> {
        match consumers::heard_at(conn, name).await? {
            Some(heard_at) => self.checkpoints.add_former(name, heard_at),
            None => Ok(()),
        }
    }

    /// Retires the consumers that this folder had before, as far as their leases are over. One that was heard of since lives
    /// elsewhere, in the folder that this one is a copy of, and stays.
    ///
    /// # Errors
    /// Postgres is away; then the next call does it.
    pub async fn retire_former(&self) -> Result<(), Error> {
        for (name, noted) in self.checkpoints.former()? {
            let mut conn = self.pool.acquire().await?;
            let is_done = match consumers::heard_at(&mut conn, &name).await? {
                Some(heard_at) if heard_at == noted => consumers::retire(&mut conn, &name, false).await?,
                _ => true,
            };
            if is_done {
                self.checkpoints.remove_former(&name)?;
                tracing::info!(name, "an index that this data folder had before is no longer waited for");
            }
        }
        Ok(())
    }
}
