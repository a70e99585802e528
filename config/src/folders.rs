//! What is on the disk: `[media]` and the data folder.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// `[media]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Media {
    /// Folder of files; empty means below the data folder.
    pub folder: String,
    /// Seconds a signed link is valid.
    pub link_seconds: u64,
    /// Seconds browsers keep a picture.
    pub browser_seconds: u32,
    /// Seconds a cache outside keeps a picture.
    pub shared_seconds: u32,
    /// Files and films remembered to be shown or not.
    pub known_files: u64,
    /// Seconds after which the catalog is read again.
    pub known_seconds: u64,
    /// Milliseconds that question may take, at least 1.
    pub ask_ms: u64,
    /// Seconds beyond that in which what was allowed is served while the catalog is away.
    pub away_seconds: u64,
}

/// Where each part of the data folder lives.
#[derive(Debug, Clone)]
pub struct DataDir(PathBuf);

impl DataDir {
    /// Wraps the configured folder.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        Self(root.to_owned())
    }
    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.0
    }
    /// Own Postgres cluster.
    #[must_use]
    pub fn postgres(&self) -> PathBuf {
        self.0.join("postgres")
    }
    /// Embedded engine.
    #[must_use]
    pub fn index(&self) -> PathBuf {
        self.0.join("index")
    }
    /// Video files and pictures: the configured folder, else one below this.
    #[must_use]
    pub fn media(&self, media: &Media) -> PathBuf {
        if media.folder.is_empty() { self.0.join("media") } else { PathBuf::from(&media.folder) }
    }
    /// Limits and checkpoints.
    #[must_use]
    pub fn sled(&self) -> PathBuf {
        self.0.join("sled")
    }
    /// Master key of the embedded engine.
    #[must_use]
    pub fn master_key(&self) -> PathBuf {
        self.0.join("master.key")
    }
    /// Address of the own cluster while it runs.
    #[must_use]
    pub fn database_url(&self) -> PathBuf {
        self.0.join("database.url")
    }
    /// Mails, while no server takes them.
    #[must_use]
    pub fn mail(&self) -> PathBuf {
        self.0.join("mail")
    }
    /// Temporary files, where the system's own folder is closed to us.
    #[must_use]
    pub fn temporary(&self) -> PathBuf {
        self.0.join("tmp")
    }
    /// Pictures attached to reports.
    #[must_use]
    pub fn reports(&self) -> PathBuf {
        self.0.join("reports")
    }
    /// Secret behind signed links.
    #[must_use]
    pub fn secret_key(&self) -> PathBuf {
        self.0.join("secret.key")
    }
}
