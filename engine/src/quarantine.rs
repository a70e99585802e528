//! Damaged files, moved aside: an operator can look at them, and they are in nobody's way.

use std::fs;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::macros::format_description;

use crate::sync::sync_folder;

/// A store that was damaged and moved aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Damage {
    /// The index; `None` for the task queue, with which all indexes lose their names.
    pub uid: Option<String>,
    /// When it was found.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// What was found.
    pub reason: String,
}

/// The folder of damaged files.
pub struct Quarantine {
    folder: PathBuf,
    /// How many stores it holds; the oldest go.
    most: usize,
}

/// What a store's folder here holds beside its files.
const NOTE: &str = "damage.json";

/// Where in an engine's folder damaged stores are.
pub const FOLDER: &str = "quarantine";

/// What was damaged in the engine's folder `path`, whether or not it is open, the oldest first.
///
/// # Errors
/// The folder can't be read.
pub fn damages(path: &Path) -> Result<Vec<Damage>> {
    Quarantine::new(path.join(FOLDER), 0).list()
}

impl Quarantine {
    pub fn new(folder: PathBuf, most: usize) -> Self {
        Self { folder, most }
    }

    /// Moves `paths` here, as what is left of the index `uid` or of everything.
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
            "a search index is damaged; its files are moved aside, and it has to be built anew"
        );
        self.prune()
    }

    /// What is here, the oldest first.
    pub fn list(&self) -> Result<Vec<Damage>> {
        let notes = self.folders()?.into_iter().filter_map(|folder| fs::read(folder.join(NOTE)).ok());
        Ok(notes.filter_map(|note| serde_json::from_slice(&note).ok()).collect())
    }

    fn prune(&self) -> Result<()> {
        let folders = self.folders()?;
        let surplus = folders.len().saturating_sub(self.most);
        folders.iter().take(surplus).try_for_each(fs::remove_dir_all)
    }

    /// Names begin with the time, so their order is that of the damage.
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
