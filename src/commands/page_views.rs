//! `lantern page-views`: shows page views by campaign.

use std::io::IsTerminal;

use clap::Args;
use lantern_catalog::page_views::{self, Count};
use lantern_config::Config;
use sqlx::PgPool;

use crate::{progress::say, stack};

/// Show page views by campaign and page type.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lantern page-views\n  lantern page-views --days 30 --campaign summer\n\nNeeds page_views.count. Visits are opened pages, \
                  entries those opened from another site, steps further pages of the same\nlist. Prints a table to a terminal, \
                  otherwise tab-separated columns: campaign, page, visits, entries, steps."
)]
pub struct PageViewsArgs {
    /// Days back, today (UTC) included.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(i32).range(1..=3650))]
    days: i32,
    /// Only visits of this campaign.
    #[arg(long)]
    campaign: Option<String>,
}

/// Queries the catalog of the running Lantern. If none is running, Postgres runs for the duration of the command.
pub async fn run(config: Config, args: PageViewsArgs) -> anyhow::Result<()> {
    stack::with_catalog(&config, async |pool| print(pool, &args).await).await
}

async fn print(pool: &PgPool, args: &PageViewsArgs) -> anyhow::Result<()> {
    let rows = page_views::report(pool, args.days, args.campaign.as_deref()).await?;
    let is_terminal = std::io::stdout().is_terminal();
    if is_terminal && rows.is_empty() {
        say("No page views.");
        return Ok(());
    }
    if is_terminal {
        say(&line("campaign", "page", "visits", "entries", "steps"));
    }
    for Count { campaign, screen, views, entries, steps } in &rows {
        say(&if is_terminal {
            line(campaign, screen, &views.to_string(), &entries.to_string(), &steps.to_string())
        } else {
            format!("{campaign}\t{screen}\t{views}\t{entries}\t{steps}")
        });
    }
    Ok(())
}

fn line(campaign: &str, screen: &str, views: &str, entries: &str, steps: &str) -> String {
    format!("{campaign:<42}{screen:<16}{views:>10}{entries:>10}{steps:>10}")
}
