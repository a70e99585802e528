//! Unfinished uploads. Each has one file, which is named after the upload and kept until the upload is complete and processed.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Seek, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use nix::fcntl::{Flock, FlockArg};
use tokio::task::{JoinError, spawn_blocking};

use crate::{Error, Result};

/// File extension.
const ENDING: &str = "part";

/// Folder of unfinished uploads.
#[derive(Debug, Clone)]
pub struct Incoming(Arc<PathBuf>);

/// An upload locked by one request. Its committed length must be read after locking.
#[derive(Debug)]
pub struct FileLock {
    file: Flock<File>,
    path: PathBuf,
}

/// A locked upload to append to.
#[derive(Debug)]
pub struct Part {
    file: Flock<File>,
    path: PathBuf,
}

/// Reasons why appending is impossible.
#[derive(Debug, thiserror::Error)]
pub enum AppendFailure {
    /// Another request is appending to the file.
    #[error("another request writes this file")]
    Locked,
    /// The file is missing, or shorter than the committed length.
    #[error("committed bytes are lost")]
    Lost,
    /// The file could not be opened.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl Incoming {
    /// Uses uploads in `folder`, which is created with the first upload.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self(Arc::new(folder))
    }

    /// Returns the folder, for checks of free space. Creates it if it is missing.
    pub async fn folder(&self) -> Result<PathBuf> {
        let folder = Arc::clone(&self.0);
        blocking(move || make(&folder).map(|()| folder.to_path_buf())).await
    }

    /// Creates an empty file that only this user can read.
    ///
    /// # Errors
    /// Fails if the name exists or the file cannot be written.
    pub async fn create(&self, name: &str) -> Result<()> {
        let (folder, path) = (Arc::clone(&self.0), self.path(name));
        blocking(move || {
            make(&folder)?;
            let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
            made.and_then(|file| file.sync_all()).and_then(|()| sync_folder(&folder)).map_err(Error::at(&path))
        })
        .await
    }

    /// Creates an unnamed, empty file for bytes on their way to a store. The system deletes it when it is closed.
    pub async fn spool(&self) -> Result<Part> {
        let folder = Arc::clone(&self.0);
        blocking(move || {
            make(&folder)?;
            let file = tempfile::tempfile_in(&*folder).map_err(Error::at(&folder))?;
            let locked = Flock::lock(file, FlockArg::LockExclusiveNonblock);
            let file = locked.map_err(|(_, errno)| Error::at(&folder)(errno.into()))?;
            Ok(Part { file, path: folder.to_path_buf() })
        })
        .await
    }

    /// Locks a file for one request. The lock also holds across processes.
    pub async fn lock(&self, name: &str) -> std::result::Result<FileLock, AppendFailure> {
        let path = self.path(name);
        let opening = move || -> std::result::Result<FileLock, AppendFailure> {
            let file = OpenOptions::new().append(true).open(&path).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => AppendFailure::Lost,
                _ => AppendFailure::Failed(Error::at(&path)(error)),
            })?;
            let file = Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|(_, errno)| match errno {
                nix::errno::Errno::EWOULDBLOCK => AppendFailure::Locked,
                other => AppendFailure::Failed(Error::at(&path)(other.into())),
            })?;
            Ok(FileLock { file, path })
        };
        spawn_blocking(opening).await.unwrap_or_else(|panic| Err(panicked(panic).into()))
    }

    /// Removes a file, if it exists.
    pub async fn remove(&self, name: &str) -> Result<()> {
        let path = self.path(name);
        blocking(move || match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::at(&path)(error)),
            _ => Ok(()),
        })
        .await
    }

    /// Returns the names of files that have not been written since `before`.
    pub async fn older_than(&self, before: SystemTime) -> Result<Vec<String>> {
        let folder = Arc::clone(&self.0);
        blocking(move || {
            make(&folder)?;
            let mut names = Vec::new();
            for entry in fs::read_dir(&*folder).map_err(Error::at(&folder))? {
                let entry = entry.map_err(Error::at(&folder))?;
                let path = entry.path();
                // A file removed in the meantime is skipped.
                let Ok(modified) = entry.metadata().and_then(|found| found.modified()) else { continue };
                if let (Some(name), Some(ENDING)) =
                    (path.file_stem().and_then(|name| name.to_str()), path.extension().and_then(|end| end.to_str()))
                    && modified < before
                {
                    names.push(name.to_owned());
                }
            }
            Ok(names)
        })
        .await
    }

    /// Returns the path of an upload.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.{ENDING}"))
    }
}

impl FileLock {
    /// Truncates the file to `length` and prepares it for appending.
    pub async fn append(self, length: u64) -> std::result::Result<Part, AppendFailure> {
        let cutting = move || -> std::result::Result<Part, AppendFailure> {
            if self.file.metadata().map_err(Error::at(&self.path))?.len() < length {
                return Err(AppendFailure::Lost);
            }
            self.file.set_len(length).map_err(Error::at(&self.path))?;
            Ok(Part { file: self.file, path: self.path })
        };
        spawn_blocking(cutting).await.unwrap_or_else(|panic| Err(panicked(panic).into()))
    }
}

impl Part {
    /// Appends bytes, which are not durable yet.
    pub async fn write(self, bytes: axum::body::Bytes) -> Result<Self> {
        blocking(move || {
            let mut part = self;
            part.file.write_all(&bytes).map_err(Error::at(&part.path))?;
            Ok(part)
        })
        .await
    }

    /// Returns a reader of all bytes. Nothing may be written until it is dropped.
    pub async fn read(&self) -> Result<tokio::fs::File> {
        let (file, path) = (self.file.try_clone().map_err(Error::at(&self.path))?, self.path.clone());
        blocking(move || {
            let mut file = file;
            file.rewind().map_err(Error::at(&path))?;
            Ok(tokio::fs::File::from_std(file))
        })
        .await
    }

    /// Removes all bytes.
    pub async fn clear(self) -> Result<Self> {
        blocking(move || {
            let mut part = self;
            part.file.set_len(0).and_then(|()| part.file.rewind()).map_err(Error::at(&part.path))?;
            Ok(part)
        })
        .await
    }

    /// Makes the appended bytes durable.
    pub async fn sync(self) -> Result<Self> {
        blocking(move || {
            self.file.sync_data().map_err(Error::at(&self.path))?;
            Ok(self)
        })
        .await
    }
}

fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(Error::at(folder))
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    spawn_blocking(work).await.unwrap_or_else(|panic| Err(panicked(panic)))
}

fn panicked(panic: JoinError) -> Error {
    Error::at(Path::new("uploads"))(io::Error::other(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn uncommitted_bytes_are_truncated_and_writers_are_exclusive() {
        let folder = tempfile::tempdir().unwrap();
        let incoming = Incoming::new(folder.path().join("uploads"));
        incoming.create("film").await.unwrap();
        assert!(incoming.create("film").await.is_err(), "names are unique");
        let part = incoming.lock("film").await.unwrap().append(0).await.unwrap();
        let part = part.write("one two".into()).await.unwrap().sync().await.unwrap();
        assert!(matches!(incoming.lock("film").await, Err(AppendFailure::Locked)));
        drop(part);
        let part = incoming.lock("film").await.unwrap().append(3).await.unwrap();
        part.write(" three".into()).await.unwrap();
        assert_eq!(fs::read(incoming.path("film")).unwrap(), b"one three");
        assert!(matches!(incoming.lock("film").await.unwrap().append(10).await, Err(AppendFailure::Lost)));
        assert!(matches!(incoming.lock("another").await, Err(AppendFailure::Lost)));
        assert_eq!(incoming.older_than(SystemTime::now() + std::time::Duration::from_secs(1)).await.unwrap(), ["film"]);
        assert_eq!(incoming.older_than(SystemTime::UNIX_EPOCH).await.unwrap(), [""; 0]);
        incoming.remove("film").await.unwrap();
        incoming.remove("film").await.unwrap();
        assert!(!incoming.path("film").exists());
    }
}
