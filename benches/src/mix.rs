//! The measured calls, whose parameters are taken from the running site.

use anyhow::Context;
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

/// Number of distinct URLs of an uncached call. It is more than are requested within a run.
const DIFFERENT: usize = 20_000;
/// Maximum videos per page.
const LARGEST_PAGE: u64 = 62;

/// Kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// The same listing repeatedly, which measures the response cache.
    CachedListing,
    /// The same listing from a client that has it cached. The response is 304.
    Known,
    /// Listings at page 1, 100, 1,000, 1,500 or 10,000 that differ in their broad duration filter, which measures the engine.
    Page(u64),
    /// Listings that differ in category, sort order, duration and page, which measures the engine.
    Listing,
    /// Searches for words from real titles.
    Search,
    /// Prefixes of such words.
    Suggester,
}

impl Call {
    /// All calls in the order of the table.
    pub const ALL: &'static [Self] = &[
        Self::CachedListing,
        Self::Known,
        Self::Listing,
        Self::Page(1),
        Self::Page(100),
        Self::Page(1_000),
        Self::Page(10_000),
        Self::Search,
        Self::Suggester,
    ];

    /// Whether the response is cached.
    #[must_use]
    pub const fn is_cached(self) -> bool {
        matches!(self, Self::CachedListing | Self::Known)
    }

    /// Returns the name in the table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CachedListing => "listing, cached",
            Self::Known => "listing, known (304)",
            Self::Page(1) => "listing, page 1",
            Self::Page(100) => "listing, page 100",
            Self::Page(1_000) => "listing, page 1,000",
            Self::Page(1_500) => "listing, page 1,500",
            Self::Page(_) => "listing, page 10,000",
            Self::Listing => "listing, uncached",
            Self::Search => "search",
            Self::Suggester => "suggester",
        }
    }
}

/// Content of the running site.
pub struct Catalog {
    base: String,
    categories: Vec<String>,
    words: Vec<String>,
    videos: Vec<u64>,
    pages: u64,
    total: u64,
}

impl Catalog {
    /// Reads categories, title words and the number of pages from the API.
    pub async fn read(base: &str) -> anyhow::Result<Self> {
        let base = base.trim_end_matches('/').to_owned();
        let client = reqwest::Client::builder().no_proxy().build()?;
        let get = async |path: String| -> anyhow::Result<Value> {
            let text = client.get(format!("{base}{path}")).send().await?.error_for_status()?.text().await?;
            Ok(serde_json::from_str(&text)?)
        };
        let main = get("/api/json/main/14400/str.en.json".to_owned()).await.context("the site does not respond")?;
        let list = get("/api/json/videos2/86400/str/latest-updates/100/all..1.all.all.all.json".to_owned()).await?;
        let strings = |value: &Value, list: &str, field: &str| -> Vec<String> {
            value[list]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|item| item[field].as_str().map(str::to_owned))
                .collect()
        };
        let categories = strings(&main, "categories", "dir");
        let words: Vec<String> = strings(&list, "videos", "title")
            .iter()
            .flat_map(|title| title.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .filter(|word| word.chars().count() >= 4 && word.chars().all(char::is_alphabetic))
            .collect();
        anyhow::ensure!(
            !categories.is_empty() && !words.is_empty(),
            "the site holds no videos; run `lantern seed` first"
        );
        let videos =
            list["videos"].as_array().into_iter().flatten().filter_map(|video| video["video_id"].as_u64()).collect();
        let pages = list["pages"].as_u64().unwrap_or(1).max(1);
        Ok(Self { base, categories, words, videos, pages, total: list["total_count"].as_u64().unwrap_or(0) })
    }

    /// Whether the catalog has enough videos for the call's page.
    #[must_use]
    pub const fn has(&self, call: Call) -> bool {
        match call {
            Call::Page(page) => page == 1 || (page - 1) * LARGEST_PAGE < self.total,
            _ => true,
        }
    }

    /// Returns the URLs of a call. They are the same for the same seed and site.
    #[must_use]
    pub fn urls(&self, call: Call, seed: u64) -> Vec<String> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let base = &self.base;
        if matches!(call, Call::CachedListing | Call::Known) {
            return vec![format!("{base}/api/json/videos2/86400/str/latest-updates/60/all..1.all.all.all.json")];
        }
        (0..DIFFERENT)
            .filter_map(|_| {
                let category = self.categories.choose(&mut rng)?;
                let word = self.words.choose(&mut rng)?;
                let sort = ["latest-updates", "longest", "most-commented", "most-popular", "top-rated"].choose(&mut rng)?;
                let from = rng.random_range(1..40);
                Some(match call {
                    Call::Listing => {
                        let page = rng.random_range(1..=self.pages.min(4));
                        let to = from + rng.random_range(5..60);
                        format!("{base}/api/json/videos2/86400/str/{sort}/60/categories.{category}.{page}.all.{from}-{to}.all.json")
                    }
                    Call::Page(page) => {
                        // The filter is broad enough to match most videos, and varied enough not to repeat.
                        let (from, to, count) = (rng.random_range(0..3), rng.random_range(60..600), rng.random_range(58..=LARGEST_PAGE));
                        format!("{base}/api/json/videos2/86400/str/{sort}/{count}/all..{page}.all.{from}-{to}.all.json")
                    }
                    Call::Search => {
                        let second = self.words.choose(&mut rng)?;
                        let text = encode(&if rng.random_bool(0.5) { word.clone() } else { format!("{word} {second}") });
                        format!("{base}/api/videos2.php?params=86400/str/relevance/60/search..1.all.{from}-90.all&s={text}&lang=en")
                    }
                    _ => {
                        let prefix: String = word.chars().take(rng.random_range(2..=4)).collect();
                        format!("{base}/api/suggester.php?c={}&lang=en&count={}", encode(&prefix), rng.random_range(5..20))
                    }
                })
            })
            .collect()
    }

    /// Returns the pages of the latest videos.
    pub fn pages(&self) -> Vec<String> {
        self.videos.iter().map(|video| format!("{}/videos/{video}/", self.base)).collect()
    }

    /// Returns the URL of a list whose duration filter is unique to `number`.
    pub fn odd_list(&self, number: u32) -> String {
        let (from, to) = (number % 500, number % 500 + 1 + number / 500);
        format!("{}/api/json/videos2/86400/str/longest/60/all..1.all.{from}-{to}.all.json", self.base)
    }

    /// Returns the URL of a search for a nonexistent word.
    pub fn odd_search(&self, number: u32) -> String {
        format!(
            "{}/api/videos2.php?params=86400/str/relevance/60/search..1.all.all.all&s=qzx{number}&lang=en",
            self.base
        )
    }
}

/// Percent-encodes a text.
pub fn encode(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_exclude_pages_beyond_the_catalog() {
        let (base, categories, words) = (String::new(), Vec::new(), Vec::new());
        let catalog = Catalog { base, categories, words, videos: Vec::new(), pages: 1, total: 20_000 };
        let has = [1, 100, 300, 1_500, 10_000].map(|page| catalog.has(Call::Page(page)));
        assert_eq!(has, [true, true, true, false, false]);
        assert!(catalog.has(Call::Listing) && catalog.has(Call::Search));
    }
}
