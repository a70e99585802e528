//! Canonical addresses of pages, so that search engines don't index a page under two addresses.

use lantern_config::{Gender, Lang};

use super::query;

/// Canonical address of a page, without tracking parameters and with the other parameters in a fixed order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    path: String,
    pairs: Vec<(&'static str, String)>,
}

impl Address {
    /// Returns the address of a page without parameters.
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), pairs: Vec::new() }
    }

    /// Adds a parameter, unless its value is empty or equals `default`.
    pub fn with(mut self, name: &'static str, value: &str, default: &str) -> Self {
        if value != default && !value.is_empty() {
            self.pairs.push((name, value.to_owned()));
        }
        self
    }

    /// Adds the orientation, unless it is the default one.
    pub fn gender(self, gender: Gender) -> Self {
        self.with("gender", gender.as_str(), Gender::Str.as_str())
    }

    /// Returns the path and query. `lang` overrides the language cookie, and `None` leaves the language to the cookie.
    pub fn in_lang(&self, lang: Option<Lang>) -> String {
        let mut pairs: Vec<(&str, &str)> = self.pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
        pairs.extend(lang.map(|lang| ("lang", lang.as_str())));
        // Commas are legal in a query and keep `categories=a,b` readable.
        format!("{}{}", self.path, query::write(&pairs).replace("%2C", ","))
    }
}

/// Returns the path of a video.
pub fn video(id: i64, dir: &str) -> String {
    format!("/videos/{id}/{dir}/")
}

/// Returns the path of a video's player for other sites.
pub fn embed(id: i64) -> String {
    format!("/embed/{id}/")
}

/// Returns the path of an album.
pub fn album(id: i64, dir: &str) -> String {
    format!("/album/{id}/{dir}/")
}

/// Returns the path of the first results page of a playlist.
pub fn playlist(id: i64) -> String {
    format!("/playlist/{id}/1/")
}

/// Returns the path of a member.
pub fn member(id: i64) -> String {
    format!("/members/{id}/")
}

/// Returns the path of a model.
pub fn model(dir: &str) -> String {
    format!("/model/{dir}/")
}

/// Returns the address of the first results page of a category's latest videos.
pub fn category(dir: &str) -> Address {
    Address::new(format!("/categories/{dir}/latest-updates/1/"))
}
