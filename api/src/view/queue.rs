//! Views wait in memory for a moment and are written together: a page with many viewers costs one row, not one write each.
//!
//! What waits is bounded in time (`views.flush_ms`, a second at most) and number (`views.buffer`). A process that is killed
//! loses that second; one that stops writes it. Where the buffer is full a view is written by its own request, and where
//! Postgres is away what waits stays and new views are refused: none is counted as written that isn't.

use std::{
    collections::{HashMap, hash_map},
    mem,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use lantern_catalog::{
    actions::is_visible,
    views::{self, VIEWER_BYTES, View},
};
use lantern_config::{Section, Views as Settings};
use moka::future::Cache;
use sqlx::PgPool;
use time::OffsetDateTime;

use lantern_errors::{ApiError, ApiResult};

/// One viewer of one object.
type ViewKey = (Section, i64, [u8; VIEWER_BYTES]);

/// For whom an object is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenBy {
    /// Any viewer.
    Everybody,
    /// Its owner, who asks.
    Owner,
    /// Nobody or others than who asks.
    Others,
}

pub struct Views {
    pool: PgPool,
    settings: Settings,
    now: fn() -> i64,
    /// The first view of each viewer and object.
    waiting: Mutex<HashMap<ViewKey, View>>,
    /// Held while a batch is written, so that who waits for it finds it written.
    writing: tokio::sync::Mutex<()>,
    known: Cache<(Section, i64), ()>,
}

impl Views {
    /// Nothing waits yet.
    pub fn new(pool: PgPool, settings: &Settings, now: fn() -> i64) -> Self {
        let known = Cache::builder()
            .max_capacity(settings.known_objects)
            .time_to_live(Duration::from_secs(settings.known_seconds))
            .build();
        Self {
            pool,
            settings: settings.clone(),
            now,
            waiting: Mutex::default(),
            writing: tokio::sync::Mutex::default(),
            known,
        }
    }

    /// The time now.
    pub fn now(&self) -> ApiResult<OffsetDateTime> {
        OffsetDateTime::from_unix_timestamp((self.now)()).map_err(ApiError::internal)
    }

    /// Whether a `User-Agent` is a machine's.
    pub fn is_bot(&self, agent: &str) -> bool {
        let agent = agent.to_lowercase();
        self.settings.bots.iter().any(|bot| agent.contains(bot))
    }

    /// For whom the object is there; `member` is who asks.
    pub async fn seen_by(&self, section: Section, id: i64, member: Option<i64>) -> ApiResult<SeenBy> {
        if self.known.contains_key(&(section, id)) {
            return Ok(SeenBy::Everybody);
        }
        let mut conn = self.pool.acquire().await?;
        if is_visible(&mut conn, section, id, None).await? {
            self.known.insert((section, id), ()).await;
            return Ok(SeenBy::Everybody);
        }
        let Some(member) = member else { return Ok(SeenBy::Others) };
        Ok(if is_visible(&mut conn, section, id, Some(member)).await? { SeenBy::Owner } else { SeenBy::Others })
    }

    /// Counts a view, now or within `views.flush_ms`. Fails when the buffer is full and the catalog is away.
    pub async fn record(&self, view: View) -> ApiResult<()> {
        let Some(view) = self.keep(view) else { return Ok(()) };
        views::record(&self.pool, &[view], self.settings.window_seconds).await?;
        Ok(())
    }

    /// Gives the view back where there is no room.
    fn keep(&self, view: View) -> Option<View> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let full = waiting.len() >= self.settings.buffer;
        match waiting.entry((view.section, view.id, view.viewer)) {
            hash_map::Entry::Occupied(_) => None,
            hash_map::Entry::Vacant(_) if full => Some(view),
            hash_map::Entry::Vacant(place) => {
                place.insert(view);
                None
            }
        }
    }

    /// Writes what waits.
    ///
    /// # Errors
    /// The catalog is away; then it goes on waiting.
    pub async fn flush(&self) -> anyhow::Result<()> {
        let _writing = self.writing.lock().await;
        let batch = mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        if batch.is_empty() {
            return Ok(());
        }
        let batch: Vec<View> = batch.into_values().collect();
        if let Err(error) = views::record(&self.pool, &batch, self.settings.window_seconds).await {
            let views = batch.len();
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            for view in batch {
                // Older than what came meanwhile.
                waiting.insert((view.section, view.id, view.viewer), view);
            }
            return Err(anyhow::Error::new(error).context(format!("{views} views could not be written")));
        }
        Ok(())
    }

    /// Forgets who saw what longer than `views.window_seconds` ago.
    pub async fn forget(&self) -> ApiResult<()> {
        views::forget(&self.pool, self.now()?, self.settings.window_seconds).await?;
        Ok(())
    }
}
