//! Errors of invalid requests other than searches and settings: statuses, codes and messages.

use serde_json::json;

use crate::contract;
use crate::fixture::{Answer, Fixture};

contract!(of_indexes, of_swaps, of_documents, of_payloads, of_content_types, of_routes);

/// Checks the error. If `message` ends in `…`, only the beginning has to match.
pub fn expect(answer: &Answer, status: u16, code: &str, message: &str) {
    let body = &answer.body;
    assert_eq!((answer.status, body["code"].as_str()), (status, Some(code)), "{message}: {body}");
    assert_eq!(body["link"], format!("https://docs.meilisearch.com/errors#{code}"));
    assert_eq!(body["type"], "invalid_request");
    let found = body["message"].as_str().unwrap();
    match message.strip_suffix('…') {
        Some(beginning) => assert!(found.starts_with(beginning), "{found}"),
        None => assert_eq!(found, message),
    }
}

const NO_UID: &str = "`the best` is not a valid index uid. Index uid can be an integer or a string containing only \
                      alphanumeric characters, hyphens (-) and underscores (_), and can not be more than …";

async fn of_indexes(f: Fixture) {
    let post = async |body: &str| f.send("POST", "/indexes", body).await;
    expect(&post(r#"{"primaryKey": "x"}"#).await, 400, "missing_index_uid", "Missing field `uid`");
    let kind = "Invalid value type at `.uid`: expected a string, but found a boolean: `true`";
    expect(&post(r#"{"uid": true}"#).await, 400, "invalid_index_uid", kind);
    let named = format!("Invalid value at `.uid`: {NO_UID}");
    expect(&post(r#"{"uid": "the best"}"#).await, 400, "invalid_index_uid", &named);
    let key = "Invalid value type at `.primaryKey`: expected a string, but found an array: `[\"a\"]`";
    expect(&post(r#"{"uid": "a", "primaryKey": ["a"]}"#).await, 400, "invalid_index_primary_key", key);
    let unknown = "Unknown field `doggo`: expected one of `uid`, `primaryKey`…";
    expect(&post(r#"{"uid": "a", "doggo": 1}"#).await, 400, "bad_request", unknown);
    expect(&post("[]").await, 400, "bad_request", "Invalid value type: expected an object, but found an array: `[]`");
    for method in ["GET", "DELETE"] {
        expect(&f.call(method, "/indexes/the%20best").await, 400, "invalid_index_uid", NO_UID);
    }
    let path = format!("/indexes/{}", f.uid("a"));
    let missing = format!("Index `{}` not found.", f.uid("a"));
    expect(&f.call("GET", &path).await, 404, "index_not_found", &missing);
    let number = "Invalid value in parameter `limit`: could not parse `doggo` as a positive integer";
    expect(&f.call("GET", "/indexes?limit=doggo").await, 400, "invalid_index_limit", number);
    let number = "Invalid value in parameter `offset`: could not parse `-1` as a positive integer";
    expect(&f.call("GET", "/indexes?offset=-1").await, 400, "invalid_index_offset", number);
    let unknown = "Unknown parameter `doggo`: expected one of `offset`, `limit`";
    expect(&f.call("GET", "/indexes?doggo=1").await, 400, "bad_request", unknown);
}

async fn of_swaps(f: Fixture) {
    let swap = async |body: &str| f.send("POST", "/swap-indexes", body).await;
    let list = "Invalid value type: expected an array, but found a string: `\"doggo\"`";
    expect(&swap(r#""doggo""#).await, 400, "bad_request", list);
    let object = "Invalid value type at `[0]`: expected an object, but found a string: `\"doggo\"`";
    expect(&swap(r#"["doggo"]"#).await, 400, "bad_request", object);
    let names = "Invalid value type at `[0].indexes`: expected an array, but found a string: `\"doggo\"`";
    expect(&swap(r#"[{"indexes": "doggo"}]"#).await, 400, "invalid_swap_indexes", names);
    let few = "Two indexes must be given for each swap. The list `[\"doggo\"]` contains 1 indexes.";
    expect(&swap(r#"[{"indexes": ["doggo"]}]"#).await, 400, "invalid_swap_indexes", few);
    let many = "Two indexes must be given for each swap. The list `[\"a\", \"b\", \"c\"]` contains 3 indexes.";
    expect(&swap(r#"[{"indexes": ["a", "b", "c"]}]"#).await, 400, "invalid_swap_indexes", many);
    let twice = "Indexes must be declared only once during a swap. `doggo` was specified several times.";
    for body in
        [r#"[{"indexes": ["doggo", "doggo"]}]"#, r#"[{"indexes": ["doggo", "a"]}, {"indexes": ["b", "doggo"]}]"#]
    {
        expect(&swap(body).await, 400, "invalid_swap_duplicate_index_found", twice);
    }
    expect(&swap("[{}]").await, 400, "missing_swap_indexes", "Missing field `indexes` inside `[0]`");
}

async fn of_documents(f: Fixture) {
    let path = format!("/indexes/{}/documents", f.films().await.uid);
    let get = async |query: &str| f.call("GET", &format!("{path}?{query}")).await;
    let number = "Invalid value in parameter `offset`: could not parse `-1` as a positive integer";
    expect(&get("offset=-1").await, 400, "invalid_document_offset", number);
    let number = "Invalid value in parameter `limit`: could not parse `` as a positive integer";
    expect(&get("limit=").await, 400, "invalid_document_limit", number);
    let switch = "Invalid value in parameter `retrieveVectors`: could not parse `tamo` as a boolean, expected either `true` \
                  or `false`";
    expect(&get("retrieveVectors=tamo").await, 400, "invalid_document_retrieve_vectors", switch);
    expect(
        &get("doggo=1").await,
        400,
        "bad_request",
        "Unknown parameter `doggo`: expected one of `offset`, `limit`, …",
    );
    let filter = "Was expecting an operation `=`, `!=`, `>=`, `>`, `<=`, `<`, `IN`, `NOT IN`, …";
    expect(&get("filter=doggo").await, 400, "invalid_document_filter", filter);
    let filter = "Attribute `doggo` is not filterable. Available filterable attribute patterns are: …";
    expect(&get("filter=doggo=x").await, 400, "invalid_document_filter", filter);
    let unknown = "Unknown parameter `doggo`: expected one of `fields`, `retrieveVectors`";
    expect(&f.call("GET", &format!("{path}/1?doggo=1")).await, 400, "bad_request", unknown);

    let fetch = async |body: &str| f.send("POST", &format!("{path}/fetch"), body).await;
    expect(&fetch("null").await, 400, "bad_request", "Invalid value type: expected an object, but found null");
    let number = "Invalid value type at `.offset`: expected a positive integer, but found a string: `\"doggo\"`";
    expect(&fetch(r#"{"offset": "doggo"}"#).await, 400, "invalid_document_offset", number);
    let list = "Invalid value type at `.fields`: expected an array, but found a string: `\"doggo\"`";
    expect(&fetch(r#"{"fields": "doggo"}"#).await, 400, "invalid_document_fields", list);
    let filter = "Invalid syntax for the filter parameter: `expected String, Array, found: true`.";
    expect(&fetch(r#"{"filter": true}"#).await, 400, "invalid_document_filter", filter);
    expect(&fetch(r#"{"ids": ["a b"]}"#).await, 400, "invalid_document_ids", "In `.ids[0]`: …");

    let delete = async |body: &str| f.send("POST", &format!("{path}/delete"), body).await;
    let object = "Invalid value type: expected an object, but found a string: `\"hello\"`";
    expect(&delete(r#""hello""#).await, 400, "bad_request", object);
    expect(&delete("{}").await, 400, "missing_document_filter", "Missing field `filter`");
    let empty = "Sending an empty filter is forbidden.";
    expect(&delete(r#"{"filter": ""}"#).await, 400, "invalid_document_filter", empty);
    expect(&delete(r#"{"filter": true}"#).await, 400, "invalid_document_filter", filter);
    let list = "Json deserialize error: invalid type: string \"doggo\", expected a sequence…";
    expect(&f.send("POST", &format!("{path}/delete-batch"), r#""doggo""#).await, 400, "bad_request", list);
    let unknown = "Unknown parameter `doggo`: expected one of `primaryKey`, `csvDelimiter`…";
    expect(&f.send("POST", &format!("{path}?doggo=1"), "[]").await, 400, "bad_request", unknown);
}

async fn of_payloads(f: Fixture) {
    let documents = format!("/indexes/{}/documents", f.uid("a"));
    for path in ["/indexes", "/multi-search", "/swap-indexes", &documents, &format!("/indexes/{}/search", f.uid("a"))] {
        expect(&f.send("POST", path, "").await, 400, "missing_payload", "A json payload is missing.");
    }
    for path in ["/indexes", "/multi-search", "/swap-indexes"] {
        let answer = f.send("POST", path, "{").await;
        expect(
            &answer,
            400,
            "malformed_payload",
            "The json payload provided is malformed. `EOF while parsing an object …",
        );
    }
    let lines = f.send_as("application/x-ndjson", "PUT", &documents, "").await;
    expect(&lines, 400, "missing_payload", "A ndjson payload is missing.");
    let broken = "The `json` payload provided is malformed. `Couldn't serialize document value: …";
    for body in ["[{}", "\"doggo\"", "nonsense"] {
        expect(&f.send("POST", &documents, body).await, 400, "malformed_payload", broken);
    }
}

async fn of_content_types(f: Fixture) {
    let accepted = "Accepted values for the Content-Type header are: `application/json`";
    let of_index = |path: &str| format!("/indexes/{}/{path}", f.uid("a"));
    let routes = [
        ("POST", "/indexes".to_owned()),
        ("POST", of_index("search")),
        ("POST", of_index("facet-search")),
        ("POST", of_index("documents/delete-batch")),
        ("POST", of_index("documents/fetch")),
        ("PATCH", of_index("settings")),
        ("PUT", of_index("settings/stop-words")),
    ];
    for (method, path) in routes {
        let answer = f.send_as("application/json; charset=utf-8", method, &path, "{").await;
        assert_eq!(answer.status, 400, "{answer:?}");
        let answer = f.call(method, &path).await;
        expect(&answer, 415, "missing_content_type", &format!("A Content-Type header is missing. {accepted}"));
        for kind in ["text/plain", "application/x-ndjson", "json"] {
            let message = format!("The Content-Type `{kind}` is invalid. {accepted}");
            expect(&f.send_as(kind, method, &path, "{}").await, 415, "invalid_content_type", &message);
        }
    }
    let documents = of_index("documents");
    let accepted = format!("{accepted}, `application/x-ndjson`…");
    let answer = f.call("POST", &documents).await;
    expect(&answer, 415, "missing_content_type", &format!("A Content-Type header is missing. {accepted}"));
    let answer = f.send_as("doggo", "PUT", &documents, "{}").await;
    expect(&answer, 415, "invalid_content_type", &format!("The Content-Type `doggo` is invalid. {accepted}"));
}

async fn of_routes(f: Fixture) {
    assert_eq!(f.call("GET", "/nowhere").await.status, 404);
    assert_eq!(f.call("PUT", &format!("/indexes/{}/search", f.uid("a"))).await.status, 405);
    let stop_words = format!("/indexes/{}/settings/stop-words", f.uid("a"));
    assert_eq!(f.send("PATCH", &stop_words, &json!([]).to_string()).await.status, 405);
}
