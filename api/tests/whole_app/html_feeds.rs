//! Listings as Media RSS.

use roxmltree::{Document, Node};

use crate::{
    html_dom::path,
    support::{App, listing, video_ids},
};

const MEDIA: &str = "http://search.yahoo.com/mrss/";

fn child<'a>(node: Node<'a, 'a>, name: &str) -> Node<'a, 'a> {
    node.children().find(|child| child.has_tag_name(name)).unwrap_or_else(|| panic!("no {name}"))
}

fn media<'a>(node: Node<'a, 'a>, name: &str) -> Node<'a, 'a> {
    node.descendants().find(|child| child.has_tag_name((MEDIA, name))).unwrap_or_else(|| panic!("no {name}"))
}

#[tokio::test]
async fn a_listing_names_its_feed_and_the_feed_lists_the_same() {
    let app = App::start().await;
    for (page, call) in [
        ("/videos/latest-updates/1/", listing("latest-updates", 60, "all..1.all.all.all")),
        ("/categories/travel/top-rated/1/", listing("top-rated", 60, "categories.travel.1.all.all.all")),
        ("/model/mika-sato/", listing("latest-updates", 60, "model.mika-sato.1.all.all.all")),
    ] {
        let (_, dom) = app.page(page).await;
        let feed = dom.attr("link[type='application/rss+xml']", "href").unwrap();
        let reply = app.get(path(&feed)).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, "application/rss+xml; charset=utf-8"), "{feed}");
        assert!(reply.header("cache-control").starts_with("public, max-age="), "{feed}");
        let text = reply.text();
        let document = Document::parse(&text).unwrap();
        let channel = child(document.root_element(), "channel");
        assert_eq!(path(child(channel, "link").text().unwrap()), format!("{page}?lang=en"), "{feed}");
        let items: Vec<Node> = document.descendants().filter(|node| node.has_tag_name("item")).collect();
        let ids: Vec<i64> = items
            .iter()
            .map(|item| path(child(*item, "link").text().unwrap()).split('/').nth(2).unwrap().parse().unwrap())
            .collect();
        assert_eq!(ids, video_ids(&app.json(&call).await), "{feed}");
        for item in items {
            assert_eq!(child(item, "guid").text(), child(item, "link").text());
            assert_eq!(media(item, "rating").text(), Some("adult"));
            assert!(path(media(item, "player").attribute("url").unwrap()).starts_with("/embed/"));
            assert!(media(item, "content").attribute("duration").unwrap().parse::<u32>().unwrap() > 0);
            assert!(media(item, "thumbnail").attribute("url").is_some());
            let date = child(item, "pubDate").text().unwrap();
            let format = &time::format_description::well_known::Rfc2822;
            assert!(time::OffsetDateTime::parse(date, format).is_ok(), "{date}");
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn feeds_speak_the_language_of_their_address_and_no_cookie() {
    let app = App::start().await;
    let cookie = [("cookie", "app_lang=ja; gender=gay")];
    let english = app.get("/videos/latest-updates/feed/").await;
    let same = app.send(axum::http::Method::GET, "/videos/latest-updates/feed/", &cookie).await;
    assert_eq!(english.text(), same.text());
    let named = app.get("/categories/travel/longest/feed/?lang=ja").await.text();
    assert!(named.contains("<title>旅行 · Lantern</title>"), "{named}");
    let russian = app.get("/videos/latest-updates/feed/?lang=ru").await.text();
    assert!(russian.contains("Ночной рынок") && russian.contains("<language>ru</language>"));
    let gay = app.get("/videos/latest-updates/feed/?gender=gay").await.text();
    assert!(gay.contains("<item>") && gay != english.text());
    assert_eq!(app.get("/videos/latest-updates/feed").await.status, 308);
    for path in ["/categories/nowhere/longest/feed/", "/model/nobody/feed/"] {
        assert_eq!(app.get(path).await.status, 404, "{path}");
    }
    app.finish().await;
}
