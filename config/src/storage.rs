//! `[storage]`: storage groups for video files, each with a separate store. `default.toml` explains each key.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, de::Error};

use crate::{Config, ConfigError, KeepOriginal, at_least_one, reject};

/// Number of the group stored in the media folder.
pub const LOCAL_GROUP: i32 = 0;
/// Minimum size of a part in bytes, except for the last one, as S3 requires.
const PART_MIN: u32 = 5 << 20;

/// `[storage]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Storage {
    /// Group that new videos are stored in.
    pub new_films: i32,
    /// Group that originals are stored in.
    pub originals: i32,
    /// Group that new uploaded pictures are stored in.
    pub new_pictures: i32,
    /// Group that the pieces of new uploads are stored in. 0 is a file on the node that receives them.
    pub new_uploads: i32,
    /// Whether all nodes have the same media folder and the same folder of uploads.
    pub shared_folder: bool,
    /// Timeout for connecting to a store in milliseconds, at least 1.
    pub connect_ms: u64,
    /// Read timeout of a store in milliseconds, at least 1.
    pub silent_ms: u64,
    /// Seconds before a failed operation is retried, at least 1.
    pub retry_seconds: u64,
    /// Minimum seconds between log lines about an unavailable store, at least 1.
    pub log_seconds: u64,
    /// Maximum validity of a presigned URL in seconds, at least 1.
    pub redirect_seconds: u32,
    /// Part size of multipart uploads to a bucket in bytes, at least 5 MiB.
    pub part_bytes: u32,
    /// Number of concurrent file uploads to buckets, at least 1.
    pub files_at_once: usize,
    /// Number of files in buckets whose size and date are cached.
    pub known_files: u64,
    /// Groups in addition to the media folder, by `sg_id`.
    #[serde(deserialize_with = "by_number")]
    pub groups: BTreeMap<i32, StorageGroup>,
}

/// `[storage.groups.N]`: a folder or a bucket.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StorageGroup {
    /// Folder, for instance on another disk.
    pub folder: String,
    /// Location of the folder on the front-end web server. It is empty if Lantern sends the files.
    pub accel_prefix: String,
    /// Bucket name.
    pub bucket: String,
    /// URL of the store. It is empty for Amazon's.
    pub endpoint: String,
    /// Region for request signatures. It is empty for `us-east-1`.
    pub region: String,
    /// Prefix of all object names, which may be empty.
    pub prefix: String,
    /// Access key id.
    pub access_key: String,
    /// Secret access key.
    pub secret_key: String,
    /// Whether the bucket is part of the host name (virtual-hosted style) instead of the path. If so, the host name in `endpoint` includes
    /// the bucket.
    pub bucket_in_host: bool,
    /// Whether players are redirected to the store.
    pub redirect: bool,
    /// URL of the store for players, if it is different.
    pub public_endpoint: String,
}

/// Deserializes string keys as numbers, because the keys of TOML tables and environment variables are strings.
fn by_number<'de, D: Deserializer<'de>>(groups: D) -> Result<BTreeMap<i32, StorageGroup>, D::Error> {
    let named = BTreeMap::<String, StorageGroup>::deserialize(groups)?;
    let number = |name: &str| name.parse().map_err(|_| D::Error::custom(format!("{name:?} is not a group number")));
    named.into_iter().map(|(name, group)| Ok((number(&name)?, group))).collect()
}

impl Storage {
    /// Returns the distinct origins that players are redirected to, for the Content-Security-Policy.
    #[must_use]
    pub fn origins(&self) -> Vec<String> {
        let mut origins: Vec<String> =
            self.groups.values().filter(|group| group.redirect).filter_map(StorageGroup::public_origin).collect();
        origins.sort_unstable();
        origins.dedup();
        origins
    }
}

impl StorageGroup {
    /// Returns the region for request signatures.
    #[must_use]
    pub fn region(&self) -> &str {
        if self.region.is_empty() { "us-east-1" } else { &self.region }
    }

    /// Returns the scheme, host and port of the store for players.
    fn public_origin(&self) -> Option<String> {
        let address = [&self.public_endpoint, &self.endpoint].into_iter().find(|address| !address.is_empty());
        match address {
            Some(address) => origin(address).map(str::to_owned),
            None if self.bucket_in_host => Some(format!("https://{}.s3.{}.amazonaws.com", self.bucket, self.region())),
            None => Some(format!("https://s3.{}.amazonaws.com", self.region())),
        }
    }

    fn check(&self, is_https: bool) -> Result<(), ConfigError> {
        let key = "storage.groups";
        if self.folder.is_empty() == self.bucket.is_empty() {
            return reject(key, "a group is a folder or a bucket: set exactly one of the two");
        }
        if !self.folder.is_empty() {
            return crate::folders::check_location("storage.groups", &self.accel_prefix);
        }
        if self.access_key.is_empty() || self.secret_key.is_empty() {
            let why = format!(
                "the bucket {:?} needs access_key and secret_key, preferably from LANTERN__STORAGE__GROUPS__N__SECRET_KEY",
                self.bucket
            );
            return reject(key, why);
        }
        for address in [&self.endpoint, &self.public_endpoint] {
            if !address.is_empty() && origin(address) != Some(address) {
                return reject(key, format!("{address:?} must be like \"https://s3.example:9000\", without a path"));
            }
        }
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/');
        let is_path = |path: &str| path.split('/').all(|part| !matches!(part, "" | "." | ".."));
        let is_prefix = |path: &str| path.is_empty() || (path.bytes().all(is_plain) && is_path(path));
        if !is_prefix(&self.prefix) {
            return reject(key, format!("the prefix {:?} must be like \"films/a\", or empty", self.prefix));
        }
        let is_open = self.public_origin().is_some_and(|address| address.starts_with("http://"));
        if self.redirect && is_https && is_open {
            return reject(key, "browsers refuse http:// on an https:// page: set public_endpoint or disable redirect");
        }
        Ok(())
    }
}

/// Returns the scheme, host and port of a URL.
fn origin(address: &str) -> Option<&str> {
    let host = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"))?;
    let host = host.split('/').next().filter(|host| !host.is_empty())?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.:[]".contains(&byte);
    host.bytes().all(is_plain).then(|| &address[..address.find("://").unwrap_or_default() + 3 + host.len()])
}

/// Rejects invalid values.
pub(crate) fn check(config: &Config) -> Result<(), ConfigError> {
    let storage = &config.storage;
    at_least_one("storage.connect_ms", storage.connect_ms)?;
    at_least_one("storage.silent_ms", storage.silent_ms)?;
    at_least_one("storage.retry_seconds", storage.retry_seconds)?;
    at_least_one("storage.log_seconds", storage.log_seconds)?;
    at_least_one("storage.redirect_seconds", storage.redirect_seconds.into())?;
    at_least_one("storage.files_at_once", storage.files_at_once as u64)?;
    if storage.part_bytes < PART_MIN {
        return reject("storage.part_bytes", format!("is {}, must be at least {PART_MIN}", storage.part_bytes));
    }
    if storage.groups.keys().any(|group| *group <= LOCAL_GROUP) {
        return reject("storage.groups", "group numbers begin with 1: 0 is the media folder");
    }
    for (key, group, is_used) in [
        ("storage.new_films", storage.new_films, true),
        ("storage.originals", storage.originals, config.films.keep_original != KeepOriginal::Never),
        ("storage.new_pictures", storage.new_pictures, true),
        ("storage.new_uploads", storage.new_uploads, true),
    ] {
        if group == LOCAL_GROUP && is_used && !storage.shared_folder {
            return reject(key, "is 0, must be a group of storage.groups, because storage.shared_folder is false");
        }
        if group != LOCAL_GROUP && !storage.groups.contains_key(&group) {
            return reject(key, format!("is {group}, must be 0 for the media folder or a group of storage.groups"));
        }
    }
    storage.groups.values().try_for_each(|group| group.check(config.is_https()))
}

#[cfg(test)]
mod tests {
    use figment::{
        Figment,
        providers::{Format, Toml},
    };

    use super::*;
    use crate::DEFAULTS;

    fn read(own: &str) -> Result<Config, String> {
        let figment = Figment::from(Toml::string(DEFAULTS)).merge(Toml::string(own));
        let config: Config = figment.extract().map_err(|error| error.to_string())?;
        check(&config).map_err(|error| error.to_string())?;
        Ok(config)
    }

    const BUCKET: &str = "[storage.groups.2]\nbucket = 'films'\naccess_key = 'a'\nsecret_key = 'hidden'\n";

    #[test]
    fn groups_have_numbers_and_are_a_folder_or_a_bucket() {
        let config =
            read(&format!("[storage]\nnew_films = 2\n[storage.groups.1]\nfolder = '/disk'\n{BUCKET}")).unwrap();
        assert_eq!(config.storage.groups.keys().copied().collect::<Vec<_>>(), [1, 2]);
        assert_eq!(config.storage.groups[&2].region(), "us-east-1");
        for (own, why) in [
            ("[storage]\nnew_films = 3", "storage.new_films"),
            ("[storage]\noriginals = 3", "storage.originals"),
            ("[storage]\nnew_pictures = 3", "storage.new_pictures"),
            ("[storage]\nnew_uploads = 3", "storage.new_uploads"),
            ("[storage]\nshared_folder = false", "storage.new_films"),
            ("[storage.groups.0]\nfolder = '/disk'", "begin with 1"),
            ("[storage.groups.disk]\nfolder = '/disk'", "not a group number"),
            ("[storage.groups.1]", "a folder or a bucket"),
            ("[storage.groups.1]\nbucket = 'films'", "needs access_key"),
            ("[storage.groups.1]\nfolder = '/disk'\naccel_prefix = 'x'", "must be like"),
        ] {
            let error = read(own).unwrap_err();
            assert!(error.contains(why), "{own}: {error}");
        }
        for wrong in
            ["endpoint = 's3.example'", "endpoint = 'https://s3.example/x'", "prefix = '../x'", "prefix = 'a/'"]
        {
            let error = read(&format!("{BUCKET}{wrong}")).unwrap_err();
            assert!(error.contains("must be like") && !error.contains("hidden"), "{wrong}: {error}");
        }
    }

    #[test]
    fn players_are_redirected_to_origins_that_browsers_accept() {
        let origins = |own: &str| read(&format!("{BUCKET}redirect = true\n{own}")).map(|read| read.storage.origins());
        assert_eq!(origins("region = 'eu-west-1'").unwrap(), ["https://s3.eu-west-1.amazonaws.com"]);
        assert_eq!(origins("bucket_in_host = true").unwrap(), ["https://films.s3.us-east-1.amazonaws.com"]);
        let both = "endpoint = 'http://store:9000'\npublic_endpoint = 'https://films.example'";
        assert_eq!(origins(both).unwrap(), ["https://films.example"]);
        assert_eq!(read(BUCKET).unwrap().storage.origins(), [""; 0]);
        let secure = "[server]\npublic_url = 'https://tube.example'";
        assert!(origins(&format!("endpoint = 'http://store:9000'\n{secure}")).unwrap_err().contains("browsers refuse"));
        assert!(origins(&format!("{both}\n{secure}")).is_ok());
    }
}
