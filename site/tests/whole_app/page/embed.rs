//! The embedded player and oEmbed.

use axum::http::Method;
use roxmltree::Document;

use crate::{
    page::dom::{ADULT, Dom, path},
    support::App,
};

#[tokio::test]
async fn embedded_player_is_frameable_and_needs_no_script() {
    let app = App::start().await;
    app.media("demo/04/video.mp4", b"a film");
    let (reply, dom) = app.page("/embed/4/").await;
    assert_eq!((reply.status, reply.header("cache-control")), (200, "private, no-store"));
    assert!(reply.header("content-security-policy").contains("frame-ancestors *"));
    assert_eq!(reply.header("cross-origin-resource-policy"), "cross-origin");
    assert_eq!(reply.header("rating"), "RTA-5042-1996-1400-1577-RTA");
    assert!(dom.texts("script").is_empty());
    assert_eq!(dom.title(), "Neon <city> & rain 4 · Lantern");
    assert_eq!(path(&dom.canonical().unwrap()), "/videos/4/video-4/");
    assert_eq!(dom.meta("robots"), "noindex, indexifembedded");
    assert_eq!(dom.attr("video", "poster").as_deref(), Some("/media/p/demo/04/poster.jpg"));
    let sources = dom.attrs("video source", "src");
    assert_eq!(dom.attrs("video source", "type"), ["application/vnd.apple.mpegurl", "video/mp4"]);
    assert!(sources[0].ends_with("/demo/04/hls/master.m3u8"));
    assert_eq!(app.get(&sources[1]).await.text(), "a film", "the link is signed");
    assert_eq!(app.page("/embed/4").await.0.status, 308);
    let page = app.get("/videos/4/").await;
    assert!(page.header("content-security-policy").contains("frame-ancestors 'none'"), "other pages are not frameable");
    app.finish().await;
}

#[tokio::test]
async fn embedded_player_explains_unavailable_videos() {
    let app = App::start().await;
    for (path, status, words) in [
        ("/embed/50/", 410, "This video was recently deleted"),
        ("/embed/41/", 403, "This video is private"),
        ("/embed/999999/", 404, "Video not found"),
    ] {
        let (reply, dom) = app.page(path).await;
        assert_eq!(reply.status, status, "{path}");
        assert!(dom.texts("[role='alert']").concat().starts_with(words), "{path}");
        assert!(dom.texts("video").is_empty() && reply.header("content-security-policy").contains("ancestors *"));
    }
    app.finish().await;
}

#[tokio::test]
async fn age_gate_covers_embedded_player_and_posts_to_it() {
    let app = App::start().await;
    let gate = app.get("/embed/4/").await;
    let dom = Dom::parse(&gate);
    assert!(dom.texts("video").is_empty());
    assert_eq!(dom.attr("form", "action").as_deref(), Some("/embed/4/"));
    // In another site's frame, the cookie would not be sent, so the response to the form is the player itself.
    let ours = [("sec-fetch-site", "same-origin")];
    assert!(!Dom::parse(&app.send(Method::POST, "/embed/4/", &ours).await).attrs("video", "poster").is_empty());
    for origin in ["https://other.example", "https://127.0.0.1.other.example"] {
        let reply = app.send(Method::POST, "/embed/4/", &[("sec-fetch-site", "cross-site"), ("origin", origin)]).await;
        reply.refused(403, "cross_site");
    }
    let put = app.send(Method::PUT, "/embed/4/", &ours).await;
    put.refused(405, "method_not_allowed");
    assert_eq!(put.header("allow"), "GET,HEAD,POST");
    app.finish().await;
}

/// A `sandbox` frame has an opaque origin, so browsers treat our films as cross-origin and don't load them.
#[tokio::test]
async fn sandboxed_player_explains_why_it_does_not_play() {
    let app = App::start().await;
    let sandboxed = [("sec-fetch-site", "cross-site"), ("origin", "null")];
    let reply = app.send(Method::POST, "/embed/4/?lang=de", &sandboxed).await;
    let dom = Dom::parse(&reply);
    assert_eq!(reply.status, 403);
    assert!(
        dom.texts("[role='alert']").concat().starts_with("Die Seite, die diesen Player einbindet"),
        "{}",
        reply.text()
    );
    assert_eq!(dom.attr("main a", "href").as_deref(), Some("/videos/4/video-4/"));
    assert!(dom.texts("video").is_empty() && reply.header("content-security-policy").contains("frame-ancestors *"));
    assert!(reply.header("set-cookie").is_empty());
    assert_eq!(app.send(Method::POST, "/embed/50/", &sandboxed).await.status, 410);
    // Other forms sent from there are refused.
    app.send(Method::POST, "/agree/", &sandboxed).await.refused(403, "cross_site");
    app.send(Method::POST, "/api/login.php", &sandboxed).await.refused(403, "cross_site");
    app.finish().await;
}

#[tokio::test]
async fn video_page_links_to_equal_oembed_documents_in_json_and_xml() {
    let app = App::start().await;
    let (_, dom) = app.page("/videos/4/video-4/").await;
    let json = app.get(path(&dom.attr("link[type='application/json+oembed']", "href").unwrap())).await;
    let xml = app.get(path(&dom.attr("link[type='text/xml+oembed']", "href").unwrap())).await;
    assert_eq!(
        (json.header("content-type"), json.header("cache-control")),
        ("application/json", "public, max-age=3600")
    );
    let fields = json.json();
    assert_eq!((&fields["version"], &fields["type"]), (&"1.0".into(), &"video".into()));
    assert_eq!((&fields["title"], &fields["author_name"]), (&"Neon <city> & rain 4".into(), &"uploader".into()));
    assert_eq!((&fields["width"], &fields["height"]), (&426.into(), &265.into()));
    assert_eq!(path(fields["author_url"].as_str().unwrap()), "/members/1/");
    assert_eq!(fields["cache_age"], 3600);
    let picture = path(fields["thumbnail_url"].as_str().unwrap());
    assert_eq!(picture, "/media/p/demo/04/shot-4-640.webp");
    app.media("demo/04/shot-4-640.webp", b"picture");
    let picture = app.get(picture).await;
    assert_eq!((picture.status, picture.header("cross-origin-resource-policy")), (200, "cross-origin"));
    let frame = scraper::Html::parse_fragment(fields["html"].as_str().unwrap());
    let iframe = frame.select(&scraper::Selector::parse("iframe").unwrap()).next().unwrap();
    assert_eq!(
        (path(iframe.attr("src").unwrap()), iframe.attr("title").unwrap()),
        ("/embed/4/", "Neon <city> & rain 4")
    );
    let text = xml.text();
    let document = Document::parse(&text).unwrap();
    for element in document.root_element().children() {
        let field = &fields[element.tag_name().name()];
        let field = field.as_str().map_or_else(|| field.to_string(), str::to_owned);
        assert_eq!(element.text().unwrap(), field, "{}", element.tag_name().name());
    }
    assert_eq!(document.root_element().children().count(), fields.as_object().unwrap().len());
    app.finish().await;
}

#[tokio::test]
async fn oembed_errors_have_the_protocols_statuses() {
    let app = App::start().await;
    let oembed = |url: &str, more: &str| format!("/oembed?url=http://127.0.0.1:8080{url}{more}");
    let small = app.json(&oembed("/videos/4/", "&maxwidth=213")).await;
    assert_eq!((&small["width"], &small["height"]), (&213.into(), &132.into()));
    for path in ["/oembed", &oembed("/", ""), &oembed("/videos/999999/", ""), &oembed("/videos/longest/1/", "")] {
        assert_eq!(app.get(path).await.status, 404, "{path}");
    }
    // These are the statuses of the protocol (oembed.com, 2.3.4).
    for (address, status, code) in [
        ("/oembed?url=http://evil.example/videos/4/".to_owned(), 404, "video_not_found"),
        (oembed("/videos/50/", ""), 404, "video_not_found"),
        (oembed("/videos/41/", ""), 401, "dont_have_permission"),
        (oembed("/videos/47/", ""), 404, "video_not_found"),
        (oembed("/videos/4/", "&format=yaml"), 501, "invalid"),
        (oembed("/videos/4/", "&lang=xx"), 422, "invalid"),
    ] {
        let reply = app.get(&address).await;
        reply.refused(status, code);
        assert_eq!(reply.header("access-control-allow-origin"), "*", "{address}: scripts may read the error");
    }
    let reply = app.send(Method::GET, &oembed("/videos/4/", "&format=json"), &[ADULT]).await;
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (200, "*"));
    assert_eq!(reply.header("cross-origin-resource-policy"), "cross-origin");
    app.finish().await;
}

#[tokio::test]
async fn embedded_player_uses_requested_language() {
    let app = App::start().await;
    let src = async |more: &str| {
        let fields = app.json(&format!("/oembed?url=http://127.0.0.1:8080/videos/4/{more}")).await;
        let frame = scraper::Html::parse_fragment(fields["html"].as_str().unwrap());
        let iframe = frame.select(&scraper::Selector::parse("iframe").unwrap()).next().unwrap();
        (path(iframe.attr("src").unwrap()).to_owned(), fields["title"].as_str().unwrap().to_owned())
    };
    assert_eq!(src("").await.0, "/embed/4/", "the visitor's own language");
    for more in ["&lang=ru", "%3Flang=ru", "%3Flang=de&lang=ru"] {
        assert_eq!(src(more).await, ("/embed/4/?lang=ru".to_owned(), "Ночной рынок 4".to_owned()), "{more}");
    }
    app.finish().await;
}

#[tokio::test]
async fn embedded_player_starts_at_requested_second() {
    let app = App::start().await;
    app.media("demo/04/video.mp4", b"a film");
    let ends = async |path: &str| {
        let (_, dom) = app.page(path).await;
        let sources = dom.attrs("video source", "src");
        assert_eq!(sources.len(), 2, "{path}");
        sources.iter().map(|src| src.split_once('#').map_or("", |(_, end)| end).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ends("/embed/4/?start_time=42").await, ["t=42", "t=42"]);
    for none in [
        "",
        "?start_time=",
        "?start_time=0",
        "?start_time=-5",
        "?start_time=x",
        "?start_time=1e9",
        "?start_time=9999999",
    ] {
        assert_eq!(ends(&format!("/embed/4/{none}")).await, ["", ""], "{none}");
    }
    // The age gate preserves the start time and language.
    let reply = app.get("/embed/4/?lang=de&x=1&start_time=42").await;
    let action = Dom::parse(&reply).attr("form", "action");
    assert_eq!(action.as_deref(), Some("/embed/4/?start_time=42&lang=de"));
    let played = Dom::parse(&app.send(Method::POST, &action.unwrap(), &[]).await);
    assert!(played.attrs("video source", "src").iter().all(|src| src.ends_with("#t=42")));
    // oEmbed passes on the parameters of the requested address.
    let src = async |url: &str| {
        let fields = app.json(&format!("/oembed?url=http://127.0.0.1:8080{url}")).await;
        let frame = scraper::Html::parse_fragment(fields["html"].as_str().unwrap());
        let iframe = frame.select(&scraper::Selector::parse("iframe").unwrap()).next().unwrap();
        path(iframe.attr("src").unwrap()).to_owned()
    };
    assert_eq!(src("/videos/4/%3Fstart_time=42").await, "/embed/4/?start_time=42");
    assert_eq!(src("/embed/4/%3Fstart_time=42%26lang=de").await, "/embed/4/?start_time=42&lang=de");
    assert_eq!(src("/videos/4/%3Fstart_time=x").await, "/embed/4/");
    app.finish().await;
}

#[tokio::test]
async fn oembed_thumbnail_is_no_larger_than_requested() {
    let app = App::start().await;
    let picture = async |more: &str| {
        let fields = app.json(&format!("/oembed?url=http://127.0.0.1:8080/videos/4/{more}")).await;
        let [url, width, height] = ["url", "width", "height"].map(|name| fields[format!("thumbnail_{name}")].clone());
        assert_eq!(url.is_null(), width.is_null() && height.is_null(), "{more}: all of it or nothing");
        (url.as_str().map(|url| path(url).to_owned()).unwrap_or_default(), width.as_u64(), height.as_u64())
    };
    let small = ("/media/p/demo/04/shot-4-320.webp".to_owned(), Some(320), Some(180));
    let large = ("/media/p/demo/04/shot-4-640.webp".to_owned(), Some(640), Some(360));
    for (more, expected) in [
        ("", &large),
        ("&maxwidth=640&maxheight=360", &large),
        ("&maxwidth=639", &small),
        ("&maxheight=359", &small),
        ("&maxwidth=320", &small),
        ("&maxwidth=1000&maxheight=180", &small),
        ("&maxwidth=319", &(String::new(), None, None)),
        ("&maxheight=179", &(String::new(), None, None)),
    ] {
        assert_eq!(picture(more).await, *expected, "{more}");
    }
    app.finish().await;
}
