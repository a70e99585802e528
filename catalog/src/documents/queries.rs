//! The most frequent search queries, which become suggestions.

use sqlx::PgConnection;

use crate::Error;

/// Number of days of the search log to consider. This is enough for a quiet site but short enough to follow trends.
const DAYS: i32 = 30;

/// A frequent query in one language.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of search_days, documented in the migration")]
pub struct QueryRow {
    pub lang: String,
    pub query: String,
    pub searches: i64,
    pub hits: i32,
}

/// Returns the most frequent queries of the last 30 days that had hits, most frequent first. Ignores days on which
/// fewer than `min_count` visitors searched for the query.
pub async fn top(conn: &mut PgConnection, min_count: i64, limit: i64) -> Result<Vec<QueryRow>, Error> {
    let query = sqlx::query_as!(
        QueryRow,
        r#"select lang, query, sum(searches)::bigint as "searches!", (array_agg(hits order by day desc))[1] as "hits!"
           from search_days where day > (now() at time zone 'UTC')::date - $1::integer and searches >= $2::bigint
           group by lang, query having (array_agg(hits order by day desc))[1] > 0
           order by 3 desc, lang, query limit $3"#,
        DAYS,
        min_count,
        limit
    );
    Ok(query.fetch_all(conn).await?)
}
