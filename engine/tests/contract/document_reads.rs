//! Reading documents one by one, as a list, by filter and by ids.

use meilisearch_sdk::documents::{DocumentQuery, DocumentsQuery};
use meilisearch_sdk::errors::ErrorCode;
use serde_json::{Value, json};

use crate::contract;
use crate::fixture::{Fixture, code, keys};

contract!(reads_one, shows_displayed_attributes, lists, fetches);

async fn reads_one(f: Fixture) {
    let index = f.films().await;
    let mut query = DocumentQuery::new(&index);
    query.with_fields(["title", "labels.en.genres"]);
    let film: Value = query.execute("3").await.unwrap();
    assert_eq!(film, json!({ "title": "Morning Dance", "labels": { "en": { "genres": ["dance", "music"] } } }));
    let path = format!("/indexes/{}/documents", index.uid);
    let whole = f.call("GET", &format!("{path}/3?retrieveVectors=false&fields=*")).await.body;
    assert_eq!(keys(&whole), ["id", "title", "titles", "year", "genres", "country", "minutes", "about", "labels"]);
    let missing = f.call("GET", &format!("{path}/99")).await;
    assert_eq!((missing.status, &missing.body["message"]), (404, &json!("Document `99` not found.")));
    assert_eq!(code(index.get_document::<Value>(&"x".repeat(600)).await), ErrorCode::DocumentNotFound);
    let nowhere = f.index("nowhere");
    assert_eq!(code(nowhere.get_document::<Value>("1").await), ErrorCode::IndexNotFound);
}

async fn shows_displayed_attributes(f: Fixture) {
    let index = f.films().await;
    f.done(index.set_displayed_attributes(["id", "country"]).await).await;
    let shown = json!({ "id": 3, "country": "FR" });
    assert_eq!(index.get_document::<Value>("3").await.unwrap(), shown);
    let hit = &index.search().with_query("dance").execute::<Value>().await.unwrap().hits[0];
    assert_eq!(hit.result, shown);
    let hidden = f.search(&index, &json!({ "q": "dance", "attributesToRetrieve": ["title", "id"] })).await;
    assert_eq!(hidden["hits"][0], json!({ "id": 3 }));
}

async fn lists(f: Fixture) {
    let index = f.films().await;
    let page =
        DocumentsQuery::new(&index).with_offset(2).with_limit(3).with_fields(["id"]).execute::<Value>().await.unwrap();
    assert_eq!(page.results, [json!({ "id": 3 }), json!({ "id": 4 }), json!({ "id": 5 })]);
    assert_eq!((page.offset, page.limit, page.total), (2, 3, 8));
    let path = format!("/indexes/{}/documents", index.uid);
    let list = f.call("GET", &path).await.body;
    assert_eq!(keys(&list), ["results", "offset", "limit", "total"]);
    assert_eq!((&list["offset"], &list["limit"], &list["total"]), (&json!(0), &json!(20), &json!(8)));
    let query = "fields=id,year&filter=%5B%22year%20%3E%202010%22%2C%22country%20%3D%20JP%22%5D";
    let some = f.call("GET", &format!("{path}?{query}")).await.body;
    assert_eq!(some["results"], json!([{ "id": 6, "year": 2015 }, { "id": 7, "year": 2019 }]));
    let nothing = f.call("GET", &format!("{path}?limit=0&filter=")).await.body;
    assert_eq!((&nothing["results"], &nothing["total"]), (&json!([]), &json!(8)));
    assert_eq!(code(f.index("nowhere").get_documents::<Value>().await), ErrorCode::IndexNotFound);
}

async fn fetches(f: Fixture) {
    let index = f.films().await;
    let some = DocumentsQuery::new(&index).with_filter("genres = dance OR id = 8").execute::<Value>().await.unwrap();
    assert_eq!(some.total, 2);
    let path = format!("/indexes/{}/documents/fetch", index.uid);
    let body = r#"{"ids": ["8", 1, "77"], "fields": ["id"], "offset": 0, "limit": 5}"#;
    let named = f.send("POST", &path, body).await.body;
    assert_eq!((&named["results"], &named["total"]), (&json!([{ "id": 1 }, { "id": 8 }]), &json!(2)));
    let both = f.send("POST", &path, r#"{"ids": ["6", "1"], "filter": [["country = JP", "id = 3"]]}"#).await.body;
    assert_eq!((&both["results"][0]["id"], &both["total"]), (&json!(6), &json!(1)));
    let wrong = DocumentsQuery::new(&index).with_filter("title = x").execute::<Value>().await;
    assert_eq!(code(wrong), ErrorCode::InvalidDocumentFilter);
}
