//! `lantern moderate staff`: manages the moderators of /moderate/.

use anyhow::{Context, bail};
use clap::Subcommand;
use lantern_accounts::totp;
use lantern_catalog::moderation::{Actor, staff};
use lantern_config::{Config, DataDir};
use lantern_media::links::Signer;
use qrcode::{QrCode, render::unicode::Dense1x2};
use rand::{TryRngCore, rngs::OsRng};
use serde_json::json;
use sqlx::PgPool;

use super::{done, rfc3339};
use crate::{progress::say, stack};

#[derive(Debug, Subcommand)]
pub enum StaffAct {
    /// Make a member a moderator; shows the key for one-time passwords once.
    Add {
        /// Name of the member.
        username: String,
    },
    /// Replace a moderator's key for one-time passwords; the old one becomes invalid.
    Renew {
        /// Name of the moderator.
        username: String,
    },
    /// Revoke a moderator's rights immediately.
    Remove {
        /// Name of the moderator.
        username: String,
    },
    /// List moderators.
    List,
}

/// Issuer that authenticator apps show.
const SITE: &str = "Lantern";

pub async fn run(config: &Config, pool: &PgPool, act: StaffAct, json: bool) -> anyhow::Result<()> {
    match act {
        StaffAct::Add { username } => grant(config, pool, &username, false, json).await,
        StaffAct::Renew { username } => grant(config, pool, &username, true, json).await,
        StaffAct::Remove { username } => {
            let (id, username) = member(pool, &username).await?;
            if !staff::revoke(pool, &Actor::OPERATOR, id).await? {
                bail!("{username} is not a moderator");
            }
            done(json, &format!("{username} is no longer a moderator"));
            Ok(())
        }
        StaffAct::List => list(pool, json).await,
    }
}

async fn member(pool: &PgPool, username: &str) -> anyhow::Result<(i64, String)> {
    staff::member(pool, username).await?.with_context(|| format!("no member {username}"))
}

async fn grant(config: &Config, pool: &PgPool, username: &str, again: bool, json: bool) -> anyhow::Result<()> {
    let (id, username) = member(pool, username).await?;
    if staff::list(pool).await?.iter().any(|moderator| moderator.username == username) != again {
        bail!("{username} is {} moderator", if again { "not a" } else { "already a" });
    }
    let mut secret = [0; totp::SECRET];
    OsRng.try_fill_bytes(&mut secret)?;
    let signer = Signer::new(stack::secret(config, &DataDir::new(&config.data_dir))?.as_bytes());
    let sealed = signer.seal().seal(&staff::place(id), &secret)?;
    let address = totp::address(&secret, SITE, &username)?;
    staff::grant(pool, &Actor::OPERATOR, id, &sealed).await?;
    if json {
        say(&json!({ "ok": 1, "username": username, "key": address }).to_string());
        return Ok(());
    }
    // The colors are inverted, because terminals are usually dark.
    let picture = QrCode::new(&address)?.render().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
    say(&picture);
    say(&format!("{username} is a moderator. Key for their authenticator app, shown only once:\n{address}"));
    Ok(())
}

async fn list(pool: &PgPool, json: bool) -> anyhow::Result<()> {
    for one in staff::list(pool).await? {
        let since = rfc3339(one.granted_at);
        if json {
            let row = json!({ "username": one.username, "granted_at": since, "has_signed_in": one.has_signed_in });
            say(&row.to_string());
        } else {
            let seen = if one.has_signed_in { "has signed in" } else { "has not signed in yet" };
            say(&format!("{}\t{since}\t{seen}", one.username));
        }
    }
    Ok(())
}
