//! What is searched.

use lantern_config::Lang;
use lantern_index::Filter;

use crate::{http::VideoList, index, mute::exclusions::Allowed};

#[derive(Debug, Clone)]
pub struct SearchRequest {
    /// As typed.
    pub text: String,
    /// Order, page and filters of the listing.
    pub list: VideoList,
    /// What the viewer lets into lists.
    pub allowed: Allowed,
    pub lang: Lang,
}

impl SearchRequest {
    /// What a video must be at the time `now`.
    pub fn filter(&self, now: i64) -> Filter {
        index::video_filter(&self.list, now).and(self.allowed.filter())
    }
}
