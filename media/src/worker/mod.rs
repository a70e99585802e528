//! Makes videos of uploads: takes jobs of the catalog, one at a time for each hand it has, and holds each by a lease.
//!
//! What a worker that died was at is begun anew by the next one; nothing of it is seen until the catalog names it, and one whose
//! lease is over can't end a job any more ([`lantern_catalog::jobs`]).

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

pub(crate) use film::settle;

use crate::{incoming::Incoming, stores::Stores, tool::Tools};

/// Between two notes of how far a job is, for its member watches, and two tries to note how it ended.
const NOTE: Duration = Duration::from_secs(1);
/// Until the catalog is asked again after it didn't answer.
const AGAIN: Duration = Duration::from_secs(5);
/// Folder of the films below the media folder.
pub const FOLDER: &str = "films";

/// A worker; a clone is another handle.
#[derive(Debug, Clone)]
pub struct Worker {
    pool: PgPool,
    incoming: Incoming,
    stores: Stores,
    settings: Films,
    storage: Storage,
    /// Until every node asks again where a film is.
    known_for: Duration,
    reserve_bytes: u64,
    tools: Tools,
}

/// Why nothing came of a try.
#[derive(Debug)]
enum Failure {
    /// The file is at fault: the code for its member, and why for operators.
    Refused(&'static str, String),
    /// Something else is; another try may succeed.
    Later(String),
}

/// How a try ended.
enum Outcome {
    Ended(films::WorkOutcome),
    Failed(Failure),
    /// This process is to end.
    Stopped,
    /// The lease is somebody else's.
    Lost,
}

impl Worker {
    /// A worker on the uploads in `incoming`, whose films go to these stores.
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

    /// Works until `stop`; a job that is under way then is given back.
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
        tokio::join!(films, self.keep_moving(&stop), self.keep_removing(&stop), self.keep_clean(&stop));
    }

    /// Whether films may be worked on, as far as the system confines the programs that read them; says in the log what it enforces.
    pub async fn is_confined(&self) -> bool {
        let found = loop {
            match self.tools.confinement().await {
                Ok(found) => break found,
                Err(error) => {
                    tracing::error!(%error, "what confines the programs for films can't be found out; it is tried again");
                    sleep(AGAIN).await;
                }
            }
        };
        match found {
            None => true,
            Some((found, true)) if found.is_full() => {
                tracing::info!(%found, "the programs for films are confined");
                true
            }
            Some((found, true)) => {
                tracing::warn!(%found, "the programs for films are not confined fully: a crafted film could read what this user may");
                true
            }
            Some((found, false)) => {
                tracing::error!(
                    %found,
                    "films wait: this system doesn't confine the programs that read them, which production mode requires; use a kernel with \
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
                    tracing::error!(%error, "the catalog doesn't say what to work on; it is asked again");
                    AGAIN
                }
            };
            tokio::select! {
                () = stop.cancelled() => {}
                () = sleep(pause) => {}
            }
        }
    }

    /// Works on one job if one is due; whether there was one.
    ///
    /// # Errors
    /// The catalog is away: the job, if it was taken, comes back when its lease is over.
    pub async fn work_once(&self, stop: &CancellationToken) -> lantern_catalog::Result<bool> {
        let lease = Duration::from_secs(self.settings.lease_seconds);
        let mut conn = self.pool.acquire().await?;
        let Some(job) = jobs::claim(&mut conn, films::KIND, lease).await? else { return Ok(false) };
        let known = serde_json::from_value::<FilmProgress>(job.payload.clone());
        let Ok(progress) = known else {
            tracing::error!(job = job.id, "a job says nothing of what is to be done");
            jobs::finish(&mut conn, &job, Some("its payload can't be read")).await?;
            return Ok(true);
        };
        self.remove_unfinished(job.id).await;
        let Some(film) = films::find(&mut conn, progress.upload).await? else {
            // Removed meanwhile, with its member's account perhaps.
            jobs::finish(&mut conn, &job, None).await?;
            return Ok(true);
        };
        drop(conn);
        let tries = u32::try_from(job.attempts).unwrap_or(u32::MAX);
        if tries > self.settings.attempts {
            // No try before could say how it ended: it took its worker along each time, or its lease ran out.
            tracing::error!(upload = film.id, tries, "a film is given up that no worker came to the end of");
            let why = job.last_error.as_deref().unwrap_or("no worker came to its end");
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
        // A connection that broke meanwhile shows only now, and who isn't heard of keeps the film from everybody until the lease ends.
        while let Err(error) = self.end(&job, &film, &outcome).await {
            if stop.is_cancelled() || Instant::now() >= ends {
                return Err(error);
            }
            tracing::warn!(%error, upload = film.id, "how the work on a film ended isn't recorded yet; it is tried again");
            sleep(NOTE).await;
        }
        Ok(true)
    }

    /// A connection that answers: the pool's may have broken while nobody asked, and a film that took hours isn't begun anew for that.
    /// While the catalog is away it waits; the end of the lease ends that.
    async fn connection(&self) -> PoolConnection<Postgres> {
        loop {
            match self.pool.acquire().await {
                Ok(mut conn) => {
                    if conn.ping().await.is_ok() {
                        return conn;
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "the catalog doesn't answer; it is asked again");
                    sleep(NOTE).await;
                }
            }
        }
    }

    /// Renews the lease and notes how far the work is; ends when the lease is lost.
    async fn hold(&self, job: &Job, receiver: watch::Receiver<FilmProgress>, lease: Duration) {
        let (mut renewed, mut noted) = (Instant::now(), None);
        loop {
            sleep(NOTE).await;
            let now = *receiver.borrow();
            if noted == Some(now) && renewed.elapsed() < lease / 3 {
                continue;
            }
            match self.note(job, now, lease).await {
                Ok(true) => (renewed, noted) = (Instant::now(), Some(now)),
                Ok(false) => return,
                // The catalog may come back in time.
                Err(_) if renewed.elapsed() < lease => {}
                Err(_) => return,
            }
        }
    }

    async fn note(&self, job: &Job, progress: FilmProgress, lease: Duration) -> lantern_catalog::Result<bool> {
        let payload = serde_json::to_value(progress).unwrap_or_else(|_| unreachable!("a number, a word and a number"));
        jobs::report(&mut *self.pool.acquire().await?, job, &payload, lease).await
    }

    async fn end(&self, job: &Job, film: &films::Film, outcome: &Outcome) -> lantern_catalog::Result<()> {
        let upload = film.id;
        match outcome {
            Outcome::Ended(films::WorkOutcome::Video(video)) => {
                tracing::info!(upload, video, "a film became a video");
                self.remove_source(&film.token).await;
            }
            Outcome::Ended(films::WorkOutcome::Duplicate) => {
                self.give_up(job, film, "video_duplicate", "there is a video of the same bytes").await?;
            }
            Outcome::Ended(films::WorkOutcome::Again(video)) => {
                let why = format!("it looks like video {video} of the same member");
                self.give_up(job, film, "video_duplicate", &why).await?;
            }
            Outcome::Ended(films::WorkOutcome::Banned) => {
                self.give_up(job, film, "video_banned", "a video of the same bytes was taken down for good").await?;
            }
            Outcome::Ended(films::WorkOutcome::Lost) | Outcome::Lost => {
                // Its lease also ends with its last transaction, of which this node may not have heard: where nothing is to be made
                // of it any more, nobody needs what was sent.
                if films::find(&mut *self.pool.acquire().await?, upload).await?.is_none() {
                    tracing::info!(upload, "a film ended while it was worked on");
                    self.remove_source(&film.token).await;
                } else {
                    tracing::warn!(upload, "a film is somebody else's now");
                }
            }
            Outcome::Stopped => jobs::give_back(&mut *self.pool.acquire().await?, job).await?,
            Outcome::Failed(Failure::Refused(code, why)) => self.give_up(job, film, code, why).await?,
            Outcome::Failed(Failure::Later(why)) => {
                let tries = u32::try_from(job.attempts).unwrap_or(u32::MAX);
                if tries >= self.settings.attempts {
                    tracing::error!(upload, tries, why, "a film is given up");
                    self.give_up(job, film, "video_upload_error", why).await?;
                } else {
                    tracing::warn!(upload, tries, why, "a film is tried again later");
                    let pause = self.settings.retry_seconds.saturating_mul(1 << (tries.max(1) - 1).min(16));
                    jobs::retry(&mut *self.pool.acquire().await?, job, Duration::from_secs(pause), why).await?;
                }
            }
        }
        Ok(())
    }

    async fn give_up(&self, job: &Job, film: &films::Film, code: &str, why: &str) -> lantern_catalog::Result<()> {
        if films::fail(&self.pool, job, film.id, code, why).await? {
            tracing::info!(upload = film.id, code, why, "no video comes of an upload");
            self.remove_source(&film.token).await;
        }
        Ok(())
    }

    async fn remove_source(&self, token: &str) {
        if let Err(error) = self.incoming.remove(token).await {
            // It is swept when its time is over.
            tracing::warn!(%error, "a film that was worked on can't be removed");
        }
    }
}
