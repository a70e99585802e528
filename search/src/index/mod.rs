//! Queries to the index, and the cards built from its documents.

mod albums;
mod cards;
mod categories;
mod category_card;
mod deep;
mod details;
mod keywords;
mod lists;
mod members;
mod model_names;
mod multi;
mod playlists;
mod reader;
mod videos;

pub use albums::AlbumCard;
pub use cards::{
    ChapterHit, ClipPictures, Highlight, ModelCard, Ref, VideoCard, age_of, clip_pictures, duration_text, rfc3339,
    shown_pictures,
};
pub use categories::{Categories, CategoryNames};
pub use category_card::{CategoryCard, category_card};
pub use deep::Ladders;
pub use details::{Named, details};
pub use keywords::{Keywords, Source as KeywordSource, lot};
pub use lantern_index::{
    AlbumDoc, CaptionsDoc, CategoryDoc, MemberDoc, ModelDoc, PlaylistDoc, SuggestionDoc, VideoDoc, display,
};
pub use lists::{ListQuery, exists, in_order, page};
pub use members::MemberCard;
pub use model_names::{ModelNames, ModelRef};
pub use multi::{Hit, find_lists, find_many, video_id};
pub use playlists::PlaylistCard;
pub use reader::Reader;
pub use videos::{
    Fallback, Found, PartialMatches, ValueCount, VideoId, VideoQuery, VideosAnswer, answer, detailed, find, most_first,
    prefer_language, videos_by_id, with_names,
};
