//! Moderation calls below `/api/moderate/`, for sessions that have taken the second step.

pub mod ban;
pub mod captions;
pub mod clear;
pub mod community;
pub mod consent;
pub mod decide;
mod device;
mod like;
pub mod profile;
pub mod proof;
pub mod queue;
pub mod reports;
pub mod restore;
pub mod revoke;
pub mod second_step;
pub mod show;
pub mod take_down;

use std::sync::Arc;

use axum::{
    extract::{FromRef, FromRequestParts},
    http::request::Parts,
};
use lantern_catalog::moderation::{
    Actor,
    interest::{self, Interest},
    staff,
};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query,
    openapi::{Doc, refusal, too_often},
};
use lantern_ratelimit::{Action, Key, Limits};
use serde::Deserialize;
use serde_json::{Value, json};

use lantern_accounts::{
    session::now,
    viewer::{Member, Sessions},
};

/// A moderator whose session has taken the second step. As an extractor, it refuses other members with 403. The code is
/// `dont_have_permission` for non-moderators and `second_step_needed` if the second step is missing or expired.
pub struct Moderator {
    member: Member,
    sessions: Sessions,
    limits: Arc<Limits>,
}

impl Moderator {
    /// Returns the [`Actor`] for recording a reversible decision. Decisions have no other way to get an actor, so all of them respect the
    /// rate limit and none concerns the moderator's own objects.
    ///
    /// # Errors
    /// 403 `own_object` or `staff_member`, 429 if the moderator decides too quickly.
    async fn decides_on(&self, section: &str, id: i64) -> ApiResult<Actor<'_>> {
        self.check_interest(section, id).await?;
        self.limits.take(Action::Decision, &Key::member(self.member.id)).await?;
        Ok(self.actor())
    }

    /// Returns the [`Actor`] for a decision that is hard to reverse, such as a take-down, a ban or a revocation.
    ///
    /// # Errors
    /// The same errors as [`Self::decides_on`]. Also 403 `step_up_needed` after `moderation.step_up_after` such decisions since the
    /// session's last one-time password.
    async fn decides_gravely_on(&self, section: &str, id: i64) -> ApiResult<Actor<'_>> {
        self.check_interest(section, id).await?;
        let counted = self.limits.take(Action::GraveDecision, &Key::member(self.member.id)).await?;
        let most = self.sessions.config.moderation.step_up_after;
        if !staff::count_grave(&self.sessions.pool, self.member.session_id, most).await? {
            counted.give_back().await?;
            return Err(ApiError::Forbidden("step_up_needed"));
        }
        Ok(self.actor())
    }

    async fn check_interest(&self, section: &str, id: i64) -> ApiResult<()> {
        match interest::of(&self.sessions.pool, self.member.id, section, id).await? {
            None => Ok(()),
            Some(Interest::Own) => Err(ApiError::Forbidden("own_object")),
            Some(Interest::Staff) => Err(ApiError::Forbidden("staff_member")),
        }
    }

    fn actor(&self) -> Actor<'_> {
        Actor { id: Some(self.member.id), name: &self.member.username }
    }
}

impl<S: Sync> FromRequestParts<S> for Moderator
where
    Sessions: FromRef<S>,
    Arc<Limits>: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let member = Member::from_request_parts(parts, state).await?;
        let sessions = Sessions::from_ref(state);
        let rights = staff::rights(&sessions.pool, member.session_id).await?;
        let rights = rights.ok_or(ApiError::Forbidden("dont_have_permission"))?;
        let present = now((sessions.now)())?;
        if rights.until.is_some_and(|until| until > present) {
            Ok(Self { member, sessions, limits: Arc::from_ref(state) })
        } else {
            Err(ApiError::Forbidden("second_step_needed"))
        }
    }
}

/// Kind of an upload.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UploadKind {
    Video,
    Album,
}

impl UploadKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Video => "video",
            Self::Album => "album",
        }
    }

    /// Parses the query parameters `section` and `id`.
    fn named(query: &Query) -> ApiResult<(Self, i64)> {
        let kind = match query.get("section").ok_or(ApiError::required("section"))? {
            "video" => Self::Video,
            "album" => Self::Album,
            _ => return Err(ApiError::invalid("section")),
        };
        Ok((kind, query.number("id", 1..=i64::MAX)?.ok_or(ApiError::required("id"))?))
    }

    const fn missing(self) -> ApiError {
        ApiError::NotFound(match self {
            Self::Video => "video_not_found",
            Self::Album => "album_not_found",
        })
    }
}

fn kinds() -> Value {
    json!({ "type": "string", "enum": ["video", "album"] })
}

/// Adds the refusals that all moderation calls have in common.
fn for_moderators(doc: Doc) -> Doc {
    doc.for_members().refuses(refusal(
        403,
        &[
            ("dont_have_permission", "the member is not a moderator"),
            ("second_step_needed", "the session's second step is missing or expired"),
        ],
    ))
}

/// Adds the refusals that all decisions have in common.
fn for_decisions(doc: Doc) -> Doc {
    for_moderators(doc)
        .refuses(refusal(
            403,
            &[
                ("own_object", "the object belongs to the moderator; another one must decide"),
                ("staff_member", "the object is a moderator's account; the operator must decide"),
            ],
        ))
        .refuses(too_often())
}

/// Adds the refusals that all decisions that are hard to reverse have in common.
fn for_grave_decisions(doc: Doc) -> Doc {
    for_decisions(doc).refuses(refusal(
        403,
        &[("step_up_needed", "after several grave decisions, the session needs a new one-time password")],
    ))
}

/// Returns a moderator's text, trimmed. Fails if it exceeds the length limit for notes.
fn note(config: &Config, field: &'static str, text: Option<&str>) -> ApiResult<String> {
    let (text, most) = (text.unwrap_or_default().trim(), config.moderation.note_max);
    if text.chars().count() > most {
        return Err(ApiError::Field { field, code: "max_length", bound: Some(most) });
    }
    Ok(text.to_owned())
}
