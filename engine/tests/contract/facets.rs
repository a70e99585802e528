//! Facet counts, numeric ranges and facet search.

use serde_json::{Value, json};

use crate::contract;
use crate::fixture::{Fixture, keys};

contract!(counts, limits_and_orders, searches_values, ignores_search_parameters);

async fn counts(f: Fixture) {
    let index = f.films().await;
    let body = json!({ "filter": "genres = nature", "facets": ["genres", "year", "labels.en.genres"] });
    let found = f.search(&index, &body).await;
    let counts = &found["facetDistribution"];
    assert_eq!(counts["genres"], json!({ "city": 1, "music": 1, "nature": 4, "travel": 1 }));
    assert_eq!(counts["labels.en.genres"]["music"], 1);
    assert_eq!(counts["year"], json!({ "2001": 1, "2012": 1, "2015": 1, "2019": 1 }));
    assert_eq!(found["facetStats"], json!({ "year": { "min": 2001.0, "max": 2019.0 } }));
    let all = f.search(&index, &json!({ "facets": ["*"], "limit": 0 })).await;
    assert_eq!(all["facetDistribution"]["country"]["JP"], 2);
    assert_eq!(all["facetDistribution"]["labels.en.genres"]["travel"], 3);
    let texts = f.search(&index, &json!({ "facets": ["country"] })).await;
    assert_eq!(texts["facetStats"], json!({}));
    let none = f.search(&index, &json!({ "q": "lights" })).await;
    assert!(none.get("facetDistribution").is_none() && none.get("facetStats").is_none());
    let empty = f.search(&index, &json!({ "facets": ["country"], "filter": "year = 1900" })).await;
    assert_eq!(empty["facetDistribution"], json!({ "country": {} }));
}

async fn limits_and_orders(f: Fixture) {
    let index = f.films().await;
    let settings = format!("/indexes/{}/settings/faceting", index.uid);
    let faceting = r#"{"maxValuesPerFacet": 2, "sortFacetValuesBy": {"genres": "count"}}"#;
    f.finished(&f.send("PATCH", &settings, faceting).await).await;
    let stored = f.call("GET", &settings).await.body;
    let orders = json!({ "*": "alpha", "genres": "count" });
    assert_eq!(stored, json!({ "maxValuesPerFacet": 2, "sortFacetValuesBy": orders }));
    let found = f.search(&index, &json!({ "facets": ["genres", "country"] })).await;
    let (genres, countries) = (&found["facetDistribution"]["genres"], &found["facetDistribution"]["country"]);
    assert_eq!((keys(genres)[0], &genres["nature"], keys(genres).len()), ("nature", &json!(4), 2));
    assert_eq!(keys(countries), ["AT", "DE"]);
    let path = format!("/indexes/{}/facet-search", index.uid);
    let hits = f.send("POST", &path, r#"{"facetName": "genres"}"#).await.body;
    assert_eq!(hits["facetHits"].as_array().unwrap().len(), 2);
    assert_eq!(hits["facetHits"][0], json!({ "value": "nature", "count": 4 }));
}

async fn searches_values(f: Fixture) {
    let index = f.films().await;
    let path = format!("/indexes/{}/facet-search", index.uid);
    let search = async |body: Value| f.send("POST", &path, &body.to_string()).await.body;
    let found = search(json!({ "facetName": "genres", "facetQuery": "na" })).await;
    assert_eq!(keys(&found), ["facetHits", "facetQuery", "processingTimeMs"]);
    assert_eq!(
        (&found["facetHits"], &found["facetQuery"]),
        (&json!([{ "value": "nature", "count": 4 }]), &json!("na"))
    );
    let typo = search(json!({ "facetName": "genres", "facetQuery": "natrue" })).await;
    assert_eq!(typo["facetHits"], json!([{ "value": "nature", "count": 4 }]));
    let narrowed = search(json!({ "facetName": "genres", "filter": "country = JP" })).await;
    assert_eq!(narrowed["facetHits"], json!([{ "value": "city", "count": 1 }, { "value": "nature", "count": 2 }]));
    assert_eq!(narrowed["facetQuery"], Value::Null);
    let among = search(json!({ "facetName": "genres", "q": "lights", "attributesToSearchOn": ["title"] })).await;
    let expected = json!([
        { "value": "city", "count": 1 }, { "value": "nature", "count": 1 }, { "value": "travel", "count": 2 },
    ]);
    assert_eq!(among["facetHits"], expected);
    let by_client = index.facet_search("genres").with_facet_query("na").execute().await.unwrap();
    assert_eq!((by_client.facet_hits[0].value.as_str(), by_client.facet_hits[0].count), ("nature", 4));
}

async fn ignores_search_parameters(f: Fixture) {
    let index = f.films().await;
    let body = json!({
        "facetName": "genres", "facetQuery": "dan", "exhaustiveFacetCount": true, "limit": 3, "facets": ["x"],
        "attributesToHighlight": ["*"], "highlightPreTag": "__", "page": 2, "nonsense": [1],
    });
    let answer = f.send("POST", &format!("/indexes/{}/facet-search", index.uid), &body.to_string()).await;
    assert_eq!((answer.status, &answer.body["facetHits"]), (200, &json!([{ "value": "dance", "count": 1 }])));
}
