//! What is known of the files everybody may see.

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

/// Who shows a file, or why nobody knows: those who waited together share it.
type CatalogAnswer = Result<Arc<ShownFile>, ApiError>;

/// What is known of public files.
pub struct MediaAccess {
    pool: PgPool,
    changes: Changes,
    entries: Cache<String, CatalogAnswer>,
    fresh_for: Duration,
    /// How old an answer may get while the catalog is away; zero for never.
    old_for: Duration,
    ask_for: Duration,
    figures: Figures,
}

/// Which object shows a file to everybody.
struct ShownFile {
    /// Its tag for caches outside; `None` where there is no such object.
    tag: Option<HeaderValue>,
    /// It, where changes can name it.
    objects: Vec<Object>,
    /// Up to where the log of changes is known to leave the object alone.
    seen: AtomicU64,
    /// Number of changes of the index.
    generation: u64,
    /// When the catalog was read.
    read_at: Instant,
    /// Whether that was before it went away.
    is_old: bool,
}

impl ShownFile {
    /// The answer of the catalog, asked for after `seen` and `generation` were read.
    fn new(shown: Option<ShownMedia>, seen: u64, generation: u64) -> ApiResult<Self> {
        let tag = shown.as_ref().map(|shown| HeaderValue::try_from(format!("{}-{}", shown.section, shown.id)));
        let objects = shown.and_then(|shown| Some((shown.section.parse::<Entity>().ok()?, shown.id)));
        Ok(Self {
            tag: tag.transpose().map_err(ApiError::internal)?,
            objects: objects.into_iter().collect(),
            seen: AtomicU64::new(seen),
            generation,
            read_at: Instant::now(),
            is_old: false,
        })
    }

    /// The same, taken for true a little longer.
    fn prolonged(&self, seen: u64, generation: u64) -> Self {
        let (tag, objects) = (self.tag.clone(), self.objects.clone());
        Self { tag, objects, seen: AtomicU64::new(seen), generation, read_at: self.read_at, is_old: true }
    }
}

impl MediaAccess {
    /// Remembers nothing yet, and follows `changes`.
    pub fn new(pool: PgPool, changes: Changes, settings: &Settings) -> Self {
        let fresh_for = Duration::from_secs(settings.known_seconds);
        let old_for = match settings.away_seconds {
            0 => Duration::ZERO,
            seconds => fresh_for + Duration::from_secs(seconds),
        };
        Self {
            pool,
            changes,
            entries: Cache::builder()
                .max_capacity(settings.known_files)
                .time_to_live(fresh_for.max(old_for).max(Duration::from_secs(1)))
                .build(),
            fresh_for,
            old_for,
            ask_for: Duration::from_millis(settings.ask_ms),
            figures: Figures::default(),
        }
    }

    /// The tag of what shows the file to everybody; `None` where nothing does.
    pub async fn tag(&self, served: &FileOrigin) -> ApiResult<Option<HeaderValue>> {
        Ok(self.look(served).await?.tag.clone())
    }

    async fn look(&self, served: &FileOrigin) -> ApiResult<Arc<ShownFile>> {
        let key = match served {
            FileOrigin::Picture(path) => path.clone(),
            // No picture's path ends so.
            FileOrigin::Film(folder) => format!("{folder}/"),
        };
        let known = self.entries.get(&key).await.and_then(Result::ok);
        if let Some(entry) = &known
            && self.is_valid(entry)
        {
            self.figures.known.inc();
            return Ok(Arc::clone(entry));
        }
        let missing = |kept: &CatalogAnswer| !kept.as_ref().is_ok_and(|entry| self.is_valid(entry));
        let mut tries = 0;
        loop {
            let ask = self.ask(served, known.as_deref());
            let filled = self.entries.entry_by_ref(&key).or_insert_with_if(ask, missing).await;
            tries += 1;
            let own = filled.is_fresh();
            let kept = filled.into_value();
            // What another one waited for may have been read before this request came; what this one reads is not.
            if own || tries > 1 || !missing(&kept) {
                if own && kept.is_err() {
                    self.entries.invalidate(&key).await;
                }
                return kept;
            }
        }
    }

    /// Asks the catalog; where that is away, what it said last counts a little longer, unless a change named the object since.
    async fn ask(&self, served: &FileOrigin, known: Option<&ShownFile>) -> CatalogAnswer {
        // Read first: what changes meanwhile counts against the answer.
        let (seen, generation) = (self.changes.end(), self.changes.generation());
        self.figures.questions.inc();
        let question = async {
            match served {
                FileOrigin::Picture(path) => media::shows_picture(&self.pool, picture(path)).await,
                FileOrigin::Film(folder) => media::shows_film(&self.pool, folder).await,
            }
        };
        let answer = match timeout(self.ask_for, question).await {
            Ok(answer) => answer.map_err(ApiError::from),
            Err(late) => Err(ApiError::unavailable(late)),
        };
        match (answer, known) {
            (Ok(shown), _) => ShownFile::new(shown, seen, generation).map(Arc::new),
            (Err(ApiError::Unavailable(_)), Some(known))
                if known.tag.is_some()
                    && known.read_at.elapsed() < self.old_for
                    && !self.changes.named(known.seen.load(Ordering::Relaxed), &known.objects) =>
            {
                self.figures.prolonged.inc();
                Ok(Arc::new(known.prolonged(seen, generation)))
            }
            (Err(error), _) => Err(error),
        }
    }

    fn is_valid(&self, entry: &ShownFile) -> bool {
        if entry.read_at.elapsed() >= if entry.is_old { self.old_for } else { self.fresh_for } {
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
