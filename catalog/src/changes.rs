//! Telling other processes what changed: one notification per applied batch, never one per row (a notifying commit takes a
//! lock that all of them share). Caches outside are told the same, through [`crate::purges`]. What is taken away is told by triggers as
//! well, at its commit (`migrations/0029_media_removed.sql`).

use std::str::FromStr;

use sqlx::{PgConnection, PgPool, postgres::PgListener};
use uuid::Uuid;

use crate::{Error, Result, outbox::Entity, purges};

const CHANNEL: &str = "lantern_changes";
/// Objects named in one notification, whose payload holds 8,000 bytes.
const NAMED: usize = 250;
/// Objects named at all; more are told as "everything".
pub const MOST_NAMED: usize = 16_384;

/// An object of the catalog.
pub type Object = (Entity, i64);
/// Stands for the list of all objects of a kind; ids begin at 1.
pub const LIST: i64 = 0;

/// What another process told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// These objects have changed or gone; an empty list says only that something counted anew.
    Objects(Vec<Object>),
    /// Anything may have changed.
    Everything,
}

/// Tells every listening process and, where they are wanted, caches outside; `node` is the teller, who needn't be told.
///
/// # Errors
/// Postgres is away.
pub async fn tell(conn: &mut PgConnection, node: Uuid, change: &Change) -> Result<()> {
    let told: Vec<String> = match change {
        // Nothing named is told, too: something was counted anew.
        Change::Objects(objects) if objects.is_empty() => vec![node.to_string()],
        Change::Objects(objects) if objects.len() <= MOST_NAMED => {
            let named = |some: &[Object]| some.iter().map(|(entity, id)| format!(" {entity}:{id}")).collect::<String>();
            objects.chunks(NAMED).map(|some| format!("{node}{}", named(some))).collect()
        }
        _ => vec![format!("{node} *")],
    };
    sqlx::query!(
        "with purged as (select purges_add($3)) select pg_notify($1, told) from unnest($2::text[]) told, purged",
        CHANNEL,
        &told,
        &tags(change)
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The tags of answers and files that show what changed.
fn tags(change: &Change) -> Vec<String> {
    match change {
        Change::Objects(objects) if objects.len() <= MOST_NAMED => {
            objects.iter().map(|(entity, id)| format!("{entity}-{id}")).collect()
        }
        _ => vec![purges::ANSWERS.to_owned()],
    }
}

/// Hears what other processes tell.
pub struct Listener {
    listener: PgListener,
    node: Uuid,
}

impl Listener {
    /// Starts to listen, deaf for what `node` itself tells.
    ///
    /// # Errors
    /// Postgres is away.
    pub async fn start(pool: &PgPool, node: Uuid) -> Result<Self> {
        let mut listener = PgListener::connect_with(pool).await?;
        listener.listen(CHANNEL).await?;
        Ok(Self { listener, node })
    }

    /// The next change. A lost connection is `Everything`: nobody knows what was missed.
    ///
    /// # Errors
    /// Postgres is away, or somebody tells what we don't understand.
    pub async fn next(&mut self) -> Result<Change> {
        loop {
            let Some(told) = self.listener.try_recv().await? else { return Ok(Change::Everything) };
            let (node, what) = told.payload().split_once(' ').unwrap_or((told.payload(), ""));
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
    use std::time::Duration;

    use super::*;
    use crate::testdb::TestDb;

    /// Far longer than news take.
    const PATIENCE: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn others_hear_what_changed_and_the_teller_does_not() {
        let db = TestDb::create().await.expect("database");
        let (here, there) = (Uuid::now_v7(), Uuid::now_v7());
        let mut listener = Listener::start(&db.pool, here).await.expect("listener");
        let mut conn = db.pool.acquire().await.expect("connection");
        let some = Change::Objects(vec![(Entity::Video, 12), (Entity::User, 4)]);
        let albums = |ids: std::ops::Range<i64>| Change::Objects(ids.map(|id| (Entity::Album, id)).collect());
        let most = i64::try_from(MOST_NAMED).expect("a number");
        let (many, too_many) = (albums(most..2 * most), albums(0..most + 1));
        tell(&mut conn, here, &some).await.expect("told");
        for change in [&some, &Change::Objects(Vec::new()), &many, &Change::Everything, &some, &too_many] {
            tell(&mut conn, there, change).await.expect("told");
        }
        for expected in [some.clone(), Change::Objects(Vec::new())] {
            assert_eq!(listener.next().await.expect("change"), expected);
        }
        // In as many parts as it takes.
        let mut heard = Vec::new();
        while heard.len() < MOST_NAMED {
            let Change::Objects(part) = listener.next().await.expect("change") else { panic!("not everything") };
            heard.extend(part);
        }
        assert_eq!(Change::Objects(heard), many);
        for expected in [Change::Everything, some, Change::Everything] {
            assert_eq!(listener.next().await.expect("change"), expected);
        }
    }

    #[tokio::test]
    async fn what_is_taken_away_is_told_at_its_commit() {
        let db = TestDb::create().await.expect("database");
        let mut listener = Listener::start(&db.pool, Uuid::now_v7()).await.expect("listener");
        for statement in [
            "insert into videos (dir, title, lang, gender, duration, media_key)
             select 'v-' || n, 'Title', 'en', 'str', 10, 'films/' || n from generate_series(1, 17001) n",
            // Neither of these takes anything away.
            "update videos set title = 'Another'",
            "begin; delete from videos; rollback",
            "update videos set is_private = true where id > 17000",
            "update videos set is_private = true where id <= 600",
            "delete from videos where id > 600",
        ] {
            sqlx::raw_sql(statement).execute(&db.pool).await.expect("changed");
        }
        let videos = |ids: std::ops::RangeInclusive<i64>| ids.map(|id| (Entity::Video, id)).collect::<Vec<_>>();
        let hear = async |listener: &mut Listener| {
            let heard = tokio::time::timeout(PATIENCE, listener.next()).await;
            heard.expect("something is told").expect("change")
        };
        assert_eq!(hear(&mut listener).await, Change::Objects(videos(17001..=17001)));
        let mut heard = Vec::new();
        while heard.len() < 600 {
            let Change::Objects(part) = hear(&mut listener).await else { panic!("not everything") };
            assert!(part.len() <= NAMED, "{}", part.len());
            heard.extend(part);
        }
        heard.sort_unstable();
        assert_eq!(heard, videos(1..=600));
        assert_eq!(hear(&mut listener).await, Change::Everything, "16,400 at once");
    }

    #[test]
    fn what_nobody_understands_is_an_error() {
        for what in ["video", "video:x", "film:1"] {
            assert!(parse(what).is_err(), "{what}");
        }
    }
}
