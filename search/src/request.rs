//! A search request.

use lantern_config::{Lang, VideoSort};
use lantern_index::{Filter, text};
use lantern_listing::VideoList;

use crate::exclusions::ListBounds;

/// A query with its filters, order and results page.
#[derive(Debug, Clone)]
pub struct SearchRequest {
    /// Text as typed.
    pub text: String,
    /// Order, page and filters of the listing.
    pub list: VideoList,
    /// Bounds set by the viewer's mutes.
    pub allowed: ListBounds,
    /// Language of the visitor.
    pub lang: Lang,
}

impl SearchRequest {
    /// Returns the same search for another text.
    #[must_use]
    pub fn with_text(&self, text: String) -> Self {
        Self { text, ..self.clone() }
    }

    /// Whether the text has words to search for, not only exclusions.
    pub fn has_words(&self) -> bool {
        text::has_words(&text::wanted(&self.text))
    }

    /// Whether this is the first page by relevance, within which the order may be refined.
    pub fn is_ranked_first_page(&self) -> bool {
        self.list.page == 1 && self.list.sort == VideoSort::Relevance
    }

    /// Filter of the list at the time `now`.
    pub fn filter(&self, now: i64) -> Filter {
        self.list.filter(now).and(self.allowed.filter())
    }
}
