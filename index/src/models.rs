//! Index `models`.

use crate::document::{ByLang, Labels, document};

document! {
    /// A model.
    ModelDoc {
        /// Id in the catalog.
        id: i64 = [Retrieved, Filterable],
        /// Name in URLs.
        dir: String = [Retrieved, Filterable],
        /// Stage name.
        title: String = [Retrieved],
        /// Other names.
        aliases: Vec<String>,
        /// Companions of all names.
        names: Vec<String>,
        /// Japanese companions of all names.
        ja: Vec<String>,
        /// Code.
        gender: String = [Filterable],
        /// First letter of the name, or `#`.
        alphabet: String = [Filterable],
        /// Code.
        race: Option<String> = [Filterable],
        /// Unix seconds of the birth date, negative before 1970; ages are filtered as ranges of it.
        birth: Option<i64> = [Retrieved, Filterable],
        /// ISO 3166-1 alpha-2.
        country: Option<String> = [Retrieved, Filterable],
        /// Code.
        tits_size: Option<String> = [Filterable],
        /// Code.
        hair_color: Option<String> = [Filterable],
        /// Centimetres.
        height: Option<i64> = [Filterable],
        /// Kilograms.
        weight: Option<i64> = [Filterable],
        /// `yes` or `no`.
        tattoo: Option<String> = [Filterable],
        /// `yes` or `no`.
        piercing: Option<String> = [Filterable],
        /// Some sentences.
        about: Option<String>,
        /// Visible videos.
        total_videos: i64 = [Retrieved, Filterable],
        /// Views of the page.
        viewed: i64 = [Retrieved],
        /// Members who follow.
        subscribers: i64 = [Retrieved],
        /// What lists are ordered by, as of videos.
        standing: f64,
        /// Unix seconds.
        added_date: i64,
        /// Stem of the pictures.
        picture_key: Option<String> = [Retrieved],
        /// What filters show.
        labels: ByLang<Labels> = [FilterableBy(
            "labels.{lang}.race",
            "labels.{lang}.country",
            "labels.{lang}.tits_size",
            "labels.{lang}.hair_color",
            "labels.{lang}.tattoo",
            "labels.{lang}.piercing"
        )],
    }
    searchable: ["names", "ja", "title"],
    sortable: ["id", "title", "total_videos", "viewed", "subscribers", "standing", "added_date", "birth"],
    tie: "viewed:desc",
}

impl ModelDoc {
    /// The fields of a link.
    pub const NAME: &'static [&'static str] = &["dir", "title"];
}
