//! What is on the disk: `[media]` and the data folder.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::{ConfigError, Uploads, at_least_one, refuse};

/// Fewest bytes worth a turn of the disk.
const READ_MIN: u32 = 4096;

/// `[media]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Media {
    /// Folder of files; empty means below the data folder.
    pub folder: String,
    /// Seconds a signed link is valid, beyond the lifetime that was asked for.
    pub link_seconds: u64,
    /// Bytes of a file read at a time, at least 4 KiB.
    pub read_bytes: u32,
    /// Where a web server in front has the files; empty when Lantern sends them.
    pub accel_prefix: String,
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

impl Media {
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        at_least_one("media.ask_ms", self.ask_ms)?;
        if self.read_bytes < READ_MIN {
            return refuse("media.read_bytes", format!("is {}, must be at least {READ_MIN}", self.read_bytes));
        }
        check_location("media.accel_prefix", &self.accel_prefix)
    }
}

/// Refuses what is no location of a web server in front.
pub(crate) fn check_location(key: &'static str, prefix: &str) -> Result<(), ConfigError> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.');
    let is_location = prefix.starts_with('/') && prefix.ends_with('/') && prefix.bytes().all(is_plain);
    if !prefix.is_empty() && (!is_location || prefix.len() < 2) {
        return refuse(key, "a location must be like \"/lantern-media/\", or empty to send files from here");
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use crate::Config;

    #[test]
    fn a_location_is_a_folder_of_plain_letters() {
        let check = |prefix: &str| {
            let mut config = Config::default();
            config.media.accel_prefix = prefix.to_owned();
            config.media.check().is_ok()
        };
        assert!(["", "/lantern-media/", "/a/b_c/"].into_iter().all(check));
        assert!(!["/", "media/", "/media", "/me dia/", "/media/\r\nx: y/"].into_iter().any(check));
    }
}
