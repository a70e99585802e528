//! Reading the index: documents as they are stored, cards as they are sent, and the queries between.

mod albums;
mod cards;
mod categories;
mod deep;
mod documents;
mod filters;
mod keywords;
mod lists;
mod members;
mod model_names;
mod multi;
mod playlists;
mod videos;

pub use albums::{AlbumCard, AlbumDoc, album_sort};
pub use cards::{
    ClipPictures, Formatted, ModelCard, Ref, VideoCard, age_of, clip_pictures, cover, duration_text, large_picture,
    picture, rfc3339,
};
pub use categories::{Categories, CategoryNames};
pub use deep::Ladders;
pub use documents::{CategoryDoc, ModelDoc, SuggestionDoc, VideoDoc, display};
pub use filters::{age_window, chart_filter, model_sort, people_filter, video_filter, video_sort};
pub use keywords::{Keywords, lot};
pub use lists::{ListQuery, exists, in_order, page};
pub use members::{MemberCard, MemberDoc, avatar, member_sort};
pub use model_names::ModelNames;
pub use multi::{Hit, find_many};
pub use playlists::{PlaylistCard, PlaylistDoc, playlist_sort};
pub use videos::{Found, VideoQuery, VideosAnswer, answer, find, has_no_such_field, videos_by_id};
