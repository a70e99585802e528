//! The calls `albums` and `album`.

use lantern_config::Lang;
use serde_json::{Value, json};

use crate::support::App;

const VISIBLE: &str =
    "select a.id from albums a join album_stats s on s.album_id = a.id where visible and gender = 'str'";

fn path(sort: &str, count: u32, file: &str) -> String {
    format!("/api/json/albums/86400/str/{sort}/{count}/{file}.json")
}

fn ids(answer: &Value) -> Vec<i64> {
    answer["albums"].as_array().unwrap().iter().map(|album| album["album_id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn every_sort_order_and_page_matches_the_catalog() {
    let app = App::start().await;
    for (sort, key) in [
        ("latest-updates", "post_date"),
        ("most-popular", "viewed"),
        ("most-viewed", "viewed"),
        ("top-rated", "standing"),
        ("most-commented", "s.comments"),
    ] {
        let expected = app.numbers(&format!("{VISIBLE} order by {key} desc, a.id desc")).await;
        let mut found = Vec::new();
        for page in 1.. {
            let answer = app.json(&path(sort, 10, &format!("all..{page}"))).await;
            assert_eq!(answer["total_count"], expected.len(), "{sort}");
            assert_eq!(answer["pages"], expected.len().div_ceil(10), "{sort}");
            if ids(&answer).is_empty() {
                assert_eq!(answer["code"], "albums_not_found");
                break;
            }
            assert!(answer["code"].is_null());
            found.extend(ids(&answer));
        }
        assert_eq!(found, expected, "{sort}");
    }
    app.finish().await;
}

#[tokio::test]
async fn sections_match_the_catalog() {
    let app = App::start().await;
    let in_category = |dir: &str| {
        format!(
            "exists (select from album_categories l join categories c on c.id = l.category_id where l.album_id = a.id and c.dir = '{dir}')"
        )
    };
    for (file, condition) in [
        ("categories.city.1", in_category("city")),
        ("categories.dance,city.1", format!("{} and {}", in_category("dance"), in_category("city"))),
        ("member.2.1", "user_id = 2".to_owned()),
        (
            "model.anna-lind.1",
            "a.id in (select album_id from album_models l join models m on m.id = l.model_id where m.dir = 'anna-lind')"
                .to_owned(),
        ),
    ] {
        // Lists that belong to a person include every orientation.
        let orientation = if file.starts_with("categories") { "gender = 'str'" } else { "true" };
        let sql = format!(
            "select a.id from albums a where visible and {orientation} and {condition} order by post_date desc, a.id desc"
        );
        let expected = app.numbers(&sql).await;
        assert!(!expected.is_empty(), "{file}: the catalog has no match");
        assert_eq!(ids(&app.json(&path("latest-updates", 100, file)).await), expected, "{file}");
    }
    let none = app.json(&path("latest-updates", 100, "member.5.1")).await;
    assert_eq!(none, json!({"albums": [], "total_count": 0, "pages": 0, "code": "albums_not_found"}));
    for (file, code) in [
        ("categories.nowhere.1", "category_not_found"),
        ("model.nobody.1", "model_not_found"),
        ("member.999.1", "member_not_found"),
        ("member.39.1", "member_not_found"),
        ("channel.1.1", "not_found"),
        ("playlist.1.1", "not_found"),
        ("search..1", "not_found"),
        ("all..0", "not_found"),
        ("all..1.all", "not_found"),
    ] {
        app.get(&path("latest-updates", 60, file)).await.refused(404, code);
    }
    app.get(&path("longest", 60, "all..1")).await.refused(404, "not_found");
    app.get(&path("top-rated", 101, "all..1")).await.refused(404, "not_found");
    app.finish().await;
}

#[tokio::test]
async fn album_includes_its_photos_in_every_language() {
    let app = App::start().await;
    let answer = app.json("/api/json/album/86400/0/7.json?lang=ru").await;
    let album = &answer["album"];
    let viewed = 7 * 31 % 97;
    let plain = json!({
        "album_id": 7, "dir": "album-7", "title": "Paper lanterns 7", "description": "Twelve evenings, number 7", "gender": "str",
        "thumb": "/media/p/demo/pictures/08-320.webp", "thumbsrc": "/media/p/demo/pictures/08-640.webp", "photos_amount": 3,
        "post_date": "2026-09-18T08:26:40Z", "album_viewed": viewed, "comments": 0, "user_id": 2,
        "user": {"id": 2, "username": "other", "avatar": null, "user_id": 2},
        "statistics": {"viewed": viewed, "likes": 10, "dislikes": 2},
    });
    for (name, value) in plain.as_object().unwrap() {
        assert_eq!(album[name], *value, "{name}");
    }
    assert_eq!(
        album["photos"][1],
        json!({"src": "/media/p/demo/pictures/09-640.webp", "thumb": "/media/p/demo/pictures/09-320.webp",
            "large": "/media/p/demo/pictures/09-640.webp", "width": 1280, "height": 960})
    );
    assert_eq!(album["photos"].as_array().unwrap().len(), 3);
    assert_eq!(album["models"], json!([{"dir": "zoe-hart", "title": "Zoe Hart"}]));
    assert_eq!(album["categories"][0], json!({"dir": "dance", "title": "Танцы"}));
    let listed = app.json(&format!("{}?lang=ru", path("latest-updates", 100, "member.2.1"))).await;
    let card = listed["albums"].as_array().unwrap().iter().find(|card| card["album_id"] == 7).unwrap();
    for (name, value) in card.as_object().unwrap() {
        assert_eq!(album[name], *value, "{name}: the list and the page agree");
    }
    for lang in Lang::ALL {
        app.json(&format!("/api/json/album/86400/0/7.json?lang={lang}")).await;
        app.json(&format!("{}?lang={lang}", path("top-rated", 60, "all..1"))).await;
    }
    app.get("/api/json/album/86400/0/7.json?lang=xx").await.refused(422, "invalid");
    app.finish().await;
}

#[tokio::test]
async fn private_and_deleted_albums_are_hidden() {
    let app = App::start().await;
    for (id, status, code) in [
        (11, 403, "dont_have_permission"),
        // The album awaits moderation, so only its owner sees it.
        (13, 404, "album_not_found"),
        (20, 404, "album_not_found"),
        (999, 404, "album_not_found"),
    ] {
        app.get(&format!("/api/json/album/86400/0/{id}.json")).await.refused(status, code);
    }
    for (bucket, id) in [("1000", "7"), ("7", "7"), ("0", "0"), ("0", "07"), ("0", "-7"), ("0", "1e1"), ("0", "1000")] {
        app.get(&format!("/api/json/album/86400/{bucket}/{id}.json")).await.refused(404, "album_not_found");
    }
    let list = path("latest-updates", 100, "all..1");
    assert!(ids(&app.json(&list).await).contains(&7));
    app.json("/api/json/album/86400/0/7.json").await;
    app.change("update albums set is_private = true where id = 7").await;
    assert!(!ids(&app.json(&list).await).contains(&7));
    app.get("/api/json/album/86400/0/7.json").await.refused(403, "dont_have_permission");
    app.change("update albums set is_private = false, status_id = deleted() where id = 7").await;
    app.get("/api/json/album/86400/0/7.json").await.refused(404, "album_not_found");
    app.finish().await;
}
