//! Feeds for lists, as Media RSS.

use axum::http::Method;
use roxmltree::{Document, Node};
use time::{OffsetDateTime, format_description::well_known::Rfc2822};

use crate::{
    page::dom::{Dom, path},
    support::{App, Reply, listing, video_ids},
};

const MEDIA: &str = "http://search.yahoo.com/mrss/";
const ATOM: &str = "http://www.w3.org/2005/Atom";

fn child<'a>(node: Node<'a, 'a>, name: &str) -> Node<'a, 'a> {
    node.children().find(|child| child.has_tag_name(name)).unwrap_or_else(|| panic!("no {name}"))
}

fn text<'a>(node: Node<'a, 'a>, name: &str) -> &'a str {
    child(node, name).text().unwrap_or_else(|| panic!("{name} is empty"))
}

fn media<'a>(node: Node<'a, 'a>, name: &str) -> Node<'a, 'a> {
    node.descendants().find(|child| child.has_tag_name((MEDIA, name))).unwrap_or_else(|| panic!("no {name}"))
}

fn date(text: &str) -> OffsetDateTime {
    OffsetDateTime::parse(text, &Rfc2822).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns the address of the feed to which a page links.
fn feed_of(dom: &Dom) -> Option<String> {
    dom.attr("link[type='application/rss+xml']", "href").map(|address| path(&address).to_owned())
}

fn ids(channel: Node) -> Vec<i64> {
    let items = channel.children().filter(|node| node.has_tag_name("item"));
    items.map(|item| path(text(item, "link")).split('/').nth(2).unwrap().parse().unwrap()).collect()
}

#[tokio::test]
async fn list_links_to_its_feed_with_the_same_items() {
    let app = App::start().await;
    let owned = |object: &str| format!("/api/json/videos2/3600/str/latest-updates/60/{object}.1.all.all.all.json");
    for (page, feed, call) in [
        (
            "/videos/latest-updates/1/",
            "/videos/latest-updates/feed/",
            listing("latest-updates", 60, "all..1.all.all.all"),
        ),
        (
            "/categories/travel/top-rated/1/",
            "/categories/travel/top-rated/feed/",
            listing("top-rated", 60, "categories.travel.1.all.all.all"),
        ),
        (
            "/top-country/1/?country=JP",
            "/top-country/feed/?country=JP",
            listing("most-popular", 60, "top-country.JP.1.all.all.all"),
        ),
        ("/model/mika-sato/", "/model/mika-sato/feed/", owned("model.mika-sato")),
        ("/members/2/", "/members/2/feed/", owned("member.2")),
        ("/playlist/1/1/", "/playlist/1/feed/", owned("playlist.1")),
    ] {
        let (_, dom) = app.page(page).await;
        assert_eq!(feed_of(&dom).as_deref(), Some(feed), "{page}");
        let reply = app.get(feed).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, "application/rss+xml; charset=utf-8"), "{feed}");
        assert!(reply.header("cache-control").starts_with("public, max-age="), "{feed}");
        let xml = reply.text();
        let document = Document::parse(&xml).unwrap();
        let channel = child(document.root_element(), "channel");
        let lang = if page.contains('?') { "&lang=en" } else { "?lang=en" };
        assert_eq!(path(text(channel, "link")), format!("{page}{lang}"), "{feed}");
        assert_eq!(text(channel, "title"), dom.title(), "{feed}: titled as its page");
        assert_eq!(text(channel, "description"), dom.meta("description"), "{feed}");
        let own = channel.children().find(|child| child.has_tag_name((ATOM, "link"))).unwrap();
        assert_eq!((own.attribute("rel"), path(own.attribute("href").unwrap())), (Some("self"), feed));
        let listed = video_ids(&app.json(&call).await);
        assert!(!listed.is_empty() && ids(channel) == listed, "{feed}");
    }
    app.finish().await;
}

#[tokio::test]
async fn feed_items_have_required_and_media_elements() {
    let app = App::start().await;
    let first = app.ids(&listing("longest", 60, "all..1.all.all.all")).await[0];
    app.change(&format!("update videos set media_key = null, picture_key = 'videos/aa/a' where id = {first}")).await;
    let xml = app.get("/videos/longest/feed/").await.text();
    let document = Document::parse(&xml).unwrap();
    let channel = child(document.root_element(), "channel");
    let mut newest = OffsetDateTime::UNIX_EPOCH;
    for (item, id) in channel.children().filter(|node| node.has_tag_name("item")).zip(ids(channel)) {
        let guid = child(item, "guid");
        assert_eq!(
            (path(guid.text().unwrap()), guid.attribute("isPermaLink")),
            (&*format!("/videos/{id}/"), Some("false"))
        );
        assert!(text(item, "description").starts_with(text(item, "title")));
        assert_eq!(media(item, "description").text(), Some(text(item, "description")));
        assert_eq!(media(item, "title").text(), Some(text(item, "title")));
        assert_eq!(media(item, "rating").text(), Some("adult"));
        // A video without a film on this site is played on its page.
        let player = if id == first { format!("/videos/{id}/video-{id}/") } else { format!("/embed/{id}/") };
        assert_eq!(path(media(item, "player").attribute("url").unwrap()), player);
        assert!(media(item, "content").attribute("duration").unwrap().parse::<u32>().unwrap() > 0);
        assert!(media(item, "thumbnail").attribute("url").is_some());
        newest = newest.max(date(text(item, "pubDate")));
    }
    assert_eq!(date(text(channel, "lastBuildDate")), newest);
    // A video that is renamed gets another address but keeps its GUID.
    let known = text(channel.children().find(|node| node.has_tag_name("item")).unwrap(), "guid").to_owned();
    let id = ids(channel)[0];
    app.change(&format!("update videos set dir = 'renamed' where id = {id}")).await;
    let renamed = app.get("/videos/longest/feed/").await.text();
    assert!(renamed.contains(&format!("/videos/{id}/renamed/")) && renamed.contains(&format!(">{known}</guid>")));
    app.finish().await;
}

#[tokio::test]
async fn lists_without_a_feed_link_to_none() {
    let app = App::start().await;
    for page in ["/model/mika-sato/videos/1/?sort=longest", "/search/1/", "/members/2/info/"] {
        let (reply, dom) = app.page(page).await;
        assert_eq!((reply.status, feed_of(&dom)), (200, None), "{page}");
    }
    let (_, dom) = app.page("/videos/longest/1/?gender=gay&lang=de").await;
    assert_eq!(feed_of(&dom).as_deref(), Some("/videos/longest/feed/?gender=gay&lang=de"));
    let (_, dom) = app.page("/top-country/1/").await;
    assert_eq!(
        feed_of(&dom).as_deref(),
        Some("/top-country/feed/?country=US"),
        "a feed's address names the visitor's country"
    );
    app.finish().await;
}

#[tokio::test]
async fn filtered_list_has_a_filtered_feed() {
    let app = App::start().await;
    for (page, feed, call) in [
        (
            "/videos/latest-updates/1/?type=hd",
            "/videos/latest-updates/feed/?type=hd",
            listing("latest-updates", 60, "all..1.hd.all.all"),
        ),
        (
            "/categories/travel/longest/1/?duration=short",
            "/categories/travel/longest/feed/?duration=short",
            listing("longest", 60, "categories.travel.1.all.short.all"),
        ),
        (
            "/top-country/1/?country=JP&date=year",
            "/top-country/feed/?country=JP&date=year",
            listing("most-popular", 60, "top-country.JP.1.all.all.year"),
        ),
        (
            "/model/mika-sato/videos/1/?type=hd",
            "/model/mika-sato/feed/?type=hd",
            listing("latest-updates", 60, "model.mika-sato.1.hd.all.all"),
        ),
        (
            "/search/1/?s=night",
            "/search/feed/?s=night",
            "/api/videos2.php?params=3600/str/latest-updates/60/search..1.all.all.all&s=night".to_owned(),
        ),
    ] {
        let (_, dom) = app.page(page).await;
        assert_eq!(feed_of(&dom).as_deref(), Some(feed), "{page}");
        let xml = app.get(feed).await.text();
        let document = Document::parse(&xml).unwrap();
        let listed = video_ids(&app.json(&call).await);
        assert!(!listed.is_empty(), "{feed}");
        assert_eq!(ids(child(document.root_element(), "channel")), listed, "{feed}");
    }
    // Search feeds are not relaxed, because popular videos would permanently appear as news.
    let xml = app.get("/search/feed/?s=zzyzx").await.text();
    assert!(!xml.contains("<item>"), "{xml}");
    app.finish().await;
}

#[tokio::test]
async fn unchanged_feed_returns_304_and_any_site_may_read_feeds() {
    let app = App::start().await;
    let feed = "/videos/latest-updates/feed/";
    let revalidate = async |tag: &str| app.send(Method::GET, feed, &[("if-none-match", tag)]).await;
    let first = app.get(feed).await;
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with('"'), "{tag}");
    let again = revalidate(&tag).await;
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, &*tag));
    assert_eq!(again.header("cache-control"), first.header("cache-control"));
    app.change("update videos set title = 'Another' where id = 1").await;
    assert_eq!(revalidate(&tag).await.status, 200);
    let missing = app.get("/model/nobody/feed/").await;
    for reply in [&first, &again, &missing] {
        assert_eq!(sharing(reply), ("*", "cross-origin"), "{}", reply.status);
    }
    app.finish().await;
}

/// Returns the headers that let other sites read and display a response.
fn sharing(reply: &Reply) -> (&str, &str) {
    (reply.header("access-control-allow-origin"), reply.header("cross-origin-resource-policy"))
}

#[tokio::test]
async fn feed_language_depends_on_its_address_not_on_cookies() {
    let app = App::start().await;
    let cookie = [("cookie", "app_lang=ja; gender=gay")];
    for feed in ["/videos/latest-updates/feed/", "/top-country/feed/", "/members/2/feed/"] {
        let same = app.send(Method::GET, feed, &cookie).await;
        assert_eq!(app.get(feed).await.text(), same.text(), "{feed}");
    }
    let english = app.get("/videos/latest-updates/feed/").await;
    let named = app.get("/categories/travel/latest-updates/feed/?lang=ja").await.text();
    assert!(named.contains("<title>旅行 · Lantern</title>"), "{named}");
    let russian = app.get("/videos/latest-updates/feed/?lang=ru").await.text();
    assert!(russian.contains("Ночной рынок") && russian.contains("<language>ru</language>"));
    let gay = app.get("/videos/latest-updates/feed/?gender=gay").await.text();
    assert!(gay.contains("<item>") && gay != english.text());
    let chart = async |query: &str| app.get(&format!("/top-country/feed/{query}")).await.text();
    assert!(chart("?country=DE").await.contains("?country=DE&amp;lang=en</link>"));
    assert!(
        chart("?lang=de").await.contains("?country=DE&amp;lang=de</link>"),
        "defaults to the country of the language"
    );
    assert_eq!(app.get("/videos/latest-updates/feed").await.status, 308);
    app.finish().await;
}

#[tokio::test]
async fn feed_of_missing_object_is_refused() {
    let app = App::start().await;
    for (feed, status, code) in [
        ("/categories/nowhere/longest/feed/", 404, "category_not_found"),
        ("/categories/travel,dance,music,yoga/longest/feed/", 404, "not_found"),
        ("/top-country/feed/?country=QQ", 404, "not_found"),
        ("/search/feed/", 404, "not_found"),
        ("/search/feed/?s=night&categories=nowhere", 404, "category_not_found"),
        ("/model/nobody/feed/", 404, "model_not_found"),
        ("/members/39/feed/", 404, "member_not_found"),
        ("/playlist/999999/feed/", 404, "playlist_not_found"),
        ("/playlist/7/feed/", 403, "playlist_is_private"),
    ] {
        app.get(feed).await.refused(status, code);
    }
    app.finish().await;
}
