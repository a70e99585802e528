//! How playlists are edited.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{App, Session, done, listing, toasted, video_ids};

const NEWEST: &str = "/api/json/playlists/86400/str/latest-updates/1/all..1.json";

fn form<'a>(section: &'a str, fields: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [&[("act", "playlist"), ("section", section)][..], fields].concat()
}

/// Creates an empty public playlist.
async fn made(member: &Session) -> String {
    let fields = [("title", "Quiet evenings"), ("desc", "For the evenings"), ("visible", "1"), ("orientation", "str")];
    done(&member.act(&form("new", &fields)).await)["playlist_id"].to_string()
}

async fn videos(app: &App, playlist: &str) -> Vec<i64> {
    video_ids(&app.json(&listing("latest-updates", 60, &format!("playlist.{playlist}.1.all.all.all"))).await)
}

#[tokio::test]
async fn created_changed_and_deleted_playlist_is_updated_in_every_list() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let id = made(&mika).await;
    let card = async || {
        app.drain().await;
        app.json(NEWEST).await["playlists"][0].clone()
    };
    let first = card().await;
    assert_eq!(first["playlist_id"].to_string(), id);
    assert_eq!((&first["title"], &first["user_id"]), (&json!("Quiet evenings"), &json!(mika.id)));
    let changed = [("object_id", &*id), ("title", "Loud\n evenings"), ("desc", "Not for sleeping"), ("user_id", "1")];
    done(&mika.act(&form("upd", &changed)).await);
    let renamed = card().await;
    assert_eq!((&renamed["title"], &renamed["user_id"]), (&json!("Loud evenings"), &json!(mika.id)));

    let visible = async |flag: &str| {
        let fields = [("object_id", &*id), ("title", "Loud evenings"), ("desc", "Not for sleeping"), ("visible", flag)];
        done(&mika.act(&form("upd", &fields)).await);
        app.drain().await;
        app.get(&format!("/api/json/playlist/86400/0/{id}.json")).await
    };
    visible("0").await.refused(403, "playlist_is_private");
    assert_ne!(app.json(NEWEST).await["playlists"][0]["playlist_id"].to_string(), id, "0 is private");
    assert_eq!(visible("1").await.status, 200, "1 is public");

    done(&mika.act(&form("del", &[("object_id", &id)])).await);
    app.drain().await;
    app.get(&format!("/api/json/playlist/86400/0/{id}.json")).await.refused(404, "playlist_not_found");
    mika.act(&form("del", &[("object_id", &id)])).await.refused(404, "playlist_not_found");
    app.finish().await;
}

#[tokio::test]
async fn form_errors_name_every_invalid_field() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let wrong = async |fields: &[(&str, &str)]| -> Vec<(String, String)> {
        let reply = mika.act(&form("new", fields)).await;
        assert_eq!(reply.status, 422, "{}", reply.text());
        let body = reply.json();
        let codes = body["codes"].as_array().unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        codes.iter().map(|wrong| (text(&wrong["field"]), text(&wrong["code"]))).collect()
    };
    let pair = |field: &str, code: &str| (field.to_owned(), code.to_owned());
    assert_eq!(wrong(&[]).await, [pair("title", "required"), pair("desc", "required")]);
    let short = [("title", "ab"), ("desc", "four")];
    assert_eq!(wrong(&short).await, [pair("title", "min_length"), pair("desc", "min_length")]);
    let impossible = [&short[..], &[("visible", "2")]].concat();
    assert_eq!(
        wrong(&impossible).await,
        [pair("visible", "invalid")],
        "values that don't parse are reported before the rest is validated"
    );
    let long = [("title", &*"x".repeat(101)), ("desc", &*"x".repeat(501))];
    assert_eq!(wrong(&long).await, [pair("title", "max_length"), pair("desc", "max_length")]);
    let terms = [("title", "Forbidden things"), ("desc", "and a FOR bidden")];
    assert_eq!(wrong(&terms).await, [pair("title", "prohibited_terms"), pair("desc", "prohibited_terms")]);
    let other = [("title", "Fine title"), ("desc", "Fine words"), ("orientation", "x")];
    assert_eq!(wrong(&other).await, [pair("orientation", "invalid")]);
    let reply = mika.act(&form("new", &[("title", "ab"), ("desc", "long enough")])).await;
    assert_eq!(reply.json()["info"]["bound"], 3);
    let bounds = [("title", &*"x".repeat(100)), ("desc", &*"x".repeat(500))];
    done(&mika.act(&form("new", &bounds)).await);
    done(&mika.act(&form("new", &[("title", "abc"), ("desc", "fiveé")])).await);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn videos_are_added_once_moved_and_removed_from_a_playlist() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let id = made(&mika).await;
    let send = async |section: &str, video: &str, more: &[(&str, &str)]| {
        mika.act(&[&form(section, &[("object_id", &id), ("video_id", video)])[..], more].concat()).await
    };
    for video in ["1", "2", "3", "4"] {
        done(&send("add", video, &[]).await);
    }
    toasted(&send("add", "2", &[]).await, 409, "playlist_already_added");
    for video in ["41", "50", "999"] {
        send("add", video, &[]).await.refused(404, "video_not_found");
    }
    app.drain().await;
    assert_eq!(videos(&app, &id).await, [1, 2, 3, 4]);
    assert_eq!(app.json(NEWEST).await["playlists"][0]["total_videos"], 4);
    done(&send("move", "4", &[("position", "2")]).await);
    done(&send("rem", "1", &[]).await);
    done(&send("rem", "1", &[]).await);
    app.drain().await;
    assert_eq!(videos(&app, &id).await, [4, 2, 3]);
    done(&send("add", "1", &[("position", "2")]).await);
    app.drain().await;
    assert_eq!(videos(&app, &id).await, [4, 1, 2, 3]);
    send("add", "5", &[("position", "0")]).await.refused(422, "invalid");
    done(&send("rem", "1", &[]).await);
    app.drain().await;
    send("move", "1", &[("position", "1")]).await.refused(404, "video_not_found");
    send("move", "4", &[("position", "0")]).await.refused(422, "invalid");
    send("move", "4", &[]).await.refused(422, "required");
    send("sort", "4", &[]).await.refused(422, "invalid");
    app.finish().await;
}

#[tokio::test]
async fn returns_404_when_editing_another_members_playlist() {
    let app = App::start().await;
    let (mika, anna) = (app.member("mika").await, app.member("anna").await);
    let id = made(&mika).await;
    done(&mika.act(&form("add", &[("object_id", &id), ("video_id", "1")])).await);
    let owned = format!("{}", mika.id);
    for section in ["upd", "del", "add", "rem", "move"] {
        let fields = [
            ("object_id", &*id),
            ("video_id", "1"),
            ("position", "1"),
            ("title", "Mine now"),
            ("desc", "All of it"),
            ("user_id", &owned),
            ("owner", &owned),
        ];
        anna.act(&form(section, &fields)).await.refused(404, "playlist_not_found");
    }
    app.drain().await;
    assert_eq!(videos(&app, &id).await, [1]);
    assert_eq!(app.json(NEWEST).await["playlists"][0]["title"], "Quiet evenings");
    app.finish().await;
}

#[tokio::test]
async fn concurrent_requests_create_one_playlist_with_each_video_once() {
    let app = App::configured(|config| {
        config.playlists.max_videos = 6;
        config.playlists.max_per_member = 2;
    })
    .await;
    let mika = app.member("mika").await;
    let fields = form("new", &[("title", "Quiet evenings"), ("desc", "For the evenings"), ("video_id", "9")]);
    let replies = join_all((0..16).map(|_| mika.act(&fields))).await;
    let ids: Vec<Value> = replies.iter().map(|reply| done(reply)["playlist_id"].clone()).collect();
    assert!(ids.iter().all(|id| *id == ids[0]));
    let id = ids[0].to_string();
    let clicks = join_all((0..64).map(|n| {
        let (mika, id) = (&mika, &id);
        async move {
            let video = (n % 8 + 1).to_string();
            mika.act(&form("add", &[("object_id", id), ("video_id", &video)])).await
        }
    }))
    .await;
    assert_eq!(clicks.iter().filter(|reply| reply.status == 200).count(), 5);
    for reply in clicks.iter().filter(|reply| reply.status != 200) {
        let code = reply.json()["code"].as_str().unwrap().to_owned();
        assert!(["playlist_already_added", "playlist_full"].contains(&&*code), "{code}");
        toasted(reply, 409, &code);
    }
    app.drain().await;
    assert_eq!(videos(&app, &id).await.len(), 6);
    done(&mika.act(&form("new", &[("title", "Another one"), ("desc", "For the evenings")])).await);
    let third = mika.act(&form("new", &[("title", "A third one"), ("desc", "For the evenings")])).await;
    toasted(&third, 409, "too_many_playlists");
    app.drain().await;
    app.finish().await;
}
