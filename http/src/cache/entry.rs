//! A cached answer with its headers and the compressed variants that were requested.

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
    encoding::{Effort, Encoding, MIN_SIZE},
    headers::{CACHE_TAG, common, not_modified},
    tags::{etag_text, quoted, requested_tags},
    variant::Variant,
    weight::{self, COUNTERS, allocated, header_map, shared},
};

/// A cached answer and the state needed to decide whether it is valid and fresh.
pub struct Entry {
    /// Digest of the JSON document.
    tag: String,
    plain: Variant,
    /// Value that the JSON document was serialized from.
    value: Arc<dyn Any + Send + Sync>,
    /// Variants in the order of [`Encoding::COMPRESSED`], or `None` if the document is smaller than [`MIN_SIZE`].
    variants: Option<Box<[VariantSlot; 3]>>,
    /// Memory used by the compressed variants, in bytes.
    variants_size: AtomicUsize,
    /// Headers of a 304 except the ETag, as RFC 9110 (15.4.5) requires. The client has the others.
    not_modified: HeaderMap,
    objects: Box<[Object]>,
    /// Position in the change log up to which no change affects the answer.
    seen: AtomicU64,
    generation: u64,
    created: Instant,
    refreshing: AtomicBool,
    /// Whether a request has found the entry invalidated.
    dropped: AtomicBool,
}

/// A compressed variant. The first request compresses quickly without storing the result, the second one thoroughly and stores it,
/// because most lists are requested only once.
#[derive(Default)]
struct VariantSlot {
    was_requested: AtomicBool,
    stored: OnceLock<StoredVariant>,
}

enum StoredVariant {
    Variant(Variant),
    /// The variant exceeds the budget, so each request compresses it again.
    OverBudget,
}

/// Position in the change log before an answer was computed.
#[derive(Clone, Copy)]
pub struct Snapshot {
    seen: u64,
    /// Number of index changes.
    pub generation: u64,
}

impl Snapshot {
    /// Returns the current position.
    pub fn now(changes: &Changes) -> Self {
        Self { generation: changes.generation(), seen: changes.end() }
    }
}

impl Entry {
    /// Creates an entry from `value`, its JSON document `bytes` and the `objects` it shows. Clients may cache the response for
    /// `lifetime` seconds.
    pub fn new(
        bytes: Vec<u8>,
        value: Arc<dyn Any + Send + Sync>,
        mut objects: Vec<Object>,
        lifetime: u32,
        before: Snapshot,
    ) -> ApiResult<Self> {
        objects.sort_unstable();
        objects.dedup();
        let common = common(&objects, lifetime)?;
        let tag = etag_text(&bytes);
        let variants = (bytes.len() >= MIN_SIZE).then(Box::default);
        let plain = Variant::new(bytes, &tag, (Encoding::Identity, Effort::Thorough), &common)?;
        Ok(Self {
            tag,
            plain,
            value,
            variants,
            variants_size: AtomicUsize::new(0),
            not_modified: not_modified(&common),
            objects: objects.into(),
            seen: AtomicU64::new(before.seen),
            generation: before.generation,
            created: Instant::now(),
            refreshing: AtomicBool::new(false),
            dropped: AtomicBool::new(false),
        })
    }

    /// Returns the maximum memory of the entry in bytes, including variants that do not exist yet.
    pub fn weight(&self) -> usize {
        let values =
            [header::CACHE_CONTROL, CACHE_TAG].map(|name| self.plain.headers().get(&name).map_or(0, HeaderValue::len));
        let variant =
            self.variants.as_ref().map_or(0, |variants| allocated(size_of_val(&**variants)) + self.variants_budget());
        allocated(COUNTERS + size_of::<Self>())
            + allocated(self.tag.len())
            + allocated(size_of_val(&*self.objects))
            + values.into_iter().map(shared).sum::<usize>()
            + header_map(&self.not_modified)
            + self.plain.weight()
            + weight::value(&*self.value, self.plain.bytes().len())
            + variant
    }

    /// Returns the memory budget of the compressed variants in bytes: the size of the uncompressed body plus the headers of two variants.
    /// Two is the usual number: one for browsers, another one for programs or a proxy.
    fn variants_budget(&self) -> usize {
        self.plain.bytes().len() + 2 * self.plain.overhead()
    }

    /// Returns the value, or `None` if it has another type.
    pub fn value<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        Arc::clone(&self.value).downcast().ok()
    }

    /// Returns the JSON document.
    pub const fn bytes(&self) -> &Bytes {
        self.plain.bytes()
    }

    /// Returns whether no object that the answer shows has changed or been removed since it was computed.
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

    /// Returns whether the index has not changed since the answer was computed and the entry is younger than `fresh_for`. The age matters
    /// because some content changes merely with time.
    pub fn is_fresh(&self, changes: &Changes, fresh_for: std::time::Duration) -> bool {
        self.generation == changes.generation() && self.created.elapsed() < fresh_for
    }

    /// Returns true for the first request that finds the entry invalidated.
    pub fn begin_drop(&self) -> bool {
        !self.dropped.swap(true, Ordering::Relaxed)
    }

    /// Claims the refresh. Returns false if another request has claimed it.
    pub fn begin_refresh(&self) -> bool {
        !self.refreshing.swap(true, Ordering::AcqRel)
    }

    /// Releases the claim, so that the next request can retry.
    pub fn end_refresh(&self) {
        self.refreshing.store(false, Ordering::Release);
    }

    /// Returns the response to these request headers, or `None` if it must be compressed first.
    pub fn ready(&self, headers: &HeaderMap) -> Option<Response> {
        let encoding = Encoding::accepted(headers);
        if let Some(unchanged) = self.unchanged(headers, encoding) {
            return Some(unchanged);
        }
        match self.slot(encoding).map(|slot| slot.stored.get()) {
            None => Some(self.plain.response()),
            Some(Some(StoredVariant::Variant(variant))) => Some(variant.response()),
            Some(Some(StoredVariant::OverBudget) | None) => None,
        }
    }

    /// Returns the response to these request headers, compressing it if necessary.
    pub fn answer(&self, headers: &HeaderMap) -> ApiResult<Response> {
        if let Some(ready) = self.ready(headers) {
            return Ok(ready);
        }
        let encoding = Encoding::accepted(headers);
        let Some(slot) = self.slot(encoding) else { return Ok(self.plain.response()) };
        if slot.stored.get().is_some() || !slot.was_requested.swap(true, Ordering::Relaxed) {
            return Ok(self.compress(encoding, Effort::Quick)?.response());
        }
        let variant = self.compress(encoding, Effort::Thorough)?;
        let response = variant.response();
        slot.stored.get_or_init(|| self.store(variant));
        Ok(response)
    }

    /// Returns the slot of a compressed variant, or `None` if the uncompressed response is to be sent.
    fn slot(&self, encoding: Encoding) -> Option<&VariantSlot> {
        let at = Encoding::COMPRESSED.iter().position(|compressed| *compressed == encoding)?;
        self.variants.as_ref().map(|variants| &variants[at])
    }

    fn compress(&self, encoding: Encoding, effort: Effort) -> ApiResult<Variant> {
        let bytes = encoding.encode(self.plain.bytes(), effort).map_err(ApiError::internal)?;
        Variant::new(bytes, &self.tag, (encoding, effort), self.plain.headers())
    }

    fn store(&self, variant: Variant) -> StoredVariant {
        let add = |size: usize| Some(size + variant.weight()).filter(|size| *size <= self.variants_budget());
        match self.variants_size.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add) {
            Ok(_) => StoredVariant::Variant(variant),
            Err(_) => StoredVariant::OverBudget,
        }
    }

    /// Returns 304 if the client has the variant that would be sent. Quickly and thoroughly compressed variants both match, because they
    /// contain the same document.
    fn unchanged(&self, headers: &HeaderMap, encoding: Encoding) -> Option<Response> {
        if !headers.contains_key(header::IF_NONE_MATCH) {
            return None;
        }
        let encoding = self.slot(encoding).map_or(Encoding::Identity, |_| encoding);
        let tag = self.matching_tag(headers, encoding)?;
        let mut response = Response::default();
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response.headers_mut().clone_from(&self.not_modified);
        response.headers_mut().insert(header::ETAG, tag);
        Some(response)
    }

    /// Returns the ETag of this variant if `If-None-Match` contains it, by weak comparison (RFC 9110, 13.1.2).
    fn matching_tag(&self, headers: &HeaderMap, encoding: Encoding) -> Option<HeaderValue> {
        let suffixes = [Effort::Quick, Effort::Thorough].map(|effort| encoding.suffix(effort));
        let is_ours = |tag: &str| {
            let inner = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
            inner.and_then(|tag| tag.strip_prefix(&*self.tag)).is_some_and(|suffix| suffixes.contains(&suffix))
        };
        let (value, tag) = requested_tags(headers).find(|(_, tag)| *tag == "*" || is_ours(tag))?;
        match tag {
            "*" => quoted(&self.tag, encoding.suffix(Effort::Thorough)).ok(),
            // Common case: the header contains only this tag, so it needs no copy.
            _ if tag.len() == value.len() => Some(value.clone()),
            _ => HeaderValue::from_str(tag).ok(),
        }
    }
}
