//! Searching, facets, formatting, paging.

use meilisearch_sdk::errors::ErrorCode;
use meilisearch_sdk::search::{MatchingStrategies, SearchResults, Selectors};
use serde_json::{Value, json};

use crate::over_every_transport;
use crate::support::{Fixture, code};

over_every_transport!(
    finds_words,
    filters,
    sorts_and_pages,
    counts_facets,
    formats,
    searches_facets,
    searches_many,
    scores,
    refuses,
    limits_hits
);

fn ids(results: &SearchResults<Value>) -> Vec<u64> {
    results.hits.iter().map(|hit| hit.result["id"].as_u64().unwrap()).collect()
}

async fn finds_words(f: Fixture) {
    let index = f.films().await;
    let lights = index.search().with_query("lights").execute::<Value>().await.unwrap();
    assert_eq!(ids(&lights), [1, 4]);
    assert_eq!((lights.query.as_str(), lights.estimated_total_hits, lights.limit), ("lights", Some(2), Some(20)));
    let typo = index.search().with_query("lihgts").execute::<Value>().await.unwrap();
    assert_eq!(ids(&typo), [1, 4]);
    let prefix = index.search().with_query("lante").execute::<Value>().await.unwrap();
    assert_eq!(ids(&prefix), [7]);
    let only_title =
        index.search().with_query("harbour").with_attributes_to_search_on(&["title"]).execute::<Value>().await;
    assert_eq!(ids(&only_title.unwrap()), [4]);
    let all = index
        .search()
        .with_query("lights desert")
        .with_matching_strategy(MatchingStrategies::ALL)
        .execute::<Value>()
        .await;
    assert!(all.unwrap().hits.is_empty());
    let german = index.search().with_query("wustenstrasse").with_locales(&["de"]).execute::<Value>().await.unwrap();
    assert_eq!(german.hits.len(), 1);
    let everything = index.search().execute::<Value>().await.unwrap();
    assert_eq!(everything.estimated_total_hits, Some(8));
    let one_a_country = index.search().with_distinct("country").with_filter("country = JP").execute::<Value>().await;
    assert_eq!(one_a_country.unwrap().hits.len(), 1);
}

async fn filters(f: Fixture) {
    use lantern_engine::Filter;
    let index = f.films().await;
    let find = async |filter: Filter| {
        let expression = filter.to_string();
        let found = index.search().with_filter(&expression).with_sort(&["id:asc"]).execute::<Value>().await.unwrap();
        assert_eq!(found.estimated_total_hits, Some(found.hits.len()));
        ids(&found)
    };
    assert_eq!(find(Filter::eq("country", "JP")).await, [6, 7]);
    assert_eq!(find(Filter::in_("genres", ["dance", "city"])).await, [2, 3, 4, 7]);
    assert_eq!(find(Filter::between("year", 2003, 2012).and(!Filter::eq("genres", "music"))).await, [2, 4]);
    assert_eq!(find(Filter::gt("year", 2015).or(Filter::eq("id", 1))).await, [1, 7, 8]);
    assert_eq!(find(Filter::exists("labels.en.genres").and(Filter::eq("labels.en.genres", "dance"))).await, [3]);
    assert!(find(Filter::in_("genres", Vec::<String>::new())).await.is_empty());
    assert!(find(Filter::eq("country", "\" OR id = 1 \\")).await.is_empty());
    let array =
        index.search().with_array_filter(vec!["genres = nature", "country = JP"]).execute::<Value>().await.unwrap();
    assert_eq!(array.hits.len(), 2);
}

async fn sorts_and_pages(f: Fixture) {
    let index = f.films().await;
    let sort = ["year:desc", "id:asc"];
    let newest = index.search().with_sort(&sort).with_limit(3).execute::<Value>().await.unwrap();
    assert_eq!(ids(&newest), [8, 7, 6]);
    let rest = index.search().with_sort(&sort).with_offset(5).execute::<Value>().await.unwrap();
    assert_eq!(ids(&rest), [2, 3, 1]);
    let page = index.search().with_sort(&sort).with_page(2).with_hits_per_page(3).execute::<Value>().await.unwrap();
    assert_eq!(ids(&page), [5, 4, 2]);
    assert_eq!(
        (page.total_hits, page.total_pages, page.page, page.hits_per_page),
        (Some(8), Some(3), Some(2), Some(3))
    );
    assert_eq!(page.estimated_total_hits, None);
    let none = index.search().with_page(1).with_hits_per_page(0).execute::<Value>().await.unwrap();
    assert_eq!((none.hits.len(), none.total_hits, none.total_pages), (0, Some(8), Some(0)));
}

async fn counts_facets(f: Fixture) {
    let index = f.films().await;
    let found = index
        .search()
        .with_filter("genres = nature")
        .with_facets(Selectors::Some(&["genres", "year", "labels.en.genres"]))
        .execute::<Value>()
        .await
        .unwrap();
    let counts = found.facet_distribution.unwrap();
    assert_eq!((counts["genres"]["nature"], counts["genres"]["city"]), (4, 1));
    assert_eq!(counts["labels.en.genres"]["music"], 1);
    assert_eq!(counts["year"]["2001"], 1);
    let years = &found.facet_stats.unwrap()["year"];
    assert_eq!((years.min, years.max), (2001.0, 2019.0));
    let all = index.search().with_facets(Selectors::All).with_limit(0).execute::<Value>().await.unwrap();
    let counts = all.facet_distribution.unwrap();
    assert_eq!(counts["country"]["JP"], 2);
    assert_eq!(counts["labels.en.genres"]["travel"], 3);
}

async fn formats(f: Fixture) {
    let index = f.films().await;
    let found = index
        .search()
        .with_query("light")
        .with_attributes_to_retrieve(Selectors::Some(&["id", "titles.de"]))
        .with_attributes_to_highlight(Selectors::Some(&["title"]))
        .with_highlight_pre_tag("<mark>")
        .with_highlight_post_tag("</mark>")
        .with_show_matches_position(true)
        .execute::<Value>()
        .await
        .unwrap();
    let hit = &found.hits[0];
    assert_eq!(hit.result, json!({ "id": 1, "titles": { "de": "Nordlicht" } }));
    let formatted = Value::Object(hit.formatted_result.clone().unwrap());
    assert_eq!(
        formatted,
        json!({ "id": "1", "title": "Northern <mark>Light</mark>s", "titles": { "de": "Nordlicht" } })
    );
    let positions = &hit.matches_position.as_ref().unwrap()["title"];
    assert_eq!((positions[0].start, positions[0].length), (9, 5));

    let cropped = index
        .search()
        .with_query("harbour")
        .with_filter("id = 1")
        .with_attributes_to_crop(Selectors::Some(&[("about", Some(4))]))
        .with_crop_marker("[…]")
        .execute::<Value>()
        .await
        .unwrap();
    let about = cropped.hits[0].formatted_result.as_ref().unwrap()["about"].as_str().unwrap().to_owned();
    assert!(about.starts_with("[…]") && about.contains("old harbour") && about.len() < 40, "{about}");
    let plain = index.search().with_query("harbour").execute::<Value>().await.unwrap();
    assert!(plain.hits[0].formatted_result.is_none() && plain.hits[0].matches_position.is_none());
}

async fn searches_facets(f: Fixture) {
    let index = f.films().await;
    let found = index.facet_search("genres").with_facet_query("na").execute().await.unwrap();
    let hits: Vec<_> = found.facet_hits.iter().map(|hit| (hit.value.as_str(), hit.count)).collect();
    assert_eq!(hits, [("nature", 4)]);
    assert_eq!(found.facet_query.as_deref(), Some("na"));
    let narrowed = index.facet_search("genres").with_filter("country = JP").execute().await.unwrap();
    let hits: Vec<_> = narrowed.facet_hits.iter().map(|hit| (hit.value.as_str(), hit.count)).collect();
    assert_eq!(hits, [("city", 1), ("nature", 2)]);
    assert_eq!(code(index.facet_search("title").execute().await), ErrorCode::Unknown);
}

async fn searches_many(f: Fixture) {
    let index = f.films().await;
    let (first, second) =
        (index.search().with_query("lights").build(), index.search().with_filter("country = JP").with_limit(1).build());
    let answers =
        f.client.multi_search().with_search_query(first).with_search_query(second).execute::<Value>().await.unwrap();
    assert_eq!(ids(&answers.results[0]), [1, 4]);
    assert_eq!(answers.results[0].index_uid.as_deref(), Some("films"));
    assert_eq!((answers.results[1].hits.len(), answers.results[1].estimated_total_hits), (1, Some(2)));
}

async fn scores(f: Fixture) {
    let index = f.films().await;
    let found = index
        .search()
        .with_query("northern lights")
        .with_show_ranking_score(true)
        .with_show_ranking_score_details(true)
        .execute::<Value>()
        .await
        .unwrap();
    assert!(found.hits[0].ranking_score.unwrap() > 0.9);
    assert!(found.hits[0].ranking_score_details.as_ref().unwrap().contains_key("words"));
    let strict = index
        .search()
        .with_query("northern lights")
        .with_ranking_score_threshold(0.9)
        .execute::<Value>()
        .await
        .unwrap();
    assert_eq!(ids(&strict), [1]);
}

async fn refuses(f: Fixture) {
    let index = f.films().await;
    let search = || index.search();
    assert_eq!(code(search().with_filter("title = x").execute::<Value>().await), ErrorCode::InvalidSearchFilter);
    assert_eq!(code(search().with_filter("year = ").execute::<Value>().await), ErrorCode::InvalidSearchFilter);
    assert_eq!(code(search().with_sort(&["title:asc"]).execute::<Value>().await), ErrorCode::InvalidSearchSort);
    assert_eq!(code(search().with_sort(&["year"]).execute::<Value>().await), ErrorCode::InvalidSearchSort);
    let facets = search().with_facets(Selectors::Some(&["title"])).execute::<Value>().await;
    assert_eq!(code(facets), ErrorCode::InvalidSearchFacets);
    // Newer codes have no name in the SDK; the message tells them apart.
    let vector = search().with_vector(&[0.5]).execute::<Value>().await.unwrap_err().to_string();
    assert!(vector.contains("isn't implemented"), "{vector}");
    let locale = search().with_locales(&["xx"]).execute::<Value>().await.unwrap_err().to_string();
    assert!(locale.contains("invalid_search_locales") || locale.contains("no language code"), "{locale}");
    let nowhere = f.client.index("nowhere").search().execute::<Value>().await;
    assert_eq!(code(nowhere), ErrorCode::IndexNotFound);
}

async fn limits_hits(f: Fixture) {
    let index = f.films().await;
    f.done(index.set_pagination(meilisearch_sdk::settings::PaginationSetting { max_total_hits: 5 }).await).await;
    let found = index.search().with_offset(3).with_limit(10).execute::<Value>().await.unwrap();
    assert_eq!((found.hits.len(), found.estimated_total_hits), (2, Some(5)));
    let page = index.search().with_page(2).with_hits_per_page(4).execute::<Value>().await.unwrap();
    assert_eq!((page.hits.len(), page.total_hits, page.total_pages), (1, Some(5), Some(2)));
}
