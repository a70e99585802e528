//! `POST /api/stat.php`: what visitors do. Each kind of action is a file in the folder of what it is about.
//!
//! Everything can be sent twice: what is taken away may be gone already, what is added is told to be there. Guests may look
//! and vote; the rest needs a session.

use axum::{
    extract::{FromRef, State},
    http::HeaderMap,
    response::Response,
};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client, Form,
    openapi::{Doc, Param, field, id_schema, need_auth, one_of, refusal, too_often},
    private,
};
use lantern_ratelimit::{Action, Key};
use serde_json::json;

use super::{
    ActAnswer, Acts, block, favourite,
    form::{Act, StatForm},
    history, saved_search, vote,
};
use crate::{
    comment::{like, wall, write},
    friend::ask,
    mute::act,
    playlist::edit,
    search::opened,
    session::{Member, Viewer},
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
    `playlist`: `section=new|upd` with `title`, `desc`, `visible`, `orientation` (`new` also with a first `video_id`), `section=del`, \
    `section=add|rem` with `video_id`, `section=move` with `video_id` and `position`, which `add` may have, too; `object_id` is the \
    playlist.\n\n\
    `comm`: `section=video|album|model|playlist`, `object_id`, `msg`; `comm_del`: `comment_id`. `wall`: `object_id` is a member, `msg`; \
    `wall_del`: `wall_id`. What is written is plain text: what can't be seen is taken out before it is counted. \
    `parent_id` makes it a reply to that comment or entry; a reply has none. \
    Author and owner may delete; `comm_undel` and `wall_undel` restore what the member deleted a moment ago, unless somebody else deleted it too. \
    `comm_like`, `wall_like`: `section=add|rem` with `comment_id` or `wall_id`; one like a member.\n\n\
    `vote`: `section=video|album|model|playlist|user`, `object_id`, `vote`. One vote a member; guests one an address and day. \
    `vote=0` takes it back, of a guest that of today.\n\n\
    `view`: `section`, `object_id`, `nogeo`. Counts once per viewer and object in half an hour, within a second. Machines count nothing.\n\n\
    `subscribe`: `section=add|rem`, `object_type=model|channel|user`, `object_id`. `friend`: `section=add|accept|rem`, `object_id`.\n\n\
    `history`: `section=add` with `object_id` and, where the member stopped, `stopped_at`; `section=rem` with `object_id`; \
    `section=clear|pause|resume`. `block`: `section=add|rem`, `object_id` is a member: no messages, friendship, comments on what is \
    one's own or entries on one's wall from there.\n\n\
    `mute`: `section=add|rem` with `object_type=category|model` and `dir`, or `object_type=user` and `object_id`: nothing of it is in the \
    member's lists any more, or is again; `section=watched|unwatched`: nor what is in the history; `section=clear` ends all of it.\n\n\
    `found`: `object_id` is a video that was opened after a search for `s` in `lang`, where it stood at `position`. Counts once per \
    network, search and video on a day.\n\n\
    `saved_search`: `section=add` with `title` and `address`, a page of this site that lists videos (a country's chart is none), and \
    `seen_at` where the last visit is known; the same list again has the new name. `section=upd` with `title`, `section=seen` when the \
    member looks at it, `section=rem`; `address` says which, or `object_id`, the saved search.\n\n\
    Guests may vote, view and find; the rest needs a session. What is taken away may be gone already; what is added twice is 409, or changes nothing.";

pub fn doc(config: &Config) -> Doc {
    Doc::post("actions", "stat", "/api/stat.php", "Do something")
        .about(ABOUT)
        .fields(fields(config))
        .answers::<ActAnswer>("It is done. New comments, entries of walls and playlists are named.")
        .refuses(need_auth())
        .refuses(refusal(403, &[("blocked", "whose it is has blocked the member")]))
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
    ("video_not_found", "no such video for the visitor, or not in this playlist"),
    ("album_not_found", "no such album for the visitor"),
    ("model_not_found", "no such model"),
    ("channel_not_found", "no such channel"),
    ("playlist_not_found", "no such playlist for the visitor, or not the member's own"),
    ("member_not_found", "no such member"),
    ("saved_search_not_found", "no such saved search of the member"),
    ("category_not_found", "no such category"),
    ("comment_not_found", "no such comment or entry for the member to delete, to answer or to like"),
    ("friend_not_found", "that member asked nothing"),
];

const ALREADY: &[(&str, &str)] = &[
    ("favorites_already_added", "the video is among the favourites"),
    ("watch_later_already_added", "the video is on the list"),
    ("playlist_already_added", "the video is in the playlist"),
    ("playlist_full", "the playlist holds `playlists.max_videos`"),
    ("too_many_playlists", "the member has `playlists.max_per_member`"),
    ("too_many_saved_searches", "the member has `member_area.saved_searches`"),
    ("too_many_mutes", "the member muted `mutes.per_kind` of the kind"),
    ("vote_already_voted", "the visitor has voted"),
    ("subscribe_already_added", "the member follows it"),
    ("subscribe_cant_subscribe_myself", "the member named is the one who asks"),
    ("add_friend_already_added", "they are friends, or the request waits"),
    ("add_friend_cant_add_myself", "the member named is the one who asks"),
];

const WRONG: &[(&str, &str)] = &[
    ("required", "a field the action needs is not there"),
    ("comment_min_length", "`msg` is too short"),
    ("min_length", "`title` or `desc` is too short"),
    ("max_length", "`msg`, `title` or `desc` is too long"),
    ("prohibited_terms", "`msg`, `title` or `desc` holds what may not be said"),
];

fn fields(config: &Config) -> Vec<Param> {
    // Each action reads its own fields only: how long a text may be is said in words, as the others let it pass.
    let text = |name: &str, about: &str, min: usize, max: usize| {
        field(name, &format!("{about} {min} to {max} characters."), json!({ "type": "string" }), "")
    };
    let (comments, playlists) = (&config.comments, &config.playlists);
    let sections = "What `object_id` is, or what is done with it; each action has its own words.";
    vec![
        field("act", "What is done.", json!({ "type": "string", "enum": ACTS }), "view").required(),
        field("section", sections, json!({ "type": "string" }), "video"),
        field("object_type", "What is followed or muted.", one_of(&["category", "model", "channel", "user"]), ""),
        field("dir", "Name in URLs of what is muted.", json!({ "type": "string" }), ""),
        field("object_id", "What the action is about.", id_schema(), 1),
        field("video_id", "A video of the playlist.", id_schema(), ""),
        field("comment_id", "The comment to delete or to like.", id_schema(), ""),
        field("wall_id", "The entry to delete or to like.", id_schema(), ""),
        field("parent_id", "The comment or entry that is answered.", id_schema(), ""),
        text("msg", "What is written,", comments.min_length, comments.max_length),
        text(
            "title",
            &format!(
                "Name of the saved search, at most {} characters; title of the playlist,",
                config.member_area.saved_name_max
            ),
            playlists.title_min,
            playlists.title_max,
        ),
        text("desc", "Its description,", playlists.description_min, playlists.description_max),
        field("visible", "0 private, 1 public.", json!({ "type": "integer", "enum": [0, 1] }), ""),
        field("orientation", "Of what is in it.", json!({ "$ref": "#/components/schemas/Gender" }), ""),
        field(
            "position",
            "Where the video goes, or stood, from 1.",
            json!({ "type": "integer", "minimum": 1, "maximum": u32::MAX }),
            "",
        ),
        field("s", "What was searched.", json!({ "type": "string" }), ""),
        field("address", "Path and query of a list.", json!({ "type": "string" }), ""),
        field(
            "seen_at",
            "When it was looked at, in unix seconds; now without it.",
            json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX }),
            "",
        ),
        field("lang", "In which language.", json!({ "$ref": "#/components/schemas/Lang" }), ""),
        field(
            "vote",
            "1 for it, -1 against it, 0 takes the vote back.",
            json!({ "type": "integer", "enum": [1, -1, 0] }),
            "",
        ),
        field(
            "stopped_at",
            "Seconds into the video.",
            json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX }),
            "",
        ),
        field(
            "nogeo",
            "1 keeps the view out of the chart of a country.",
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
            of_member(&Acts::from_ref(&state), &member, &form).await
        }
    };
    acted.map(private::answer)
}

async fn of_member(acts: &Acts, member: &Member, form: &StatForm) -> ApiResult<ActAnswer> {
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
        Act::SavedSearch => saved_search::saved_search(acts, member, form).await,
        Act::Mute => act::mute(&acts.pool, &acts.config, member, form).await,
        // Guests do these too, so they were answered before.
        Act::View | Act::Vote | Act::Found => Err(ApiError::invalid("act")),
    }
}
