//! Index `albums`: photo albums visible to guests.

use crate::document::{ByLang, document};

document! {
    /// Album.
    AlbumDoc {
        /// Id in the catalog.
        id: i64 = [Retrieved, Filterable],
        /// Name in URLs.
        dir: String = [Retrieved],
        /// Language of the title.
        lang: String = [Retrieved],
        /// Title as written by its author.
        title: String = [Retrieved],
        /// Companions of the title, as for videos.
        words: ByLang,
        /// Companions of the models' names.
        names: Vec<String>,
        /// Companions of the category labels.
        tags: ByLang<Vec<String>>,
        /// Japanese companions of the title.
        ja: Vec<String>,
        /// Orientation code.
        gender: String = [Filterable],
        /// Uploader.
        user_id: Option<i64> = [Retrieved, Filterable],
        /// Its categories.
        category_dirs: Vec<String> = [Retrieved, Filterable],
        /// Its models.
        model_dirs: Vec<String> = [Retrieved, Filterable],
        /// Names of the models, parallel to `model_dirs`.
        model_titles: Vec<String> = [Retrieved],
        /// Names of the models by language, parallel to `model_dirs`. Languages in which the title is shown are left out.
        model_names: Vec<ByLang> = [Retrieved],
        /// Publication date in Unix seconds.
        post_date: i64 = [Retrieved, Filterable],
        /// Total views.
        viewed: i64 = [Retrieved],
        /// Number of comments.
        comments: i64 = [Retrieved],
        /// Share of likes, scaled to 0 to 5.
        rating: f64 = [Retrieved],
        /// Rating that lists are sorted by, as for videos.
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
