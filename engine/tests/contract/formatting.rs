//! Formatting of hits (`_formatted`).

use serde_json::{Value, json};

use crate::contract;
use crate::fixture::{Fixture, keys};

contract!(highlights, crops, crops_by_attribute_length, formats_nested_values, hides_undisplayed_attributes);

async fn highlights(f: Fixture) {
    let index = f.films().await;
    let body = json!({
        "q": "light", "attributesToRetrieve": ["id", "titles.de"], "attributesToHighlight": ["title"],
        "highlightPreTag": "<mark>", "highlightPostTag": "</mark>",
    });
    let hit = &f.search(&index, &body).await["hits"][0];
    let formatted = json!({ "id": "1", "title": "Northern <mark>Light</mark>s", "titles": { "de": "Nordlicht" } });
    assert_eq!(*hit, json!({ "id": 1, "titles": { "de": "Nordlicht" }, "_formatted": formatted }));
    let all = f.search(&index, &json!({ "q": "2003", "attributesToHighlight": ["*"], "filter": "id = 2" })).await;
    assert_eq!(all["hits"].as_array().unwrap().len(), 0);
    let all = f.search(&index, &json!({ "q": "rain", "attributesToHighlight": ["*"] })).await;
    let formatted = &all["hits"][0]["_formatted"];
    assert_eq!(keys(formatted), ["id", "title", "titles", "year", "genres", "country", "minutes", "about", "labels"]);
    assert_eq!((&formatted["title"], &formatted["year"]), (&json!("City of <em>Rain</em>"), &json!("2003")));
    assert_eq!((&formatted["genres"], &formatted["minutes"]), (&json!(["city"]), &json!("92")));
    let plain = f.search(&index, &json!({ "q": "rain" })).await;
    assert!(plain["hits"][0].get("_formatted").is_none() && plain["hits"][0].get("_matchesPosition").is_none());
    f.done(index.add_documents(&[json!({ "id": 9, "title": "Bare" })], None).await).await;
    let bare =
        f.search(&index, &json!({ "q": "bare", "attributesToRetrieve": [], "attributesToHighlight": ["about"] })).await;
    assert_eq!(bare["hits"], json!([{}]));
    let unknown = f.search(&index, &json!({ "q": "rain", "attributesToHighlight": ["nothing"] })).await;
    assert!(unknown["hits"][0].get("_formatted").is_none());
}

async fn crops(f: Fixture) {
    let index = f.films().await;
    let about = async |more: Value| {
        let mut body = json!({ "q": "harbour", "filter": "id = 1", "attributesToCrop": ["about"], "cropLength": 4 });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        f.search(&index, &body).await["hits"][0]["_formatted"]["about"].as_str().unwrap().to_owned()
    };
    assert_eq!(about(json!({})).await, "…the old harbour of…");
    assert_eq!(about(json!({ "cropMarker": "[…]" })).await, "[…]the old harbour of[…]");
    assert_eq!(about(json!({ "cropMarker": "" })).await, "the old harbour of");
    assert_eq!(about(json!({ "q": "" })).await, "A quiet evening walk…");
    let whole = "A quiet evening walk, number 1, through the old harbour of Northern Lights";
    assert_eq!(about(json!({ "cropLength": 30 })).await, whole);
    assert_eq!(about(json!({ "attributesToHighlight": ["about"] })).await, "…the old <em>harbour</em> of…");
}

async fn crops_by_attribute_length(f: Fixture) {
    let index = f.films().await;
    let cropped = async |crop: Value| {
        let body = json!({ "q": "harbour", "filter": "id = 4", "attributesToCrop": crop, "cropLength": 2 });
        let formatted = f.search(&index, &body).await["hits"][0]["_formatted"].clone();
        (formatted["title"].as_str().unwrap().to_owned(), formatted["about"].as_str().unwrap().to_owned())
    };
    let (title, about) = cropped(json!(["about:3"])).await;
    assert_eq!(title, "Harbour Lights");
    assert_eq!(about.split(' ').count(), 3, "{about}");
    let (title, about) = cropped(json!(["*", "about:1"])).await;
    assert_eq!((title.as_str(), about.as_str()), ("Harbour Lights", "…harbour…"));
}

async fn formats_nested_values(f: Fixture) {
    let index = f.index("nested");
    let document = json!({
        "id": 1, "pets": [{ "name": "bobby", "age": 2, "good": true }, { "name": "buddy", "age": 4, "good": null }],
        "owner": { "name": "Bobby Tables", "tags": ["bobby", "x", "y bobby"] },
    });
    f.done(index.add_documents(&[document], Some("id")).await).await;
    let body = json!({ "q": "bobby", "attributesToRetrieve": ["pets.name"], "attributesToHighlight": ["pets.age"] });
    let hit = &f.search(&index, &body).await["hits"][0];
    assert_eq!(hit["pets"], json!([{ "name": "bobby" }, { "name": "buddy" }]));
    let pets = json!([{ "name": "bobby", "age": "2" }, { "name": "buddy", "age": "4" }]);
    assert_eq!(hit["_formatted"], json!({ "pets": pets }));
    let body = json!({ "q": "bobby", "attributesToHighlight": ["owner", "pets"], "attributesToRetrieve": [] });
    let formatted = &f.search(&index, &body).await["hits"][0]["_formatted"];
    assert_eq!(formatted["owner"]["name"], "<em>Bobby</em> Tables");
    assert_eq!(formatted["owner"]["tags"], json!(["<em>bobby</em>", "x", "y <em>bobby</em>"]));
    assert_eq!(formatted["pets"][0], json!({ "name": "<em>bobby</em>", "age": "2", "good": true }));
    assert_eq!(formatted["pets"][1]["good"], Value::Null);
}

async fn hides_undisplayed_attributes(f: Fixture) {
    let index = f.films().await;
    f.done(index.set_displayed_attributes(["id"]).await).await;
    let first = async |body: Value| f.search(&index, &body).await["hits"][0].clone();
    let filter = "id = 1";
    assert_eq!(first(json!({ "filter": filter, "attributesToHighlight": ["title"] })).await, json!({ "id": 1 }));
    assert_eq!(first(json!({ "filter": filter, "attributesToRetrieve": ["title"] })).await, json!({}));
    let shown = json!({ "id": 1, "_formatted": { "id": "1" } });
    assert_eq!(first(json!({ "filter": filter, "attributesToHighlight": ["*", "title"] })).await, shown);
    assert_eq!(first(json!({ "filter": filter, "attributesToCrop": ["*"] })).await, shown);
}
