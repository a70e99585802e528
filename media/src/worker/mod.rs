//! Converts uploads to videos. Claims jobs from the catalog, `films.at_once` at a time, and holds each by a lease.
//!
//! If a worker dies, the next one starts its job again. Nothing becomes visible until the catalog refers to it, and a worker whose lease
//! has expired cannot finish a job any more ([`lantern_catalog::jobs`]).

mod film;
mod moving;
mod removing;
mod sweep;

use std::time::Duration;

use lantern_catalog::{
    films::{self, FilmProgress},
    jobs::{self, Job},
};
use lantern_config::{Config, Films, Storage};
use sqlx::{Connection, PgPool, Postgres, pool::PoolConnection};
use tokio::{
    sync::watch,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;

pub(crate) use film::move_into_place;

use crate::{incoming::Incoming, stores::Stores, tool::Tools};

/// Interval between progress reports, which the member sees, and between attempts to record an outcome.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);
/// Delay before querying the catalog again after a failure.
const RETRY_DELAY: Duration = Duration::from_secs(5);
/// Folder of films below the media folder.
pub const FOLDER: &str = "films";

/// A worker. Clones share its state.
#[derive(Debug, Clone)]
pub struct Worker {
    pool: PgPool,
    incoming: Incoming,
    stores: Stores,
    settings: Films,
    storage: Storage,
    /// Time after which no node still has a stale film location in its cache.
    known_for: Duration,
    reserve_bytes: u64,
    tools: Tools,
}

/// Reasons for a failed attempt.
#[derive(Debug)]
enum Failure {
    /// The file is at fault. Contains the error code for the member and the reason for operators.
    Refused(&'static str, String),
    /// Something else failed, so another attempt may succeed.
    Later(String),
}

/// Outcome of an attempt.
enum Outcome {
    Ended(films::WorkOutcome),
    Failed(Failure),
    /// This process is shutting down.
    Stopped,
    /// Another worker holds the lease.
    Lost,
}

impl Worker {
    /// Creates a worker for the uploads in `incoming`, which stores films in `stores`.
    #[must_use]
    pub fn new(pool: PgPool, incoming: Incoming, stores: Stores, config: &Config, tools: Tools) -> Self {
        Self {
            pool,
            incoming,
            stores,
            settings: config.films.clone(),
            storage: config.storage.clone(),
            known_for: Duration::from_secs(config.media.known_seconds + config.media.away_seconds),
            reserve_bytes: config.uploads.reserve_bytes,
            tools,
        }
    }

    /// Runs until `stop`. If a job is running then, it is released.
    pub async fn run(&self, stop: CancellationToken) {
        let films = async {
            let is_confined = self.settings.at_once > 0
                && tokio::select! {
                    () = stop.cancelled() => false,
                    is_confined = self.is_confined() => is_confined,
                };
            if is_confined {
                futures_util::future::join_all((0..self.settings.at_once).map(|_| self.work(&stop))).await;
            }
        };
        tokio::join!(films, self.run_moves(&stop), self.run_removals(&stop), self.run_cleanup(&stop));
    }

    /// Returns whether films may be processed, which depends on how the system confines the programs. Logs what the system enforces.
    pub async fn is_confined(&self) -> bool {
        let found = loop {
            match self.tools.confinement().await {
                Ok(found) => break found,
                Err(error) => {
                    tracing::error!(%error, "can't determine the confinement of film programs; retrying");
                    sleep(RETRY_DELAY).await;
                }
            }
        };
        match found {
            None => true,
            Some((found, true)) if found.is_full() => {
                tracing::info!(%found, "film programs are confined");
                true
            }
            Some((found, true)) => {
                tracing::warn!(%found, "film programs are not fully confined: a crafted film could read any file this user can");
                true
            }
            Some((found, false)) => {
                tracing::error!(
                    %found,
                    "films are not processed: this system can't confine film programs, which production mode requires; use a kernel with \
                     Landlock, or set films.allow_weak_confinement"
                );
                false
            }
        }
    }

    async fn work(&self, stop: &CancellationToken) {
        let pause = Duration::from_millis(self.settings.poll_ms);
        while !stop.is_cancelled() {
            let pause = match self.work_once(stop).await {
                Ok(true) => continue,
                Ok(false) => pause,
                Err(error) => {
                    tracing::error!(%error, "can't claim a film job from the catalog; retrying");
                    RETRY_DELAY
                }
            };
            tokio::select! {
                () = stop.cancelled() => {}
                () = sleep(pause) => {}
            }
        }
    }

    /// Processes one job if one is due. Returns whether there was one.
    ///
    /// # Errors
    /// Fails if the catalog is unavailable. A claimed job becomes available again when its lease expires.
    pub async fn work_once(&self, stop: &CancellationToken) -> lantern_catalog::Result<bool> {
        let lease = Duration::from_secs(self.settings.lease_seconds);
        let mut conn = self.pool.acquire().await?;
        let Some(job) = jobs::claim(&mut conn, films::KIND, lease).await? else { return Ok(false) };
        let known = serde_json::from_value::<FilmProgress>(job.payload.clone());
        let Ok(progress) = known else {
            tracing::error!(job = job.id, "the payload of a film job is invalid");
            jobs::finish(&mut conn, &job, Some("its payload is invalid")).await?;
            return Ok(true);
        };
        self.remove_unfinished(job.id).await;
        let Some(film) = films::find(&mut conn, progress.upload).await? else {
            // The upload was removed in the meantime, perhaps with the member's account.
            jobs::finish(&mut conn, &job, None).await?;
            return Ok(true);
        };
        drop(conn);
        let tries = u32::try_from(job.attempts).unwrap_or(u32::MAX);
        if tries > self.settings.attempts {
            // No previous attempt has reported an outcome. Each of them crashed its worker or outlived its lease.
            tracing::error!(upload = film.id, tries, "giving up on a film that no worker completed");
            let why = job.last_error.as_deref().unwrap_or("no worker completed it");
            self.give_up(&job, &film, "video_upload_error", why).await?;
            return Ok(true);
        }
        let (sender, receiver) = watch::channel(progress);
        let outcome = tokio::select! {
            biased;
            () = stop.cancelled() => Outcome::Stopped,
            made = self.make(&job, &film, &sender) => made.map_or_else(Outcome::Failed, Outcome::Ended),
            () = self.hold(&job, receiver, lease) => Outcome::Lost,
        };
        let ends = Instant::now() + lease;
        // A broken connection is only noticed now. Without this retry, no worker could process the film until the lease expires.
        while let Err(error) = self.end(&job, &film, &outcome).await {
            if stop.is_cancelled() || Instant::now() >= ends {
                return Err(error);
            }
            tracing::warn!(%error, upload = film.id, "can't record the outcome of a film; retrying");
            sleep(REPORT_INTERVAL).await;
        }
        Ok(true)
    }

    /// Returns a working connection. An idle connection may have broken, and hours of work must not be lost because of that. While the
    /// catalog is unavailable, waits until the lease expires.
    async fn connection(&self) -> PoolConnection<Postgres> {
        loop {
            match self.pool.acquire().await {
                Ok(mut conn) => {
                    if conn.ping().await.is_ok() {
                        return conn;
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "the catalog is unavailable; retrying");
                    sleep(REPORT_INTERVAL).await;
                }
            }
        }
    }

    /// Renews the lease and reports progress. Returns when the lease is lost.
    async fn hold(&self, job: &Job, receiver: watch::Receiver<FilmProgress>, lease: Duration) {
        let (mut renewed, mut reported) = (Instant::now(), None);
        loop {
            sleep(REPORT_INTERVAL).await;
            let now = *receiver.borrow();
            if reported == Some(now) && renewed.elapsed() < lease / 3 {
                continue;
            }
            match self.report(job, now, lease).await {
                Ok(true) => (renewed, reported) = (Instant::now(), Some(now)),
                Ok(false) => return,
                // The catalog may become available again before the lease expires.
                Err(_) if renewed.elapsed() < lease => {}
                Err(_) => return,
            }
        }
    }

    async fn report(&self, job: &Job, progress: FilmProgress, lease: Duration) -> lantern_catalog::Result<bool> {
        let payload =
            serde_json::to_value(progress).unwrap_or_else(|_| unreachable!("plain numbers and text serialize"));
        jobs::report(&mut *self.pool.acquire().await?, job, &payload, lease).await
    }

    async fn end(&self, job: &Job, film: &films::Film, outcome: &Outcome) -> lantern_catalog::Result<()> {
        let upload = film.id;
        match outcome {
            Outcome::Ended(films::WorkOutcome::Video(video)) => {
                tracing::info!(upload, video, "converted a film to a video");
                self.remove_source(&film.token).await;
            }
            Outcome::Ended(films::WorkOutcome::Duplicate) => {
                self.give_up(job, film, "video_duplicate", "a video of the same file exists").await?;
            }
            Outcome::Ended(films::WorkOutcome::Again(video)) => {
                let why = format!("it looks like video {video} of the same member");
                self.give_up(job, film, "video_duplicate", &why).await?;
            }
            Outcome::Ended(films::WorkOutcome::Banned) => {
                self.give_up(job, film, "video_banned", "a video of the same file was taken down permanently").await?;
            }
            Outcome::Ended(films::WorkOutcome::Lost) | Outcome::Lost => {
                // The lease also ends with the job's final transaction, whose result this node may not have received. If the film no longer
                // exists, its upload isn't needed.
                if films::find(&mut *self.pool.acquire().await?, upload).await?.is_none() {
                    tracing::info!(upload, "a film was finished or deleted during processing");
                    self.remove_source(&film.token).await;
                } else {
                    tracing::warn!(upload, "another worker has taken over a film");
                }
            }
            Outcome::Stopped => jobs::give_back(&mut *self.pool.acquire().await?, job).await?,
            Outcome::Failed(Failure::Refused(code, why)) => self.give_up(job, film, code, why).await?,
            Outcome::Failed(Failure::Later(why)) => {
                let tries = u32::try_from(job.attempts).unwrap_or(u32::MAX);
                if tries >= self.settings.attempts {
                    tracing::error!(upload, tries, why, "giving up on a film");
                    self.give_up(job, film, "video_upload_error", why).await?;
                } else {
                    tracing::warn!(upload, tries, why, "retrying a film later");
                    let pause = self.settings.retry_seconds.saturating_mul(1 << (tries.max(1) - 1).min(16));
                    jobs::retry(&mut *self.pool.acquire().await?, job, Duration::from_secs(pause), why).await?;
                }
            }
        }
        Ok(())
    }

    async fn give_up(&self, job: &Job, film: &films::Film, code: &str, why: &str) -> lantern_catalog::Result<()> {
        if films::fail(&self.pool, job, film.id, code, why).await? {
            tracing::info!(upload = film.id, code, why, "an upload can't become a video");
            self.remove_source(&film.token).await;
        }
        Ok(())
    }

    async fn remove_source(&self, token: &str) {
        if let Err(error) = self.incoming.remove(token).await {
            // The upload will be swept when it expires.
            tracing::warn!(%error, "can't remove a processed upload");
        }
    }
}
