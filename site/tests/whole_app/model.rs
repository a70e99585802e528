//! The calls `models` and `model`.

use serde_json::{Value, json};

use crate::support::App;

fn path(filters: &str, sort: &str, rest: &str) -> String {
    format!("/api/json/models/86400/str/{filters}/{sort}/{rest}")
}

fn ids(answer: &Value) -> Vec<i64> {
    answer["models"].as_array().unwrap().iter().map(|model| model["model_id"].as_i64().unwrap()).collect()
}

/// Returns the values of a facet with their totals.
fn counts(answer: &Value, facet: &str) -> Vec<(String, i64)> {
    let values = answer["facets"][facet].as_array().unwrap();
    values.iter().map(|v| (v["value"].as_str().unwrap().to_owned(), v["total"].as_i64().unwrap())).collect()
}

#[tokio::test]
async fn every_sort_order_and_page_matches_the_catalog() {
    let app = App::start().await;
    for (sort, key) in [
        ("most-popular", "subscribers desc"),
        ("most-viewed", "viewed desc"),
        ("alphabet", "title asc"),
        ("latest-updates", "extract(epoch from created_at)::bigint desc"),
        ("top-rated", "standing desc"),
        (
            "count-videos",
            "(select count(*) from video_models l join videos v on v.id = l.video_id where l.model_id = m.id and v.visible) desc",
        ),
    ] {
        let sql = format!(
            "select m.id from models m join model_stats s on s.model_id = m.id where gender = 'str' order by {key}, m.id desc"
        );
        let expected = app.numbers(&sql).await;
        let answer = app.json(&path("filt", sort, "4/1.json")).await;
        assert_eq!((ids(&answer), &answer["pages"]), (expected[..4].to_vec(), &json!(2)), "{sort}");
        let second = app.json(&path("filt", sort, "4/2.json")).await;
        assert_eq!(ids(&second), expected[4..], "{sort}");
        assert_eq!((&second["total_count"], &second["code"]), (&json!(expected.len()), &Value::Null));
        let third = app.json(&path("filt", sort, "4/3.json")).await;
        assert_eq!((ids(&third), &third["code"]), (Vec::new(), &json!("models_not_found")), "{sort}");
    }
    app.finish().await;
}

#[tokio::test]
async fn filters_match_and_facet_counts_ignore_their_own_filter() {
    let app = App::start().await;
    let count = async |condition: &str| {
        app.numbers(&format!("select count(*) from models where gender = 'str' and {condition}")).await[0]
    };
    for (filters, condition) in [
        ("filt-race~asian", "race = 'asian'"),
        ("filt-race~asian,latin", "race in ('asian', 'latin')"),
        ("filt-alphabet~A,H", "left(title, 1) in ('A', 'H')"),
        ("filt-country~JP", "country = 'JP'"),
        ("filt-height~152.156", "height between 152 and 156"),
        ("filt-tattoo~yes-piercing~no", "tattoo = 'yes' and piercing = 'no'"),
        ("filt-alphabet~H", "title like 'H%'"),
        ("filt-age~36.42", "extract(year from age(date '2026-09-21', birth_date)) between 36 and 42"),
    ] {
        let answer = app.json(&path(filters, "alphabet", "60/1.json")).await;
        assert_eq!(answer["total_count"], count(condition).await, "{filters}");
        assert!(answer["total_count"].as_i64().unwrap() > 0, "{filters}: the catalog has no match");
    }
    let answer =
        app.json(&format!("{}?lang=ru", path("filt-race~asian,latin-hair_color~black", "alphabet", "60/1.json"))).await;
    for (facet, others) in [
        ("race", "hair_color = 'black'"),
        ("hair_color", "race in ('asian', 'latin')"),
        ("tattoo", "race in ('asian', 'latin') and hair_color = 'black'"),
    ] {
        for (value, total) in counts(&answer, facet) {
            assert_eq!(total, count(&format!("{others} and {facet} = '{value}'")).await, "{facet} {value}");
        }
    }
    let race = answer["facets"]["race"].as_array().unwrap();
    let asian = race.iter().find(|value| value["value"] == "asian").unwrap();
    assert_ne!(asian["label"], "asian", "in the visitor's language");
    app.finish().await;
}

#[tokio::test]
async fn range_facets_include_their_bounds() {
    let app = App::start().await;
    let answer = app.json(&path("filt", "alphabet", "60/1.json")).await;
    let bounds = async |column: &str| {
        app.numbers(&format!(
            "select unnest(array[min({column}), max({column})])::bigint from models where gender = 'str'"
        ))
        .await
    };
    for (name, column) in
        [("height", "height"), ("weight", "weight"), ("age", "extract(year from age(date '2026-09-21', birth_date))")]
    {
        let expected = bounds(column).await;
        assert_eq!(answer["stats"][name], json!({"min": expected[0], "max": expected[1]}), "{name}");
        let total: i64 = counts(&answer, name).iter().map(|(_, total)| total).sum();
        assert_eq!(answer["total_count"], total, "{name}: every model has one");
    }
    app.finish().await;
}

#[tokio::test]
async fn model_shows_an_age_and_never_a_birth_date() {
    let app = App::start().await;
    let reply = app.get("/api/json/model/86400/mi/mika-sato.json").await;
    let model = &reply.json()["model"];
    let videos = app
        .numbers(
            "select count(*) from videos v join video_models l on l.video_id = v.id where visible and model_id = 1",
        )
        .await[0];
    assert_eq!(
        *model,
        json!({
            "model_id": 1, "dir": "mika-sato", "title": "Mika Sato", "country": "US", "thumbs": "/media/p/demo/pictures/01-320.webp",
            "total_videos": videos, "viewed": 13, "subscribers": 8, "age": 45, "aliases": ["別名1"], "race": "latin",
            "hair_color": "blonde", "tits_size": "medium", "height": 151, "weight": 46, "tattoo": "no", "piercing": "yes",
            "about": "About Mika Sato", "statistics": {"videos": videos, "viewed": 13, "subscribers": 8},
        })
    );
    assert!(!reply.text().contains("birth"));
    for path in ["mi/nobody.json", "an/mika-sato.json", "no/nobody.json", "mi/Mika-Sato.json"] {
        app.get(&format!("/api/json/model/86400/{path}")).await.refused(404, "model_not_found");
    }
    app.finish().await;
}
