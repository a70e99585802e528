//! Searching: words, filters, order, scores, multi-search and response format.

use meilisearch_sdk::search::{MatchingStrategies, SearchResults};
use serde_json::{Value, json};

use crate::contract;
use crate::fixture::{Fixture, hit_ids, keys};

contract!(
    finds_words,
    matching_strategies,
    deduplicates_by_distinct,
    sorts,
    sorts_by_distance,
    scores,
    multi_search,
    counts_reflect_the_last_write,
    members_are_in_order
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
    let phrase = index.search().with_query("\"quiet garden\"").execute::<Value>().await.unwrap();
    assert_eq!(ids(&phrase), [6]);
    let without = f.search(&index, &json!({ "q": "lights -northern" })).await;
    assert_eq!(hit_ids(&without), [4]);
    let everything = index.search().execute::<Value>().await.unwrap();
    assert_eq!(everything.estimated_total_hits, Some(8));
    let anywhere = f.search(&index, &json!({ "q": "lights", "attributesToSearchOn": ["*"] })).await;
    assert_eq!(hit_ids(&anywhere), [1, 4]);
}

async fn matching_strategies(f: Fixture) {
    let index = f.films().await;
    let mut all = index.search();
    all.with_query("lights desert").with_matching_strategy(MatchingStrategies::ALL);
    assert!(all.execute::<Value>().await.unwrap().hits.is_empty());
    let last = f.search(&index, &json!({ "q": "lights desert" })).await;
    assert_eq!(hit_ids(&last), [1, 4]);
    let rare = f.search(&index, &json!({ "q": "lights desert", "matchingStrategy": "frequency" })).await;
    assert_eq!(hit_ids(&rare), [8]);
}

async fn deduplicates_by_distinct(f: Fixture) {
    let index = f.films().await;
    let one = f.search(&index, &json!({ "distinct": "country", "filter": "country = JP" })).await;
    assert_eq!(hit_ids(&one).len(), 1);
    f.done(index.set_distinct_attribute("country").await).await;
    let seven = f.search(&index, &json!({ "page": 1 })).await;
    assert_eq!((&seven["totalHits"], hit_ids(&seven).len()), (&json!(7), 7));
}

async fn sorts(f: Fixture) {
    let index = f.films().await;
    let sorted = f.search(&index, &json!({ "sort": ["year:desc", "id:asc"] })).await;
    assert_eq!(hit_ids(&sorted), [8, 7, 6, 5, 4, 2, 3, 1]);
    let sorted = f.search(&index, &json!({ "sort": ["year:asc", "id:desc"], "q": "light" })).await;
    assert_eq!(hit_ids(&sorted), [1, 4]);
}

async fn sorts_by_distance(f: Fixture) {
    let index = f.index("places");
    f.done(index.set_sortable_attributes(["_geo"]).await).await;
    let place = |id: u32, lat: f64, lng: f64| json!({ "id": id, "_geo": { "lat": lat, "lng": lng } });
    let places = [place(1, 48.85, 2.35), place(2, 51.5, -0.12), place(3, 52.52, 13.4), json!({ "id": 4 })];
    f.done(index.add_documents(&places, Some("id")).await).await;
    let near = f.search(&index, &json!({ "sort": ["_geoPoint(51.5, -0.12):asc"] })).await;
    assert_eq!(hit_ids(&near), [2, 1, 3, 4]);
    let metres = |rank: usize| near["hits"][rank].get("_geoDistance").cloned();
    assert_eq!((metres(0), metres(3)), (Some(json!(0)), None));
    let paris = metres(1).and_then(|metres| metres.as_u64()).unwrap();
    assert!((330_000..360_000).contains(&paris), "{paris}");
}

async fn scores(f: Fixture) {
    let index = f.films().await;
    let found = f.search(&index, &json!({ "q": "northern lights", "showRankingScore": true })).await;
    let best = &found["hits"][0];
    assert!(best["_rankingScore"].as_f64().unwrap() > 0.9, "{best}");
    assert_eq!(keys(best).last(), Some(&"_rankingScore"));
    let found = f.search(&index, &json!({ "q": "northern lights", "showRankingScoreDetails": true })).await;
    let rules = &found["hits"][0]["_rankingScoreDetails"];
    assert_eq!(
        (&rules["words"]["matchingWords"], &rules["words"]["maxMatchingWords"], &rules["typo"]["typoCount"]),
        (&json!(2), &json!(2), &json!(0)),
        "{rules}"
    );
    assert_eq!(found["hits"][0].get("_rankingScore"), None);
}

async fn multi_search(f: Fixture) {
    let index = f.films().await;
    let uid = &index.uid;
    let queries = json!({ "queries": [
        { "indexUid": uid, "q": "lights" },
        { "indexUid": uid, "filter": "country = JP", "limit": 1 },
        { "indexUid": uid, "page": 1, "hitsPerPage": 3, "facets": ["country"] },
    ] });
    let answer = f.send("POST", "/multi-search", &queries.to_string()).await.body;
    assert_eq!(keys(&answer), ["results"]);
    let results = answer["results"].as_array().unwrap();
    assert_eq!(keys(&results[0])[..4], ["indexUid", "hits", "query", "processingTimeMs"]);
    assert_eq!((&results[0]["indexUid"], hit_ids(&results[0])), (&json!(uid), vec![1, 4]));
    assert_eq!((hit_ids(&results[1]).len(), &results[1]["estimatedTotalHits"]), (1, &json!(2)));
    assert_eq!((&results[2]["totalHits"], &results[2]["totalPages"]), (&json!(8), &json!(3)));
    assert_eq!(results[2]["facetDistribution"]["country"]["JP"], 2);
    let first = index.search().with_query("lights").build();
    let by_client = f.client.multi_search().with_search_query(first).execute::<Value>().await.unwrap();
    assert_eq!((by_client.results[0].index_uid.as_deref(), ids(&by_client.results[0])), (Some(&**uid), vec![1, 4]));
}

async fn counts_reflect_the_last_write(f: Fixture) {
    let index = f.films().await;
    let count = async |body: Value| {
        let body = json!({ "limit": 0, "attributesToRetrieve": [], "q": body["q"], "filter": body["filter"] });
        f.search(&index, &body).await["estimatedTotalHits"].as_u64().unwrap()
    };
    let (words, filtered, both) = (
        json!({ "q": "lights" }),
        json!({ "filter": "country = JP" }),
        json!({ "q": "lights", "filter": "country = DE" }),
    );
    for _ in 0..2 {
        assert_eq!([count(words.clone()).await, count(filtered.clone()).await, count(both.clone()).await], [2, 2, 1]);
    }
    let more = json!([{ "id": 9, "title": "Lights of Osaka", "country": "JP" }]);
    f.done(index.add_documents(more.as_array().unwrap(), None).await).await;
    for _ in 0..2 {
        assert_eq!([count(words.clone()).await, count(filtered.clone()).await, count(both.clone()).await], [3, 3, 1]);
    }
    f.done(index.delete_documents(&[1, 4]).await).await;
    assert_eq!([count(words).await, count(filtered).await, count(both).await], [1, 3, 0]);
}

async fn members_are_in_order(f: Fixture) {
    let index = f.films().await;
    let found = f.search(&index, &json!({ "q": "light", "facets": ["year"] })).await;
    let order = ["hits", "query", "processingTimeMs", "limit", "offset", "estimatedTotalHits"];
    assert_eq!(keys(&found)[..6], order);
    assert_eq!(keys(&found)[6..8], ["facetDistribution", "facetStats"]);
    assert!(found["processingTimeMs"].is_u64());
    let paged = f.search(&index, &json!({ "q": "light", "page": 1 })).await;
    let order = ["hits", "query", "processingTimeMs", "hitsPerPage", "page", "totalPages", "totalHits"];
    assert_eq!(keys(&paged)[..7], order);
    assert_eq!((&paged["hitsPerPage"], &paged["page"]), (&json!(20), &json!(1)));
}
