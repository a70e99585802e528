//! Files on disk: `[media]` and the data folder.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::{ConfigError, Uploads, at_least_one, reject};

/// Smallest efficient disk read, in bytes.
const READ_MIN: u32 = 4096;

/// `[media]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Media {
    /// Media folder. If it is empty, the folder is inside the data folder.
    pub folder: String,
    /// Seconds for which a signed link is valid beyond the requested lifetime.
    pub link_seconds: u64,
    /// Number of bytes per read from a file, at least 4 KiB.
    pub read_bytes: u32,
    /// Location of the files on the front-end web server. It is empty if Lantern sends them.
    pub accel_prefix: String,
    /// Seconds for which browsers cache a picture.
    pub browser_seconds: u32,
    /// Seconds for which shared caches store a picture.
    pub shared_seconds: u32,
    /// Maximum number of cached decisions about access to files and videos.
    pub known_files: u64,
    /// Seconds for which a decision about access is cached.
    pub known_seconds: u64,
    /// Milliseconds that the catalog query for a decision about access may take, at least 1.
    pub ask_ms: u64,
    /// Further seconds for which allowed files are served while the catalog is unavailable.
    pub away_seconds: u64,
}

impl Media {
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        at_least_one("media.ask_ms", self.ask_ms)?;
        if self.read_bytes < READ_MIN {
            return reject("media.read_bytes", format!("is {}, must be at least {READ_MIN}", self.read_bytes));
        }
        check_location("media.accel_prefix", &self.accel_prefix)
    }
}

/// Rejects a `prefix` that is not a location of a front-end web server.
pub(crate) fn check_location(key: &'static str, prefix: &str) -> Result<(), ConfigError> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.');
    let is_location = prefix.starts_with('/') && prefix.ends_with('/') && prefix.bytes().all(is_plain);
    if !prefix.is_empty() && (!is_location || prefix.len() < 2) {
        return reject(key, "a location must be like \"/lantern-media/\", or empty to send files from here");
    }
    Ok(())
}

/// Paths inside the data folder.
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
    /// Managed Postgres cluster.
    postgres "postgres";
    /// Indexes of the embedded engine.
    index "index";
    /// Rate limits and checkpoints.
    sled "sled";
    /// Master key of the embedded engine.
    master_key "master.key";
    /// URL of the managed cluster while it runs.
    database_url "database.url";
    /// Mails that are written here if no SMTP server is configured.
    mail "mail";
    /// Temporary files that are written here if the system's folder is not writable.
    temporary "tmp";
    /// Pictures attached to reports.
    reports "reports";
    /// Secret that signs links.
    secret_key "secret.key";
}

impl DataDir {
    /// Creates the paths below `root`.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        Self(root.to_owned())
    }
    /// Returns the folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.0
    }
    /// Returns the folder for video files and pictures: the configured one or, if none is configured, `media` inside this folder.
    #[must_use]
    pub fn media(&self, media: &Media) -> PathBuf {
        if media.folder.is_empty() { self.0.join("media") } else { PathBuf::from(&media.folder) }
    }
    /// Returns the folder for unfinished uploads: the configured one or, if none is configured, `uploads` inside this folder.
    #[must_use]
    pub fn uploads(&self, uploads: &Uploads) -> PathBuf {
        if uploads.folder.is_empty() { self.0.join("uploads") } else { PathBuf::from(&uploads.folder) }
    }
}

#[cfg(test)]
mod tests {
    use crate::Config;

    #[test]
    fn location_is_absolute_folder_of_plain_characters() {
        let check = |prefix: &str| {
            let mut config = Config::default();
            config.media.accel_prefix = prefix.to_owned();
            config.media.check().is_ok()
        };
        assert!(["", "/lantern-media/", "/a/b_c/"].into_iter().all(check));
        assert!(!["/", "media/", "/media", "/me dia/", "/media/\r\nx: y/"].into_iter().any(check));
    }
}
