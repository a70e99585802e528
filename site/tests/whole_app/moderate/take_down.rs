//! A take-down removes an object everywhere and permanently.

use std::io::Read as _;

use flate2::read::GzDecoder;
use lantern_catalog::{
    moderation::{Actor, uploads},
    sitemap_parts::{self, NewPart},
};
use lantern_testing::film;
use serde_json::json;

use super::decide::choose_poster;
use crate::{
    support::App,
    upload::films::{self, EDIT, described, latest, sent, work, worker},
};

const TAKE_DOWN: &str = "/api/moderate/take_down";

#[tokio::test]
async fn taken_down_video_is_removed_and_its_film_banned() {
    let app = films::app().await;
    let (mona, nils) = (app.member("mona").await, app.moderator("nils").await);
    let bytes = film("4", 32);
    described(&mona, &bytes).await;
    let id = choose_poster(&app, &mona).await;
    app.approve(id).await;
    app.drain().await;
    let file = format!("/api/videofile.php?video_id={id}");
    let link = app.json(&file).await["video_url"][0]["url"].as_str().unwrap().to_owned();
    let search = "/api/videos2.php?params=86400/str/relevance/10/search..1.all..&s=evenings";
    assert_eq!((app.get(&link).await.status, app.ids(search).await.contains(&id)), (200, true));

    let number = id.to_string();
    let form = [("section", "video"), ("id", number.as_str()), ("note", "Asked for by the owner of the rights")];
    mona.post(TAKE_DOWN, &form).await.refused(403, "dont_have_permission");
    assert_eq!(nils.post(TAKE_DOWN, &form).await.status, 200);
    nils.post(TAKE_DOWN, &form).await.refused(404, "video_not_found");
    app.drain().await;
    assert_eq!(app.get(&link).await.status, 404, "a link handed out before");
    app.get(&file).await.refused(404, "video_not_found");
    assert!(!app.ids(search).await.contains(&id));

    // Another member sends the same bytes.
    let olga = app.member("olga").await;
    let token = sent(&olga, &bytes).await;
    assert_eq!(olga.post(EDIT, &films::form(&token, "Once more")).await.status, 200);
    assert!(work(&worker(&app, |_| {})).await);
    let refused = latest(&olga).await;
    assert_eq!((&refused["state"], &refused["error_code"]), (&json!("failed"), &json!("video_banned")));
    app.drain().await;
    app.finish().await;
}

/// Returns the text of a sitemap part.
async fn sitemap(app: &App, name: &str) -> String {
    let mut text = String::new();
    GzDecoder::new(&*app.get(&format!("/sitemap/{name}.xml.gz")).await.body).read_to_string(&mut text).unwrap();
    text
}

#[tokio::test]
async fn take_down_leaves_the_sitemap_at_once_despite_slower_writers() {
    let app = App::start().await;
    lantern_site::sitemap::make(&app.state().pool, &app.state().config).await.unwrap();
    let before = sitemap_parts::now(app.pool()).await.unwrap();
    let ids = app.numbers("select id from videos where visible order by id limit 2").await;
    let [removed, remaining] = [ids[0], ids[1]].map(|id| format!("/videos/{id}/"));
    let old = sitemap(&app, "videos-0").await;
    assert!(old.contains(&removed) && old.contains(&remaining));
    assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "video", ids[0], "").await.unwrap());
    assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "album", 1, "").await.unwrap());
    lantern_site::sitemap::make_stale(&app.state().pool, &app.state().config).await.unwrap();
    let new = sitemap(&app, "videos-0").await;
    assert!(!new.contains(&removed) && new.contains(&remaining));
    assert!(!sitemap(&app, "albums-0").await.contains("/album/1/"));
    assert_eq!(app.numbers("select count(*) from sitemap_stale").await, [0]);
    // This writer read its data before the take-down and stores it only now.
    let late = NewPart { name: "videos-0", body: b"old", tag: "old", gist: "old", read_at: before };
    sitemap_parts::keep(app.pool(), &late, std::time::Duration::ZERO).await.unwrap();
    assert_eq!(sitemap(&app, "videos-0").await, new);
    // A part without objects is removed, and so is its entry in the index.
    app.sql("update albums set status_id = deleted() where id <> 2").await;
    assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "album", 2, "").await.unwrap());
    lantern_site::sitemap::make_stale(&app.state().pool, &app.state().config).await.unwrap();
    assert_eq!(app.get("/sitemap/albums-0.xml.gz").await.status, 404);
    let list = app.get("/sitemap.xml").await.text();
    assert!(list.contains("videos-0") && !list.contains("albums-0"), "{list}");
    app.drain().await;
    app.finish().await;
}
