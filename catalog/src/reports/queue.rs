//! The queue of reports, for operators.

use serde_json::json;
use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;

use super::objects;
pub(crate) use super::objects::{lock as lock_reports, remove as remove_object};
use crate::{
    Result,
    moderation::{
        Actor,
        record::{self, RecordEntry},
        uploads,
    },
    prints,
};

/// A report, as listed and shown.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of reports, documented in the migrations")]
pub struct Report {
    pub id: i64,
    /// `open`, `in_review`, `resolved` or `rejected`.
    pub state: String,
    pub subject: String,
    /// Address for replies.
    pub email: String,
    pub message: String,
    /// Key of the attached picture, which is below `data_dir/reports`.
    pub file_key: Option<String>,
    /// Page from which the form was sent.
    pub page: Option<String>,
    pub section: Option<String>,
    pub object_id: Option<i64>,
    pub reason: Option<String>,
    /// Whether reports with this reason can hide the object.
    pub is_severe: bool,
    /// Whether reports with this reason are handled before all others.
    pub is_urgent: bool,
    pub weight: i32,
    pub username: Option<String>,
    pub lang: String,
    pub created_at: OffsetDateTime,
    /// Whether the object is hidden.
    pub is_hidden: bool,
    pub resolution: Option<String>,
}

/// Filter for [`list`].
#[derive(Debug, Clone, Copy)]
pub struct WantedReports<'a> {
    /// Only reports in this state. `None` means all open ones.
    pub state: Option<&'a str>,
    /// Only this report, if set.
    pub id: Option<i64>,
    /// Only reports about this object, if set.
    pub object: Option<(&'a str, i64)>,
    /// Maximum number of rows.
    pub limit: i64,
}

/// Lists reports by priority. Urgent reasons come first, starting with those given by proven reporters, then hidden
/// objects, then escalated reports, then severe reasons. Within these groups, the oldest come first.
pub async fn list(pool: &PgPool, wanted: WantedReports<'_>) -> Result<Vec<Report>> {
    let query = sqlx::query_as!(
        Report,
        r#"select r.id, r.state, r.subject, r.email, r.message, r.file_key, r.ref as page, r.section, r.object_id, r.reason,
                  r.is_severe, r.is_urgent, r.weight, u.username as "username?", r.lang, r.created_at, r.resolution,
                  (h.section is not null) as "is_hidden!"
           from reports r left join users u on u.id = r.user_id
                left join report_hides h on h.section = r.section and h.object_id = r.object_id
           where ($1::bigint is null or r.id = $1) and ($4::text is null or (r.section = $4 and r.object_id = $5))
             and (r.state = $2 or ($2 is null and ($1 is not null or r.state in ('open', 'in_review'))))
           order by not (r.is_urgent and r.is_proven), not r.is_urgent, h.section is null, r.escalated_at is null, r.is_severe desc, r.id limit $3"#,
        wanted.id,
        wanted.state,
        wanted.limit,
        wanted.object.map(|(section, _)| section),
        wanted.object.map(|(_, id)| id)
    );
    Ok(query.fetch_all(pool).await?)
}

/// Lists open reports about an object, oldest first.
pub async fn about(pool: &PgPool, section: &str, object_id: i64) -> Result<Vec<Report>> {
    let wanted = WantedReports { state: None, id: None, object: Some((section, object_id)), limit: 100 };
    list(pool, wanted).await
}

/// Marks an open report as in review. Returns `false` if it isn't open.
pub async fn take(pool: &PgPool, id: i64) -> Result<bool> {
    let query = sqlx::query!("update reports set state = 'in_review' where id = $1 and state = 'open'", id);
    Ok(query.execute(pool).await?.rows_affected() == 1)
}

/// Verdict on reports.
#[derive(Debug, Clone, Copy)]
pub struct ReportVerdict<'a> {
    /// Whether the reports are justified.
    pub is_right: bool,
    /// Whether to remove the object.
    pub remove: bool,
    /// Whether to show a hidden object again although the reports are justified, because its owner has fixed it.
    pub show: bool,
    /// Whether to close all open reports about the same object.
    pub all: bool,
    /// Text of the decision, for the moderation record.
    pub note: &'a str,
}

/// Outcome of closing reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClosingOutcome {
    /// Number of closed reports.
    pub reports: u64,
    /// Whether the object was removed.
    pub removed: bool,
    /// Whether a hidden object was restored.
    pub restored: bool,
    /// Whether the object is still hidden by reports.
    pub hidden: bool,
}

/// Closes an open report. An object that reports hid is restored once no report about it is open. It is not restored if
/// it was removed, or if one of the reports that hid it was justified and `show` isn't set. Returns `None` if the
/// report isn't open.
pub async fn close(
    pool: &PgPool,
    actor: &Actor<'_>,
    id: i64,
    verdict: ReportVerdict<'_>,
) -> Result<Option<ClosingOutcome>> {
    let mut tx = pool.begin().await?;
    let Some(about) = waiting(&mut tx, id).await? else { return Ok(None) };
    let Some((section, object_id)) = about else {
        let reports = set_state(&mut tx, actor, (id, None), verdict).await?;
        let closed = ClosingOutcome { reports, removed: false, restored: false, hidden: false };
        record::add(&mut tx, actor, entry(id, None, verdict, &closed)).await?;
        tx.commit().await?;
        return Ok(Some(closed));
    };
    objects::lock(&mut tx, &section, object_id).await?;
    let all = verdict.all.then_some((section.as_str(), object_id));
    let reports = set_state(&mut tx, actor, (id, all), verdict).await?;
    if reports == 0 {
        // Another moderator closed the report while this call was waiting for the lock.
        return Ok(None);
    }
    // The object is banned even if its owner has deleted it in the meantime.
    let removed = verdict.remove
        && (objects::remove(&mut tx, (&section, object_id), actor.id).await?
            || prints::is_known(&mut tx, &section, object_id).await?);
    if removed {
        uploads::ban_media(&mut tx, &section, object_id).await?;
    }
    let keep = removed
        || any_waiting(&mut tx, &section, object_id).await?
        || (!verdict.show && objects::was_hidden_justly(&mut tx, &section, object_id).await?);
    let restored = !keep && objects::restore(&mut tx, &section, object_id).await?;
    let hidden = objects::is_hidden(&mut tx, &section, object_id).await?;
    let closed = ClosingOutcome { reports, removed, restored, hidden };
    record::add(&mut tx, actor, entry(id, Some((&section, object_id)), verdict, &closed)).await?;
    tx.commit().await?;
    Ok(Some(closed))
}

fn entry<'a>(
    id: i64,
    object: Option<(&'a str, i64)>,
    verdict: ReportVerdict<'_>,
    closed: &ClosingOutcome,
) -> RecordEntry<'a> {
    let act = if verdict.is_right { "resolve reports" } else { "reject reports" };
    let details = json!({ "report": id, "reports": closed.reports, "removed": closed.removed, "restored": closed.restored,
        "note": verdict.note });
    RecordEntry { act, object, details }
}

/// Removes an object in the caller's transaction, even if its owner deleted it, and resolves open reports about it as
/// justified. Returns `false` if there never was such an upload, or it is already taken down.
pub(crate) async fn take_down(
    conn: &mut PgConnection,
    actor: &Actor<'_>,
    (section, object_id): (&str, i64),
    note: &str,
) -> Result<bool> {
    objects::lock(conn, section, object_id).await?;
    if !prints::is_known(conn, section, object_id).await? || record::is_taken_down(conn, section, object_id).await? {
        return Ok(false);
    }
    objects::remove(conn, (section, object_id), actor.id).await?;
    let verdict = ReportVerdict { is_right: true, remove: true, show: false, all: true, note };
    set_state(conn, actor, (0, Some((section, object_id))), verdict).await?;
    Ok(true)
}

/// Resolves the reports about an object as justified after a part of it was cleared. If they had hidden a profile, the
/// rest of it is restored.
pub(crate) async fn resolve_all(
    conn: &mut PgConnection,
    actor: &Actor<'_>,
    (section, object_id): (&str, i64),
    note: &str,
) -> Result<()> {
    let verdict = ReportVerdict { is_right: true, remove: false, show: true, all: true, note };
    set_state(conn, actor, (0, Some((section, object_id))), verdict).await?;
    if section == "user" {
        objects::restore(conn, section, object_id).await?;
    }
    Ok(())
}

/// Restores an object that reports hid, whatever the outcome of the reports. Returns `false` if it isn't hidden.
pub async fn show_again(pool: &PgPool, actor: &Actor<'_>, section: &str, object_id: i64) -> Result<bool> {
    let mut tx = pool.begin().await?;
    objects::lock(&mut tx, section, object_id).await?;
    let restored = objects::restore(&mut tx, section, object_id).await?;
    if restored {
        record::add(
            &mut tx,
            actor,
            RecordEntry { act: "show again", object: Some((section, object_id)), details: json!({}) },
        )
        .await?;
    }
    tx.commit().await?;
    Ok(restored)
}

/// Returns the object that an open report is about. An inner `None` means that the report is about no object.
pub async fn object_of(pool: &PgPool, id: i64) -> Result<Option<Option<(String, i64)>>> {
    waiting(&mut *pool.acquire().await?, id).await
}

async fn waiting(conn: &mut PgConnection, id: i64) -> Result<Option<Option<(String, i64)>>> {
    let row =
        sqlx::query!("select section, object_id from reports where id = $1 and state in ('open', 'in_review')", id)
            .fetch_optional(conn)
            .await?;
    Ok(row.map(|row| row.section.zip(row.object_id)))
}

/// Returns whether reports about an object are open.
pub(crate) async fn any_waiting(conn: &mut PgConnection, section: &str, object_id: i64) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select exists (select from reports where section = $1 and object_id = $2 and state in ('open', 'in_review')) as "w!""#,
        section,
        object_id
    );
    Ok(query.fetch_one(conn).await?)
}

/// Closes reports. While a report is open, the e-mail address of its author is kept even if the author's account was
/// closed.
async fn set_state(
    conn: &mut PgConnection,
    actor: &Actor<'_>,
    (id, all): (i64, Option<(&str, i64)>),
    verdict: ReportVerdict<'_>,
) -> Result<u64> {
    let query = sqlx::query!(
        "update reports set state = case when $2 then 'resolved' else 'rejected' end, resolution = nullif($3, ''), closed_at = now(),
                handled_by = $6, email = case when user_id is null and guest_key is null then '' else email end
         where (id = $1 or (section = $4 and object_id = $5)) and state in ('open', 'in_review')",
        id,
        verdict.is_right,
        verdict.note,
        all.map(|(section, _)| section),
        all.map(|(_, object_id)| object_id),
        actor.id
    );
    Ok(query.execute(conn).await?.rows_affected())
}
