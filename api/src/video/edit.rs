//! `POST /api/video_edit.php {act: 2|3|4, video_id, days}`: what owners with `status_id` 6 do with own videos.

use axum::{extract::State, response::Response};
use lantern_catalog::managed;
use lantern_config::Config;
use lantern_ratelimit::{Action, Key};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};
use utoipa::ToSchema;

use crate::{
    http::{
        error::{ApiError, ApiResult},
        extract::{Form, Member},
        private,
    },
    index::rfc3339,
    openapi::{
        Doc,
        errors::{invalid, refusal, too_often},
        params::{self, field},
    },
    state::AppState,
};

/// `status_id` of members who manage their uploads.
const MANAGES: i16 = 6;

/// What the owner asks for, by its number on the wire.
#[derive(Debug, Clone, Copy, Deserialize)]
enum UploadAct {
    #[serde(rename = "2")]
    Delete,
    #[serde(rename = "3")]
    TogglePrivate,
    #[serde(rename = "4")]
    Readd,
}

#[derive(Debug, Deserialize)]
pub struct UploadForm {
    act: UploadAct,
    video_id: i64,
    days: Option<u32>,
}

/// What the video is now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ManagedAnswer {
    /// Always 1.
    #[schema(minimum = 1, maximum = 1, example = 1)]
    ok: u8,
    /// After `act=3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    is_private: Option<bool>,
    /// After `act=4`, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = DateTime)]
    readd_at: Option<String>,
}

pub fn doc(config: &Config) -> Doc {
    let days = json!({ "type": "integer", "minimum": 1, "maximum": config.member_area.readd_days_max,
        "default": config.member_area.readd_days });
    let acts: Value = json!({ "type": "string", "enum": ["2", "3", "4"] });
    Doc::post("member", "video_edit", "/api/video_edit.php", "Manage an own upload")
        .about(
            "Only for members with `status_id` 6. 2 deletes, 3 makes private or public again, 4 takes the video away and brings it \
             back, as it was, after `days`; so does one that its owner deleted, not one that moderation did.",
        )
        .for_members()
        .field(field("act", "Code of the action.", acts, "3").required())
        .field(field("video_id", "The own video.", params::id_schema(), 1).required())
        .field(field("days", "Days until it comes back.", days, ""))
        .answers::<ManagedAnswer>("It is done.")
        .refuses(refusal(403, &[("dont_have_permission", "the member doesn't manage uploads")]))
        .refuses(refusal(404, &[("video_not_found", "no such video of this member")]))
        .refuses(refusal(422, &[("required", "`act` or `video_id` is not there")]))
        .refuses(invalid())
        .refuses(too_often())
}

pub async fn video_edit(
    State(state): State<AppState>,
    member: Member,
    Form(sent): Form<UploadForm>,
) -> ApiResult<Response> {
    let area = &state.config.member_area;
    let days = sent.days.unwrap_or(area.readd_days);
    if !(1..=area.readd_days_max).contains(&days) {
        return Err(ApiError::invalid("days"));
    }
    state.limits.take(Action::Act, &Key::member(member.id)).await?;
    let mut conn = state.pool.acquire().await?;
    let mut answer = ManagedAnswer { ok: 1, is_private: None, readd_at: None };
    let done = match sent.act {
        UploadAct::Delete => managed::delete(&mut conn, member.id, sent.video_id).await?,
        UploadAct::TogglePrivate => {
            answer.is_private = managed::toggle_private(&mut conn, member.id, sent.video_id).await?;
            answer.is_private.is_some()
        }
        UploadAct::Readd => {
            let now = OffsetDateTime::from_unix_timestamp((state.now)()).map_err(ApiError::internal)?;
            let at = now + Duration::days(days.into());
            answer.readd_at = Some(rfc3339(at.unix_timestamp()));
            managed::readd(&mut conn, member.id, sent.video_id, at).await?
        }
    };
    // The query refuses both; only the reason is looked for here.
    match done {
        true => Ok(private::answer(answer)),
        false if member.status_id == MANAGES => Err(ApiError::NotFound("video_not_found")),
        false => Err(ApiError::Forbidden("dont_have_permission")),
    }
}
