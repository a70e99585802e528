//! `/api/moderate/`: what moderators see and decide, once their session took the second step.

pub mod ban;
pub mod clear;
pub mod community;
pub mod consent;
pub mod decide;
mod like;
pub mod profile;
pub mod proof;
pub mod queue;
pub mod reports;
pub mod seal;
pub mod second_step;
pub mod show;
pub mod take_down;
pub mod totp;

use axum::{
    extract::{FromRef, FromRequestParts},
    http::request::Parts,
};
use lantern_catalog::moderation::{Actor, staff};
use lantern_config::Config;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    account::session::now,
    http::{ApiError, ApiResult, Member, Query, Sessions},
    openapi::{Doc, refusal},
};

/// A member who may decide now. As an extractor it refuses others with 403: `dont_have_permission` who is no moderator,
/// `second_step_needed` whose session didn't take the second step, or too long ago.
pub struct Moderator(Member);

impl Moderator {
    fn actor(&self) -> Actor<'_> {
        Actor { id: Some(self.0.id), name: &self.0.username }
    }
}

impl<S: Sync> FromRequestParts<S> for Moderator
where
    Sessions: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let member = Member::from_request_parts(parts, state).await?;
        let sessions = Sessions::from_ref(state);
        let rights = staff::rights(&sessions.pool, member.session_id).await?;
        let rights = rights.ok_or(ApiError::Forbidden("dont_have_permission"))?;
        let present = now((sessions.now)())?;
        if rights.until.is_some_and(|until| until > present) {
            Ok(Self(member))
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

    /// The upload that `section` and `id` of an address name.
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

/// What every call of moderators refuses others with.
fn for_moderators(doc: Doc) -> Doc {
    doc.for_members().refuses(refusal(
        403,
        &[
            ("dont_have_permission", "the member is no moderator"),
            ("second_step_needed", "the session didn't take the second step, or too long ago"),
        ],
    ))
}

/// A text of a moderator: trimmed, and not longer than a note may be.
fn note(config: &Config, field: &'static str, text: Option<&str>) -> ApiResult<String> {
    let (text, most) = (text.unwrap_or_default().trim(), config.moderation.note_max);
    if text.chars().count() > most {
        return Err(ApiError::Field { field, code: "max_length", bound: Some(most) });
    }
    Ok(text.to_owned())
}
