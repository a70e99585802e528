//! Index `models`.

use crate::document::{ByLang, Labels, document};

document! {
    /// Model.
    ModelDoc {
        /// Id in the catalog.
        id: i64 = [Retrieved, Filterable],
        /// Name in URLs.
        dir: String = [Retrieved, Filterable],
        /// Stage name, shown in languages without a name.
        title: String = [Retrieved],
        /// Names by language.
        titles: ByLang = [Retrieved],
        /// Other names.
        aliases: Vec<String>,
        /// Companions of all names.
        names: Vec<String>,
        /// Japanese companions of all names.
        ja: Vec<String>,
        /// Orientation code.
        gender: String = [Filterable],
        /// First letter of the name, or `#`.
        alphabet: String = [Filterable],
        /// Race code.
        race: Option<String> = [Filterable],
        /// Birth date in Unix seconds, negative before 1970. Ages are filtered as ranges of birth dates.
        birth: Option<i64> = [Retrieved, Filterable],
        /// Country, ISO 3166-1 alpha-2.
        country: Option<String> = [Retrieved, Filterable],
        /// Breast size code.
        tits_size: Option<String> = [Filterable],
        /// Hair color code.
        hair_color: Option<String> = [Filterable],
        /// Height in centimeters.
        height: Option<i64> = [Filterable],
        /// Weight in kilograms.
        weight: Option<i64> = [Filterable],
        /// Whether the model has tattoos, `yes` or `no`.
        tattoo: Option<String> = [Filterable],
        /// Whether the model has piercings, `yes` or `no`.
        piercing: Option<String> = [Filterable],
        /// Biography.
        about: Option<String>,
        /// Visible videos.
        total_videos: i64 = [Retrieved, Filterable],
        /// Page views.
        viewed: i64 = [Retrieved],
        /// Number of subscribers.
        subscribers: i64 = [Retrieved],
        /// Rating that lists are sorted by, as for videos.
        standing: f64,
        /// Creation date in Unix seconds.
        added_date: i64,
        /// Stem of the pictures.
        picture_key: Option<String> = [Retrieved],
        /// Labels of the filter codes.
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
    /// Fields needed for a link, and to tell apart models with the same name.
    pub const NAME: &'static [&'static str] = &["dir", "title", "titles", "country", "birth"];
}

/// Returns all names of a model without repetitions: the title, the names by language, and the aliases.
#[must_use]
pub fn all_names<'a>(title: &'a str, titles: &'a ByLang, aliases: &'a [String]) -> Vec<&'a str> {
    let mut names = vec![title];
    for name in titles.values().chain(aliases) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}
