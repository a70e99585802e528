//! `lantern moderate`: uploads that wait, reports, bans, moderators, and the record of what was decided.

mod members;
mod quarantine;
mod record;
mod reports;
mod staff;
mod uploads;

use clap::{Args, Subcommand};
use lantern_config::Config;
use serde_json::json;
use sqlx::PgPool;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use crate::{progress::say, stack};

/// Decide on uploads, reports and members.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  lantern moderate list\n  lantern moderate approve video 42\n  \
                        lantern moderate reject video 42 --reason quality\n  lantern moderate reports\n  \
                        lantern moderate reports reject 7 --all\n  lantern moderate ban somebody --reason spam\n  \
                        lantern moderate staff add somebody\n  lantern moderate audit --verify")]
pub struct ModerateArgs {
    #[command(subcommand)]
    command: ModerateCommand,
    /// Say everything as JSON, an object a line.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum ModerateCommand {
    /// List uploads that wait for a decision: those with prohibited terms or that look like what was taken down, those that look like
    /// others, those that reports speak of, then the oldest.
    List {
        /// Rows at most.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
        limit: u32,
    },
    /// Show an upload that waits.
    Approve(uploads::Approve),
    /// Refuse an upload that waits.
    Reject(uploads::Reject),
    /// Take a video or an album down; the film can't be uploaded again.
    TakeDown(uploads::TakeDown),
    /// Undo a take-down, within `moderation.quarantine_days`.
    Restore(quarantine::Restore),
    /// List what was taken down and can be restored.
    Quarantine {
        /// Rows at most, the latest first.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
        limit: u32,
    },
    /// Record that a model agreed to a video or an album, or took that back.
    Consent(uploads::Consent),
    /// List reports, or work on one.
    Reports {
        #[command(subcommand)]
        act: Option<reports::ReportsAct>,
    },
    /// Show again what reports hid, whatever became of them.
    Show {
        /// What it is.
        #[arg(value_parser = ["video", "album", "playlist", "comment", "wall"])]
        section: String,
        /// Its id.
        id: i64,
    },
    /// Ban a member: all sessions end, and what the member shows and wrote is not listed any more.
    Ban(members::Ban),
    /// Lift a ban.
    Unban {
        /// Name of the member.
        username: String,
    },
    /// Members who may decide at /moderate/.
    Staff {
        #[command(subcommand)]
        act: staff::StaffAct,
    },
    /// Show the record of what was decided, or see whether it is whole.
    Audit(record::ModerateRecordArgs),
}

/// Works on the catalog of the running Lantern; without one, starts Postgres for the moment.
pub async fn run(config: Config, args: ModerateArgs) -> anyhow::Result<()> {
    stack::with_catalog(&config, async |pool| decide(&config, pool, args).await).await
}

async fn decide(config: &Config, pool: &PgPool, ModerateArgs { command, json }: ModerateArgs) -> anyhow::Result<()> {
    match command {
        ModerateCommand::List { limit } => uploads::list(config, pool, limit, json).await,
        ModerateCommand::Approve(args) => uploads::approve(pool, &args, json).await,
        ModerateCommand::Reject(args) => uploads::reject(config, pool, &args, json).await,
        ModerateCommand::TakeDown(args) => uploads::take_down(pool, &args, json).await,
        ModerateCommand::Restore(args) => quarantine::restore(pool, &args, json).await,
        ModerateCommand::Quarantine { limit } => quarantine::list(config, pool, limit, json).await,
        ModerateCommand::Consent(args) => uploads::consent(pool, &args, json).await,
        ModerateCommand::Reports { act } => reports::run(config, pool, act, json).await,
        ModerateCommand::Show { section, id } => reports::show_again(pool, &section, id, json).await,
        ModerateCommand::Ban(args) => members::ban(pool, &args, json).await,
        ModerateCommand::Unban { username } => members::unban(pool, &username, json).await,
        ModerateCommand::Staff { act } => staff::run(config, pool, act, json).await,
        ModerateCommand::Audit(args) => record::run(pool, args, json).await,
    }
}

/// Says that something is done.
fn done(json: bool, text: &str) {
    if json { say(&json!({ "ok": 1, "done": text }).to_string()) } else { say(text) }
}

fn rfc3339(at: OffsetDateTime) -> String {
    at.format(&Rfc3339).unwrap_or_default()
}

/// A stranger's text must not move the operator's cursor.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
