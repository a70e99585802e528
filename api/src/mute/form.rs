//! The form with a guest's mutes, which are stored in the browser.

use serde::Deserialize;

/// The list, and a guest's mutes; a member's are stored in the catalog.
#[derive(Debug, Deserialize)]
pub(crate) struct UnmutedForm {
    pub list: String,
    pub videos: Option<String>,
    pub categories: Option<String>,
    pub models: Option<String>,
    pub members: Option<String>,
}

impl UnmutedForm {
    /// The values of the list of this name.
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
