//! `lantern searches`: what people looked for, and what they did not find.

use std::io::IsTerminal;

use clap::Args as ClapArgs;
use lantern_catalog::search_log::{self, Row, Wanted};
use lantern_config::{Config, Lang};
use sqlx::PgPool;

use crate::{progress::say, stack};

/// Show what is searched most, or what is searched in vain.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Examples:\n  lantern searches --zero-hits\n  lantern searches --zero-hits --days 30 --lang de --limit 100\n  \
                  lantern searches --days 1 > today.tsv\n\nOn a terminal a table is printed, elsewhere plain lines with a tab between the \
                  columns: language, query, searches, in vain,\nrescued, what was given up then. A visitor counts once a day for a query. Days on which \
                  fewer than search_log.min_count\nvisitors searched it are not shown."
)]
pub struct Args {
    /// Only searches that found nothing as they were asked, most frequent first.
    #[arg(long)]
    zero_hits: bool,
    /// Days back, today (UTC) included.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(i32).range(1..=3650))]
    days: i32,
    /// Only searches in this language.
    #[arg(long)]
    lang: Option<Lang>,
    /// Rows at most.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: u32,
}

/// Asks the catalog of the running Lantern; without one, starts Postgres for the moment.
pub async fn run(config: Config, args: Args) -> anyhow::Result<()> {
    let wanted = Wanted {
        zero_hits: args.zero_hits,
        days: args.days,
        lang: args.lang,
        min_count: config.search_log.min_count.into(),
        limit: args.limit.into(),
    };
    stack::with_catalog(&config, async |pool| print(pool, wanted).await).await
}

async fn print(pool: &PgPool, wanted: Wanted) -> anyhow::Result<()> {
    let rows = search_log::report(pool, wanted).await?;
    if !std::io::stdout().is_terminal() {
        rows.iter().for_each(|row| say(&plain(row)));
        return Ok(());
    }
    if rows.is_empty() {
        say(&format!("Nothing was searched by {} visitors or more on one day.", wanted.min_count));
        return Ok(());
    }
    say(&line("lang", "searches", "in vain", "rescued", "by giving up", "query"));
    for row in &rows {
        let [searches, zero_hits, rescued] = [row.searches, row.zero_hits, row.rescued].map(|n| n.to_string());
        let by = row.rescued_by.as_deref().unwrap_or("–");
        say(&line(&row.lang, &searches, &zero_hits, &rescued, by, &row.query));
    }
    Ok(())
}

fn line(lang: &str, searches: &str, zero_hits: &str, rescued: &str, by: &str, query: &str) -> String {
    format!("{lang:<5}{searches:>9}{zero_hits:>9}{rescued:>9}  {by:<32}  {query}")
}

fn plain(row: &Row) -> String {
    let Row { lang, query, searches, zero_hits, rescued, rescued_by } = row;
    format!("{lang}\t{query}\t{searches}\t{zero_hits}\t{rescued}\t{}", rescued_by.as_deref().unwrap_or_default())
}
