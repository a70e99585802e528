//! Notifications in answers.

use lantern_catalog::notifications::Notification;
use lantern_config::schemas;
use lantern_media::pictures::avatar;
use lantern_search::index::rfc3339;
use serde::Serialize;
use utoipa::ToSchema;

use crate::message::Partner;

/// A notification.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Notification)]
pub(crate) struct NotificationItem {
    /// Id.
    #[schema(example = 12, minimum = 1)]
    notification_id: i64,
    /// What happened.
    #[schema(value_type = lantern_config::NotificationKind)]
    kind: String,
    /// Kind of the object that the notification concerns and links to.
    #[schema(schema_with = subjects)]
    section: String,
    /// Id of the object.
    #[schema(example = 1, minimum = 1)]
    object_id: i64,
    /// Name of the object.
    #[schema(example = "Harbour lights")]
    title: String,
    /// Path segment of a video, an album or a model.
    dir: Option<String>,
    /// Member who did it last; null for a decision of the site.
    actor: Option<Partner>,
    /// How often it happened since the member last read the notification.
    #[schema(example = 1, minimum = 1)]
    times: i32,
    /// RFC 3339.
    #[schema(example = "2026-05-04T12:00:00Z", format = DateTime)]
    happened_at: String,
    /// Whether the member has read it.
    #[schema(example = false)]
    is_read: bool,
}

/// Kinds of objects that a notification can concern.
fn subjects() -> utoipa::openapi::Schema {
    schemas::words(
        "Kind of the object; `user` is a member or a wall, `upload` an upload that did not become a video.",
        ["video", "album", "model", "playlist", "user", "upload"],
    )
}

impl From<Notification> for NotificationItem {
    fn from(found: Notification) -> Self {
        let avatar = avatar(found.avatar_key.as_deref());
        let actor = found.actor_id.zip(found.username);
        Self {
            notification_id: found.id,
            kind: found.kind,
            section: found.section,
            object_id: found.object_id,
            title: found.title.unwrap_or_default(),
            dir: found.dir,
            actor: actor.map(|(user_id, username)| Partner { user_id, username, avatar }),
            times: found.times,
            happened_at: rfc3339(found.happened_at.unix_timestamp()),
            is_read: found.is_read,
        }
    }
}
