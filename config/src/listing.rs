//! Lists, the response cache and sitemaps: `[listing]`, `[cache]` and `[sitemap]`.

use serde::Deserialize;

use crate::{ConfigError, reject};

/// Largest page that the app requests: the member list.
pub const LARGEST_PAGE: u32 = 96;

/// `[listing]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listing {
    /// Number of items per home block.
    pub home_block: u32,
    /// Accepted page sizes for related videos. The first one is used next to the player.
    pub related_counts: Vec<u32>,
    /// Largest accepted page size, at least [`LARGEST_PAGE`].
    pub max_page_size: u32,
    /// Number of keyword tags in the footer.
    pub keywords: u32,
    /// Number of comments per page.
    pub comments_page: u32,
    /// Number of replies included with a comment. Further replies are loaded on request.
    pub replies_shown: u32,
    /// Number of friends and subscriptions per page.
    pub people_page: u32,
    /// Number of videos returned to a friend site.
    pub friend_promo: u32,
    /// Maximum number of videos listed for a playlist.
    pub playlist_videos: u32,
    /// Minimum number of videos in a category that is listed in the sidebar.
    pub sidebar_min_videos: usize,
    /// The same minimum as a percentage of the orientation's videos, 0 to 100. The smaller number applies.
    pub sidebar_min_percent: usize,
    /// Maximum number of values per facet.
    pub max_facet_values: usize,
    /// Maximum number of categories selected at once.
    pub max_categories: usize,
    /// Minimum query length in characters.
    pub search_min: usize,
    /// Maximum query length in characters.
    pub search_max: usize,
    /// Number of items per group above the videos found by a search.
    pub group_items: usize,
    /// Maximum number of videos that a search finds by what is said in them.
    pub spoken_items: usize,
    /// Maximum number of passages of captions that a search compares line by line.
    pub spoken_passages: usize,
    /// Number of hits below which a better-known spelling and partial matches are shown.
    pub few_hits: usize,
    /// Maximum number of words dropped to relax a query that has no hits.
    pub relaxed_words: usize,
    /// Step in seconds by which a date filter's window advances, at least 1.
    pub date_seconds: u32,
    /// Ids of channels that pages don't show.
    pub hidden_channels: Vec<i64>,
}

impl Listing {
    /// Returns the number of related videos next to the player.
    #[must_use]
    pub fn related_page(&self) -> u32 {
        self.related_counts.first().copied().unwrap_or(1)
    }

    /// Rejects values with which the app's requests would fail.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        if self.max_page_size < LARGEST_PAGE {
            return reject(
                "listing.max_page_size",
                format!("must be at least {LARGEST_PAGE}, the largest page of the app"),
            );
        }
        let is_page = |count: &u32| (1..=self.max_page_size).contains(count);
        if self.related_counts.is_empty() || !self.related_counts.iter().all(is_page) {
            return reject("listing.related_counts", "must hold counts of 1 to listing.max_page_size");
        }
        if self.max_categories == 0 {
            return reject("listing.max_categories", "must be at least 1");
        }
        Ok(())
    }
}

/// `[cache]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    /// Maximum size in bytes.
    pub max_bytes: u64,
    /// Seconds for which a response is fresh if the index doesn't change.
    pub fresh: u64,
    /// Seconds for which a response is cached. A stale response may be served once more while it is being recomputed.
    pub stale: u64,
}

/// `[sitemap]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sitemap {
    /// Maximum number of URLs per file, 1 to [`SITEMAP_MOST`].
    pub urls_per_file: u32,
    /// Seconds between updates.
    pub refresh_seconds: u64,
    /// Seconds after which a part is rewritten even if only its counters have changed.
    pub counters_seconds: u64,
}

/// Maximum number of URLs per sitemap file. The protocol allows 50,000.
pub const SITEMAP_MOST: u32 = 45_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    fn refused(change: impl FnOnce(&mut Listing)) -> Option<&'static str> {
        let mut listing = Config::default().listing;
        change(&mut listing);
        match listing.check() {
            Err(ConfigError::Value { key, .. }) => Some(key),
            _ => None,
        }
    }

    #[test]
    fn settings_must_allow_the_apps_requests() {
        assert_eq!(refused(|_| {}), None);
        assert_eq!(refused(|listing| listing.max_page_size = LARGEST_PAGE), None);
        assert_eq!(refused(|listing| listing.max_page_size = LARGEST_PAGE - 1), Some("listing.max_page_size"));
        for counts in [vec![], vec![12, 0], vec![12, 101]] {
            assert_eq!(refused(|listing| listing.related_counts = counts), Some("listing.related_counts"));
        }
        assert_eq!(refused(|listing| listing.max_categories = 0), Some("listing.max_categories"));
    }
}
