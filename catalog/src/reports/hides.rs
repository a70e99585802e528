//! Automatic hiding of reported objects before a review, with a circuit breaker: a network, or accounts that report
//! together, can hide only so many objects per day.

use lantern_config::Reports;
use sqlx::PgConnection;
use time::OffsetDateTime;

use super::objects;
use crate::{Result, run};

/// Retention of the log in days; the breaker looks back one day.
const LOG_DAYS: i32 = 7;

/// Effect of the combined weight of reports on an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// None; it is reviewed in turn.
    None,
    /// It is hidden from now on.
    Hidden,
    /// Not hidden, because its reporters hid too much without confirmation; it is reviewed first.
    Held,
}

/// Hides an object whose severe reports have enough weight, unless their authors or networks, together with those they
/// report with, hid `reports.hides_per_group` objects within a day that no person has confirmed.
pub(super) async fn apply(
    conn: &mut PgConnection,
    (section, object_id): (&str, i64),
    settings: &Reports,
    now: OffsetDateTime,
) -> Result<Effect> {
    // Serialized, so that each call counts the previous ones.
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

/// Counts unconfirmed objects hidden within a day by these reporters and networks, and transitively by those who hid an
/// object together with them.
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

/// Returns whether another report changes nothing: the object is already hidden by reports, or was exempted from hiding
/// within a day.
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

/// Report metrics for operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportFigures {
    /// Open reports.
    pub waiting: i64,
    /// Open reports with an urgent reason.
    pub urgent: i64,
    /// Objects hidden by reports within a day.
    pub hidden: i64,
    /// Objects exempted from hiding within a day, because their reporters hid too much.
    pub held: i64,
}

/// Returns the open reports, and the effects of reports within a day before `now`.
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
