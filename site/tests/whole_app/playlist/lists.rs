//! The calls `playlists` and `playlist`, and the section `playlist` of `videos2`.

use serde_json::{Value, json};

use crate::support::{App, listing, video_ids};

const PUBLIC: &str =
    "select p.id from playlists p join playlist_stats s on s.playlist_id = p.id join users u on u.id = p.user_id
    where visibility = 'public' and u.status_id <> banned() and orientation = 'str'";

fn path(sort: &str, count: u32, file: &str) -> String {
    format!("/api/json/playlists/86400/str/{sort}/{count}/{file}.json")
}

fn ids(answer: &Value) -> Vec<i64> {
    answer["playlists"].as_array().unwrap().iter().map(|list| list["playlist_id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn every_order_and_page_matches_the_catalog() {
    let app = App::start().await;
    let videos = "(select count(*) from playlist_items i join videos v on v.id = i.video_id where i.playlist_id = p.id and v.visible)";
    for (sort, key) in [
        ("latest-updates", "p.created_at"),
        ("most-popular", "viewed"),
        ("most-viewed", "viewed"),
        ("top-rated", "standing"),
        ("count-videos", videos),
    ] {
        let expected = app.numbers(&format!("{PUBLIC} order by {key} desc, p.id desc")).await;
        assert!(expected.len() > 10);
        let mut found = Vec::new();
        for page in 1.. {
            let answer = app.json(&path(sort, 7, &format!("all..{page}"))).await;
            assert_eq!(answer["total_count"], expected.len(), "{sort}");
            assert_eq!(answer["pages"], expected.len().div_ceil(7), "{sort}");
            if ids(&answer).is_empty() {
                assert_eq!(answer["code"], "playlists_not_found");
                break;
            }
            found.extend(ids(&answer));
        }
        assert_eq!(found, expected, "{sort}");
    }
    // A member's own playlists don't depend on the orientation.
    let own = PUBLIC.replace("orientation = 'str'", "p.user_id = 2");
    let expected = app.numbers(&format!("{own} order by viewed desc, p.id desc")).await;
    assert!(expected.len() > 2);
    assert_eq!(ids(&app.json(&path("most-viewed", 60, "member.2.1")).await), expected);
    app.finish().await;
}

#[tokio::test]
async fn missing_and_hidden_playlists_are_refused() {
    let app = App::start().await;
    let none = app.json(&path("top-rated", 60, "member.5.1")).await;
    assert_eq!(none, json!({"playlists": [], "total_count": 0, "pages": 0, "code": "playlists_not_found"}));
    for (file, code) in [
        ("member.999.1", "member_not_found"),
        ("member.39.1", "member_not_found"),
        ("member.x.1", "member_not_found"),
        ("categories.city.1", "not_found"),
        ("all..0", "not_found"),
    ] {
        app.get(&path("top-rated", 60, file)).await.refused(404, code);
    }
    for (bucket, id) in [("0", "999"), ("1000", "1"), ("0", "0"), ("0", "01"), ("0", "30")] {
        app.get(&format!("/api/json/playlist/86400/{bucket}/{id}.json")).await.refused(404, "playlist_not_found");
    }
    app.get("/api/json/playlist/86400/0/7.json").await.refused(403, "playlist_is_private");
    app.get(&listing("longest", 60, "playlist.7.1.all.all.all")).await.refused(403, "playlist_is_private");
    app.get(&listing("longest", 60, "playlist.999.1.all.all.all")).await.refused(404, "playlist_not_found");
    app.get(&listing("longest", 60, "playlist.30.1.all.all.all")).await.refused(404, "playlist_not_found");
    app.finish().await;
}

#[tokio::test]
async fn playlist_page_agrees_with_its_list() {
    let app = App::start().await;
    let playlist = app.json("/api/json/playlist/86400/0/1.json").await["playlist"].clone();
    let total = app
        .numbers("select count(*) from playlist_items i join videos v on v.id = i.video_id where playlist_id = 1 and v.visible")
        .await[0];
    for (name, value) in json!({
        "title": "Evening 1", "description": "To unwind, number 1", "private": 1, "user_id": 2, "username": "other", "gender": "str",
        "viewed": 29, "total_videos": total, "comments": 1, "user": {"id": 2, "username": "other", "avatar": null, "user_id": 2},
        "statistics": {"viewed": 29, "likes": 3, "dislikes": 1},
    })
    .as_object()
    .unwrap()
    {
        assert_eq!(playlist[name], *value, "{name}");
    }
    let list = app.json(&path("most-viewed", 60, "all..1")).await;
    let card = list["playlists"].as_array().unwrap().iter().find(|card| card["playlist_id"] == 1).unwrap();
    for (name, value) in card.as_object().unwrap() {
        assert_eq!(playlist[name], *value, "{name}: list and page differ");
    }
    assert!(playlist["thumb"].as_str().unwrap().starts_with("/media/p/demo/"));
    assert_eq!(app.json("/api/json/playlist/86400/0/29.json").await["playlist"]["thumb"], "", "it is empty");
    app.finish().await;
}

#[tokio::test]
async fn videos_of_a_playlist_have_its_order_on_every_page() {
    let app = App::start().await;
    let sql =
        "select v.id from playlist_items i join videos v on v.id = i.video_id where playlist_id = 8 and v.visible";
    let expected = app.numbers(&format!("{sql} order by position")).await;
    let genders = app.numbers("select count(distinct gender) from playlist_items i join videos v on v.id = i.video_id where playlist_id = 8").await;
    assert!(expected.len() > 20 && genders[0] == 3, "{expected:?}");
    for sort in ["longest", "top-rated"] {
        let mut found = Vec::new();
        for page in 1.. {
            let answer = app.json(&listing(sort, 8, &format!("playlist.8.{page}.all.all.all"))).await;
            assert_eq!(
                (&answer["total_count"], &answer["pages"]),
                (&expected.len().into(), &expected.len().div_ceil(8).into())
            );
            if video_ids(&answer).is_empty() {
                assert_eq!(answer["code"], "videos_not_found");
                break;
            }
            for video in answer["videos"].as_array().unwrap() {
                // This lets the player continue with the neighboring videos.
                assert_eq!((&video["playlist_id"], &video["page"]), (&json!(8), &json!(page)));
            }
            found.extend(video_ids(&answer));
        }
        assert_eq!(found, expected);
    }
    for (tail, condition) in [
        ("hd.all.all", "is_hd"),
        ("all.short.all", "duration < 600"),
        ("all.all.month", "post_date >= to_timestamp(1790000000 - 30 * 86400)"),
    ] {
        let expected = app.numbers(&format!("{sql} and {condition} order by position")).await;
        assert!(!expected.is_empty(), "{tail}");
        let answer = app.json(&listing("most-popular", 100, &format!("playlist.8.1.{tail}"))).await;
        assert_eq!(video_ids(&answer), expected, "{tail}");
        assert_eq!(answer["total_count"], expected.len());
        let counted: i64 =
            answer["categories"].as_array().unwrap().iter().map(|c| c["total_videos"].as_i64().unwrap()).sum();
        let links = app
            .numbers(&format!("select count(*) from video_categories where video_id in ({sql} and {condition})"))
            .await;
        assert_eq!(counted, links[0], "{tail}: counted over the whole playlist");
    }
    let empty = app.json(&listing("longest", 60, "playlist.29.1.all.all.all")).await;
    assert_eq!((&empty["total_count"], &empty["code"]), (&json!(0), &json!("videos_not_found")));
    app.finish().await;
}

#[tokio::test]
async fn changes_of_a_playlist_and_its_videos_are_visible_immediately() {
    let app = App::start().await;
    let videos = listing("longest", 100, "playlist.8.1.all.all.all");
    let before = app.ids(&videos).await;
    app.json("/api/json/playlist/86400/0/8.json").await;
    assert!(ids(&app.json(&path("most-viewed", 60, "all..1")).await).contains(&8));
    app.change(&format!("update videos set is_private = true where id = {}", before[2])).await;
    let after = app.ids(&videos).await;
    assert_eq!((after.len(), after.contains(&before[2])), (before.len() - 1, false));
    let playlist = app.json("/api/json/playlist/86400/0/8.json").await;
    assert_eq!(playlist["playlist"]["total_videos"], after.len());
    app.change(&format!("delete from playlist_items where playlist_id = 8 and video_id = {}", before[0])).await;
    assert_eq!(app.ids(&videos).await, after[1..]);
    app.change("update playlists set visibility = 'private' where id = 8").await;
    app.get(&videos).await.refused(403, "playlist_is_private");
    app.get("/api/json/playlist/86400/0/8.json").await.refused(403, "playlist_is_private");
    assert!(!ids(&app.json(&path("most-viewed", 60, "all..1")).await).contains(&8));
    app.change(
        "update playlists set visibility = 'public' where id = 8; update users set status_id = banned() where id = 3",
    )
    .await;
    app.get("/api/json/playlist/86400/0/8.json").await.refused(404, "playlist_not_found");
    app.finish().await;
}
