//! Who comes: `[safety]`, `[visitors]` and `[crawlers]`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::{AddressRange, Lang};

/// `[safety]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Safety {
    /// What may be neither said nor recorded nor suggested, in any language.
    pub prohibited_terms: Vec<String>,
    /// The same by the language whose endings they take.
    pub prohibited_terms_by_language: BTreeMap<Lang, Vec<String>>,
    /// Letters from which on a term is also found inside longer words, at least 1.
    pub compound_letters: usize,
    /// Words that hold a term and mean something else.
    pub innocent_words: Vec<String>,
}

/// `[visitors]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Visitors {
    /// Countries with the age gate; `*` means all.
    pub age_gate_countries: Vec<String>,
    /// Country when none is known.
    pub default_country: String,
}

/// `crawlers.name_server`: the one the system asks.
pub const SYSTEM_NAME_SERVER: &str = "system";

/// `[crawlers]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crawlers {
    /// Name server asked about addresses, as `address:port`, or [`SYSTEM_NAME_SERVER`]; empty means none.
    pub name_server: String,
    /// Milliseconds for all questions about one address.
    pub lookup_ms: u64,
    /// Addresses looked up at the same time.
    pub lookups: usize,
    /// Addresses whose names are remembered.
    pub remembered: u64,
    /// Seconds they are remembered.
    pub remember_seconds: u64,
    /// The search engines.
    pub engines: Vec<Crawler>,
}

/// `[[crawlers.engines]]`: one search engine.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crawler {
    /// Names of which its `User-Agent` contains one, letter case apart.
    pub agents: Vec<String>,
    /// What the names of its addresses end in.
    pub domains: Vec<String>,
    /// Where it comes from, whatever the addresses are called.
    pub ranges: Vec<AddressRange>,
}
