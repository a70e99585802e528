//! `[import]` and `[embeds]`: what is taken over from other systems; `default.toml` has the reason of every key.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::{ConfigError, at_least_one, refuse};

/// `[import]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Import {
    /// Where films and pictures may be fetched from, such as `https://media.example`.
    pub origins: Vec<String>,
    /// Seconds a film may take, at least 1.
    pub fetch_seconds: u64,
    /// Seconds a picture may take, at least 1.
    pub picture_seconds: u64,
    /// Pictures that are fetched at once, at least 1.
    pub pictures_at_once: usize,
    /// Rows of a transaction, 1 to [`BATCH_MOST`].
    pub batch: usize,
    /// Most categories or models of a row.
    pub max_names: usize,
    /// Films that may wait for a worker, at least 1.
    pub waiting_films: u32,
}

/// Sites whose players are shown, and the address of a player with `{id}` in it.
pub type Embeds = BTreeMap<String, String>;

/// Rows of which one statement's arrays stay some megabytes.
pub const BATCH_MOST: usize = 10_000;

/// Where a player's address takes the id.
pub const ID: &str = "{id}";

/// The address of a player, `None` where the site isn't listed or the id isn't one.
#[must_use]
pub fn player(embeds: &Embeds, site: &str, id: &str) -> Option<String> {
    is_embed_id(id).then(|| embeds.get(site).map(|address| address.replacen(ID, id, 1))).flatten()
}

/// Whether an id may stand in a player's address as it is.
#[must_use]
pub fn is_embed_id(id: &str) -> bool {
    (1..=100).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// Scheme, host and port of an address.
#[must_use]
pub fn origin(address: &str) -> Option<&str> {
    let host = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"))?;
    let end = host.find(['/', '?', '#']).unwrap_or(host.len());
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.:[]".contains(&byte);
    let is_plain = end > 0 && host.as_bytes()[..end].iter().copied().all(plain);
    is_plain.then(|| &address[..address.len() - host.len() + end])
}

/// Refuses values the program could not work with.
pub(crate) fn check(import: &Import, embeds: &Embeds) -> Result<(), ConfigError> {
    for listed in &import.origins {
        if origin(listed) != Some(listed) {
            return refuse("import.origins", format!("has {listed:?}, must be like \"https://media.example\""));
        }
    }
    if !(1..=BATCH_MOST).contains(&import.batch) {
        return refuse("import.batch", format!("is {}, must be 1 to {BATCH_MOST}", import.batch));
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
            return refuse(
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
    fn a_player_is_shown_of_listed_sites_and_plain_ids_alone() {
        let embeds = Embeds::from([("videos".to_owned(), "https://player.example/embed/{id}?a=1".to_owned())]);
        assert_eq!(player(&embeds, "videos", "aB-1_").as_deref(), Some("https://player.example/embed/aB-1_?a=1"));
        assert_eq!(player(&embeds, "others", "1"), None);
        for id in ["", "a/b", "{id}", "a?b", "ä", "\"", &"1".repeat(101)] {
            assert_eq!(player(&embeds, "videos", id), None, "{id}");
        }
    }

    #[test]
    fn an_origin_ends_where_the_path_begins() {
        assert_eq!(origin("https://media.example/a/b?c"), Some("https://media.example"));
        assert_eq!(origin("http://127.0.0.1:81"), Some("http://127.0.0.1:81"));
        for address in
            ["ftp://media.example/", "https:///a", "https://user@media.example/", "media.example", "https://a b/"]
        {
            assert_eq!(origin(address), None, "{address}");
        }
    }
}
