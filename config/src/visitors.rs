//! Visitors and prohibited terms: `[safety]`, `[visitors]` and `[crawlers]`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::{AddressRange, Lang};

/// `[safety]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Safety {
    /// Terms that are rejected in texts and never recorded or suggested, in any language.
    pub prohibited_terms: Vec<String>,
    /// Terms that are prohibited in one language, with that language's inflections.
    pub prohibited_terms_by_language: BTreeMap<Lang, Vec<String>>,
    /// Minimum length, in letters, of a term that is also found inside longer words, at least 1.
    pub compound_letters: usize,
    /// Words that contain a term but mean something else.
    pub innocent_words: Vec<String>,
}

/// `[visitors]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Visitors {
    /// Countries with the age gate. `*` means all countries.
    pub age_gate_countries: Vec<String>,
    /// Country that is assumed for visitors whose country is unknown.
    pub default_country: String,
}

/// Value for `crawlers.name_server` that means the system's name server.
pub const SYSTEM_NAME_SERVER: &str = "system";

/// `[crawlers]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crawlers {
    /// Name server for reverse lookups, either in the form `address:port` or [`SYSTEM_NAME_SERVER`]. If it is empty, there are no reverse
    /// lookups.
    pub name_server: String,
    /// Timeout for all queries about one address in milliseconds.
    pub lookup_ms: u64,
    /// Number of addresses looked up concurrently.
    pub lookups: usize,
    /// Maximum number of cached addresses.
    pub remembered: u64,
    /// Seconds for which addresses are cached.
    pub remember_seconds: u64,
    /// The search engines.
    pub engines: Vec<Crawler>,
}

/// `[[crawlers.engines]]`: one search engine.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crawler {
    /// Substrings of its `User-Agent`, ignoring case.
    pub agents: Vec<String>,
    /// Domains of its host names.
    pub domains: Vec<String>,
    /// Address ranges that are accepted regardless of host names.
    pub ranges: Vec<AddressRange>,
}
