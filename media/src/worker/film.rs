//! Converts an upload to a video.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use lantern_catalog::{
    audio_tracks::AudioTrack,
    chapters::{Chapter, one_line},
    films::{self, Film, FilmProgress, FilmVideo, Step},
    fingerprints::Fingerprint,
    queue::Job,
    uploads,
};
use lantern_config::{KeepOriginal, LOCAL_GROUP};
use sha2::{Digest, Sha256};
use tokio::{fs, sync::watch, task::spawn_blocking};

use super::{FOLDER, Failure, Worker, sweep::unfinished};
use crate::{
    Error, address,
    film::{self, EncodingSettings, Ladder, Source, Stage},
    pieces,
};

/// Number of bytes read at once.
const BLOCK: usize = 1 << 20;

impl From<Error> for Failure {
    /// ffmpeg's errors are the file's fault. If ffmpeg cannot run or is killed, the file is not at fault.
    fn from(error: Error) -> Self {
        match error {
            Error::Failed { .. } | Error::TimedOut { .. } | Error::TooMuchOutput { .. } => {
                Self::Refused("video_corrupted_file", error.to_string())
            }
            error => Self::Later(error.to_string()),
        }
    }
}

impl From<lantern_catalog::Error> for Failure {
    fn from(error: lantern_catalog::Error) -> Self {
        Self::Later(error.to_string())
    }
}

impl Worker {
    /// Produces all files of a film, and creates its video in the catalog.
    pub(super) async fn make(
        &self,
        job: &Job,
        film: &Film,
        report: &watch::Sender<FilmProgress>,
    ) -> Result<films::WorkOutcome, Failure> {
        let report = |step, share: f64| {
            report.send_if_modified(|now| {
                let next = FilmProgress { upload: film.id, step: Some(step), percent: percent(share) };
                *now != next && {
                    *now = next;
                    true
                }
            });
        };
        report(Step::Checking, 0.0);
        self.fetch(film).await?;
        let file = self.incoming.path(&film.token);
        let sha256 = digest(file.clone(), film.size_bytes.unsigned_abs()).await?;
        let mut conn = self.connection().await;
        if let Some(refused) = films::refusal(&mut conn, &sha256, film.replaces).await? {
            return Ok(refused);
        }
        drop(conn);
        let source = self.limit_audio(film::probe(&self.tools, &file).await?);
        self.check(&source, film)?;
        if !source.lost_audio.is_empty() {
            tracing::warn!(upload = film.id, codecs = ?source.lost_audio, "a film becomes silent: its sound can't be decoded");
        }
        self.check_space(film).await?;
        let folder = unfinished(&self.films(), job).await?;
        let ladder = self.ladder().await;
        let made = film::make(&self.tools, &file, &source, ladder, folder.path(), |stage, share| {
            report(if stage == Stage::Encoding { Step::Encoding } else { Step::Pictures }, share);
        })
        .await?;
        self.check_length(made.duration, film)?;
        let captions = film::read_captions(&self.tools, &file, &source, folder.path(), &self.captions).await?;
        let original = self.place_original(job, film, &sha256).await?;
        let placed = self.place(&folder, FOLDER, self.storage.new_films).await?;
        let made = FilmVideo {
            media_key: &placed.key,
            home: placed.group,
            sha256: &sha256,
            duration: whole_seconds(made.duration),
            chapters: &self.chapters(&source, whole_seconds(made.duration)),
            audio_tracks: &audio_tracks(&source),
            height: i16::try_from(made.height).unwrap_or(i16::MAX),
            second_codec: made.second_codec,
            encoding: &encoding(&source, ladder),
            has_lost_audio: !source.lost_audio.is_empty(),
            fingerprint: Fingerprint { seconds: made.duration as f32, frames: made.frames },
            group: self.storage.new_films,
            original: self.new_original(original.as_ref(), film),
            captions: &captions,
            dir: |title| address::dir(title, "video"),
        };
        // If the catalog doesn't respond, it may still have committed. Unreferenced films are swept later.
        let ended = films::finish(&mut *self.connection().await, job, film.id, &made, &self.settings.likeness).await?;
        if !matches!(ended, films::WorkOutcome::Video(_)) {
            for placed in [Some(&placed), original.as_ref()].into_iter().flatten() {
                self.discard(placed).await?;
            }
        }
        Ok(ended)
    }

    pub(super) fn films(&self) -> PathBuf {
        self.stores.root().join(FOLDER)
    }

    /// Checks the properties that are known before decoding.
    fn check(&self, source: &Source, film: &Film) -> Result<(), Failure> {
        self.check_pixels(source)?;
        self.check_length(source.duration, film)
    }

    pub(super) fn check_pixels(&self, source: &Source) -> Result<(), Failure> {
        let pixels = u64::from(source.width) * u64::from(source.height);
        if pixels > self.settings.max_pixels {
            return Err(Failure::Refused("video_corrupted_file", format!("the film's frames have {pixels} pixels")));
        }
        Ok(())
    }

    fn check_length(&self, seconds: f64, film: &Film) -> Result<(), Failure> {
        let least = match film {
            Film { is_imported: true, .. } => self.settings.imported_seconds,
            Film { is_exclusive: true, .. } => self.settings.exclusive_seconds,
            _ => self.settings.other_seconds,
        };
        // The duration is rounded, so that a video shown as ten minutes counts as ten minutes.
        if seconds.round() < f64::from(least) {
            return Err(Failure::Refused("video_too_short", format!("the film lasts {seconds:.1} s")));
        }
        if seconds > f64::from(self.settings.max_seconds) {
            return Err(Failure::Refused("video_too_long", format!("the film lasts {seconds:.1} s")));
        }
        Ok(())
    }

    /// Drops audio tracks above the maximum, and cuts their titles.
    pub(super) fn limit_audio(&self, mut source: Source) -> Source {
        source.audio.truncate(self.settings.max_audio_tracks);
        for sound in &mut source.audio {
            let title = sound.track.title.chars().take(self.settings.audio_title_max).collect::<String>();
            sound.track.title = one_line(&title);
        }
        source
    }

    /// Returns the chapters of a film of `duration` seconds within the limits.
    fn chapters(&self, source: &Source, duration: i32) -> Vec<Chapter> {
        let cut = |title: &str| title.chars().take(self.settings.chapter_title_max).collect::<String>();
        let within = |Chapter { start, title }: &Chapter| Chapter { start: *start, title: one_line(&cut(title)) };
        let shown = source.chapters.iter().filter(|chapter| chapter.start < duration);
        shown.take(self.settings.max_chapters).map(within).collect()
    }

    /// Fetches the pieces of an upload from its store.
    async fn fetch(&self, film: &Film) -> Result<(), Failure> {
        if film.group == LOCAL_GROUP {
            return Ok(());
        }
        self.check_room(self.incoming.folder().await?, film.size_bytes.unsigned_abs()).await?;
        let found = uploads::pieces(&mut *self.connection().await, film.id).await?;
        Ok(pieces::join(&self.stores, &self.incoming, (film.group, &film.token), &found).await?)
    }

    /// Checks the free space. The renditions and pictures may take as much space as the film, and so does its original if it
    /// has to be copied.
    async fn check_space(&self, film: &Film) -> Result<(), Failure> {
        let copies = if self.settings.keep_original == KeepOriginal::Never { 1 } else { 2 };
        self.check_room(self.films(), film.size_bytes.unsigned_abs().saturating_mul(copies)).await
    }

    /// Checks whether the disk of a folder has `bytes` free beyond the reserve.
    pub(super) async fn check_room(&self, folder: PathBuf, bytes: u64) -> Result<(), Failure> {
        fs::create_dir_all(&folder).await.map_err(Error::at(&folder))?;
        let found = spawn_blocking(move || nix::sys::statvfs::statvfs(&folder).map_err(io::Error::from)).await;
        let found = found.map_err(io::Error::other).and_then(|found| found).map_err(Error::at(Path::new(FOLDER)))?;
        let free = found.blocks_available() * found.fragment_size();
        let needed = self.reserve_bytes.saturating_add(bytes);
        if free < needed {
            return Err(Failure::Later(format!("the disk has {free} bytes free, {needed} are needed")));
        }
        Ok(())
    }
}

/// Returns what the catalog records about the renditions of a film.
pub(super) fn encoding(source: &Source, ladder: Ladder<'_>) -> serde_json::Value {
    let settings = EncodingSettings::of(source.width.min(source.height), ladder);
    serde_json::to_value(settings).unwrap_or_else(|_| unreachable!("numbers and names serialize"))
}

/// Returns the audio tracks that players offer, if there is a choice.
pub(super) fn audio_tracks(source: &Source) -> Vec<AudioTrack> {
    let tracks = source.audio.iter().map(|sound| sound.track.clone());
    if source.audio.len() > 1 { tracks.collect() } else { Vec::new() }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
pub(super) fn percent(share: f64) -> u8 {
    (share.clamp(0.0, 1.0) * 100.0) as u8
}

#[expect(clippy::cast_possible_truncation, reason = "at most a day, as checked")]
pub(super) fn whole_seconds(seconds: f64) -> i32 {
    (seconds.round() as i32).max(1)
}

/// Returns the SHA-256 of a file, which must have the expected size.
async fn digest(file: PathBuf, size: u64) -> Result<Vec<u8>, Failure> {
    let folder = file.parent().map(Path::to_owned).unwrap_or_default();
    let reading = spawn_blocking(move || {
        let (mut from, mut digest, mut block, mut seen) = (File::open(&file)?, Sha256::new(), vec![0; BLOCK], 0);
        loop {
            match from.read(&mut block)? {
                0 => return Ok((digest.finalize().to_vec(), seen)),
                read => {
                    digest.update(&block[..read]);
                    seen += read as u64;
                }
            }
        }
    });
    let read: io::Result<_> = reading.await.map_err(io::Error::other).and_then(|read| read);
    let has_folder = fs::try_exists(&folder).await.unwrap_or(false);
    match read {
        Ok((digest, seen)) if seen == size => Ok(digest),
        Ok((_, seen)) => Err(Failure::Refused("video_upload_error", format!("only {seen} of {size} bytes exist"))),
        // The folder may be on a disk that is temporarily missing.
        Err(error) if error.kind() == io::ErrorKind::NotFound && has_folder => {
            Err(Failure::Refused("video_upload_error", "the file of the upload is missing".to_owned()))
        }
        Err(error) => Err(Failure::Later(format!("can't read the upload in {}: {error}", folder.display()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ffmpeg_errors_are_blamed_on_the_file() {
        let failed = Error::Failed { program: "ffmpeg", task: String::new(), detail: "Invalid data".to_owned() };
        assert!(matches!(Failure::from(failed), Failure::Refused("video_corrupted_file", _)));
        let endless = Error::TooMuchOutput { program: "ffprobe", bytes: 1, task: String::new() };
        assert!(matches!(Failure::from(endless), Failure::Refused("video_corrupted_file", _)));
        let killed = Error::Killed { program: "ffmpeg", task: String::new() };
        assert!(matches!(Failure::from(killed), Failure::Later(_)));
        let full = Error::at(Path::new("ffmpeg"))(io::ErrorKind::StorageFull.into());
        assert!(matches!(Failure::from(full), Failure::Later(_)));
    }
}
