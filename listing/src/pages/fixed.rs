//! Pages with fixed texts: sign-in and sign-up, uploads, information about the site, and the site map.

use super::routes::{ScreenMatch, TOPICS};

/// A page with fixed texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FixedPage {
    /// `/signin/`
    SignIn,
    /// `/signup/`
    SignUp,
    /// `/confirm/`
    Confirm,
    /// `/restore-password/`
    Restore,
    /// `/unsubscribe/`
    Unsubscribe,
    /// `/upload-video/`
    Upload,
    /// `/upload-album/`
    UploadAlbum,
    /// `/moderate/`
    Moderate,
    /// `/download/?video_id=…`
    Download,
    /// `/edit/?video_id=…`
    EditVideo,
    /// `/edit/?album_id=…`
    EditAlbum,
    /// `/information/{topic}/`
    Information(&'static str),
    /// `/sitemap-page/`
    Sitemap,
}

impl FixedPage {
    /// Returns the page for a matched address, if it is a page with fixed texts.
    pub fn of(shown: &ScreenMatch) -> Option<Self> {
        Some(match shown.screen {
            "signin" => Self::SignIn,
            "signup" => Self::SignUp,
            "confirm" => Self::Confirm,
            "restore-password" => Self::Restore,
            "unsubscribe" => Self::Unsubscribe,
            "upload" => Self::Upload,
            "upload-album" => Self::UploadAlbum,
            "moderate" => Self::Moderate,
            "download" => Self::Download,
            "edit-video" => Self::EditVideo,
            "edit-album" => Self::EditAlbum,
            "sitemap" => Self::Sitemap,
            "information" => {
                Self::Information(TOPICS.iter().copied().find(|topic| shown.place("topic") == Some(topic))?)
            }
            _ => return None,
        })
    }
}
