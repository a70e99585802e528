//! Search log: daily totals by query and language, with the number of hits. No data about visitors or times is stored.
//!
//! The totals count visitors, because the recorder counts each visitor's search once a day.

use lantern_config::Lang;
use sqlx::PgPool;

use crate::{Result, run};

/// A query with at least this many digits may be a phone, card or account number, so it isn't stored.
const DIGITS_OF_A_NUMBER: usize = 7;
/// Label separators of domain names (RFC 3490, 3.1).
const DOTS: [char; 4] = ['.', '。', '．', '｡'];

/// A single search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedSearch {
    /// Query as typed, 2 to 69 characters.
    pub query: String,
    /// Language of the search.
    pub lang: Lang,
    /// Number of videos that match the full query.
    pub hits: i32,
    /// Relaxations that produced the results instead, comma-separated. `None` if none were needed or none helped.
    pub rescued_by: Option<String>,
}

/// Adds searches to today's (UTC) totals in one statement. Queries are [normalized](normal), so that equal searches
/// share a row. Queries that must not be logged are skipped.
pub async fn record(pool: &PgPool, entries: &[LoggedSearch]) -> Result<()> {
    let (mut queries, mut langs, mut hits, mut rescues) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for entry in entries {
        if let Some(query) = normal(&entry.query) {
            queries.push(query);
            langs.push(entry.lang.as_str().to_owned());
            hits.push(entry.hits.max(0));
            rescues.push(entry.rescued_by.clone().unwrap_or_default());
        }
    }
    // The rows are sorted, so that two nodes that write the same rows wait for each other instead of deadlocking.
    let query = sqlx::query!(
        "insert into search_days (lang, query, day, searches, hits, zero_hits, rescued, rescued_by)
         select lang, query, (now() at time zone 'UTC')::date, count(*), (array_agg(hits order by n desc))[1],
                count(*) filter (where hits = 0), count(*) filter (where hits = 0 and rescued_by <> ''),
                (array_agg(rescued_by order by n desc) filter (where hits = 0 and rescued_by <> ''))[1]
         from unnest($1::text[], $2::text[], $3::integer[], $4::text[]) with ordinality e(query, lang, hits, rescued_by, n)
         group by lang, query order by lang, query
         on conflict (lang, query, day) do update set
            searches = search_days.searches + excluded.searches, hits = excluded.hits,
            zero_hits = search_days.zero_hits + excluded.zero_hits, rescued = search_days.rescued + excluded.rescued,
            rescued_by = coalesce(excluded.rescued_by, search_days.rescued_by)",
        &queries,
        &langs,
        &hits,
        &rescues
    );
    run(query, pool).await
}

/// Normalizes a query for the log: lower case, single spaces and no control characters (Postgres refuses NUL in text).
/// Returns `None` if the query must not be logged, because the normalized form is too short or too long or because it
/// may be an address or a personal number.
#[must_use]
pub fn normal(query: &str) -> Option<String> {
    let printable: String = query.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let query = printable.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let fits = (2..=69).contains(&query.chars().count());
    let digits = query.chars().filter(|c| c.is_numeric()).count();
    (fits && digits < DIGITS_OF_A_NUMBER && !may_be_address(&query)).then_some(query)
}

fn may_be_address(query: &str) -> bool {
    let chars: Vec<char> = query.chars().collect();
    let between =
        chars.windows(3).any(|part| DOTS.contains(&part[1]) && part[0].is_alphanumeric() && part[2].is_alphanumeric());
    between || query.contains(['@', '＠']) || ["://", "：//", "::"].iter().any(|sign| query.contains(sign))
}

/// Deletes all queries older than `retention_days`, and the queries of past days with fewer than `min_count` visitors.
/// Returns the number of deleted rows.
pub async fn forget(pool: &PgPool, min_count: i32, retention_days: i32) -> Result<u64> {
    let query = sqlx::query!(
        "delete from search_days where day < (now() at time zone 'UTC')::date - $2::integer
            or day < (now() at time zone 'UTC')::date and searches < $1",
        min_count,
        retention_days
    );
    Ok(query.execute(pool).await?.rows_affected())
}

/// Returns the most frequent searches with hits in the 30 days before today, most frequent first. Days with fewer than
/// `min_count` visitors don't count. Today is excluded, so that the result is the same all day.
pub async fn of_closed_days(pool: &PgPool, lang: Lang, min_count: i64, limit: i64) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        "select query from search_days
         where lang = $1 and day < (now() at time zone 'UTC')::date and day >= (now() at time zone 'UTC')::date - 30
            and searches >= $2::bigint
         group by query having (array_agg(hits order by day desc))[1] > 0
         order by sum(searches) desc, query limit $3",
        lang.as_str(),
        min_count,
        limit
    );
    Ok(query.fetch_all(pool).await?)
}

/// Filter for [`report`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WantedSearches {
    /// Whether to list only searches that had no hits before relaxation.
    pub zero_hits: bool,
    /// Number of days including today, at least 1.
    pub days: i32,
    /// Only searches in this language, if set.
    pub lang: Option<Lang>,
    /// Minimum number of visitors for a day to count.
    pub min_count: i64,
    /// Maximum number of rows.
    pub limit: i64,
}

/// A row of the search report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRow {
    /// Language of the search.
    pub lang: String,
    /// The normalized query.
    pub query: String,
    /// Number of visitors, each counted once a day.
    pub searches: i64,
    /// Number of visitors whose search had no hits before relaxation.
    pub zero_hits: i64,
    /// Number of visitors for whom relaxation produced results.
    pub rescued: i64,
    /// Relaxations in the latest search that needed them, comma-separated.
    pub rescued_by: Option<String>,
}

/// Lists the most frequent searches, or the ones that most often had no hits.
pub async fn report(pool: &PgPool, wanted: WantedSearches) -> Result<Vec<SearchRow>> {
    let query = sqlx::query_as!(
        SearchRow,
        r#"select lang, query, sum(searches)::bigint as "searches!", sum(zero_hits)::bigint as "zero_hits!",
                  sum(rescued)::bigint as "rescued!",
                  (array_agg(rescued_by order by day desc) filter (where rescued_by is not null))[1] as rescued_by
           from search_days where day > (now() at time zone 'UTC')::date - $1::integer and ($2::text is null or lang = $2)
              and searches >= $3::bigint
           group by lang, query having not $4 or sum(zero_hits) > 0
           order by case when $4 then sum(zero_hits) else sum(searches) end desc, sum(searches) desc, lang, query limit $5"#,
        wanted.days,
        wanted.lang.map(Lang::as_str),
        wanted.min_count,
        wanted.zero_hits,
        wanted.limit
    );
    Ok(query.fetch_all(pool).await?)
}

#[cfg(test)]
mod tests {
    use super::normal;

    #[test]
    fn possible_personal_data_is_not_logged() {
        let numbers = ["+44 20 7946 0018", "4111 1111 1111 1111", "０９０−１２３４−５６７８"];
        let mails = ["me@example.org", "me＠example", "john (at) mail.example"];
        let sites =
            ["pills at evil.example", "https://evil", "ｅｖｉｌ．ｅｘａｍｐｌｅ", "evil。example", "1.evil.example"];
        for query in numbers.iter().chain(&mails).chain(&sites).chain(&["192.0.2.1", "fe80::1", "x"]) {
            assert_eq!(normal(query), None, "{query}");
        }
        for query in ["mr. x", "wait...", "what. now", "re:zero", "温泉。"] {
            assert_eq!(normal(query).as_deref(), Some(query));
        }
        assert_eq!(normal("  Kyoto \t 2024\0 ").as_deref(), Some("kyoto 2024"));
    }
}
