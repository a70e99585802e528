//! What is searched.

use lantern_config::Lang;
use lantern_index::Filter;

use crate::{http::extract::VideoList, index, mute::exclusions::Allowed};

#[derive(Debug, Clone)]
pub struct SearchRequest {
    /// As typed.
    pub text: String,
    /// Order, page and filters of the listing.
    pub list: VideoList,
    /// All must match.
    pub categories: Vec<String>,
    /// None may match.
    pub not_categories: Vec<String>,
    /// All must match.
    pub models: Vec<String>,
    /// What the viewer lets into lists.
    pub allowed: Allowed,
    pub lang: Lang,
}

impl SearchRequest {
    /// What a video must be at the time `now`.
    pub fn filter(&self, now: i64) -> Filter {
        let filter = index::video_filter(&self.list, now).and(self.allowed.filter());
        let filter = self.categories.iter().fold(filter, |all, dir| all.and(Filter::eq("category_dirs", dir)));
        let filter = self.not_categories.iter().fold(filter, |all, dir| all.and(!Filter::eq("category_dirs", dir)));
        self.models.iter().fold(filter, |all, dir| all.and(Filter::eq("model_dirs", dir)))
    }
}
