//! Typed configuration and the business constants of Lantern.
//!
//! [`Config::load`] layers `default.toml` (embedded), an optional file and the environment.
//! The closed vocabularies of the wire contract ([`Lang`], [`Gender`], sorts, filter codes) and
//! their labels in ten languages live here too, so that SQL, Rust and JSON use one spelling.

mod accounts;
pub mod actions;
mod addresses;
mod ads;
mod albums;
mod captcha;
mod check;
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
mod offers;
mod openid;
mod page_views;
mod pictures;
mod purge;
mod ranges;
mod reports;
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
pub use downloads::Downloads;
pub use films::{DESCRIPTION_MOST, Films, Likeness, SECONDS_MOST, TITLE_MOST};
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

/// The commented defaults, as printed by `lantern config`.
pub const DEFAULTS: &str = include_str!("../default.toml");

/// All settings; see `config/default.toml` for the meaning and default of each.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Development or production rules.
    pub mode: Mode,
    /// Folder that holds everything Lantern writes.
    pub data_dir: std::path::PathBuf,
    /// HTTP server.
    pub server: Server,
    /// Restarts of parts that ended.
    pub supervision: Supervision,
    /// Secrets.
    pub security: Security,
    /// Signing up and in.
    pub accounts: Accounts,
    /// Postgres.
    pub database: Database,
    /// Search engine.
    pub search: Search,
    /// Outbox and rebuilds.
    pub sync: Sync,
    /// Page sizes and bounds.
    pub listing: Listing,
    /// Counts of searches.
    pub search_log: SearchLog,
    /// What may not be said.
    pub safety: Safety,
    /// Comments and walls.
    pub comments: Comments,
    /// Playlists.
    pub playlists: Playlists,
    /// Counting of views.
    pub views: Views,
    /// Visits of pages.
    pub page_views: PageViews,
    /// Response cache.
    pub cache: Cache,
    /// Country rules.
    pub visitors: Visitors,
    /// Search engines that meet no age gate.
    pub crawlers: Crawlers,
    /// Pages for search engines.
    pub sitemap: Sitemap,
    /// Media links.
    pub media: Media,
    /// Where films are.
    pub storage: Storage,
    /// Films to keep.
    pub downloads: Downloads,
    /// Telling caches outside.
    pub purge: Purge,
    /// Pictures of members.
    pub pictures: Pictures,
    /// Films on their way in.
    pub uploads: Uploads,
    /// What becomes of them.
    pub films: Films,
    /// Albums that members make.
    pub albums: Albums,
    /// What people decide about them.
    pub moderation: Moderation,
    /// `[consents]`
    pub consents: Consents,
    /// What is taken over from other systems.
    pub import: Import,
    /// Sites whose players are shown.
    pub embeds: Embeds,
    /// Advertisements of others.
    pub ads: Ads,
    /// What the site says for itself and its partners.
    pub offers: Offers,
    /// Members' own lists and messages.
    pub member_area: MemberArea,
    /// What viewers want in no list.
    pub mutes: Mutes,
    /// What members are told of.
    pub notifications: Notifications,
    /// Mails and how they leave.
    pub mail: Mail,
    /// Proof that a form is not filled in by a robot.
    pub captcha: Captcha,
    /// Sign-in at another site.
    pub openid: OpenId,
    /// Complaints and what they weigh.
    pub reports: Reports,
    /// Rate limits.
    pub limits: Limits,
    /// Log output.
    pub log: Log,
}

/// Why a configuration was refused; the text is one clear sentence for the operator.
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
        /// What is wrong and what would be right.
        why: String,
    },
}

/// Refuses the value of a key.
fn refuse<T>(key: &'static str, why: impl Into<String>) -> Result<T, ConfigError> {
    Err(ConfigError::Value { key, why: why.into() })
}

/// Refuses a zero.
fn at_least_one(key: &'static str, value: u64) -> Result<(), ConfigError> {
    if value == 0 { refuse(key, "is 0, must be at least 1") } else { Ok(()) }
}

impl Config {
    /// Reads defaults, then `file`, then `LANTERN__SECTION__KEY` variables.
    ///
    /// # Errors
    /// Unknown keys, wrong types and values outside their ranges, each named.
    pub fn load(file: Option<&Path>) -> Result<Self, ConfigError> {
        let mut figment = Figment::from(Toml::string(DEFAULTS));
        if let Some(path) = file {
            if !path.is_file() {
                return refuse("--config", format!("{} is not a file", path.display()));
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

    /// Whether visitors reach the site over https, as `server.public_url` says.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.server.public_url.starts_with("https://")
    }

    /// Absolute address of the site without a trailing slash.
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
    /// The values of `default.toml`, without looking at the environment.
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
    fn a_value_out_of_range_is_named() {
        let mut config = Config::default();
        config.sync.batch = 0;
        let error = check::check(&config).unwrap_err().to_string();
        assert!(error.contains("sync.batch"), "{error}");
    }

    #[test]
    fn production_needs_a_secret_of_its_own() {
        let mut config = Config { mode: Mode::Production, ..Config::default() };
        config.server.public_url = "https://tube.example".to_owned();
        config.server.trusted_proxies = vec![NO_PROXY.to_owned()];
        assert!(check::check(&config).is_err());
        config.security.secret = "0123456789abcdef0123456789abcdef".to_owned();
        check::check(&config).unwrap();
    }

    #[test]
    fn production_needs_its_public_address() {
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
    fn production_needs_to_know_its_proxies() {
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
    fn in_production_loopback_is_limited_as_everybody() {
        let table = Config::default().limits;
        assert!(table.clone().of(Mode::Development).search.exempts_loopback());
        assert!(!table.of(Mode::Production).search.exempts_loopback());
    }

    #[test]
    fn a_name_server_is_an_address_with_its_port() {
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
    fn an_engine_has_names_and_none_that_everybody_has() {
        let check = |change: fn(&mut Crawler)| {
            let mut config = Config::default();
            change(&mut config.crawlers.engines[0]);
            check::check(&config).is_ok()
        };
        assert!(check(|engine| engine.domains.clear()), "ranges may be enough");
        assert!(!check(|engine| engine.agents.clear()));
        assert!(!check(|engine| engine.agents.push(String::new())));
        assert!(!check(|engine| engine.domains.push(String::new())));
    }

    #[test]
    fn an_unknown_key_is_refused() {
        let figment = Figment::from(Toml::string(DEFAULTS)).merge(Toml::string("[server]\nprot = 1"));
        assert!(figment.extract::<Config>().is_err());
    }
}
