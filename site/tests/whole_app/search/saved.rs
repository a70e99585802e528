//! Saved searches: editing, number of new videos, and feeds.

use serde_json::{Value, json};

use crate::support::{App, NOW, Session, done, toasted};

const LIST: &str = "/api/member_lists.php?list=saved_searches";
const SEARCH: &str = "/search/1/?s=night";

async fn save(member: &Session, name: &str, address: &str) -> i64 {
    let form = [("act", "saved_search"), ("section", "add"), ("title", name), ("address", address)];
    member.acts(&form).await["saved_id"].as_i64().unwrap()
}

async fn saved(member: &Session) -> Vec<Value> {
    member.get(LIST).await.json()["saved_searches"].as_array().unwrap().clone()
}

async fn news(app: &App, address: &str, since: i64) -> Value {
    let query: String = form_urlencoded::Serializer::new(String::new())
        .append_pair("address", address)
        .append_pair("since", &since.to_string())
        .finish();
    app.json(&format!("/api/new_videos.php?{query}")).await
}

#[tokio::test]
async fn list_is_saved_once_renamed_and_removed() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    assert_eq!(mona.get(LIST).await.json()["code"], "saved_searches_not_found");
    let id = save(&mona, "  Night ", "/search/4/?x=1&s=night").await;
    save(&mona, "Cities", "/categories/city/longest/2/?type=hd").await;
    assert_eq!(save(&mona, "Nights", SEARCH).await, id, "saving the same list renames it");
    let list = saved(&mona).await;
    let brief: Vec<_> = list.iter().map(|one| (one["name"].clone(), one["address"].clone())).collect();
    let cities = (json!("Cities"), json!("/categories/city/longest/1/?type=hd"));
    assert_eq!(brief, [cities, (json!("Nights"), json!(SEARCH))]);
    let of = [("act", "saved_search"), ("object_id", &*id.to_string())];
    mona.acts(&[&of[..], &[("section", "upd"), ("title", "By night")]].concat()).await;
    assert_eq!(saved(&mona).await[0]["name"], "By night");
    mona.acts(&[&of[..], &[("section", "rem")]].concat()).await;
    mona.acts(&[&of[..], &[("section", "rem")]].concat()).await;
    assert_eq!(saved(&mona).await.len(), 1);
    mona.act(&[&of[..], &[("section", "seen")]].concat()).await.refused(404, "saved_search_not_found");
    app.finish().await;
}

#[tokio::test]
async fn saved_list_is_renamed_and_removed_by_address() {
    let app = App::start().await;
    let (mona, ivy) = (app.member("mona").await, app.member("ivy").await);
    save(&mona, "Night", SEARCH).await;
    save(&mona, "Cities", "/categories/city/longest/1/").await;
    save(&ivy, "Night", SEARCH).await;
    let of = [("act", "saved_search"), ("address", "/search/7/?s=night")];
    mona.acts(&[&of[..], &[("section", "upd"), ("title", "By night")]].concat()).await;
    mona.acts(&[&of[..], &[("section", "seen")]].concat()).await;
    let names =
        async |member: &Session| -> Vec<Value> { saved(member).await.iter().map(|one| one["name"].clone()).collect() };
    assert_eq!(names(&mona).await, ["By night", "Cities"]);
    mona.acts(&[&of[..], &[("section", "rem")]].concat()).await;
    assert_eq!((names(&mona).await, names(&ivy).await), (vec![json!("Cities")], vec![json!("Night")]));
    mona.act(&[&of[..], &[("section", "upd"), ("title", "Any")]].concat()).await.refused(404, "saved_search_not_found");
    let elsewhere = [("act", "saved_search"), ("section", "rem"), ("address", "/elsewhere/")];
    mona.act(&elsewhere).await.refused(422, "invalid");
    app.finish().await;
}

#[tokio::test]
async fn refuses_lists_without_news_and_one_too_many() {
    let app = App::configured(|config| config.member_area.saved_searches = 2).await;
    let mona = app.member("mona").await;
    let add = |name: &'static str, address: &'static str| {
        [("act", "saved_search"), ("section", "add"), ("title", name), ("address", address)]
    };
    for address in ["/", "/top-country/1/?country=JP", "/search/1/", "https://other.example/videos/longest/1/"] {
        let reply = mona.act(&add("Any", address)).await;
        assert_eq!((reply.status, &reply.json()["field"]), (422, &json!("address")), "{address}");
    }
    assert_eq!(mona.act(&add("", SEARCH)).await.status, 422);
    save(&mona, "One", SEARCH).await;
    save(&mona, "Two", "/model/mika-sato/").await;
    toasted(&mona.act(&add("Three", "/videos/longest/1/")).await, 409, "too_many_saved_searches");
    assert_eq!(save(&mona, "Uno", SEARCH).await, saved(&mona).await[1]["saved_id"].as_i64().unwrap());
    app.finish().await;
}

#[tokio::test]
async fn counts_videos_posted_since_the_last_visit() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    for address in [SEARCH, "/categories/city/top-rated/1/", "/model/mika-sato/", "/videos/longest/1/?type=hd"] {
        let all = news(&app, address, 0).await["new_videos"].as_i64().unwrap();
        assert!(all > 0, "{address}");
        assert_eq!(news(&app, address, NOW).await["new_videos"], 0, "{address}");
    }
    let before = news(&app, SEARCH, NOW - 60).await["new_videos"].as_i64().unwrap();
    app.change(&format!(
        "insert into videos (dir, title, lang, gender, duration, status_id, post_date)
         values ('of-the-night', 'Of the night', 'en', 'str', 700, 1, to_timestamp({NOW} - 30)),
                ('by-night', 'By night', 'en', 'gay', 700, 1, to_timestamp({NOW} - 30))"
    ))
    .await;
    assert_eq!(news(&app, SEARCH, NOW - 60).await["new_videos"], before + 1, "this orientation only");
    assert_eq!(news(&app, SEARCH, NOW - 30).await["new_videos"], 0, "posted after that time only");
    // Saving a removed list again restores the time of the last visit, which is at most the current time.
    let seen = |at: i64| {
        let form = [("act", "saved_search"), ("section", "add"), ("title", "Night"), ("address", SEARCH)];
        let at = at.to_string();
        let mona = &mona;
        async move { done(&mona.act(&[&form[..], &[("seen_at", &*at)]].concat()).await)["saved_id"].to_string() }
    };
    let id = seen(NOW - 3600).await;
    let at = |list: Vec<Value>| list[0]["seen_at"].as_str().unwrap().to_owned();
    let old = at(saved(&mona).await);
    mona.acts(&[("act", "saved_search"), ("section", "seen"), ("object_id", &id)]).await;
    let visited = at(saved(&mona).await);
    assert!(old < visited, "{old} {visited}");
    mona.acts(&[("act", "saved_search"), ("section", "rem"), ("object_id", &id)]).await;
    seen(NOW + 3600).await;
    assert_eq!(at(saved(&mona).await), visited);
    for wrong in ["address=/&since=0", "address=/search/1/?s=night", "since=0", "address=/videos/longest/1/&since=-1"] {
        assert_eq!(app.get(&format!("/api/new_videos.php?{wrong}")).await.status, 422, "{wrong}");
    }
    app.finish().await;
}

#[tokio::test]
async fn saved_list_links_to_a_feed_of_its_latest_videos() {
    let app = App::start().await;
    for (address, feed) in [
        ("/search/1/?s=night&sort=longest&duration=short", "/search/feed/?s=night&duration=short&lang=en"),
        ("/categories/city/longest/1/?gender=gay", "/categories/city/latest-updates/feed/?gender=gay&lang=en"),
        ("/model/mika-sato/videos/1/?sort=longest&type=hd", "/model/mika-sato/feed/?type=hd&lang=en"),
    ] {
        assert_eq!(news(&app, address, 0).await["feed"], feed);
        let reply = app.get(feed).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, "application/rss+xml; charset=utf-8"), "{feed}");
    }
    app.finish().await;
}

#[tokio::test]
async fn saved_searches_are_exported_and_deleted_with_the_account() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    save(&mona, "Night", SEARCH).await;
    let export = mona.get("/api/account_export.php").await.json();
    assert_eq!(export["saved_searches"][0]["name"], "Night");
    assert_eq!(export["saved_searches"][0]["address"], SEARCH);
    assert_eq!(export["saved_searches"][0]["user_id"], Value::Null);
    app.sql(&format!("delete from users where id = {}", mona.id)).await;
    assert_eq!(app.numbers("select count(*) from saved_searches").await, [0]);
    app.drain().await;
    app.finish().await;
}
