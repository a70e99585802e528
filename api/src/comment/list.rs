//! What members write under things: `comments`, `model_wall` and `member_wall`, newest first.
//!
//! For instance `/api/json/comments/86400/video/0/7.json?page=2`, `/api/json/model_wall/86400/mi/mika-sato.1.json`,
//! `/api/json/member_wall/7200/0/7.1.json`.

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use lantern_catalog::{
    access::Hidden,
    changes::Object,
    community::{self, Comment, Page, Window},
    members,
    outbox::Entity,
};
use lantern_config::{CommentSection, Config, lifetimes};
use serde::Serialize;
use serde_json::json;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::{
    cache::{CachedAnswer, Shows},
    http::{
        error::{ApiError, ApiResult},
        extract::{
            LAST_PAGE, MemberPath, ObjectPath, Query, Segments, bucketed_id, json_name, lifetime_of, page_of, prefix,
            prefixed_dir, word,
        },
        hidden::Requester,
        totals::pages,
    },
    index::{avatar, rfc3339},
    member::no_member,
    openapi::{
        self, Doc,
        errors::{invalid, refusal, too_often},
        params::{self, segment},
    },
    state::AppState,
};

/// A page of comments.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CommentsAnswer {
    #[serde(skip)]
    about: Object,
    /// Comments.
    pub comments: Vec<CommentItem>,
    /// Exact number of all.
    #[schema(example = 1, minimum = 0)]
    total_count: i64,
    /// Number of pages.
    #[schema(example = 1, minimum = 0)]
    pub pages: i64,
}

impl Shows for CommentsAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.push(self.about);
        objects.extend(self.comments.iter().map(|comment| (Entity::User, comment.user_id)));
    }
}

/// A comment.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Comment)]
pub(crate) struct CommentItem {
    /// Id.
    #[schema(example = 293, minimum = 1)]
    comment_id: i64,
    /// What it is about: `video`, `album`, `model`, `playlist` or `user`.
    #[schema(schema_with = subjects)]
    section: &'static str,
    /// Id of what it is about.
    #[schema(example = 1, minimum = 1)]
    object_id: i64,
    /// Who wrote it.
    #[schema(example = 2, minimum = 1)]
    pub user_id: i64,
    /// Name.
    #[schema(example = "demo")]
    pub username: String,
    /// Picture, 320 pixels; none is null.
    #[schema(example = "/media/p/demo/pictures/43-320.webp")]
    avatar: Option<String>,
    /// Plain text.
    #[schema(example = "Calm and elegant.")]
    pub comment: String,
    /// RFC 3339.
    #[schema(example = "2026-05-04T12:00:00Z", format = DateTime)]
    added_date: String,
}

/// What a comment can be about.
fn subjects() -> utoipa::openapi::Schema {
    openapi::words("What it is about; `user` is a member's wall.", ["video", "album", "model", "playlist", "user"])
}

fn live(config: &Config) -> String {
    format!(
        "{} a page, newest first. A lifetime of 0 asks for what is true now: nothing is kept, there is no `ETag`.",
        config.listing.comments_page
    )
}

pub fn comments_doc(config: &Config) -> Doc {
    let sections = json!({ "$ref": "#/components/schemas/CommentSection" });
    Doc::read(
        "community",
        "comments",
        "/api/json/comments/{lifetime}/{section}/{bucket}/{object_id}.json",
        "Comments on something",
    )
    .about(live(config))
    .takes(params::lifetime(lifetimes::COMMENTS))
    .takes(segment("section", "What the comments are on.", sections, CommentSection::Video.as_str()))
    .takes_all([params::bucket(), params::id("object_id", 1), params::page_query()])
    .answers::<CommentsAnswer>("A page of comments.")
    .cached()
    .refuses(refusal(
        404,
        &[
            ("video_not_found", "no such video, or another bucket than its own"),
            ("album_not_found", "no such album, or another bucket than its own"),
            ("model_not_found", "no such model, or another bucket than its own"),
            ("playlist_not_found", "no such playlist, or another bucket than its own"),
        ],
    ))
    .refuses(invalid())
    .refuses(too_often())
}

/// Comments on an object. Those on something guests may not see are not shown either.
pub async fn comments(
    State(state): State<AppState>,
    segments: Segments,
    query: Query,
    mut requester: Requester,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let [lifetime, section, bucket, file] = segments.take()?;
    let lifetime = lifetime_of(&lifetime, lifetimes::COMMENTS)?;
    let section: CommentSection = word(&section)?;
    let id = bucketed_id(&bucket, json_name(&file)?, unknown(section))?;
    let page = query.number("page", 1..=LAST_PAGE)?.unwrap_or(1);
    if lifetime > 0 {
        return get(&state, requester, section, ObjectPath { lifetime, id }, page).await?.respond(&headers);
    }
    // What isn't kept may depend on who asks.
    let open = match hidden(section) {
        Some(what) if community::is_shown(&state.pool, section, id).await? == Some(false) => {
            requester.may_open(&state, what, id).await?
        }
        _ => false,
    };
    match of_object(&state.config, &state.pool, section, id, (page, open)).await {
        Err(ApiError::NotFound(code)) => requester.missing(&state, code).await,
        answer => Ok(current(answer?)),
    }
}

/// A page of the comments on an object.
pub async fn get(
    state: &AppState,
    mut requester: Requester,
    section: CommentSection,
    path: ObjectPath,
    page: u32,
) -> ApiResult<CachedAnswer<CommentsAnswer>> {
    let mut key = format!("comments/{}/{section}/{}/{}", path.lifetime, path.bucket(), path.id);
    if page > 1 {
        // No address holds a blank.
        key.push_str(&format!(" {page}"));
    }
    let node = state.clone();
    let compute = async move { of_object(&node.config, &node.pool, section, path.id, (page, false)).await };
    match state.cache.get(&key, path.lifetime, compute).await {
        Err(ApiError::NotFound(code)) => requester.missing(state, code).await,
        answer => answer,
    }
}

const fn hidden(section: CommentSection) -> Option<Hidden> {
    match section {
        CommentSection::Video => Some(Hidden::Video),
        CommentSection::Album => Some(Hidden::Album),
        CommentSection::Playlist => Some(Hidden::Playlist),
        CommentSection::Model => None,
    }
}

/// A page of the comments on something, hidden things too where they are `open` to who asks.
async fn of_object(
    config: &Config,
    pool: &PgPool,
    section: CommentSection,
    id: i64,
    (page, open): (u32, bool),
) -> ApiResult<CommentsAnswer> {
    let window = window(config, page);
    let found = match community::is_shown(pool, section, id).await? {
        None => return Err(ApiError::NotFound(unknown(section))),
        Some(false) if !open => Page { items: Vec::new(), total: 0 },
        Some(_) => community::comments(pool, section, id, window).await?,
    };
    Ok(answer(found, entity(section), id, window))
}

const fn entity(section: CommentSection) -> Entity {
    match section {
        CommentSection::Video => Entity::Video,
        CommentSection::Album => Entity::Album,
        CommentSection::Model => Entity::Model,
        CommentSection::Playlist => Entity::Playlist,
    }
}

fn unknown(section: CommentSection) -> &'static str {
    match section {
        CommentSection::Video => "video_not_found",
        CommentSection::Album => "album_not_found",
        CommentSection::Model => "model_not_found",
        CommentSection::Playlist => "playlist_not_found",
    }
}

pub fn model_wall_doc(config: &Config) -> Doc {
    Doc::read(
        "community",
        "model_wall",
        "/api/json/model_wall/{lifetime}/{prefix}/{dir}.{page}.json",
        "Comments on a model, by its name",
    )
    .about(live(config))
    .takes(params::lifetime(lifetimes::COMMENTS))
    .takes_all(params::prefixed_dir("nguyen-thu-ha"))
    .takes(params::page())
    .answers::<CommentsAnswer>("A page of comments.")
    .cached()
    .refuses(refusal(404, &[("model_not_found", "no such model, or a prefix that is not the name's")]))
}

/// Comments on a model, by the model's name.
pub async fn model_wall(State(state): State<AppState>, segments: Segments, headers: HeaderMap) -> ApiResult<Response> {
    let [lifetime, prefix, file] = segments.take()?;
    let lifetime = lifetime_of(&lifetime, lifetimes::COMMENTS)?;
    let (dir, page) = json_name(&file)?.split_once('.').ok_or(ApiError::NotFound("model_not_found"))?;
    let dir = prefixed_dir(&prefix, dir, "model_not_found")?;
    let page = page_of(page)?;
    match lifetime {
        0 => Ok(current(of_model(&state, &dir, page).await?)),
        _ => get_of_model(&state, lifetime, &dir, page).await?.respond(&headers),
    }
}

/// A page of the comments on a model.
pub async fn get_of_model(
    state: &AppState,
    lifetime: u32,
    dir: &str,
    page: u32,
) -> ApiResult<CachedAnswer<CommentsAnswer>> {
    let key = format!("model_wall/{lifetime}/{}/{dir}.{page}", prefix(dir));
    let (node, dir) = (state.clone(), dir.to_owned());
    state.cache.get(&key, lifetime, async move { of_model(&node, &dir, page).await }).await
}

async fn of_model(state: &AppState, dir: &str, page: u32) -> ApiResult<CommentsAnswer> {
    let id = community::model_id(&state.pool, dir).await?.ok_or(ApiError::NotFound("model_not_found"))?;
    of_object(&state.config, &state.pool, CommentSection::Model, id, (page, false)).await
}

pub fn member_wall_doc(config: &Config) -> Doc {
    Doc::read(
        "community",
        "member_wall",
        "/api/json/member_wall/{lifetime}/{bucket}/{member_id}.{page}.json",
        "A member's wall",
    )
    .about(live(config))
    .takes(params::lifetime(lifetimes::COMMENTS))
    .takes_all([params::bucket(), params::id("member_id", 2), params::page()])
    .answers::<CommentsAnswer>("A page of what was written on the wall.")
    .cached()
    .refuses(no_member())
}

/// What was written on a member's wall.
pub async fn member_wall(State(state): State<AppState>, segments: Segments, headers: HeaderMap) -> ApiResult<Response> {
    let path = MemberPath::parse(segments, lifetimes::COMMENTS)?;
    match path.lifetime {
        0 => Ok(current(of_member(&state, path).await?)),
        _ => get_of_member(&state, path).await?.respond(&headers),
    }
}

/// A page of a member's wall.
pub async fn get_of_member(state: &AppState, path: MemberPath) -> ApiResult<CachedAnswer<CommentsAnswer>> {
    let node = state.clone();
    let compute = async move { of_member(&node, path).await };
    state.cache.get(&path.canonical("member_wall"), path.lifetime, compute).await
}

async fn of_member(state: &AppState, path: MemberPath) -> ApiResult<CommentsAnswer> {
    if !members::exists(&state.pool, path.member).await? {
        return Err(ApiError::NotFound("member_not_found"));
    }
    let window = window(&state.config, path.page);
    let found = community::wall(&state.pool, path.member, window).await?;
    Ok(answer(found, Entity::User, path.member, window))
}

/// What a lifetime of 0 asks for: what is true now, neither taken from the cache nor put into it.
fn current(answer: CommentsAnswer) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response()
}

fn window(config: &Config, page: u32) -> Window {
    let limit = i64::from(config.listing.comments_page);
    Window { limit, offset: (i64::from(page) - 1) * limit }
}

fn answer(found: Page<Comment>, about: Entity, object_id: i64, window: Window) -> CommentsAnswer {
    let item = |comment: Comment| CommentItem {
        comment_id: comment.id,
        section: about.as_str(),
        object_id,
        user_id: comment.user_id,
        username: comment.username,
        avatar: avatar(comment.avatar_key.as_deref()),
        comment: comment.body,
        added_date: rfc3339(comment.created_at.unix_timestamp()),
    };
    CommentsAnswer {
        about: (about, object_id),
        comments: found.items.into_iter().map(item).collect(),
        total_count: found.total,
        pages: pages(found.total, window.limit),
    }
}
