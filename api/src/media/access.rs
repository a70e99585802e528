//! A cache that holds which files are public.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use axum::http::HeaderValue;
use lantern_catalog::{
    changes::{Changes, Object},
    media::{self, ShownMedia},
    outbox::Entity,
};
use lantern_config::Media as Settings;
use lantern_errors::{ApiError, ApiResult};
use lantern_media::FileOrigin;
use moka::future::Cache;
use sqlx::PgPool;
use tokio::time::timeout;

use super::{figures::Figures, names::picture};
use prometheus_client::registry::Registry;

/// Result of a catalog lookup, shared by concurrent requests.
type Lookup = Result<Arc<ShownFile>, ApiError>;

/// Cache of public files and of the objects that show them.
pub struct MediaAccess {
    pool: PgPool,
    changes: Changes,
    entries: Cache<String, Lookup>,
    fresh_for: Duration,
    /// Maximum age of an entry while the catalog is unavailable. Zero disables stale entries.
    stale_for: Duration,
    lookup_timeout: Duration,
    figures: Figures,
}

/// The object that makes a file public.
struct ShownFile {
    /// The object's tag for external caches, or `None` if there is no such object.
    tag: Option<HeaderValue>,
    /// The object itself, if the change log can name it.
    objects: Vec<Object>,
    /// Position in the change log up to which the object is unchanged.
    seen: AtomicU64,
    /// Generation of the index at the time of the lookup.
    generation: u64,
    /// Time of the catalog lookup.
    read_at: Instant,
    /// Whether the entry was extended because the catalog was unavailable.
    is_stale: bool,
}

impl ShownFile {
    /// Creates an entry from a lookup. `seen` and `generation` must have been read before the lookup.
    fn new(shown: Option<ShownMedia>, seen: u64, generation: u64) -> ApiResult<Self> {
        let tag = shown.as_ref().map(|shown| HeaderValue::try_from(format!("{}-{}", shown.section, shown.id)));
        let objects = shown.and_then(|shown| Some((shown.section.parse::<Entity>().ok()?, shown.id)));
        Ok(Self {
            tag: tag.transpose().map_err(ApiError::internal)?,
            objects: objects.into_iter().collect(),
            seen: AtomicU64::new(seen),
            generation,
            read_at: Instant::now(),
            is_stale: false,
        })
    }

    /// Returns a copy with a longer lifetime.
    fn prolonged(&self, seen: u64, generation: u64) -> Self {
        let (tag, objects) = (self.tag.clone(), self.objects.clone());
        Self { tag, objects, seen: AtomicU64::new(seen), generation, read_at: self.read_at, is_stale: true }
    }
}

impl MediaAccess {
    /// Creates an empty cache that is invalidated by `changes`.
    pub fn new(pool: PgPool, changes: Changes, settings: &Settings) -> Self {
        let fresh_for = Duration::from_secs(settings.known_seconds);
        let stale_for = match settings.away_seconds {
            0 => Duration::ZERO,
            seconds => fresh_for + Duration::from_secs(seconds),
        };
        Self {
            pool,
            changes,
            entries: Cache::builder()
                .max_capacity(settings.known_files)
                .time_to_live(fresh_for.max(stale_for).max(Duration::from_secs(1)))
                .build(),
            fresh_for,
            stale_for,
            lookup_timeout: Duration::from_millis(settings.ask_ms),
            figures: Figures::default(),
        }
    }

    /// Returns the cache tag of the object that makes the file public, or `None` if the file is not public.
    pub async fn tag(&self, served: &FileOrigin) -> ApiResult<Option<HeaderValue>> {
        Ok(self.cached_or_lookup(served).await?.tag.clone())
    }

    async fn cached_or_lookup(&self, served: &FileOrigin) -> ApiResult<Arc<ShownFile>> {
        let key = match served {
            FileOrigin::Picture(path) => path.clone(),
            // No picture path ends with a slash.
            FileOrigin::Film(folder) => format!("{folder}/"),
        };
        let known = self.entries.get(&key).await.and_then(Result::ok);
        if let Some(entry) = &known
            && self.is_valid(entry)
        {
            self.figures.known.inc();
            return Ok(Arc::clone(entry));
        }
        let missing = |cached: &Lookup| !cached.as_ref().is_ok_and(|entry| self.is_valid(entry));
        let mut tries = 0;
        loop {
            let lookup = self.lookup(served, known.as_deref());
            let filled = self.entries.entry_by_ref(&key).or_insert_with_if(lookup, missing).await;
            tries += 1;
            let own = filled.is_fresh();
            let result = filled.into_value();
            // Another request's lookup may have started before this request arrived, but this request's lookup can't have.
            if own || tries > 1 || !missing(&result) {
                if own && result.is_err() {
                    self.entries.invalidate(&key).await;
                }
                return result;
            }
        }
    }

    /// Looks up the file in the catalog. While the catalog is unavailable, extends the last entry, unless its object has been affected by
    /// a change since then.
    async fn lookup(&self, served: &FileOrigin, known: Option<&ShownFile>) -> Lookup {
        // These are read before the lookup, so that concurrent changes invalidate the entry.
        let (seen, generation) = (self.changes.end(), self.changes.generation());
        self.figures.lookups.inc();
        let lookup = async {
            match served {
                FileOrigin::Picture(path) => media::shows_picture(&self.pool, picture(path)).await,
                FileOrigin::Film(folder) => media::shows_film(&self.pool, folder).await,
            }
        };
        let answer = match timeout(self.lookup_timeout, lookup).await {
            Ok(answer) => answer.map_err(ApiError::from),
            Err(late) => Err(ApiError::unavailable(late)),
        };
        match (answer, known) {
            (Ok(shown), _) => ShownFile::new(shown, seen, generation).map(Arc::new),
            (Err(ApiError::Unavailable(_)), Some(known))
                if known.tag.is_some()
                    && known.read_at.elapsed() < self.stale_for
                    && !self.changes.named(known.seen.load(Ordering::Relaxed), &known.objects) =>
            {
                self.figures.prolonged.inc();
                Ok(Arc::new(known.prolonged(seen, generation)))
            }
            (Err(error), _) => Err(error),
        }
    }

    fn is_valid(&self, entry: &ShownFile) -> bool {
        if entry.read_at.elapsed() >= if entry.is_stale { self.stale_for } else { self.fresh_for } {
            return false;
        }
        if entry.tag.is_none() {
            return entry.generation == self.changes.generation();
        }
        let seen = entry.seen.load(Ordering::Relaxed);
        if seen == self.changes.end() {
            return true;
        }
        let unchanged = self.changes.unchanged(seen, &entry.objects);
        if let Some(end) = unchanged {
            entry.seen.fetch_max(end, Ordering::Relaxed);
        }
        unchanged.is_some()
    }

    pub fn register(&self, registry: &mut Registry) {
        self.figures.register(registry);
    }
}
