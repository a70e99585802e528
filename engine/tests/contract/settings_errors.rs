//! Errors of invalid settings, as a whole and one by one.

use serde_json::{Value, json};

use crate::contract;
use crate::errors::expect;
use crate::fixture::Fixture;

contract!(of_types, of_values, of_unknown_names);

async fn of_types(f: Fixture) {
    let whole = format!("/indexes/{}/settings", f.uid("a"));
    let list = "expected an array, but found a string: `\"doggo\"`";
    let object = "expected an object, but found a string: `\"doggo\"`";
    let cases = [
        ("PUT", "displayed-attributes", "displayedAttributes", list),
        ("PUT", "searchable-attributes", "searchableAttributes", list),
        ("PUT", "filterable-attributes", "filterableAttributes", list),
        ("PUT", "sortable-attributes", "sortableAttributes", list),
        ("PUT", "ranking-rules", "rankingRules", list),
        ("PUT", "stop-words", "stopWords", list),
        ("PUT", "synonyms", "synonyms", object),
        ("PATCH", "typo-tolerance", "typoTolerance", object),
        ("PATCH", "faceting", "faceting", object),
        ("PATCH", "pagination", "pagination", object),
        ("PUT", "localized-attributes", "localizedAttributes", list),
        ("PUT", "search-cutoff-ms", "searchCutoffMs", "expected a positive integer, but found a string: `\"doggo\"`"),
    ];
    for (method, path, name, message) in cases {
        let code = format!("invalid_settings_{}", path.replace('-', "_"));
        let answer = f.send("PATCH", &whole, &json!({ name: "doggo" }).to_string()).await;
        expect(&answer, 400, &code, &format!("Invalid value type at `.{name}`: {message}"));
        let answer = f.send(method, &format!("{whole}/{path}"), r#""doggo""#).await;
        expect(&answer, 400, &code, &format!("Invalid value type: {message}"));
    }
    let distinct = "Invalid value type at `.distinctAttribute`: expected a string, but found an array: `[\"doggo\"]`";
    let answer = f.send("PATCH", &whole, r#"{"distinctAttribute": ["doggo"]}"#).await;
    expect(&answer, 400, "invalid_settings_distinct_attribute", distinct);
}

async fn of_values(f: Fixture) {
    let whole = format!("/indexes/{}/settings", f.uid("a"));
    let sizes = "`minWordSizeForTypos` setting is invalid. `oneTypo` and `twoTypos` fields should be between `0` and `255`, \
                 and `twoTypos` should be greater or equals to `oneTypo` but found `oneTypo: 9` and twoTypos: 3`.";
    let cases: [(Value, &str, String); 6] = [
        (
            json!({ "rankingRules": ["doggo"] }),
            "ranking_rules",
            "Invalid value at `.rankingRules[0]`: `doggo` ranking rule is invalid. Valid ranking rules are …".to_owned(),
        ),
        (
            json!({ "localizedAttributes": [{ "attributePatterns": ["a"], "locales": ["japan"] }] }),
            "localized_attributes",
            "Unknown value `japan` at `.localizedAttributes[0].locales[0]`: expected one of `af`, …".to_owned(),
        ),
        (
            json!({ "localizedAttributes": [{ "locales": ["jpn"] }] }),
            "localized_attributes",
            "Missing field `attributePatterns` inside `.localizedAttributes[0]`".to_owned(),
        ),
        (
            json!({ "pagination": { "maxTotalHits": "doggo" } }),
            "pagination",
            "Invalid value type at `.pagination.maxTotalHits`: expected a positive integer, but found a string: `\"doggo\"`"
                .to_owned(),
        ),
        (
            json!({ "faceting": { "sortFacetValuesBy": { "a": "doggo" } } }),
            "faceting",
            "Unknown value `doggo` at `.faceting.sortFacetValuesBy.a`: expected one of `alpha`, `count`".to_owned(),
        ),
        (
            json!({ "typoTolerance": { "minWordSizeForTypos": { "oneTypo": 9, "twoTypos": 3 } } }),
            "typo_tolerance",
            format!("Invalid value at `.typoTolerance.minWordSizeForTypos`: {sizes}"),
        ),
    ];
    for (settings, code, message) in cases {
        let answer = f.send("PATCH", &whole, &settings.to_string()).await;
        expect(&answer, 400, &format!("invalid_settings_{code}"), &message);
    }
    let part = f.send("PATCH", &format!("{whole}/pagination"), r#"{"maxTotalHits": "doggo"}"#).await;
    let number = "Invalid value type at `.maxTotalHits`: expected a positive integer, but found a string: `\"doggo\"`";
    expect(&part, 400, "invalid_settings_pagination", number);
}

async fn of_unknown_names(f: Fixture) {
    let whole = format!("/indexes/{}/settings", f.uid("a"));
    let unknown = "Unknown field `doggo`: expected one of `displayedAttributes`, `searchableAttributes`, …";
    expect(&f.send("PATCH", &whole, r#"{"doggo": 1}"#).await, 400, "bad_request", unknown);
    let object = "Invalid value type: expected an object, but found an array: `[]`";
    expect(&f.send("PATCH", &whole, "[]").await, 400, "bad_request", object);
    let typo = "Unknown field `typoTolerance`: expected one of `enabled`, `minWordSizeForTypos`, `disableOnWords`, \
                `disableOnAttributes`, `disableOnNumbers`";
    let answer = f.send("PATCH", &format!("{whole}/typo-tolerance"), r#"{"typoTolerance": {}}"#).await;
    expect(&answer, 400, "invalid_settings_typo_tolerance", typo);
}
