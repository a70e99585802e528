//! Videos by spoken language: lists, charts, counts, searches, pages and feeds.

use crate::support::{App, listing, video_ids};

const OF: &str = "select v.id from videos v join video_stats s on s.video_id = v.id where visible and gender = 'str'";

#[tokio::test]
async fn lists_and_counts_follow_the_spoken_language() {
    let app = App::start().await;
    for lang in ["en", "ja", "de"] {
        let expected = app.numbers(&format!("{OF} and spoken = '{lang}' order by duration desc, v.id desc")).await;
        assert!(expected.len() > 10, "{lang}");
        let file = listing("longest", 100, "all..1.all.all.all");
        let answer = app.json(&format!("{file}?spoken={lang}")).await;
        assert_eq!(video_ids(&answer), expected[..expected.len().min(100)], "{lang}");
        let counts = app.json(&format!("{}?spoken=en", file.replace("videos2", "video_counts"))).await;
        let counted = counts["spoken"].as_array().unwrap().iter().find(|one| one["value"] == lang).unwrap();
        assert_eq!(counted["total"], expected.len(), "{lang}: counts ignore the current choice");
    }
    let all = app.json(&listing("longest", 100, "all..1.all.all.all")).await;
    let named = app.json(&format!("{}?spoken=all", listing("longest", 100, "all..1.all.all.all"))).await;
    assert_eq!(all, named);
    let expected = app.numbers(&format!("{OF} order by duration desc, v.id desc limit 100")).await;
    assert_eq!(video_ids(&all), expected, "videos of unknown language are in the whole list");
    app.get(&format!("{}?spoken=xx", listing("longest", 60, "all..1.all.all.all"))).await.refused(422, "invalid");
    app.finish().await;
}

#[tokio::test]
async fn charts_searches_and_pages_follow_the_spoken_language() {
    let app = App::start().await;
    let chart = "select v.id from videos v join view_countries c on c.video_id = v.id
        where visible and gender = 'str' and country = 'JP' and spoken = 'de' order by viewed desc, v.id desc limit 30";
    let charted = app.ids(&format!("{}?spoken=de", listing("most-popular", 30, "top-country.JP.1.all.all.all"))).await;
    assert_eq!(charted, app.numbers(chart).await);
    let search = "/api/videos2.php?params=86400/str/longest/100/search..1.all.all.all&s=harbour";
    let sql = format!("{OF} and title like 'Harbour%' and spoken = 'ja' order by duration desc, v.id desc");
    assert_eq!(app.ids(&format!("{search}&spoken=ja")).await, app.numbers(&sql).await);
    for (page, call) in [
        (
            "/videos/longest/1/?spoken=ja",
            "/api/json/videos2/86400/str/longest/60/all..1.all.all.all.json?lang=en&spoken=ja",
        ),
        (
            "/search/1/?s=harbour&spoken=ja&models=mika-sato",
            "/api/videos2.php?params=86400%2Fstr%2Frelevance%2F60%2Fsearch..1.all.all.all&s=harbour&lang=en&models=mika-sato&spoken=ja",
        ),
    ] {
        let boot = crate::page::answers::boot(&app, page, "").await;
        assert!(boot["answers"].get(call).is_some(), "{page}: {:?}", boot["answers"].as_object().unwrap().keys());
    }
    let (_, dom) = app.page("/videos/longest/1/?spoken=ja&models=mika-sato&spoken=de").await;
    assert!(dom.canonical().is_some_and(|own| own.ends_with("/videos/longest/1/?models=mika-sato&spoken=ja")));
    let feed = app.get("/videos/longest/feed/?spoken=ja").await.text();
    let listed = app.ids("/api/json/videos2/86400/str/longest/60/all..1.all.all.all.json?spoken=ja").await;
    let in_feed = feed.split("</guid>").filter_map(|part| part.strip_suffix('/')?.rsplit('/').next()?.parse().ok());
    assert_eq!(in_feed.collect::<Vec<i64>>(), listed);
    app.finish().await;
}
