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
    encoding::{Effort, Encoding, SMALLEST},
    etag_text, matches,
};
use crate::{
    envelope,
    error::{ApiError, ApiResult},
    security,
};

const CACHE_TAG: HeaderName = HeaderName::from_static("cache-tag");
/// Longest `Cache-Tag` in bytes; CDNs take 16 KiB of headers, several tags are as good as all for a page of sixty.
const LONGEST_TAGS: usize = 4096;

/// An answer and what is known about its age.
pub struct Entry {
    identity: Bytes,
    /// Digest of `identity`.
    tag: String,
    /// In the order of [`Encoding::MADE`].
    made: [Made; 3],
    plain: Form,
    objects: Box<[Object]>,
    /// Up to where the log of changes is known to leave the answer alone.
    seen: AtomicU64,
    generation: u64,
    created: Instant,
    refreshing: AtomicBool,
}

/// A form that is made quickly for the first who asks, thoroughly and to be kept for the second: of all lists most are asked for
/// once.
#[derive(Default)]
struct Made {
    asked: AtomicBool,
    /// None where it is no smaller.
    form: OnceLock<Option<Form>>,
}

struct Form {
    bytes: Bytes,
    etag: HeaderValue,
    /// Tag of the same form made quickly: who has it needs no other.
    quick: Option<HeaderValue>,
    headers: HeaderMap,
    /// What those are told who have it already: beside the tag, what RFC 9110 (15.4.5) asks for. The rest is in what they have.
    known: HeaderMap,
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
        let tag = etag_text(&identity);
        let plain = Form::new(identity.clone(), &tag, Encoding::Identity, headers)?;
        Ok(Self {
            tag,
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
        let form = match self.made(Encoding::accepted(asked)) {
            Some(made) => made.form.get()?.as_ref().unwrap_or(&self.plain),
            None => &self.plain,
        };
        Some(form.answer(asked))
    }

    /// The answer in the form the client takes.
    pub fn answer(&self, asked: &HeaderMap) -> ApiResult<Response> {
        let encoding = Encoding::accepted(asked);
        let Some(made) = self.made(encoding) else { return Ok(self.plain.answer(asked)) };
        if made.form.get().is_none() {
            if !made.asked.swap(true, Ordering::Relaxed) {
                let quick = self.make(encoding, Effort::Quick)?;
                return Ok(quick.as_ref().unwrap_or(&self.plain).answer(asked));
            }
            let thorough = self.make(encoding, Effort::Thorough)?;
            made.form.get_or_init(|| thorough);
        }
        Ok(made.form.get().and_then(Option::as_ref).unwrap_or(&self.plain).answer(asked))
    }

    /// Where a form is kept; none where the first form is the one to send.
    fn made(&self, encoding: Encoding) -> Option<&Made> {
        let slot = Encoding::MADE.iter().position(|made| *made == encoding)?;
        (self.identity.len() >= SMALLEST).then(|| &self.made[slot])
    }

    fn make(&self, encoding: Encoding, effort: Effort) -> ApiResult<Option<Form>> {
        let bytes = encoding.make(&self.identity, effort).map_err(ApiError::internal)?;
        if bytes.len() > self.identity.len() / Encoding::MADE.len() {
            return Ok(None);
        }
        // Other bytes, another strong tag (RFC 9110, 8.8.3.3).
        let (tag, name) = (&self.tag, encoding.name());
        let quick = format!("{tag}-{name}-quick");
        let headers = self.plain.headers.clone();
        Ok(Some(match effort {
            Effort::Quick => Form::new(bytes, &quick, encoding, headers)?,
            Effort::Thorough => {
                let quick = Some(quoted(&quick)?);
                Form { quick, ..Form::new(bytes, &format!("{tag}-{name}"), encoding, headers)? }
            }
        }))
    }
}

impl Form {
    fn new(bytes: Bytes, tag: &str, encoding: Encoding, mut headers: HeaderMap) -> ApiResult<Self> {
        let etag = quoted(tag)?;
        let kept = [header::CACHE_CONTROL, header::VARY];
        let known =
            kept.into_iter().filter_map(|name| headers.get(&name).cloned().map(|value| (name, value))).collect();
        headers.insert(header::ETAG, etag.clone());
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
        // A place for the id that every answer gets.
        headers.insert(envelope::REQUEST_ID, HeaderValue::from_static(""));
        if encoding != Encoding::Identity {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
        }
        Ok(Self { bytes, etag, quick: None, headers, known })
    }

    fn answer(&self, asked: &HeaderMap) -> Response {
        let mut response = Response::new(Body::empty());
        let tags = std::iter::once(&self.etag).chain(&self.quick);
        if let Some(tag) = tags.into_iter().find(|tag| matches(asked, tag)) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response.headers_mut().clone_from(&self.known);
            response.headers_mut().insert(header::ETAG, tag.clone());
        } else {
            response.headers_mut().clone_from(&self.headers);
            *response.body_mut() = Body::from(self.bytes.clone());
        }
        response
    }
}

fn quoted(tag: &str) -> ApiResult<HeaderValue> {
    HeaderValue::try_from(format!("\"{tag}\"")).map_err(ApiError::internal)
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
