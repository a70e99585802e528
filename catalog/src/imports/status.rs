//! What became of imported rows.

use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::Result;

/// States of an imported row.
pub const STATES: [&str; 9] =
    ["waiting", "processing", "refused", "no_film", "in_review", "published", "rejected", "deleted", "gone"];

/// An imported row, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedRow {
    /// Id in the source system.
    pub source_id: String,
    /// One of [`STATES`]. A row is `gone` if its video was removed, and `no_film` if its video waits for a film.
    pub state: String,
    /// When the row was imported last.
    pub imported_at: OffsetDateTime,
    /// Id of the video, if it exists.
    pub video_id: Option<i64>,
    /// Title of the video.
    pub title: Option<String>,
    /// Whether only members may watch the video.
    pub is_private: bool,
    /// Whether the film is silent because its audio couldn't be decoded.
    pub has_lost_audio: bool,
    /// Id of the film's job.
    pub job_id: Option<i64>,
    /// Code of the reason for a refused film or a rejected video.
    pub code: Option<String>,
    /// Reason for a refused film, or for the last failed attempt.
    pub why: Option<String>,
    /// Current [`Step`](crate::films::Step) of a film that is being processed.
    pub step: Option<String>,
    /// Progress of the step, 0 to 100.
    pub percent: Option<i32>,
    /// When processing is attempted again, if an attempt has failed.
    pub retry_at: Option<OffsetDateTime>,
}

/// Lists up to `limit` rows of a source in the order in which they were imported: those with these ids, or all; those in
/// this state, or in any.
pub async fn states(
    conn: &mut PgConnection,
    source: &str,
    ids: Option<&[String]>,
    state: Option<&str>,
    limit: i64,
) -> Result<Vec<ImportedRow>> {
    let query = sqlx::query_as!(
        ImportedRow,
        r#"select source_id as "source_id!", state as "state!", imported_at as "imported_at!", video_id, title,
                  coalesce(is_private, false) as "is_private!", coalesce(has_lost_audio, false) as "has_lost_audio!", job_id,
                  case state when 'refused' then refused_code when 'rejected' then rejection end as code,
                  case state when 'refused' then refused_why else last_error end as why,
                  case when state = 'processing' then step end as step,
                  case when state = 'processing' then percent end as percent, retry_at
           from import_states
           where source = $1 and ($2::text[] is null or source_id = any($2)) and ($3::text is null or state = $3)
           order by imported_at, source_id limit $4"#,
        source,
        ids,
        state,
        limit
    );
    Ok(query.fetch_all(conn).await?)
}

/// Counts the rows of a source by state.
pub async fn counts(conn: &mut PgConnection, source: &str) -> Result<Vec<(String, i64)>> {
    let query = sqlx::query!(
        r#"select state as "state!", count(*) as "rows!" from import_states where source = $1 group by state"#,
        source
    );
    Ok(query.fetch_all(conn).await?.into_iter().map(|row| (row.state, row.rows)).collect())
}
