//! `lantern moderate`: uploads that wait, reports, and bans.

use anyhow::bail;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use lantern_catalog::{
    moderation,
    reports::queue::{self, Closed, Report, Verdict, Wanted},
};
use lantern_config::{Config, DataDir};
use sqlx::PgPool;

use crate::{progress::say, stack};

/// Decide on uploads, reports and members.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Examples:\n  lantern moderate list\n  lantern moderate approve video 42\n  lantern moderate reports\n  \
                        lantern moderate reports show 7\n  lantern moderate reports reject 7 --all\n  \
                        lantern moderate ban somebody --reason spam"
)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List uploads that wait for a decision, oldest first.
    List {
        /// Rows at most.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(i64).range(1..=100_000))]
        limit: i64,
    },
    /// Show an upload that waits.
    Approve(Upload),
    /// Refuse an upload that waits.
    Reject(Upload),
    /// List reports, or work on one.
    Reports {
        #[command(subcommand)]
        act: Option<Act>,
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
    Ban {
        /// Name of the member.
        username: String,
        /// Why, for the record.
        #[arg(long)]
        reason: String,
        /// The member's videos and albums wait for a decision, too.
        #[arg(long)]
        uploads: bool,
    },
    /// Lift a ban.
    Unban {
        /// Name of the member.
        username: String,
    },
}

#[derive(Debug, ClapArgs)]
struct Upload {
    /// What it is.
    kind: Kind,
    id: i64,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    Video,
    Album,
}

impl Kind {
    fn section(self) -> &'static str {
        match self {
            Self::Video => "video",
            Self::Album => "album",
        }
    }
}

#[derive(Debug, Subcommand)]
enum Act {
    /// List reports: of hidden objects, heavy ones and severe reasons first.
    List {
        /// Only of this state; without it, all that wait.
        #[arg(long, value_parser = ["open", "in_review", "resolved", "rejected"])]
        state: Option<String>,
        /// Rows at most.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(i64).range(1..=100_000))]
        limit: i64,
    },
    /// Show a report as a whole.
    Show {
        /// Its number.
        id: i64,
    },
    /// Mark an open report as being looked at.
    Take {
        /// Its number.
        id: i64,
    },
    /// Close a report that was right; an object that reports hid stays hidden.
    Resolve {
        #[command(flatten)]
        closing: Closing,
        /// Take the object away for good.
        #[arg(long)]
        remove: bool,
        /// Show it again: its owner has mended it.
        #[arg(long, conflicts_with = "remove")]
        show: bool,
    },
    /// Close a report that was wrong; an object that reports hid comes back.
    Reject(Closing),
}

#[derive(Debug, ClapArgs)]
struct Closing {
    id: i64,
    /// Close every waiting report of the same object alike.
    #[arg(long)]
    all: bool,
    /// What was decided, for the record.
    #[arg(long, default_value = "")]
    note: String,
}

/// Works on the catalog of the running Lantern; without one, starts Postgres for the moment.
pub async fn run(config: Config, args: Args) -> anyhow::Result<()> {
    stack::with_catalog(&config, async |pool| decide(&config, pool, args.command).await).await
}

async fn decide(config: &Config, pool: &PgPool, command: Command) -> anyhow::Result<()> {
    match command {
        Command::List { limit } => list(pool, limit).await?,
        Command::Approve(upload) => upload_decided(pool, &upload, true).await?,
        Command::Reject(upload) => upload_decided(pool, &upload, false).await?,
        Command::Reports { act } => reports(config, pool, act.unwrap_or(Act::List { state: None, limit: 50 })).await?,
        Command::Show { section, id } => {
            if !queue::show_again(pool, &section, id).await? {
                bail!("{section} {id} is not hidden by reports");
            }
            say(&format!("{section} {id} is shown again, unless its owner took it away"));
        }
        Command::Ban { username, reason, uploads } => {
            let Some(banned) = moderation::ban(pool, &username, &reason, uploads).await? else {
                bail!("there is no member {username} who could be banned");
            };
            say(&format!("{username} is banned: {} sessions ended, {} uploads wait", banned.sessions, banned.uploads));
        }
        Command::Unban { username } => {
            if !moderation::unban(pool, &username).await? {
                bail!("{username} is not banned");
            }
            say(&format!("{username} is not banned any more"));
        }
    }
    Ok(())
}

async fn list(pool: &PgPool, limit: i64) -> anyhow::Result<()> {
    for one in moderation::pending(pool, limit).await? {
        let uploader = one.username.as_deref().unwrap_or("-");
        say(&format!(
            "{}\t{}\t{}\t{uploader}\t{} reports\t{}",
            one.section,
            one.id,
            one.created_at.date(),
            one.reports,
            one.title
        ));
    }
    Ok(())
}

async fn upload_decided(pool: &PgPool, upload: &Upload, approve: bool) -> anyhow::Result<()> {
    let (section, id) = (upload.kind.section(), upload.id);
    if !moderation::decide(pool, section, id, approve).await? {
        bail!("{section} {id} does not wait for a decision");
    }
    say(&format!("{section} {id} is {}", if approve { "shown" } else { "rejected" }));
    Ok(())
}

async fn reports(config: &Config, pool: &PgPool, act: Act) -> anyhow::Result<()> {
    match act {
        Act::List { state, limit } => {
            let wanted = Wanted { state: state.as_deref(), id: None, limit };
            queue::list(pool, wanted).await?.iter().for_each(|report| say(&line(report)));
        }
        Act::Show { id } => {
            let wanted = Wanted { state: None, id: Some(id), limit: 1 };
            let Some(report) = queue::list(pool, wanted).await?.pop() else { bail!("there is no report {id}") };
            show(config, &report);
        }
        Act::Take { id } => {
            if !queue::take(pool, id).await? {
                bail!("report {id} is not open");
            }
            say(&format!("report {id} is in review"));
        }
        Act::Resolve { closing, remove, show } => {
            close(pool, closing.id, Verdict { is_right: true, remove, show, all: closing.all, note: &closing.note })
                .await?;
        }
        Act::Reject(closing) => {
            let verdict =
                Verdict { is_right: false, remove: false, show: false, all: closing.all, note: &closing.note };
            close(pool, closing.id, verdict).await?;
        }
    }
    Ok(())
}

async fn close(pool: &PgPool, id: i64, verdict: Verdict<'_>) -> anyhow::Result<()> {
    let Some(closed) = queue::close(pool, id, verdict).await? else {
        bail!("report {id} does not wait");
    };
    let object = match closed {
        Closed { removed: true, .. } => "; the object is removed",
        Closed { restored: true, .. } => "; the object is back",
        Closed { hidden: true, .. } => "; the object stays hidden",
        _ => "",
    };
    say(&format!("{} reports {}{object}", closed.reports, if verdict.is_right { "resolved" } else { "rejected" }));
    Ok(())
}

fn line(report: &Report) -> String {
    let object =
        report.section.as_deref().zip(report.object_id).map_or("-".to_owned(), |(kind, id)| format!("{kind} {id}"));
    let reason = report.reason.as_deref().unwrap_or("-");
    let hidden = if report.is_hidden { "hidden" } else { "-" };
    format!(
        "{}\t{}\t{}\t{object}\t{reason}\t{hidden}\tweight {}\t{}",
        report.id,
        report.state,
        report.created_at.date(),
        report.weight,
        one_line(&report.subject)
    )
}

fn show(config: &Config, report: &Report) {
    say(&line(report));
    let from = report.username.as_deref().unwrap_or("a guest");
    say(&format!("from {from}, {} ({})", one_line(&report.email), report.lang));
    if let Some(page) = &report.page {
        say(&format!("on {}", one_line(page)));
    }
    if let Some(name) = &report.file_key {
        say(&format!("picture {}", DataDir::new(&config.data_dir).reports().join(name).display()));
    }
    if let Some(note) = &report.resolution {
        say(&format!("decided: {}", one_line(note)));
    }
    report.message.lines().for_each(|text| say(&format!("  {}", one_line(text))));
}

/// A stranger's text must not move the operator's cursor.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
