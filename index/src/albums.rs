//! Index `albums`: photo albums that guests may see.

use crate::document::{ByLang, document};

document! {
    /// An album.
    AlbumDoc {
        /// Id in the catalog.
        id: i64 = [Retrieved, Filterable],
        /// Name in URLs.
        dir: String = [Retrieved],
        /// Language of the title.
        lang: String = [Retrieved],
        /// Title as written by its author.
        title: String = [Retrieved],
        /// Companions, as of videos.
        words: ByLang,
        /// Companions of the models' names.
        names: Vec<String>,
        /// Companions of the category labels.
        tags: ByLang<Vec<String>>,
        /// Japanese companions of the title.
        ja: Vec<String>,
        /// Code.
        gender: String = [Filterable],
        /// Who uploaded it.
        user_id: Option<i64> = [Retrieved, Filterable],
        /// Its categories.
        category_dirs: Vec<String> = [Retrieved, Filterable],
        /// Its models.
        model_dirs: Vec<String> = [Retrieved, Filterable],
        /// Names of the models, parallel to `model_dirs`.
        model_titles: Vec<String> = [Retrieved],
        /// Unix seconds.
        post_date: i64 = [Retrieved, Filterable],
        /// All views.
        viewed: i64 = [Retrieved],
        /// Number of comments.
        comments: i64 = [Retrieved],
        /// 0 to 5, the share of likes.
        rating: f64 = [Retrieved],
        /// What lists are ordered by, as of videos.
        standing: f64,
        /// Number of photos.
        photos_amount: i64 = [Retrieved],
        /// Stem of the first photo's pictures.
        media_key: Option<String> = [Retrieved],
    }
    searchable: ["words.original", "ja", "names", "tags.{lang}", "title"],
    sortable: ["id", "post_date", "viewed", "standing", "comments"],
    tie: "viewed:desc",
}
