//! Files in a local folder.

use std::{
    io,
    path::{Path, PathBuf},
};

use tokio::{
    fs::{self, File},
    io::{AsyncRead, AsyncWriteExt},
    task::spawn_blocking,
};

use super::{Files, ORIGINALS, Seal, Seals, Store, StoreFailure, seal};
use crate::{Error, worker};

/// A local folder.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
    accel_prefix: String,
}

impl Folder {
    pub(super) fn new(root: PathBuf, accel_prefix: String) -> Self {
        Self { root, accel_prefix }
    }

    /// Returns the path of the folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder's URL prefix on the front-end web server. The prefix is empty if Lantern sends the files.
    #[must_use]
    pub fn accel_prefix(&self) -> &str {
        &self.accel_prefix
    }

    pub(super) async fn files(&self, key: &str) -> Result<Files, StoreFailure> {
        let folder = self.root.join(key);
        let path = folder.clone();
        let listing = spawn_blocking(move || {
            let mut files = Files::new();
            list(&folder, "", &mut files).map(|()| files)
        });
        at(&path, listing.await.map_err(io::Error::other).and_then(|listed| listed))
    }

    pub(super) async fn length(&self, path: &str) -> Result<Option<u64>, StoreFailure> {
        let file = self.root.join(path);
        match fs::metadata(&file).await {
            Ok(found) => Ok(found.is_file().then_some(found.len())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => at(&file, Err(error)),
        }
    }

    pub(super) async fn read(&self, path: &str) -> Result<Box<dyn AsyncRead + Send + Unpin>, StoreFailure> {
        let file = self.root.join(path);
        Ok(Box::new(at(&file, File::open(&file).await)?))
    }

    /// Writes a file durably. Nothing names it yet, so it needs no temporary name.
    pub(super) async fn put(&self, path: &str, reading: impl AsyncRead + Unpin) -> Result<Seal, StoreFailure> {
        let file = self.root.join(path);
        let folder = parent(&file);
        at(folder, fs::create_dir_all(folder).await)?;
        let mut writing = at(&file, File::create(&file).await)?;
        let seal = at(&file, seal::copy(reading, &mut writing).await)?;
        at(&file, writing.flush().await)?;
        at(&file, writing.sync_all().await)?;
        at(folder, async { File::open(folder).await?.sync_all().await }.await)?;
        Ok(seal)
    }

    pub(super) async fn remove_files(&self, paths: Vec<String>) -> Result<(), StoreFailure> {
        for path in paths {
            let file = self.root.join(path);
            match fs::remove_file(&file).await {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                removed => at(&file, removed)?,
            }
        }
        Ok(())
    }

    pub(super) async fn remove(&self, key: &str) -> Result<(), StoreFailure> {
        let folder = self.root.join(key);
        let path = folder.clone();
        let removing = spawn_blocking(move || {
            // The folder is renamed first, so that nothing that is stored there later is removed.
            if folder.exists() {
                let aside = tempfile::Builder::new().prefix(&unfinished(&folder)).tempdir_in(parent(&folder))?;
                std::fs::rename(&folder, aside.path())?;
                aside.close()?;
            }
            remove_unfinished(&folder)
        });
        at(&path, removing.await.map_err(io::Error::other).and_then(|removed| removed))
    }

    /// Drops the file from the page cache, so that the next read comes from disk.
    pub(super) async fn forget(&self, path: &str) -> Result<(), StoreFailure> {
        let file = self.root.join(path);
        #[cfg(target_os = "linux")]
        {
            use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
            let opened = at(&file, File::open(&file).await)?;
            at(&file, posix_fadvise(&opened, 0, 0, PosixFadviseAdvice::POSIX_FADV_DONTNEED).map_err(io::Error::from))?;
        }
        Ok(())
    }

    /// Copies a folder from another store into a temporary folder, which replaces the final one once it is complete and durable.
    pub(crate) async fn take(
        &self,
        key: &str,
        (from, source): (&Store, &str),
        files: &Files,
    ) -> Result<Seals, StoreFailure> {
        let (to, mut seals) = (self.root.join(key), Seals::new());
        let shard = parent(&to).to_owned();
        at(&shard, fs::create_dir_all(&shard).await)?;
        // A worker that is still writing to leftovers of an earlier attempt has lost the job.
        let left = to.clone();
        let removing = spawn_blocking(move || remove_unfinished(&left)).await;
        at(&shard, removing.map_err(io::Error::other).and_then(|removed| removed))?;
        let unfinished = tempfile::Builder::new().prefix(&unfinished(&to)).tempdir_in(&shard);
        let unfinished = at(&shard, unfinished)?;
        let mut options = File::options();
        options.write(true).create_new(true);
        if key.starts_with(ORIGINALS) {
            options.mode(0o600);
        }
        for file in files.keys() {
            let path = unfinished.path().join(file);
            if let Some(parent) = path.parent() {
                at(parent, fs::create_dir_all(parent).await)?;
            }
            let reading = from.read(&format!("{source}/{file}")).await?;
            let mut writing = at(&path, options.open(&path).await)?;
            seals.insert(file.clone(), at(&path, seal::copy(reading, &mut writing).await)?);
            at(&path, writing.flush().await)?;
        }
        let (from, into) = (unfinished.path().to_owned(), to.clone());
        let moving = spawn_blocking(move || worker::move_into_place(&from, &into));
        at(&to, moving.await.map_err(io::Error::other).and_then(|moved| moved))?;
        Ok(seals)
    }
}

fn parent(folder: &Path) -> &Path {
    folder.parent().unwrap_or(folder)
}

/// Returns the name prefix that a film's folders have while they are unfinished or being removed.
fn unfinished(folder: &Path) -> String {
    format!(".part-{}-", folder.file_name().unwrap_or_default().to_string_lossy())
}

fn remove_unfinished(folder: &Path) -> io::Result<()> {
    let (shard, prefix) = (parent(folder), unfinished(folder));
    let entries = match std::fs::read_dir(shard) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            std::fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, StoreFailure> {
    result.map_err(|error| StoreFailure::Folder(Error::at(path)(error)))
}

/// Adds the files below a folder, if it exists.
fn list(folder: &Path, before: &str, files: &mut Files) -> io::Result<()> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let name = format!("{before}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.insert(name, entry.metadata()?.len());
        }
    }
    Ok(())
}
