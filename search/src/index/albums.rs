//! Cards of albums.

use lantern_config::Lang;
use lantern_index::AlbumDoc;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Categories, Ref,
    cards::{model_refs, rfc3339},
};
use lantern_media::pictures::{large_picture, picture};

/// An album in a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AlbumCard {
    /// Id.
    #[schema(example = 1, minimum = 1)]
    pub album_id: i64,
    /// Name in URLs.
    #[schema(example = "night-market")]
    pub dir: String,
    /// Title as written by its author.
    #[schema(example = "Night market")]
    pub title: String,
    /// Language of the title.
    #[schema(value_type = Lang, example = "en")]
    pub title_lang: String,
    /// Cover photo, 320 pixels.
    #[schema(example = "/media/p/demo/01/shot-1-320.webp")]
    pub thumb: String,
    /// Cover photo, 640 pixels.
    #[schema(example = "/media/p/demo/01/shot-1-640.webp")]
    pub thumbsrc: String,
    /// Number of photos.
    #[schema(example = 12, minimum = 0)]
    pub photos_amount: i64,
    /// RFC 3339.
    #[schema(example = "2026-05-04T12:00:00Z", format = DateTime)]
    pub post_date: String,
    /// 0 to 5.
    #[schema(example = 4.5, minimum = 0, maximum = 5)]
    pub rating: f64,
    /// All views.
    #[schema(example = 1204, minimum = 0)]
    pub album_viewed: i64,
    /// Number of comments.
    #[schema(example = 3, minimum = 0)]
    pub comments: i64,
    /// The uploader.
    #[schema(example = 2, minimum = 1)]
    pub user_id: Option<i64>,
    /// Models shown.
    pub models: Vec<Ref>,
    /// Its categories.
    pub categories: Vec<Ref>,
}

impl AlbumCard {
    /// The card of `album` as seen in `lang`.
    #[must_use]
    pub fn new(album: AlbumDoc, categories: &Categories, lang: Lang) -> Self {
        Self {
            album_id: album.id,
            dir: album.dir,
            title: album.title,
            title_lang: album.lang,
            thumb: picture(album.media_key.as_deref()),
            thumbsrc: large_picture(album.media_key.as_deref()),
            photos_amount: album.photos_amount,
            post_date: rfc3339(album.post_date),
            rating: album.rating,
            album_viewed: album.viewed,
            comments: album.comments,
            user_id: album.user_id,
            models: model_refs(album.model_dirs, album.model_titles, album.model_names, lang),
            categories: categories.refs(album.category_dirs, lang),
        }
    }
}
