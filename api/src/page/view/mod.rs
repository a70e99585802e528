//! What pages read of the API's answers: the wire contract from its other side, where its fields are explained.

pub mod community;

use lantern_config::{Gender, Lang};
use serde::Deserialize;

/// A link.
#[derive(Debug, Deserialize)]
pub struct Named {
    /// Name in URLs.
    pub dir: String,
    /// Text to show.
    pub title: String,
}

/// A video in a list, or the beginning of a whole one.
#[derive(Debug, Deserialize)]
pub struct Card {
    pub video_id: i64,
    pub dir: String,
    pub title: String,
    pub duration: String,
    pub thumb: String,
    pub thumbsrc: String,
    pub img: String,
    pub post_date: String,
    pub models: Vec<Named>,
    pub categories: Vec<Named>,
}

/// A page of videos.
#[derive(Debug, Default, Deserialize)]
pub struct Videos {
    pub videos: Vec<Card>,
    #[serde(default)]
    pub pages: u32,
    /// Counts of the whole result; with titles.
    #[serde(default)]
    pub categories: Vec<Named>,
}

/// A model in a list, or the beginning of a whole one.
#[derive(Debug, Deserialize)]
pub struct ModelFacts {
    pub dir: String,
    pub title: String,
    pub thumbs: String,
    #[serde(default)]
    pub aliases: Vec<String>,
    #[serde(default)]
    pub about: Option<String>,
}

/// A page of models.
#[derive(Debug, Deserialize)]
pub struct Models {
    pub models: Vec<ModelFacts>,
    #[serde(default)]
    pub pages: u32,
}

/// The blocks of the home page.
#[derive(Debug, Deserialize)]
pub struct Home {
    pub country: Videos,
    pub day: Videos,
    pub latest: Videos,
    pub models: Models,
}

/// One model.
#[derive(Debug, Deserialize)]
pub struct ModelData {
    pub model: ModelFacts,
}

/// All categories.
#[derive(Debug, Deserialize)]
pub struct CategoryList {
    pub categories: Vec<Named>,
}

/// One video.
#[derive(Debug, Deserialize)]
pub struct VideoData {
    pub video: VideoFacts,
}

/// A video that may be watched, or what a page says of another.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum VideoFacts {
    /// All of it.
    Whole(Box<Whole>),
    /// Deleted, private or unfinished.
    Gone {
        /// 5 is deleted.
        status_id: i16,
    },
}

/// A video that may be watched.
#[derive(Debug, Deserialize)]
pub struct Whole {
    #[serde(flatten)]
    pub card: Card,
    pub description: String,
    pub lang: Lang,
    pub title_lang: Lang,
    pub description_lang: Lang,
    pub gender: Gender,
    pub user: Option<Uploader>,
    pub statistics: VideoStatistics,
}

/// Who uploaded it.
#[derive(Debug, Deserialize)]
pub struct Uploader {
    pub user_id: i64,
    pub username: String,
}

/// Exact numbers.
#[derive(Debug, Deserialize)]
pub struct VideoStatistics {
    pub viewed: i64,
    pub likes: i64,
    pub dislikes: i64,
}

/// Signed links.
#[derive(Debug, Deserialize)]
pub struct VideoFile {
    pub video_url: Vec<Stream>,
}

/// One way to play a video.
#[derive(Debug, Deserialize)]
pub struct Stream {
    #[serde(rename = "type")]
    pub kind: String,
    pub url: String,
}
