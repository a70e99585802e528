//! What work leaves behind that was cut off: folders that nobody finished, and films that no video names.

use std::{
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use lantern_catalog::{films, jobs::Job, storage};
use tempfile::TempDir;
use tokio::{fs, time::sleep};
use tokio_util::sync::CancellationToken;

use super::{FOLDER, Worker};
use crate::{Error, Result};

/// Between two looks at what nobody asked for yet, or chose.
const LOOK: Duration = Duration::from_secs(60);
/// Looks between two sweeps of the films.
const SWEEP: u32 = 60;
/// Age from which a film that no video names is nobody's: far longer than it takes from the disk to the catalog.
const ORPHAN: Duration = Duration::from_secs(3600);
/// Folders that are looked up with one query.
const AT_ONCE: usize = 500;

fn prefix(job: i64) -> String {
    format!(".part-{job}-")
}

/// A new folder beside the finished ones, removed again unless its content is moved away.
pub(super) async fn unfinished(films: &Path, job: &Job) -> Result<TempDir> {
    fs::create_dir_all(films).await.map_err(Error::at(films))?;
    tempfile::Builder::new().prefix(&prefix(job.id)).tempdir_in(films).map_err(Error::at(films))
}

impl Worker {
    /// Removes what earlier tries of a job left unfinished; whoever still writes there has lost the job.
    pub(super) async fn remove_unfinished(&self, job: i64) {
        let prefix = prefix(job);
        for folder in entries(&self.films()).await.unwrap_or_default() {
            let is_left = folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix));
            if is_left && let Err(error) = fs::remove_dir_all(&folder).await {
                tracing::warn!(folder = %folder.display(), %error, "what an earlier try left can't be removed");
            }
        }
    }

    /// Does what recurs until `stop`.
    pub(super) async fn keep_clean(&self, stop: &CancellationToken) {
        for look in 0_u32.. {
            if let Err(error) = self.look(look.is_multiple_of(SWEEP)).await {
                tracing::error!(%error, "uploads that wait for nothing can't be looked for");
            }
            tokio::select! {
                () = stop.cancelled() => return,
                () = sleep(LOOK) => {}
            }
        }
    }

    async fn look(&self, sweeps: bool) -> std::result::Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let mut conn = self.pool.acquire().await?;
        // What a node left between the last byte and the job.
        films::begin(&mut conn, None).await?;
        films::choose_for_absent(&mut conn, self.settings.choose_hours).await?;
        drop(conn);
        if sweeps {
            let removed = self.sweep_films(SystemTime::now()).await?;
            if removed > 0 {
                tracing::info!(removed, "films of no video are removed");
            }
        }
        Ok(())
    }

    /// Has films removed that no video names and that were ready long before `now`, and what moves left unfinished; how many.
    pub async fn sweep_films(
        &self,
        now: SystemTime,
    ) -> std::result::Result<u64, Box<dyn std::error::Error + Send + Sync>> {
        let is_old = |at: SystemTime| now.duration_since(at).is_ok_and(|age| age > ORPHAN);
        let mut removed = 0;
        for shard in entries(&self.films()).await? {
            let Some(name) = shard.file_name().and_then(|name| name.to_str()).filter(|name| name.len() == 2) else {
                continue;
            };
            let mut keys = Vec::new();
            for folder in entries(&shard).await? {
                let Some(film) = folder.file_name().and_then(|film| film.to_str()) else { continue };
                if film.starts_with('.') {
                    // A large file may come for hours.
                    if is_old(newest(&folder).await?) {
                        fs::remove_dir_all(&folder).await.map_err(Error::at(&folder))?;
                        removed += 1;
                    }
                } else if fs::metadata(&folder).await.and_then(|found| found.modified()).is_ok_and(is_old) {
                    keys.push(format!("{FOLDER}/{name}/{film}"));
                }
            }
            for some in keys.chunks(AT_ONCE) {
                removed += storage::remove_unnamed(&mut *self.pool.acquire().await?, some).await?;
            }
        }
        Ok(removed)
    }
}

/// When something in a folder was last written.
async fn newest(folder: &Path) -> Result<SystemTime> {
    let mut newest = SystemTime::UNIX_EPOCH;
    let mut folders = vec![folder.to_owned()];
    while let Some(path) = folders.pop() {
        // What vanishes meanwhile is not old.
        let Ok(found) = fs::symlink_metadata(&path).await else { return Ok(SystemTime::now()) };
        newest = newest.max(found.modified().map_err(Error::at(&path))?);
        if found.is_dir() {
            folders.extend(entries(&path).await?);
        }
    }
    Ok(newest)
}

/// What is in a folder; nothing in one that isn't there.
async fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut reading = match fs::read_dir(folder).await {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(found),
        reading => reading.map_err(Error::at(folder))?,
    };
    while let Some(entry) = reading.next_entry().await.map_err(Error::at(folder))? {
        found.push(entry.path());
    }
    Ok(found)
}
