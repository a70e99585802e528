//! Answers of `member_lists.php`, with one type for each kind of list.

use lantern_catalog::{messages::Conversation, own};
use lantern_http::Totals;
use lantern_media::pictures::avatar;
use lantern_search::index::{MemberCard, rfc3339};
use serde::Serialize;
use utoipa::ToSchema;

use super::cards::{OwnAlbum, OwnPlaylist, OwnVideo};
use crate::{message::Partner, notification::item::NotificationItem, subscription::list::SubscriptionItem};

/// A page of one of the lists.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum MemberListAnswer {
    /// `favourite_videos`, `watch_later_videos`, `history`, `continue_watching`, `uploaded_videos`, `feed`
    Videos(OwnVideos),
    /// `albums`
    Albums(OwnAlbums),
    /// `playlists`
    Playlists(OwnPlaylists),
    /// `messages`
    Conversations(Conversations),
    /// `subscriptions`
    Subscriptions(OwnSubscriptions),
    /// `friend_requests`, `blocks`
    Members(OwnMembers),
    /// `saved_searches`
    SavedSearches(SavedSearches),
    /// `notifications`
    Notifications(OwnNotifications),
}

/// `favourite_videos`, `watch_later_videos`, `history`, `continue_watching`, `uploaded_videos`, `feed`
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnVideos {
    /// Videos.
    pub videos: Vec<OwnVideo>,
    /// Whether the history is paused; only in `history`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub paused: Option<bool>,
    /// Value of `after` for the next page; only in `feed`, absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next: Option<String>,
    /// Totals, and the code of an empty list.
    #[serde(flatten)]
    pub totals: Totals,
}

/// `albums`
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnAlbums {
    /// Albums.
    pub albums: Vec<OwnAlbum>,
    /// Totals, and the code of an empty list.
    #[serde(flatten)]
    pub totals: Totals,
}

/// `playlists`
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnPlaylists {
    /// Playlists.
    pub playlists: Vec<OwnPlaylist>,
    /// Totals, and the code of an empty list.
    #[serde(flatten)]
    pub totals: Totals,
}

/// `messages`
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Conversations {
    /// Conversations.
    pub conversations: Vec<ConversationItem>,
    /// Totals, and the code of an empty list.
    #[serde(flatten)]
    pub totals: Totals,
}

/// `subscriptions`
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnSubscriptions {
    /// Followed models, channels and members.
    pub subscriptions: Vec<SubscriptionItem>,
    /// Totals, and the code of an empty list.
    #[serde(flatten)]
    pub totals: Totals,
}

/// `notifications`
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnNotifications {
    /// Notifications.
    pub notifications: Vec<NotificationItem>,
    /// Totals, and the code of an empty list.
    #[serde(flatten)]
    pub totals: Totals,
}

/// `friend_requests`, `blocks`
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnMembers {
    /// Members.
    pub members: Vec<MemberCard>,
    /// Totals, and the code of an empty list.
    #[serde(flatten)]
    pub totals: Totals,
}

/// `saved_searches`
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SavedSearches {
    /// Saved searches, by name.
    pub saved_searches: Vec<SavedSearchItem>,
    /// Totals, and the code of an empty list.
    #[serde(flatten)]
    pub totals: Totals,
}

/// A saved search.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SavedSearch)]
pub(crate) struct SavedSearchItem {
    /// Id.
    #[schema(example = 7, minimum = 1)]
    saved_id: i64,
    /// Name chosen by the member.
    #[schema(example = "Night markets in HD")]
    name: String,
    /// Path and query of its first page.
    #[schema(example = "/search/1/?s=night+market&type=hd")]
    address: String,
    /// Time of the last visit, RFC 3339.
    #[schema(example = "2026-05-04T12:00:00Z", format = DateTime)]
    seen_at: String,
}

impl From<own::SavedSearch> for SavedSearchItem {
    fn from(saved: own::SavedSearch) -> Self {
        let seen_at = rfc3339(saved.seen_at.unix_timestamp());
        Self { saved_id: saved.id, name: saved.name, address: saved.address, seen_at }
    }
}

/// A conversation.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Conversation)]
pub(crate) struct ConversationItem {
    /// The other member.
    user: Partner,
    /// The latest message.
    last: LastMessage,
    /// Number of unread messages.
    #[schema(example = 2, minimum = 0)]
    unread: i64,
}

/// The latest message of a conversation.
#[derive(Debug, Serialize, ToSchema)]
struct LastMessage {
    /// Plain text.
    #[schema(example = "See you there.")]
    text: String,
    /// RFC 3339.
    #[schema(example = "2026-05-04T12:00:00Z", format = DateTime)]
    created_at: String,
    /// Whether the requesting member wrote it.
    #[schema(example = true)]
    own: bool,
}

impl From<Conversation> for ConversationItem {
    fn from(found: Conversation) -> Self {
        let avatar = avatar(found.avatar_key.as_deref());
        Self {
            user: Partner { user_id: found.user_id, username: found.username, avatar },
            last: LastMessage {
                text: found.text,
                created_at: rfc3339(found.created_at.unix_timestamp()),
                own: found.own,
            },
            unread: found.unread,
        }
    }
}
