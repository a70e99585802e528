//! Settings of every index, derived from its documents: searchable, filterable and sortable attributes.
//!
//! Changing these settings makes the engine rebuild the index, so they are complete from the start.

use lantern_config::{Config, Lang};
use meilisearch_sdk::settings::{
    FacetSortValue, FacetingSettings, LocalizedAttributes, PaginationSetting, Settings, TypoToleranceSettings,
};

use crate::{
    AlbumDoc, CaptionsDoc, CategoryDoc, ChartDoc, MemberDoc, ModelDoc, PlaylistDoc, SuggestionDoc, VideoDoc,
    document::Shape,
};

/// The nine indexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IndexName {
    /// Videos visible to guests. This comes first, because changes to videos are applied first.
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
    /// Completions for the search box.
    Suggestions,
    /// Most viewed videos per country.
    Charts,
    /// What is said in videos.
    Captions,
}

impl IndexName {
    /// All indexes.
    pub const ALL: [Self; 9] = [
        Self::Categories,
        Self::Models,
        Self::Videos,
        Self::Albums,
        Self::Playlists,
        Self::Members,
        Self::Suggestions,
        Self::Charts,
        Self::Captions,
    ];

    /// Returns the uid in the engine.
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
            Self::Captions => "captions",
        }
    }

    /// Returns the uid of the shadow index, which a rebuild fills before swapping it in.
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
            format!("no such index; expected one of {}", known.join(", "))
        })
    }
}

/// Raw fields, for clients of the engine that don't prepare their queries.
const RAW: [&str; 3] = ["title", "description", "username"];
/// Field with Japanese companions.
const JAPANESE: &str = "ja";

const fn shape(index: IndexName) -> Shape {
    match index {
        IndexName::Videos => VideoDoc::SHAPE,
        IndexName::Albums => AlbumDoc::SHAPE,
        IndexName::Models => ModelDoc::SHAPE,
        IndexName::Categories => CategoryDoc::SHAPE,
        IndexName::Playlists => PlaylistDoc::SHAPE,
        IndexName::Members => MemberDoc::SHAPE,
        IndexName::Suggestions => SuggestionDoc::SHAPE,
        IndexName::Charts => ChartDoc::SHAPE,
        IndexName::Captions => CaptionsDoc::SHAPE,
    }
}

/// Returns the fields to search with a prepared query ([`crate::text::query`]). With a `lang`, these are the original, the visitor's
/// translation and labels, and names. Fields in other languages are left out, because they contain similar words with other meanings.
/// Without a `lang`, these are the fields of all languages.
///
/// A language's fields are combined in a pattern (`*.de`), because the engine rejects fields that no document has, but accepts a pattern if
/// some field matches it.
#[must_use]
pub fn searched(index: IndexName, lang: Option<Lang>) -> Vec<String> {
    let mut searched: Vec<String> = Vec::new();
    for field in shape(index).searchable_attributes().into_iter().filter(|field| !RAW.contains(&field.as_str())) {
        let part = field.split_once('.').map(|(_, part)| part);
        let of = part.and_then(|part| part.parse::<Lang>().ok());
        if lang.is_some() && of.is_some() && of != lang {
            continue;
        }
        let name = part.map_or(field.clone(), |part| format!("*.{part}"));
        if !searched.contains(&name) {
            searched.push(name);
        }
    }
    searched
}

/// Returns the language of every per-language field, for the tokenizer.
fn localized(index: IndexName) -> Vec<LocalizedAttributes> {
    let mut out: Vec<LocalizedAttributes> = Lang::ALL
        .iter()
        .map(|lang| LocalizedAttributes {
            locales: vec![lang.as_str().to_owned()],
            attribute_patterns: vec![format!("titles.{lang}"), format!("labels.{lang}.*")],
        })
        .collect();
    if shape(index).searchable.contains(&JAPANESE) {
        out.push(LocalizedAttributes { locales: vec!["ja".to_owned()], attribute_patterns: vec![JAPANESE.to_owned()] });
    }
    out
}

/// Returns the complete settings of an index. The ranking rule `sort` comes first, so that an explicit order holds strictly even with a
/// query. Without an explicit order, this rule has no effect and relevance decides.
#[must_use]
pub fn settings(index: IndexName, config: &Config) -> Settings {
    let shape = shape(index);
    let mut settings = Settings::new()
        .with_searchable_attributes(shape.searchable_attributes())
        .with_filterable_attributes(shape.filterable_attributes())
        .with_sortable_attributes(shape.sortable)
        .with_ranking_rules(["sort", "words", "typo", "proximity", "exactness", "attribute", shape.tie])
        .with_pagination(PaginationSetting { max_total_hits: config.search.max_total_hits })
        .with_faceting(FacetingSettings {
            max_values_per_facet: config.listing.max_facet_values,
            // If there are more values than are returned, return the most frequent ones.
            sort_facet_values_by: Some([("*".to_owned(), FacetSortValue::Count)].into()),
        });
    settings.search_cutoff_ms = Some(config.search.budget_ms);
    settings.localized_attributes = Some(localized(index));
    settings.typo_tolerance = Some(TypoToleranceSettings {
        // milli counts bytes, so a pair of kanji would be long enough to allow a typo and would match every pair that shares one character.
        disable_on_attributes: Some(vec![JAPANESE.to_owned()]),
        ..TypoToleranceSettings::default()
    });
    settings
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn settings_are_unchanged() {
        let mut digest = Sha256::new();
        for index in IndexName::ALL {
            digest.update(index.uid());
            digest.update(serde_json::to_vec(&settings(index, &Config::default())).expect("JSON"));
        }
        let digest = hex::encode(digest.finalize());
        // Starting with different settings rebuilds every index.
        assert_eq!(digest, "891223c2af8e60fd0565c4ae3046e75b5f68120e2e1a149c8938fee7e50f25a9");
    }

    #[test]
    fn settings_only_name_existing_fields() {
        for index in IndexName::ALL {
            let shape = shape(index);
            let known: Vec<&str> = shape.fields.iter().map(|field| field.name).chain(["gender"]).collect();
            let sortable = shape.sortable.iter().map(|field| (*field).to_owned());
            for field in shape.searchable_attributes().into_iter().chain(shape.filterable_attributes()).chain(sortable)
            {
                let first = field.split('.').next().unwrap_or_default();
                assert!(known.contains(&first), "{}: {field}", index.uid());
            }
        }
    }

    #[test]
    fn visitor_searches_original_and_own_language() {
        let german = searched(IndexName::Videos, Some(Lang::De));
        assert_eq!(german, ["*.original", "*.de", "ja", "every"]);
        assert!(searched(IndexName::Videos, None).contains(&"*.pl".to_owned()));
    }
}
