//! Language of titles. It is the visitor's, otherwise the video's own, and never a third one.

use serde_json::{Value, json};

use crate::support::{App, listing, video_ids};

const DUTCH: &str = "Wandeling langs de grachten";
const FEED: &str = "/videos/latest-updates/feed/?lang=de";

/// Creates a site whose newest video is Dutch and translated into English and Portuguese.
async fn with_a_dutch_video() -> App {
    let app = App::start().await;
    app.change(&format!(
        "update videos set lang = 'nl', title = '{DUTCH}' where id = 1;
         insert into video_translations (video_id, lang, title) values
             (1, 'en', 'A walk along the canals'), (1, 'pt', 'Um passeio pelos canais');"
    ))
    .await;
    app
}

fn title(card: &Value) -> Value {
    json!([card["title"], card["title_lang"]])
}

#[tokio::test]
async fn untranslated_title_is_shown_in_its_original_language() {
    let app = with_a_dutch_video().await;
    let newest = |lang: &str| format!("{}?lang={lang}", listing("latest-updates", 1, "all..1.all.all.all"));
    for (lang, expected) in [
        ("pt", ["Um passeio pelos canais", "pt"]),
        ("en", ["A walk along the canals", "en"]),
        ("nl", [DUTCH, "nl"]),
        ("de", [DUTCH, "nl"]),
    ] {
        assert_eq!(title(&app.json(&newest(lang)).await["videos"][0]), json!(expected), "{lang}");
    }
    let video = app.json("/api/json/video/86400/0/1.json?lang=pt").await;
    assert_eq!(video["video"]["original_title"], DUTCH);
    // Test every place where a German visitor sees the title.
    let mika = app.member("mika").await;
    mika.acts(&[("act", "favourite"), ("section", "add"), ("object_id", "1")]).await;
    let own = mika.get("/api/member_lists.php?list=favourite_videos&lang=de").await.json();
    let video = app.json("/api/json/video/86400/0/1.json?lang=de").await;
    let search = "/api/videos2.php?params=86400/str/relevance/60/search..1.all.all.all&s=grachten&lang=de";
    for card in [&own["videos"][0], &video["video"], &app.json(search).await["videos"][0]] {
        assert_eq!(title(card), json!([DUTCH, "nl"]), "{card}");
    }
    let feed = app.get(FEED).await.text();
    assert!(feed.contains(DUTCH) && !feed.contains("passeio") && !feed.contains("canals"));
    for (page, selector) in
        [("/videos/1/video-1/?lang=de", "main h1[lang=nl]"), ("/videos/latest-updates/1/?lang=de", "main a[lang=nl]")]
    {
        let (_, dom) = app.page(page).await;
        assert_eq!(dom.texts(selector), [DUTCH], "{page}");
    }
    app.finish().await;
}

#[tokio::test]
async fn original_title_is_found_in_every_interface_language() {
    let app = with_a_dutch_video().await;
    for text in ["wandeling%20langs%20de%20grachten", "grachten"] {
        for lang in ["en", "de", "ja", "nl"] {
            let path =
                format!("/api/videos2.php?params=86400/str/relevance/60/search..1.all.all.all&s={text}&lang={lang}");
            let found = app.json(&path).await;
            assert_eq!((video_ids(&found), found["relaxed"].is_null()), (vec![1], true), "{text} in {lang}");
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn album_names_the_language_of_its_title() {
    let app = App::start().await;
    app.change("update albums set lang = 'nl' where id = 1").await;
    let list = app.json("/api/json/albums/86400/str/latest-updates/1/all..1.json?lang=de").await;
    let album = app.json("/api/json/album/86400/0/1.json?lang=de").await;
    for card in [&list["albums"][0], &album["album"]] {
        assert_eq!((&card["album_id"], &card["title_lang"]), (&json!(1), &json!("nl")));
    }
    let (_, dom) = app.page("/albums/latest-updates/1/?lang=de").await;
    assert_eq!(dom.texts("main a[lang=nl]"), ["Paper lanterns 1"]);
    app.finish().await;
}
