//! Record of decisions. It is an append-only hash chain: each row holds the digest of the previous one
//! (`0032_moderation.sql`).

use serde_json::{Value, value::RawValue};
use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;

use super::Actor;
use crate::{Result, run};

/// A decision to record.
#[derive(Debug, Clone)]
pub struct RecordEntry<'a> {
    /// The action, in one or two words.
    pub act: &'static str,
    /// Kind and id of the affected object.
    pub object: Option<(&'a str, i64)>,
    /// Further details as a JSON object.
    pub details: Value,
}

/// Appends an entry to the record, in the transaction of the recorded action.
pub async fn add(conn: &mut PgConnection, actor: &Actor<'_>, entry: RecordEntry<'_>) -> Result<()> {
    // The trigger fills in the columns that form the chain.
    let query = sqlx::query!(
        "insert into decisions (number, decided_at, actor, actor_id, act, section, object_id, details, previous, digest)
         values (0, now(), $1, $2, $3, $4, $5, $6, '', '')",
        actor.name,
        actor.id,
        entry.act,
        entry.object.map(|(section, _)| section),
        entry.object.map(|(_, id)| id),
        entry.details.to_string()
    );
    run(query, conn).await
}

/// Returns whether the latest takedown or restoration of an object is a takedown.
pub(crate) async fn is_taken_down(conn: &mut PgConnection, section: &str, id: i64) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select coalesce((select act = 'take down' from decisions
                            where section = $1 and object_id = $2 and act in ('take down', 'restore')
                            order by number desc limit 1), false) as "t!""#,
        section,
        id
    );
    Ok(query.fetch_one(conn).await?)
}

/// A row of the record.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of decisions, documented in the migrations")]
pub struct RecordedDecision {
    pub number: i64,
    pub decided_at: OffsetDateTime,
    pub actor: String,
    pub act: String,
    pub section: Option<String>,
    pub object_id: Option<i64>,
    pub details: Box<RawValue>,
    /// SHA-256 of the row's other columns, which include the previous row's digest.
    pub digest: Vec<u8>,
}

/// Filter for [`list`].
#[derive(Debug, Clone, Copy)]
pub struct WantedRecord<'a> {
    /// Only rows about this object, if set.
    pub object: Option<(&'a str, i64)>,
    /// Maximum number of rows.
    pub limit: i64,
}

/// Lists rows of the record, newest first.
pub async fn list(pool: &PgPool, wanted: WantedRecord<'_>) -> Result<Vec<RecordedDecision>> {
    let query = sqlx::query!(
        "select number, decided_at, actor, act, section, object_id, details, digest from decisions
         where $1::text is null or (section = $1 and object_id = $2) order by number desc limit $3",
        wanted.object.map(|(section, _)| section),
        wanted.object.map(|(_, id)| id),
        wanted.limit
    );
    let rows = query.fetch_all(pool).await?.into_iter().map(|row| {
        Ok(RecordedDecision {
            number: row.number,
            decided_at: row.decided_at,
            actor: row.actor,
            act: row.act,
            section: row.section,
            object_id: row.object_id,
            details: RawValue::from_string(row.details)
                .map_err(|error| crate::Error::Inconsistent(format!("decision {}: {error}", row.number)))?,
            digest: row.digest,
        })
    });
    rows.collect()
}

/// Result of verifying the hash chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainFindings {
    /// Number of rows.
    pub rows: i64,
    /// Digest of the latest row. With it, an outside party can later verify the chain.
    pub head: Option<Vec<u8>>,
    /// Number of the first row that was altered or doesn't follow from the previous one.
    pub broken: Option<i64>,
    /// Whether the given digest is part of the chain.
    pub holds: bool,
}

/// Verifies the hash chain. Given the digest of an earlier head, also checks whether the chain still contains it,
/// because truncation can't be detected in any other way.
pub async fn verify(pool: &PgPool, head: Option<&[u8]>) -> Result<ChainFindings> {
    let mut snapshot = crate::snapshot(pool).await?;
    let broken = sqlx::query_scalar!(
        r#"select min(place) as "n" from (
               select row_number() over w as place, d.number,
                      d.digest = decision_digest(d) and d.previous = coalesce(lag(d.digest) over w, '') as is_whole
               from decisions d window w as (order by d.number)
           ) c where number <> place or not is_whole"#
    );
    let broken = broken.fetch_one(&mut *snapshot).await?;
    let row = sqlx::query!(
        r#"select count(*) as "rows!", (select digest from decisions order by number desc limit 1) as head,
                  $1::bytea is null or coalesce(bool_or(digest = $1), false) as "holds!" from decisions"#,
        head
    );
    let row = row.fetch_one(&mut *snapshot).await?;
    Ok(ChainFindings { rows: row.rows, head: row.head, broken, holds: row.holds })
}
