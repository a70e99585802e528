//! Settings, as a whole and one by one.

use std::collections::HashMap;

use meilisearch_sdk::errors::ErrorCode;
use meilisearch_sdk::settings::{LocalizedAttributes, Settings};
use serde_json::{Value, json};

use crate::contract;
use crate::fixture::{Fixture, code, hit_ids, keys};

contract!(
    defaults,
    sets_and_resets,
    every_setting_is_set_and_reset,
    settings_affect_searches,
    patterns,
    typos,
    reports_details,
    creates_indexes
);

fn default_settings() -> Value {
    json!({
        "displayedAttributes": ["*"],
        "searchableAttributes": ["*"],
        "filterableAttributes": [],
        "sortableAttributes": [],
        "rankingRules": ["words", "typo", "proximity", "attribute", "sort", "exactness"],
        "stopWords": [],
        "synonyms": {},
        "distinctAttribute": null,
        "typoTolerance": {
            "enabled": true,
            "minWordSizeForTypos": { "oneTypo": 5, "twoTypos": 9 },
            "disableOnWords": [],
            "disableOnAttributes": [],
            "disableOnNumbers": false,
        },
        "faceting": { "maxValuesPerFacet": 100, "sortFacetValuesBy": { "*": "alpha" } },
        "pagination": { "maxTotalHits": 1000 },
        "embedders": {},
        "searchCutoffMs": null,
        "localizedAttributes": null,
    })
}

async fn defaults(f: Fixture) {
    f.done(f.client.create_index(f.uid("fresh"), None).await).await;
    let settings = f.call("GET", &format!("/indexes/{}/settings", f.uid("fresh"))).await.body;
    let expected = default_settings();
    let known = |name: &&str| expected.get(*name).is_some();
    assert_eq!(keys(&settings).into_iter().filter(known).collect::<Vec<_>>(), keys(&expected));
    for name in keys(&expected) {
        assert_eq!(settings[name], expected[name], "{name}");
    }
    assert_eq!(code(f.index("nowhere").get_settings().await), ErrorCode::IndexNotFound);
}

async fn sets_and_resets(f: Fixture) {
    let index = f.films().await;
    let path = format!("/indexes/{}/settings", index.uid);
    let before = f.call("GET", &path).await.body;
    assert_eq!(before["filterableAttributes"], json!(["id", "year", "genres", "country", "labels", "minutes"]));
    // The response can be sent back, which changes nothing.
    f.finished(&f.send("PATCH", &path, &before.to_string()).await).await;
    assert_eq!(f.call("GET", &path).await.body, before);
    // A partial change leaves the rest unchanged, and null resets a setting.
    f.done(index.set_settings(&Settings::new().with_stop_words(["the", "of"])).await).await;
    let changed = f.call("GET", &path).await.body;
    assert_eq!((&changed["stopWords"], &changed["rankingRules"]), (&json!(["of", "the"]), &before["rankingRules"]));
    f.finished(&f.send("PATCH", &path, r#"{"stopWords": null, "searchableAttributes": null}"#).await).await;
    let changed = f.call("GET", &path).await.body;
    assert_eq!((&changed["stopWords"], &changed["searchableAttributes"]), (&json!([]), &json!(["*"])));
    assert_eq!(changed["sortableAttributes"], json!(["id", "minutes", "year"]));
    f.finished(&f.call("DELETE", &path).await).await;
    let reset = f.call("GET", &path).await.body;
    for name in ["filterableAttributes", "sortableAttributes", "rankingRules", "typoTolerance", "pagination"] {
        assert_eq!(reset[name], default_settings()[name]);
    }
    assert_eq!(index.get_stats().await.unwrap().number_of_documents, 8);
}

async fn every_setting_is_set_and_reset(f: Fixture) {
    f.done(f.client.create_index(f.uid("a"), None).await).await;
    let typo = json!({
        "enabled": false, "minWordSizeForTypos": { "oneTypo": 3, "twoTypos": 4 }, "disableOnWords": ["ab"],
        "disableOnAttributes": ["title"], "disableOnNumbers": true,
    });
    let faceting = json!({ "maxValuesPerFacet": 7, "sortFacetValuesBy": { "*": "count", "genres": "alpha" } });
    let localized = json!([{ "attributePatterns": ["*_ja"], "locales": ["jpn", "eng"] }]);
    let rule = json!([{
        "attributePatterns": ["labels.*"],
        "features": { "facetSearch": true, "filter": { "equality": true, "comparison": false } },
    }]);
    let parts = [
        ("displayedAttributes", "displayed-attributes", "PUT", json!(["id", "title"])),
        ("searchableAttributes", "searchable-attributes", "PUT", json!(["title", "id"])),
        ("filterableAttributes", "filterable-attributes", "PUT", rule),
        ("sortableAttributes", "sortable-attributes", "PUT", json!(["a", "b"])),
        ("rankingRules", "ranking-rules", "PUT", json!(["sort", "words", "year:desc"])),
        ("stopWords", "stop-words", "PUT", json!(["of", "the"])),
        ("synonyms", "synonyms", "PUT", json!({ "sea": ["harbour", "ocean"] })),
        ("distinctAttribute", "distinct-attribute", "PUT", json!("sku")),
        ("typoTolerance", "typo-tolerance", "PATCH", typo),
        ("faceting", "faceting", "PATCH", faceting),
        ("pagination", "pagination", "PATCH", json!({ "maxTotalHits": 77 })),
        ("searchCutoffMs", "search-cutoff-ms", "PUT", json!(150)),
        ("localizedAttributes", "localized-attributes", "PUT", localized),
    ];
    let whole = format!("/indexes/{}/settings", f.uid("a"));
    for (name, path, method, value) in parts {
        let path = format!("{whole}/{path}");
        assert_eq!(f.call("GET", &path).await.body, default_settings()[name], "{name}");
        let accepted = f.send(method, &path, &value.to_string()).await;
        assert_eq!((accepted.status, &accepted.body["type"]), (202, &json!("settingsUpdate")), "{accepted:?}");
        let task = f.finished(&accepted).await;
        assert_eq!((&task["status"], &task["details"][name]), (&json!("succeeded"), &value), "{task}");
        assert_eq!(f.call("GET", &path).await.body, value, "{name}");
        assert_eq!(f.call("GET", &whole).await.body[name], value, "{name}");
        assert_eq!(f.finished(&f.call("DELETE", &path).await).await["status"], "succeeded");
        assert_eq!(f.call("GET", &path).await.body, default_settings()[name], "{name}");
    }
}

async fn settings_affect_searches(f: Fixture) {
    let index = f.films().await;
    let synonyms = HashMap::from([("sea".to_owned(), vec!["harbour".to_owned()])]);
    f.done(index.set_synonyms(&synonyms).await).await;
    assert_eq!(hit_ids(&f.search(&index, &json!({ "q": "sea lights" })).await)[0], 4);
    f.done(index.set_stop_words(["lights"]).await).await;
    assert_eq!(hit_ids(&f.search(&index, &json!({ "q": "lights garden" })).await), [6]);
    f.done(index.set_ranking_rules(["year:desc"]).await).await;
    assert_eq!(hit_ids(&f.search(&index, &json!({ "q": "" })).await), [8, 7, 6, 5, 4, 2, 3, 1]);
    let rule = LocalizedAttributes { locales: vec!["deu".into()], attribute_patterns: vec!["titles.de".into()] };
    f.done(index.set_localized_attributes(&vec![rule.clone()]).await).await;
    assert_eq!(index.get_localized_attributes().await.unwrap(), Some(vec![rule]));
}

async fn patterns(f: Fixture) {
    let index = f.films().await;
    let rules = json!([
        { "attributePatterns": ["labels.*"], "features": { "facetSearch": true, "filter": { "comparison": false } } },
        { "attributePatterns": ["year"], "features": { "filter": { "equality": false, "comparison": true } } },
        "country",
    ]);
    let path = format!("/indexes/{}/settings/filterable-attributes", index.uid);
    assert_eq!(f.finished(&f.send("PUT", &path, &rules.to_string()).await).await["status"], "succeeded");
    assert_eq!(f.call("GET", &path).await.body[2], "country");
    let find = async |filter: &str| {
        let body = json!({ "filter": filter }).to_string();
        f.send("POST", &format!("/indexes/{}/search", index.uid), &body).await
    };
    assert_eq!(hit_ids(&find("labels.en.genres = dance").await.body), [3]);
    assert_eq!(hit_ids(&find("year > 2019").await.body), [8]);
    assert_eq!(hit_ids(&find("country = GB").await.body), [2]);
    for (filter, operator) in [("labels.en.genres > a", ">"), ("year = 2019", "="), ("year IN [2019]", "=")] {
        let answer = find(filter).await;
        assert_eq!((answer.status, &answer.body["code"]), (400, &json!("invalid_search_filter")), "{filter}");
        let message = answer.body["message"].as_str().unwrap();
        assert!(
            message.contains(&format!("Filter operator `{operator}` is not allowed for the attribute")),
            "{message}"
        );
    }
    let facets = format!("/indexes/{}/facet-search", index.uid);
    assert_eq!(f.send("POST", &facets, r#"{"facetName": "labels.en.genres"}"#).await.status, 200);
    assert_eq!(f.send("POST", &facets, r#"{"facetName": "year"}"#).await.status, 400);
}

async fn typos(f: Fixture) {
    let index = f.films().await;
    f.done(index.add_documents(&[json!({ "id": 9, "title": "Highway 123456" })], None).await).await;
    let path = format!("/indexes/{}/settings/typo-tolerance", index.uid);
    let found = async |q: &str| hit_ids(&f.search(&index, &json!({ "q": q })).await).len();
    let set =
        async |typo: &str| assert_eq!(f.finished(&f.send("PATCH", &path, typo).await).await["status"], "succeeded");
    assert_eq!((found("lihgts").await, found("123457").await), (2, 1));
    set(r#"{"disableOnNumbers": true}"#).await;
    assert_eq!((found("lihgts").await, found("123457").await, found("123456").await), (2, 0, 1));
    set(r#"{"disableOnWords": ["lihgts"]}"#).await;
    assert_eq!(found("lihgts").await, 0);
    set(r#"{"disableOnWords": [], "minWordSizeForTypos": {"oneTypo": 7}}"#).await;
    assert_eq!(found("lihgts").await, 0);
    // A change is merged into the existing setting.
    let typo = f.call("GET", &path).await.body;
    assert_eq!((&typo["disableOnNumbers"], &typo["minWordSizeForTypos"]["twoTypos"]), (&json!(true), &json!(9)));
    set(r#"{"minWordSizeForTypos": null, "disableOnAttributes": ["title", "about"]}"#).await;
    assert_eq!(found("lihgts").await, 0);
    set(r#"{"disableOnAttributes": null, "enabled": false}"#).await;
    assert_eq!(found("lihgts").await, 0);
    f.finished(&f.call("DELETE", &path).await).await;
    assert_eq!((found("lihgts").await, found("123457").await), (2, 1));
}

async fn reports_details(f: Fixture) {
    let path = format!("/indexes/{}/settings", f.uid("a"));
    let task = f.finished(&f.send("PATCH", &path, r#"{"stopWords": ["a"], "distinctAttribute": "b"}"#).await).await;
    assert_eq!(task["details"], json!({ "stopWords": ["a"], "distinctAttribute": "b" }));
    let task = f.finished(&f.call("DELETE", &format!("{path}/distinct-attribute")).await).await;
    assert_eq!(task["details"], json!({ "distinctAttribute": null }));
}

async fn creates_indexes(f: Fixture) {
    let path = |name: &str| format!("/indexes/{}/settings/stop-words", f.uid(name));
    assert_eq!(f.finished(&f.send("PUT", &path("new"), r#"["a"]"#).await).await["status"], "succeeded");
    assert_eq!(f.call("GET", &path("new")).await.body, json!(["a"]));
    let task = f.finished(&f.call("DELETE", &path("none")).await).await;
    assert_eq!((&task["status"], &task["error"]["code"]), (&json!("failed"), &json!("index_not_found")));
}
