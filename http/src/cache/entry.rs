//! A finished answer in the variants it was asked for, with its headers.

use std::{
    any::Any,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::Instant,
};

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};
use bytes::Bytes;
use lantern_catalog::changes::{Changes, Object};
use lantern_errors::{ApiError, ApiResult};

use super::{
    encoding::{Effort, Encoding, SMALLEST},
    headers::{CACHE_TAG, common, known},
    tags::{etag_text, quoted, requested_tags},
    variant::Variant,
    weight::{self, COUNTERS, allocated, header_map, shared},
};

/// An answer and what is known about its age.
pub struct Entry {
    /// Digest of the bytes.
    tag: String,
    plain: Variant,
    /// What the bytes were written from.
    value: Arc<dyn Any + Send + Sync>,
    /// In the order of [`Encoding::MADE`]; answers of one packet have none.
    variants: Option<Box<[VariantSlot; 3]>>,
    /// Memory that made variants take.
    taken: AtomicUsize,
    /// Headers of a 304: beside the tag, what RFC 9110 (15.4.5) requires. The client has the rest.
    known: HeaderMap,
    objects: Box<[Object]>,
    /// Up to where the log of changes is known to leave the answer alone.
    seen: AtomicU64,
    generation: u64,
    created: Instant,
    refreshing: AtomicBool,
    /// Whether a request found it invalidated.
    dropped: AtomicBool,
}

/// A variant that is made quickly for the first who asks, thoroughly and to be kept for the second: of all lists most are asked for
/// once.
#[derive(Default)]
struct VariantSlot {
    was_requested: AtomicBool,
    kept: OnceLock<KeptVariant>,
}

enum KeptVariant {
    Variant(Variant),
    /// There is no room: it is made for everybody who asks.
    NoRoom,
}

/// Where the log of changes stood before an answer was computed.
#[derive(Clone, Copy)]
pub struct Before {
    seen: u64,
    /// Number of changes of the index.
    pub generation: u64,
}

impl Before {
    pub fn now(changes: &Changes) -> Self {
        Self { generation: changes.generation(), seen: changes.end() }
    }
}

impl Entry {
    /// An answer of `value` and the bytes of its JSON document, showing `objects`, which clients may store for `lifetime` seconds.
    pub fn new(
        bytes: Vec<u8>,
        value: Arc<dyn Any + Send + Sync>,
        mut objects: Vec<Object>,
        lifetime: u32,
        before: Before,
    ) -> ApiResult<Self> {
        objects.sort_unstable();
        objects.dedup();
        let common = common(&objects, lifetime)?;
        let tag = etag_text(&bytes);
        let variants = (bytes.len() >= SMALLEST).then(Box::default);
        let plain = Variant::new(bytes, &tag, (Encoding::Identity, Effort::Thorough), &common)?;
        Ok(Self {
            tag,
            plain,
            value,
            variants,
            taken: AtomicUsize::new(0),
            known: known(&common),
            objects: objects.into(),
            seen: AtomicU64::new(before.seen),
            generation: before.generation,
            created: Instant::now(),
            refreshing: AtomicBool::new(false),
            dropped: AtomicBool::new(false),
        })
    }

    /// Memory it may take at most, in bytes, with the variants that are still to be made.
    pub fn weight(&self) -> usize {
        let values =
            [header::CACHE_CONTROL, CACHE_TAG].map(|name| self.plain.headers().get(&name).map_or(0, HeaderValue::len));
        let variant = self.variants.as_ref().map_or(0, |variants| allocated(size_of_val(&**variants)) + self.room());
        allocated(COUNTERS + size_of::<Self>())
            + allocated(self.tag.len())
            + allocated(size_of_val(&*self.objects))
            + values.into_iter().map(shared).sum::<usize>()
            + header_map(&self.known)
            + self.plain.weight()
            + weight::value(&*self.value, self.plain.bytes().len())
            + variant
    }

    /// Memory that made variants may take, in bytes: as much as the first one, and the headers of two. Two is what is asked for:
    /// one variant by browsers, another one by programs or a proxy.
    fn room(&self) -> usize {
        self.plain.bytes().len() + 2 * self.plain.around()
    }

    /// The value, if it is one of these.
    pub fn value<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        Arc::clone(&self.value).downcast().ok()
    }

    /// The bytes of the value's JSON document.
    pub const fn bytes(&self) -> &Bytes {
        self.plain.bytes()
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

    /// True for the first request that finds it invalidated.
    pub fn begin_drop(&self) -> bool {
        !self.dropped.swap(true, Ordering::Relaxed)
    }

    /// True for the first who asks: the one who computes it anew.
    pub fn begin_refresh(&self) -> bool {
        !self.refreshing.swap(true, Ordering::AcqRel)
    }

    /// The next one may try.
    pub fn end_refresh(&self) {
        self.refreshing.store(false, Ordering::Release);
    }

    /// The answer in the variant the client takes, if it takes no compressor.
    pub fn ready(&self, headers: &HeaderMap) -> Option<Response> {
        let encoding = Encoding::accepted(headers);
        if let Some(same) = self.unchanged(headers, encoding) {
            return Some(same);
        }
        match self.slot(encoding).map(|variant| variant.kept.get()) {
            None => Some(self.plain.whole()),
            Some(Some(KeptVariant::Variant(variant))) => Some(variant.whole()),
            Some(Some(KeptVariant::NoRoom) | None) => None,
        }
    }

    /// The answer in the variant the client takes.
    pub fn answer(&self, headers: &HeaderMap) -> ApiResult<Response> {
        if let Some(ready) = self.ready(headers) {
            return Ok(ready);
        }
        let encoding = Encoding::accepted(headers);
        let Some(slot) = self.slot(encoding) else { return Ok(self.plain.whole()) };
        if slot.kept.get().is_some() || !slot.was_requested.swap(true, Ordering::Relaxed) {
            return Ok(self.make(encoding, Effort::Quick)?.whole());
        }
        let variant = self.make(encoding, Effort::Thorough)?;
        let response = variant.whole();
        slot.kept.get_or_init(|| self.keep(variant));
        Ok(response)
    }

    /// Where a variant is kept; none where the first variant is the one to send.
    fn slot(&self, encoding: Encoding) -> Option<&VariantSlot> {
        let at = Encoding::MADE.iter().position(|made| *made == encoding)?;
        self.variants.as_ref().map(|variants| &variants[at])
    }

    fn make(&self, encoding: Encoding, effort: Effort) -> ApiResult<Variant> {
        let bytes = encoding.make(self.plain.bytes(), effort).map_err(ApiError::internal)?;
        Variant::new(bytes, &self.tag, (encoding, effort), self.plain.headers())
    }

    fn keep(&self, variant: Variant) -> KeptVariant {
        let more = |taken: usize| Some(taken + variant.weight()).filter(|taken| *taken <= self.room());
        match self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more) {
            Ok(_) => KeptVariant::Variant(variant),
            Err(_) => KeptVariant::NoRoom,
        }
    }

    /// The answer to who has it already, in the variant that would be sent. Whether that was made quickly is no difference: the
    /// document in it is the same.
    fn unchanged(&self, headers: &HeaderMap, encoding: Encoding) -> Option<Response> {
        if !headers.contains_key(header::IF_NONE_MATCH) {
            return None;
        }
        let encoding = self.slot(encoding).map_or(Encoding::Identity, |_| encoding);
        let tag = self.named(headers, encoding)?;
        let mut response = Response::default();
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response.headers_mut().clone_from(&self.known);
        response.headers_mut().insert(header::ETAG, tag);
        Some(response)
    }

    /// The tag of this variant that `If-None-Match` names, compared weakly as the standard asks.
    fn named(&self, headers: &HeaderMap, encoding: Encoding) -> Option<HeaderValue> {
        let suffixes = [Effort::Quick, Effort::Thorough].map(|effort| encoding.suffix(effort));
        let is_ours = |tag: &str| {
            let inner = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
            inner.and_then(|tag| tag.strip_prefix(&*self.tag)).is_some_and(|suffix| suffixes.contains(&suffix))
        };
        let (value, tag) = requested_tags(headers).find(|(_, tag)| *tag == "*" || is_ours(tag))?;
        match tag {
            "*" => quoted(&self.tag, encoding.suffix(Effort::Thorough)).ok(),
            // The usual case, without a copy.
            _ if tag.len() == value.len() => Some(value.clone()),
            _ => HeaderValue::from_str(tag).ok(),
        }
    }
}
