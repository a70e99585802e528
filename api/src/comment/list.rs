//! What members write under things: `comments`, `model_wall` and `member_wall`, with the replies.
//!
//! For instance `/api/json/comments/86400/video/0/7.json?page=2&sort=oldest`, `/api/json/model_wall/86400/mi/mika-sato.1.json`,
//! `/api/json/member_wall/7200/0/7.1.json?thread=12`.

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use lantern_catalog::{
    access::Hidden,
    community::{self, Window},
    members,
    threads::{self, Place},
};
use lantern_config::{CommentSection, CommentSort, Config, Section, lifetimes};
use serde_json::json;
use sqlx::PgPool;

use super::item::CommentsAnswer;
use crate::{
    cache::CachedAnswer,
    http::{
        error::{ApiError, ApiResult},
        extract::{
            LAST_PAGE, MemberPath, ObjectPath, Query, Segments, bucketed_id, json_name, lifetime_of, page_of, prefix,
            prefixed_dir, word,
        },
        hidden::Requester,
    },
    member::no_member,
    openapi::{
        Doc,
        errors::{invalid, refusal, too_often},
        params::{self, Param, id_schema, query as parameter, segment},
    },
    state::AppState,
};

/// Which of the comments on something are asked for.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// Number of the page.
    pub page: u32,
    /// In which order comments come.
    pub sort: CommentSort,
    /// The comment whose replies are asked for.
    pub thread: Option<i64>,
}

impl Part {
    /// A page of comments as screens begin with it.
    pub const fn page(page: u32) -> Self {
        Self { page, sort: CommentSort::Newest, thread: None }
    }

    fn of(query: &Query, page: u32) -> ApiResult<Self> {
        let sort = query.word("sort")?.unwrap_or(CommentSort::Newest);
        Ok(Self { page, sort, thread: query.number("thread", 1..=i64::MAX)? })
    }

    /// What distinguishes it in the key of a cached answer; no address holds a blank.
    fn key(self) -> String {
        match (self.thread, self.sort) {
            (Some(thread), _) => format!(" replies {thread}"),
            (None, CommentSort::Newest) => String::new(),
            (None, sort) => format!(" {sort}"),
        }
    }
}

fn parts() -> [Param; 2] {
    [
        parameter(
            "sort",
            "The order of the comments.",
            json!({ "$ref": "#/components/schemas/CommentSort", "default": "newest" }),
            "newest",
        ),
        parameter("thread", "A comment: the answer holds the replies to it, the oldest first.", id_schema(), ""),
    ]
}

fn live(config: &Config) -> String {
    format!(
        "{} a page, newest first, each with its first {} replies; `thread` asks for the replies to one. A comment that is gone and was \
         answered leaves `is_deleted`. A lifetime of 0 asks for what is true now: nothing is kept, there is no `ETag`; \
         `liked` is told.",
        config.listing.comments_page, config.listing.replies_shown
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
    .takes_all(parts())
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
    let part = Part::of(&query, query.number("page", 1..=LAST_PAGE)?.unwrap_or(1))?;
    if lifetime > 0 {
        return get(&state, requester, section, ObjectPath { lifetime, id }, part).await?.respond(&headers);
    }
    // What isn't kept may depend on who asks.
    let open = match hidden(section) {
        Some(what) if community::is_shown(&state.pool, section, id).await? == Some(false) => {
            requester.may_open(&state, what, id).await?
        }
        _ => false,
    };
    let reader = requester.member(&state).await?;
    match of_object(
        &state.config,
        &state.pool,
        section,
        Place { section: about(section), object: id, reader },
        (part, open),
    )
    .await
    {
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
    part: Part,
) -> ApiResult<CachedAnswer<CommentsAnswer>> {
    let mut key = format!("comments/{}/{section}/{}/{}", path.lifetime, path.bucket(), path.id);
    if part.page > 1 {
        // No address holds a blank.
        key.push_str(&format!(" {}", part.page));
    }
    key.push_str(&part.key());
    let node = state.clone();
    let at = Place { section: about(section), object: path.id, reader: None };
    let compute = async move { of_object(&node.config, &node.pool, section, at, (part, false)).await };
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
    at: Place,
    (part, open): (Part, bool),
) -> ApiResult<CommentsAnswer> {
    match community::is_shown(pool, section, at.object).await? {
        None => Err(ApiError::NotFound(unknown(section))),
        Some(false) if !open => Ok(CommentsAnswer::none(at)),
        Some(_) => read(config, pool, at, part).await,
    }
}

/// A page of threads, or of the replies of one.
async fn read(config: &Config, pool: &PgPool, at: Place, part: Part) -> ApiResult<CommentsAnswer> {
    let limit = i64::from(config.listing.comments_page);
    let window = Window { limit, offset: (i64::from(part.page) - 1) * limit };
    Ok(match part.thread {
        Some(thread) => CommentsAnswer::replies(threads::replies(pool, at, thread, window).await?, at, limit),
        None => {
            let shown = config.listing.replies_shown.into();
            CommentsAnswer::threads(threads::threads(pool, at, part.sort, window, shown).await?, at, limit)
        }
    })
}

const fn about(section: CommentSection) -> Section {
    match section {
        CommentSection::Video => Section::Video,
        CommentSection::Album => Section::Album,
        CommentSection::Model => Section::Model,
        CommentSection::Playlist => Section::Playlist,
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
    .takes_all(parts())
    .answers::<CommentsAnswer>("A page of comments.")
    .cached()
    .refuses(refusal(404, &[("model_not_found", "no such model, or a prefix that is not the name's")]))
    .refuses(invalid())
}

/// Comments on a model, by the model's name.
pub async fn model_wall(
    State(state): State<AppState>,
    segments: Segments,
    query: Query,
    mut requester: Requester,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let [lifetime, prefix, file] = segments.take()?;
    let lifetime = lifetime_of(&lifetime, lifetimes::COMMENTS)?;
    let (dir, page) = json_name(&file)?.split_once('.').ok_or(ApiError::NotFound("model_not_found"))?;
    let dir = prefixed_dir(&prefix, dir, "model_not_found")?;
    let part = Part::of(&query, page_of(page)?)?;
    match lifetime {
        0 => Ok(current(of_model(&state, &dir, part, requester.member(&state).await?).await?)),
        _ => get_of_model(&state, lifetime, &dir, part).await?.respond(&headers),
    }
}

/// A page of the comments on a model.
pub async fn get_of_model(
    state: &AppState,
    lifetime: u32,
    dir: &str,
    part: Part,
) -> ApiResult<CachedAnswer<CommentsAnswer>> {
    let key = format!("model_wall/{lifetime}/{}/{dir}.{}{}", prefix(dir), part.page, part.key());
    let (node, dir) = (state.clone(), dir.to_owned());
    state.cache.get(&key, lifetime, async move { of_model(&node, &dir, part, None).await }).await
}

async fn of_model(state: &AppState, dir: &str, part: Part, reader: Option<i64>) -> ApiResult<CommentsAnswer> {
    let id = community::model_id(&state.pool, dir).await?.ok_or(ApiError::NotFound("model_not_found"))?;
    let at = Place { section: Section::Model, object: id, reader };
    of_object(&state.config, &state.pool, CommentSection::Model, at, (part, false)).await
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
    .takes_all(parts())
    .answers::<CommentsAnswer>("A page of what was written on the wall.")
    .cached()
    .refuses(no_member())
    .refuses(invalid())
}

/// What was written on a member's wall.
pub async fn member_wall(
    State(state): State<AppState>,
    segments: Segments,
    query: Query,
    mut requester: Requester,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let path = MemberPath::parse(segments, lifetimes::COMMENTS)?;
    let part = Part::of(&query, path.page)?;
    match path.lifetime {
        0 => Ok(current(of_member(&state, path, part, requester.member(&state).await?).await?)),
        _ => get_of_member(&state, path, part).await?.respond(&headers),
    }
}

/// A page of a member's wall.
pub async fn get_of_member(state: &AppState, path: MemberPath, part: Part) -> ApiResult<CachedAnswer<CommentsAnswer>> {
    let node = state.clone();
    let compute = async move { of_member(&node, path, part, None).await };
    let key = format!("{}{}", path.canonical("member_wall"), part.key());
    state.cache.get(&key, path.lifetime, compute).await
}

async fn of_member(state: &AppState, path: MemberPath, part: Part, reader: Option<i64>) -> ApiResult<CommentsAnswer> {
    if !members::exists(&state.pool, path.member).await? {
        return Err(ApiError::NotFound("member_not_found"));
    }
    let at = Place { section: Section::User, object: path.member, reader };
    read(&state.config, &state.pool, at, part).await
}

/// What a lifetime of 0 asks for: what is true now, neither taken from the cache nor put into it.
fn current(answer: CommentsAnswer) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(answer)).into_response()
}
