//! Puts finished folders in their places: below the media folder, or in a store if the nodes don't share that folder.

use std::{
    fs::File,
    io,
    path::Path,
    time::{Duration, SystemTime},
};

use lantern_catalog::storage;
use lantern_config::LOCAL_GROUP;
use rand::{TryRngCore, rngs::OsRng};
use tempfile::TempDir;
use tokio::{fs, task::spawn_blocking, time::sleep};

use super::{
    FOLDER, Failure, Worker,
    moving::{self, FilmFolder},
};
use crate::Error;

/// Number of random bytes in a folder's name. They are too many to be guessed.
const KEY_BYTES: usize = 16;
/// Time within which the catalog must name a folder that was put in a store. It is far longer than any store needs for it.
const NAMED_WITHIN: Duration = Duration::from_secs(7 * 86400);

/// A folder in its place, which nothing names yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    /// Key of the folder.
    pub key: String,
    /// Storage group that contains it.
    pub group: i32,
}

impl Worker {
    /// Puts an unfinished folder in its place below `parent`, durably. Without a media folder that all nodes see, that is in `group`,
    /// whose store is waited for: encoding a film again would take longer.
    pub(super) async fn place(&self, folder: &TempDir, parent: &str, group: i32) -> Result<Placed, Failure> {
        let key = new_key(parent)?;
        if self.storage.shared_folder {
            let (from, to) = (folder.path().to_owned(), self.stores.root().join(&key));
            let path = to.clone();
            let moving = spawn_blocking(move || move_into_place(&from, &to));
            moving.await.map_err(io::Error::other).and_then(|moved| moved).map_err(Error::at(&path))?;
            return Ok(Placed { key, group: LOCAL_GROUP });
        }
        // A row that names the folder cancels this.
        storage::announce(&mut *self.connection().await, &key, group, NAMED_WITHIN).await?;
        let local = self.stores.group(LOCAL_GROUP).map_err(|unknown| Failure::Later(unknown.to_string()))?;
        let made = format!("{FOLDER}/{}", folder.path().file_name().unwrap_or_default().to_string_lossy());
        let from = FilmFolder { store: local, group: LOCAL_GROUP, key: &made };
        loop {
            let to = self.stores.group(group).map_err(|unknown| Failure::Later(unknown.to_string()))?;
            match moving::copy(from, FilmFolder { store: to, group, key: &key }, self.storage.files_at_once).await {
                Ok(()) => return Ok(Placed { key, group }),
                Err(failed) => tracing::warn!(%failed, group, "can't store a film; retrying"),
            }
            sleep(Duration::from_secs(self.storage.retry_seconds)).await;
        }
    }

    /// Removes a folder that nothing will name.
    pub(super) async fn discard(&self, placed: &Placed) -> Result<(), Failure> {
        if placed.group == LOCAL_GROUP {
            let folder = self.stores.root().join(&placed.key);
            fs::remove_dir_all(&folder).await.map_err(Error::at(&folder))?;
        } else {
            storage::discard(&mut *self.connection().await, &placed.key, placed.group).await?;
        }
        Ok(())
    }
}

/// Returns the key of a new folder below `parent`.
fn new_key(parent: &str) -> Result<String, Error> {
    let mut bytes = [0; KEY_BYTES];
    OsRng.try_fill_bytes(&mut bytes).map_err(|error| Error::at(Path::new(parent))(io::Error::other(error)))?;
    let name = hex::encode(bytes);
    Ok(format!("{parent}/{}/{name}", &name[..2]))
}

/// Moves a finished folder to its final place on the same disk, durably. A folder that already exists there is replaced. It is a copy of
/// the same film from an attempt that couldn't report its success.
pub(crate) fn move_into_place(from: &Path, to: &Path) -> io::Result<()> {
    // Sweeping is based on a folder's age, which is counted from now on.
    File::open(from)?.set_modified(SystemTime::now())?;
    sync_all(from)?;
    let shard = to.parent().unwrap_or(to);
    std::fs::create_dir_all(shard)?;
    if !to.exists() || !exchange(from, to)? {
        std::fs::rename(from, to)?;
    }
    File::open(shard)?.sync_all()
}

/// Swaps two folders atomically, so that neither is ever missing. If the system doesn't support this, removes the second folder and returns
/// false.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn exchange(from: &Path, to: &Path) -> io::Result<bool> {
    use nix::{
        errno::Errno,
        fcntl::{AT_FDCWD, RenameFlags, renameat2},
    };
    match renameat2(AT_FDCWD, from, AT_FDCWD, to, RenameFlags::RENAME_EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::EINVAL | Errno::ENOSYS | Errno::ENOTSUP) => std::fs::remove_dir_all(to).map(|()| false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn exchange(_: &Path, to: &Path) -> io::Result<bool> {
    std::fs::remove_dir_all(to).map(|()| false)
}

/// Makes a folder and its contents durable.
fn sync_all(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() { sync_all(&entry.path())? } else { File::open(entry.path())?.sync_all()? }
    }
    File::open(folder)?.sync_all()
}
