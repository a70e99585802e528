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

/// A report as it is listed and shown.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of reports, documented in the migrations")]
pub struct Report {
    pub id: i64,
    /// `open`, `in_review`, `resolved` or `rejected`.
    pub state: String,
    pub subject: String,
    /// Where an answer would go.
    pub email: String,
    pub message: String,
    /// Picture below `data_dir/reports`.
    pub file_key: Option<String>,
    /// Page the form was sent from.
    pub page: Option<String>,
    pub section: Option<String>,
    pub object_id: Option<i64>,
    pub reason: Option<String>,
    /// Whether the reason can hide the object.
    pub is_severe: bool,
    /// Whether the reason is looked at before all others.
    pub is_urgent: bool,
    pub weight: i32,
    pub username: Option<String>,
    pub lang: String,
    pub created_at: OffsetDateTime,
    /// Whether its object waits hidden.
    pub is_hidden: bool,
    pub resolution: Option<String>,
}

/// Which reports are listed.
#[derive(Debug, Clone, Copy)]
pub struct WantedReports<'a> {
    /// Only of this state; without one all that wait.
    pub state: Option<&'a str>,
    /// Only this one.
    pub id: Option<i64>,
    /// Only of this object.
    pub object: Option<(&'a str, i64)>,
    /// Rows at most.
    pub limit: i64,
}

/// Reports, those that matter most first: urgent reasons (those of proven reporters before others), hidden objects, heavy ones, severe
/// reasons, then by age.
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

/// Reports of an object that wait, the oldest first.
pub async fn about(pool: &PgPool, section: &str, object_id: i64) -> Result<Vec<Report>> {
    let wanted = WantedReports { state: None, id: None, object: Some((section, object_id)), limit: 100 };
    list(pool, wanted).await
}

/// Marks an open report as being looked at; false when it isn't open.
pub async fn take(pool: &PgPool, id: i64) -> Result<bool> {
    let query = sqlx::query!("update reports set state = 'in_review' where id = $1 and state = 'open'", id);
    Ok(query.execute(pool).await?.rows_affected() == 1)
}

/// How reports are closed.
#[derive(Debug, Clone, Copy)]
pub struct ReportVerdict<'a> {
    /// Whether they were right.
    pub is_right: bool,
    /// Whether the object goes.
    pub remove: bool,
    /// Whether what reports hid is shown again although they were right: its owner has mended it.
    pub show: bool,
    /// Whether every waiting report of the same object is closed with it.
    pub all: bool,
    /// What was decided, for the record.
    pub note: &'a str,
}

/// What closing came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClosingOutcome {
    /// Reports closed.
    pub reports: u64,
    /// Whether the object was removed.
    pub removed: bool,
    /// Whether a hidden object is back.
    pub restored: bool,
    /// Whether the object is still hidden by reports.
    pub hidden: bool,
}

/// Closes a waiting report. An object that the weights hid comes back once no report of it waits, unless one that hid it was right
/// (and `show` doesn't say otherwise) or it was removed. `None` when the report doesn't wait.
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
        // Somebody else closed it while this one waited for the lock.
        return Ok(None);
    }
    // What its owner deleted meanwhile is banned all the same.
    let removed = verdict.remove
        && (objects::remove(&mut tx, (&section, object_id), actor.id).await?
            || prints::is_known(&mut tx, &section, object_id).await?);
    if removed {
        uploads::bar(&mut tx, &section, object_id).await?;
    }
    let keep = removed
        || any_waiting(&mut tx, &section, object_id).await?
        || (!verdict.show && objects::is_hidden_rightly(&mut tx, &section, object_id).await?);
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

/// Takes an object away, in the caller's transaction, also one that its owner deleted; the reports of it that wait were right. False
/// where there never was such an upload, or it is taken down already.
pub(crate) async fn take_away(
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

/// Closes the reports of an object of which a person took something away: they were right. What is left of a profile that they hid
/// is shown again.
pub(crate) async fn settle(
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

/// Shows again what reports hid, whatever became of them; false where nothing is hidden.
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

/// What a waiting report is about; `None` inside where it is about no object.
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

async fn any_waiting(conn: &mut PgConnection, section: &str, object_id: i64) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select exists (select from reports where section = $1 and object_id = $2 and state in ('open', 'in_review')) as "w!""#,
        section,
        object_id
    );
    Ok(query.fetch_one(conn).await?)
}

/// Closes reports. The address of a reporter whose account ended was kept until then.
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
