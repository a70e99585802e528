//! Paging: pages of hits, totals and limits.

use serde_json::{Value, json};

use crate::contract;
use crate::fixture::{Fixture, hit_ids, keys};

contract!(offsets, pages, limits_hits, search_cutoff_applies);

async fn offsets(f: Fixture) {
    let index = f.films().await;
    let page = f.search(&index, &json!({ "sort": ["id:asc"], "offset": 5, "limit": 2 })).await;
    assert_eq!(hit_ids(&page), [6, 7]);
    assert_eq!((&page["offset"], &page["limit"], &page["estimatedTotalHits"]), (&json!(5), &json!(2), &json!(8)));
    let beyond = f.search(&index, &json!({ "offset": 50 })).await;
    assert_eq!((hit_ids(&beyond).len(), &beyond["offset"]), (0, &json!(50)));
    let none = f.search(&index, &json!({ "limit": 0 })).await;
    assert_eq!((hit_ids(&none).len(), &none["estimatedTotalHits"]), (0, &json!(8)));
}

async fn pages(f: Fixture) {
    let index = f.films().await;
    let page = async |page: u64, size: u64| {
        f.search(&index, &json!({ "sort": ["year:desc", "id:asc"], "page": page, "hitsPerPage": size })).await
    };
    let totals = |page: &Value| {
        [&page["totalHits"], &page["totalPages"], &page["page"], &page["hitsPerPage"]].map(Value::as_u64)
    };
    let second = page(2, 3).await;
    assert_eq!(hit_ids(&second), [5, 4, 2]);
    assert_eq!(totals(&second), [8, 3, 2, 3].map(Some));
    assert!(!keys(&second).contains(&"estimatedTotalHits"));
    assert_eq!(totals(&page(1, 0).await), [8, 0, 1, 0].map(Some));
    let zeroth = page(0, 3).await;
    assert_eq!((hit_ids(&zeroth).len(), totals(&zeroth)), (0, [8, 3, 0, 3].map(Some)));
    let beyond = page(9, 3).await;
    assert_eq!((hit_ids(&beyond).len(), totals(&beyond)), (0, [8, 3, 9, 3].map(Some)));
    // Pages take precedence over offsets.
    let both = f.search(&index, &json!({ "offset": 5, "limit": 1, "hitsPerPage": 2, "sort": ["id:asc"] })).await;
    assert_eq!((hit_ids(&both), totals(&both)), (vec![1, 2], [8, 4, 1, 2].map(Some)));
}

async fn limits_hits(f: Fixture) {
    let index = f.films().await;
    let settings = format!("/indexes/{}/settings/pagination", index.uid);
    f.finished(&f.send("PATCH", &settings, r#"{"maxTotalHits": 5}"#).await).await;
    let some = f.search(&index, &json!({ "offset": 3, "limit": 10 })).await;
    assert_eq!((hit_ids(&some).len(), &some["limit"], &some["estimatedTotalHits"]), (2, &json!(10), &json!(5)));
    let beyond = f.search(&index, &json!({ "offset": 7, "limit": 10 })).await;
    assert_eq!((hit_ids(&beyond).len(), &beyond["offset"]), (0, &json!(5)));
    let page = f.search(&index, &json!({ "page": 2, "hitsPerPage": 4 })).await;
    assert_eq!((hit_ids(&page).len(), &page["totalHits"], &page["totalPages"]), (1, &json!(5), &json!(2)));
    // Facet counts still include everything.
    let facets = f.search(&index, &json!({ "limit": 0, "facets": ["country"] })).await;
    assert_eq!(facets["facetDistribution"]["country"].as_object().unwrap().len(), 7);
}

/// With a budget of zero, hits are still returned, but unranked. Without the setting, they are ranked.
async fn search_cutoff_applies(f: Fixture) {
    let index = f.films().await;
    let body = json!({ "q": "harbour lights", "showRankingScore": true });
    let best = |answer: &Value| answer["hits"][0]["_rankingScore"].as_f64().unwrap();
    let ranked = best(&f.search(&index, &body).await);
    f.done(index.set_search_cutoff_ms(Some(0)).await).await;
    let hurried = f.search(&index, &body).await;
    assert!(best(&hurried) < ranked, "{hurried}");
    assert!(hit_ids(&hurried).len() >= 2);
    f.done(index.reset_search_cutoff_ms().await).await;
    assert!((best(&f.search(&index, &body).await) - ranked).abs() < 1e-9);
}
