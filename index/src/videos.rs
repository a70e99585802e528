//! Index `videos`: videos visible to guests.

use lantern_config::Lang;
use serde::Serialize;

use crate::document::{ByLang, ShownText, document, shown};

/// Word that every video has in a field of its own. It is never typed.
pub const EVERY: &str = "ǀ";

document! {
    /// Video.
    VideoDoc {
        /// Id in the catalog.
        id: i64 = [Retrieved, Filterable],
        /// Name in URLs.
        dir: String = [Retrieved],
        /// Language of the title.
        lang: String = [Retrieved],
        /// Title as written by its author.
        title: String = [Retrieved],
        /// Translations of the title.
        titles: ByLang = [Retrieved],
        /// Companions ([`crate::text`]) of the titles, by language, and of the original under `original`. Languages without a title have an
        /// empty one, because the engine rejects searches in fields that no document has.
        words: ByLang,
        /// Words shared by a title and the category labels of its language, which weigh more than other words.
        common: ByLang,
        /// Companions of the descriptions and chapters.
        texts: ByLang,
        /// Chapters, a line such as `1:23 Title` for each, in the language of the title.
        chapters: String = [Retrieved],
        /// Japanese companions of the titles.
        ja: Vec<String>,
        /// Keys ([`crate::text::keys`]) of the words in its titles, its chapters and its models' names.
        keys: Vec<String> = [Filterable],
        /// [`EVERY`], which every query contains, so that the other words only rank what the filter selects.
        every: String,
        /// Orientation code.
        gender: String = [Filterable],
        /// Duration in seconds.
        duration: i64 = [Retrieved, Filterable],
        /// Publication date in Unix seconds.
        post_date: i64 = [Retrieved, Filterable],
        /// Number of comments.
        comments: i64 = [Retrieved, Filterable],
        /// Share of likes, scaled to 0 to 5.
        rating: f64 = [Retrieved],
        /// The rating adjusted for few votes. Lists are sorted by it.
        standing: f64 = [Filterable],
        /// Total views.
        viewed: i64 = [Retrieved, Filterable],
        /// Views in the last day.
        viewed_day: i64 = [Filterable],
        /// Views in the last week.
        viewed_week: i64 = [Filterable],
        /// Views in the last month.
        viewed_month: i64 = [Filterable],
        /// Whether it has at least 720 lines.
        is_hd: bool = [Retrieved, Filterable],
        /// Whether it has no mosaics.
        is_uncensored: bool = [Retrieved, Filterable],
        /// Spoken language.
        spoken: Option<String> = [Filterable],
        /// Uploader.
        user_id: Option<i64> = [Filterable],
        /// Channel that shows it.
        channel_id: Option<i64> = [Filterable],
        /// Its categories.
        category_dirs: Vec<String> = [Retrieved, Filterable],
        /// Its models.
        model_dirs: Vec<String> = [Retrieved, Filterable],
        /// Names of the models, parallel to `model_dirs`.
        model_titles: Vec<String> = [Retrieved],
        /// Names of the models by language, parallel to `model_dirs`. Languages in which the title is shown are left out.
        model_names: Vec<ByLang> = [Retrieved],
        /// Folder of its pictures, or `None` during processing.
        media_key: Option<String> = [Retrieved],
        /// Number of the screenshot used as picture.
        shot: i64 = [Retrieved],
    }
    searchable: [
        "common.original", "common.{lang}", "words.original", "words.{lang}", "ja", "texts.original", "texts.{lang}", "title", "every",
    ],
    sortable: [
        "id", "post_date", "duration", "comments", "viewed", "viewed_day", "viewed_week", "viewed_month", "standing",
    ],
    tie: "viewed:desc",
}

/// Fields of a video that are updated periodically.
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "documented at VideoDoc")]
pub struct VideoCounts {
    pub id: i64,
    pub viewed: i64,
    pub viewed_day: i64,
    pub viewed_week: i64,
    pub viewed_month: i64,
    pub comments: i64,
    pub rating: f64,
    pub standing: f64,
}

impl VideoDoc {
    /// Returns the title as displayed to a visitor of `lang`.
    #[must_use]
    pub fn shown_title(&self, lang: Lang) -> ShownText<'_> {
        shown(&self.title, &self.lang, &self.titles, lang)
    }
}
