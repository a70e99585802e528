//! `lantern moderate restore` and `quarantine`.

use anyhow::bail;
use clap::Args;
use lantern_catalog::{
    moderation::{
        Actor,
        quarantine::{self, RestoreOutcome},
    },
    status::UploadStatus,
};
use lantern_config::Config;
use serde_json::json;
use sqlx::PgPool;
use time::Duration;

use super::{done, one_line, rfc3339, uploads::Kind};
use crate::progress::say;

#[derive(Debug, Args)]
pub struct Restore {
    /// Type of the object.
    kind: Kind,
    id: i64,
    /// Note for the moderation record.
    #[arg(long, default_value = "")]
    note: String,
}

pub async fn restore(pool: &PgPool, args: &Restore, json: bool) -> anyhow::Result<()> {
    let (section, id) = (args.kind.as_str(), args.id);
    let state = match quarantine::restore(pool, &Actor::OPERATOR, section, id, &args.note).await? {
        RestoreOutcome::Done(UploadStatus::Published) => "is published again",
        RestoreOutcome::Done(UploadStatus::Scheduled) => "is published at its scheduled time",
        RestoreOutcome::Done(UploadStatus::InReview) => "is pending review",
        RestoreOutcome::Done(_) => "has its former state",
        RestoreOutcome::NotQuarantined | RestoreOutcome::NeedsAnother => {
            bail!("{section} {id} was not taken down, or its files are deleted")
        }
    };
    done(json, &format!("{section} {id} {state}"));
    Ok(())
}

pub async fn list(config: &Config, pool: &PgPool, limit: u32, json: bool) -> anyhow::Result<()> {
    let days = Duration::days(config.moderation.quarantine_days.into());
    for row in quarantine::list(pool, limit).await? {
        let (at, until) = (rfc3339(row.taken_down_at), rfc3339(row.taken_down_at + days));
        // The moderator's account may be closed; then there is no name.
        let by = match (row.taken_down_by, row.moderator) {
            (None, _) => "operator".to_owned(),
            (Some(_), Some(name)) => name,
            (Some(id), None) => format!("moderator {id}"),
        };
        if json {
            let row = json!({ "section": row.section, "id": row.id, "title": row.title, "username": row.username,
                "taken_down_by": by, "taken_down_at": at, "until": until });
            say(&row.to_string());
        } else {
            let uploader = row.username.as_deref().unwrap_or("-");
            let title = one_line(&row.title);
            say(&format!("{}\t{}\t{at}\tby {by}\tuntil {until}\t{uploader}\t{title}", row.section, row.id));
        }
    }
    Ok(())
}
