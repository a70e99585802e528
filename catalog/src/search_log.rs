//! What was searched, as sums by day: words, language and the size of the answer, nothing about who or when.
//!
//! The sums count visitors: the recorder passes each visitor's search once a day.

use lantern_config::Lang;
use sqlx::PgPool;

use crate::{Result, run};

/// From so many digits on a query may be somebody's number (telephone, card, account) and isn't stored.
const DIGITS_OF_A_NUMBER: usize = 7;
/// What separates the parts of a domain (RFC 3490, 3.1).
const DOTS: [char; 4] = ['.', '。', '．', '｡'];

/// One search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedSearch {
    /// As typed; 2 to 69 characters.
    pub query: String,
    /// Language it was typed in.
    pub lang: Lang,
    /// Videos that match the whole search.
    pub hits: i32,
    /// What was given up to find something instead, comma-separated; `None` where nothing was or it didn't help.
    pub rescued_by: Option<String>,
}

/// Adds searches to the sums of today (UTC) in one statement. Queries are [normalised](normal), so that one search is one row;
/// what the log may not hold is left out.
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
    // Ordered, so that two nodes writing the same queries queue instead of deadlocking.
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

/// A query as the log holds it: lower case, single blanks, no control characters (Postgres refuses NUL in text). `None` for what
/// it doesn't hold: too short or long once cleaned, or possibly a mail address or somebody's number.
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

/// Removes what may not stay: of days that have ended the queries of fewer than `min_count` visitors, and everything older than
/// `retention_days`. Answers how many rows went.
pub async fn forget(pool: &PgPool, min_count: i32, retention_days: i32) -> Result<u64> {
    let query = sqlx::query!(
        "delete from search_days where day < (now() at time zone 'UTC')::date - $2::integer
            or day < (now() at time zone 'UTC')::date and searches < $1",
        min_count,
        retention_days
    );
    Ok(query.execute(pool).await?.rows_affected())
}

/// The most frequent searches that found something in the 30 days before today, most frequent first; days with fewer than
/// `min_count` visitors don't count. Today is left out: the answer is the same all day.
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

/// Which searches a report is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WantedSearches {
    /// Only those that found nothing before they were relaxed.
    pub zero_hits: bool,
    /// Days back, today included; from 1.
    pub days: i32,
    /// Only this language.
    pub lang: Option<Lang>,
    /// Fewest visitors of a day that counts.
    pub min_count: i64,
    /// Rows at most.
    pub limit: i64,
}

/// A row of the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRow {
    /// Language it was typed in.
    pub lang: String,
    /// Normalised.
    pub query: String,
    /// Visitors who searched it, each once a day.
    pub searches: i64,
    /// Of those, how many found nothing before they were relaxed.
    pub zero_hits: i64,
    /// Of those, how many a relaxed search helped.
    pub rescued: i64,
    /// What was given up at the latest of them, comma-separated.
    pub rescued_by: Option<String>,
}

/// The most frequent searches, or those that most often found nothing.
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
    fn what_may_be_about_a_person_is_not_kept() {
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
