//! How counters reach the index: marks of changed objects, and the daily aging of view windows.

use sqlx::PgConnection;
use time::{Date, OffsetDateTime};

use crate::{
    Error,
    outbox::{self, Entity},
    run,
};

/// An object whose counters have changed since the indexer last read them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Kind of the object. Categories have no counters.
    pub entity: Entity,
    /// Id of the object.
    pub entity_id: i64,
    /// Time of the last change. A later change creates a new mark for the same object.
    pub marked_at: OffsetDateTime,
}

/// Returns up to `limit` marks of a consumer, oldest first.
pub async fn marked(conn: &mut PgConnection, consumer: i32, limit: i64) -> Result<Vec<Mark>, Error> {
    let query = sqlx::query!(
        "select entity, entity_id, marked_at from counter_marks where consumer_id = $1 order by marked_at limit $2",
        consumer,
        limit
    );
    let rows = query.fetch_all(conn).await?;
    rows.into_iter()
        .map(|row| Ok(Mark { entity: row.entity.parse()?, entity_id: row.entity_id, marked_at: row.marked_at }))
        .collect()
}

/// Removes the marks that have reached a consumer's index. Keeps marks that were renewed in the meantime and skips
/// those being renewed now. A transaction that renews marks may hold several locks, and if each waited for the other,
/// they would deadlock.
pub async fn clear(conn: &mut PgConnection, consumer: i32, marks: &[Mark]) -> Result<(), Error> {
    let entities: Vec<String> = marks.iter().map(|mark| mark.entity.as_str().to_owned()).collect();
    let ids: Vec<i64> = marks.iter().map(|mark| mark.entity_id).collect();
    let times: Vec<OffsetDateTime> = marks.iter().map(|mark| mark.marked_at).collect();
    let query = sqlx::query!(
        "with free as (
             select c.entity, c.entity_id from counter_marks c
             join unnest($1::text[], $2::bigint[], $3::timestamptz[]) as d(entity, entity_id, marked_at)
                  on (c.consumer_id, c.entity, c.entity_id, c.marked_at) = ($4, d.entity, d.entity_id, d.marked_at)
             for update of c skip locked)
         delete from counter_marks c using free f
         where (c.consumer_id, c.entity, c.entity_id) = ($4, f.entity, f.entity_id)",
        &entities,
        &ids,
        &times,
        consumer
    );
    run(query, conn).await
}

/// Returns those of `objects` whose counters a consumer has yet to read.
pub async fn marked_of(
    conn: &mut PgConnection,
    consumer: i32,
    objects: &[(Entity, i64)],
) -> Result<Vec<(Entity, i64)>, Error> {
    let (entities, ids) = outbox::columns(objects);
    let query = sqlx::query!(
        "select m.entity, m.entity_id from counter_marks m
         join unnest($2::text[], $3::bigint[]) w(entity, entity_id) using (entity, entity_id)
         where m.consumer_id = $1",
        consumer,
        &entities,
        &ids
    );
    let rows = query.fetch_all(conn).await?;
    rows.into_iter().map(|row| Ok((row.entity.parse()?, row.entity_id))).collect()
}

/// Advances the day, week and month windows to `today` and returns the number of changed videos.
pub async fn roll_windows(conn: &mut PgConnection, today: Date) -> Result<i64, Error> {
    Ok(sqlx::query_scalar!(r#"select roll_view_windows($1) as "n!""#, today).fetch_one(conn).await?)
}
