//! What is on the disk: `[media]` and the data folder.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::Uploads;

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

macro_rules! paths {
    ($($(#[doc = $doc:literal])+ $name:ident $path:literal;)+) => {
        impl DataDir {$(
            $(#[doc = $doc])+
            #[must_use]
            pub fn $name(&self) -> PathBuf {
                self.0.join($path)
            }
        )+}
    };
}

paths! {
    /// Own Postgres cluster.
    postgres "postgres";
    /// Embedded engine.
    index "index";
    /// Limits and checkpoints.
    sled "sled";
    /// Master key of the embedded engine.
    master_key "master.key";
    /// Address of the own cluster while it runs.
    database_url "database.url";
    /// Mails, while no server takes them.
    mail "mail";
    /// Temporary files, where the system's own folder is closed to us.
    temporary "tmp";
    /// Pictures attached to reports.
    reports "reports";
    /// Secret behind signed links.
    secret_key "secret.key";
}

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
    /// Video files and pictures: the configured folder, else one below this.
    #[must_use]
    pub fn media(&self, media: &Media) -> PathBuf {
        if media.folder.is_empty() { self.0.join("media") } else { PathBuf::from(&media.folder) }
    }
    /// Films on their way in: the configured folder, else one below this.
    #[must_use]
    pub fn uploads(&self, uploads: &Uploads) -> PathBuf {
        if uploads.folder.is_empty() { self.0.join("uploads") } else { PathBuf::from(&uploads.folder) }
    }
}
