//! Addresses of pages, written one way: the same page never has two that search engines keep.

use lantern_config::{Gender, Lang};

use super::{member_filters::MemberListFilters, query};

/// A page's own address: what others (tracking, order of parameters) made of it is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    path: String,
    pairs: Vec<(&'static str, String)>,
}

impl Address {
    /// A page without parameters.
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), pairs: Vec::new() }
    }

    /// With a parameter, unless it says what goes without saying.
    pub fn with(mut self, name: &'static str, value: &str, usual: &str) -> Self {
        if value != usual && !value.is_empty() {
            self.pairs.push((name, value.to_owned()));
        }
        self
    }

    /// As seen by another orientation than the usual one.
    pub fn gender(self, gender: Gender) -> Self {
        self.with("gender", gender.as_str(), Gender::Str.as_str())
    }

    /// With the members whom filters leave.
    pub fn chosen(self, filters: &MemberListFilters) -> Self {
        filters.pairs().fold(self, |address, (name, value)| address.with(name, value, ""))
    }

    /// Path and query, in a language whatever the cookie says, or in that of the cookie.
    pub fn in_lang(&self, lang: Option<Lang>) -> String {
        let mut pairs: Vec<(&str, &str)> = self.pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
        pairs.extend(lang.map(|lang| ("lang", lang.as_str())));
        // Commas are legal in a query and keep `categories=a,b` readable.
        format!("{}{}", self.path, query::write(&pairs).replace("%2C", ","))
    }
}

pub fn video(id: i64, dir: &str) -> String {
    format!("/videos/{id}/{dir}/")
}

pub fn embed(id: i64) -> String {
    format!("/embed/{id}/")
}

pub fn album(id: i64, dir: &str) -> String {
    format!("/album/{id}/{dir}/")
}

/// A playlist's first page.
pub fn playlist(id: i64) -> String {
    format!("/playlist/{id}/1/")
}

pub fn member(id: i64) -> String {
    format!("/members/{id}/")
}

pub fn model(dir: &str) -> String {
    format!("/model/{dir}/")
}

pub fn category(dir: &str) -> Address {
    Address::new(format!("/categories/{dir}/latest-updates/1/"))
}
