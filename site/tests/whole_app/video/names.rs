//! Filters for video lists by category and model, and search for models as filter values.

use serde_json::json;

use crate::support::{App, listing, video_ids};

const VISIBLE: &str = "select v.id from videos v where visible and gender = 'str'";

fn of_category(dir: &str) -> String {
    format!(
        "exists (select from video_categories c join categories k on k.id = c.category_id where c.video_id = v.id and k.dir = '{dir}')"
    )
}

fn of_model(dir: &str) -> String {
    format!(
        "exists (select from video_models m join models o on o.id = m.model_id where m.video_id = v.id and o.dir = '{dir}')"
    )
}

#[tokio::test]
async fn lists_are_filtered_by_categories_and_models() {
    let app = App::start().await;
    let (sato, lind) = (of_model("mika-sato"), of_model("anna-lind"));
    let (travel, city) = (of_category("travel"), of_category("city"));
    for (object, names, condition) in [
        ("all.", "&models=mika-sato", sato.clone()),
        ("all.", "&models=anna-lind,mika-sato", format!("{sato} and {lind}")),
        ("all.", "&not_categories=travel", format!("not {travel}")),
        ("all.", "&not_models=mika-sato", format!("not {sato}")),
        ("categories.travel", "&models=anna-lind&not_models=mika-sato", format!("{travel} and {lind} and not {sato}")),
        ("all.", "&categories=travel&models=mika-sato", format!("{travel} and {sato}")),
        ("categories.travel", "&models=mika-sato", format!("{travel} and {sato}")),
        ("categories.travel", "&not_categories=city", format!("{travel} and not {city}")),
    ] {
        let expected = app.numbers(&format!("{VISIBLE} and {condition} order by post_date desc, id desc")).await;
        let path = listing("latest-updates", 60, &format!("{object}.1.all.all.all"));
        let answer = app.json(&format!("{path}?lang=en{names}")).await;
        assert_eq!(answer["total_count"], expected.len(), "{object} {names}");
        assert_eq!(video_ids(&answer), expected[..expected.len().min(60)], "{object} {names}");
        let counts = app.json(&format!("{}?{names}", path.replace("videos2", "video_counts"))).await;
        assert_eq!(counts["type"][0]["total"], expected.len(), "counts of {object} {names}");
        let guest = app.guest_posts("/api/unmuted.php", &[("list", &format!("{path}?lang=en{names}"))]).await;
        assert_eq!(guest.json(), answer, "with mutes applied: {object} {names}");
    }
    let chart = listing("most-popular", 60, "top-country.JP.1.all.all.all");
    let expected = app
        .numbers(&format!(
            "select v.id from view_countries w join videos v on v.id = w.video_id
             where v.visible and v.gender = 'str' and w.country = 'JP' and {sato} and not {city} order by w.viewed desc, v.id desc"
        ))
        .await;
    let answer = app.json(&format!("{chart}?models=mika-sato&not_categories=city")).await;
    assert_eq!((video_ids(&answer), &answer["total_count"]), (expected.clone(), &json!(expected.len())));
    app.finish().await;
}

#[tokio::test]
async fn chosen_models_are_named_in_empty_lists() {
    let app = App::start().await;
    let none = listing("latest-updates", 60, "all..1.all.0-0.all");
    let answer = app.json(&format!("{none}?models=mika-sato")).await;
    assert_eq!(answer["models"], json!([{ "dir": "mika-sato", "title": "Mika Sato", "total_videos": 0 }]));
    let path = listing("latest-updates", 60, "all..1.all.all.all");
    let others = app.json(&format!("{path}?not_models=mika-sato")).await["models"].clone();
    let left_out = others.as_array().unwrap().iter().find(|model| model["dir"] == "mika-sato");
    assert_eq!(left_out, Some(&json!({ "dir": "mika-sato", "title": "Mika Sato", "total_videos": 0 })));
    for call in [path.clone(), path.replace("videos2", "video_counts")] {
        for (names, status, code) in [
            ("models=nobody", 404, "model_not_found"),
            ("models=..%2Fx", 404, "model_not_found"),
            ("categories=nowhere", 404, "category_not_found"),
            ("not_categories=nowhere", 404, "category_not_found"),
            ("not_models=nobody", 404, "model_not_found"),
            ("models=a,b,c,d", 422, "invalid"),
        ] {
            app.get(&format!("{call}?{names}")).await.refused(status, code);
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn model_facet_search_respects_other_filters() {
    let app = App::start().await;
    let facets = async |rest: &str| {
        app.json(&format!("/api/facets.php?facet=models&lang=en&gender=str{rest}")).await["facets"].clone()
    };
    let sato = of_model("mika-sato");
    let all = app.number(&format!("select count(*) from ({VISIBLE} and {sato}) found")).await;
    let found = facets("&q=mik").await;
    assert_eq!(found[0], json!({ "value": "mika-sato", "label": "Mika Sato", "total": all }));
    let dance = of_category("dance");
    let some = app.number(&format!("select count(*) from ({VISIBLE} and {sato} and {dance}) found")).await;
    assert!((1..all).contains(&some));
    assert_eq!(facets("&q=sato&categories=dance").await[0]["total"], some);
    assert_eq!(facets("&q=zzqxw").await, json!([]));
    let every = facets("").await;
    assert!(every.as_array().unwrap().iter().any(|facet| facet["value"] == "mika-sato"));
    app.get("/api/facets.php?facet=models&models=nobody").await.refused(404, "model_not_found");
    // Invalid names are refused even where they filter nothing.
    app.get("/api/facets.php?facet=orientation&categories=-1.0").await.refused(404, "category_not_found");
    app.get("/api/facets.php?facet=models&index=models").await.refused(422, "invalid");
    app.finish().await;
}

#[tokio::test]
async fn page_embeds_the_filtered_response() {
    let app = App::start().await;
    for (page, call) in [
        (
            "/videos/longest/1/?models=mika-sato,anna-lind&not_categories=city",
            "/api/json/videos2/86400/str/longest/60/all..1.all.all.all.json?lang=en&not_categories=city&models=anna-lind%2Cmika-sato",
        ),
        (
            "/categories/travel/longest/1/?models=mika-sato",
            "/api/json/videos2/86400/str/longest/60/categories.travel.1.all.all.all.json?lang=en&models=mika-sato",
        ),
        (
            "/top-country/1/?country=JP&categories=travel",
            "/api/json/videos2/86400/str/most-popular/60/top-country.JP.1.all.all.all.json?lang=en&categories=travel",
        ),
    ] {
        let (_, dom) = app.page(page).await;
        assert_eq!(dom.boot()["answers"][call], app.json(call).await, "{page}");
        assert_eq!(dom.meta("robots"), "noindex", "{page}: there are too many such lists to index");
    }
    assert_eq!(app.page("/videos/longest/1/?models=nobody").await.0.status, 404);
    app.finish().await;
}
