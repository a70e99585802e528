//! What a guest's browser says of what is muted there.

use serde::Deserialize;

/// The call that takes it, which counts searches as that of searches does.
pub const ADDRESS: &str = "/api/unmuted.php";

/// Which list, and what a guest muted; a member's are stored.
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
