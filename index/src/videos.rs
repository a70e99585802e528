//! Index `videos`: what guests may see.

use lantern_config::Lang;
use serde::Serialize;

use crate::document::{ByLang, ShownText, document, shown};

document! {
    /// A video.
    VideoDoc {
        /// Id in the catalog.
        id: i64 = [Retrieved, Filterable],
        /// Name in URLs.
        dir: String = [Retrieved],
        /// Language of the title.
        lang: String = [Retrieved],
        /// Title as written by its author.
        title: String = [Retrieved],
        /// Translations only.
        titles: ByLang = [Retrieved],
        /// Companions ([`crate::text`]) of the titles, by language and `original`.
        words: ByLang,
        /// Words that a title has in common with the category labels of its language, which weigh more than either.
        common: ByLang,
        /// Companions of the models' names.
        names: Vec<String>,
        /// Companions of the category labels.
        tags: ByLang<Vec<String>>,
        /// Companions of the descriptions.
        texts: ByLang,
        /// Japanese companions of the titles.
        ja: Vec<String>,
        /// Japanese companions of model names and category labels, which weigh less than a title.
        ja_names: Vec<String>,
        /// Code.
        gender: String = [Filterable],
        /// Seconds.
        duration: i64 = [Retrieved, Filterable],
        /// Unix seconds.
        post_date: i64 = [Retrieved, Filterable],
        /// Number of comments.
        comments: i64 = [Retrieved, Filterable],
        /// 0 to 5, the share of likes.
        rating: f64 = [Retrieved],
        /// The same with doubts where votes are few: what lists are ordered by.
        standing: f64 = [Filterable],
        /// All views.
        viewed: i64 = [Retrieved, Filterable],
        /// Views of the last day.
        viewed_day: i64 = [Filterable],
        /// Views of the last week.
        viewed_week: i64 = [Filterable],
        /// Views of the last month.
        viewed_month: i64 = [Filterable],
        /// At least 720 lines.
        is_hd: bool = [Retrieved, Filterable],
        /// Without mosaics.
        is_uncensored: bool = [Retrieved, Filterable],
        /// Who uploaded it.
        user_id: Option<i64> = [Filterable],
        /// Whose channel shows it.
        channel_id: Option<i64> = [Filterable],
        /// Its categories.
        category_dirs: Vec<String> = [Retrieved, Filterable],
        /// Its models.
        model_dirs: Vec<String> = [Retrieved, Filterable],
        /// Names of the models, parallel to `model_dirs`.
        model_titles: Vec<String> = [Retrieved],
        /// Folder of its pictures; none while it is processed.
        media_key: Option<String> = [Retrieved],
        /// Which screenshot is the picture.
        shot: i64 = [Retrieved],
    }
    searchable: [
        "common.original", "common.{lang}", "words.original", "words.{lang}", "ja", "names", "ja_names", "tags.{lang}", "texts.original", "texts.{lang}", "title",
    ],
    sortable: [
        "id", "post_date", "duration", "comments", "viewed", "viewed_day", "viewed_week", "viewed_month", "standing",
    ],
    tie: "viewed:desc",
}

/// The part of a video that is brought up to date on an interval.
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "documented at the video")]
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
    /// The title as a visitor of `lang` reads it.
    #[must_use]
    pub fn shown_title(&self, lang: Lang) -> ShownText<'_> {
        shown(&self.title, &self.lang, &self.titles, lang)
    }
}
