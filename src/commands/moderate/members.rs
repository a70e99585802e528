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
    /// Why, for the record.
    #[arg(long)]
    reason: String,
    /// The member's videos and albums wait for a decision, too.
    #[arg(long)]
    uploads: bool,
}

pub async fn ban(pool: &PgPool, args: &Ban, json: bool) -> anyhow::Result<()> {
    let Ban { username, reason, uploads } = args;
    let Some(banned) = members::ban(pool, &Actor::OPERATOR, username, reason, *uploads).await? else {
        bail!("there is no member {username} who could be banned");
    };
    if json {
        say(&json!({ "ok": 1, "username": username, "sessions": banned.sessions, "uploads": banned.uploads })
            .to_string());
    } else {
        say(&format!("{username} is banned: {} sessions ended, {} uploads wait", banned.sessions, banned.uploads));
    }
    Ok(())
}

pub async fn unban(pool: &PgPool, username: &str, json: bool) -> anyhow::Result<()> {
    if !members::unban(pool, &Actor::OPERATOR, username).await? {
        bail!("{username} is not banned");
    }
    done(json, &format!("{username} is not banned any more"));
    Ok(())
}
