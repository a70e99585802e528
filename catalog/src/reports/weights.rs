//! Weights of reports. A guest's report counts little, and all guests together are capped. A member's report counts
//! more, and the more of the member's earlier reports were justified, the more it counts. Only members with justified
//! reports can hide an object before a review, and each network has a daily budget.

use lantern_config::Reports;
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::{Result, run};

/// Weight and privileges of a report.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standing {
    pub weight: i32,
    /// Whether the report is by an established member. The total weight of all other reports is capped.
    pub is_trusted: bool,
    /// Whether the report is by a member whose earlier reports include justified ones. Such a report can hide an
    /// object.
    pub is_proven: bool,
}

/// Total weight of the open reports about an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Load {
    pub all: i64,
    /// Weight of the severe reports by proven members.
    pub severe: i64,
}

/// Returns the current standing of a member or of a guest.
pub(super) async fn standing(
    conn: &mut PgConnection,
    member: Option<i64>,
    settings: &Reports,
    now: OffsetDateTime,
) -> Result<Standing> {
    let guest = Standing { weight: settings.guest_weight, is_trusted: false, is_proven: false };
    let Some(member) = member else { return Ok(guest) };
    let query = sqlx::query!(
        r#"select (u.email_confirmed_at is not null and u.created_at <= $2::timestamptz - make_interval(days => $3)) as "settled!",
                  (select count(distinct (r.section, r.object_id)) from reports r
                   where r.user_id = u.id and r.section is not null and r.state = 'resolved'
                     and r.handled_by is distinct from u.id) as "right!",
                  (select count(*) from reports r where r.user_id = u.id and r.section is not null and r.state = 'rejected') as "wrong!"
           from users u where u.id = $1"#,
        member,
        now,
        settings.member_days
    );
    let past = query.fetch_optional(conn).await?;
    let Some(past) = past.filter(|past| past.settled) else { return Ok(guest) };
    let trust = past.right * i64::from(settings.trust_gain) - past.wrong * i64::from(settings.trust_loss);
    let weight = (i64::from(settings.member_weight) + trust).clamp(0, i64::from(settings.max_weight));
    let is_proven = past.right >= i64::from(settings.proven_reports) && past.right > past.wrong;
    Ok(Standing { weight: i32::try_from(weight).unwrap_or(settings.max_weight), is_trusted: true, is_proven })
}

/// Returns how much weight a network has left for one object and for the day of `now`. Calls for the same network are
/// serialized until the transaction ends.
pub(super) async fn network_budget(
    conn: &mut PgConnection,
    network: &[u8; 32],
    (section, object_id): (&str, i64),
    settings: &Reports,
    now: OffsetDateTime,
) -> Result<i32> {
    let query = sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended('reports of ' || encode($1, 'hex'), 0))",
        network.as_slice()
    );
    run(query, &mut *conn).await?;
    let query = sqlx::query!(
        r#"select coalesce(sum(weight) filter (where reported_on = ($2::timestamptz at time zone 'UTC')::date), 0) as "today!",
                  coalesce(sum(weight) filter (where section = $3 and object_id = $4 and state in ('open', 'in_review')), 0) as "here!"
           from reports where network_key = $1"#,
        network.as_slice(),
        now,
        section,
        object_id
    );
    let used = query.fetch_one(conn).await?;
    let left =
        (i64::from(settings.network_weight) - used.today).min(i64::from(settings.network_object_weight) - used.here);
    Ok(i32::try_from(left.max(0)).unwrap_or(settings.network_object_weight))
}

/// Returns the total weight of the open reports about an object.
pub(super) async fn object_load(
    conn: &mut PgConnection,
    section: &str,
    object_id: i64,
    settings: &Reports,
) -> Result<Load> {
    let query = sqlx::query_as!(
        Load,
        r#"select coalesce(sum(weight) filter (where is_trusted), 0)
                  + least(coalesce(sum(weight) filter (where not is_trusted), 0), $3) as "all!",
                  coalesce(sum(weight) filter (where is_proven and is_severe), 0) as "severe!"
           from reports where section = $1 and object_id = $2 and state in ('open', 'in_review')"#,
        section,
        object_id,
        i64::from(settings.guest_cap)
    );
    Ok(query.fetch_one(conn).await?)
}

/// Moves the reports about an object to the front of the queue.
pub(super) async fn escalate(
    conn: &mut PgConnection,
    section: &str,
    object_id: i64,
    now: OffsetDateTime,
) -> Result<()> {
    let query = sqlx::query!(
        "update reports set escalated_at = $3
         where section = $1 and object_id = $2 and state in ('open', 'in_review') and escalated_at is null",
        section,
        object_id,
        now
    );
    run(query, conn).await
}
