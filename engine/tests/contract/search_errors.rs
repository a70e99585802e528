//! Errors of invalid searches.

use serde_json::json;

use crate::contract;
use crate::errors::expect;
use crate::fixture::Fixture;

contract!(of_types_in_a_body, of_values_in_a_body, of_filters, of_attributes, of_multi_search, of_facet_searches);

async fn of_types_in_a_body(f: Fixture) {
    let path = format!("/indexes/{}/search", f.uid("any"));
    let number = "expected a positive integer, but found";
    let cases = [
        (r#"{"q": ["x"]}"#, "q", "expected a string, but found an array: `[\"x\"]`".to_owned()),
        (r#"{"offset": "x"}"#, "offset", format!("{number} a string: `\"x\"`")),
        (r#"{"offset": null}"#, "offset", format!("{number} null")),
        (r#"{"limit": -1}"#, "limit", format!("{number} a negative integer: `-1`")),
        (r#"{"page": 1.5}"#, "page", format!("{number} a number: `1.5`")),
        (r#"{"hitsPerPage": {}}"#, "hitsPerPage", format!("{number} an object: `{{}}`")),
        (r#"{"cropLength": true}"#, "cropLength", format!("{number} a boolean: `true`")),
        (r#"{"distinct": 3}"#, "distinct", "expected a string, but found a positive integer: `3`".to_owned()),
    ];
    for (body, name, message) in cases {
        let message = format!("Invalid value type at `.{name}`: {message}");
        expect(&f.send("POST", &path, body).await, 400, &code_of(name), &message);
    }
    for name in
        ["attributesToRetrieve", "attributesToCrop", "attributesToHighlight", "attributesToSearchOn", "facets", "sort"]
    {
        let message = format!("Invalid value type at `.{name}`: expected an array, but found a string: `\"x\"`");
        let body = json!({ name: "x" }).to_string();
        expect(&f.send("POST", &path, &body).await, 400, &code_of(name), &message);
    }
    for name in ["highlightPreTag", "highlightPostTag", "cropMarker", "matchingStrategy"] {
        let message = format!("Invalid value type at `.{name}`: expected a string, but found an array: `[\"x\"]`");
        let body = json!({ name: ["x"] }).to_string();
        expect(&f.send("POST", &path, &body).await, 400, &code_of(name), &message);
    }
    for name in ["showRankingScore", "showRankingScoreDetails", "retrieveVectors"] {
        let message = format!("Invalid value type at `.{name}`: expected a boolean, but found a string: `\"x\"`");
        let body = json!({ name: "x" }).to_string();
        expect(&f.send("POST", &path, &body).await, 400, &code_of(name), &message);
    }
}

/// Returns `invalid_search_` and the parameter's name in snake case.
fn code_of(name: &str) -> String {
    let mut code = "invalid_search_".to_owned();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            code.push('_');
        }
        code.push(c.to_ascii_lowercase());
    }
    code
}

async fn of_values_in_a_body(f: Fixture) {
    let path = format!("/indexes/{}/search", f.uid("any"));
    let post = async |body: &str| f.send("POST", &path, body).await;
    let unknown = "Unknown field `nonsense`: expected one of `q`, …";
    expect(&post(r#"{"nonsense": 1}"#).await, 400, "bad_request", unknown);
    let unknown = "Unknown field `filler`: did you mean `filter`? expected one of `q`, …";
    expect(&post(r#"{"filler": 1}"#).await, 400, "bad_request", unknown);
    let first = "Unknown field `zebra`: expected one of `q`, …";
    expect(&post(r#"{"q": "x", "zebra": 1, "apple": 2}"#).await, 400, "bad_request", first);
    let code = "invalid_search_matching_strategy";
    let message = "Unknown value `doggo` at `.matchingStrategy`: expected one of `last`, `all`, `frequency`";
    expect(&post(r#"{"matchingStrategy": "doggo"}"#).await, 400, code, message);
    let object = "Invalid value type: expected an object, but found a string: `\"x\"`";
    expect(&post(r#""x""#).await, 400, "bad_request", object);
    let missing = format!("Index `{}` not found.", f.uid("any"));
    expect(&post("{}").await, 404, "index_not_found", &missing);
}

async fn of_filters(f: Fixture) {
    let index = f.films().await;
    let path = format!("/indexes/{}/search", index.uid);
    let not_filterable = format!(
        "Index `{}`: Attribute `title` is not filterable. Available filterable attribute patterns are: …",
        index.uid
    );
    let cases = [
        (json!(true), "Invalid syntax for the filter parameter: `expected String, Array, found: true`.".to_owned()),
        (json!([1]), "Invalid syntax for the filter parameter: `expected String, [String], found: 1`.".to_owned()),
        (json!([[true]]), "Invalid syntax for the filter parameter: `expected String, found: true`.".to_owned()),
        (json!([[[]]]), "Invalid syntax for the filter parameter: `expected String, found: []`.".to_owned()),
        (json!("title & Glass"), "Was expecting an operation `=`, `!=`, `>=`, `>`, `<=`, `<`, `IN`, …".to_owned()),
        (
            json!("id = 1 XOR id = 2"),
            "Found unexpected characters at the end of the filter: `XOR id = 2`. …".to_owned(),
        ),
        (json!("title = x"), not_filterable.clone()),
        (json!(["id = 1", ["title = x"]]), not_filterable),
        (json!("_geo = 1"), "`_geo` is a reserved keyword and thus can't be used as a filter expression. …".to_owned()),
    ];
    for (filter, message) in cases {
        let answer = f.send("POST", &path, &json!({ "filter": filter }).to_string()).await;
        expect(&answer, 400, "invalid_search_filter", &message);
    }
}

async fn of_attributes(f: Fixture) {
    let index = f.films().await;
    let uid = &index.uid;
    let post = async |body: &str| f.send("POST", &format!("/indexes/{uid}/search"), body).await;
    let sort = format!("Index `{uid}`: Attribute `title` is not sortable. Available sortable attributes are: …");
    expect(&post(r#"{"sort": ["title:asc"]}"#).await, 400, "invalid_search_sort", &sort);
    let sort = "Invalid syntax for the sort parameter: expected expression ending by `:asc` or `:desc`, found `year`.";
    expect(&post(r#"{"sort": ["year"]}"#).await, 400, "invalid_search_sort", sort);
    let search_on = format!("Index `{uid}`: Attribute `no` is not searchable. Available searchable attributes are: …");
    for body in [r#"{"q": "x", "attributesToSearchOn": ["no"]}"#, r#"{"q": "x", "attributesToSearchOn": ["*", "no"]}"#]
    {
        expect(&post(body).await, 400, "invalid_search_attributes_to_search_on", &search_on);
    }
    let facets = "Invalid facet distribution: Attribute `title` is not filterable. …";
    expect(&post(r#"{"facets": ["title"]}"#).await, 400, "invalid_search_facets", facets);
    let distinct =
        format!("Index `{uid}`: Attribute `title` is not filterable and thus, cannot be used as distinct attribute. …");
    expect(&post(r#"{"distinct": "title"}"#).await, 400, "invalid_search_distinct", &distinct);
    f.done(index.set_ranking_rules(["words"]).await).await;
    let rules = format!("Index `{uid}`: You must specify where `sort` is listed in the rankingRules setting …");
    expect(&post(r#"{"sort": ["year:asc"]}"#).await, 400, "invalid_search_sort", &rules);
}

async fn of_multi_search(f: Fixture) {
    let index = f.films().await;
    let (uid, nowhere) = (&index.uid, f.uid("nowhere"));
    let post = async |body: serde_json::Value| f.send("POST", "/multi-search", &body.to_string()).await;
    expect(&post(json!({})).await, 400, "bad_request", "Missing field `queries`");
    let missing = "Missing field `indexUid` inside `.queries[0]`";
    expect(&post(json!({ "queries": [{ "q": "x" }] })).await, 400, "missing_index_uid", missing);
    let kind = "Invalid value type at `.queries[1].q`: expected a string, but found a positive integer: `1`";
    let queries = json!([{ "indexUid": uid }, { "indexUid": uid, "q": 1 }]);
    expect(&post(json!({ "queries": queries })).await, 400, "invalid_search_q", kind);
    let unknown = "Unknown field `nonsense` inside `.queries[0]`: expected one of `indexUid`, `q`, …";
    let queries = json!([{ "indexUid": uid, "nonsense": 1 }]);
    expect(&post(json!({ "queries": queries })).await, 400, "bad_request", unknown);
    let name = "Invalid value at `.queries[0].indexUid`: `no such` is not a valid index uid. …";
    expect(&post(json!({ "queries": [{ "indexUid": "no such" }] })).await, 400, "invalid_index_uid", name);
    let missing = format!("Inside `.queries[1]`: Index `{nowhere}` not found.");
    let queries = json!([{ "indexUid": uid }, { "indexUid": nowhere }]);
    expect(&post(json!({ "queries": queries })).await, 404, "index_not_found", &missing);
    let filter = format!("Inside `.queries[0]`: Index `{uid}`: Attribute `title` is not filterable. …");
    let queries = json!([{ "indexUid": uid, "filter": "title = x" }]);
    expect(&post(json!({ "queries": queries })).await, 400, "invalid_search_filter", &filter);
}

async fn of_facet_searches(f: Fixture) {
    let index = f.films().await;
    let post = async |body: &str| f.send("POST", &format!("/indexes/{}/facet-search", index.uid), body).await;
    expect(&post("{}").await, 400, "missing_facet_search_facet_name", "Missing field `facetName`");
    let kind = "Invalid value type at `.facetName`: expected a string, but found an array: `[1]`";
    expect(&post(r#"{"facetName": [1]}"#).await, 400, "invalid_facet_search_facet_name", kind);
    let kind = "Invalid value type at `.facetQuery`: expected a string, but found a positive integer: `1`";
    expect(&post(r#"{"facetName": "genres", "facetQuery": 1}"#).await, 400, "invalid_facet_search_query", kind);
    let name = "Attribute `title` is not facet-searchable. …";
    expect(&post(r#"{"facetName": "title"}"#).await, 400, "invalid_facet_search_facet_name", name);
    let filter = "Was expecting an operation …";
    expect(&post(r#"{"facetName": "genres", "filter": "x"}"#).await, 400, "invalid_search_filter", filter);
}
