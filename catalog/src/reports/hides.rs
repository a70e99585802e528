//! Automatic hiding of reported objects before a review. A circuit breaker ensures that a network, or accounts that
//! report together, can hide only a limited number of objects per day.

use lantern_config::Reports;
use sqlx::PgConnection;
use time::OffsetDateTime;

use super::objects;
use crate::{Result, run};

/// How long the log is kept, in days. The circuit breaker looks back one day.
const LOG_DAYS: i32 = 7;

/// What the combined weight of the reports about an object causes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing changes, and the object will be reviewed in turn.
    None,
    /// The object is hidden from now on.
    Hidden,
    /// The object is not hidden, because its reporters have hidden too many objects without confirmation. It is
    /// reviewed first.
    Held,
}

/// Hides an object whose severe reports have enough weight. It is not hidden if the reports' authors and networks,
/// together with those they report with, have hidden `reports.hides_per_group` objects within a day that no person has
/// confirmed.
pub(super) async fn apply(
    conn: &mut PgConnection,
    (section, object_id): (&str, i64),
    settings: &Reports,
    now: OffsetDateTime,
) -> Result<Effect> {
    // The calls are serialized, so that each one counts the previous ones.
    run(sqlx::query!("select pg_advisory_xact_lock(hashtextextended('report hides', 0))"), &mut *conn).await?;
    let query = sqlx::query!(
        r#"select coalesce(array_agg(distinct user_id) filter (where user_id is not null), '{}') as "reporters!",
                  coalesce(array_agg(distinct network_key) filter (where network_key is not null), '{}') as "networks!"
           from reports where section = $1 and object_id = $2 and state in ('open', 'in_review')
             and is_proven and is_severe and weight > 0"#,
        section,
        object_id
    );
    let by = query.fetch_one(&mut *conn).await?;
    let held = hidden_by_group(conn, &by.reporters, &by.networks, now).await? >= i64::from(settings.hides_per_group);
    let changed = if held {
        !is_settled(conn, section, object_id, now).await?
    } else {
        objects::hide(conn, section, object_id).await?
    };
    if !changed {
        return Ok(Effect::None);
    }
    let query = sqlx::query!(
        "with old as (delete from report_hide_log where at < $3::timestamptz - make_interval(days => $7))
         insert into report_hide_log (section, object_id, at, is_held, reporters, networks) values ($1, $2, $3, $4, $5, $6)",
        section,
        object_id,
        now,
        held,
        &by.reporters,
        &by.networks,
        LOG_DAYS
    );
    run(query, conn).await?;
    Ok(if held { Effect::Held } else { Effect::Hidden })
}

/// Counts the unconfirmed objects hidden within a day by these reporters and networks, and by those who hid an object
/// together with them, and so on.
async fn hidden_by_group(
    conn: &mut PgConnection,
    reporters: &[i64],
    networks: &[Vec<u8>],
    now: OffsetDateTime,
) -> Result<i64> {
    let query = sqlx::query_scalar!(
        r#"with recursive recent as materialized (
               select l.id, l.reporters, l.networks from report_hide_log l
               where not l.is_held and l.at > $3::timestamptz - interval '1 day'
                 and not exists (select from reports r where r.section = l.section and r.object_id = l.object_id
                                 and r.state = 'resolved' and r.closed_at >= l.at)),
           company (id, reporters, networks) as (
               select id, reporters, networks from recent where reporters && $1 or networks && $2
               union
               select o.id, o.reporters, o.networks from company c join recent o
                   on o.reporters && c.reporters or o.networks && c.networks)
           select count(*) as "n!" from company"#,
        reporters,
        networks,
        now
    );
    Ok(query.fetch_one(conn).await?)
}

/// Returns whether another report makes no difference, because reports have already hidden the object or it was
/// exempted from hiding within the last day.
async fn is_settled(conn: &mut PgConnection, section: &str, object_id: i64, now: OffsetDateTime) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select exists (select from report_hides where section = $1 and object_id = $2)
               or exists (select from report_hide_log where section = $1 and object_id = $2 and is_held
                          and at > $3::timestamptz - interval '1 day') as "s!""#,
        section,
        object_id,
        now
    );
    Ok(query.fetch_one(conn).await?)
}

/// Figures about reports, for operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportFigures {
    /// Number of open reports.
    pub waiting: i64,
    /// Number of open reports with an urgent reason.
    pub urgent: i64,
    /// Number of objects that reports hid within the last day.
    pub hidden: i64,
    /// Number of objects exempted from hiding within the last day, because their reporters hid too many.
    pub held: i64,
}

/// Counts the open reports, and what reports did within the day before `now`.
pub async fn figures(conn: &mut PgConnection, now: OffsetDateTime) -> Result<ReportFigures> {
    let query = sqlx::query_as!(
        ReportFigures,
        r#"select (select count(*) from reports where state in ('open', 'in_review')) as "waiting!",
                  (select count(*) from reports where state in ('open', 'in_review') and is_urgent) as "urgent!",
                  count(*) filter (where not is_held) as "hidden!", count(*) filter (where is_held) as "held!"
           from report_hide_log where at > $1::timestamptz - interval '1 day'"#,
        now
    );
    Ok(query.fetch_one(conn).await?)
}
