//! Converts uploads to videos, and remakes films. Claims jobs from the catalog, `films.at_once` at a time, and holds each by a lease.
//!
//! If a worker dies, the next one starts its job again. Nothing becomes visible until the catalog refers to it, and a worker whose lease
//! has expired cannot finish a job any more ([`lantern_catalog::queue`]).

mod film;
mod moving;
mod moving_pictures;
mod original;
mod placing;
mod remaking;
mod removing;
mod sweep;

use std::{sync::Arc, time::Duration};

use lantern_catalog::{
    films::{self, Film, FilmFailure, FilmProgress, WorkOutcome},
    queue::{self, Counts, Held, Job, Outcome, Queue, Retention, RetryPolicy, Work},
    storage,
};
use lantern_config::{Captions, Config, Films, LOCAL_GROUP, Storage};
use sqlx::{Connection, PgPool, Postgres, pool::PoolConnection};
use tokio::{
    sync::{OnceCell, watch},
    time::sleep,
};
use tokio_util::sync::CancellationToken;

use moving::MoveWork;
use moving_pictures::PictureMoveWork;
pub(crate) use placing::move_into_place;
use remaking::RemakeWork;
use removing::RemovalWork;

use crate::{
    film::ladder::{Hardware, Ladder, Second},
    incoming::Incoming,
    stores::Stores,
    tool::Tools,
};

/// Delay before querying the catalog again after a failure.
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// Delay before determining the confinement again after a failure.
const CONFINEMENT_DELAY: Duration = Duration::from_secs(5);
/// Folder of films below the media folder.
pub const FOLDER: &str = "films";

/// A worker. Clones share its state.
#[derive(Debug, Clone)]
pub struct Worker {
    pool: PgPool,
    incoming: Incoming,
    stores: Stores,
    settings: Films,
    captions: Captions,
    storage: Storage,
    /// Time after which no node still has a stale film location in its cache.
    known_for: Duration,
    /// Time for which the files of a film are retained after it was remade.
    former_for: Duration,
    reserve_bytes: u64,
    tools: Tools,
    /// The encoder found when the first film, or the worker, starts.
    hardware: Arc<OnceCell<Option<Hardware>>>,
    films: Queue,
    remakes: Queue,
    moves: Queue,
    picture_moves: Queue,
    removals: Queue,
}

/// Reasons for a failed attempt.
#[derive(Debug)]
enum Failure {
    /// The file is at fault. Contains the error code for the member and the reason for operators.
    Refused(&'static str, String),
    /// Something else failed, so another attempt may succeed.
    Later(String),
}

impl Worker {
    /// Creates a worker for the uploads in `incoming`, which stores films in `stores`.
    #[must_use]
    pub fn new(pool: PgPool, incoming: Incoming, stores: Stores, config: &Config, tools: Tools) -> Self {
        let settings = config.films.clone();
        let queue = |kind, poll, retry| Queue {
            pool: pool.clone(),
            kind,
            batch: 1,
            claims: 1,
            lease: Duration::from_secs(settings.lease_seconds),
            poll,
            retry,
            retention: Retention::All,
            counts: Counts::default(),
        };
        let doubling = (0..settings.attempts.min(17)).map(|n| settings.retry_seconds.saturating_mul(1 << n));
        let retry_films = RetryPolicy {
            pauses: doubling.map(Duration::from_secs).collect(),
            attempts: Some(settings.attempts),
            ..RetryPolicy::default()
        };
        // If a store is unavailable, moves and removals wait for it.
        let retry_files =
            RetryPolicy { pauses: vec![Duration::from_secs(config.storage.retry_seconds)], ..RetryPolicy::default() };
        let retry_moves = RetryPolicy { losses: Some(settings.attempts), ..retry_files.clone() };
        let known_for = Duration::from_secs(config.media.known_seconds + config.media.away_seconds);
        // Links to the former files must work until they expire.
        let grace = Duration::from_secs(u64::from(settings.grace_hours) * 3600);
        let former_for = grace.max(Duration::from_secs(config.media.link_seconds)) + known_for;
        // If a store is unavailable, remakes wait for it without counting the attempt.
        let outage_pause = retry_files.pauses.first().copied();
        let retry_remakes = RetryPolicy { outage_pause, ..retry_films.clone() };
        Self {
            remakes: queue(queue::FILM_REMAKE, remaking::POLL_INTERVAL, retry_remakes),
            films: queue(queue::FILM, Duration::from_millis(settings.poll_ms), retry_films),
            moves: queue(queue::FILM_MOVE, moving::POLL_INTERVAL, retry_moves.clone()),
            picture_moves: Queue {
                retention: Retention::Failed,
                ..queue(queue::PICTURE_MOVE, moving::POLL_INTERVAL, retry_moves)
            },
            removals: Queue {
                claims: removing::AT_ONCE,
                lease: removing::LIMIT * 2,
                retention: Retention::Nothing,
                ..queue(queue::FILM_REMOVAL, removing::POLL_INTERVAL, retry_files)
            },
            pool,
            incoming,
            stores,
            settings,
            captions: config.captions.clone(),
            storage: config.storage.clone(),
            known_for,
            former_for,
            reserve_bytes: config.uploads.reserve_bytes,
            tools,
            hardware: Arc::default(),
        }
    }

    /// Runs until `stop` is canceled. A job that is running at that moment is released.
    pub async fn run(&self, stop: CancellationToken) {
        let (film_work, remake_work, removal_work) = (FilmWork(self), RemakeWork(self), RemovalWork(self));
        let (move_work, picture_work) = (MoveWork(self), PictureMoveWork(self));
        let films = async {
            let is_confined = self.settings.at_once > 0
                && tokio::select! {
                    () = stop.cancelled() => false,
                    is_confined = self.is_confined() => is_confined,
                };
            if is_confined {
                self.check_second_codec().await;
                self.hardware().await;
                let workers = (0..self.settings.at_once).map(|_| self.films.run(&film_work, &stop, None));
                tokio::join!(futures_util::future::join_all(workers), self.remakes.run(&remake_work, &stop, None));
            }
        };
        let moves = async {
            // Files are moved only by nodes that process films.
            if self.settings.at_once > 0 {
                let pictures =
                    (0..self.storage.files_at_once).map(|_| self.picture_moves.run(&picture_work, &stop, None));
                let pictures = futures_util::future::join_all(pictures);
                tokio::join!(self.moves.run(&move_work, &stop, None), pictures);
            }
        };
        let removals = self.removals.run(&removal_work, &stop, None);
        let checked = async {
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.check_local_files() => {}
            }
        };
        tokio::join!(films, moves, removals, self.run_cleanup(&stop), checked);
    }

    /// Logs an error if files are in a media folder that other nodes don't have.
    async fn check_local_files(&self) {
        if self.storage.shared_folder {
            return;
        }
        match storage::has_local_files(&mut *self.connection().await).await {
            Ok(false) => {}
            Ok(true) => tracing::error!(
                "films or pictures are in the media folder of one node, and other nodes can't serve them, because \
                 storage.shared_folder is false: run `lantern store --move-to GROUP`, and let that node move them"
            ),
            Err(error) => tracing::error!(%error, "can't determine whether files are in the media folder of one node"),
        }
    }

    /// Logs an error if this ffmpeg lacks the encoder of the second codec. Films are then encoded in H.264 only.
    async fn check_second_codec(&self) {
        let Some(second) = Second::of(&self.settings) else { return };
        let encoder = second.encoder();
        match self.tools.has_encoder(encoder).await {
            Ok(true) => {}
            Ok(false) => tracing::error!(
                encoder,
                "films are encoded in H.264 only: this ffmpeg lacks the encoder that films.second_codec needs"
            ),
            Err(error) => {
                tracing::error!(%error, encoder, "can't determine whether ffmpeg has the second codec's encoder")
            }
        }
    }

    /// Returns how films are encoded.
    async fn ladder(&self) -> Ladder<'_> {
        Ladder { hardware: self.hardware().await, ..Ladder::from(&self.settings) }
    }

    /// Returns the hardware encoder that films are encoded with, or `None` for x264. The first call determines and logs it.
    async fn hardware(&self) -> Option<&Hardware> {
        let find = async {
            let found = Hardware::find(&self.tools, &self.settings).await;
            for (kind, why) in &found.refused {
                tracing::warn!(encoder = kind.name(), why, "this machine can't use a hardware encoder");
            }
            match &found.used {
                Some(hardware) => tracing::info!(%hardware, "films are encoded by hardware"),
                None if found.refused.is_empty() => {}
                None => tracing::warn!("films are encoded in software, although films.encoder allows hardware"),
            }
            found.used
        };
        self.hardware.get_or_init(|| find).await.as_ref()
    }

    /// Returns whether films may be processed, which depends on how the system confines the programs. Logs what the system enforces.
    pub async fn is_confined(&self) -> bool {
        let found = loop {
            match self.tools.confinement().await {
                Ok(found) => break found,
                Err(error) => {
                    tracing::error!(%error, "can't determine the confinement of film programs; retrying");
                    sleep(CONFINEMENT_DELAY).await;
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

    /// Processes one job if one is due. Returns whether there was one.
    ///
    /// # Errors
    /// Fails if the catalog is unavailable. A claimed job becomes available again when its lease expires.
    pub async fn work_once(&self, stop: &CancellationToken) -> lantern_catalog::Result<bool> {
        Ok(self.films.round(&FilmWork(self), stop).await?.claims > 0)
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
                    sleep(RETRY_DELAY).await;
                }
            }
        }
    }

    async fn remove_source(&self, token: &str) {
        if let Err(error) = self.incoming.remove(token).await {
            // The upload will be swept when it expires.
            tracing::warn!(%error, "can't remove a processed upload");
        }
    }

    /// Converts the result of processing a film to the outcome of its job.
    async fn outcome(
        &self,
        film: &Film,
        ended: Held<Result<WorkOutcome, Failure>>,
    ) -> lantern_catalog::Result<Outcome> {
        let upload = film.id;
        let duplicate = |why: String| Outcome::Refused { code: Some("video_duplicate"), why };
        Ok(match ended {
            Held::Ended(Ok(WorkOutcome::Video(video))) => {
                tracing::info!(upload, video, "converted a film to a video");
                self.remove_source(&film.token).await;
                Outcome::Recorded
            }
            Held::Ended(Ok(WorkOutcome::Duplicate)) => duplicate("a video of the same file exists".to_owned()),
            Held::Ended(Ok(WorkOutcome::Same)) => Outcome::Refused {
                code: Some("video_same_film"),
                why: "the video whose film it is to replace has the same bytes".to_owned(),
            },
            Held::Ended(Ok(WorkOutcome::Again(video))) => {
                duplicate(format!("it looks like video {video} of the same member"))
            }
            Held::Ended(Ok(WorkOutcome::Banned)) => Outcome::Refused {
                code: Some("video_banned"),
                why: "a video of the same file was taken down permanently".to_owned(),
            },
            Held::Ended(Ok(WorkOutcome::Lost)) | Held::Lost => {
                // The lease also ends with the job's final transaction, whose result this node may not have received. If the film no longer
                // exists, its upload isn't needed.
                if films::find(&mut *self.pool.acquire().await?, upload).await?.is_none() {
                    tracing::info!(upload, "a film was finished or deleted during processing");
                    self.remove_source(&film.token).await;
                } else {
                    tracing::warn!(upload, "another worker has taken over a film");
                }
                Outcome::Recorded
            }
            Held::Stopped => Outcome::Interrupted,
            Held::Ended(Err(Failure::Refused(code, why))) => Outcome::Refused { code: Some(code), why },
            Held::Ended(Err(Failure::Later(why))) => Outcome::Failed(why),
        })
    }
}

/// Converts uploads to videos.
struct FilmWork<'a>(&'a Worker);

impl Work for FilmWork<'_> {
    async fn attempt(&self, queue: &Queue, jobs: &[Job], stop: &CancellationToken) -> lantern_catalog::Result<Outcome> {
        let [job] = jobs else { return Ok(Outcome::Interrupted) };
        let progress = match job.parse::<FilmProgress>() {
            Ok(progress) => progress,
            Err(refused) => return Ok(refused),
        };
        self.0.remove_unfinished(job.id).await;
        let Some(film) = films::find(&mut *self.0.pool.acquire().await?, progress.upload).await? else {
            // The upload was removed in the meantime, perhaps with the member's account.
            return Ok(Outcome::Done);
        };
        let (sender, receiver) = watch::channel(progress);
        let ended = queue.hold(job, receiver, stop, self.0.make(job, &film, &sender)).await;
        if film.group != LOCAL_GROUP {
            // The next attempt may be on another node.
            self.0.remove_source(&film.token).await;
        }
        self.0.outcome(&film, ended).await
    }

    async fn give_up(
        &self,
        queue: &Queue,
        job: &Job,
        code: Option<&'static str>,
        why: &str,
    ) -> lantern_catalog::Result<bool> {
        let Ok(FilmProgress { upload, .. }) = job.parse() else { return queue.fail(job, why).await };
        let film = films::find(&mut *self.0.pool.acquire().await?, upload).await?;
        if code.is_none() {
            tracing::error!(upload, tries = job.attempts, why, "giving up on a film");
        }
        // If the file isn't at fault, an operator may retry it.
        let keep_hours = Some(self.0.settings.failed_hours).filter(|hours| code.is_none() && *hours > 0);
        let failure = FilmFailure { code: code.unwrap_or("video_upload_error"), why, keep_hours };
        let has_ended = films::fail(&self.0.pool, job, upload, &failure).await?;
        if has_ended && let Some(film) = film {
            tracing::info!(upload, code = failure.code, why, "an upload can't become a video");
            if keep_hours.is_none() {
                self.0.remove_source(&film.token).await;
            }
        }
        Ok(has_ended)
    }
}
