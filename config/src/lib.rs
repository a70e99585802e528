//! Typed configuration and business constants.
//!
//! [`Config::load`] layers the embedded `default.toml`, an optional file and the environment. Also defines the closed vocabularies of URLs
//! and the API ([`Lang`], [`Gender`], sort orders, filter codes) and their labels in ten languages, so that SQL, Rust and JSON share one
//! spelling.

mod accounts;
pub mod actions;
mod addresses;
mod ads;
mod albums;
mod captcha;
mod captions;
mod check;
mod codecs;
mod downloads;
pub mod errors;
mod films;
mod folders;
pub mod import;
pub mod labels;
pub mod lifetimes;
mod limits;
mod listing;
mod mail;
pub mod mail_texts;
mod moderation;
pub mod niceness;
mod notifications;
pub mod numbers;
mod offers;
mod openid;
mod page_views;
mod pictures;
mod purge;
mod ranges;
mod reports;
pub mod schemas;
mod search;
mod server;
mod storage;
mod supervision;
mod uploads;
mod visibility;
mod visitors;
pub mod words;

use std::path::Path;

use figment::{
    Figment,
    providers::{Env, Format, Toml},
};
use serde::Deserialize;

pub use accounts::{Accounts, Argon2, PASSWORD_MIN};
pub use actions::{Comments, Mutes, Playlists, Views};
pub use addresses::{ADDRESSES, Addresses};
pub use ads::{AdSlot, Ads};
pub use albums::Albums;
pub use captcha::{Captcha, CaptchaProvider};
pub use captions::Captions;
pub use codecs::{Av1, Encoder, Hevc, Preset, SecondCodec};
pub use downloads::Downloads;
pub use films::{CHAPTERS_MOST, DESCRIPTION_MOST, Films, KeepOriginal, Likeness, Rung, SECONDS_MOST, TITLE_MOST};
pub use folders::*;
pub use import::{Embeds, Import};
pub use limits::*;
pub use listing::*;
pub use mail::Mail;
pub use moderation::{Consents, Moderation};
pub use notifications::Notifications;
pub use offers::{NamedLink, Offers, PremiumOffer};
pub use openid::OpenId;
pub use page_views::PageViews;
pub use pictures::{MemberArea, Pictures};
pub use purge::Purge;
pub use ranges::AddressRange;
pub use reports::Reports;
pub use search::*;
pub use server::*;
pub use storage::{LOCAL_GROUP, Storage, StorageGroup};
pub use supervision::Supervision;
pub use uploads::{UPLOAD_MOST, Uploads};
pub use visitors::*;
pub use words::*;

/// The defaults with comments, which `lantern config` prints.
pub const DEFAULTS: &str = include_str!("../default.toml");

/// All settings. `config/default.toml` documents each with its default.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Whether the rules for development or for production apply.
    pub mode: Mode,
    /// Folder for everything that Lantern writes.
    pub data_dir: std::path::PathBuf,
    /// HTTP server.
    pub server: Server,
    /// Restarts of background tasks.
    pub supervision: Supervision,
    /// Secrets.
    pub security: Security,
    /// Sign-up and sign-in.
    pub accounts: Accounts,
    /// Postgres.
    pub database: Database,
    /// Search engine.
    pub search: Search,
    /// Outbox and rebuilds.
    pub sync: Sync,
    /// Page sizes and limits of lists.
    pub listing: Listing,
    /// Query statistics.
    pub search_log: SearchLog,
    /// Prohibited terms.
    pub safety: Safety,
    /// Comments and walls.
    pub comments: Comments,
    /// Playlists.
    pub playlists: Playlists,
    /// Counting of views.
    pub views: Views,
    /// Page view statistics.
    pub page_views: PageViews,
    /// Response cache.
    pub cache: Cache,
    /// Country rules.
    pub visitors: Visitors,
    /// Search engines exempt from the age gate.
    pub crawlers: Crawlers,
    /// Pages for search engines.
    pub sitemap: Sitemap,
    /// Media links.
    pub media: Media,
    /// Storage groups for videos.
    pub storage: Storage,
    /// Video downloads.
    pub downloads: Downloads,
    /// Purging external caches.
    pub purge: Purge,
    /// Members' pictures.
    pub pictures: Pictures,
    /// Video uploads in progress.
    pub uploads: Uploads,
    /// Processing of uploaded videos.
    pub films: Films,
    /// Captions of videos.
    pub captions: Captions,
    /// Members' albums.
    pub albums: Albums,
    /// Review of uploads.
    pub moderation: Moderation,
    /// Retention of consent documents.
    pub consents: Consents,
    /// Import from other systems.
    pub import: Import,
    /// Sites whose players may be embedded.
    pub embeds: Embeds,
    /// Third-party advertisements.
    pub ads: Ads,
    /// Promotion of the site and its partners.
    pub offers: Offers,
    /// Members' own lists and messages.
    pub member_area: MemberArea,
    /// Videos that viewers hide from lists.
    pub mutes: Mutes,
    /// Members' notifications.
    pub notifications: Notifications,
    /// Outgoing mail.
    pub mail: Mail,
    /// Bot protection of forms.
    pub captcha: Captcha,
    /// Sign-in with an OpenID provider.
    pub openid: OpenId,
    /// Reports and their weights.
    pub reports: Reports,
    /// Rate limits.
    pub limits: Limits,
    /// Log output.
    pub log: Log,
}

/// Reason why a configuration was rejected. It is displayed as one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file, key or value could not be read.
    #[error("configuration: {0}")]
    Read(Box<figment::Error>),
    /// A value is outside its range.
    #[error("configuration: {key}: {why}")]
    Value {
        /// Dotted key.
        key: &'static str,
        /// What is wrong and how to fix it.
        why: String,
    },
}

/// Returns the error for a rejected value.
fn reject<T>(key: &'static str, why: impl Into<String>) -> Result<T, ConfigError> {
    Err(ConfigError::Value { key, why: why.into() })
}

/// Rejects zero.
fn at_least_one(key: &'static str, value: u64) -> Result<(), ConfigError> {
    if value == 0 { reject(key, "is 0, must be at least 1") } else { Ok(()) }
}

impl Config {
    /// Reads defaults, then `file`, then `LANTERN__SECTION__KEY` variables.
    ///
    /// # Errors
    /// If there are unknown keys, wrong types or values outside their ranges. The error names the key.
    pub fn load(file: Option<&Path>) -> Result<Self, ConfigError> {
        let mut figment = Figment::from(Toml::string(DEFAULTS));
        if let Some(path) = file {
            if !path.is_file() {
                return reject("--config", format!("{} is not a file", path.display()));
            }
            figment = figment.merge(Toml::file_exact(path));
        }
        let config: Self = figment
            .merge(Env::prefixed("LANTERN__").split("__"))
            .extract()
            .map_err(|error| ConfigError::Read(Box::new(error)))?;
        check::check(&config)?;
        Ok(config)
    }

    /// Whether visitors reach the site over https, according to `server.public_url`.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.server.public_url.starts_with("https://")
    }

    /// Returns the absolute URL of the site without a trailing slash.
    #[must_use]
    pub fn public_url(&self) -> String {
        if self.server.public_url.is_empty() {
            format!("http://{}:{}", self.server.host, self.server.port)
        } else {
            self.server.public_url.trim_end_matches('/').to_owned()
        }
    }
}

impl Default for Config {
    /// Returns the values in `default.toml`, ignoring the environment.
    fn default() -> Self {
        #[expect(clippy::expect_used, reason = "the embedded file is covered by a test")]
        Figment::from(Toml::string(DEFAULTS)).extract().expect("default.toml matches the types")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_complete_and_valid() {
        check::check(&Config::default()).unwrap();
    }

    #[test]
    fn value_out_of_range_is_named() {
        let mut config = Config::default();
        config.sync.batch = 0;
        let error = check::check(&config).unwrap_err().to_string();
        assert!(error.contains("sync.batch"), "{error}");
    }

    #[test]
    fn production_requires_secret() {
        let mut config = Config { mode: Mode::Production, ..Config::default() };
        config.server.public_url = "https://tube.example".to_owned();
        config.server.trusted_proxies = vec![NO_PROXY.to_owned()];
        assert!(check::check(&config).is_err());
        config.security.secret = "0123456789abcdef0123456789abcdef".to_owned();
        check::check(&config).unwrap();
    }

    #[test]
    fn production_requires_public_url() {
        let mut config = Config { mode: Mode::Production, ..Config::default() };
        config.security.secret = "0123456789abcdef0123456789abcdef".to_owned();
        config.server.trusted_proxies = vec![NO_PROXY.to_owned()];
        for (url, why) in [
            ("", "is empty: set it to the address"),
            ("tube.example", "must be like"),
            ("https://", "must be like"),
            ("ftp://tube.example", "must be like"),
            ("https://tube.example/site", "must be like"),
            ("https://tube.example/?x", "must be like"),
            ("https://a b.example", "must be like"),
        ] {
            url.clone_into(&mut config.server.public_url);
            let error = check::check(&config).unwrap_err().to_string();
            assert!(error.contains("server.public_url") && error.contains(why), "{url}: {error}");
        }
        for url in ["https://tube.example", "https://tube.example/", "http://127.0.0.1:8080"] {
            url.clone_into(&mut config.server.public_url);
            check::check(&config).unwrap();
        }
    }

    #[test]
    fn production_requires_trusted_proxies() {
        let read = |mode: &str, proxies: &str| {
            let own = format!(
                "mode = '{mode}'\n[server]\npublic_url = 'https://tube.example'\n{proxies}\n\
                 [security]\nsecret = '0123456789abcdef0123456789abcdef'"
            );
            let figment = Figment::from(Toml::string(DEFAULTS)).merge(Toml::string(&own));
            check::check(&figment.extract().unwrap()).map_err(|error| error.to_string())
        };
        assert_eq!(read("development", ""), Ok(()));
        let refused = read("production", "").unwrap_err();
        assert!(refused.contains("server.trusted_proxies: is empty: name the addresses"), "{refused}");
        for proxies in ["'none'", "['none']", "['127.0.0.1', '10.0.0.0/8']", "'10.0.0.1'"] {
            assert_eq!(read("production", &format!("trusted_proxies = {proxies}")), Ok(()), "{proxies}");
        }
        for proxies in ["['none', '10.0.0.1']", "['proxy.example']", "['10.0.0.0/33']", "''", "'all'"] {
            assert!(read("production", &format!("trusted_proxies = {proxies}")).is_err(), "{proxies}");
        }
    }

    #[test]
    fn production_limits_loopback() {
        let table = Config::default().limits;
        assert!(table.clone().of(Mode::Development).search.exempts_loopback());
        assert!(!table.of(Mode::Production).search.exempts_loopback());
    }

    #[test]
    fn name_server_is_address_with_port() {
        let mut config = Config::default();
        for (server, fits) in [
            ("system", true),
            ("", true),
            ("127.0.0.53:53", true),
            ("[::1]:53", true),
            ("127.0.0.53", false),
            ("dns.example:53", false),
        ] {
            server.clone_into(&mut config.crawlers.name_server);
            assert_eq!(check::check(&config).is_ok(), fits, "{server}");
        }
    }

    #[test]
    fn crawler_requires_agents_and_rejects_empty_names() {
        let check = |change: fn(&mut Crawler)| {
            let mut config = Config::default();
            change(&mut config.crawlers.engines[0]);
            check::check(&config).is_ok()
        };
        assert!(check(|engine| engine.domains.clear()), "ranges alone may suffice");
        assert!(!check(|engine| engine.agents.clear()));
        assert!(!check(|engine| engine.agents.push(String::new())));
        assert!(!check(|engine| engine.domains.push(String::new())));
    }

    #[test]
    fn unknown_key_is_rejected() {
        let figment = Figment::from(Toml::string(DEFAULTS)).merge(Toml::string("[server]\nprot = 1"));
        assert!(figment.extract::<Config>().is_err());
    }
}
