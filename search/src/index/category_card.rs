//! Cards of categories.

use lantern_index::CategoryDoc;
use serde::Serialize;
use utoipa::ToSchema;

use super::clip_pictures;

/// A category, with its number of videos of the orientation.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CategoryCard {
    /// Name in URLs.
    #[schema(example = "night-market")]
    pub dir: String,
    /// Title in the visitor's language.
    #[schema(example = "Night market")]
    pub title: String,
    /// Visible videos of the orientation.
    #[schema(example = 42, minimum = 0)]
    pub total_videos: usize,
    /// Picture, 320 pixels wide.
    #[schema(example = "/media/p/demo/01/shot-1-320.webp")]
    pub thumb: String,
    /// Letter of the title in the section `letters`: the first one, without its accent unless that makes it another letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "N", nullable = false)]
    pub letter: Option<String>,
}

/// Builds the card of a category with `total_videos` videos.
pub fn category_card(category: &CategoryDoc, title: &str, total_videos: usize) -> CategoryCard {
    CategoryCard {
        dir: category.dir.clone(),
        title: title.to_owned(),
        total_videos,
        thumb: clip_pictures(category.media_key.as_deref(), category.shot).thumb,
        letter: None,
    }
}
