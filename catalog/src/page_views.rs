//! Page view counters: totals by day, campaign and screen. No data about visitors or times is stored.

use sqlx::PgPool;

use crate::{Result, run};

/// Counters for one screen and campaign.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Count {
    /// Name of the campaign, empty if there is none.
    pub campaign: String,
    /// Name of the screen.
    pub screen: String,
    /// Number of page views.
    pub views: i64,
    /// Number of page views that came from another site.
    pub entries: i64,
    /// Number of page views that moved to another page of the same list.
    pub steps: i64,
}

/// Adds counts to today's (UTC) totals in one statement.
pub async fn record(pool: &PgPool, counts: &[Count]) -> Result<()> {
    let texts = |of: fn(&Count) -> &String| counts.iter().map(|count| of(count).clone()).collect::<Vec<_>>();
    let numbers = |of: fn(&Count) -> i64| counts.iter().map(of).collect::<Vec<_>>();
    // The rows are sorted, so that two nodes that write the same rows wait for each other instead of deadlocking.
    let query = sqlx::query!(
        "insert into page_view_days (day, campaign, screen, views, entries, steps)
         select (now() at time zone 'UTC')::date, c.* from
            unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) c(campaign, screen, views, entries, steps)
         order by 1, 2, 3
         on conflict (day, campaign, screen) do update set views = page_view_days.views + excluded.views,
            entries = page_view_days.entries + excluded.entries, steps = page_view_days.steps + excluded.steps",
        &texts(|count| &count.campaign),
        &texts(|count| &count.screen),
        &numbers(|count| count.views),
        &numbers(|count| count.entries),
        &numbers(|count| count.steps)
    );
    run(query, pool).await
}

/// Returns the totals for the last `days`, including today, for one campaign or for all. The most viewed come first.
pub async fn report(pool: &PgPool, days: i32, campaign: Option<&str>) -> Result<Vec<Count>> {
    let query = sqlx::query_as!(
        Count,
        r#"select campaign, screen, sum(views)::bigint as "views!", sum(entries)::bigint as "entries!", sum(steps)::bigint as "steps!"
           from page_view_days
           where day > (now() at time zone 'UTC')::date - $1::integer and ($2::text is null or campaign = $2)
           group by campaign, screen order by sum(views) desc, campaign, screen"#,
        days,
        campaign
    );
    Ok(query.fetch_all(pool).await?)
}

/// Deletes totals older than the retention period.
pub async fn forget(pool: &PgPool, retention_days: i32) -> Result<()> {
    let query = sqlx::query!(
        "delete from page_view_days where day < (now() at time zone 'UTC')::date - $1::integer",
        retention_days
    );
    run(query, pool).await
}
