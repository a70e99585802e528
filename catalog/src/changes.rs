//! Change notifications between processes. One notification is sent per applied batch, never one per row, because every
//! notifying commit takes a lock shared by all. External caches are notified too, through [`crate::purges`]. For
//! takedowns, triggers send an additional notification at commit (`migrations/0029_media_removed.sql`).

mod log;

use std::str::FromStr;

use sqlx::{PgConnection, PgPool, postgres::PgListener};
use uuid::Uuid;

pub use log::Changes;

use crate::{Error, Result, outbox::Entity, purges, run};

const CHANNEL: &str = "lantern_changes";
/// Maximum number of objects per notification, whose payload can hold 8,000 bytes.
pub const NAMED: usize = 250;
/// Maximum number of objects named in one change. If more objects changed, "everything" is sent instead.
pub const MOST_NAMED: usize = 16_384;

/// An object of the catalog.
pub type Object = (Entity, i64);

/// A value that shows objects of the catalog. It is outdated once one of them changes.
pub trait Shows {
    /// Adds the shown objects to `objects`.
    fn shows(&self, objects: &mut Vec<Object>);
}

/// Stands for all lists of objects of a kind. Real ids start at 1.
pub const LIST: i64 = 0;

/// A change made by this or another process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// These objects changed or were removed. The list is empty if only a count changed.
    Objects(Vec<Object>),
    /// Anything may have changed.
    Everything,
}

impl Change {
    /// Merges two changes.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Objects(mut all), Self::Objects(more)) => {
                all.extend(more);
                Self::Objects(all)
            }
            _ => Self::Everything,
        }
    }
}

/// Notifies all listening processes and, if configured, external caches. `node` identifies the sender, which ignores
/// its own notification.
pub async fn tell(conn: &mut PgConnection, node: Uuid, change: &Change) -> Result<()> {
    let words: Vec<String> = match change {
        // An empty change is sent too, because it means that a count changed.
        Change::Objects(objects) if objects.is_empty() => vec![node.to_string()],
        Change::Objects(objects) if objects.len() <= MOST_NAMED => {
            let named = |some: &[Object]| some.iter().map(|(entity, id)| format!(" {entity}:{id}")).collect::<String>();
            objects.chunks(NAMED).map(|some| format!("{node}{}", named(some))).collect()
        }
        _ => vec![format!("{node} *")],
    };
    let query = sqlx::query!(
        "with purged as (select purges_add($3)) select pg_notify($1, told) from unnest($2::text[]) told, purged",
        CHANNEL,
        &words,
        &tags(change)
    );
    run(query, conn).await
}

/// Cache tags of responses and files that show the changed objects.
fn tags(change: &Change) -> Vec<String> {
    match change {
        Change::Objects(objects) if objects.len() <= MOST_NAMED => {
            objects.iter().map(|(entity, id)| format!("{entity}-{id}")).collect()
        }
        _ => vec![purges::ANSWERS.to_owned()],
    }
}

/// Receives change notifications from other processes.
pub struct Listener {
    listener: PgListener,
    node: Uuid,
}

impl Listener {
    /// Starts listening, ignoring notifications sent by `node`.
    pub async fn start(pool: &PgPool, node: Uuid) -> Result<Self> {
        let mut listener = PgListener::connect_with(pool).await?;
        listener.listen(CHANNEL).await?;
        Ok(Self { listener, node })
    }

    /// Returns the next change. After a lost connection it returns `Everything`, because changes may have been missed.
    ///
    /// # Errors
    /// Postgres is unavailable, or a notification can't be parsed.
    pub async fn next(&mut self) -> Result<Change> {
        loop {
            let Some(message) = self.listener.try_recv().await? else { return Ok(Change::Everything) };
            let (node, what) = message.payload().split_once(' ').unwrap_or((message.payload(), ""));
            if node != self.node.to_string() {
                return parse(what);
            }
        }
    }
}

fn parse(what: &str) -> Result<Change> {
    if what == "*" {
        return Ok(Change::Everything);
    }
    let object = |word: &str| -> Result<Object> {
        let unknown = || Error::Inconsistent(format!("change {word:?}"));
        let (entity, id) = word.split_once(':').ok_or_else(unknown)?;
        Ok((Entity::from_str(entity)?, id.parse().map_err(|_| unknown())?))
    };
    Ok(Change::Objects(what.split_whitespace().map(object).collect::<Result<_>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_change_is_an_error() {
        for what in ["video", "video:x", "film:1"] {
            assert!(parse(what).is_err(), "{what}");
        }
    }
}
