//! The form with a guest's mutes, which are stored in the browser.

use serde::Deserialize;

/// The list, and a guest's mutes. A member's mutes are stored in the catalog.
#[derive(Debug, Deserialize)]
pub(crate) struct UnmutedForm {
    pub list: String,
    pub videos: Option<String>,
    pub categories: Option<String>,
    pub models: Option<String>,
    pub members: Option<String>,
}

impl UnmutedForm {
    /// Returns the values in the list with this name.
    pub fn value(&self, list: &str) -> Option<&str> {
        match list {
            "videos" => self.videos.as_deref(),
            "categories" => self.categories.as_deref(),
            "models" => self.models.as_deref(),
            "members" => self.members.as_deref(),
            _ => None,
        }
    }
}
