//! Decisions on videos and albums: approvals, rejections and takedowns.

use serde_json::json;
use sqlx::{PgConnection, PgPool};

use super::{
    Actor, consents,
    record::{self, RecordEntry},
};
use crate::{Result, films, fingerprints, prints, reports, status::UploadStatus};

/// A decision on an upload that awaits one.
#[derive(Debug, Clone, Copy)]
pub struct Decision<'a> {
    /// `video` or `album`.
    pub section: &'a str,
    /// Id of the upload.
    pub id: i64,
    /// Revision that was reviewed. `None` accepts the current one.
    pub revision: Option<i32>,
    /// Verdict on the upload.
    pub verdict: Verdict<'a>,
    /// Free text for the moderation record.
    pub note: &'a str,
}

/// Verdict on an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict<'a> {
    /// Publishes the upload.
    Approve {
        /// Whether the moderator confirmed that an upload without models shows no people.
        nobody: bool,
    },
    /// Rejects the upload for this reason, one of `moderation.reasons`.
    Reject(&'a str),
}

/// Outcome of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecisionOutcome {
    /// The decision was carried out.
    Done,
    /// No such upload awaits a decision.
    NotWaiting,
    /// The member has changed the upload since it was reviewed.
    Changed,
    /// The upload names no models, and nobody confirmed that it shows no people.
    NoPerformers,
    /// There is no record of consent for these models, which are given by dir.
    NoConsent(Vec<String>),
    /// The film replaces that of a video about which reports wait. They are about the film that was shown.
    Reported,
}

/// Decides on an upload that awaits a decision.
pub async fn decide(pool: &PgPool, actor: &Actor<'_>, decision: Decision<'_>) -> Result<DecisionOutcome> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    let Decision { section, id, verdict, .. } = decision;
    let Some(Waiting { revision, replaces }) = lock_waiting(conn, section, id).await? else {
        return Ok(DecisionOutcome::NotWaiting);
    };
    if decision.revision.is_some_and(|seen| seen != revision) {
        return Ok(DecisionOutcome::Changed);
    }
    let (act, reason) = match verdict {
        Verdict::Approve { nobody } => {
            // The models in a new film are those of its video, and so are their consents.
            let performers = consents::performers(conn, section, replaces.unwrap_or(id)).await?;
            if performers.is_empty() && !nobody {
                return Ok(DecisionOutcome::NoPerformers);
            }
            let lacking: Vec<String> =
                performers.into_iter().filter(|one| one.consent.is_none()).map(|one| one.dir).collect();
            if !lacking.is_empty() {
                return Ok(DecisionOutcome::NoConsent(lacking));
            }
            if let Some(video_id) = replaces
                && reports::queue::any_waiting(conn, section, video_id).await?
            {
                return Ok(DecisionOutcome::Reported);
            }
            ("approve", None)
        }
        Verdict::Reject(reason) => ("reject", Some(reason)),
    };
    if let Some(video_id) = replaces {
        decide_replacement(conn, actor, &decision, revision, video_id).await?;
        transaction.commit().await?;
        return Ok(DecisionOutcome::Done);
    }
    apply_verdict(conn, section, id, reason).await?;
    // The decision takes precedence over reports that have hidden the object.
    sqlx::query!("delete from report_hides where section = $1 and object_id = $2", section, id)
        .execute(&mut *conn)
        .await?;
    let details = json!({ "revision": revision, "reason": reason, "note": decision.note,
        "nobody": verdict == Verdict::Approve { nobody: true } });
    record::add(conn, actor, RecordEntry { act, object: Some((section, id)), details }).await?;
    transaction.commit().await?;
    Ok(DecisionOutcome::Done)
}

/// Gives a video the film that replaces its former one, or rejects that film, and records either.
async fn decide_replacement(
    conn: &mut PgConnection,
    actor: &Actor<'_>,
    decision: &Decision<'_>,
    revision: i32,
    video_id: i64,
) -> Result<()> {
    let Decision { section, id, note, .. } = *decision;
    let (act, object_id, mut details) = match decision.verdict {
        Verdict::Approve { nobody } => {
            let mut swapped = films::swap(conn, video_id, id).await?;
            swapped["nobody"] = json!(nobody);
            ("replace", video_id, swapped)
        }
        Verdict::Reject(reason) => {
            films::reject(conn, id, reason).await?;
            ("reject", id, json!({ "reason": reason, "replaces": video_id }))
        }
    };
    details["revision"] = json!(revision);
    details["note"] = json!(note);
    record::add(conn, actor, RecordEntry { act, object: Some((section, object_id)), details }).await
}

/// An upload that awaits a decision.
struct Waiting {
    revision: i32,
    /// Id of the video whose film it replaces.
    replaces: Option<i64>,
}

/// Returns an upload that awaits a decision, locked until the transaction ends. The video whose film it replaces is locked first, in the
/// same order as in a deletion of that video.
async fn lock_waiting(conn: &mut PgConnection, section: &str, id: i64) -> Result<Option<Waiting>> {
    if section == "album" {
        let query =
            sqlx::query_scalar!("select revision from albums where id = $1 and status_id = in_review() for update", id);
        return Ok(query.fetch_optional(conn).await?.map(|revision| Waiting { revision, replaces: None }));
    }
    if section != "video" {
        return Ok(None);
    }
    sqlx::query!("select from videos where id = (select replaces from videos where id = $1) for update", id)
        .fetch_optional(&mut *conn)
        .await?;
    let query = sqlx::query_as!(
        Waiting,
        "select revision, replaces from videos where id = $1 and status_id = in_review() for update",
        id
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Publishes an upload, or rejects it for a reason.
async fn apply_verdict(conn: &mut PgConnection, section: &str, id: i64, reason: Option<&str>) -> Result<()> {
    let status = if reason.is_some() { UploadStatus::Rejected } else { UploadStatus::Published };
    // If the upload was never published before, here or elsewhere, its date is today, however long it waited. A trigger makes
    // an approved video wait for its time of publication and dates it then.
    let query = match section {
        "video" => sqlx::query!(
            "with first as (update uploads set published_at = now()
                            where video_id = $1 and published_at is null and $2::smallint = published()
                              and not exists (select from videos where id = $1 and publish_at > now())
                            returning metadata->'origin'->>'date' is null as is_new)
             update videos set status_id = $2, rejection = $3,
                    post_date = case when exists (select from first where is_new) then now() else post_date end
             where id = $1",
            id,
            status as _,
            reason
        ),
        _ => sqlx::query!(
            "update albums set status_id = $2, rejection = $3, is_new = is_new and $2::smallint <> published(),
                    post_date = case when is_new and $2::smallint = published() then now() else post_date end
             where id = $1",
            id,
            status as _,
            reason
        ),
    };
    query.execute(conn).await?;
    Ok(())
}

/// Takes down an object in any state, bans its film or pictures, and resolves the reports about it as justified. The
/// object can be restored while it is quarantined ([`super::quarantine`]). Returns `false` if there never was such an
/// upload, or it is already taken down.
pub async fn take_down(pool: &PgPool, actor: &Actor<'_>, section: &str, id: i64, note: &str) -> Result<bool> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    if !reports::queue::take_down(conn, actor, (section, id), note).await? {
        return Ok(false);
    }
    ban_media(conn, section, id).await?;
    record::add(
        conn,
        actor,
        RecordEntry { act: "take down", object: Some((section, id)), details: json!({ "note": note }) },
    )
    .await?;
    transaction.commit().await?;
    Ok(true)
}

/// Bans the film or pictures of an object that is taken down, and marks its part of the sitemap as stale.
pub(crate) async fn ban_media(conn: &mut PgConnection, section: &str, id: i64) -> Result<()> {
    sqlx::query!("insert into sitemap_stale (section, object_id) values ($1, $2) on conflict do nothing", section, id)
        .execute(&mut *conn)
        .await?;
    prints::ban(conn, section, id).await?;
    if section == "video" {
        fingerprints::ban(conn, id).await?;
    }
    Ok(())
}
