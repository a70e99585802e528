//! What was searched: words, language and the size of the answer, nothing about who.

use lantern_config::Lang;
use sqlx::PgPool;

use crate::Result;

/// One search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// As typed; 2 to 69 characters.
    pub query: String,
    /// Language it was typed in.
    pub lang: Lang,
    /// Videos found.
    pub hits: i32,
}

/// Records searches in one statement. Blanks are collapsed, so that one wish is one row of the daily sums;
/// entries the log can't hold (too short or long once cleaned) are left out.
///
/// # Errors
/// When the query fails.
pub async fn record(pool: &PgPool, entries: &[Entry]) -> Result<()> {
    let mut queries = Vec::with_capacity(entries.len());
    let mut langs = Vec::with_capacity(entries.len());
    let mut hits = Vec::with_capacity(entries.len());
    for entry in entries {
        let query = clean(&entry.query);
        if (2..=69).contains(&query.chars().count()) {
            queries.push(query);
            langs.push(entry.lang.as_str().to_owned());
            hits.push(entry.hits.max(0));
        }
    }
    sqlx::query!(
        "insert into search_log (query, lang, hits) select * from unnest($1::text[], $2::text[], $3::integer[])",
        &queries,
        &langs,
        &hits
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// The most frequent searches that found something in the 30 days before today, most frequent first. Today is left out:
/// the answer is the same all day.
///
/// # Errors
/// When the query fails.
pub async fn of_closed_days(pool: &PgPool, lang: Lang, limit: i64) -> Result<Vec<String>> {
    Ok(sqlx::query_scalar!(
        "select query from search_days
         where lang = $1 and day < (now() at time zone 'UTC')::date and day >= (now() at time zone 'UTC')::date - 30
         group by query having (array_agg(hits order by day desc))[1] > 0
         order by sum(searches) desc, query limit $2",
        lang.as_str(),
        limit
    )
    .fetch_all(pool)
    .await?)
}

/// Single blanks and no control characters (Postgres refuses NUL in text).
fn clean(query: &str) -> String {
    let printable: String = query.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    printable.split_whitespace().collect::<Vec<_>>().join(" ")
}
