//! `GET /api/notifications.php`: a member's notification settings. `POST {act: read|remove|restore|settings}`: marks, removes and
//! restores notifications, and changes the settings.

use std::sync::Arc;

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_accounts::viewer::Member;
use lantern_catalog::notifications::{self, Settings};
use lantern_config::{Config, Digest, NotificationKind};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Done, Form, cookies,
    openapi::{Doc, field, id_schema, refusal, too_often},
    private,
};
use lantern_ratelimit::{Action, Key, Limits};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::action::form::required;

/// A member's notification settings.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NotificationSettings {
    /// Kinds that are turned off.
    #[schema(value_type = Vec<NotificationKind>)]
    muted: Vec<String>,
    /// How often a digest is mailed.
    #[schema(value_type = Digest)]
    digest: String,
}

pub fn settings_doc(_: &Config) -> Doc {
    Doc::new("member", "notification_settings", "/api/notifications.php", "Notification settings")
        .about("`member_lists.php?list=notifications` returns the notifications, `me.php` how many are new.")
        .for_members()
        .answers::<NotificationSettings>("The settings.")
}

pub async fn settings(State(pool): State<PgPool>, member: Member) -> ApiResult<Response> {
    let Settings { muted, digest } = notifications::settings(&pool, member.id).await?;
    Ok(private::answer(NotificationSettings { muted, digest }))
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum NotificationAct {
    Read,
    Remove,
    Restore,
    Settings,
}

#[derive(Debug, Deserialize)]
pub struct NotificationForm {
    act: NotificationAct,
    notification_id: Option<i64>,
    muted: Option<String>,
    digest: Option<Digest>,
}

pub fn act_doc(_: &Config) -> Doc {
    let acts = json!({ "type": "string", "enum": ["read", "remove", "restore", "settings"] });
    let digest = json!({ "$ref": "#/components/schemas/Digest" });
    Doc::post("member", "notifications", "/api/notifications.php", "Mark notifications and change their settings")
        .about(
            "`read` marks one (`notification_id`) or all as read; `remove` removes one, which `restore` undoes for a short time; \
             `settings` needs `digest`, and `muted`, the comma-separated kinds to turn off, if there are any. The digest is mailed \
             in the language of the requesting page.",
        )
        .for_members()
        .field(field("act", "Action to perform.", acts, "read").required())
        .field(field("notification_id", "Id of the notification.", id_schema(), ""))
        .field(field("muted", "Comma-separated kinds to turn off.", json!({ "type": "string" }), ""))
        .field(field("digest", "How often a digest is mailed.", digest, ""))
        .answers::<Done>("Done.")
        .refuses(refusal(404, &[("notification_not_found", "the member has no such notification")]))
        .refuses(refusal(422, &[("required", "a field that the action requires is missing")]))
        .refuses(too_often())
}

/// Marks, removes or restores notifications, or changes the settings.
pub async fn act(
    State(pool): State<PgPool>,
    State(config): State<Arc<Config>>,
    State(limits): State<Arc<Limits>>,
    member: Member,
    headers: HeaderMap,
    Form(form): Form<NotificationForm>,
) -> ApiResult<Response> {
    limits.take(Action::Act, &Key::member(member.id)).await?;
    let id = || required("notification_id", form.notification_id);
    let found = match form.act {
        NotificationAct::Read => {
            notifications::read(&pool, member.id, form.notification_id).await?;
            true
        }
        NotificationAct::Remove => notifications::remove(&pool, member.id, id()?).await?,
        NotificationAct::Restore => {
            let seconds = config.notifications.undo_seconds;
            notifications::restore(&pool, member.id, id()?, seconds).await?
        }
        NotificationAct::Settings => {
            let digest = required("digest", form.digest)?.as_str().to_owned();
            let settings = Settings { muted: kinds(form.muted.as_deref().unwrap_or_default())?, digest };
            notifications::set(&pool, member.id, &settings, cookies::lang(&headers).as_str()).await?;
            true
        }
    };
    if found { Ok(private::done()) } else { Err(ApiError::NotFound("notification_not_found")) }
}

/// Parses comma-separated kinds and drops duplicates.
fn kinds(list: &str) -> ApiResult<Vec<String>> {
    let mut kinds = list
        .split(',')
        .filter(|word| !word.is_empty())
        .map(|word| word.parse::<NotificationKind>().map_err(|_| ApiError::invalid("muted")))
        .collect::<ApiResult<Vec<_>>>()?;
    kinds.sort_unstable();
    kinds.dedup();
    Ok(kinds.into_iter().map(|kind| kind.as_str().to_owned()).collect())
}
