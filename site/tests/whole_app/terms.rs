//! Prohibited terms. Every form refuses disguised terms, and harmless texts pass.

use lantern_config::Config;
use lantern_index::text::TermList;
use serde_json::Value;
use sqlx::AssertSqlSafe;

use crate::{
    account::signup,
    search::log::behind_a_proxy,
    support::{App, BROWSER, Session},
};

/// Disguised spellings of the tests' placeholder term.
const DISGUISES: [&str; 10] = [
    "f\u{43e}rbidden",
    "f0rb1dden",
    "f o r b i d d e n",
    "for-bidden",
    "forbiddens",
    "notforbiddenhere",
    "ｆｏｒｂｉｄｄｅｎ",
    "ꜰᴏʀʙɪᴅᴅᴇɴ",
    "𝐟𝐨𝐫𝐛𝐢𝐝𝐝𝐞𝐧",
    "for\u{1D173}bid\u{1BCA0}den",
];

/// Posts a form that must be refused because of a prohibited term, and returns the field.
async fn refused(member: &Session, path: &str, form: &[(&str, &str)]) -> Value {
    let reply = member.post(path, form).await;
    assert_eq!(
        (reply.status, &reply.json()["code"]),
        (422, &Value::from("prohibited_terms")),
        "{path} {form:?}: {}",
        reply.text()
    );
    reply.json()["field"].clone()
}

#[tokio::test]
async fn disguised_terms_are_refused_in_every_field() {
    let app = App::configured(|config| {
        signup::simple(config);
        behind_a_proxy(config);
        config.search_log.min_count = 1;
    })
    .await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    let to = nils.id.to_string();
    for disguise in DISGUISES {
        let text = format!("Such {disguise} evenings");
        let stat = "/api/stat.php";
        for (path, form, field) in [
            (stat, &[("act", "comm"), ("section", "video"), ("object_id", "1"), ("msg", &text)][..], "msg"),
            (stat, &[("act", "wall"), ("object_id", &to), ("msg", &text)], "msg"),
            (
                stat,
                &[
                    ("act", "playlist"),
                    ("section", "new"),
                    ("title", &text),
                    ("desc", "For the evening"),
                    ("visible", "1"),
                ],
                "title",
            ),
            (
                stat,
                &[("act", "playlist"), ("section", "new"), ("title", "Evenings"), ("desc", &text), ("visible", "1")],
                "desc",
            ),
            (
                stat,
                &[("act", "saved_search"), ("section", "add"), ("title", &text), ("address", "/search/1/?s=night")],
                "title",
            ),
            ("/api/messages.php", &[("act", "send"), ("to", &to), ("text", &text)], "text"),
            ("/api/member.php", &[("about", &text)], "about"),
            ("/api/member.php", &[("website", "https://my-f0rb1dden.example/")], "website"),
        ] {
            assert_eq!(refused(&mona, path, form).await, field, "{disguise}");
        }
        let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let address = format!("/search/1/?s={encoded}");
        let form = [("act", "saved_search"), ("section", "add"), ("title", "Evenings"), ("address", &*address)];
        assert_eq!(refused(&mona, stat, &form).await, "address", "{disguise}");
        // A search is answered but not recorded.
        let path = format!("/api/videos2.php?params=86400/str/relevance/10/search..1.all.all.all&s={encoded}&lang=en");
        let headers = [("x-forwarded-for", "192.0.2.9"), ("user-agent", BROWSER), ("cookie", "age_agreed=1")];
        assert_eq!(app.send(axum::http::Method::GET, &path, &headers).await.status, 200);
    }
    app.flush().await;
    let recorded = "select count(*) from search_days where query like '%evenings%'";
    assert_eq!(app.numbers(recorded).await, [0]);
    for name in ["xforbiddenx", "for-bidden", "f0rbidden_", "F0R_B1DDEN", "x1forb1dden1x", "for2bidden"] {
        let mut form = signup::FORM;
        form[0].1 = name;
        assert_eq!(refused(&app.guest(), "/api/signup.php", &form).await, "usr", "{name}");
    }
    app.finish().await;
}

#[tokio::test]
async fn default_terms_match_nothing_in_the_demo() {
    let app = App::demo().await;
    let shipped = TermList::of(&Config::default().safety);
    let all = async |query: &str| -> Vec<String> {
        let query = AssertSqlSafe(query.to_owned());
        sqlx::query_scalar(query).fetch_all(app.pool()).await.unwrap()
    };
    let texts = all(
        "select text from (
         select title from videos union select description from videos union select title from video_translations
         union select description from video_translations union select title from albums union select description from albums
         union select title from playlists union select description from playlists union select title from category_titles
         union select title from models union select unnest(aliases) from models union select name from model_names union select about from models
         union select title from channels union select body from comments union select body from walls
         union select about from profiles union select city from profiles union select interests from profiles
         ) said(text) where text is not null",
    )
    .await;
    assert!(texts.len() > 1000, "{}", texts.len());
    for text in &texts {
        assert!(!shipped.found_in(text), "{text}");
    }
    let names =
        all("select username from users union select title from models union select name from model_names").await;
    assert!(names.len() > 100, "{}", names.len());
    for name in &names {
        assert!(!shipped.found_in_name(name), "{name}");
    }
    app.finish().await;
}
