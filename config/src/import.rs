//! `[import]` and `[embeds]`: import from other systems. `default.toml` explains each key.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::{ConfigError, at_least_one, reject};

/// `[import]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Import {
    /// Origins that videos and pictures may be fetched from, such as `https://media.example`.
    pub origins: Vec<String>,
    /// Seconds that a video download may take, at least 1.
    pub fetch_seconds: u64,
    /// Seconds that a picture download may take, at least 1.
    pub picture_seconds: u64,
    /// Number of concurrent picture downloads, at least 1.
    pub pictures_at_once: usize,
    /// Rows per transaction, 1 to [`BATCH_MOST`].
    pub batch: usize,
    /// Maximum number of categories or models per row.
    pub max_names: usize,
    /// Maximum number of videos queued for processing, at least 1.
    pub waiting_films: u32,
}

/// Sites whose players may be embedded, each with the URL of its player, which contains `{id}`.
pub type Embeds = BTreeMap<String, String>;

/// Maximum number of rows per transaction. It keeps a statement's arrays within a few megabytes.
pub const BATCH_MOST: usize = 10_000;

/// Placeholder for the id in a player URL.
pub const ID: &str = "{id}";

/// Returns the player URL, or `None` if the site isn't listed or the id is invalid.
#[must_use]
pub fn player(embeds: &Embeds, site: &str, id: &str) -> Option<String> {
    is_embed_id(id).then(|| embeds.get(site).map(|address| address.replacen(ID, id, 1))).flatten()
}

/// Whether an id can be inserted into a player URL without escaping.
#[must_use]
pub fn is_embed_id(id: &str) -> bool {
    (1..=100).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// Returns the scheme, host and port of a URL, or `None` for anything but http and https.
#[must_use]
pub fn origin(address: &str) -> Option<&str> {
    let host = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"))?;
    let end = host.find(['/', '?', '#']).unwrap_or(host.len());
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.:[]".contains(&byte);
    let is_plain = end > 0 && host.as_bytes()[..end].iter().copied().all(plain);
    is_plain.then(|| &address[..address.len() - host.len() + end])
}

/// Rejects invalid values.
pub(crate) fn check(import: &Import, embeds: &Embeds) -> Result<(), ConfigError> {
    for listed in &import.origins {
        if origin(listed) != Some(listed) {
            return reject("import.origins", format!("has {listed:?}, must be like \"https://media.example\""));
        }
    }
    if !(1..=BATCH_MOST).contains(&import.batch) {
        return reject("import.batch", format!("is {}, must be 1 to {BATCH_MOST}", import.batch));
    }
    at_least_one("import.fetch_seconds", import.fetch_seconds)?;
    at_least_one("import.picture_seconds", import.picture_seconds)?;
    at_least_one("import.pictures_at_once", import.pictures_at_once as u64)?;
    at_least_one("import.waiting_films", import.waiting_films.into())?;
    for (site, address) in embeds {
        let is_name = !site.is_empty()
            && site.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        let is_player = address.starts_with("https://")
            && origin(address).is_some_and(|origin| !origin.contains(ID))
            && address.matches(ID).count() == 1
            && !address.contains([' ', '"', '<', '>', ';']);
        if !is_name || !is_player {
            return reject(
                "embeds",
                format!("has {site} = {address:?}, must be like videos = \"https://player.example/embed/{ID}\""),
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn player_requires_listed_site_and_plain_id() {
        let embeds = Embeds::from([("videos".to_owned(), "https://player.example/embed/{id}?a=1".to_owned())]);
        assert_eq!(player(&embeds, "videos", "aB-1_").as_deref(), Some("https://player.example/embed/aB-1_?a=1"));
        assert_eq!(player(&embeds, "others", "1"), None);
        for id in ["", "a/b", "{id}", "a?b", "ä", "\"", &"1".repeat(101)] {
            assert_eq!(player(&embeds, "videos", id), None, "{id}");
        }
    }

    #[test]
    fn origin_ends_before_the_path() {
        assert_eq!(origin("https://media.example/a/b?c"), Some("https://media.example"));
        assert_eq!(origin("http://127.0.0.1:81"), Some("http://127.0.0.1:81"));
        for address in
            ["ftp://media.example/", "https:///a", "https://user@media.example/", "media.example", "https://a b/"]
        {
            assert_eq!(origin(address), None, "{address}");
        }
    }
}
