//! Counts for filter values. Each equals the total of the list with that value.

use serde_json::Value;

use crate::support::{App, listing};

const CHOICES: [(&str, &[&str]); 3] = [
    ("type", &["all", "hd", "uncensored"]),
    ("duration", &["all", "short", "medium", "long"]),
    ("date", &["all", "day", "week", "month", "year"]),
];

fn count(counts: &Value, name: &str, value: &str) -> Value {
    let values = counts[name].as_array().unwrap();
    values.iter().find(|one| one["value"] == value).unwrap_or_else(|| panic!("no {name} {value}"))["total"].clone()
}

#[tokio::test]
async fn counts_equal_totals_of_the_filtered_lists() {
    let app = App::start().await;
    for (sort, object) in [
        ("latest-updates", "all."),
        ("top-rated", "categories.city"),
        ("most-popular", "all."),
        ("most-popular", "top-country.JP"),
        ("longest", "model.mika-sato"),
    ] {
        for chosen in [["all", "all", "all"], ["hd", "short", "month"]] {
            let of = |chosen: [&str; 3]| listing(sort, 60, &format!("{object}.1.{}", chosen.join(".")));
            let counts = app.json(&of(chosen).replace("videos2", "video_counts")).await;
            for (place, (name, values)) in CHOICES.into_iter().enumerate() {
                for value in values {
                    let mut other = chosen;
                    other[place] = value;
                    let total = &app.json(&of(other)).await["total_count"];
                    assert_eq!(&count(&counts, name, value), total, "{sort} {object} {chosen:?}: {name} {value}");
                }
            }
        }
    }
    app.get(&listing("longest", 60, "playlist.1.1.all.all.all").replace("videos2", "video_counts"))
        .await
        .refused(404, "not_found");
    app.get(&listing("longest", 60, "categories.nowhere.1.all.all.all").replace("videos2", "video_counts"))
        .await
        .refused(404, "category_not_found");
    app.finish().await;
}

#[tokio::test]
async fn counts_equal_totals_of_the_filtered_searches() {
    let app = App::start().await;
    let of = |call: &str, choices: &str| {
        format!("/api/{call}.php?params=86400/str/relevance/60/search..1.{choices}&s=night&not_categories=city")
    };
    let counts = app.json(&of("video_counts", "all.all.all")).await;
    for value in ["all", "short", "medium", "long"] {
        let found = app.json(&of("videos2", &format!("all.{value}.all"))).await;
        let total = if found["relaxed"].is_null() { found["total_count"].clone() } else { 0.into() };
        assert_eq!(count(&counts, "duration", value), total, "{value}");
    }
    app.finish().await;
}
