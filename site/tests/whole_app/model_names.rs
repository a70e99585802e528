//! Names of models by language: what they find, where they are shown, and how models with the same name are told apart.

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::{App, listing, video_ids};

/// Rin, whose title stays "Mika Sato".
const NAMES: &str =
    "insert into model_names values (1, 'ja', '中村凛'), (1, 'ru', 'Накамура Рин'), (1, 'en', 'Rin Nakamura');
    insert into album_models select min(id), 1 from albums where visible on conflict do nothing";
/// Languages and the name that their visitors read. German has none, so it shows the title.
const SHOWN: [(&str, &str); 4] =
    [("ja", "中村凛"), ("ru", "Накамура Рин"), ("en", "Rin Nakamura"), ("de", "Mika Sato")];

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn search(text: &str, lang: &str) -> String {
    format!("/api/videos2.php?params=86400/str/relevance/100/search..1.all.all.all&s={}&lang={lang}", encoded(text))
}

async fn named() -> App {
    let app = App::start().await;
    app.change(NAMES).await;
    app
}

/// Returns the item of a list that has this `dir`.
fn of_dir<'a>(list: &'a Value, dir: &str) -> &'a Value {
    list.as_array().unwrap().iter().find(|one| one["dir"] == dir).unwrap_or(&Value::Null)
}

#[tokio::test]
async fn name_in_every_script_finds_the_model_and_the_videos_in_every_language() {
    let app = named().await;
    let videos = app
        .numbers(
            "select v.id from videos v join video_models l on l.video_id = v.id
             where visible and gender = 'str' and model_id = 1 order by 1",
        )
        .await;
    for (_, name) in SHOWN {
        for lang in ["ja", "ru", "en", "pl"] {
            let answer = app.json(&search(name, lang)).await;
            let mut found = video_ids(&answer);
            found.sort_unstable();
            assert_eq!(found, videos, "{name} in {lang}");
            assert!(answer["relaxed"].is_null(), "{name} in {lang}");
            assert_eq!(answer["groups"]["models"][0]["dir"], "mika-sato", "{name} in {lang}");
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn cards_facets_and_suggestions_show_the_name_in_the_visitors_language() {
    let app = named().await;
    for (lang, name) in SHOWN {
        let models = app.json(&format!("/api/json/models/86400/str/filt/alphabet/60/1.json?lang={lang}")).await;
        assert_eq!(of_dir(&models["models"], "mika-sato")["title"], name, "{lang}: card of the model");
        let videos =
            app.json(&format!("{}?lang={lang}", listing("longest", 60, "model.mika-sato.1.all.all.all"))).await;
        assert_eq!(of_dir(&videos["videos"][0]["models"], "mika-sato")["title"], name, "{lang}: card of a video");
        assert_eq!(of_dir(&videos["models"], "mika-sato")["title"], name, "{lang}: facet");
        let id = videos["videos"][0]["video_id"].as_i64().unwrap();
        let video = app.json(&format!("/api/json/video/86400/0/{id}.json?lang={lang}")).await;
        assert_eq!(of_dir(&video["video"]["models"], "mika-sato")["title"], name, "{lang}: page of a video");
        let album = app.numbers("select min(id) from albums where visible").await[0];
        let album = app.json(&format!("/api/json/album/86400/0/{album}.json?lang={lang}")).await;
        assert_eq!(of_dir(&album["album"]["models"], "mika-sato")["title"], name, "{lang}: page of an album");
        let facets =
            app.json(&format!("/api/facets.php?facet=models&gender=str&lang={lang}&q={}", encoded(name))).await;
        assert_eq!(
            (&facets["facets"][0]["value"], &facets["facets"][0]["label"]),
            (&json!("mika-sato"), &json!(name)),
            "{lang}"
        );
        let suggested = app.json(&format!("/api/suggester.php?c={}&lang={lang}", encoded(name))).await;
        assert_eq!(of_dir(&suggested["suggestions"], "mika-sato")["title"], name, "{lang}: suggestion");
        let found = app.json(&search(name, lang)).await;
        assert_eq!(of_dir(&found["groups"]["models"], "mika-sato")["title"], name, "{lang}: group");
        let followed = app.json(&format!("/api/json/subscriptions/7200/0/3.2.json?lang={lang}")).await;
        assert_eq!(of_dir(&followed["subscriptions"], "mika-sato")["title"], name, "{lang}: subscription");
    }
    app.finish().await;
}

#[tokio::test]
async fn page_and_feed_of_a_model_show_the_name_in_the_visitors_language() {
    let app = named().await;
    for (lang, name) in SHOWN {
        let cookies = format!("age_agreed=1; app_lang={lang}");
        let page = app.send(Method::GET, "/model/mika-sato/info/", &[("cookie", &cookies)]).await.text();
        assert!(page.contains(&format!("<h1>{name}</h1>")), "{lang}: {page}");
        assert!(page.contains(&format!("<title>{name} ")), "{lang}: {page}");
        let others = SHOWN.iter().map(|(_, other)| *other).filter(|other| *other != name);
        let alternate = page.split("\"alternateName\":[").nth(1).and_then(|rest| rest.split(']').next()).unwrap();
        for other in others.chain(["別名1"]) {
            assert!(alternate.contains(&format!("\"{other}\"")), "{lang}: {alternate}");
        }
        assert!(!alternate.contains(&format!("\"{name}\"")), "{lang}: {alternate}");
        let feed = app.get(&format!("/model/mika-sato/feed/?lang={lang}")).await.text();
        assert!(feed.contains(name), "{lang}: {feed}");
    }
    app.finish().await;
}

#[tokio::test]
async fn renamed_model_is_shown_and_found_by_the_new_name_only() {
    let app = named().await;
    let list = listing("longest", 1, "model.mika-sato.1.all.all.all");
    assert_eq!(of_dir(&app.json(&list).await["videos"][0]["models"], "mika-sato")["title"], "Rin Nakamura");
    app.change("update model_names set name = 'Suzu Zeller' where lang = 'en'").await;
    assert_eq!(of_dir(&app.json(&list).await["videos"][0]["models"], "mika-sato")["title"], "Suzu Zeller");
    let found = app.json(&search("suzu zeller", "en")).await;
    assert!(found["relaxed"].is_null() && found["total_count"].as_i64() > Some(0), "{found}");
    app.change("delete from model_names").await;
    assert_eq!(of_dir(&app.json(&list).await["videos"][0]["models"], "mika-sato")["title"], "Mika Sato");
    assert_eq!(app.json(&search("suzu zeller", "en")).await["relaxed"], json!(["popular"]), "nobody has the name");
    app.finish().await;
}

#[tokio::test]
async fn models_with_the_same_shown_name_are_told_apart() {
    let app = App::start().await;
    // Models 1 and 5 have the same name in Japanese only. They differ by country, and then by age.
    app.change("insert into model_names values (1, 'ja', '中村凛'), (5, 'ja', '中村凛')").await;
    for (change, details) in [
        ("update models set country = case id when 1 then 'JP' else 'DE' end where id in (1, 5)", ["日本", "ドイツ"]),
        ("update models set country = 'JP' where id in (1, 5)", ["日本, 45", "日本, 41"]),
        ("update models set birth_date = '1990-01-01' where id in (1, 5)", ["mika-sato", "hana-abe"]),
    ] {
        app.change(change).await;
        let told = |list: &Value| ["mika-sato", "hana-abe"].map(|dir| of_dir(list, dir)["detail"].clone());
        let expected = details.map(|detail| json!(detail));
        let models = app.json("/api/json/models/86400/str/filt/alphabet/60/1.json?lang=ja").await;
        assert_eq!(told(&models["models"]), expected, "list");
        assert_eq!(of_dir(&models["models"], "carla-ruiz")["detail"], Value::Null);
        let found = app.json(&search("中村凛", "ja")).await;
        assert_eq!(told(&found["groups"]["models"]), expected, "group");
        assert_eq!(told(&found["models"]), expected, "facet");
        let suggested = app.json(&format!("/api/suggester.php?c={}&lang=ja", encoded("中村"))).await;
        assert_eq!(told(&suggested["suggestions"]), expected, "suggestions");
        let facets = app.json(&format!("/api/facets.php?facet=models&lang=ja&q={}", encoded("中村凛"))).await;
        for (dir, detail) in ["mika-sato", "hana-abe"].iter().zip(&expected) {
            let facet = facets["facets"].as_array().unwrap().iter().find(|one| one["value"] == *dir).unwrap();
            assert_eq!(facet["detail"], *detail, "facet search");
        }
        let english = app.json("/api/json/models/86400/str/filt/alphabet/60/1.json?lang=en").await;
        assert_eq!(told(&english["models"]), [Value::Null, Value::Null], "the English names differ");
    }
    app.finish().await;
}
