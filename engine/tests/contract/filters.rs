//! Tests that filters from the builder find exactly the intended documents, even with hostile values.

use std::collections::BTreeMap;

use lantern_index::{Filter, Transport};
use meilisearch_sdk::indexes::Index;
use serde_json::{Value, json};

use crate::fixture::{Fixture, hit_ids};
use crate::{contract, hostile};

contract!(find, combine, finds_hostile_values, finds_hostile_attributes, empty_filters_match_nothing);

/// Returns the ids a filter finds, sorted.
async fn found(f: &Fixture, index: &Index<Transport>, filter: &Filter) -> Vec<u64> {
    let body = json!({ "filter": filter.to_expression(), "limit": 1000, "attributesToRetrieve": ["id"] });
    let mut ids = hit_ids(&f.search(index, &body).await);
    ids.sort_unstable();
    ids
}

async fn find(f: Fixture) {
    let index = f.films().await;
    let find = async |filter: Filter| found(&f, &index, &filter).await;
    assert_eq!(find(Filter::eq("country", "JP")).await, [6, 7]);
    assert_eq!(find(Filter::ne("country", "JP")).await, [1, 2, 3, 4, 5, 8]);
    assert_eq!(find(Filter::eq("country", "jp")).await, [6, 7]);
    assert_eq!(find(Filter::in_("genres", ["dance", "city"])).await, [2, 3, 4, 7]);
    assert_eq!(find(Filter::between("year", 2003, 2012)).await, [2, 3, 4, 5]);
    assert_eq!(find(Filter::gt("year", 2015)).await, [7, 8]);
    assert_eq!(find(Filter::ge("year", 2015)).await, [6, 7, 8]);
    assert_eq!(find(Filter::lt("year", 2003)).await, [1]);
    assert_eq!(find(Filter::le("year", 2003.0)).await, [1, 2, 3]);
    assert_eq!(find(Filter::exists("labels.en.genres")).await.len(), 8);
    assert_eq!(find(Filter::eq("labels.en.genres", "dance")).await, [3]);
    assert!(find(Filter::eq("country", "\" OR id = 1 \\")).await.is_empty());
    let lists = [json!({ "id": 20, "genres": [] }), json!({ "id": 21, "genres": null }), json!({ "id": 22 })];
    f.done(index.add_documents(&lists, None).await).await;
    assert_eq!(find(Filter::is_empty("genres")).await, [20]);
    assert_eq!(find(Filter::is_null("genres")).await, [21]);
    assert_eq!(find(!Filter::exists("genres")).await, [22]);
}

async fn combine(f: Fixture) {
    let index = f.films().await;
    let find = async |filter: Filter| found(&f, &index, &filter).await;
    let years = || Filter::between("year", 2003, 2012);
    assert_eq!(find(years().and(!Filter::eq("genres", "music"))).await, [2, 4]);
    assert_eq!(find(Filter::gt("year", 2015).or(Filter::eq("id", 1))).await, [1, 7, 8]);
    let either = Filter::any([Filter::eq("country", "JP"), Filter::eq("country", "GB")]);
    assert_eq!(find(years().and(either.clone())).await, [2]);
    assert_eq!(find(!either.clone()).await, [1, 3, 4, 5, 8]);
    assert_eq!(find(!(!either).and(years())).await, [1, 2, 6, 7, 8]);
    let array = json!({ "filter": ["genres = nature", ["country = JP", "id = 1"]] });
    assert_eq!(hit_ids(&f.search(&index, &array).await), [1, 6, 7]);
}

/// Folds a value as comparisons do: trimmed and case-insensitive.
fn folded(text: &str) -> String {
    text.trim().to_lowercase()
}

async fn finds_hostile_values(f: Fixture) {
    let index = f.index("hostile");
    f.done(index.set_filterable_attributes(["id", "facet", "list"]).await).await;
    let values: Vec<String> = hostile::texts().into_iter().filter(|text| !folded(text).is_empty()).collect();
    let document = |(id, value): (usize, &String)| json!({ "id": id, "facet": value, "list": [value, "other"] });
    let documents: Vec<Value> = values.iter().enumerate().map(document).collect();
    f.done(index.add_documents(&documents, Some("id")).await).await;
    let mut same: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for (id, value) in (0..).zip(&values) {
        same.entry(folded(value)).or_default().push(id);
    }
    assert!(same.len() > 180, "{}", same.len());
    for (id, value) in (0_u32..).zip(&values) {
        let expected = &same[&folded(value)];
        assert_eq!(found(&f, &index, &Filter::eq("facet", value)).await, *expected, "{value:?}");
        let listed = Filter::in_("list", ["none", value.as_str()]).and(Filter::eq("id", id));
        assert_eq!(found(&f, &index, &listed).await, [u64::from(id)], "{value:?}");
    }
    for (_, ids) in same.iter().take(20) {
        let value = &values[usize::try_from(ids[0]).unwrap()];
        let others = found(&f, &index, &Filter::ne("facet", value)).await;
        assert_eq!(others.len(), values.len() - ids.len(), "{value:?}");
        assert_eq!(found(&f, &index, &!Filter::eq("list", value)).await, others, "{value:?}");
    }
}

async fn finds_hostile_attributes(f: Fixture) {
    let names =
        ["AND", "TO", "two words", "quote\"d", "it's", "back\\slash", "🦀", "a=b", "(x)", "EXISTS", "null", "日本"];
    let index = f.index("named");
    f.done(index.set_filterable_attributes(names).await).await;
    let documents: Vec<Value> = (0..).zip(names).map(|(id, name): (u64, _)| json!({ "id": id, name: "x" })).collect();
    f.done(index.add_documents(&documents, Some("id")).await).await;
    for (id, name) in (0_u64..).zip(names) {
        for filter in [Filter::eq(name, "x"), Filter::exists(name), Filter::in_(name, ["x"]), !Filter::ne(name, "x")] {
            assert_eq!(found(&f, &index, &filter).await, [id], "{filter}");
        }
    }
}

async fn empty_filters_match_nothing(f: Fixture) {
    let index = f.films().await;
    let find = async |filter: Filter| found(&f, &index, &filter).await;
    assert!(find(Filter::any([])).await.is_empty());
    assert!(find(Filter::in_("genres", Vec::<String>::new())).await.is_empty());
    assert!(find(Filter::eq("country", "JP").and(Filter::any([]))).await.is_empty());
    assert_eq!(find(Filter::eq("country", "JP").or(Filter::any([]))).await, [6, 7]);
    assert_eq!(find(!Filter::any([])).await.len(), 8);
    assert_eq!(find(Filter::all([])).await.len(), 8);
    assert!(find(!Filter::all([])).await.is_empty());
    assert_eq!(find(Filter::any([Filter::eq("country", "JP"), Filter::all([])])).await.len(), 8);
}
