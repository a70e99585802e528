//! Settings as a whole and one by one.

use std::collections::BTreeMap;

use meilisearch_sdk::errors::ErrorCode;
use meilisearch_sdk::settings::{
    FacetSortValue, FacetingSettings, FilterFeatureModes, FilterFeatures, FilterableAttribute,
    FilterableAttributesSettings, LocalizedAttributes, MinWordSizeForTypos, PaginationSetting, Settings,
    TypoToleranceSettings,
};
use serde_json::Value;

use crate::over_every_transport;
use crate::support::{Fixture, code};

over_every_transport!(defaults, sets_and_resets, sets_one_by_one, orders_facets, patterns, refuses);

async fn defaults(f: Fixture) {
    f.done(f.client.create_index("fresh", None).await).await;
    let settings = f.client.index("fresh").get_settings().await.unwrap();
    assert_eq!(settings.displayed_attributes, Some(vec!["*".into()]));
    assert_eq!(settings.searchable_attributes, Some(vec!["*".into()]));
    assert_eq!(settings.filterable_attributes, Some(vec![]));
    let rules = ["words", "typo", "proximity", "attribute", "sort", "exactness"].map(str::to_owned);
    assert_eq!(settings.ranking_rules, Some(rules.to_vec()));
    assert_eq!(settings.pagination, Some(PaginationSetting { max_total_hits: 1000 }));
    assert_eq!(settings.faceting.unwrap().max_values_per_facet, 100);
    assert_eq!(settings.proximity_precision.as_deref(), Some("byWord"));
    let typo = settings.typo_tolerance.unwrap();
    assert_eq!(typo.enabled, Some(true));
    assert_eq!(typo.min_word_size_for_typos, Some(MinWordSizeForTypos { one_typo: Some(5), two_typos: Some(9) }));
}

async fn sets_and_resets(f: Fixture) {
    let index = f.films().await;
    let before = index.get_settings().await.unwrap();
    assert_eq!(before.sortable_attributes, Some(vec!["id".into(), "minutes".into(), "year".into()]));
    // What was answered can be sent back, and changes nothing.
    f.done(index.set_settings(&before).await).await;
    let same = index.get_settings().await.unwrap();
    assert_eq!(format!("{before:?}"), format!("{same:?}"));
    // A partial change leaves the rest alone.
    f.done(index.set_settings(&Settings::new().with_stop_words(["the", "of"])).await).await;
    let changed = index.get_settings().await.unwrap();
    assert_eq!(changed.stop_words, Some(vec!["of".into(), "the".into()]));
    assert_eq!(changed.ranking_rules, before.ranking_rules);
    f.done(index.reset_settings().await).await;
    let reset = index.get_settings().await.unwrap();
    assert_eq!((reset.filterable_attributes, reset.stop_words), (Some(vec![]), Some(vec![])));
    assert_eq!(index.get_stats().await.unwrap().number_of_documents, 8);
}

async fn sets_one_by_one(f: Fixture) {
    let index = f.films().await;
    let synonyms = std::collections::HashMap::from([("sea".to_owned(), vec!["harbour".to_owned()])]);
    f.done(index.set_synonyms(&synonyms).await).await;
    assert_eq!(index.get_synonyms().await.unwrap(), synonyms);
    assert_eq!(index.search().with_query("sea lights").execute::<Value>().await.unwrap().hits[0].result["id"], 4);
    f.done(index.reset_synonyms().await).await;
    assert!(index.get_synonyms().await.unwrap().is_empty());
    let typo = TypoToleranceSettings { enabled: Some(false), ..Default::default() };
    f.done(index.set_typo_tolerance(&typo).await).await;
    assert_eq!(index.get_typo_tolerance().await.unwrap().enabled, Some(false));
    assert!(index.search().with_query("lihgts").execute::<Value>().await.unwrap().hits.is_empty());
    f.done(index.set_distinct_attribute("country").await).await;
    assert_eq!(index.get_distinct_attribute().await.unwrap().as_deref(), Some("country"));
    assert_eq!(index.search().with_page(1).execute::<Value>().await.unwrap().total_hits, Some(7));
    f.done(index.reset_distinct_attribute().await).await;
    let rule = LocalizedAttributes { locales: vec!["deu".into()], attribute_patterns: vec!["titles.de".into()] };
    f.done(index.set_localized_attributes(&vec![rule.clone()]).await).await;
    assert_eq!(index.get_localized_attributes().await.unwrap(), Some(vec![rule]));
    f.done(index.set_search_cutoff_ms(Some(700)).await).await;
    assert_eq!(index.get_search_cutoff_ms().await.unwrap(), Some(700));
    f.done(index.set_dictionary(["J. K.", "wander lust"]).await).await;
    assert_eq!(index.get_dictionary().await.unwrap(), ["J. K.", "wander lust"]);
}

async fn orders_facets(f: Fixture) {
    let index = f.films().await;
    let orders = BTreeMap::from([("genres".to_owned(), FacetSortValue::Count)]);
    let faceting = FacetingSettings { max_values_per_facet: 2, sort_facet_values_by: Some(orders) };
    f.done(index.set_faceting(&faceting).await).await;
    let stored = index.get_faceting().await.unwrap();
    assert_eq!(
        (stored.max_values_per_facet, stored.sort_facet_values_by.unwrap()["*"].clone()),
        (2, FacetSortValue::Alpha)
    );
    let facets = meilisearch_sdk::search::Selectors::Some(&["genres", "country"][..]);
    let found = index.search().with_facets(facets).execute::<Value>().await.unwrap().facet_distribution.unwrap();
    assert_eq!(found["genres"]["nature"], 4);
    assert_eq!((found["genres"].len(), found["country"].len(), found["country"]["AT"]), (2, 2, 1));
}

async fn patterns(f: Fixture) {
    let index = f.films().await;
    let pattern = FilterableAttribute::Settings(FilterableAttributesSettings {
        attribute_patterns: vec!["labels.*".into()],
        features: FilterFeatures {
            facet_search: true,
            filter: FilterFeatureModes { equality: true, comparison: false },
        },
    });
    f.done(index.set_filterable_attributes_advanced([pattern.clone()]).await).await;
    assert_eq!(index.get_settings().await.unwrap().filterable_attributes, Some(vec![pattern]));
    let found = index.search().with_filter("labels.en.genres = dance").execute::<Value>().await.unwrap();
    assert_eq!(found.hits.len(), 1);
    let compared = index.search().with_filter("labels.en.genres > a").execute::<Value>().await;
    assert_eq!(code(compared), ErrorCode::InvalidSearchFilter);
}

async fn refuses(f: Fixture) {
    let index = f.films().await;
    let rules = index.set_ranking_rules(["words", "nonsense"]).await;
    assert_eq!(code(rules), ErrorCode::InvalidSettingsRankingRules);
    let locale = LocalizedAttributes { locales: vec!["xx".into()], attribute_patterns: vec!["*".into()] };
    assert_eq!(code(index.set_localized_attributes(&vec![locale]).await), ErrorCode::Unknown);
    let sizes = MinWordSizeForTypos { one_typo: Some(9), two_typos: Some(3) };
    let typo = TypoToleranceSettings { min_word_size_for_typos: Some(sizes), ..Default::default() };
    assert_eq!(f.failed(index.set_typo_tolerance(&typo).await).await, ErrorCode::InvalidSettingsTypoTolerance);
    assert_eq!(code(f.client.index("nowhere").get_settings().await), ErrorCode::IndexNotFound);
}
