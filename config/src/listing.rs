//! Lists, answers in memory and sitemaps: `[listing]`, `[cache]` and `[sitemap]`.

use serde::Deserialize;

use crate::{ConfigError, refuse};

/// Largest page that the app asks for: that of members.
pub const LARGEST_PAGE: u32 = 96;

/// `[listing]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listing {
    /// Items per home block.
    pub home_block: u32,
    /// Accepted page sizes of related videos, the first one beside the player.
    pub related_counts: Vec<u32>,
    /// Largest accepted page size, at least [`LARGEST_PAGE`].
    pub max_page_size: u32,
    /// Keyword tags in the footer.
    pub keywords: u32,
    /// Comments of a page.
    pub comments_page: u32,
    /// Replies that stand under a comment at once; the others are asked for.
    pub replies_shown: u32,
    /// Friends and subscriptions of a page.
    pub people_page: u32,
    /// Videos a friend site is given.
    pub friend_promo: u32,
    /// Videos of a playlist that are listed.
    pub playlist_videos: u32,
    /// Videos a category needs to be in the sidebar.
    pub sidebar_min_videos: usize,
    /// The same in per cent of the orientation's videos, 0 to 100; the smaller number counts.
    pub sidebar_min_percent: usize,
    /// Values per facet.
    pub max_facet_values: usize,
    /// Categories chosen at once.
    pub max_categories: usize,
    /// Shortest search in characters.
    pub search_min: usize,
    /// Longest search in characters.
    pub search_max: usize,
    /// Items of each group above the videos of a search.
    pub group_items: usize,
    /// Below so many hits another spelling is looked for.
    pub few_hits: usize,
    /// Words a search without hits gives up at most.
    pub relaxed_words: usize,
    /// Below so many hits a search is widened by what means the same, at least 1 and at most `few_hits`.
    pub few_meant: usize,
    /// Videos at most of a search that is widened by what means the same.
    pub meant_hits: usize,
    /// Seconds by which the window of a date filter moves on, at least 1.
    pub date_seconds: u32,
    /// Ids of channels that pages don't name.
    pub hidden_channels: Vec<i64>,
}

impl Listing {
    /// Related videos of a page beside the player.
    #[must_use]
    pub fn related_page(&self) -> u32 {
        self.related_counts.first().copied().unwrap_or(1)
    }

    /// Refuses what the app could not ask for.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        if self.max_page_size < LARGEST_PAGE {
            return refuse(
                "listing.max_page_size",
                format!("must be at least {LARGEST_PAGE}, the largest page of the app"),
            );
        }
        let is_page = |count: &u32| (1..=self.max_page_size).contains(count);
        if self.related_counts.is_empty() || !self.related_counts.iter().all(is_page) {
            return refuse("listing.related_counts", "must name counts of 1 to listing.max_page_size");
        }
        if self.max_categories == 0 {
            return refuse("listing.max_categories", "must be at least 1");
        }
        Ok(())
    }
}

/// `[cache]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    /// Bytes of finished answers in memory.
    pub max_bytes: u64,
    /// Seconds an answer counts as fresh while the index doesn't change.
    pub fresh: u64,
    /// Seconds a response is cached and may be sent once more while it is computed anew.
    pub stale: u64,
}

/// `[sitemap]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sitemap {
    /// Most pages one file names, 1 to [`SITEMAP_MOST`].
    pub urls_per_file: u32,
    /// Seconds between two makings.
    pub refresh_seconds: u64,
    /// Seconds after which counters alone are a reason to write a part again.
    pub counters_seconds: u64,
}

/// Most pages a sitemap file may name; the protocol's own bound is 50,000.
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
    fn what_the_app_asks_for_must_be_allowed() {
        assert_eq!(refused(|_| {}), None);
        assert_eq!(refused(|listing| listing.max_page_size = LARGEST_PAGE), None);
        assert_eq!(refused(|listing| listing.max_page_size = LARGEST_PAGE - 1), Some("listing.max_page_size"));
        for counts in [vec![], vec![12, 0], vec![12, 101]] {
            assert_eq!(refused(|listing| listing.related_counts = counts), Some("listing.related_counts"));
        }
        assert_eq!(refused(|listing| listing.max_categories = 0), Some("listing.max_categories"));
    }
}
