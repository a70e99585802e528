//! `lantern premium`: members who see no advertisements and no offer.

use std::io::IsTerminal;

use anyhow::Context;
use clap::{Args, Subcommand};
use lantern_catalog::{moderation::staff, premium};
use lantern_config::Config;
use sqlx::PgPool;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use crate::{progress::say, stack};

/// Show, add or end members' premium.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lantern premium list\n  lantern premium add somebody --days 30\n  lantern premium end somebody\n\nOn a terminal a \
                  table is printed, elsewhere plain lines with a tab between the columns: name, end (UTC). Who has premium sees neither \
                  advertisements\nnor the offer of it, from the next page on."
)]
pub struct PremiumArgs {
    #[command(subcommand)]
    command: PremiumCommand,
}

#[derive(Debug, Subcommand)]
enum PremiumCommand {
    /// Show who has premium, the next to end first.
    List {
        /// Rows at most.
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        limit: u32,
    },
    /// Give a member so many days more.
    Add {
        /// Name of the member.
        username: String,
        #[arg(long, value_parser = clap::value_parser!(i32).range(1..=3650))]
        days: i32,
    },
    /// End it at once.
    End {
        /// Name of the member.
        username: String,
    },
}

/// Works on the catalog of the running Lantern; without one, starts Postgres for the moment.
pub async fn run(config: Config, args: PremiumArgs) -> anyhow::Result<()> {
    stack::with_catalog(&config, async |pool| {
        let now = OffsetDateTime::now_utc();
        match args.command {
            PremiumCommand::List { limit } => print(pool, now, limit).await,
            PremiumCommand::Add { username, days } => {
                let (id, username) = member(pool, &username).await?;
                let until = premium::extend(pool, id, days, now).await?;
                say(&format!("{username} has premium until {}.", rfc3339(until)));
                Ok(())
            }
            PremiumCommand::End { username } => {
                let (id, username) = member(pool, &username).await?;
                anyhow::ensure!(premium::end(pool, id).await?, "{username} has no premium");
                say(&format!("{username} has no premium any more."));
                Ok(())
            }
        }
    })
    .await
}

async fn member(pool: &PgPool, username: &str) -> anyhow::Result<(i64, String)> {
    staff::member(pool, username).await?.with_context(|| format!("there is no member {username:?}"))
}

async fn print(pool: &PgPool, now: OffsetDateTime, limit: u32) -> anyhow::Result<()> {
    let rows = premium::list(pool, now, limit.into()).await?;
    let is_terminal = std::io::stdout().is_terminal();
    if rows.is_empty() && is_terminal {
        say("Nobody has premium.");
    }
    for premium::Premium { username, until } in rows {
        let until = rfc3339(until);
        say(&if is_terminal { format!("{username:<24}{until}") } else { format!("{username}\t{until}") });
    }
    Ok(())
}

fn rfc3339(at: OffsetDateTime) -> String {
    let whole = at.replace_nanosecond(0).unwrap_or(at);
    whole.format(&Rfc3339).unwrap_or_default()
}
