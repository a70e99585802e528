//! `POST /api/stat.php`: visitors' actions. Each action is implemented in the folder of the object that it concerns.
//!
//! Requests may be repeated. Removing something absent succeeds, and adding something twice reports that it exists. Guests may view, vote
//! and report opened results, while everything else needs a session.

mod act;
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
    Client, Fields,
    openapi::{Doc, need_auth, refusal, too_often},
    private,
};
use lantern_ratelimit::{Action, Key};

use self::act::{Act, MemberAct};
use crate::{
    action::{ActAnswer, Acts, block, favourite, history, vote},
    comment::{like, wall, write},
    friend::ask,
    mute, playlist, saved_search,
    search::opened,
    state::AppState,
    subscription::follow,
    view::count,
};

pub fn doc(config: &Config) -> Doc {
    let (comments, playlists, saved) = (&config.comments, &config.playlists, config.member_area.saved_name_max);
    let about = format!(
        "Guests may use `view`, `vote` and `found`; everything else needs a session. Removing something absent succeeds; adding something \
         twice returns 409 or changes nothing.\n\n\
         Invisible characters are removed from texts before their length is checked. `msg` has {} to {} characters. In `playlist`, \
         `title` has {} to {} and `desc` {} to {}; in `saved_search`, `title` has at most {saved}.",
        comments.min_length,
        comments.max_length,
        playlists.title_min,
        playlists.title_max,
        playlists.description_min,
        playlists.description_max,
    );
    Doc::post("actions", "stat", "/api/stat.php", "Perform an action")
        .about(about)
        .variants::<Act>()
        .variants::<MemberAct>()
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

pub async fn stat(
    State(state): State<AppState>,
    viewer: Viewer,
    client: Client,
    headers: HeaderMap,
    form: Fields,
) -> ApiResult<Response> {
    let acted = match form.read()? {
        Act::View(form) => count::view(&state, viewer.0.as_ref(), &client, &headers, form).await,
        Act::Vote(form) => vote::vote(&Acts::from_ref(&state), &state.visitors, viewer.0.as_ref(), &client, form).await,
        Act::Found(form) => {
            state.limits.check(Action::Search, client.key)?;
            Ok(opened::found(&state.search_log, &state.config, &state.views, &client, &headers, &form))
        }
        Act::Other => {
            let member = viewer.0.ok_or(ApiError::NeedAuth)?;
            state.limits.take(Action::Act, &Key::member(member.id)).await?;
            act_as_member(&Acts::from_ref(&state), &member, form.read()?).await
        }
    };
    acted.map(private::answer)
}

async fn act_as_member(acts: &Acts, member: &Member, act: MemberAct) -> ApiResult<ActAnswer> {
    let Acts { pool, config, prohibited, .. } = acts;
    match act {
        MemberAct::Favourite(form) => favourite::favourite(pool, member, form).await,
        MemberAct::WatchLater(form) => favourite::watch_later(pool, member, form).await,
        MemberAct::Playlist(form) => playlist::edit::playlist(pool, config, prohibited, member, form).await,
        MemberAct::Comm(form) => write::comment(acts, member, form).await,
        MemberAct::CommDel { comment_id } => write::delete(pool, member, comment_id).await,
        MemberAct::CommUndel { comment_id } => write::restore(pool, config, member, comment_id).await,
        MemberAct::CommLike(form) => like::comment(pool, member, form).await,
        MemberAct::Wall(form) => wall::wall(acts, member, form).await,
        MemberAct::WallDel { wall_id } => wall::delete(pool, member, wall_id).await,
        MemberAct::WallUndel { wall_id } => wall::restore(pool, config, member, wall_id).await,
        MemberAct::WallLike(form) => like::entry(pool, member, form).await,
        MemberAct::Subscribe(form) => follow::subscribe(pool, member, form).await,
        MemberAct::Friend(form) => ask::friend(pool, member, form).await,
        MemberAct::History(form) => history::history(pool, member, form).await,
        MemberAct::Block(form) => block::block(pool, member, form).await,
        MemberAct::Mute(form) => mute::act::mute(pool, config, member, form).await,
        MemberAct::SavedSearch(form) => saved_search::act::saved_search(acts, member, form).await,
    }
}
