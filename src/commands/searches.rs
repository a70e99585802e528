//! `lantern searches`: shows frequent queries, queries without results, and videos opened from results.

use std::io::IsTerminal;

use clap::Args;
use lantern_catalog::{
    search_clicks::{self, OpenedVideo},
    search_log::{self, SearchRow, WantedSearches},
};
use lantern_config::{Config, Lang};
use sqlx::PgPool;

use crate::{progress::say, stack};

/// Show the most frequent queries, those without results, or the videos opened from results.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lantern searches --zero-hits\n  lantern searches --zero-hits --days 30 --lang de --limit 100\n  \
                  lantern searches --days 1 > today.tsv\n  lantern searches --clicks --lang en\n\nPrints a table to a terminal, otherwise tab-separated \
                  columns: language, query, searches, no results,\nrescued, relaxed by. A visitor counts once a day per query. Days with \
                  fewer than search_log.min_count\nvisitors per query are omitted. With --clicks: language, query, video, visitors, mean position, \
                  title."
)]
pub struct SearchesArgs {
    /// Only queries that found nothing as typed, most frequent first.
    #[arg(long)]
    zero_hits: bool,
    /// Videos opened from a query's results, most visitors first; they rank higher for this query.
    #[arg(long, conflicts_with = "zero_hits")]
    clicks: bool,
    /// Days back, today (UTC) included.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(i32).range(1..=3650))]
    days: i32,
    /// Only queries in this language.
    #[arg(long)]
    lang: Option<Lang>,
    /// Maximum number of rows.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: u32,
}

/// Queries the catalog of the running Lantern. If none is running, Postgres runs for the duration of the command.
pub async fn run(config: Config, args: SearchesArgs) -> anyhow::Result<()> {
    if args.clicks {
        let wanted = search_clicks::WantedClicks {
            days: args.days,
            lang: args.lang,
            min_count: config.search_log.min_count.into(),
            limit: args.limit.into(),
        };
        return stack::with_catalog(&config, async |pool| print_clicks(pool, wanted).await).await;
    }
    let wanted = WantedSearches {
        zero_hits: args.zero_hits,
        days: args.days,
        lang: args.lang,
        min_count: config.search_log.min_count.into(),
        limit: args.limit.into(),
    };
    stack::with_catalog(&config, async |pool| print(pool, wanted).await).await
}

async fn print(pool: &PgPool, wanted: WantedSearches) -> anyhow::Result<()> {
    let rows = search_log::report(pool, wanted).await?;
    if !std::io::stdout().is_terminal() {
        rows.iter().for_each(|row| say(&plain(row)));
        return Ok(());
    }
    if rows.is_empty() {
        say(&format!("No query by at least {} visitors on one day.", wanted.min_count));
        return Ok(());
    }
    say(&line("lang", "searches", "no hits", "rescued", "relaxed by", "query"));
    for row in &rows {
        let [searches, zero_hits, rescued] = [row.searches, row.zero_hits, row.rescued].map(|n| n.to_string());
        let by = row.rescued_by.as_deref().unwrap_or("–");
        say(&line(&row.lang, &searches, &zero_hits, &rescued, by, &row.query));
    }
    Ok(())
}

async fn print_clicks(pool: &PgPool, wanted: search_clicks::WantedClicks) -> anyhow::Result<()> {
    let rows = search_clicks::report(pool, wanted).await?;
    if !std::io::stdout().is_terminal() {
        for OpenedVideo { lang, query, video_id, title, visitors, places } in &rows {
            say(&format!("{lang}\t{query}\t{video_id}\t{visitors}\t{:.1}\t{title}", *places as f64 / *visitors as f64));
        }
        return Ok(());
    }
    if rows.is_empty() {
        say(&format!("No video opened from results by at least {} visitors on one day.", wanted.min_count));
        return Ok(());
    }
    say(&format!("{:<5}{:>9}{:>7}{:>10}  {:<32}  title", "lang", "visitors", "place", "video", "query"));
    for OpenedVideo { lang, query, video_id, title, visitors, places } in &rows {
        let place = *places as f64 / *visitors as f64;
        say(&format!("{lang:<5}{visitors:>9}{place:>7.1}{video_id:>10}  {query:<32}  {title}"));
    }
    Ok(())
}

fn line(lang: &str, searches: &str, zero_hits: &str, rescued: &str, by: &str, query: &str) -> String {
    format!("{lang:<5}{searches:>9}{zero_hits:>9}{rescued:>9}  {by:<32}  {query}")
}

fn plain(row: &SearchRow) -> String {
    let SearchRow { lang, query, searches, zero_hits, rescued, rescued_by } = row;
    format!("{lang}\t{query}\t{searches}\t{zero_hits}\t{rescued}\t{}", rescued_by.as_deref().unwrap_or_default())
}
