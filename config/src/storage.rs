//! `[storage]`: groups of films, each in a store of its own; `default.toml` has the reason of every key.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, de::Error};

use crate::{Config, ConfigError, at_least_one, refuse};

/// Number of the group whose films are in the media folder.
pub const LOCAL_GROUP: i32 = 0;
/// Fewest bytes of a part that S3 takes, unless it is the last.
const PART_MIN: u32 = 5 << 20;

/// `[storage]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Storage {
    /// The group of films that are made from now on.
    pub new_films: i32,
    /// Milliseconds that a connection to a store may take to be made, at least 1.
    pub connect_ms: u64,
    /// Milliseconds in which something has to come from a store, at least 1.
    pub silent_ms: u64,
    /// Seconds until what a store refused is tried again, at least 1.
    pub retry_seconds: u64,
    /// Seconds between two lines of the log that say a store is away, at least 1.
    pub log_seconds: u64,
    /// Most seconds that an address of the store itself works, at least 1.
    pub redirect_seconds: u32,
    /// Bytes of a part of a file on its way to a bucket, at least 5 MiB.
    pub part_bytes: u32,
    /// Files on their way to a bucket at a time, at least 1.
    pub files_at_once: usize,
    /// Files in buckets whose size and date are remembered.
    pub known_files: u64,
    /// The groups beside the media folder, by `sg_id`.
    #[serde(deserialize_with = "by_number")]
    pub groups: BTreeMap<i32, StorageGroup>,
}

/// `[storage.groups.N]`: a folder or a bucket.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StorageGroup {
    /// A folder, for instance on another disk.
    pub folder: String,
    /// Where a web server in front has that folder; empty when Lantern sends its files.
    pub accel_prefix: String,
    /// A bucket.
    pub bucket: String,
    /// Address of the store; empty for Amazon's.
    pub endpoint: String,
    /// Region that requests are signed for; empty for `us-east-1`.
    pub region: String,
    /// What the names of all files begin with; empty for nothing.
    pub prefix: String,
    /// Who Lantern is there.
    pub access_key: String,
    /// And its secret.
    pub secret_key: String,
    /// Whether the bucket stands in the host's name, which `endpoint` then has, and not in the path.
    pub bucket_in_host: bool,
    /// Whether players are sent to the store itself.
    pub redirect: bool,
    /// Address of the store for players, where it is another.
    pub public_endpoint: String,
}

/// Keys of a table are words, in the environment too.
fn by_number<'de, D: Deserializer<'de>>(groups: D) -> Result<BTreeMap<i32, StorageGroup>, D::Error> {
    let named = BTreeMap::<String, StorageGroup>::deserialize(groups)?;
    let number = |name: &str| name.parse().map_err(|_| D::Error::custom(format!("{name:?} is no number of a group")));
    named.into_iter().map(|(name, group)| Ok((number(&name)?, group))).collect()
}

impl Storage {
    /// Origins that players are sent to, for the policy of pages.
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
    /// Region that requests are signed for.
    #[must_use]
    pub fn region(&self) -> &str {
        if self.region.is_empty() { "us-east-1" } else { &self.region }
    }

    /// Scheme, host and port of the store for players.
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
            return refuse(key, "a group is a folder or a bucket: set one of the two");
        }
        if !self.folder.is_empty() {
            return crate::folders::check_location("storage.groups", &self.accel_prefix);
        }
        if self.access_key.is_empty() || self.secret_key.is_empty() {
            let why = format!(
                "the bucket {:?} needs access_key and secret_key, best by LANTERN__STORAGE__GROUPS__N__SECRET_KEY",
                self.bucket
            );
            return refuse(key, why);
        }
        for address in [&self.endpoint, &self.public_endpoint] {
            if !address.is_empty() && origin(address) != Some(address) {
                return refuse(key, format!("{address:?} must be like \"https://s3.example:9000\", without a path"));
            }
        }
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/');
        let is_path = |path: &str| path.split('/').all(|part| !matches!(part, "" | "." | ".."));
        let is_prefix = |path: &str| path.is_empty() || (path.bytes().all(is_plain) && is_path(path));
        if !is_prefix(&self.prefix) {
            return refuse(key, format!("the prefix {:?} must be like \"films/a\", or empty", self.prefix));
        }
        let is_open = self.public_origin().is_some_and(|address| address.starts_with("http://"));
        if self.redirect && is_https && is_open {
            return refuse(key, "browsers refuse http:// on a page of https://: set public_endpoint, or no redirect");
        }
        Ok(())
    }
}

/// Scheme, host and port an address begins with.
fn origin(address: &str) -> Option<&str> {
    let host = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"))?;
    let host = host.split('/').next().filter(|host| !host.is_empty())?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.:[]".contains(&byte);
    host.bytes().all(is_plain).then(|| &address[..address.find("://").unwrap_or_default() + 3 + host.len()])
}

/// Refuses values the program could not work with.
pub(crate) fn check(config: &Config) -> Result<(), ConfigError> {
    let storage = &config.storage;
    at_least_one("storage.connect_ms", storage.connect_ms)?;
    at_least_one("storage.silent_ms", storage.silent_ms)?;
    at_least_one("storage.retry_seconds", storage.retry_seconds)?;
    at_least_one("storage.log_seconds", storage.log_seconds)?;
    at_least_one("storage.redirect_seconds", storage.redirect_seconds.into())?;
    at_least_one("storage.files_at_once", storage.files_at_once as u64)?;
    if storage.part_bytes < PART_MIN {
        return refuse("storage.part_bytes", format!("is {}, must be at least {PART_MIN}", storage.part_bytes));
    }
    if storage.groups.keys().any(|group| *group <= LOCAL_GROUP) {
        return refuse("storage.groups", "numbers of groups begin with 1: 0 is the media folder");
    }
    if storage.new_films != LOCAL_GROUP && !storage.groups.contains_key(&storage.new_films) {
        let why = format!("is {}, must be 0 for the media folder or a group of storage.groups", storage.new_films);
        return refuse("storage.new_films", why);
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
    fn groups_go_by_number_and_are_a_folder_or_a_bucket() {
        let config =
            read(&format!("[storage]\nnew_films = 2\n[storage.groups.1]\nfolder = '/disk'\n{BUCKET}")).unwrap();
        assert_eq!(config.storage.groups.keys().copied().collect::<Vec<_>>(), [1, 2]);
        assert_eq!(config.storage.groups[&2].region(), "us-east-1");
        for (own, why) in [
            ("[storage]\nnew_films = 3", "storage.new_films"),
            ("[storage.groups.0]\nfolder = '/disk'", "begin with 1"),
            ("[storage.groups.disk]\nfolder = '/disk'", "no number"),
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
    fn players_are_sent_to_origins_that_browsers_take() {
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
