//! The acts and their fields.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    action::{
        form::{Id, ToggleObject},
        history::HistoryChange,
        vote::Vote,
    },
    comment::{
        like::{CommentLike, EntryLike},
        wall::NewEntry,
        write::NewComment,
    },
    friend::ask::Friendship,
    mute::act::MuteChange,
    playlist::edit::PlaylistChange,
    saved_search::act::SavedChange,
    search::opened::Found,
    subscription::follow::Subscription,
    view::count::View,
};

/// Acts open to guests.
#[derive(Deserialize, ToSchema)]
#[serde(rename = "act", rename_all = "snake_case")]
#[schema(title = "act", example = json!({ "act": "view", "section": "video", "object_id": 1 }))]
pub enum Act {
    View(View),
    Vote(Vote),
    Found(Found),
    /// A [`MemberAct`], which is read once there is a session.
    #[serde(other, skip_serializing)]
    Other,
}

/// Acts of members.
#[derive(Deserialize, ToSchema)]
#[serde(rename = "act", rename_all = "snake_case")]
#[schema(title = "act")]
pub enum MemberAct {
    /// Adds a video to the favourites or removes it.
    Favourite(ToggleObject),
    /// Adds a video to the videos to watch later or removes it.
    WatchLater(ToggleObject),
    Playlist(PlaylistChange),
    Comm(NewComment),
    /// Deletes a comment by the member or on the member's object.
    CommDel {
        comment_id: Id,
    },
    /// Restores a comment that the member has just deleted, unless someone else deleted it too.
    CommUndel {
        comment_id: Id,
    },
    CommLike(CommentLike),
    Wall(NewEntry),
    /// Deletes a wall entry by the member or on the member's wall.
    WallDel {
        wall_id: Id,
    },
    /// Restores a wall entry that the member has just deleted, unless someone else deleted it too.
    WallUndel {
        wall_id: Id,
    },
    WallLike(EntryLike),
    Subscribe(Subscription),
    Friend(Friendship),
    History(HistoryChange),
    /// Blocks a member or ends the block. Blocking ends any friendship; afterwards, the other member's messages, friend requests, wall
    /// entries, and comments on own objects are refused.
    Block(ToggleObject),
    Mute(MuteChange),
    SavedSearch(SavedChange),
}
