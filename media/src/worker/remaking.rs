//! Encodes films anew, from their originals or their largest renditions. Players get the former files until the new ones are complete, and
//! links to the former files work until those are removed.

use std::{path::Path, time::Duration};

use lantern_catalog::{
    films::{self, RemadeFilm, Remake, RemakeOutcome, RemakeSource, Step},
    queue::{Held, Job, Outcome, Queue, Work},
};
use lantern_config::LOCAL_GROUP;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{
    FOLDER, Failure, Worker,
    film::{audio_tracks, encoding, percent, whole_seconds},
    original,
    sweep::unfinished,
};
use crate::{
    Error,
    film::{self, Rendered, Source, ladder, stills},
    stores::{self, Store, StoreFailure, Unknown},
};

/// Interval between checks for films to remake.
pub(super) const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// Difference in duration between a film and its remake, in seconds, that is left to rounding.
const SAME_DURATION: i32 = 1;

/// Reasons for a failed remake.
#[derive(Debug)]
enum RemakeFailure {
    /// No other attempt will succeed.
    Refused(String),
    /// Another attempt may succeed.
    Later(String),
    /// A store is unavailable.
    Away(String),
}

impl From<Failure> for RemakeFailure {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(_, why) => Self::Refused(why),
            Failure::Later(why) => Self::Later(why),
        }
    }
}

impl From<Error> for RemakeFailure {
    fn from(error: Error) -> Self {
        Failure::from(error).into()
    }
}

impl From<lantern_catalog::Error> for RemakeFailure {
    fn from(error: lantern_catalog::Error) -> Self {
        Self::Later(error.to_string())
    }
}

impl From<StoreFailure> for RemakeFailure {
    fn from(failure: StoreFailure) -> Self {
        Self::Away(failure.to_string())
    }
}

impl From<Unknown> for RemakeFailure {
    fn from(unknown: Unknown) -> Self {
        Self::Refused(unknown.to_string())
    }
}

impl Worker {
    /// Remakes one film if one is due and no upload waits. Returns whether there was one.
    ///
    /// # Errors
    /// Fails if the catalog is unavailable. A claimed job becomes available again when its lease expires.
    pub async fn remake_once(&self, stop: &CancellationToken) -> lantern_catalog::Result<bool> {
        Ok(self.remakes.round(&RemakeWork(self), stop).await?.claims > 0)
    }

    async fn remake(
        &self,
        job: &Job,
        remake: &Remake,
        report: &watch::Sender<Remake>,
    ) -> Result<RemakeOutcome, RemakeFailure> {
        let report = |step, share: f64| {
            report.send_if_modified(|now| {
                let next = Remake { step: Some(step), percent: percent(share), ..now.clone() };
                *now != next && {
                    *now = next;
                    true
                }
            });
        };
        report(Step::Checking, 0.0);
        let found = films::remake_source(&mut *self.connection().await, &remake.key).await?;
        let Some(film) = found else { return Ok(RemakeOutcome::Unneeded) };
        let store = self.stores.group(film.group)?;
        let sources = unfinished(&self.films(), job).await?;
        let file = sources.path().join("source");
        self.fetch_source(remake, &film, &file).await?;
        let tools = self.tools.clone().with_niceness(self.settings.remake_niceness);
        let mut source = self.limit_audio(film::probe(&tools, &file).await?);
        self.check_pixels(&source)?;
        if remake.from_rendition {
            name_audio(&mut source, &film)?;
        }
        let (folder, ladder) = (unfinished(&self.films(), job).await?, self.ladder().await);
        let on_encoded = |share| report(Step::Encoding, share);
        let rendered = film::encode(&tools, &file, &source, ladder, folder.path(), on_encoded).await?;
        check_duration(&rendered, &film)?;
        report(Step::Pictures, 0.0);
        if !take_over_pictures(store, &remake.key, folder.path()).await? {
            film::take_pictures(&tools, &source, &rendered, folder.path()).await?;
        }
        ladder::keep_tallest(folder.path(), &rendered.renditions).await?;
        let group = if film.group == LOCAL_GROUP { self.storage.new_films } else { film.group };
        let placed = self.place(&folder, FOLDER, group).await?;
        let made = RemadeFilm {
            media_key: &placed.key,
            home: placed.group,
            height: i16::try_from(rendered.height()).unwrap_or(i16::MAX),
            second_codec: rendered.second_codec,
            audio_tracks: &audio_tracks(&source),
            has_lost_audio: if remake.from_rendition { film.has_lost_audio } else { !source.lost_audio.is_empty() },
            encoding: &encoding(&source, ladder),
            former_for: self.former_for,
        };
        // If the catalog doesn't respond, it may still have committed. Unreferenced films are swept later.
        let ended = films::finish_remake(&mut *self.connection().await, job, &remake.key, &made).await?;
        if !matches!(ended, RemakeOutcome::Remade(_)) {
            self.discard(&placed).await?;
        }
        Ok(ended)
    }

    /// Copies the original, or the largest rendition, to `file`. An original must be the file that was uploaded.
    async fn fetch_source(&self, remake: &Remake, film: &RemakeSource, file: &Path) -> Result<(), RemakeFailure> {
        let (path, group) = match &film.original {
            Some(original) => (format!("{}/{}", original.key, original::NAME), original.group),
            None if remake.from_rendition => (format!("{}/video.mp4", remake.key), film.group),
            None => return Err(RemakeFailure::Refused("its original was not kept, or is gone by now".to_owned())),
        };
        let store = self.stores.group(group)?;
        let Some(length) = store.length(&path).await? else {
            return Err(RemakeFailure::Refused(format!("{path} is missing in group {group}")));
        };
        // The renditions may take as much space as their source.
        self.check_room(self.films(), length.saturating_mul(2)).await?;
        let seal = stores::download(store, &path, file, 0o600).await?;
        match &film.original {
            Some(original) if !seal.is_of(original.size_bytes, &original.sha256) => {
                Err(RemakeFailure::Refused(format!(
                    "the original in group {group} has {} of {} bytes, or other content than the upload",
                    seal.length, original.size_bytes
                )))
            }
            _ => Ok(()),
        }
    }
}

/// Gives the audio tracks of a rendition, which names only some of their properties, the properties that the catalog knows.
fn name_audio(source: &mut Source, film: &RemakeSource) -> Result<(), RemakeFailure> {
    let (found, known) = (source.audio.len(), film.audio_tracks.len());
    if known > 0 && found != known {
        let why = format!("the largest rendition has {found} of {known} audio tracks");
        return Err(RemakeFailure::Refused(why));
    }
    for (sound, track) in source.audio.iter_mut().zip(&film.audio_tracks) {
        sound.track = track.clone();
    }
    Ok(())
}

/// Refuses a remake that lost a part of the film.
fn check_duration(rendered: &Rendered, film: &RemakeSource) -> Result<(), RemakeFailure> {
    let seconds = whole_seconds(rendered.duration);
    if (seconds - film.duration).abs() <= SAME_DURATION {
        return Ok(());
    }
    Err(RemakeFailure::Refused(format!("it would last {seconds} s instead of {} s", film.duration)))
}

/// Copies a film's pictures, from which its member chose one, to `folder`. Returns `false` if some are missing.
async fn take_over_pictures(store: &Store, key: &str, folder: &Path) -> Result<bool, RemakeFailure> {
    let files = store.files(key).await?;
    if !stills::names().all(|name| files.contains_key(&name)) {
        return Ok(false);
    }
    for name in stills::names().chain([stills::AVIF.to_owned()]).filter(|name| files.contains_key(name)) {
        stores::download(store, &format!("{key}/{name}"), &folder.join(&name), 0o666).await?;
    }
    Ok(true)
}

/// Remakes films.
pub(super) struct RemakeWork<'a>(pub(super) &'a Worker);

impl Work for RemakeWork<'_> {
    async fn prepare(&self) -> lantern_catalog::Result<bool> {
        Ok(!films::is_upload_waiting(&mut *self.0.pool.acquire().await?).await?)
    }

    async fn attempt(&self, queue: &Queue, jobs: &[Job], stop: &CancellationToken) -> lantern_catalog::Result<Outcome> {
        let [job] = jobs else { return Ok(Outcome::Interrupted) };
        let remake = match job.parse::<Remake>() {
            Ok(remake) => Remake { step: None, percent: 0, ..remake },
            Err(refused) => return Ok(refused),
        };
        self.0.remove_unfinished(job.id).await;
        let (sender, receiver) = watch::channel(remake.clone());
        Ok(match queue.hold(job, receiver, stop, self.0.remake(job, &remake, &sender)).await {
            Held::Ended(Ok(RemakeOutcome::Remade(video))) => {
                tracing::info!(video, "remade a film");
                Outcome::Recorded
            }
            Held::Ended(Ok(RemakeOutcome::Unneeded)) => Outcome::Done,
            Held::Ended(Ok(RemakeOutcome::Lost)) | Held::Lost => Outcome::Recorded,
            Held::Ended(Err(RemakeFailure::Refused(why))) => Outcome::refused(why),
            Held::Ended(Err(RemakeFailure::Later(why))) => Outcome::Failed(why),
            Held::Ended(Err(RemakeFailure::Away(why))) => Outcome::Outage(why),
            Held::Stopped => Outcome::Interrupted,
        })
    }
}
