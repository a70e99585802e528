//! `GET /api/member_state.php?section=&object_id=`: a member's relation to an object, for the state of its buttons.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_accounts::viewer::Member;
use lantern_catalog::{
    access::{Access, Hidden, access},
    actions::state::{self as done, Friend},
};
use lantern_config::{Config, Section};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client, Query,
    openapi::{Doc, id_schema, invalid, one_of, query, refusal, too_often},
    private,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::MISSING;
use crate::{access, action::not_found, state::AppState, views::queue::SeenBy};

/// The member's relation to an object.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MemberState {
    /// 1 liked, -1 disliked, 0 not voted.
    #[schema(example = 0, minimum = -1, maximum = 1)]
    vote: i16,
    /// Whether the video is a favourite.
    #[schema(example = true)]
    favourite: bool,
    /// Whether the video is on the watch-later list.
    #[schema(example = false)]
    watch_later: bool,
    /// Ids of the member's playlists that contain the video.
    #[schema(example = json!([7]))]
    playlists: Vec<i64>,
    /// Whether the member follows the object.
    #[schema(example = false)]
    subscribed: bool,
    /// Friendship between the two members.
    #[schema(schema_with = friend_words)]
    friend: &'static str,
    /// Whether the member has blocked the other member.
    #[schema(example = false)]
    blocked: bool,
    /// Whether the object belongs to the member.
    #[schema(example = false)]
    own: bool,
    /// Playback position to resume from, in seconds; 0 if nothing was watched.
    #[schema(example = 0, minimum = 0)]
    stopped_at: i32,
}

/// Schema of the words for friend requests. `requested` means sent by the member, and `incoming` means received by the
/// member.
fn friend_words() -> utoipa::openapi::Schema {
    let about = "Friendship between the two members: `requested` by this one, `incoming` from the other.";
    lantern_http::openapi::words(about, ["none", "requested", "incoming", "accepted"])
}

pub fn doc(_: &Config) -> Doc {
    let sections: Vec<&str> = Section::ALL.iter().map(|section| section.as_str()).collect();
    Doc::new("actions", "member_state", "/api/member_state.php", "The member's relation to an object")
        .for_members()
        .takes(query("section", "Kind of the object.", one_of(&sections), "video").required())
        .takes(query("object_id", "Id of the object.", id_schema(), 1).required())
        .answers::<MemberState>("State of the object's buttons.")
        .refuses(refusal(404, &MISSING_OBJECTS))
        .refuses(refusal(422, &[("required", "`section` or `object_id` is missing")]))
        .refuses(invalid())
        .refuses(too_often())
}

const MISSING_OBJECTS: [(&str, &str); 6] = [MISSING[0], MISSING[1], MISSING[2], MISSING[3], MISSING[4], MISSING[5]];

pub async fn member_state(
    State(state): State<AppState>,
    member: Member,
    client: Client,
    headers: HeaderMap,
    query: Query,
) -> ApiResult<Response> {
    let section: Section = query.word("section")?.ok_or(ApiError::required("section"))?;
    let id = query.number("object_id", 1..=i64::MAX)?.ok_or(ApiError::required("object_id"))?;
    if state.views.seen_by(section, id, Some(member.id)).await? == SeenBy::Others {
        access::count(&state.limits, &state.crawlers, Some(member.id), &client, &headers).await?;
        // Members may watch private videos.
        let may_watch =
            section == Section::Video && access(&state.pool, member.id, Hidden::Video, id).await? != Access::Refused;
        if !may_watch {
            return Err(not_found(section));
        }
    }
    let done = done::of(&state.pool, member.id, section, id).await?;
    Ok(private::answer(MemberState {
        vote: done.vote,
        favourite: done.favourite,
        watch_later: done.watch_later,
        playlists: done.playlists,
        subscribed: done.subscribed,
        friend: match done.friend {
            None => "none",
            Some(Friend { accepted: true, .. }) => "accepted",
            Some(Friend { is_requester: true, .. }) => "requested",
            Some(Friend { is_requester: false, .. }) => "incoming",
        },
        blocked: done.blocked,
        own: done.own,
        stopped_at: done.stopped_at,
    }))
}
