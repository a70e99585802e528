//! Pages for albums, playlists and members.

use axum::http::Method;
use serde_json::Value;

use crate::{
    page::dom::{ADULT, path},
    support::App,
};

#[tokio::test]
async fn community_pages_have_status_of_their_objects() {
    let app = App::start().await;
    for (path, status) in [
        ("/albums/latest-updates/1/", 200),
        ("/albums/latest-updates/9/", 404),
        ("/album/1/", 200),
        ("/album/1/another-name/", 200),
        ("/album/11/album-11/", 403),
        ("/album/20/album-20/", 404),
        ("/album/999/", 404),
        ("/playlists/most-popular/1/", 200),
        ("/playlists/most-popular/9/", 404),
        ("/playlist/1/1/", 200),
        ("/playlist/1/9/", 404),
        ("/playlist/7/1/", 403),
        ("/playlist/999/1/", 404),
        ("/community/alphabet/1/", 200),
        ("/community/alphabet/1/?avatar=yes", 200),
        ("/community/alphabet/9/", 404),
        ("/members/3/", 200),
        ("/members/3/wall/2/", 200),
        ("/members/3/wall/9/", 404),
        ("/members/3/friends/1/", 200),
        ("/members/3/subscriptions/", 200),
        ("/members/3/albums/1/", 200),
        ("/members/3/playlists/1/", 200),
        ("/members/3/info/", 200),
        ("/members/39/", 404),
        ("/members/40/info/", 404),
        ("/community/alphabet/1/?gender=female&age=20.30", 200),
        ("/members/3/favourite_videos/1/", 200),
        ("/members/3/history/2/", 200),
        ("/members/3/messages/", 200),
        ("/members/39/history/1/", 404),
        ("/members/3/secrets/1/", 404),
        ("/videos/history/1/", 200),
        ("/members/", 404),
    ] {
        let (reply, dom) = app.page(path).await;
        assert_eq!((reply.status, reply.header("content-type")), (status, "text/html; charset=utf-8"), "{path}");
        assert_eq!(dom.texts("#root h1").len(), 1, "{path}");
        assert_eq!(dom.canonical().is_some(), status == 200, "{path}");
        // Pages that only their member can see are not indexed.
        let own = ["favourite_videos", "history", "messages"].iter().any(|tab| path.contains(tab));
        // Member 3 has uploaded nothing.
        let is_indexed = status == 200 && !path.contains('?') && !own && path != "/members/3/";
        assert_eq!(
            (dom.meta("robots") == "noindex", dom.versions().len()),
            (!is_indexed, if is_indexed { 11 } else { 0 }),
            "{path}"
        );
    }
    for path in ["/edit", "/edit/"] {
        let reply = app.send(Method::GET, path, &[ADULT]).await;
        assert_eq!((reply.status, reply.header("location").starts_with("/?next=")), (307, true), "{path}");
    }
    app.finish().await;
}

#[tokio::test]
async fn page_embeds_responses_and_lists_the_same_items() {
    let app = App::start().await;
    let list = |what: &str, tail: &str| format!("/api/json/{what}/7200/str/latest-updates/60/{tail}.json?lang=en");
    for (path, call, items, title, kind) in [
        (
            "/albums/top-rated/1/",
            "/api/json/albums/86400/str/top-rated/60/all..1.json?lang=en".to_owned(),
            "albums",
            "title",
            "ItemList",
        ),
        (
            "/playlists/most-viewed/1/",
            "/api/json/playlists/86400/str/most-viewed/60/all..1.json".to_owned(),
            "playlists",
            "title",
            "ItemList",
        ),
        (
            "/community/recent/1/?avatar=yes",
            "/api/json/members/7200/filt-avatar~yes/recent/96/1.json?lang=en".to_owned(),
            "members",
            "username",
            "ItemList",
        ),
        (
            "/community/recent/1/?age=20.50&country=JP&x=1",
            "/api/json/members/7200/filt-country~JP-age~20.50/recent/96/1.json?lang=en".to_owned(),
            "members",
            "username",
            "ItemList",
        ),
        (
            "/playlist/1/1/",
            "/api/json/videos2/86400/str/latest-updates/60/playlist.1.1.all.all.all.json?lang=en".to_owned(),
            "videos",
            "title",
            "ItemList",
        ),
        ("/members/2/", list("videos2", "member.2.1.all.all.all"), "videos", "title", "ItemList"),
        ("/members/3/albums/1/", list("albums", "member.3.1"), "albums", "title", "ItemList"),
        (
            "/members/3/playlists/1/",
            "/api/json/playlists/7200/str/latest-updates/60/member.3.1.json".to_owned(),
            "playlists",
            "title",
            "ItemList",
        ),
        ("/members/3/friends/1/", "/api/json/friends/7200/0/3.1.json".to_owned(), "friends", "username", "ItemList"),
        (
            "/members/3/subscriptions/",
            "/api/json/subscriptions/7200/0/3.1.json?lang=en".to_owned(),
            "subscriptions",
            "title",
            "BreadcrumbList",
        ),
    ] {
        let (_, dom) = app.page(path).await;
        let answer = app.json(&call).await;
        assert_eq!(dom.boot()["answers"][&call], answer, "{path}: {:?}", dom.boot()["answers"]);
        let titles: Vec<&str> =
            answer[items].as_array().unwrap().iter().map(|item| item[title].as_str().unwrap()).collect();
        assert!(!titles.is_empty(), "{path}");
        let shown = dom.texts("main ul li");
        assert_eq!(shown.len(), titles.len(), "{path}");
        for (shown, title) in shown.iter().zip(&titles) {
            assert!(shown.starts_with(title), "{path}: {shown}");
        }
        assert!(dom.data(kind).is_some(), "{path}");
    }
    app.finish().await;
}

#[tokio::test]
async fn single_pages_describe_their_object() {
    let app = App::start().await;
    let album = app.json("/api/json/album/86400/0/1.json?lang=en").await["album"].clone();
    let (_, dom) = app.page("/album/1/?lang=en").await;
    assert_eq!(dom.texts("h1"), ["Paper lanterns 1"]);
    assert_eq!(dom.meta("description"), "Twelve evenings, number 1");
    assert_eq!(path(&dom.canonical().unwrap()), "/album/1/album-1/?lang=en");
    let gallery = dom.data("ImageGallery").unwrap();
    let photos: Vec<&Value> = album["photos"].as_array().unwrap().iter().map(|photo| &photo["src"]).collect();
    assert_eq!(gallery["image"].as_array().unwrap().len(), photos.len());
    assert_eq!(dom.attrs("main ul img", "src"), photos.iter().map(|src| src.as_str().unwrap()).collect::<Vec<_>>());
    let (_, dom) = app.page("/members/3/info/").await;
    assert_eq!(
        (dom.title().as_str(), dom.meta("description").as_str()),
        ("member-03 – Profile · Lantern", "member-03 – Profile · About 3")
    );
    assert_eq!(dom.data("ProfilePage").unwrap()["mainEntity"]["name"], "member-03");
    assert!(dom.texts("main p").contains(&"City: Town 3".to_owned()));
    let (_, dom) = app.page("/members/3/wall/1/").await;
    let wall = app.json("/api/json/member_wall/7200/0/3.1.json").await;
    assert!(dom.texts("main p").contains(&wall["comments"][0]["comment"].as_str().unwrap().to_owned()));
    for (path, words) in [("/album/11/", "This page is private"), ("/playlist/7/1/", "This page is private")] {
        let (reply, dom) = app.page(path).await;
        assert_eq!(dom.texts("h1"), [words]);
        assert!(!reply.text().contains("Evening 7") && !reply.text().contains("Paper lanterns 11"), "{path}");
    }
    app.finish().await;
}

#[tokio::test]
async fn head_is_served_separately() {
    const HEAD: &str = "application/vnd.lantern.head+json";
    let app = App::start().await;
    for (path, status) in [
        ("/videos/4/?lang=ja", 200),
        ("/model/mika-sato/videos/1/?sort=longest", 200),
        ("/videos/50/", 410),
        ("/no/", 404),
    ] {
        let reply = app.send(Method::GET, path, &[ADULT, ("accept", HEAD)]).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, HEAD), "{path}");
        assert_eq!(
            (reply.header("cache-control"), reply.header("vary").contains("accept")),
            ("private, no-store", true)
        );
        let head = reply.json();
        let (page, dom) = app.page(path).await;
        assert_eq!(
            (&head["status"], &head["lang"]),
            (&status.into(), &dom.attr("html", "lang").unwrap().into()),
            "{path}"
        );
        let markup = head["head"].as_str().unwrap();
        let all = scraper::Selector::parse("head > *:not([rel='preload'])").unwrap();
        let elements = |html: &str| -> Vec<String> {
            scraper::Html::parse_document(html).select(&all).map(|element| element.html()).collect()
        };
        let (alone, whole) = (elements(markup), elements(&page.text()));
        assert!(alone.len() > 5, "{path}");
        assert_eq!(alone, whole, "{path}");
        assert!(!markup.contains("preload"), "{path}");
        let graph: Value = dom
            .texts("script[type='application/ld+json']")
            .first()
            .map_or(Value::Null, |text| serde_json::from_str(text).unwrap());
        assert_eq!(head["data"], graph, "{path}");
    }
    assert!(app.page("/videos/4/").await.0.header("vary").contains("accept"));
    app.finish().await;
}
