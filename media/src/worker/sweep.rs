//! Cleans up after interrupted work. Removes unfinished folders, and films and originals that no video refers to.

use std::{
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use lantern_catalog::{
    films,
    queue::{self, Job},
    storage,
};
use tempfile::TempDir;
use tokio::{fs, time::sleep};
use tokio_util::sync::CancellationToken;

use super::{FOLDER, Worker, original};
use crate::{Error, Result};

/// Interval between checks for uploads without a job or with an overdue choice.
const POLL_INTERVAL: Duration = Duration::from_secs(60);
/// Number of checks between two sweeps of the films.
const SWEEP_EVERY: u32 = 60;
/// Age at which an unreferenced film counts as orphaned. It is far longer than the time between a film's move into place and its entry in
/// the catalog.
const ORPHAN_AGE: Duration = Duration::from_secs(3600);
/// Number of folders per query.
const AT_ONCE: usize = 500;

/// Start of the name of an unfinished folder.
const PREFIX: &str = ".part-";

fn prefix(job: i64) -> String {
    format!("{PREFIX}{job}-")
}

/// Creates a temporary folder alongside the finished ones. It is removed on drop unless it was moved.
pub(super) async fn unfinished(films: &Path, job: &Job) -> Result<TempDir> {
    fs::create_dir_all(films).await.map_err(Error::at(films))?;
    tempfile::Builder::new().prefix(&prefix(job.id)).tempdir_in(films).map_err(Error::at(films))
}

impl Worker {
    /// Removes leftovers of earlier attempts at a job. A worker that is still writing there has lost the job.
    pub(super) async fn remove_unfinished(&self, job: i64) {
        let prefix = prefix(job);
        for folder in entries(&self.films()).await.unwrap_or_default() {
            let is_left = folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix));
            if is_left && let Err(error) = fs::remove_dir_all(&folder).await {
                tracing::warn!(folder = %folder.display(), %error, "can't remove the leftovers of an earlier attempt");
            }
        }
    }

    /// Runs periodic tasks until `stop`.
    pub(super) async fn run_cleanup(&self, stop: &CancellationToken) {
        for round in 0_u32.. {
            if let Err(error) = self.clean_up(round.is_multiple_of(SWEEP_EVERY)).await {
                tracing::error!(%error, "can't check for stalled uploads");
            }
            tokio::select! {
                () = stop.cancelled() => return,
                () = sleep(POLL_INTERVAL) => {}
            }
        }
    }

    async fn clean_up(&self, sweeps: bool) -> std::result::Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let mut conn = self.pool.acquire().await?;
        // These are uploads for which a node crashed after the last byte and before it created the job.
        films::begin(&mut conn, None).await?;
        films::choose_for_absent(&mut conn, self.settings.choose_hours).await?;
        drop(conn);
        if sweeps {
            let removed = self.sweep_films(SystemTime::now()).await?;
            if removed > 0 {
                tracing::info!(removed, "removed films without a video");
            }
        }
        Ok(())
    }

    /// Removes leftovers of jobs that no worker holds. Nodes without a shared folder may have some of a job that ended elsewhere.
    async fn sweep_unfinished(
        &self,
        is_old: &impl Fn(SystemTime) -> bool,
    ) -> std::result::Result<u64, Box<dyn std::error::Error + Send + Sync>> {
        let mut left = Vec::new();
        for folder in entries(&self.films()).await? {
            if let Some(job) = job_of(&folder)
                && is_old(newest(&folder).await?)
            {
                left.push((job, folder));
            }
        }
        let ids: Vec<i64> = left.iter().map(|(job, _)| *job).collect();
        let running = queue::running(&self.pool, &ids).await?;
        let mut removed = 0;
        for (job, folder) in left {
            if !running.contains(&job) {
                fs::remove_dir_all(&folder).await.map_err(Error::at(&folder))?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// Removes films and originals that no video refers to and that were ready long before `now`, and leftovers of moves. Returns the
    /// number of removed folders.
    pub async fn sweep_films(
        &self,
        now: SystemTime,
    ) -> std::result::Result<u64, Box<dyn std::error::Error + Send + Sync>> {
        let is_old = |at: SystemTime| now.duration_since(at).is_ok_and(|age| age > ORPHAN_AGE);
        let mut removed = self.sweep_unfinished(&is_old).await?;
        for parent in [FOLDER, original::FOLDER] {
            removed += self.sweep_folder(parent, &is_old).await?;
        }
        Ok(removed)
    }

    async fn sweep_folder(
        &self,
        parent: &str,
        is_old: &impl Fn(SystemTime) -> bool,
    ) -> std::result::Result<u64, Box<dyn std::error::Error + Send + Sync>> {
        let mut removed = 0;
        for shard in entries(&self.stores.root().join(parent)).await? {
            let Some(name) = shard.file_name().and_then(|name| name.to_str()).filter(|name| name.len() == 2) else {
                continue;
            };
            let mut keys = Vec::new();
            for folder in entries(&shard).await? {
                let Some(film) = folder.file_name().and_then(|film| film.to_str()) else { continue };
                if film.starts_with('.') {
                    // Writing a large file can take hours.
                    if is_old(newest(&folder).await?) {
                        fs::remove_dir_all(&folder).await.map_err(Error::at(&folder))?;
                        removed += 1;
                    }
                } else if fs::metadata(&folder).await.and_then(|found| found.modified()).is_ok_and(is_old) {
                    keys.push(format!("{parent}/{name}/{film}"));
                }
            }
            for some in keys.chunks(AT_ONCE) {
                removed += storage::remove_unnamed(&mut *self.pool.acquire().await?, some).await?;
            }
        }
        Ok(removed)
    }
}

/// Returns the job to which an unfinished folder belongs.
fn job_of(folder: &Path) -> Option<i64> {
    let (job, _) = folder.file_name()?.to_str()?.strip_prefix(PREFIX)?.split_once('-')?;
    job.parse().ok()
}

/// Returns the latest modification time in a folder.
async fn newest(folder: &Path) -> Result<SystemTime> {
    let mut newest = SystemTime::UNIX_EPOCH;
    let mut folders = vec![folder.to_owned()];
    while let Some(path) = folders.pop() {
        // Files removed in the meantime count as new.
        let Ok(found) = fs::symlink_metadata(&path).await else { return Ok(SystemTime::now()) };
        newest = newest.max(found.modified().map_err(Error::at(&path))?);
        if found.is_dir() {
            folders.extend(entries(&path).await?);
        }
    }
    Ok(newest)
}

/// Lists a folder. The list is empty if the folder doesn't exist.
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
