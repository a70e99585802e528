//! Comments on objects, with replies: `/api/json/comments/86400/video/0/7.json?page=2&sort=oldest`.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{access::Hidden, community, threads::Place};
use lantern_config::{CommentSection, Config, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query, Segments,
    cache::CachedAnswer,
    cost,
    openapi::{Doc, invalid, refusal, segment},
};
use lantern_listing::{LAST_PAGE, ObjectPath, bucketed_id, json_name, lifetime_of, word};
use serde_json::json;
use sqlx::PgPool;

use super::{
    item::CommentsAnswer,
    part::{NO_REPLIES, ThreadPart, current, live, parts, read},
};
use crate::{access::Requester, action::not_found, params, sources::Sources};

pub(crate) fn comments_doc(config: &Config) -> Doc {
    let sections = json!({ "$ref": "#/components/schemas/CommentSection" });
    Doc::read(
        "community",
        "comments",
        "/api/json/comments/{lifetime}/{section}/{bucket}/{object_id}.json",
        "Comments on an object",
    )
    .about(live(config))
    .takes(params::lifetime(lifetimes::COMMENTS))
    .takes(segment("section", "Kind of the commented object.", sections, CommentSection::Video.as_str()))
    .takes_all([params::bucket(), params::id("object_id", 1), params::page_query()])
    .takes_all(parts())
    .answers::<CommentsAnswer>("A page of comments.")
    .cached()
    .refuses(refusal(
        404,
        &[
            ("video_not_found", "no such video, or in another bucket"),
            ("album_not_found", "no such album, or in another bucket"),
            ("model_not_found", "no such model, or in another bucket"),
            ("playlist_not_found", "no such playlist, or in another bucket"),
            NO_REPLIES,
        ],
    ))
    .refuses(invalid())
}

/// Returns the comments on an object. If guests may not see the object, its comments are hidden from them, too.
pub(crate) async fn comments(
    State(sources): State<Sources>,
    segments: Segments,
    query: Query,
    mut requester: Requester,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let [lifetime, section, bucket, file] = segments.take()?;
    let lifetime = lifetime_of(&lifetime, lifetimes::COMMENTS)?;
    let section: CommentSection = word(&section)?;
    let id = bucketed_id(&bucket, json_name(&file)?, unknown(section))?;
    let part = ThreadPart::of(&query, query.number("page", 1..=LAST_PAGE)?.unwrap_or(1))?;
    if lifetime > 0 {
        return get(&sources, requester, section, ObjectPath { lifetime, id }, part).await?.respond(&headers);
    }
    // An answer that is not cached may depend on the viewer.
    let open = match hidden(section) {
        Some(what) if community::is_shown(&sources.pool, section, id).await? == Some(false) => {
            requester.may_open(what, id).await?
        }
        _ => false,
    };
    let reader = requester.member().await?;
    let at = Place { section: section.into(), object: id, reader };
    match cost::paid(of_object(&sources.config, &sources.pool, section, at, (part, open))).await {
        Err(ApiError::NotFound(code)) => requester.missing(code).await,
        answer => Ok(current(answer?)),
    }
}

/// Returns a page of the comments on an object.
pub async fn get(
    sources: &Sources,
    mut requester: Requester,
    section: CommentSection,
    path: ObjectPath,
    part: ThreadPart,
) -> ApiResult<CachedAnswer<CommentsAnswer>> {
    let mut key = format!("comments/{}/{section}/{}/{}", path.lifetime, path.bucket(), path.id);
    if part.page > 1 {
        // The blank keeps the key distinct from addresses, which contain no blanks.
        key.push_str(&format!(" {}", part.page));
    }
    key.push_str(&part.key());
    let Sources { cache, pool, reader, .. } = sources.clone();
    let at = Place { section: section.into(), object: path.id, reader: None };
    let compute = async move { of_object(&reader.config, &pool, section, at, (part, false)).await };
    match cache.get(&key, path.lifetime, compute).await {
        Err(ApiError::NotFound(code)) => requester.missing(code).await,
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

/// Returns a page of the comments on an object. For a hidden object, the page is empty unless the object is `open` to
/// the viewer.
pub(crate) async fn of_object(
    config: &Config,
    pool: &PgPool,
    section: CommentSection,
    at: Place,
    (part, open): (ThreadPart, bool),
) -> ApiResult<CommentsAnswer> {
    match community::is_shown(pool, section, at.object).await? {
        None => Err(ApiError::NotFound(unknown(section))),
        Some(false) if !open => Ok(CommentsAnswer::none(at)),
        Some(_) => read(config, pool, at, part).await,
    }
}

fn unknown(section: CommentSection) -> &'static str {
    not_found(section.into()).code()
}
