//! Status and content of every kind of page.

use axum::http::Method;

use crate::{
    page::dom::{ADULT, Dom},
    support::App,
};

#[tokio::test]
async fn pages_have_status_of_their_objects() {
    let app = App::start().await;
    for (path, status) in [
        ("/", 200),
        ("/videos/latest-updates/1/", 200),
        ("/videos/latest-updates/3/", 200),
        ("/videos/latest-updates/99/", 404),
        ("/videos/longest/9999999/", 404),
        ("/videos/1/", 200),
        ("/videos/1/video-1/", 200),
        ("/videos/999999/", 404),
        ("/videos/999999999999999/anything/", 404),
        ("/videos/50/", 410),
        ("/videos/41/", 403),
        ("/videos/47/", 404),
        ("/categories/", 200),
        ("/categories/travel/latest-updates/1/", 200),
        ("/categories/travel,city/top-rated/1/?type=hd", 200),
        ("/categories/travel/latest-updates/99/", 404),
        ("/categories/nowhere/latest-updates/1/", 404),
        ("/categories/travel,nowhere/latest-updates/1/", 404),
        ("/model/mika-sato/", 200),
        ("/model/mika-sato/info/", 200),
        ("/model/mika-sato/videos/1/", 200),
        ("/model/mika-sato/videos/99/", 404),
        ("/model/nobody/", 404),
        ("/model/nobody/info/", 404),
        ("/model/nobody/videos/1/", 404),
        ("/models/alphabet/1/", 200),
        ("/models/alphabet/9/", 404),
        ("/models/alphabet/1/?race=asian&age=20.", 200),
        ("/models/alphabet/1/?race=nothing", 404),
        ("/top-country/1/", 200),
        ("/top-country/1/?country=JP", 200),
        ("/top-country/1/?country=ZZ", 404),
        ("/search/1/", 200),
        ("/search/1/?s=x", 200),
        ("/search/1/?s=night+market", 200),
        ("/search/1/?s=xqzzyv", 200),
        ("/search/99/?s=night", 404),
        ("/nothing/", 404),
        ("/404/", 404),
    ] {
        let (reply, dom) = app.page(path).await;
        assert_eq!((reply.status, reply.header("content-type")), (status, "text/html; charset=utf-8"), "{path}");
        // The page of a hidden object depends on the session.
        let cache_control = if status == 403 { "private, no-store" } else { "private, no-cache" };
        assert_eq!(reply.header("cache-control"), cache_control, "{path}");
        assert!(reply.header("vary").contains("cookie"), "{path}");
        assert!(!dom.title().is_empty() && dom.title().ends_with(" · Lantern"), "{path}: {}", dom.title());
        assert_eq!(dom.texts("#root h1").len(), 1, "{path}");
        assert_eq!(dom.canonical().is_some(), status == 200, "{path}");
        let is_indexed =
            status == 200 && !path.starts_with("/search/") && !path.contains("type=") && !path.contains("race=");
        assert_eq!(dom.meta("robots") != "noindex", is_indexed, "{path}");
        assert_eq!(dom.versions().len(), if is_indexed { 11 } else { 0 }, "{path}");
        assert!(status == 200 || dom.data("ItemList").is_none(), "{path}");
        let head = app.send(Method::HEAD, path, &[ADULT]).await;
        assert_eq!(head.status, status, "{path}");
    }
    app.finish().await;
}

#[tokio::test]
async fn list_is_rendered_without_scripts() {
    let app = App::start().await;
    let answer = app.json("/api/json/videos2/3600/str/latest-updates/60/all..2.all.all.all.json").await;
    let (_, dom) = app.page("/videos/latest-updates/2/").await;
    let videos = answer["videos"].as_array().unwrap();
    let expected: Vec<String> = videos
        .iter()
        .map(|video| format!("/videos/{}/{}/", video["video_id"], video["dir"].as_str().unwrap()))
        .collect();
    assert_eq!(dom.attrs("#root .video-grid a", "href"), expected);
    let posters = dom.attrs("link[rel='preload'][as='image']", "imagesrcset");
    assert_eq!(posters.len(), 5, "the first row");
    assert!(posters[0].starts_with(videos[0]["thumb"].as_str().unwrap()), "{posters:?}");
    let titles: Vec<&str> = videos.iter().map(|video| video["title"].as_str().unwrap()).collect();
    assert_eq!(dom.texts("#root .video-grid a"), titles);
    assert!(titles.iter().any(|title| title.contains("<city> & rain")), "one title needs escaping");
    assert_eq!(dom.texts("h1"), ["Latest updates"]);
    assert_eq!(dom.title(), "Latest updates – Page 2 · Lantern");
    assert_eq!(dom.attr("link[rel='prev']", "href").unwrap(), "http://127.0.0.1:8080/videos/latest-updates/1/");
    assert_eq!(dom.attr("link[rel='next']", "href").unwrap(), "http://127.0.0.1:8080/videos/latest-updates/3/");
    let steps = dom.attrs("nav[aria-label='Pages'] a", "href");
    assert_eq!(steps, ["/videos/latest-updates/1/", "/videos/latest-updates/3/"]);
    app.finish().await;
}

#[tokio::test]
async fn page_beyond_the_end_links_to_the_last() {
    let app = App::start().await;
    for (path, last) in [
        ("/videos/latest-updates/9999/", "/videos/latest-updates/4/"),
        ("/categories/travel/longest/9999/?type=hd", "/categories/travel/longest/1/?type=hd"),
        ("/models/alphabet/9999/", "/models/alphabet/1/"),
        ("/search/9999/?s=harbour", "/search/1/?s=harbour"),
        ("/members/1/uploaded_videos/9999/", "/members/1/uploaded_videos/3/"),
    ] {
        let (reply, dom) = app.page(path).await;
        assert_eq!(reply.status, 404, "{path}");
        assert_eq!(dom.attrs("nav[aria-label='Pages'] a", "href"), [last], "{path}");
        assert_eq!(app.page(last).await.0.status, 200, "{last}");
        let before_last = dom.attr("link[rel='prev']", "href").unwrap();
        assert!(before_last.ends_with(last) && dom.attr("link[rel='next']", "href").is_none(), "{path}");
    }
    app.finish().await;
}

#[tokio::test]
async fn search_box_retains_its_text_on_error_pages() {
    let app = App::start().await;
    for (path, status) in [
        ("/search/1/?s=harbour", 200),
        ("/search/1/?s=harbour&models=nope", 404),
        ("/search/1/?s=harbour&categories=nope", 404),
        ("/search/1/?s=harbour&not_models=nope", 404),
        ("/search/9999/?s=harbour", 404),
    ] {
        let (reply, dom) = app.page(path).await;
        assert_eq!(reply.status, status, "{path}");
        assert_eq!(dom.attr("input[name='s']", "value").as_deref(), Some("harbour"), "{path}");
    }
    app.finish().await;
}

#[tokio::test]
async fn video_is_rendered_without_scripts() {
    let app = App::start().await;
    let video = &app.json("/api/json/video/86400/0/4.json").await["video"];
    let (_, dom) = app.page("/videos/4/").await;
    assert_eq!(dom.texts("h1"), ["Neon <city> & rain 4"]);
    assert!(dom.texts("#root p").contains(&"Filmed in one take, number 4".to_owned()));
    let links = dom.attrs("#root a", "href");
    for model in video["models"].as_array().unwrap() {
        assert!(links.contains(&format!("/model/{}/", model["dir"].as_str().unwrap())), "{links:?}");
    }
    for category in video["categories"].as_array().unwrap() {
        assert!(links.contains(&format!("/categories/{}/latest-updates/1/", category["dir"].as_str().unwrap())));
    }
    assert!(dom.attrs("#root .video-grid a", "href").len() > 5, "related videos");
    for (path, words) in [("/videos/50/", "recently deleted"), ("/videos/41/", "video is private")] {
        let (reply, dom) = app.page(path).await;
        assert!(dom.texts("#root p").concat().contains(words), "{path}");
        assert!(!reply.text().contains("VideoObject") && !reply.text().contains("number 50"), "{path}");
    }
    app.finish().await;
}

#[tokio::test]
async fn other_pages_are_rendered_without_scripts() {
    let app = App::start().await;
    let (_, dom) = app.page("/categories/").await;
    assert!(dom.attrs("main a", "href").contains(&"/categories/travel/latest-updates/1/".to_owned()));
    let (_, dom) = app.page("/models/alphabet/1/?gender=she").await;
    assert!(dom.attrs("main a", "href").contains(&"/model/anna-lind/".to_owned()));
    let (_, dom) = app.page("/models/alphabet/1/").await;
    assert!(!dom.attrs("main a", "href").contains(&"/model/anna-lind/".to_owned()), "has another orientation");
    let (_, dom) = app.page("/model/anna-lind/info/").await;
    assert!(dom.texts("main p").contains(&"About Anna Lind".to_owned()));
    let (_, dom) = app.page("/model/anna-lind/").await;
    assert_eq!(dom.texts("h1"), ["Anna Lind"]);
    assert!(!dom.texts("main .video-grid li").is_empty());
    let (_, dom) = app.page("/").await;
    assert_eq!(dom.texts("main h2").len(), 4, "the four blocks");
    assert!(!dom.texts("main .model-grid li").is_empty());
    let (_, dom) = app.page("/search/1/?s=harbour").await;
    assert_eq!(dom.texts("h1"), ["“harbour”"]);
    assert!(dom.texts("main .video-grid a").iter().all(|title| title.contains("Harbour")));
    assert_eq!(dom.texts("main h2").len(), 0, "no relaxed results");
    let (_, dom) = app.page("/categories/travel/latest-updates/1/?lang=ja").await;
    assert_eq!(dom.texts("h1"), ["旅行"]);
    app.finish().await;
}

#[tokio::test]
async fn search_without_results_says_so_and_titles_its_alternatives() {
    let app = App::start().await;
    for (query, title, heads) in [
        ("s=xqzzyv", "No results for “xqzzyv”", &["Most popular"][..]),
        ("s=harbour+xqzzyv", "No results for “harbour xqzzyv”", &["“harbour”"]),
        ("s=-xqzzyv", "No results for “-xqzzyv”", &["Most popular"]),
        ("s=xqzzyv&lang=ja", "「xqzzyv」の検索結果はありません", &["人気順"]),
    ] {
        let (reply, dom) = app.page(&format!("/search/1/?{query}")).await;
        assert_eq!(reply.status, 200, "{query}");
        assert_eq!(dom.texts("h1"), [title], "{query}");
        assert_eq!(dom.title(), format!("{title} · Lantern"), "{query}");
        assert_eq!(dom.texts("main h2"), heads, "{query}");
        assert_eq!(dom.texts("main .video-grid li").is_empty(), heads.is_empty(), "{query}");
    }
    app.finish().await;
}

#[tokio::test]
async fn hostile_texts_are_escaped() {
    let app = App::start().await;
    let title = "</title></script><script>alert(1)</script><!-- \" '\u{2028}& x";
    app.sql(&format!(
        "update videos set title = '{0}', description = '{0}' where id = 1;
         update video_translations set title = '{0}' where video_id = 1;
         update models set title = left('{0}', 90), about = '{0}' where dir = 'mika-sato'",
        title.replace('\'', "''")
    ))
    .await;
    app.drain().await;
    for path in ["/videos/1/", "/videos/latest-updates/1/", "/model/mika-sato/", "/model/mika-sato/info/", "/"] {
        let (reply, dom) = app.page(path).await;
        assert_eq!(reply.status, 200, "{path}");
        assert!(!reply.text().contains("<script>alert"), "{path}");
        assert!(!dom.texts("script").concat().contains(['<', '>', '\u{2028}']), "{path}");
        // Scripts are either files of the app or data.
        for kind in dom.attrs("script:not([src])", "type") {
            assert!(kind == "application/json" || kind == "application/ld+json", "{path}: {kind}");
        }
        assert_eq!(dom.texts("script:not([src]):not([type])").len(), 0, "{path}");
        assert!(dom.boot()["answers"].is_object(), "{path}");
        assert!(reply.header("content-security-policy").contains("script-src 'self';"), "{path}");
    }
    let (_, dom) = app.page("/videos/1/").await;
    assert_eq!(dom.texts("h1"), [title]);
    assert_eq!(dom.data("VideoObject").unwrap()["name"], title);
    let path = "/search/1/?s=%3C%2Fscript%3E%3Cimg+src%3Dx%3E%22%27";
    let (reply, dom) = app.page(path).await;
    assert!(!reply.text().contains("<img src=x"), "{}", reply.text());
    assert_eq!(dom.texts("h1"), ["No results for “</script><img src=x>\"'”"]);
    app.finish().await;
}

#[tokio::test]
async fn pages_return_503_without_their_database() {
    let app = App::start().await;
    app.pool().close().await;
    let reply = app.send(Method::GET, "/videos/1/", &[ADULT]).await;
    assert_eq!((reply.status, reply.header("retry-after")), (503, "5"));
    let dom = Dom::parse(&reply);
    assert_eq!((dom.meta("robots").as_str(), dom.canonical()), ("noindex", None));
    assert_eq!(app.page("/videos/longest/1/").await.0.status, 200, "lists need no catalog");
    assert_eq!(app.get("/sitemap.xml").await.status, 503);
}
