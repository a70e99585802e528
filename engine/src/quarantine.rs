//! Quarantine for damaged files, which are moved out of the way for an operator to inspect.

use std::fs;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::macros::format_description;

use crate::sync::sync_folder;

/// A damaged store that was quarantined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Damage {
    /// Uid of the index, or `None` for the task queue. When the queue is lost, all indexes lose their names.
    pub uid: Option<String>,
    /// Time of detection.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// Description of the damage.
    pub reason: String,
}

/// The folder for damaged files.
pub struct Quarantine {
    folder: PathBuf,
    /// Maximum number of stores. Older ones are removed.
    capacity: usize,
}

/// Name of the file that describes the damage. It is alongside the store's files.
const NOTE: &str = "damage.json";

/// Name of the quarantine folder within an engine's folder.
pub const FOLDER: &str = "quarantine";

/// Lists the damage recorded in the engine folder `path`, oldest first. The engine may be open.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn damages(path: &Path) -> Result<Vec<Damage>> {
    Quarantine::new(path.join(FOLDER), 0).list()
}

impl Quarantine {
    pub fn new(folder: PathBuf, capacity: usize) -> Self {
        Self { folder, capacity }
    }

    /// Moves `paths` into quarantine as the remains of index `uid`, or of everything if `None`.
    pub fn take(&self, uid: Option<&str>, paths: &[&Path], reason: &str) -> Result<()> {
        let damage = Damage { uid: uid.map(str::to_owned), at: OffsetDateTime::now_utc(), reason: reason.to_owned() };
        let time =
            damage.at.format(format_description!("[year][month][day]T[hour][minute][second].[subsecond digits:6]"));
        let name = format!("{}-{}", time.map_err(Error::other)?, uid.unwrap_or("everything"));
        let to = self.folder.join(name);
        fs::create_dir_all(&to)?;
        fs::write(to.join(NOTE), serde_json::to_vec(&damage)?)?;
        for path in paths {
            let Some(name) = path.file_name() else { continue };
            match fs::rename(path, to.join(name)) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            path.parent().map_or(Ok(()), sync_folder)?;
        }
        sync_folder(&self.folder)?;
        tracing::error!(
            index = uid.unwrap_or("all of them"),
            reason,
            path = %to.display(),
            "a search index is damaged; its files were quarantined and it must be rebuilt"
        );
        self.prune()
    }

    /// Lists the quarantined stores, oldest first.
    pub fn list(&self) -> Result<Vec<Damage>> {
        let notes = self.folders()?.into_iter().filter_map(|folder| fs::read(folder.join(NOTE)).ok());
        Ok(notes.filter_map(|note| serde_json::from_slice(&note).ok()).collect())
    }

    fn prune(&self) -> Result<()> {
        let folders = self.folders()?;
        let surplus = folders.len().saturating_sub(self.capacity);
        folders.iter().take(surplus).try_for_each(fs::remove_dir_all)
    }

    /// Lists the folders, oldest first, which is the order of their names, because they begin with a timestamp.
    fn folders(&self) -> Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut folders = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        folders.sort();
        Ok(folders)
    }
}
