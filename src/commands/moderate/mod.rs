//! `lantern moderate`: pending uploads, reports, bans, moderators and the moderation record.

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
                        lantern moderate reports reject 7 --all\n  lantern moderate ban alice --reason spam\n  \
                        lantern moderate staff add alice\n  lantern moderate audit --verify")]
pub struct ModerateArgs {
    #[command(subcommand)]
    command: ModerateCommand,
    /// Print JSON, one object per line.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum ModerateCommand {
    /// List pending uploads: first those with prohibited terms or similar to removed ones, then those similar to others, then reported
    /// ones, then by age.
    List {
        /// Maximum number of rows.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
        limit: u32,
    },
    /// Publish a pending upload.
    Approve(uploads::Approve),
    /// Reject a pending upload.
    Reject(uploads::Reject),
    /// Take down a video or an album; its film can't be uploaded again.
    TakeDown(uploads::TakeDown),
    /// Undo a take-down, within `moderation.quarantine_days`.
    Restore(quarantine::Restore),
    /// List takedowns that can be undone, latest first.
    Quarantine {
        /// Maximum number of rows.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
        limit: u32,
    },
    /// Record a model's consent to a video or an album, or its revocation.
    Consent(uploads::Consent),
    /// List or handle reports.
    Reports {
        #[command(subcommand)]
        act: Option<reports::ReportsAct>,
    },
    /// Unhide an object that reports hid, whatever the state of the reports.
    Show {
        /// Type of the object.
        #[arg(value_parser = ["video", "album", "playlist", "comment", "wall"])]
        section: String,
        /// Id of the object.
        id: i64,
    },
    /// Ban a member: ends all sessions and unlists the member's content.
    Ban(members::Ban),
    /// Lift a ban.
    Unban {
        /// Name of the member.
        username: String,
    },
    /// Manage the moderators of /moderate/.
    Staff {
        #[command(subcommand)]
        act: staff::StaffAct,
    },
    /// Show or verify the moderation record.
    Audit(record::ModerateRecordArgs),
}

/// Works on the catalog of the running Lantern. If none is running, Postgres runs for the duration of the command.
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

/// Prints that an action succeeded.
fn done(json: bool, text: &str) {
    if json { say(&json!({ "ok": 1, "done": text }).to_string()) } else { say(text) }
}

pub(super) fn rfc3339(at: OffsetDateTime) -> String {
    at.format(&Rfc3339).unwrap_or_default()
}

/// Replaces control characters, so that untrusted text stays on one line.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
