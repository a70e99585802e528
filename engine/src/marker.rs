//! A file that is there while the engine is open. Found at the next start, it says that the engine was not closed in order:
//! the process was killed, or what it mapped was damaged.

use std::fs::File;
use std::io::{ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

use serde_json::json;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::sync::sync_folder;

pub struct Marker {
    path: PathBuf,
    /// Whether the last opener left its marker behind.
    pub after_crash: bool,
}

impl Marker {
    /// Leaves the marker in `folder`, which this process has locked; durable when it returns.
    pub fn leave(folder: &Path) -> Result<Self> {
        let path = folder.join("open.json");
        let after_crash = match std::fs::read_to_string(&path) {
            Ok(last) => {
                tracing::warn!(last, "the search engine was not closed in order; every page of its indexes is checked");
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

    /// Takes the marker away: everything is closed.
    pub fn remove(&self) -> Result<()> {
        std::fs::remove_file(&self.path)
    }
}
