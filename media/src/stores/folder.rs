//! Films in a folder of this machine.

use std::{
    io,
    path::{Path, PathBuf},
};

use tokio::{
    fs::{self, File},
    io::{AsyncRead, AsyncWriteExt},
    task::spawn_blocking,
};

use super::{Files, Store, StoreFailure};
use crate::{Error, worker};

/// A folder.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
    accel_prefix: String,
}

impl Folder {
    pub(super) fn new(root: PathBuf, accel_prefix: String) -> Self {
        Self { root, accel_prefix }
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where a web server in front has it; empty when files are sent from here.
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

    pub(super) async fn remove(&self, key: &str) -> Result<(), StoreFailure> {
        let folder = self.root.join(key);
        match fs::remove_dir_all(&folder).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => at(&folder, Err(error)),
            _ => Ok(()),
        }
    }

    /// Takes in a folder of another store, beside the finished ones until all of it is there and durable.
    pub(crate) async fn take(&self, key: &str, from: &Store, files: &Files) -> Result<(), StoreFailure> {
        let to = self.root.join(key);
        let shard = to.parent().unwrap_or(&self.root).to_owned();
        at(&shard, fs::create_dir_all(&shard).await)?;
        let unfinished = tempfile::Builder::new().prefix(".part-move-").tempdir_in(&shard);
        let unfinished = at(&shard, unfinished)?;
        for file in files.keys() {
            let path = unfinished.path().join(file);
            if let Some(parent) = path.parent() {
                at(parent, fs::create_dir_all(parent).await)?;
            }
            let mut reading = from.read(&format!("{key}/{file}")).await?;
            let mut writing = at(&path, File::create(&path).await)?;
            at(&path, tokio::io::copy(&mut reading, &mut writing).await)?;
            at(&path, writing.flush().await)?;
        }
        let (from, into) = (unfinished.path().to_owned(), to.clone());
        let moving = spawn_blocking(move || {
            if into.exists() {
                // What an earlier try moved here, and could not say so any more.
                std::fs::remove_dir_all(&into)?;
            }
            worker::settle(&from, &into)
        });
        at(&to, moving.await.map_err(io::Error::other).and_then(|moved| moved))
    }
}

fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, StoreFailure> {
    result.map_err(|error| StoreFailure::Folder(Error::at(path)(error)))
}

/// Adds what is below a folder; one that isn't there has nothing.
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
