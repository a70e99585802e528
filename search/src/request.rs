//! What is searched.

use lantern_config::{Lang, VideoSort};
use lantern_index::Filter;
use lantern_listing::VideoList;

use crate::{exclusions::ListBounds, index};

#[derive(Debug, Clone)]
pub struct SearchRequest {
    /// As typed.
    pub text: String,
    /// Order, page and filters of the listing.
    pub list: VideoList,
    /// What the viewer lets into lists.
    pub allowed: ListBounds,
    pub lang: Lang,
}

impl SearchRequest {
    /// Whether it asks for what is best, whose order may be refined within the page.
    pub fn is_ranked_first_page(&self) -> bool {
        self.list.page == 1 && self.list.sort == VideoSort::Relevance
    }

    /// What a video must be at the time `now`.
    pub fn filter(&self, now: i64) -> Filter {
        index::video_filter(&self.list, now).and(self.allowed.filter())
    }
}
