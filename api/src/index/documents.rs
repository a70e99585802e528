//! The parts of documents the API reads; the indexer writes them.

use lantern_catalog::documents::ByLang;
use lantern_config::Lang;
use serde::Deserialize;

/// A video as stored in `videos`.
#[derive(Debug, Clone, Deserialize)]
pub struct VideoDoc {
    /// Id in the catalog.
    pub id: i64,
    /// Name in URLs.
    pub dir: String,
    /// Title as written by its author.
    pub title: String,
    /// Language of the title; lists know it, a single video needn't.
    pub lang: Option<String>,
    /// Translations.
    #[serde(default)]
    pub titles: ByLang,
    /// Seconds.
    pub duration: i64,
    /// Unix seconds.
    pub post_date: i64,
    /// All views.
    pub viewed: i64,
    /// Number of comments.
    pub comments: i64,
    /// 0 to 5.
    pub rating: f64,
    /// At least 720 lines.
    pub is_hd: bool,
    /// Without mosaics.
    pub is_uncensored: bool,
    /// Its categories.
    #[serde(default)]
    pub category_dirs: Vec<String>,
    /// Its models.
    #[serde(default)]
    pub model_dirs: Vec<String>,
    /// Names of the models, parallel to `model_dirs`.
    #[serde(default)]
    pub model_titles: Vec<String>,
    /// Folder of its pictures; none while it is processed.
    pub media_key: Option<String>,
    /// Which screenshot is the picture.
    #[serde(default)]
    pub shot: i64,
}

impl VideoDoc {
    /// The fields to ask for.
    pub const FIELDS: [&'static str; 17] = [
        "id",
        "dir",
        "title",
        "lang",
        "titles",
        "duration",
        "post_date",
        "viewed",
        "comments",
        "rating",
        "is_hd",
        "is_uncensored",
        "category_dirs",
        "model_dirs",
        "model_titles",
        "media_key",
        "shot",
    ];
}

/// A category as stored in `categories`.
#[derive(Debug, Clone, Deserialize)]
pub struct CategoryDoc {
    /// Name in URLs.
    pub dir: String,
    /// English title.
    pub title: String,
    /// Translations.
    #[serde(default)]
    pub titles: ByLang,
    /// Folder of its picture.
    pub media_key: Option<String>,
    /// Which screenshot is the picture.
    #[serde(default)]
    pub shot: i64,
}

/// A model as stored in `models`.
#[derive(Debug, Clone, Deserialize)]
pub struct ModelDoc {
    /// Id in the catalog.
    pub id: i64,
    /// Name in URLs.
    pub dir: String,
    /// Stage name.
    pub title: String,
    /// ISO 3166-1 alpha-2.
    pub country: Option<String>,
    /// Visible videos.
    pub total_videos: i64,
    /// Views of the page.
    pub viewed: i64,
    /// Members who follow.
    pub subscribers: i64,
    /// Unix seconds of the birth date.
    pub birth: Option<i64>,
    /// Stem of the pictures.
    pub picture_key: Option<String>,
    /// Other names.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Code.
    pub race: Option<String>,
    /// Code.
    pub hair_color: Option<String>,
    /// Code.
    pub tits_size: Option<String>,
    /// Centimetres.
    pub height: Option<i64>,
    /// Kilograms.
    pub weight: Option<i64>,
    /// `yes` or `no`.
    pub tattoo: Option<String>,
    /// `yes` or `no`.
    pub piercing: Option<String>,
    /// Some sentences.
    pub about: Option<String>,
}

impl ModelDoc {
    /// The fields of a card.
    pub const CARD: &'static [&'static str] =
        &["id", "dir", "title", "country", "total_videos", "viewed", "subscribers", "birth", "picture_key"];
    /// The fields of a link.
    pub const NAME: &'static [&'static str] = &["dir", "title"];
}

/// A suggestion as stored in `suggestions`.
#[derive(Debug, Clone, Deserialize)]
pub struct SuggestionDoc {
    /// Where it was asked for: the id of the document.
    #[serde(default)]
    pub id: String,
    /// `query`, `category` or `model`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Name in URLs, of categories and models.
    pub dir: Option<String>,
    /// Text in its own language.
    pub title: String,
    /// Translations (categories).
    #[serde(default)]
    pub titles: ByLang,
    /// How many videos it leads to.
    pub total: i64,
}

impl VideoDoc {
    /// The language of the title that a visitor of `lang` sees.
    #[must_use]
    pub fn shown_lang(&self, lang: Lang) -> Lang {
        let original = || self.lang.as_deref().and_then(|lang| lang.parse().ok());
        if self.titles.contains_key(lang.as_str()) { lang } else { original().unwrap_or(lang) }
    }
}

/// The text in `lang`, or the original.
#[must_use]
pub fn display<'a>(title: &'a str, titles: &'a ByLang, lang: Lang) -> &'a str {
    titles.get(lang.as_str()).map_or(title, String::as_str)
}
