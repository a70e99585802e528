//! Settings of every index: what can be searched, filtered and sorted.
//!
//! A change of these makes the engine rebuild, so they are complete from the start.

use lantern_config::{Config, Lang};
use meilisearch_sdk::settings::{
    FacetSortValue, FacetingSettings, LocalizedAttributes, PaginationSetting, Settings, TypoToleranceSettings,
};

/// The eight indexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IndexName {
    /// Videos that guests may see; first, because their changes are applied first.
    Videos,
    /// Photo albums.
    Albums,
    /// Models.
    Models,
    /// Categories.
    Categories,
    /// Public playlists.
    Playlists,
    /// Community members.
    Members,
    /// What the search box offers.
    Suggestions,
    /// Most viewed per country.
    Charts,
}

impl IndexName {
    /// Every index.
    pub const ALL: [Self; 8] = [
        Self::Categories,
        Self::Models,
        Self::Videos,
        Self::Albums,
        Self::Playlists,
        Self::Members,
        Self::Suggestions,
        Self::Charts,
    ];

    /// The uid in the engine.
    #[must_use]
    pub const fn uid(self) -> &'static str {
        match self {
            Self::Videos => "videos",
            Self::Albums => "albums",
            Self::Models => "models",
            Self::Categories => "categories",
            Self::Playlists => "playlists",
            Self::Members => "members",
            Self::Suggestions => "suggestions",
            Self::Charts => "charts",
        }
    }

    /// The uid of the index that a rebuild fills before it is swapped in.
    #[must_use]
    pub fn shadow_uid(self) -> String {
        format!("{}_shadow", self.uid())
    }
}

impl std::str::FromStr for IndexName {
    type Err = String;
    fn from_str(uid: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|index| index.uid() == uid).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|index| index.uid()).collect();
            format!("no such index; known are {}", known.join(", "))
        })
    }
}

/// Fields as they are, for clients of the engine that don't prepare their queries.
const RAW: [&str; 3] = ["title", "description", "username"];
/// Fields of Japanese companion text.
const JAPANESE: [&str; 2] = ["ja", "ja_names"];

/// Every list ends with the id so that the order is total.
struct Shape {
    searchable: Vec<String>,
    filterable: Vec<String>,
    sortable: Vec<&'static str>,
    /// Ranking rule after the text rules.
    tie: &'static str,
}

fn per_lang(patterns: &[&str]) -> Vec<String> {
    Lang::ALL
        .iter()
        .flat_map(|lang| patterns.iter().map(move |pattern| pattern.replace("{lang}", lang.as_str())))
        .collect()
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn shape(index: IndexName) -> Shape {
    match index {
        IndexName::Videos => Shape {
            searchable: [
                strings(&["words.original"]),
                per_lang(&["words.{lang}"]),
                strings(&["ja", "names", "ja_names"]),
                per_lang(&["tags.{lang}"]),
                strings(&["texts.original"]),
                per_lang(&["texts.{lang}"]),
                strings(&["title"]),
            ]
            .concat(),
            filterable: [
                strings(&[
                    "id",
                    "gender",
                    "duration",
                    "post_date",
                    "comments",
                    "rating",
                    "viewed",
                    "viewed_day",
                    "viewed_week",
                    "viewed_month",
                    "is_hd",
                    "is_uncensored",
                    "user_id",
                    "channel_id",
                    "category_dirs",
                    "model_dirs",
                ]),
                per_lang(&["labels.{lang}.categories"]),
            ]
            .concat(),
            sortable: vec![
                "id",
                "post_date",
                "duration",
                "comments",
                "viewed",
                "viewed_day",
                "viewed_week",
                "viewed_month",
                "rating",
            ],
            tie: "viewed:desc",
        },
        IndexName::Albums => Shape {
            searchable: [strings(&["words.original", "ja", "names"]), per_lang(&["tags.{lang}"]), strings(&["title"])]
                .concat(),
            filterable: [
                strings(&["id", "gender", "user_id", "category_dirs", "model_dirs", "post_date"]),
                per_lang(&["labels.{lang}.categories"]),
            ]
            .concat(),
            sortable: vec!["id", "post_date", "viewed", "rating", "comments"],
            tie: "viewed:desc",
        },
        IndexName::Models => Shape {
            searchable: strings(&["names", "ja", "title"]),
            filterable: [
                strings(&[
                    "id",
                    "dir",
                    "gender",
                    "alphabet",
                    "race",
                    "birth",
                    "country",
                    "tits_size",
                    "hair_color",
                    "height",
                    "weight",
                    "tattoo",
                    "piercing",
                    "total_videos",
                ]),
                per_lang(&[
                    "labels.{lang}.race",
                    "labels.{lang}.country",
                    "labels.{lang}.tits_size",
                    "labels.{lang}.hair_color",
                    "labels.{lang}.tattoo",
                    "labels.{lang}.piercing",
                ]),
            ]
            .concat(),
            sortable: vec!["id", "title", "total_videos", "viewed", "subscribers", "rating", "added_date", "birth"],
            tie: "viewed:desc",
        },
        IndexName::Categories => Shape {
            searchable: [per_lang(&["words.{lang}"]), strings(&["ja", "title"])].concat(),
            filterable: strings(&["id", "dir", "total.str", "total.she", "total.gay"]),
            sortable: vec!["id", "position", "title", "total.str", "total.she", "total.gay"],
            tie: "position:asc",
        },
        IndexName::Playlists => Shape {
            searchable: strings(&["names", "ja", "title", "description"]),
            filterable: strings(&["id", "user_id", "gender", "total_videos"]),
            sortable: vec!["id", "post_date", "viewed", "rating", "total_videos"],
            tie: "viewed:desc",
        },
        IndexName::Members => Shape {
            searchable: strings(&["username"]),
            filterable: [
                strings(&["id", "gender", "birth", "country", "relationship", "orientation", "avatar"]),
                per_lang(&[
                    "labels.{lang}.gender",
                    "labels.{lang}.country",
                    "labels.{lang}.relationship",
                    "labels.{lang}.orientation",
                ]),
            ]
            .concat(),
            sortable: vec!["id", "username", "added_date", "viewed", "total_videos", "subscribers"],
            tie: "viewed:desc",
        },
        IndexName::Suggestions => Shape {
            searchable: [per_lang(&["words.{lang}"]), strings(&["names", "ja", "title"])].concat(),
            filterable: strings(&["id", "type", "gender", "lang"]),
            sortable: vec!["id", "weight"],
            tie: "weight:desc",
        },
        IndexName::Charts => Shape {
            searchable: strings(&["country"]),
            filterable: strings(&[
                "id",
                "country",
                "video_id",
                "viewed",
                "gender",
                "duration",
                "post_date",
                "is_hd",
                "is_uncensored",
                "category_dirs",
                "model_dirs",
            ]),
            sortable: vec!["video_id", "viewed"],
            tie: "viewed:desc",
        },
    }
}

/// The fields a prepared query ([`crate::text::query`]) is looked for in. For a visitor of `lang`: the original,
/// the visitor's translation and labels, and names; the fields of other languages hold words that look alike and
/// mean something else. Without a language: those of all.
#[must_use]
pub fn searched(index: IndexName, lang: Option<Lang>) -> Vec<String> {
    let of = |field: &str| field.split('.').nth(1).and_then(|part| part.parse::<Lang>().ok());
    let is_foreign = |field: &str| lang.is_some() && of(field).is_some_and(|of| Some(of) != lang);
    shape(index).searchable.into_iter().filter(|field| !is_foreign(field) && !RAW.contains(&field.as_str())).collect()
}

/// Tells the tokenizer the language of every per-language field.
fn localized(index: IndexName) -> Vec<LocalizedAttributes> {
    let mut out: Vec<LocalizedAttributes> = Lang::ALL
        .iter()
        .map(|lang| LocalizedAttributes {
            locales: vec![lang.as_str().to_owned()],
            attribute_patterns: vec![
                format!("titles.{lang}"),
                format!("descriptions.{lang}"),
                format!("labels.{lang}.*"),
            ],
        })
        .collect();
    if shape(index).searchable.iter().any(|field| field == "ja") {
        out.push(LocalizedAttributes {
            locales: vec!["ja".to_owned()],
            attribute_patterns: JAPANESE.map(str::to_owned).to_vec(),
        });
    }
    out
}

/// The complete settings of an index. `sort` comes first so that an explicit order is kept to the letter
/// also when there is a query; without one the rule does nothing and relevance decides.
#[must_use]
pub fn settings(index: IndexName, config: &Config) -> Settings {
    let shape = shape(index);
    let mut settings = Settings::new()
        .with_searchable_attributes(shape.searchable)
        .with_filterable_attributes(shape.filterable)
        .with_sortable_attributes(shape.sortable)
        .with_ranking_rules(["sort", "words", "typo", "proximity", "exactness", "attribute", shape.tie])
        .with_pagination(PaginationSetting { max_total_hits: config.search.max_total_hits })
        .with_faceting(FacetingSettings {
            max_values_per_facet: config.listing.max_facet_values,
            // Where there are more values than are answered, the most frequent ones count.
            sort_facet_values_by: Some([("*".to_owned(), FacetSortValue::Count)].into()),
        });
    settings.search_cutoff_ms = Some(config.search.budget_ms);
    settings.localized_attributes = Some(localized(index));
    settings.typo_tolerance = Some(TypoToleranceSettings {
        // milli counts bytes, so a pair of kanji is long enough for a typo, and every pair that shares one
        // character with it would match.
        disable_on_attributes: Some(JAPANESE.map(str::to_owned).to_vec()),
        ..TypoToleranceSettings::default()
    });
    settings
}
