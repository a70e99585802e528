//! Whether a file may be shown, looked at when it is served: a link or an address that was handed out earlier proves nothing about now.
//!
//! A file is everybody's while one object that everybody may see shows it. Which one that is, is remembered, and forgotten by the same
//! news as finished answers ([`lantern_catalog::changes::Changes`]); nothing else is asked for again. That there is none is remembered until anything changes.
//! What isn't everybody's is asked for each time, with who asks: nothing of a member is kept.

pub mod access;
pub mod doc;
pub mod failure;
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
use lantern_catalog::{media, moderation::staff};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::cache::CACHE_TAG;
use lantern_media::{FileOrigin, stores};

use self::{access::MediaAccess, names::picture};
use crate::{
    account::session::now,
    session::{Sessions, Viewer},
};

/// What members are told of files that aren't everybody's: they may keep them, and ask each time whether they still may.
const MEMBERS: HeaderValue = HeaderValue::from_static("private, no-cache");

/// Lets an answer with a file pass when who asks may see it; otherwise there is no such file.
pub async fn guard(
    State(access): State<Arc<MediaAccess>>,
    State(sessions): State<Sessions>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    // Guests have nothing that could open what isn't everybody's.
    let asker = parts.headers.contains_key(header::COOKIE).then(|| parts.clone());
    let mut response = next.run(Request::from_parts(parts, body)).await;
    let Some(served) = response.extensions_mut().remove::<FileOrigin>() else { return response };
    match decide(&access, &sessions, &served, asker).await {
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
    /// With the tag of what shows it.
    Everybody(HeaderValue),
    /// Of the member who asks.
    Member,
}

async fn decide(
    access: &MediaAccess,
    sessions: &Sessions,
    served: &FileOrigin,
    asker: Option<Parts>,
) -> ApiResult<MayShow> {
    if let Some(tag) = access.tag(served).await? {
        return Ok(MayShow::Everybody(tag));
    }
    let gone = ApiError::NotFound("file_not_found");
    let Some(mut parts) = asker else { return Err(gone) };
    let Some(member) = Viewer::from_request_parts(&mut parts, sessions).await?.0 else { return Err(gone) };
    let open = match served {
        FileOrigin::Picture(path) => media::member_sees_picture(&sessions.pool, member.id, picture(path)).await?,
        FileOrigin::Film(folder) => media::member_sees_film(&sessions.pool, member.id, folder).await?,
    };
    // Who decides on what waits has to see it.
    let open = open || staff::may_decide(&sessions.pool, member.session_id, now((sessions.now)())?).await?;
    if open { Ok(MayShow::Member) } else { Err(gone) }
}
