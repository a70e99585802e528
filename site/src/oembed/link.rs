//! Links from pages to oEmbed answers.

use lantern_listing::pages::query::write;

/// Width and height of an embedded player (UI.md).
pub const SIZE: [u32; 2] = [426, 265];
/// Both formats in the protocol.
pub const FORMATS: [Format; 2] = [Format::Json, Format::Xml];

/// Format of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Json,
    Xml,
}

impl Format {
    /// Returns the media type in links from pages.
    pub fn discovery_type(self) -> &'static str {
        match self {
            Self::Json => "application/json+oembed",
            Self::Xml => "text/xml+oembed",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Xml => "xml",
        }
    }
}

/// Returns the path of the answer for a page.
pub fn path(page: &str, format: Format) -> String {
    format!("/oembed{}", write(&[("url", page), ("format", format.name())]))
}
