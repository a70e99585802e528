//! Buffers views briefly in memory and writes them together, so that a page with many viewers costs one row update
//! instead of many.
//!
//! The buffer is bounded in time (`views.flush_ms`, at most a second) and in number (`views.buffer`). A process that is
//! killed loses the views of that second, whereas one that stops normally writes them. If the buffer is full, requests
//! write their view themselves. While Postgres is unavailable, buffered views stay and further views are refused, so
//! that every view reported as counted is actually counted.

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

/// Key for one viewer of one object.
type ViewKey = (Section, i64, [u8; VIEWER_BYTES]);

/// Visibility of an object to the current viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenBy {
    /// The object is visible to any viewer.
    Everybody,
    /// The object is visible to the current viewer, who is its owner.
    Owner,
    /// The object is not visible to the current viewer.
    Others,
}

pub struct Views {
    pool: PgPool,
    settings: Settings,
    now: fn() -> i64,
    /// The first view for each viewer and object.
    waiting: Mutex<HashMap<ViewKey, View>>,
    /// Held while a batch is being written, so that a concurrent flush returns only afterwards.
    writing: tokio::sync::Mutex<()>,
    known: Cache<(Section, i64), ()>,
}

impl Views {
    /// Creates an empty buffer.
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

    /// Returns the current time.
    pub fn now(&self) -> ApiResult<OffsetDateTime> {
        OffsetDateTime::from_unix_timestamp((self.now)()).map_err(ApiError::internal)
    }

    /// Whether a `User-Agent` belongs to a bot in `views.bots`.
    pub fn is_bot(&self, agent: &str) -> bool {
        let agent = agent.to_lowercase();
        self.settings.bots.iter().any(|bot| agent.contains(bot))
    }

    /// Returns who can see the object. `member` is the current viewer.
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

    /// Counts a view, now or within `views.flush_ms`. Fails if the buffer is full and the catalog is unavailable.
    pub async fn record(&self, view: View) -> ApiResult<()> {
        let Some(view) = self.buffer(view) else { return Ok(()) };
        views::record(&self.pool, &[view], self.settings.window_seconds).await?;
        Ok(())
    }

    /// Buffers the view, or returns it if there is no room.
    fn buffer(&self, view: View) -> Option<View> {
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

    /// Writes the buffered views.
    ///
    /// # Errors
    /// Fails if the catalog is unavailable. The views then stay buffered.
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
                // If another view of the same object by the same viewer has arrived in the meantime, this one replaces
                // it, because it is earlier.
                waiting.insert((view.section, view.id, view.viewer), view);
            }
            return Err(anyhow::Error::new(error).context(format!("failed to write {views} views")));
        }
        Ok(())
    }

    /// Deletes viewers from more than `views.window_seconds` ago.
    pub async fn forget(&self) -> ApiResult<()> {
        views::forget(&self.pool, self.now()?, self.settings.window_seconds).await?;
        Ok(())
    }
}
