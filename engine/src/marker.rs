//! A file that exists while the engine is open. If the next start finds the file, the engine was not shut down cleanly, because the process
//! was killed or its mapped files were damaged.

use std::fs::File;
use std::io::{ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

use serde_json::json;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::sync::sync_folder;

pub struct Marker {
    path: PathBuf,
    /// Whether the previous process left its marker behind.
    pub after_crash: bool,
}

impl Marker {
    /// Creates the marker in `folder`, which this process has locked. The marker is durable when this returns.
    pub fn leave(folder: &Path) -> Result<Self> {
        let path = folder.join("open.json");
        let after_crash = match std::fs::read_to_string(&path) {
            Ok(last) => {
                tracing::warn!(last, "the search engine was not shut down cleanly; checking every page of its indexes");
                true
            }
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(error),
        };
        let now = OffsetDateTime::now_utc().format(&Rfc3339).unwrap_or_default();
        let mut file = File::create(&path)?;
        write!(file, "{}", json!({ "openedAt": now, "pid": std::process::id() }))?;
        file.sync_all()?;
        sync_folder(folder)?;
        Ok(Self { path, after_crash })
    }

    /// Removes the marker once everything is closed.
    pub fn remove(&self) -> Result<()> {
        std::fs::remove_file(&self.path)
    }
}
