//! `lantern premium`: lists, grants and ends premium, with which members see neither advertisements nor premium offers.

use std::io::IsTerminal;

use anyhow::Context;
use clap::{Args, Subcommand};
use lantern_catalog::{moderation::staff, premium};
use lantern_config::Config;
use sqlx::PgPool;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use crate::{progress::say, stack};

/// Show, grant or end members' premium.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lantern premium list\n  lantern premium add alice --days 30\n  lantern premium end alice\n\nPrints a \
                  table to a terminal, otherwise tab-separated columns: name, end (UTC). From the next page on, members with premium see no \
                  advertisements\nand no premium offers."
)]
pub struct PremiumArgs {
    #[command(subcommand)]
    command: PremiumCommand,
}

#[derive(Debug, Subcommand)]
enum PremiumCommand {
    /// List members with premium, next to end first.
    List {
        /// Maximum number of rows.
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        limit: u32,
    },
    /// Extend a member's premium.
    Add {
        /// Name of the member.
        username: String,
        /// Days to add (1 to 3,650).
        #[arg(long, value_parser = clap::value_parser!(i32).range(1..=3650))]
        days: i32,
    },
    /// End a member's premium immediately.
    End {
        /// Name of the member.
        username: String,
    },
}

/// Works on the catalog of the running Lantern. If none is running, Postgres runs for the duration of the command.
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
                say(&format!("{username} no longer has premium."));
                Ok(())
            }
        }
    })
    .await
}

async fn member(pool: &PgPool, username: &str) -> anyhow::Result<(i64, String)> {
    staff::member(pool, username).await?.with_context(|| format!("no member {username:?}"))
}

async fn print(pool: &PgPool, now: OffsetDateTime, limit: u32) -> anyhow::Result<()> {
    let rows = premium::list(pool, now, limit.into()).await?;
    let is_terminal = std::io::stdout().is_terminal();
    if rows.is_empty() && is_terminal {
        say("No members with premium.");
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
