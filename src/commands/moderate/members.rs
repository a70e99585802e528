//! `lantern moderate ban` and `unban`.

use anyhow::bail;
use clap::Args;
use lantern_catalog::moderation::{Actor, members};
use serde_json::json;
use sqlx::PgPool;

use super::done;
use crate::progress::say;

#[derive(Debug, Args)]
pub struct Ban {
    /// Name of the member.
    username: String,
    /// Reason for the moderation record.
    #[arg(long)]
    reason: String,
    /// Also hold the member's videos and albums for review.
    #[arg(long)]
    uploads: bool,
}

pub async fn ban(pool: &PgPool, args: &Ban, json: bool) -> anyhow::Result<()> {
    let Ban { username, reason, uploads } = args;
    let Some(banned) = members::ban(pool, &Actor::OPERATOR, username, reason, *uploads).await? else {
        bail!("no member {username} that can be banned");
    };
    if json {
        say(&json!({ "ok": 1, "username": username, "sessions": banned.sessions, "uploads": banned.uploads })
            .to_string());
    } else {
        say(&format!(
            "{username} is banned: {} sessions ended, {} uploads held for review",
            banned.sessions, banned.uploads
        ));
    }
    Ok(())
}

pub async fn unban(pool: &PgPool, username: &str, json: bool) -> anyhow::Result<()> {
    if !members::unban(pool, &Actor::OPERATOR, username).await? {
        bail!("{username} is not banned");
    }
    done(json, &format!("{username} is no longer banned"));
    Ok(())
}
