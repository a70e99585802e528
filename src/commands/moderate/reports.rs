//! `lantern moderate reports`: lists and handles reports.

use anyhow::bail;
use clap::{Args, Subcommand};
use lantern_catalog::{
    moderation::Actor,
    reports::queue::{self, ClosingOutcome, Report, ReportVerdict, WantedReports},
};
use lantern_config::{Config, DataDir};
use serde_json::{Value, json};
use sqlx::PgPool;

use super::{done, one_line, rfc3339};
use crate::progress::say;

#[derive(Debug, Subcommand)]
pub enum ReportsAct {
    /// List reports: first those with urgent reasons, then those on hidden objects, escalated ones, severe reasons, and
    /// the oldest.
    List {
        /// Only reports in this state; default: all pending ones.
        #[arg(long, value_parser = ["open", "in_review", "resolved", "rejected"])]
        state: Option<String>,
        /// Maximum number of rows.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(i64).range(1..=100_000))]
        limit: i64,
    },
    /// Show a report in full.
    Show {
        /// Number of the report.
        id: i64,
    },
    /// Mark an open report as in review.
    Take {
        /// Number of the report.
        id: i64,
    },
    /// Close a justified report; an object that reports hid stays hidden.
    Resolve {
        #[command(flatten)]
        closing: Closing,
        /// Remove the object permanently.
        #[arg(long)]
        remove: bool,
        /// Unhide the object, because its owner fixed it.
        #[arg(long, conflicts_with = "remove")]
        show: bool,
    },
    /// Close an unjustified report; unhides an object that reports hid.
    Reject(Closing),
}

#[derive(Debug, Args)]
pub struct Closing {
    id: i64,
    /// Close all pending reports of the same object.
    #[arg(long)]
    all: bool,
    /// Note for the moderation record.
    #[arg(long, default_value = "")]
    note: String,
}

pub async fn run(config: &Config, pool: &PgPool, act: Option<ReportsAct>, json: bool) -> anyhow::Result<()> {
    match act.unwrap_or(ReportsAct::List { state: None, limit: 50 }) {
        ReportsAct::List { state, limit } => {
            let wanted = WantedReports { state: state.as_deref(), id: None, object: None, limit };
            for report in queue::list(pool, wanted).await? {
                say(&if json { value(config, &report).to_string() } else { line(&report) });
            }
        }
        ReportsAct::Show { id } => {
            let wanted = WantedReports { state: None, id: Some(id), object: None, limit: 1 };
            let Some(report) = queue::list(pool, wanted).await?.pop() else { bail!("no report {id}") };
            if json { say(&value(config, &report).to_string()) } else { show(config, &report) }
        }
        ReportsAct::Take { id } => {
            if !queue::take(pool, id).await? {
                bail!("report {id} is not open");
            }
            done(json, &format!("report {id} is in review"));
        }
        ReportsAct::Resolve { closing, remove, show } => {
            close(
                pool,
                json,
                closing.id,
                ReportVerdict { is_right: true, remove, show, all: closing.all, note: &closing.note },
            )
            .await?;
        }
        ReportsAct::Reject(closing) => {
            let verdict =
                ReportVerdict { is_right: false, remove: false, show: false, all: closing.all, note: &closing.note };
            close(pool, json, closing.id, verdict).await?;
        }
    }
    Ok(())
}

/// Unhides an object that reports hid.
pub async fn show_again(pool: &PgPool, section: &str, id: i64, json: bool) -> anyhow::Result<()> {
    if !queue::show_again(pool, &Actor::OPERATOR, section, id).await? {
        bail!("{section} {id} is not hidden by reports");
    }
    done(json, &format!("{section} {id} is visible again, unless its owner removed it"));
    Ok(())
}

async fn close(pool: &PgPool, json: bool, id: i64, verdict: ReportVerdict<'_>) -> anyhow::Result<()> {
    let Some(closed) = queue::close(pool, &Actor::OPERATOR, id, verdict).await? else {
        bail!("report {id} is not pending");
    };
    let object = match closed {
        ClosingOutcome { removed: true, .. } => "; the object is removed",
        ClosingOutcome { restored: true, .. } => "; the object is visible again",
        ClosingOutcome { hidden: true, .. } => "; the object stays hidden",
        _ => "",
    };
    let word = if verdict.is_right { "resolved" } else { "rejected" };
    done(json, &format!("{} reports {word}{object}", closed.reports));
    Ok(())
}

fn line(report: &Report) -> String {
    let object =
        report.section.as_deref().zip(report.object_id).map_or("-".to_owned(), |(kind, id)| format!("{kind} {id}"));
    let reason = report.reason.as_deref().unwrap_or("-");
    let hidden = match (report.is_hidden, report.is_urgent) {
        (true, _) => "hidden",
        (false, true) => "urgent",
        (false, false) => "-",
    };
    format!(
        "{}\t{}\t{}\t{object}\t{reason}\t{hidden}\tweight {}\t{}",
        report.id,
        report.state,
        report.created_at.date(),
        report.weight,
        one_line(&report.subject)
    )
}

fn value(config: &Config, report: &Report) -> Value {
    let picture =
        report.file_key.as_ref().map(|name| DataDir::new(&config.data_dir).reports().join(name).display().to_string());
    json!({
        "id": report.id, "state": report.state, "created_at": rfc3339(report.created_at), "section": report.section,
        "object_id": report.object_id, "reason": report.reason, "hidden": report.is_hidden, "urgent": report.is_urgent, "weight": report.weight,
        "subject": report.subject, "message": report.message, "username": report.username, "email": report.email,
        "lang": report.lang, "page": report.page, "picture": picture, "decided": report.resolution,
    })
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
