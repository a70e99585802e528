//! Reading the index: documents as they are stored, cards as they are sent, and the queries between.

mod cards;
mod categories;
mod deep;
mod documents;
mod filters;
mod videos;

pub use cards::{Formatted, ModelCard, Ref, VideoCard, age_of, clip_pictures, picture, rfc3339};
pub use categories::{Categories, CategoryNames};
pub use deep::Ladders;
pub use documents::{CategoryDoc, ModelDoc, SuggestionDoc, VideoDoc, display};
pub use filters::{age_window, model_filter, model_sort, video_filter, video_sort};
pub use videos::{Found, MARKS, VideoQuery, VideosAnswer, answer, find, videos_by_id};
