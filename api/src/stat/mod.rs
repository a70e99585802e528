//! `POST /api/stat.php`: visitors' actions. Each action is implemented in the folder of the object that it concerns.
//!
//! Requests may be repeated. Removing something absent succeeds, and adding something twice reports that it exists. Guests may view, vote
//! and report opened results, while everything else needs a session.

pub mod state;

use axum::{
    extract::{FromRef, State},
    http::HeaderMap,
    response::Response,
};
use lantern_accounts::viewer::{Member, Viewer};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client, Form,
    openapi::{Doc, Param, field, id_schema, need_auth, one_of, refusal, too_often},
    private,
};
use lantern_ratelimit::{Action, Key};
use serde_json::json;

use crate::{
    action::{
        ActAnswer, Acts, block, favourite,
        form::{Act, StatForm},
        history, vote,
    },
    comment::{like, wall, write},
    friend::ask,
    mute::act,
    playlist::edit,
    saved_search,
    search::opened,
    state::AppState,
    subscription::follow,
    view::count,
};

const ACTS: [&str; 20] = [
    "favourite",
    "watch_later",
    "playlist",
    "comm",
    "comm_del",
    "comm_undel",
    "comm_like",
    "wall",
    "wall_del",
    "wall_undel",
    "wall_like",
    "vote",
    "view",
    "subscribe",
    "friend",
    "history",
    "block",
    "mute",
    "found",
    "saved_search",
];

const ABOUT: &str = "`favourite`, `watch_later`: `section=add|rem`, `object_id` is a video.\n\n\
    `playlist`: `section=new|upd` with `title`, `desc`, `visible`, `orientation` (`new` also accepts a first `video_id`), `section=del`, \
    `section=add|rem` with `video_id`, `section=move` with `video_id` and `position` (optional for `add`); `object_id` is the \
    playlist.\n\n\
    `comm`: `section=video|album|model|playlist`, `object_id`, `msg`; `comm_del`: `comment_id`. `wall`: `object_id` is a member, `msg`; \
    `wall_del`: `wall_id`. Texts are plain text; invisible characters are removed before the length is checked. \
    `parent_id` makes it a reply to that comment or entry; replies cannot be replied to. \
    Author and owner may delete; `comm_undel` and `wall_undel` restore what the member has just deleted, unless someone else deleted it too. \
    `comm_like`, `wall_like`: `section=add|rem` with `comment_id` or `wall_id`; one like per member.\n\n\
    `vote`: `section=video|album|model|playlist|user`, `object_id`, `vote`. One vote per member; guests one per network address and day. \
    `vote=0` withdraws the vote, for guests only today's.\n\n\
    `view`: `section`, `object_id`, `nogeo`. Counted within a second, once per viewer and object in half an hour. Bots are not counted.\n\n\
    `subscribe`: `section=add|rem`, `object_type=model|channel|user`, `object_id`. `friend`: `section=add|accept|rem`, `object_id`.\n\n\
    `history`: `section=add` with `object_id` and optionally the playback position `stopped_at`; `section=rem` with `object_id`; \
    `section=clear|pause|resume`. `block`: `section=add|rem`, `object_id` is a member: ends any friendship; messages, \
    friend requests, comments on own objects and wall entries from there are refused.\n\n\
    `mute`: `section=add|rem` with `object_type=category|model` and `dir`, or `object_type=user` and `object_id`: excludes it from the \
    member's lists, or includes it again; `section=watched|unwatched` does the same for videos in the history; `section=clear` removes all mutes.\n\n\
    `found`: `object_id` is a video opened from the results of a search for `s` in `lang`, at `position`. Counts once per \
    network, search, video and day.\n\n\
    `saved_search`: `section=add` with `title`, `address` (a page of this site that lists videos, except country charts) and, if known, \
    the last visit in `seen_at`; saving the same list again renames it. `section=upd` with `title`, `section=seen` when the \
    member visits the list, `section=rem`; `address` or `object_id` (the saved search) identifies it.\n\n\
    Guests may use `vote`, `view` and `found`; everything else needs a session. Removing something absent succeeds; adding something twice returns 409 or changes nothing.";

pub fn doc(config: &Config) -> Doc {
    Doc::post("actions", "stat", "/api/stat.php", "Perform an action")
        .about(ABOUT)
        .fields(fields(config))
        .answers::<ActAnswer>("Done. Holds the ids of new comments, wall entries and playlists.")
        .refuses(need_auth())
        .refuses(refusal(403, &[("blocked", "the owner has blocked the member")]))
        .refuses(refusal(404, MISSING))
        .refuses(refusal(409, ALREADY))
        .refuses(refusal(422, WRONG))
        .refuses(refusal(
            429,
            &[("too_many_comments", "more than `limits.comment` allows; `info.retry_after` is exact")],
        ))
        .refuses(too_often())
}

pub const MISSING: &[(&str, &str)] = &[
    ("video_not_found", "no such video visible to the visitor, or not in this playlist"),
    ("album_not_found", "no such album visible to the visitor"),
    ("model_not_found", "no such model"),
    ("channel_not_found", "no such channel"),
    ("playlist_not_found", "no such playlist visible to the visitor, or not the member's own"),
    ("member_not_found", "no such member"),
    ("saved_search_not_found", "no such saved search of the member"),
    ("category_not_found", "no such category"),
    ("comment_not_found", "no such comment or entry that the member may delete, reply to or like"),
    ("friend_not_found", "no friend request from that member"),
];

const ALREADY: &[(&str, &str)] = &[
    ("favorites_already_added", "the video is already a favourite"),
    ("watch_later_already_added", "the video is already on the list"),
    ("playlist_already_added", "the video is already in the playlist"),
    ("playlist_full", "the playlist has reached `playlists.max_videos`"),
    ("too_many_playlists", "the member has reached `playlists.max_per_member`"),
    ("too_many_saved_searches", "the member has reached `member_area.saved_searches`"),
    ("too_many_mutes", "the member has reached `mutes.per_kind` for this kind"),
    ("vote_already_voted", "the visitor has already voted"),
    ("subscribe_already_added", "the member already follows it"),
    ("subscribe_cant_subscribe_myself", "members cannot follow themselves"),
    ("add_friend_already_added", "they are already friends, or a request is pending"),
    ("add_friend_cant_add_myself", "members cannot befriend themselves"),
];

const WRONG: &[(&str, &str)] = &[
    ("required", "a field that the action requires is missing"),
    ("comment_min_length", "`msg` is too short"),
    ("min_length", "`title` or `desc` is too short"),
    ("max_length", "`msg`, `title` or `desc` is too long"),
    ("prohibited_terms", "`msg`, `title` or `desc` contains a prohibited term"),
];

fn fields(config: &Config) -> Vec<Param> {
    // Lengths are given in words rather than in the schema, because actions that do not read a field accept any length.
    let text = |name: &str, about: &str, min: usize, max: usize| {
        field(name, &format!("{about} {min} to {max} characters."), json!({ "type": "string" }), "")
    };
    let (comments, playlists) = (&config.comments, &config.playlists);
    let sections = "Kind of `object_id`, or the operation on it; the values depend on the action.";
    vec![
        field("act", "Action to perform.", json!({ "type": "string", "enum": ACTS }), "view").required(),
        field("section", sections, json!({ "type": "string" }), "video"),
        field(
            "object_type",
            "Kind of object to follow or mute.",
            one_of(&["category", "model", "channel", "user"]),
            "",
        ),
        field("dir", "Name in URLs of the category or model to mute.", json!({ "type": "string" }), ""),
        field("object_id", "Id of the object that the action concerns.", id_schema(), 1),
        field("video_id", "Id of a video of the playlist.", id_schema(), ""),
        field("comment_id", "Id of the comment to delete or like.", id_schema(), ""),
        field("wall_id", "Id of the wall entry to delete or like.", id_schema(), ""),
        field("parent_id", "Id of the comment or entry to reply to.", id_schema(), ""),
        text("msg", "Text of the comment or wall entry,", comments.min_length, comments.max_length),
        text(
            "title",
            &format!(
                "Name of the saved search, at most {} characters; title of the playlist,",
                config.member_area.saved_name_max
            ),
            playlists.title_min,
            playlists.title_max,
        ),
        text("desc", "Description of the playlist,", playlists.description_min, playlists.description_max),
        field("visible", "0 private, 1 public.", json!({ "type": "integer", "enum": [0, 1] }), ""),
        field("orientation", "Orientation of the playlist.", json!({ "$ref": "#/components/schemas/Gender" }), ""),
        field(
            "position",
            "Position of the video in the playlist or the results, from 1.",
            json!({ "type": "integer", "minimum": 1, "maximum": u32::MAX }),
            "",
        ),
        field("s", "Query of the search.", json!({ "type": "string" }), ""),
        field("address", "Path and query of a list.", json!({ "type": "string" }), ""),
        field(
            "seen_at",
            "Time of the last visit, Unix seconds; defaults to now.",
            json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX }),
            "",
        ),
        field("lang", "Language of the search.", json!({ "$ref": "#/components/schemas/Lang" }), ""),
        field(
            "vote",
            "1 likes, -1 dislikes, 0 withdraws the vote.",
            json!({ "type": "integer", "enum": [1, -1, 0] }),
            "",
        ),
        field(
            "stopped_at",
            "Playback position in seconds.",
            json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX }),
            "",
        ),
        field(
            "nogeo",
            "1 excludes the view from country charts.",
            json!({ "type": ["integer", "boolean"], "enum": [0, 1, false, true] }),
            "",
        ),
    ]
}

pub async fn stat(
    State(state): State<AppState>,
    viewer: Viewer,
    client: Client,
    headers: HeaderMap,
    Form(form): Form<StatForm>,
) -> ApiResult<Response> {
    let acted = match form.act {
        Act::View => count::view(&state, viewer.0.as_ref(), &client, &headers, &form).await,
        Act::Vote => vote::vote(&Acts::from_ref(&state), &state.visitors, viewer.0.as_ref(), &client, &form).await,
        Act::Found => {
            state.limits.check(Action::Search, client.key)?;
            opened::found(&state.search_log, &state.config, &state.views, &client, &headers, &form)
        }
        _ => {
            let member = viewer.0.ok_or(ApiError::NeedAuth)?;
            state.limits.take(Action::Act, &Key::member(member.id)).await?;
            act_as_member(&Acts::from_ref(&state), &member, &form).await
        }
    };
    acted.map(private::answer)
}

async fn act_as_member(acts: &Acts, member: &Member, form: &StatForm) -> ApiResult<ActAnswer> {
    match form.act {
        Act::Favourite => favourite::favourite(&acts.pool, member, form).await,
        Act::WatchLater => favourite::watch_later(&acts.pool, member, form).await,
        Act::Playlist => edit::playlist(&acts.pool, &acts.config, &acts.prohibited, member, form).await,
        Act::Comm => write::comment(acts, member, form).await,
        Act::CommDel => write::delete(&acts.pool, member, form).await,
        Act::CommUndel => write::restore(&acts.pool, &acts.config, member, form).await,
        Act::CommLike => like::comment(&acts.pool, member, form).await,
        Act::WallLike => like::entry(&acts.pool, member, form).await,
        Act::Wall => wall::wall(acts, member, form).await,
        Act::WallDel => wall::delete(&acts.pool, member, form).await,
        Act::WallUndel => wall::restore(&acts.pool, &acts.config, member, form).await,
        Act::Subscribe => follow::subscribe(&acts.pool, member, form).await,
        Act::Friend => ask::friend(&acts.pool, member, form).await,
        Act::History => history::history(&acts.pool, member, form).await,
        Act::Block => block::block(&acts.pool, member, form).await,
        Act::SavedSearch => saved_search::act::saved_search(acts, member, form).await,
        Act::Mute => act::mute(&acts.pool, &acts.config, member, form).await,
        // Guests may do these too, so `stat` handles them.
        Act::View | Act::Vote | Act::Found => Err(ApiError::invalid("act")),
    }
}
