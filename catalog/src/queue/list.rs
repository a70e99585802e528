//! The queue as operators see it.

use serde_json::Value;
use sqlx::{PgConnection, types::Json};
use time::OffsetDateTime;

use crate::Result;

/// State of a listed job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobState {
    /// Waits for a worker, perhaps because the last one stopped without a result.
    Waiting,
    /// A worker holds it.
    Running,
    /// Completed.
    Done,
    /// Given up.
    Failed,
}

impl JobState {
    /// Name of the state.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }

    fn of(name: &str) -> Self {
        match name {
            "running" => Self::Running,
            "done" => Self::Done,
            "failed" => Self::Failed,
            _ => Self::Waiting,
        }
    }
}

/// A job as operators see it.
#[derive(Debug, Clone)]
pub struct ListedJob {
    /// Id of the job.
    pub id: i64,
    /// Kind of the job.
    pub kind: String,
    /// State of the job.
    pub state: JobState,
    /// Request and progress, without links in mails.
    pub payload: Value,
    /// What the job is about.
    pub subject: Subject,
    /// Number of claims since it was enqueued or requeued.
    pub attempts: i32,
    /// How many times its worker was lost.
    pub lost: i32,
    /// When it was enqueued.
    pub created_at: OffsetDateTime,
    /// When it may be claimed next, if it waits.
    pub next_at: Option<OffsetDateTime>,
    /// Whether its last worker stopped without a result, and nothing has claimed it since.
    pub is_abandoned: bool,
    /// Reason for the last failure.
    pub last_error: Option<String>,
}

/// Objects that a job names, as far as they exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// File name of a film's upload.
    pub file_name: Option<String>,
    /// Name of the upload's or the video's member.
    pub member: Option<String>,
    /// Title in the upload's details, or of the video.
    pub title: Option<String>,
    /// Id of the video that is moved or remade.
    pub video_id: Option<i64>,
}

/// Which jobs to list.
#[derive(Debug, Clone, Default)]
pub struct WantedJobs<'a> {
    /// Only jobs with these ids, in any state. Otherwise, completed jobs are left out.
    pub ids: Option<&'a [i64]>,
    /// Only jobs of this kind, which for requests to an index may lack the name of the consumer.
    pub kind: Option<&'a str>,
    /// Only jobs in this state.
    pub state: Option<JobState>,
    /// Maximum number of jobs.
    pub limit: i64,
}

/// Lists jobs and counts all that are wanted: failed ones first, then running ones, then those waiting, by the time of
/// their next attempt.
pub async fn list(conn: &mut PgConnection, wanted: &WantedJobs<'_>) -> Result<(Vec<ListedJob>, i64)> {
    let query = sqlx::query!(
        r#"with shown as materialized (
               select j.*, case when state <> 'queued' and (state <> 'running' or claimed_until > clock_timestamp()) then state
                           else 'waiting' end as shown_state
               from jobs j
               where case when $1::bigint[] is null then state in ('queued', 'running') or state = 'failed' else id = any($1) end
                 and ($2::text is null or kind = $2 or split_part(kind, ' ', 1) = $2))
           select j.id, j.kind, j.shown_state as "state!", j.attempts, j.lost, j.created_at, j.last_error,
                  case when j.kind = 'mail' then j.payload - '{link,stop}'::text[] else j.payload end as "payload!: Json<Value>",
                  case when j.shown_state = 'waiting' then j.run_at end as next_at,
                  j.shown_state = 'waiting' and j.state = 'running' as "is_abandoned!",
                  u.file_name as "file_name?", m.username as "member?", v.id as "video_id?",
                  coalesce(v.title, case when u.described_at is not null then u.metadata->>'title' end) as title,
                  count(*) over () as "total!"
           from shown j
                left join uploads u on j.kind = 'film' and u.id = (j.payload->>'upload')::bigint
                left join videos v on j.kind in ('film_move', 'film_remake') and v.id = (j.payload->>'video')::bigint
                left join users m on m.id = coalesce(u.user_id, v.user_id)
           where $3::text is null or j.shown_state = $3
           order by array_position(array['failed', 'running', 'waiting'], j.shown_state), coalesce(j.finished_at, j.run_at), j.id
           limit $4"#,
        wanted.ids,
        wanted.kind,
        wanted.state.map(JobState::as_str),
        wanted.limit
    );
    let rows = query.fetch_all(conn).await?;
    let total = rows.first().map_or(0, |row| row.total);
    let jobs = rows.into_iter().map(|row| ListedJob {
        id: row.id,
        kind: row.kind,
        state: JobState::of(&row.state),
        payload: row.payload.0,
        subject: Subject { file_name: row.file_name, member: row.member, title: row.title, video_id: row.video_id },
        attempts: row.attempts,
        lost: row.lost,
        created_at: row.created_at,
        next_at: row.next_at,
        is_abandoned: row.is_abandoned,
        last_error: row.last_error,
    });
    Ok((jobs.collect(), total))
}
