//! `lantern moderate audit`: shows or verifies the moderation record.

use anyhow::{Context, bail};
use clap::Args;
use lantern_catalog::moderation::record::{self, WantedRecord};
use serde_json::json;
use sqlx::PgPool;

use super::{one_line, rfc3339};
use crate::progress::say;

#[derive(Debug, Args)]
pub struct ModerateRecordArgs {
    /// Verify the hash chain. Fails if a row was changed or removed.
    #[arg(long)]
    verify: bool,
    /// Latest digest that an earlier verification printed. Fails if the record no longer contains it.
    #[arg(long, requires = "verify")]
    head: Option<String>,
    /// Maximum number of rows, latest first.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(i64).range(1..=1_000_000))]
    limit: i64,
}

pub async fn run(pool: &PgPool, args: ModerateRecordArgs, json: bool) -> anyhow::Result<()> {
    if args.verify { verify(pool, args.head.as_deref(), json).await } else { list(pool, args.limit, json).await }
}

async fn list(pool: &PgPool, limit: i64, json: bool) -> anyhow::Result<()> {
    for row in record::list(pool, WantedRecord { object: None, limit }).await? {
        let at = rfc3339(row.decided_at);
        if json {
            let row = json!({
                "number": row.number, "decided_at": at, "actor": row.actor, "act": row.act, "section": row.section,
                "object_id": row.object_id, "details": row.details, "digest": hex::encode(row.digest),
            });
            say(&row.to_string());
        } else {
            let object = row.section.zip(row.object_id).map_or("-".to_owned(), |(kind, id)| format!("{kind} {id}"));
            let details = one_line(row.details.get());
            say(&format!("{}\t{at}\t{}\t{}\t{object}\t{details}", row.number, row.actor, row.act));
        }
    }
    Ok(())
}

async fn verify(pool: &PgPool, head: Option<&str>, json: bool) -> anyhow::Result<()> {
    let known = head.map(hex::decode).transpose().context("--head is not a digest")?;
    let found = record::verify(pool, known.as_deref()).await?;
    if let Some(number) = found.broken {
        bail!("the record is broken at row {number}: the row was changed, or rows before it are missing");
    }
    if !found.holds {
        bail!("the record doesn't contain --head: its last rows were removed, or it was rewritten");
    }
    let head = found.head.map_or("-".to_owned(), hex::encode);
    if json {
        say(&json!({ "ok": 1, "rows": found.rows, "head": head }).to_string());
    } else {
        say(&format!("The record is intact: {} rows, latest digest {head}", found.rows));
    }
    Ok(())
}
