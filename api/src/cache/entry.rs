//! A finished answer in the forms it was asked for, with its headers.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Instant,
};

use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};
use bytes::Bytes;
use lantern_catalog::changes::Object;
use lantern_indexer::Changes;

use super::{
    encoding::{Encoding, SMALLEST},
    etag_text, matches,
};
use crate::{
    error::{ApiError, ApiResult},
    security,
};

const CACHE_TAG: HeaderName = HeaderName::from_static("cache-tag");
/// Longest `Cache-Tag` in bytes; CDNs take 16 KiB of headers, several tags are as good as all for a page of sixty.
const LONGEST_TAGS: usize = 4096;

/// An answer and what is known about its age.
pub struct Entry {
    identity: Bytes,
    /// In the order of [`Encoding::MADE`]; none where the form is no smaller.
    made: [OnceLock<Option<Form>>; 3],
    plain: Form,
    objects: Box<[Object]>,
    /// Up to where the log of changes is known to leave the answer alone.
    seen: AtomicU64,
    generation: u64,
    created: Instant,
    refreshing: AtomicBool,
}

struct Form {
    bytes: Bytes,
    etag: HeaderValue,
    headers: HeaderMap,
}

/// Where the log of changes stood before an answer was computed.
#[derive(Clone, Copy)]
pub struct Before {
    seen: u64,
    generation: u64,
}

impl Before {
    pub fn now(changes: &Changes) -> Self {
        Self { generation: changes.generation(), seen: changes.end() }
    }
}

impl Entry {
    /// An answer of the bytes of a JSON document showing `objects`, which clients may keep for `lifetime` seconds.
    pub fn new(identity: Vec<u8>, mut objects: Vec<Object>, lifetime: u32, before: Before) -> ApiResult<Self> {
        objects.sort_unstable();
        objects.dedup();
        let identity = Bytes::from(identity);
        let headers = headers(&objects, lifetime)?;
        let plain = Form::new(identity.clone(), &etag_text(&identity), Encoding::Identity, headers)?;
        Ok(Self {
            plain,
            identity,
            made: Default::default(),
            objects: objects.into(),
            seen: AtomicU64::new(before.seen),
            generation: before.generation,
            created: Instant::now(),
            refreshing: AtomicBool::new(false),
        })
    }

    /// Memory it may take at most, in bytes: made forms together are never larger than the first one.
    pub fn weight(&self) -> usize {
        const OVERHEAD: usize = 2048;
        2 * self.identity.len() + self.objects.len() * size_of::<Object>() + OVERHEAD
    }

    /// Whether nothing it shows has changed or gone since it was computed.
    pub fn is_valid(&self, changes: &Changes) -> bool {
        let seen = self.seen.load(Ordering::Relaxed);
        if seen == changes.end() {
            return true;
        }
        let unchanged = changes.unchanged(seen, &self.objects);
        if let Some(end) = unchanged {
            self.seen.fetch_max(end, Ordering::Relaxed);
        }
        unchanged.is_some()
    }

    /// Whether it is of the index as it is now, and young enough for what time alone changes.
    pub fn is_fresh(&self, changes: &Changes, fresh_for: std::time::Duration) -> bool {
        self.generation == changes.generation() && self.created.elapsed() < fresh_for
    }

    /// True for the first who asks: the one who computes it anew.
    pub fn begin_refresh(&self) -> bool {
        !self.refreshing.swap(true, Ordering::AcqRel)
    }

    /// The next one may try.
    pub fn end_refresh(&self) {
        self.refreshing.store(false, Ordering::Release);
    }

    /// The answer in the form the client takes, if it was made already.
    pub fn ready(&self, asked: &HeaderMap) -> Option<Response> {
        self.made(Encoding::accepted(asked)).map(|form| form.unwrap_or(&self.plain).answer(asked))
    }

    /// The answer in the form the client takes.
    pub fn answer(&self, asked: &HeaderMap) -> ApiResult<Response> {
        let encoding = Encoding::accepted(asked);
        if self.made(encoding).is_none()
            && let Some(slot) = Encoding::MADE.iter().position(|made| *made == encoding)
        {
            let form = self.make(encoding)?;
            self.made[slot].get_or_init(|| form);
        }
        let form = self.made(encoding).flatten().unwrap_or(&self.plain);
        Ok(form.answer(asked))
    }

    /// `Some(None)`: the first form is the one to send.
    fn made(&self, encoding: Encoding) -> Option<Option<&Form>> {
        match Encoding::MADE.iter().position(|made| *made == encoding) {
            Some(slot) if self.identity.len() >= SMALLEST => self.made[slot].get().map(Option::as_ref),
            _ => Some(None),
        }
    }

    fn make(&self, encoding: Encoding) -> ApiResult<Option<Form>> {
        let bytes = encoding.make(&self.identity).map_err(ApiError::internal)?;
        if bytes.len() > self.identity.len() / Encoding::MADE.len() {
            return Ok(None);
        }
        // Other bytes, another strong tag (RFC 9110, 8.8.3.3).
        let tag = format!("{}-{}", etag_text(&self.identity), encoding.name());
        Form::new(bytes, &tag, encoding, self.plain.headers.clone()).map(Some)
    }
}

impl Form {
    fn new(bytes: Bytes, tag: &str, encoding: Encoding, mut headers: HeaderMap) -> ApiResult<Self> {
        let etag = HeaderValue::try_from(format!("\"{tag}\"")).map_err(ApiError::internal)?;
        headers.insert(header::ETAG, etag.clone());
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
        if encoding != Encoding::Identity {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
        }
        Ok(Self { bytes, etag, headers })
    }

    fn answer(&self, asked: &HeaderMap) -> Response {
        let mut response = Response::new(Body::empty());
        response.headers_mut().clone_from(&self.headers);
        if matches(asked, &self.etag) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            for name in [header::CONTENT_LENGTH, header::CONTENT_TYPE, header::CONTENT_ENCODING] {
                response.headers_mut().remove(name);
            }
        } else {
            *response.body_mut() = Body::from(self.bytes.clone());
        }
        response
    }
}

fn headers(objects: &[Object], lifetime: u32) -> ApiResult<HeaderMap> {
    let mut headers = HeaderMap::with_capacity(16);
    security::add(&mut headers);
    // A tenth more may be shown while a fresh answer is fetched.
    let control = match lifetime {
        0 => "no-store".to_owned(),
        _ => format!("public, max-age={lifetime}, stale-while-revalidate={}", lifetime / 10),
    };
    headers.insert(header::CACHE_CONTROL, HeaderValue::try_from(control).map_err(ApiError::internal)?);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    let mut tags = String::new();
    for (entity, id) in objects {
        let separator = if tags.is_empty() { "" } else { "," };
        let tag = format!("{separator}{entity}-{id}");
        if tags.len() + tag.len() > LONGEST_TAGS {
            break;
        }
        tags.push_str(&tag);
    }
    if !tags.is_empty() {
        headers.insert(CACHE_TAG, HeaderValue::try_from(tags).map_err(ApiError::internal)?);
    }
    Ok(headers)
}
