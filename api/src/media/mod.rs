//! Access control for files. Access is checked when a file is served, so having an address or a link doesn't grant access.
//!
//! A file is public while a public object shows it. That object is cached, and it is invalidated by the same changes as cached responses
//! ([`lantern_catalog::changes::Changes`]). The fact that a file is not public is cached until anything changes. Members' access to other
//! files is checked for every request and never cached.

pub(crate) mod access;
pub mod doc;
mod figures;
mod names;
pub mod stream_links;

use std::sync::Arc;

use axum::{
    extract::{FromRequestParts, Request, State},
    http::{HeaderValue, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use lantern_accounts::{
    session::now,
    viewer::{Sessions, Viewer},
};
use lantern_catalog::{media, moderation::staff};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::cache::CACHE_TAG;
use lantern_media::{FileOrigin, stores};

use self::{access::MediaAccess, names::picture};

/// `Cache-Control` of files that aren't public. Browsers may store them but must revalidate them each time.
const MEMBERS: HeaderValue = HeaderValue::from_static("private, no-cache");

/// Passes on a response with a file if the client may see it. Otherwise responds with 404.
pub(crate) async fn guard(
    State(access): State<Arc<MediaAccess>>,
    State(sessions): State<Sessions>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    // Without a cookie, only public files are accessible.
    let member_request = parts.headers.contains_key(header::COOKIE).then(|| parts.clone());
    let mut response = next.run(Request::from_parts(parts, body)).await;
    let Some(served) = response.extensions_mut().remove::<FileOrigin>() else { return response };
    match decide(&access, &sessions, &served, member_request).await {
        Ok(MayShow::Everybody(tag)) => {
            let mut response = stores::fetch(response).await;
            response.headers_mut().insert(CACHE_TAG, tag);
            response
        }
        Ok(MayShow::Member) => {
            let mut response = stores::fetch(response).await;
            if response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED {
                response.headers_mut().insert(header::CACHE_CONTROL, MEMBERS);
            }
            response
        }
        Err(error) => error.into_response(),
    }
}

enum MayShow {
    /// The file is public. Holds the cache tag of the object that shows it.
    Everybody(HeaderValue),
    /// The file is visible to the requesting member.
    Member,
}

async fn decide(
    access: &MediaAccess,
    sessions: &Sessions,
    served: &FileOrigin,
    member_request: Option<Parts>,
) -> ApiResult<MayShow> {
    if let Some(tag) = access.tag(served).await? {
        return Ok(MayShow::Everybody(tag));
    }
    let gone = ApiError::NotFound("file_not_found");
    let Some(mut parts) = member_request else { return Err(gone) };
    let Some(member) = Viewer::from_request_parts(&mut parts, sessions).await?.0 else { return Err(gone) };
    let open = match served {
        FileOrigin::Picture(path) => media::member_sees_picture(&sessions.pool, member.id, picture(path)).await?,
        FileOrigin::Film(folder) => media::member_sees_film(&sessions.pool, member.id, folder).await?,
    };
    // Moderators must see pending uploads.
    let open = open || staff::may_decide(&sessions.pool, member.session_id, now((sessions.now)())?).await?;
    if open { Ok(MayShow::Member) } else { Err(gone) }
}
