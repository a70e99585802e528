//! `lantern moderate list`, `approve`, `reject`, `take-down` and `consent`.

use anyhow::bail;
use clap::{Args, Subcommand, ValueEnum};
use lantern_catalog::moderation::{
    Actor,
    consents::{self, ConsentOutcome, DOCUMENTS, NewConsent},
    queue::{self, QueuedUpload as PendingUpload},
    uploads::{self, Decision, DecisionOutcome, Verdict},
};
use lantern_config::Config;
use lantern_index::text::TermList;
use serde_json::json;
use sqlx::PgPool;
use time::{Date, OffsetDateTime, macros::format_description};

use super::{done, one_line, rfc3339};
use crate::progress::say;

#[derive(Debug, Args)]
struct QueuedUpload {
    /// Type of the object.
    kind: Kind,
    id: i64,
    /// Reviewed revision; fails if there is a later one.
    #[arg(long)]
    revision: Option<i32>,
    /// Note for the moderation record.
    #[arg(long, default_value = "")]
    note: String,
}

#[derive(Debug, Args)]
pub struct Approve {
    #[command(flatten)]
    upload: QueuedUpload,
    /// Confirm that an upload without models shows no person.
    #[arg(long)]
    nobody: bool,
}

#[derive(Debug, Args)]
pub struct Reject {
    #[command(flatten)]
    upload: QueuedUpload,
    /// Reason shown to the member, one of `moderation.reasons`.
    #[arg(long)]
    reason: String,
}

#[derive(Debug, Args)]
pub struct TakeDown {
    /// Type of the object.
    kind: Kind,
    id: i64,
    /// Note for the moderation record.
    #[arg(long, default_value = "")]
    note: String,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Consent {
    #[command(subcommand)]
    act: Option<ConsentAct>,
    #[command(flatten)]
    new: Option<Recorded>,
}

#[derive(Debug, Subcommand)]
enum ConsentAct {
    /// Revoke a model's consent; hides the object immediately until it is reviewed.
    Revoke {
        /// Type of the object.
        kind: Kind,
        id: i64,
        /// Slug of the model.
        model: String,
        /// Note for the moderation record.
        #[arg(long, default_value = "")]
        note: String,
    },
}

#[derive(Debug, Args)]
struct Recorded {
    /// Type of the object.
    kind: Kind,
    id: i64,
    /// Slug of the model.
    model: String,
    /// Date of the signature, such as 2026-09-01.
    #[arg(long, value_parser = day)]
    signed_on: Date,
    /// Kind of the verified document.
    #[arg(long, value_parser = DOCUMENTS)]
    document: String,
    /// Storage location of the document.
    #[arg(long)]
    reference: String,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Kind {
    Video,
    Album,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Video => "video",
            Self::Album => "album",
        }
    }
}

fn day(text: &str) -> Result<Date, String> {
    let date = Date::parse(text, format_description!("[year]-[month]-[day]")).map_err(|error| error.to_string())?;
    if date > OffsetDateTime::now_utc().date() { Err("date is in the future".to_owned()) } else { Ok(date) }
}

pub async fn list(config: &Config, pool: &PgPool, limit: u32, json: bool) -> anyhow::Result<()> {
    let terms = TermList::of(&config.safety);
    for one in queue::list(pool, |text| terms.found_in(text), limit).await? {
        let has_terms = one.has_text(|text| terms.found_in(text));
        if json {
            let row = json!({
                "section": one.section, "id": one.id, "revision": one.revision, "title": one.title,
                "description": one.description, "username": one.username, "created_at": rfc3339(one.created_at),
                "file_name": one.file_name, "reports": one.reports, "duration": one.duration,
                "like": one.like, "like_banned": one.like_banned, "has_terms": has_terms,
            });
            say(&row.to_string());
        } else {
            let uploader = one.username.as_deref().unwrap_or("-");
            let (since, title) = (one.created_at.date(), one_line(&one.title));
            say(&format!(
                "{}\t{}\t{since}\t{uploader}\t{} reports\t{}\t{}\t{title}",
                one.section,
                one.id,
                one.reports,
                if has_terms { "prohibited terms" } else { "-" },
                like(&one)
            ));
        }
    }
    Ok(())
}

/// Formats the ids of the videos with similar films.
fn like(upload: &PendingUpload) -> String {
    let ids = |ids: &[i64]| ids.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    match (upload.like_banned.as_slice(), upload.like.as_slice()) {
        ([], []) => "-".to_owned(),
        ([], others) => format!("like {}", ids(others)),
        (banned, _) => format!("like removed {}", ids(banned)),
    }
}

pub async fn approve(pool: &PgPool, args: &Approve, json: bool) -> anyhow::Result<()> {
    decide(pool, &args.upload, Verdict::Approve { nobody: args.nobody }, json).await
}

pub async fn reject(config: &Config, pool: &PgPool, args: &Reject, json: bool) -> anyhow::Result<()> {
    let reasons = &config.moderation.reasons;
    if !reasons.contains(&args.reason) {
        bail!("unknown reason {:?}; known are {}", args.reason, reasons.join(", "));
    }
    decide(pool, &args.upload, Verdict::Reject(&args.reason), json).await
}

async fn decide(pool: &PgPool, upload: &QueuedUpload, verdict: Verdict<'_>, json: bool) -> anyhow::Result<()> {
    let (section, id) = (upload.kind.as_str(), upload.id);
    let decision = Decision { section, id, revision: upload.revision, verdict, note: &upload.note };
    match uploads::decide(pool, &Actor::OPERATOR, decision).await? {
        DecisionOutcome::Done => {
            done(
                json,
                &format!(
                    "{section} {id} is {}",
                    if matches!(verdict, Verdict::Reject(_)) { "rejected" } else { "approved" }
                ),
            );
            Ok(())
        }
        DecisionOutcome::NotWaiting => bail!("{section} {id} is not pending"),
        DecisionOutcome::Changed => bail!("{section} {id} was changed after that revision; review it again"),
        DecisionOutcome::Reported => {
            bail!("reports about the video whose film it replaces are open; decide on them first")
        }
        DecisionOutcome::NoPerformers => bail!("{section} {id} names no model; add --nobody if it shows no person"),
        DecisionOutcome::NoConsent(models) => {
            bail!("missing consents to {section} {id}: {}", models.join(", "))
        }
    }
}

pub async fn take_down(pool: &PgPool, args: &TakeDown, json: bool) -> anyhow::Result<()> {
    let (section, id) = (args.kind.as_str(), args.id);
    if !uploads::take_down(pool, &Actor::OPERATOR, section, id, &args.note).await? {
        bail!("no {section} {id} to take down");
    }
    done(json, &format!("{section} {id} is taken down"));
    Ok(())
}

pub async fn consent(pool: &PgPool, args: &Consent, json: bool) -> anyhow::Result<()> {
    match (&args.act, &args.new) {
        (Some(ConsentAct::Revoke { kind, id, model, note }), _) => {
            let object = (kind.as_str(), *id);
            let Some(hidden) = consents::revoke(pool, &Actor::OPERATOR, object, model, note).await? else {
                bail!("no consent of {model} to {} {id} to revoke", object.0);
            };
            let hidden = if hidden { "; it is hidden" } else { "" };
            done(json, &format!("the consent of {model} to {} {id} is revoked{hidden}", object.0));
            Ok(())
        }
        (None, Some(new)) => record_consent(pool, new, json).await,
        (None, None) => bail!("specify an object, or use `revoke`"),
    }
}

async fn record_consent(pool: &PgPool, args: &Recorded, json: bool) -> anyhow::Result<()> {
    let (section, id) = (args.kind.as_str(), args.id);
    let new = NewConsent {
        object: (section, id),
        model: &args.model,
        signed_on: args.signed_on,
        document_kind: &args.document,
        document_ref: &args.reference,
        proof: None,
        proof_type: None,
    };
    match consents::record(pool, &Actor::OPERATOR, new).await? {
        ConsentOutcome::Done => {
            done(json, &format!("the consent of {} to {section} {id} is recorded", args.model));
            Ok(())
        }
        ConsentOutcome::NoPerformer => bail!("{section} {id} has no model {}", args.model),
        ConsentOutcome::Revoked => {
            bail!("{} revoked their consent to {section} {id} after {}", args.model, args.signed_on)
        }
        ConsentOutcome::NotAdult => bail!("{} was not 18 years old on {}", args.model, args.signed_on),
    }
}
